"""Checks of tables and sorted classes that come from outside, which every answer relies on."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise.arrays import Amounts, Array
from rocwise.errors import InputError, shown
from rocwise.results import Origin

MOST_CASES = 2**53  # beyond it the shares of cases would be rounded


def checked_table(
    scores: Any, pos: Any, neg: Any, *, direction: str, weighted: bool
) -> tuple[Array, Amounts, Amounts]:
    """A table of our own: distinct scores, most positive first, with amounts of both classes.

    Examples
    --------
    >>> checked_table([2.0, 1.0], [1, 0], [0, 3], direction="higher", weighted=False)[2].tolist()
    [0, 3]
    """
    column = _numbers(scores, "scores")
    amounts = [_amounts(given, name, weighted) for given, name in ((pos, "pos"), (neg, "neg"))]
    for values, name in zip(amounts, ("pos", "neg"), strict=True):
        if len(values) != len(column):
            raise InputError(
                f"`{name}` has {len(values):,} amounts for {len(column):,} `scores`; each score "
                "needs one."
            )
    _refuse_disorder(column, "scores", falling=direction == "higher", distinct=True)
    return column, amounts[0], amounts[1]


def checked_classes(neg: Any, pos: Any) -> tuple[Array, Array]:
    """Ascending scores of negatives and of positives, as arrays of our own.

    Examples
    --------
    >>> [part.tolist() for part in checked_classes([1.0, 1.0], [0.5])]
    [[1.0, 1.0], [0.5]]
    """
    classes = []
    for given, name in ((neg, "neg"), (pos, "pos")):
        values = _numbers(given, name)
        _refuse_disorder(values, name, falling=False, distinct=False)
        classes.append(values if values.dtype.kind == "f" else values.astype(np.float64))
    return classes[0], classes[1]


def _numbers(values: Any, argument: str) -> Array:
    try:
        array = np.array(values)
    except (TypeError, ValueError, RecursionError):
        array = np.array("no numbers")
    if array.ndim != 1 or array.dtype.kind not in "iuf" or not len(array):
        raise InputError(f"`{argument}` must be a list of numbers; got {shown(values, 60)}.")
    return array


def _amounts(values: Any, argument: str, weighted: bool) -> Amounts:
    """Counts as int64, or sums of weights as they are; none negative, not all of them 0."""
    array = _numbers(values, argument)
    if not np.isfinite(array).all() or (array < 0).any():
        raise InputError(f"`{argument}` must hold finite amounts of at least 0.")
    if array.dtype.kind == "f" and not weighted and (array != np.floor(array)).any():
        wrong = float(array[array != np.floor(array)][0])
        raise InputError(
            f"`{argument}` must hold whole numbers of cases; got {wrong:g}. Sums of weights need "
            "`squares`, the sums of their squares; `tally(..., sample_weight=...)` makes both."
        )
    total = float(array.sum(dtype=np.float64))
    if total == 0:
        raise InputError(f"`{argument}` is 0 everywhere, so that ROC is undefined.")
    if not weighted and total > MOST_CASES:
        raise InputError(f"`{argument}` counts {total:.3g} cases; at most 2**53 can be counted.")
    return array if weighted else array.astype(np.int64)


def _refuse_disorder(values: Array, argument: str, *, falling: bool, distinct: bool) -> None:
    before, after = (values[1:], values[:-1]) if falling else (values[:-1], values[1:])
    ordered = before < after if distinct else before <= after
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), np.bool_)
    if missing.any():
        raise InputError(f"`{argument}` holds nan at place {int(missing.argmax())}.")
    if not ordered.all():
        place = int(ordered.argmin()) + 1
        how = ("fall" if falling else "rise") + (" strictly" if distinct else "")
        raise InputError(
            f"`{argument}` must {how}; got {shown(values[place])} after "
            f"{shown(values[place - 1])} at place {place}."
        )


def checked_origin(origin: Any) -> Origin:
    """Where the numbers came from; by default nothing is known about it."""
    if origin is not None and not isinstance(origin, Origin):
        raise InputError(f"`origin` must be an Origin; got {shown(origin, 60)}.")
    return origin or Origin()


def checked_meanings(values: Any, classes: tuple[Array, Array]) -> Array | None:
    """What positions 0, 1, 2, ... stand for: an array of numbers, one for each position."""
    if values is None:
        return None
    if not (isinstance(values, np.ndarray) and values.dtype.kind in "iuf" and values.ndim == 1):
        raise InputError(f"`values` must be an array of numbers; got {shown(values, 60)}.")
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise InputError(f"`values` holds nan (first at {int(np.isnan(values).argmax())}).")
    for rows in classes:
        wrong = (rows < 0) | (rows >= len(values)) | (rows != np.floor(rows))
        if wrong.any():
            raise InputError(
                f"`values` has {len(values):,} numbers, one for each of the positions 0, 1, 2, "
                f"...; got the score {shown(rows[wrong][0])}, which is none of them."
            )
    return values


def refuse_nothing(sorted_classes: Any, table: Any) -> None:
    """Refuse a tally of no data at all."""
    if sorted_classes is None and table is None:
        raise InputError(
            "`Tally` needs data: rw.tally(y_true, y_score) makes one of rows, Tally.from_counts of "
            "a finished table, Tally.from_sorted of sorted classes."
        )


def refuse_other_kind(given: Any, kind: type[Any], argument: str) -> None:
    """Refuse what is neither of this kind nor left out."""
    if given is not None and not isinstance(given, kind):
        raise InputError(f"`{argument}` must be {kind.__name__}; got {shown(given, 60)}.")
