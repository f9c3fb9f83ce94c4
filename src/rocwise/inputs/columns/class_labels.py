"""Which column of scores each label of several classes belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Places
from rocwise.errors import InputError, count_of, did_you_mean, listed, shown
from rocwise.inputs.columns.vectors import Vector


def named_classes(
    columns: list[Any], names: tuple[str, ...], classes: Any, argument: str
) -> tuple[list[Any], tuple[str, ...], tuple[Any, ...]]:
    """The columns of scores with the names and the labels of their classes.

    `classes` are labels in the order of the columns; where all of them are names of columns, those
    columns are taken, in that order. Without it, a frame gives names and no labels.
    """
    if classes is None:
        return columns, names, ()
    labels = _checked_classes(classes)
    texts = tuple(label_text(label) for label in labels)
    if names and all(text in names for text in texts):
        columns = [columns[names.index(text)] for text in texts]
    elif len(labels) != len(columns):
        raise InputError(
            f"`classes` names {len(labels)} classes, but `{argument}` has "
            f"{count_of(len(columns), 'column')}; name one class for each, in their order."
        )
    return columns, texts, labels


def class_codes(
    labels: Vector,
    n_classes: int,
    names: tuple[str, ...],
    classes: tuple[Any, ...],
    argument: str,
) -> tuple[Places, tuple[Any, ...]]:
    """The column number of each row's class, and the labels of the columns ("()": the numbers).

    Labels are looked up among `classes`; else among the names of a frame's columns, if all are
    there; else they must be the column numbers 0..m-1.
    """
    if classes:
        return _looked_up(labels, classes), classes
    if names:
        found = _by_name(labels, names)
        if found is not None:
            return found, names
    return _column_numbers(labels, n_classes, names, argument), ()


def label_text(label: Any) -> str:
    """A label as it is printed: 1.0 of a column with gaps is 1."""
    label = label.item() if isinstance(label, np.generic) else label
    whole = isinstance(label, float) and label.is_integer()
    return str(int(label)) if whole else str(label)


def _checked_classes(classes: Any) -> tuple[Any, ...]:
    is_list = isinstance(classes, Sequence) and not isinstance(classes, (str, bytes))
    if not is_list and getattr(classes, "ndim", 0) != 1:
        raise InputError(
            f"`classes` must be a list of labels, one for each column; got {shown(classes, 60)}."
        )
    labels = tuple(classes.tolist() if hasattr(classes, "tolist") else classes)
    for label in labels:
        if isinstance(label, (list, dict, set, np.ndarray)) or label is None or label != label:
            raise InputError(f"`classes` must hold labels; got {shown(label, 60)} among them.")
    texts = [label_text(label) for label in labels]
    for place, text in enumerate(texts):
        if text in texts[:place]:
            raise InputError(f"`classes` has {text!r} twice; each class needs a name of its own.")
    if len(labels) < 2:
        raise InputError(
            f"`classes` must name at least two classes; got {listed(labels) or 'none'}."
        )
    return labels


def _values(labels: Vector) -> np.ndarray:
    """The labels as they were given."""
    return np.asarray(labels.categories)[labels.values] if labels.categories else labels.values


def _distinct(labels: Vector) -> tuple[list[Any], Places]:
    """Distinct labels, and for each row which of them it has."""
    values = _values(labels)
    try:
        distinct, places = kernels.distinct(values) if labels.categories else labels.distinct()
        return distinct.tolist(), places.ravel()
    except TypeError:  # kinds that do not sort
        order: dict[Any, int] = {}
        places = np.array([order.setdefault(label, len(order)) for label in values.tolist()])
        return list(order), places


def _looked_up(labels: Vector, classes: tuple[Any, ...]) -> Places:
    values = _values(labels)
    distinct, places = _distinct(labels)
    columns = {label: column for column, label in enumerate(classes)}
    codes = np.array([columns.get(label, -1) for label in distinct], dtype=np.intp)[places]
    unknown = codes < 0
    if unknown.any():
        place = int(unknown.argmax())
        wrong = values[place].item() if isinstance(values[place], np.generic) else values[place]
        raise InputError(
            f"`y_true` has {count_of(int(unknown.sum()), 'label')} that `classes` does not name "
            f"(first {shown(wrong)} at row {labels.row(place)}); it names {listed(classes, 12)}."
            f"{did_you_mean(wrong, [c for c in classes if isinstance(c, str)])}"
        )
    return codes


def _by_name(labels: Vector, names: tuple[str, ...]) -> Places | None:
    """The columns that go by the names of the labels; None where a label is no name."""
    distinct, places = _distinct(labels)
    texts = [label_text(label) for label in distinct]
    if not all(text in names for text in texts):
        return None
    return np.array([names.index(text) for text in texts], dtype=np.intp)[places]


def _column_numbers(
    labels: Vector, n_classes: int, names: tuple[str, ...], argument: str
) -> Places:
    """The labels as the column numbers 0..m-1, or an error that says what else they may be."""
    values = labels.values
    columns = f" or the names of its columns, {listed(names, 12)}" if names else ""
    fix = (
        f"labels must be the column numbers 0..{n_classes - 1} of `{argument}`{columns}; for "
        "other labels pass classes=[...], in the order of the columns"
    )
    if labels.categories or values.dtype.kind not in "biuf":
        found = labels.categories or dict.fromkeys(values.tolist())
        raise InputError(f"`y_true` holds {listed(found)}; {fix}.")
    floats = values.astype(np.float64)
    for bad, what in (
        (floats != np.floor(floats), "not whole"),
        ((floats < 0) | (floats >= n_classes), f"outside 0..{n_classes - 1}"),
    ):
        if bad.any():
            place = int(bad.argmax())
            raise InputError(
                f"`y_true` has {count_of(int(bad.sum()), 'label')} {what} (first "
                f"{floats[place]:g} at row {labels.row(place)}); {fix}."
            )
    return values.astype(np.intp)
