"""Labels of two classes (which rows are positive) and of several classes."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import numpy as np

from rocwise.arrays import Array, Codes, Flags, Places
from rocwise.errors import InputError, MisuseWarning, count_of, did_you_mean, listed, shown, warn
from rocwise.inputs.vectors import Vector

MOST_CLASSES = 20  # more distinct labels look like scores


def positive_mask(
    labels: Vector, pos_label: Any, argument: str, scores: Vector | None = None
) -> Codes:
    """1 for every positive row of two labels; `scores` show if both arguments were swapped."""
    if labels.categories:
        labels = replace(labels, values=labels.named, categories=())
    if pos_label is None:
        mask, n_pos = _usual_labels(labels.values, argument, scores)
    else:
        mask, n_pos = _declared_texts(labels, pos_label) or _declared_labels(
            labels.values, pos_label, argument, scores
        )
    if n_pos == 0 or n_pos == len(mask):
        absent = "positive" if n_pos == 0 else "negative"
        only = labels.values[0]
        raise InputError(
            f"`{argument}` has no {absent} example, so ROC is undefined: "
            f"all {labels.n_rows():,} labels are {listed([only])}."
        )
    if isinstance(pos_label, str):
        hint = _near_duplicates([pos_label, labels.values[int(mask.argmin())]])
        if hint:
            warn(f"`{argument}`: {hint}", MisuseWarning)
    return mask


def mask_of_batch(labels: Vector, pos_label: Any, argument: str) -> tuple[Codes, Any]:
    """The same where a class may be absent; and with a `pos_label` the other label, if any."""
    values = labels.named
    if pos_label is None:
        return _usual_labels(values, argument, None)[0], None
    is_positive = equal_to(values, pos_label)
    others = values[~is_positive]
    if not len(others):
        return is_positive.view(np.uint8), None
    if not bool(np.all(others == others[0])):
        raise InputError(
            f"`{argument}` must have two classes; other than {shown(pos_label)} there are "
            f"{listed(_distinct(others))}."
        )
    other = others[0]
    return is_positive.view(np.uint8), other.item() if isinstance(other, np.generic) else other


def _usual_labels(values: Array, argument: str, scores: Vector | None) -> tuple[Codes, int]:
    """0/1, -1/1 or booleans."""
    if values.dtype.kind not in "biuf":
        raise InputError(_which_is_positive(values, argument, scores))
    is_positive: Flags = values != values.dtype.type(0)
    n_not_zero = np.count_nonzero(is_positive)
    np.equal(values, values.dtype.type(1), out=is_positive)
    n_pos = int(np.count_nonzero(is_positive))
    if n_pos == n_not_zero or n_pos + np.count_nonzero(values == -1) == len(values):
        return is_positive.view(np.uint8), n_pos
    raise InputError(_which_is_positive(values, argument, scores))


def _declared_texts(labels: Vector, pos_label: Any) -> tuple[Codes, int] | None:
    """The same of labels whose distinct values are known; None where a label is wrong."""
    if labels.encoded is None:
        return None
    codes, names = labels.encoded
    is_positive = equal_to(names, pos_label)
    counts = np.bincount(codes, minlength=len(names))
    n_pos = int(counts[is_positive].sum())
    others = names[~is_positive & (counts > 0)]
    if n_pos == 0 or not bool(np.all(others == others[:1])):
        return None
    return is_positive.view(np.uint8)[codes], n_pos


def _declared_labels(
    values: Array, pos_label: Any, argument: str, scores: Vector | None
) -> tuple[Codes, int]:
    is_positive = equal_to(values, pos_label)
    n_pos = int(np.count_nonzero(is_positive))
    if n_pos == 0:
        raise InputError(
            f"`pos_label` {shown(pos_label)} does not occur in `{argument}`, which contains "
            f"{listed(_distinct(values))}, so there is no positive example."
            f"{did_you_mean(pos_label, _distinct(values))}"
        )
    others = values[~is_positive]
    if len(others) and not bool(np.all(others == others[0])):
        distinct = _distinct(values)
        raise InputError(
            f"`{argument}` must have two classes; got {len(distinct):,} distinct labels: "
            f"{listed(distinct)}. Keep two of them, or map the others to one negative label"
            f"{_what_else(distinct, scores)}"
        )
    return is_positive.view(np.uint8), n_pos


def equal_to(values: Array, label: Any, argument: str = "pos_label") -> Flags:
    """Which values are a label, compared exactly: 1 is not "1" nor True "True"."""
    many = isinstance(label, (list, tuple, set, dict))
    if many or (isinstance(label, np.ndarray) and label.ndim > 0):
        raise InputError(f"`{argument}` must be one label; got {shown(label, 60)}.")
    if values.dtype.kind == "M":
        label = _as_time(label)
    try:
        equal = np.asarray(values == label)
        if equal.shape == values.shape and equal.dtype.kind in "bO":
            return equal.astype(np.bool_)
    except (TypeError, ValueError, ArithmeticError):  # pandas' NA, a signalling nan
        pass
    raise InputError(f"`{argument}` must be one label; got {shown(label, 60)}.")


def _as_time(label: Any) -> Any:
    """A date or a time with a zone as columns of times have it: a time in UTC, without a zone."""
    if not isinstance(label, date):
        return label
    if isinstance(label, datetime) and label.tzinfo is not None:
        label = label.astimezone(UTC).replace(tzinfo=None)
    return np.datetime64(label)


def _which_is_positive(values: Array, argument: str, scores: Vector | None) -> str:
    distinct = _distinct(values)
    if len(distinct) > 2:
        return (
            f"`{argument}` must have two classes, as 0/1, -1/1 or booleans; got {len(distinct):,} "
            f"distinct labels: {listed(distinct)}. Keep two of them and name the positive one "
            f"with pos_label={_what_else(distinct, scores)}"
        )
    if len(distinct) == 1:
        return (
            f"`{argument}` must have two classes, or ROC is undefined: all {len(values):,} labels "
            f"are {listed(distinct)}."
        )
    in_order = distinct if bool(values[0] == distinct[0]) else distinct[::-1]
    return required_label(in_order, argument)


def required_label(labels: Iterable[Any], argument: str) -> str:
    """The error for two labels neither of which is known to be the positive one."""
    first, second = map(shown, labels)
    return (
        f"`pos_label` is required for the labels {first} and {second} of `{argument}`. "
        f"Pass pos_label={first} or pos_label={second}."
    )


def _what_else(distinct: list[Any], scores: Vector | None) -> str:
    """The end of the error for three labels and more: what may have been meant."""
    if hint := _near_duplicates(distinct):
        return f". {hint}"
    if scores is not None and _are_two_values(scores):
        return ". Or were labels and scores swapped? The scores have two values only."
    if len(distinct) <= MOST_CLASSES:
        return ". For more than two classes there are `multiclass.auc` and `ordinal.auc`."
    return ". Labels as many as these look like scores: were the two swapped?"


def _near_duplicates(labels: Iterable[Any]) -> str:
    """A sentence about two labels that differ only by blanks or capitals, or nothing."""
    known: dict[str, str] = {}
    for label in labels:
        if isinstance(label, str):
            other = known.setdefault(" ".join(label.split()).casefold(), label)
            if other != label:
                return (
                    f"{shown(other)} and {shown(label)} differ only by blanks or capitals: write "
                    "them identically if they are one class."
                )
    return ""


def _are_two_values(scores: Vector) -> bool:
    """Whether a column of scores could be one of labels."""
    values = scores.values
    if values.dtype.kind not in "biufU" or not len(values):
        return False
    others = values[values != values[0]]
    return bool(len(others)) and bool(np.all(others == others[0]))


def _distinct(values: Array) -> list[Any]:
    try:
        return list(np.unique(values))
    except TypeError:  # mixed types do not sort
        return list(dict.fromkeys(values.tolist()))


def named_classes(
    columns: list[Any], names: tuple[str, ...], classes: Any, argument: str
) -> tuple[list[Any], tuple[str, ...], tuple[Any, ...]]:
    """Columns of scores with names and labels; `classes` choose columns if all are their names."""
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
    """The column of each row's class, by `classes`, names of columns or numbers; and the labels."""
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
            raise InputError(f"`classes` must contain labels; got {shown(label, 60)} among them.")
    texts = [label_text(label) for label in labels]
    for place, text in enumerate(texts):
        if text in texts[:place]:
            raise InputError(f"`classes` has {text!r} twice; each class needs a name of its own.")
    if len(labels) < 2:
        raise InputError(
            f"`classes` must name at least two classes; got {listed(labels) or 'none'}."
        )
    return labels


def _looked_up(labels: Vector, classes: tuple[Any, ...]) -> Places:
    distinct, places = labels.distinct()
    columns = {label: column for column, label in enumerate(classes)}
    codes = np.array([columns.get(label, -1) for label in distinct.tolist()], np.intp)[places]
    unknown = codes < 0
    if unknown.any():
        place = int(unknown.argmax())
        wrong = labels.named[place : place + 1].tolist()[0]
        raise InputError(
            f"`y_true` has {count_of(int(unknown.sum()), 'label')} that `classes` does not name "
            f"(first {shown(wrong)} at row {labels.row(place)}); it names {listed(classes, 12)}."
            f"{did_you_mean(wrong, [c for c in classes if isinstance(c, str)])}"
        )
    return codes


def _by_name(labels: Vector, names: tuple[str, ...]) -> Places | None:
    """The columns that go by the names of the labels; None where a label is no name."""
    distinct, places = labels.distinct()
    texts = [label_text(label) for label in distinct.tolist()]
    if not all(text in names for text in texts):
        return None
    return np.array([names.index(text) for text in texts], dtype=np.intp)[places]


def _column_numbers(
    labels: Vector, n_classes: int, names: tuple[str, ...], argument: str
) -> Places:
    """The labels as the column numbers 0..m-1, or an error with the alternatives."""
    values = labels.values
    columns = f" or the names of its columns, {listed(names, 12)}" if names else ""
    fix = (
        f"labels must be the column numbers 0..{n_classes - 1} of `{argument}`{columns}; for "
        "other labels pass classes=[...], in the order of the columns"
    )
    if labels.categories or values.dtype.kind not in "biuf":
        found = labels.categories or dict.fromkeys(values.tolist())
        raise InputError(f"`y_true` contains {listed(found)}; {fix}.")
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
