"""Which column is the label and which are scores: what was chosen, and what was probably meant."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from rocwise.errors import InputError, in_words_of, listed
from rocwise.reporting.data_forms import Task, columns_by_model, distinct_labels
from rocwise.serving.computing.worker import FieldError

LABEL_NAMES = (
    *("y", "label", "labels", "target", "truth", "true", "class", "outcome", "event", "status"),
    *("grade", "stage", "ill", "disease", "diagnosis", "result", "response", "default", "churn"),
    *("death", "died", "dead", "mortality", "ergebnis", "befund", "diagnose", "krank", "tod"),
    *("klasse", "zielgröße", "classe", "résultat", "malade", "décès", "diagnostic", "clase"),
    *("resultado", "enfermo", "muerte", "diagnóstico"),
)
COVARIATES = (
    *("sex", "gender", "race", "group", "arm", "treatment", "site", "center", "smoker"),
    *("geschlecht", "gruppe", "sexe", "groupe", "sexo", "grupo"),
)
SEXES = {*("m", "f", "w", "male", "female", "man", "woman", "männlich", "weiblich")}
POSITIVE_NAMES = (
    *("1", "true", "yes", "y", "positive", "pos", "case", "ill", "sick", "event", "bad", "dead"),
    *("died", "diseased", "malignant", "ja", "positiv", "krank", "oui", "positif", "sí", "si"),
    *("positivo", "1.0"),
)
IDENTIFIERS = {*("id", "ids", "index", "idx", "row", "uid", "mrn", "identifier", "unnamed")}
PERSONS = {"patient", "subject", "case", "person", "customer"}  # as whole names
OTHER_ROLES = {"weight", "weights", "fold", "group", "cluster"}
MOST_SCORES = 5  # that are chosen by default
MOST_VALUES = 12  # of a column that are sent to the page
FEWEST_ROWS = 10  # from which unique whole numbers are taken for identifiers

Column = dict[str, Any]


def column_kinds(sample: Mapping[str, Any]) -> list[Column]:
    """Each column with its kind ("numbers" or "text") and its values, where they are few."""
    return [_column(name, np.asarray(values)) for name, values in sample.items()]


def _column(name: str, values: Any) -> Column:
    distinct = distinct_labels(values)
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in distinct)
    kind = "numbers" if numbers and distinct else "text"
    few = list(map(str, distinct)) if len(distinct) <= MOST_VALUES else []
    found = {"name": name, "kind": kind, "distinct": len(distinct), "values": few}
    two_spellings = len(few) > 2 and len({_plain(value) for value in few}) == 2
    task = "binary" if two_spellings else _task_of_label(found)
    unique = len(distinct) == len(values) >= FEWEST_ROWS and _whole(distinct)
    return found | {"task": task, "unfit": _unfit(name, kind, unique=numbers and unique)}


def _plain(value: str) -> str:
    return value.strip().casefold()


def _whole(values: Sequence[Any]) -> bool:
    return all(isinstance(v, int | float) and float(v).is_integer() for v in values)


def _words(name: str) -> list[str]:
    """The words of a name: `PatientID` and `patient_id` are patient and id."""
    spaced = re.sub(r"(?<=[a-zäöü])(?=[A-Z])", " ", name)
    return [word.casefold() for word in re.findall(r"[^\W\d_]+", spaced)]


def _unfit(name: str, kind: str, *, unique: bool) -> str | None:
    """Why a column is not chosen as scores by default."""
    words = _words(name)
    if kind == "text":
        return "text"
    if unique or not words or {words[0], words[-1]} & IDENTIFIERS or _plain(name) in PERSONS:
        return "identifier"
    return "role" if OTHER_ROLES & {*words} else None


def _task_of_label(column: Column) -> Task:
    """Task of a label with such values, before the names of the scores are known."""
    if column["distinct"] <= 2:
        return "binary"
    if column["kind"] == "text":
        return "multiclass" if column["values"] else "binary"  # which raises for so many classes
    few = column["values"] and all(float(value).is_integer() for value in column["values"])
    return "ordinal" if few else "regression"


def guess(columns: Sequence[Column], sample: Mapping[str, Any]) -> dict[str, Any]:
    """Label, positive and scores by default, with the columns left out and what is missing."""
    label = _likely_label(columns)
    others = [each for each in columns if label is not None and each is not label]
    reasons = {each["name"]: _reason(each, label, sample) for each in others}
    found = _guess(label, reasons)
    beyond = "unnamed" if found["task"] == "multiclass" else "many"
    left_out = [
        {"name": name, "why": why or beyond}
        for name, why in reasons.items()
        if name not in found["scores"] and (why or found["scores"])
    ]
    return found | {"left_out": left_out}


def _reason(column: Column, label: Column | None, sample: Mapping[str, Any]) -> str | None:
    """Why a column is not chosen as scores; None for one that may be."""
    if column["unfit"] is not None or label is None:
        return str(column["unfit"])
    if column["distinct"] < 2 and label["distinct"] <= 2:
        return "constant"
    few = column["values"] and label["values"]
    same = few and _determines(sample[column["name"]], sample[label["name"]])
    return "outcome" if same else None


def _determines(values: Any, labels: Any) -> bool:
    """Whether all rows with one value of a column have one label."""
    rows = zip(np.asarray(values).tolist(), np.asarray(labels).tolist(), strict=True)
    known = [row for row in rows if all(cell is not None and cell == cell for cell in row)]
    return len(known) >= FEWEST_ROWS and len({*known}) == len({value for value, _ in known})


def _guess(label: Column | None, reasons: Mapping[str, str | None]) -> dict[str, Any]:
    if label is None:
        sentence = "The label column is ambiguous. Pick the column with the true classes."
        return _hindered("label", sentence, None)
    called, values = label["name"], listed(label["values"]) if label["values"] else "no values"
    if label["task"] == "binary" and label["distinct"] > 2:
        sentence = f"Column {called!r} contains {values}, which differ in blanks or capitals only."
        return _hindered("label", f"{sentence} Write them identically in the file.", called)
    if label["distinct"] < 2:
        sentence = f"Column {called!r} contains only one class ({values}); both classes are needed."
        return _hindered("label", sentence, called)
    scores = [name for name, why in reasons.items() if why is None]
    if not scores:
        others = f": {listed(list(reasons))} may hold something else" if reasons else ""
        sentence = f"There is no column of scores besides the label{others}."
        return _hindered("scores", sentence, called)
    if label["distinct"] > 2:
        return _guess_of_several(label, scores)
    positive = _likely_positive(label["values"])
    found = _picked(label, scores[:MOST_SCORES]) | {"positive": positive}
    if positive is None:
        text = f"column {called!r} contains {values}: pick the positive."
        found["error"] = {"field": "positive", "text": text}
    return found


def _picked(label: Column, scores: list[str]) -> dict[str, Any]:
    found = {"label": label["name"], "scores": scores, "positive": None, "task": label["task"]}
    return found | {"order": [], "error": None}


def _hindered(field: str, text: str, label: str | None) -> dict[str, Any]:
    picked = _picked({"name": label, "task": "binary"}, [])
    return picked | {"error": {"field": field, "text": text}}


def _guess_of_several(label: Column, scores: list[str]) -> dict[str, Any]:
    """Several classes where columns are named for them, else ordered classes, or a number."""
    classes = label["values"]
    named = [
        name
        for name in scores
        if any(columns_by_model([name], [each]) is not None for each in classes)
    ]
    if columns_by_model(named, classes) is not None:
        return _picked(label, named) | {"task": "multiclass"}
    found = _picked(label, scores[:MOST_SCORES])
    if label["task"] != "multiclass":
        return found | {"order": classes if label["task"] == "ordinal" else []}
    text = (
        f"Column {label['name']!r} contains {listed(classes)}, but no columns of scores are named "
        "for these classes. Are the classes ordered? Then check their order, lowest first."
    )
    return found | {
        "task": "ordinal",
        "order": classes,
        "error": {"field": "order", "text": text},
    }


def meant(choice: Mapping[str, Any], columns: Sequence[Column]) -> dict[str, Any]:
    """Columns named by the user, with the task of their label."""
    label = next((each for each in columns if each["name"] == choice["label"]), None)
    found = dict(choice) | {"order": list(choice.get("order") or []), "error": None}
    if choice.get("task") or label is None:
        return found | {"task": choice.get("task") or "binary"}
    named = columns_by_model(choice["scores"], label["values"]) is not None
    return found | {"task": "multiclass" if named else label["task"]}


def _likely_label(columns: Sequence[Column]) -> Column | None:
    """The column whose name and values are most like those of a label, if any is."""
    candidates = [each for each in columns if _is_named(each) or _are_classes(each)]
    best = max(candidates, key=_likeness, default=None)
    return best if best is not None and _likeness(best) >= 0 else None


def _is_named(column: Column) -> bool:
    return _plain(column["name"]) in (*LABEL_NAMES, "y_true", "y true")


def _likeness(column: Column) -> float:
    """How much a column is like a label: by its name, its values, and their number."""
    words, values = {*_words(column["name"])}, {_plain(value) for value in column["values"]}
    of_name = 3.0 if _is_named(column) else 2 if words & {*LABEL_NAMES} else 0
    of_name -= 5 if words & {*COVARIATES, *IDENTIFIERS, *OTHER_ROLES} else 0
    of_name += bool(values & {*POSITIVE_NAMES}) - 4 * bool(values and values <= SEXES)
    return of_name + (len(values) == 2) + 0.5 * bool(column["kind"] == "text")


def _are_classes(column: Column) -> bool:
    """A few texts or whole numbers: two fractions are scores that happen to be two."""
    few = len(column["values"]) > 1
    text = column["kind"] == "text"
    return few and (text or all(float(value).is_integer() for value in column["values"]))


def _likely_positive(values: Sequence[str]) -> str | None:
    plain = {_plain(value): value for value in values}
    return next((plain[name] for name in POSITIVE_NAMES if name in plain), None)


@dataclass(frozen=True)
class Choice:
    """What was picked on the page."""

    label: str
    scores: tuple[str, ...]
    positive: str | None = None
    direction: Literal["higher", "lower"] = "higher"
    missing: Literal["raise", "drop"] = "raise"
    weight: str | None = None
    group: str | None = None
    task: Task = "binary"
    order: tuple[str, ...] = ()
    time: str | None = None  # of censored outcomes, whose label is the event
    censored: str | None = None  # the code of rows without an event

    def columns(self) -> list[str]:
        """All columns that must be read."""
        further = [self.weight, self.group, self.time if self.task == "survival" else None]
        named = (name for name in further if name is not None)
        return list(dict.fromkeys([self.label, *self.scores, *named]))

    def error_at_column(self, name: str) -> str:
        """The field in which a column was picked."""
        picked = {self.weight: "weight", self.group: "group", self.time: "time"}
        picked |= {self.label: "label"}
        return picked.get(name, "scores")

    def error_at_field(self, reason: InputError) -> FieldError:
        """The error as the page shows it, next to its field."""
        sentence = str(reason)
        requested = {sentence.find(argument): field for argument, field in FIELDS.items()}
        first = min((place for place in requested if place >= 0), default=None)
        field = "columns" if first is None else requested[first]
        if "Pass pos_label=" in sentence or "(cause=)" in sentence:
            field = "positive"
        elif "(censored=)" in sentence:
            field = "censored"
        sentence = re.sub(r"Pass pos_label=.*", "Pick it there.", sentence)
        names = {f"scores[{name!r}]": f"column {name!r}" for name in self.scores}
        names |= {"y_true": f"column {self.label!r}", "pos_label": "the positive label"}
        names |= {"event": f"column {self.label!r}", "time": f"column {self.time!r}"}
        names |= {"sample_weight": f"column {self.weight!r}", "groups": f"column {self.group!r}"}
        worded = in_words_of(sentence, names)
        return FieldError(field, worded.replace("Pass missing='drop'", "Tick the box below"))


def typed(text: str | None, labels: Any) -> Any:
    """A label as a value of the type of the column."""
    values = dict.fromkeys(np.asarray(labels).tolist())
    return next((value for value in values if str(value) == text), text)


FIELDS = {  # by the argument that an error names first; of one place the last counts
    "`y_true`": "label",
    "`pos_label`": "positive",
    "`scores": "scores",
    "`sample_weight`": "weight",
    "`groups`": "group",
    "`order`": "order",
    "`time`": "time",
    "`event`": "label",
    "`cause`": "positive",
}


CHOICES: dict[str, tuple[str, ...]] = {
    "direction": ("higher", "lower"),
    "missing": ("raise", "drop"),
    "task": get_args(Task),
}


def choice_of(plain: Mapping[str, Any]) -> Choice:
    """What the page sent, checked."""
    label, scores = plain.get("label"), plain.get("scores")
    if not isinstance(label, str) or not label:
        raise FieldError("label", "Pick the column with the true classes.")
    if not isinstance(scores, list) or not scores or not all(isinstance(s, str) for s in scores):
        raise FieldError("scores", "Pick at least one column with scores.")
    if label in scores:
        raise FieldError("scores", f"Column {label!r} is the label; it cannot be a score too.")
    for name, allowed in CHOICES.items():
        if (plain.get(name) or allowed[0]) not in allowed:
            raise FieldError("columns", f"{name} must be one of {listed(allowed)}.")
    if plain.get("task") == "survival":
        if not isinstance(plain.get("time"), str) or not plain["time"]:
            raise FieldError("time", "Pick the column with the times of follow-up.")
        if plain["time"] in (label, *scores):
            raise FieldError("time", f"Column {plain['time']!r} is the event or a score already.")
    names = ("positive", "direction", "missing", "weight", "group", "task", "time", "censored")
    chosen = {name: plain[name] for name in names if plain.get(name)}
    order = tuple(str(label).strip() for label in plain.get("order") or ())
    return Choice(label, tuple(dict.fromkeys(scores)), order=order, **chosen)
