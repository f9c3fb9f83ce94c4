"""From a file to what the page shows: which columns there are, then the report's payload."""

import math
import pickle
import re
import secrets
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

import rocwise as rw
from rocwise.errors import listed
from rocwise.inputs import first_rows, named_columns, text_file
from rocwise.reporting import data_forms
from rocwise.reporting.data_forms import BinaryData, OtherData
from rocwise.reporting.pages import payload_of
from rocwise.reporting.payload import Settings
from rocwise.serving.computing import column_choice, upload_limits
from rocwise.serving.computing.column_choice import Choice, typed
from rocwise.serving.computing.worker import FieldError
from rocwise.serving.model_names import key_of, named

SAMPLE = 5_000  # rows from which columns are recognized
EXAMPLE = "breast cancer (example)"
Report = Callable[[float], None]


def inspect(options: dict[str, Any], _report: Report) -> dict[str, Any]:
    """Columns of a file, what each seems to be, and which were probably meant."""
    path, name = options["path"], options["name"]
    try:
        if options.get("ours"):
            upload_limits.check_text(path, name)
        sample = first_rows(text_file(path, **options.get("text", {})), SAMPLE)
    except FieldError:
        raise
    except rw.InputError as reason:
        raise FieldError("file", _about_file(str(reason), path, name)) from None
    upload_limits.check_names(sample)
    columns = column_choice.column_kinds(sample)
    given = options.get("choice")
    named = None if given is None else column_choice.meant(given, columns)
    return {"columns": columns, "guess": named or column_choice.guess(columns, sample)}


def _about_file(sentence: str, path: str, name: str) -> str:
    """What is wrong with a file as its owner would put it."""
    if "codec can't decode" in sentence or "NUL" in sentence:
        with open(path, "rb") as file:
            start = file.read(4096)
        if b"\0" in start or sum(byte < 9 or 13 < byte < 32 for byte in start) > len(start) / 50:
            return f"{name} is no table: it contains bytes that are not text."
        where = re.search(r"byte (0x\w+) in position (\d+)", sentence)
        at = f" (byte {where[1]} at position {where[2]})" if where else ""
        return f"{name} is not UTF-8{at}. Save it as UTF-8 (in spreadsheets: CSV UTF-8)."
    sentence = sentence.replace(path, name).replace("`frame_or_path` ", "")
    return sentence.replace(f"'{name}'", name).partition("; text with commas")[0].rstrip(".") + "."


def load(options: dict[str, Any], report: Report) -> dict[str, Any]:
    """The payload of the chosen columns, models as keys; the data is kept for further calls."""
    source = options["source"]
    literals: dict[str, str] = {}
    if source["form"] == "kept":  # given in Python
        data = kept(source["path"])
    elif source["form"] == "example":
        data = _example()
    else:
        choice = column_choice.choice_of(options["choice"])
        if source.get("ours"):
            upload_limits.check_cells(source["path"], source["name"], len(choice.columns()))
        data, literals = _chosen(source, choice)
    report(0.3)
    names = list(data.tallies if isinstance(data, BinaryData) else data.models)
    keyed = data.renamed({name: key_of(place) for place, name in enumerate(names)})
    try:
        payload = payload_of(keyed, Settings(), source["name"])  # bands are requested later
    except rw.InputError as reason:
        if source["form"] != "file":
            raise
        worded = rw.InputError(named(str(reason), names))
        raise column_choice.choice_of(options["choice"]).error_at_field(worded) from None
    payload |= {"mode": "studio", "id": secrets.token_hex(6)}
    Path(options["keep"]).write_bytes(pickle.dumps(keyed))
    return {"payload": payload, "names": names, "literals": literals, "data": options["keep"]}


def kept(path: str) -> Any:
    """Data that this studio wrote into its own folder."""
    return pickle.loads(Path(path).read_bytes())


def _example() -> BinaryData:
    from rocwise.datasets import breast_cancer_scores

    cases = breast_cancer_scores()
    return data_forms.of_pairs(rw.pair(cases.y_true, cases.scores))


def _chosen(
    source: Mapping[str, Any], choice: Choice
) -> tuple[BinaryData | OtherData, dict[str, str]]:
    """The data of the chosen columns, and the labels of classes as Python writes them."""
    path, name = source["path"], source["name"]
    try:
        columns = named_columns(text_file(path, **source.get("text", {})), choice.columns())
    except rw.InputError as reason:
        absent = re.match(r"no column is called '(.*?)'", str(reason))
        field = choice.error_at_column(absent[1]) if absent else "file"
        raise FieldError(field, _about_file(str(reason), path, name)) from None
    try:
        if choice.task != "binary":
            found = _of_other_task(columns, choice)
            labels = found.options.get("classes") or found.options.get("order") or ()
            return found, {str(label): _literal(label) for label in labels}
        positive = typed(choice.positive, columns[choice.label])
        pairs = rw.pair(
            columns[choice.label],
            {score: columns[score] for score in choice.scores},
            pos_label=positive,
            groups=None if choice.group is None else columns[choice.group],
            sample_weight=None if choice.weight is None else columns[choice.weight],
            direction=choice.direction,
            missing=choice.missing,
        )
    except FieldError:
        raise
    except rw.InputError as reason:
        raise choice.error_at_field(reason) from None
    return data_forms.of_pairs(pairs), {str(positive): _literal(positive)}


def _literal(label: Any) -> str:
    """A label as Python writes it."""
    if isinstance(label, float) and not math.isfinite(label):
        return f"float({str(label)!r})"
    if isinstance(label, Decimal):  # of numbers with more digits than floats have
        label = int(label) if label == label.to_integral_value() else float(label)
    return repr(label if isinstance(label, str | int | float) else str(label))


def _of_other_task(columns: Mapping[str, Any], choice: Choice) -> OtherData:
    happened = columns[choice.label]
    if choice.task == "survival":
        return _of_follow_up(columns, choice)
    options: dict[str, Any] = {"missing": choice.missing}
    labels = {str(label): label for label in data_forms.distinct_labels(happened)}
    if choice.task == "multiclass":
        models = _models_of_classes(columns, choice, list(labels))
        return OtherData("multiclass", happened, models, options | {"classes": [*labels.values()]})
    if choice.task == "ordinal":
        options["direction"] = choice.direction
        options["order"] = _order_of(choice, labels)
    return OtherData(
        choice.task, happened, {name: columns[name] for name in choice.scores}, options
    )


def _of_follow_up(columns: Mapping[str, Any], choice: Choice) -> OtherData:
    """Times and events, the positive label being the code of the event."""
    named = {"groups": choice.group, "sample_weight": choice.weight}
    events = columns[choice.label]
    given = {"cause": choice.positive, "censored": choice.censored}
    codes = {name: typed(code, events) for name, code in given.items() if code is not None}
    f = rw.survival.follow_up(
        columns[str(choice.time)],
        events,
        {score: columns[score] for score in choice.scores},
        direction=choice.direction,
        missing=choice.missing,
        **codes,
        **{role: columns[name] for role, name in named.items() if name is not None},
    )
    literals = {"times": None, "classes": [*codes.values()]}
    return OtherData("survival", f, dict.fromkeys(f.names), literals)


def _models_of_classes(
    columns: Mapping[str, Any], choice: Choice, classes: list[str]
) -> dict[str, Any]:
    by_model = data_forms.columns_by_model(choice.scores, classes)
    if by_model is None:
        raise FieldError(
            "scores",
            f"Each model needs one column for each class of {choice.label!r}, named for it: "
            f"{listed(classes)}, or {'model_' + classes[0]!r} and so on.",
        )
    return {
        model: np.column_stack([np.asarray(columns[name]) for name in own.values()])
        for model, own in by_model.items()
    }


def _order_of(choice: Choice, labels: Mapping[str, Any]) -> list[Any]:
    """The labels from the lowest to the highest, as in the column."""
    if not choice.order:
        return list(labels.values())
    if sorted(choice.order) != sorted(labels):
        raise FieldError(
            "order", f"The order must name each class of {choice.label!r} once: {listed(labels)}."
        )
    return [labels[label] for label in choice.order]
