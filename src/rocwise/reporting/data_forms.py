"""Columns of scores by class and model, matched by their names."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

import rocwise as rw
from rocwise import checks
from rocwise.inputs import named_columns
from rocwise.inputs.coercion import PairOptions, as_pairs

Task = Literal["binary", "multiclass", "ordinal", "regression", "survival"]
BETWEEN = " _.:-/|()[]"


def columns_by_model(
    columns: Sequence[str], classes: Sequence[str]
) -> dict[str, dict[str, str]] | None:
    """`{model: {class: column}}`; None unless every model has one column for each class.

    A column is called as its class is, with or without the model's name before or after it.
    """
    found: dict[str, dict[str, str]] = {}
    for column in columns:
        parts = _parts(column, classes)
        if parts is None:
            return None
        model, label = parts
        if label in found.setdefault(model, {}):
            return None
        found[model][label] = column
    if not found or any(len(own) != len(classes) for own in found.values()):
        return None
    return {model: {label: own[label] for label in classes} for model, own in found.items()}


def _parts(column: str, classes: Sequence[str]) -> tuple[str, str] | None:
    """The model and the class in a column's name; the longest class that fits is meant."""
    for label in sorted(classes, key=len, reverse=True):
        if column == label:
            return "model", label
        if column.endswith(label):
            return column.removesuffix(label).strip(BETWEEN) or "model", label
        if column.startswith(label) and column[len(label)] in BETWEEN:
            return column.removeprefix(label).strip(BETWEEN) or "model", label
    return None


class BinaryData(NamedTuple):
    """Models by name; `pairs` where all were scored on the same cases."""

    tallies: dict[str, rw.Tally]
    pairs: rw.Pairs | None

    def renamed(self, names: Mapping[str, str]) -> "BinaryData":
        """The same with other names for all models."""
        if self.pairs is not None:
            return of_pairs(self.pairs.renamed(names))
        return BinaryData(
            {names[name]: tally.named(names[name]) for name, tally in self.tallies.items()}, None
        )


class OtherData(NamedTuple):
    """Outcomes and predictions of each model, for tasks other than two classes.

    `options` are `missing`, and `direction`, `classes` or `order` where they mean something.
    """

    task: str
    y_true: Any
    models: dict[str, Any]
    options: dict[str, Any]

    def renamed(self, names: Mapping[str, str]) -> "OtherData":
        """The same with other names for all models."""
        models = {names[name]: given_options for name, given_options in self.models.items()}
        if self.task == "survival":
            return self._replace(models=models, y_true=self.y_true.renamed(names))
        return self._replace(models=models)


def binary_data(data: Any, scores: Any, given: PairOptions) -> BinaryData:
    """Pairs, a tally, tallies by name; or labels and scores; or a frame or path with columns."""
    described = any(value is not None for value in given.values())
    data = _without_sketch(data)
    if isinstance(data, rw.Tally) and scores is None and not described:
        return BinaryData({data.origin.name or "model": data}, None)
    if isinstance(data, Mapping) and scores is None and not described:
        return BinaryData(_by_name(data), None)
    if isinstance(scores, str):
        scores = [scores]
    elif "label" not in given and getattr(scores, "ndim", 2) == 1:
        scores = {"model": scores}
    return of_pairs(as_pairs("report", data, scores, given))


def of_pairs(pairs: rw.Pairs) -> BinaryData:
    """The models of pairs."""
    return BinaryData({name: pairs.tally(name) for name in pairs.names}, pairs)


def _without_sketch(data: Any) -> Any:
    return data.tally() if isinstance(data, rw.TallySketch) else data


def _by_name(data: Mapping[Any, Any]) -> dict[str, rw.Tally]:
    data = {name: _without_sketch(each) for name, each in data.items()}
    wrong = [name for name, tally in data.items() if not isinstance(tally, rw.Tally)]
    if wrong or not data:
        came = f"{wrong[0]!r} is none" if wrong else "it is empty"
        raise rw.InputError(
            f"`data` as a dict must contain tallies by the names of the models, but {came}. Labels "
            "and scores are given as report(y_true, {...})."
        )
    return _named_once(data, "data")


def _named_once(models: Mapping[Any, Any], argument: str) -> dict[str, Any]:
    """Models by their names as text, which must be distinct."""
    names: dict[str, Any] = {}
    for name in models:
        if names.setdefault(str(name), name) is not name:
            raise rw.InputError(
                f"`{argument}` has two models whose name reads {str(name)!r}: {names[str(name)]!r} "
                f"and {name!r}. Give each a name of its own."
            )
    return {text: models[name] for text, name in names.items()}


KNOWN = ("label", "y_true", "missing", "direction")  # of the other tasks
FOLLOW_UP = ("time", "event", "entry", "cause", "censored")
LABELS = {  # the task of each
    "classes": "multiclass",
    "order": "ordinal",
    **dict.fromkeys((*FOLLOW_UP, "times"), "survival"),
}


def data_of(
    task: str, data: Any, scores: Any, given: PairOptions, labels: Mapping[str, Any]
) -> BinaryData | OtherData:
    """What a report or studio is about; `labels`: `classes`, `order`, `time`, `event`, ..."""
    checks.one_of(task, "task", get_args(Task))
    for name, owner in LABELS.items():
        if labels.get(name) is not None and task != owner:
            raise rw.InputError(f"`{name}` belongs to task={owner!r}; got task={task!r}.")
    if task == "binary":
        return binary_data(data, scores, given)
    if task == "survival":
        return _survival_data(data, scores, given, labels)
    return _other_data(task, data, scores, given, labels)


def _survival_data(
    data: Any, scores: Any, given: Mapping[str, Any], labels: Mapping[str, Any]
) -> OtherData:
    """The follow-up, which has its scores."""
    named = {name: labels[name] for name in FOLLOW_UP if labels.get(name) is not None}
    named |= {name: value for name, value in given.items() if value is not None}
    if not isinstance(data, rw.survival.FollowUp):
        data = rw.survival.follow_up(data, scores=scores, **named)
    elif named or scores is not None:
        raise rw.InputError("a FollowUp has its columns and scores; leave out other options.")
    if not data.names:
        raise rw.InputError("`scores` is needed: the follow-up has no scores.")
    return OtherData("survival", data, dict.fromkeys(data.names), {"times": labels.get("times")})


def _other_data(
    task: str, data: Any, scores: Any, given: Mapping[str, Any], labels: Mapping[str, Any]
) -> OtherData:
    """Outcomes and predictions of each model."""
    given_options = {name: value for name, value in given.items() if value is not None}
    for name in given_options:
        if name not in KNOWN:
            raise rw.InputError(f"`{name}` is not used by a report with task={task!r}.")
    checks.one_of(given_options.get("direction", "higher"), "direction", ("higher", "lower"))
    y_true, models = _said_columns(task, data, scores, given_options)
    options: dict[str, Any] = {
        name: given_options[name] for name in ("missing", "direction") if name in given_options
    }
    if task != "ordinal" and options.pop("direction", "higher") != "higher":
        raise rw.InputError(f"`direction` means nothing for task={task!r}; leave it out.")
    options |= {name: labels[name] for name in LABELS if labels.get(name) is not None}
    return OtherData(task, y_true, models, options)


def _said_columns(
    task: str, data: Any, scores: Any, given_options: Mapping[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """Of arrays, or of the columns that were named."""
    if given_options.get("y_true") is not None:
        data = given_options["y_true"]
    if data is None or scores is None:
        raise rw.InputError(
            f"`report` with task={task!r} needs y_true and `scores`, a dict by the names of the "
            "models; or a frame or path with label= and the names of columns as `scores`."
        )
    if isinstance(scores, Mapping) and not scores:
        raise rw.InputError("`scores` is empty; at least one model is needed.")
    if "label" in given_options:
        checks.column_names(label=given_options["label"])
        if isinstance(data, (np.ndarray, list, tuple)):
            raise rw.InputError(
                "`label` names a column of a frame or file, but `data` contains rows; leave it out."
            )
        names = checks.members([scores] if isinstance(scores, str) else scores, "scores", "names")
        columns = named_columns(data, [given_options["label"], *names])
        happened = columns[given_options["label"]]
        if task != "multiclass":
            return happened, {name: columns[name] for name in names}
        classes = [str(label) for label in distinct_labels(happened)]
        by_model = columns_by_model(names, classes) or {"model": {name: name for name in names}}
        return happened, {
            model: {label: columns[name] for label, name in own.items()}
            for model, own in by_model.items()
        }
    if not isinstance(scores, Mapping):
        scores = {"model": scores}
    return data, _named_once(scores, "scores")


def distinct_labels(column: Any) -> list[Any]:
    """The labels of a column in their order, without missing ones."""
    found = dict.fromkeys(np.asarray(column, dtype=object).tolist())
    present = [label for label in found if label is not None and label == label]
    try:
        return sorted(present)
    except TypeError:  # text and numbers
        return sorted(present, key=str)
