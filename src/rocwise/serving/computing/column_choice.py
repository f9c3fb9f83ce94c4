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
    *("y", "y_true", "label", "labels", "target", "truth", "class", "outcome", "event"),
    *("grade", "stage"),
)
POSITIVE_NAMES = ("1", "true", "yes", "y", "positive", "pos", "case", "ill", "sick", "event", "bad")
ROW_NAMES = ("", "id", "index", "row", "patient", "case_id", "subject", "weight", "fold", "group")
MOST_SCORES = 5  # that are picked without being asked
MOST_VALUES = 12  # of a column that are told to the page

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
    return found | {"task": _task_of_label(found)}


def _task_of_label(column: Column) -> Task:
    """What a label with such values asks for, before it is known how the scores are called."""
    if column["distinct"] <= 2:
        return "binary"
    if column["kind"] == "text":
        return "multiclass" if column["values"] else "binary"  # which refuses so many classes
    few = column["values"] and all(float(value).is_integer() for value in column["values"])
    return "ordinal" if few else "regression"


def guess(columns: Sequence[Column]) -> dict[str, Any]:
    """Label, positive and scores that were probably meant, and what hinders, with its field."""
    label = _likely_label(columns)
    if label is None:
        sentence = "No column holds two classes. Pick the column with the truth."
        return _hindered("label", sentence, None)
    called, values = label["name"], listed(label["values"]) if label["values"] else "no values"
    if label["distinct"] < 2:
        sentence = f"Column {called!r} holds only one class ({values}); both classes are needed."
        return _hindered("label", sentence, called)
    scores = [each["name"] for each in columns if _is_score(each, label)]
    if not scores:
        others = [each["name"] for each in columns if each is not label]
        sentence = "There is no column beside the label that could hold scores."
        if others:
            verb = "holds" if len(others) == 1 else "hold"
            sentence = f"No column with numbers is left for scores: {listed(others)} {verb} text."
        return _hindered("scores", sentence, called)
    if label["distinct"] > 2:
        return _guess_of_several(label, scores)
    positive = _likely_positive(label["values"])
    found = _picked(label, scores[:MOST_SCORES]) | {"positive": positive}
    if positive is None:
        text = f"column {called!r} holds {values}: pick the positive."
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
        f"Column {label['name']!r} holds {listed(classes)}, but no columns of scores are named for "
        "these classes. Are the classes ordered? Then check their order, lowest first."
    )
    return found | {
        "task": "ordinal",
        "order": classes,
        "error": {"field": "order", "text": text},
    }


def meant(choice: Mapping[str, Any], columns: Sequence[Column]) -> dict[str, Any]:
    """Columns named by whoever opened the file, with the task that their label asks for."""
    label = next((each for each in columns if each["name"] == choice["label"]), None)
    found = dict(choice) | {"order": list(choice.get("order") or []), "error": None}
    if choice.get("task") or label is None:
        return found | {"task": choice.get("task") or "binary"}
    named = columns_by_model(choice["scores"], label["values"]) is not None
    return found | {"task": "multiclass" if named else label["task"]}


def _likely_label(columns: Sequence[Column]) -> Column | None:
    """A column of two classes, best one whose name says so; else one whose name says so; else
    one of a few classes.
    """
    named = [each for each in columns if each["name"].strip().casefold() in LABEL_NAMES]
    two = [each for each in columns if each["distinct"] == 2 and _are_classes(each)]
    both = [each for each in two if each in named]
    several = [each for each in columns if len(each["values"]) > 2 and _are_classes(each)]
    several.sort(key=lambda each: each["kind"] == "numbers")  # words before whole numbers
    return next(iter([*both, *two, *named, *several]), None)


def _are_classes(column: Column) -> bool:
    """Text, or whole numbers: two fractions are scores that happen to be two."""
    return column["kind"] == "text" or all(float(value).is_integer() for value in column["values"])


def _is_score(column: Column, label: Column) -> bool:
    numbers = column is not label and column["kind"] == "numbers"
    return numbers and column["name"].strip().casefold() not in ROW_NAMES


def _likely_positive(values: Sequence[str]) -> str | None:
    plain = {value.strip().casefold(): value for value in values}
    return next((plain[name] for name in (*POSITIVE_NAMES, "1.0") if name in plain), None)


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

    def columns(self) -> list[str]:
        """All columns that must be read."""
        further = [name for name in (self.weight, self.group) if name is not None]
        return list(dict.fromkeys([self.label, *self.scores, *further]))

    def positive_among(self, labels: Any) -> Any:
        """The positive label as the kind of value that the column holds."""
        if self.positive is None:
            return None
        held = dict.fromkeys(np.asarray(labels).tolist())
        return next((value for value in held if str(value) == self.positive), self.positive)

    def beside_column(self, name: str) -> str:
        """The field in which a column was picked."""
        picked = {self.weight: "weight", self.group: "group", self.label: "label"}
        return picked.get(name, "scores")

    def beside_field(self, reason: InputError) -> FieldError:
        """The refusal in the words of the page, beside the field that it is about."""
        sentence = str(reason)
        asked = {sentence.find(argument): field for argument, field in FIELDS.items()}
        first = min((place for place in asked if place >= 0), default=None)
        field = "columns" if first is None else asked[first]
        if "Pass pos_label=" in sentence:
            field = "positive"
        sentence = re.sub(r"Pass pos_label=.*", "Pick it there.", sentence)
        names = {f"scores[{name!r}]": f"column {name!r}" for name in self.scores}
        names |= {"y_true": f"column {self.label!r}", "pos_label": "the positive label"}
        names |= {"sample_weight": f"column {self.weight!r}", "groups": f"column {self.group!r}"}
        worded = in_words_of(sentence, names)
        return FieldError(field, worded.replace("Pass missing='drop'", "Tick the box below"))


FIELDS = {  # by what a refusal says first; of one place the last counts
    "`y_true`": "label",
    "`pos_label`": "positive",
    "`scores": "scores",
    "`sample_weight`": "weight",
    "`groups`": "group",
    "`order`": "order",
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
    names = ("positive", "direction", "missing", "weight", "group", "task")
    chosen = {name: plain[name] for name in names if plain.get(name)}
    order = tuple(str(label).strip() for label in plain.get("order") or ())
    return Choice(label, tuple(dict.fromkeys(scores)), order=order, **chosen)
