"""Numpy twins of the kernels that read, sort and sum plain rows at once, few or many."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rocwise.arrays import Array, Scores
from rocwise.kernels.placement_sums import PlacementSums
from rocwise.kernels.plain.merging import merge_sums
from rocwise.kernels.plain.sorting import match_labels, sort_classes

FEW_ROWS = 1024  # of more rows the sort takes longer than the calls around it
LABELS = ("?", "b", "B", "i", "l", "q", "d")
SCORES = ("f", "d")
MANY_ROWS = 4096  # fewer are not worth a spread over buckets
Classes = Callable[[], tuple[Scores, Scores]]


def few_rows(labels: Any, scores: Any) -> tuple[Scores, Scores, PlacementSums | None] | None:
    """Sorted negatives and positives, and their placement sums, of a few plain rows.

    Plain are labels 0 and 1, both present, and floats without nan, in arrays of their own. None
    for all else: it is for the others to read, to explain or to refuse.

    Examples
    --------
    >>> neg, pos, sums = few_rows(np.array([0, 1, 0]), np.array([0.5, 0.4, 0.1]))
    >>> neg.tolist(), pos.tolist(), sums.sum_u
    ([0.1, 0.5], [0.4], 2)
    """
    if not is_plain(labels, LABELS) or not is_plain(scores, SCORES):
        return None
    if labels.size != scores.size or scores.size > FEW_ROWS:
        return None
    return sorted_and_summed(labels, scores)


def many_rows(
    labels: Any, scores: Any, *, summed: bool = False
) -> tuple[Classes, PlacementSums | None] | None:
    """What gives the sorted negatives and positives of many plain rows, and their placement sums.

    Plain is what it is for `few_rows`. None for all else, and for fewer rows: it is for the others
    to read, to explain or to refuse. A question about the order of the classes asks for them
    `summed`, which takes less than to sort them: that is done when somebody wants them after all.
    All others get classes that are sorted already, and None in place of the sums.

    Examples
    --------
    >>> classes, sums = many_rows(np.arange(5000) % 2, np.arange(5000.0), summed=True)
    >>> sums.sum_u, [values.size for values in classes()]
    (6252500, [2500, 2500])
    """
    if not are_many_plain(labels, scores):
        return None
    found = sorted_and_summed(labels, scores, summed=summed)
    return None if found is None else ((lambda: found[:2]), found[2])


def are_many_plain(labels: Any, scores: Any) -> bool:
    """Whether there are many rows, with labels and scores of types that need no conversion.

    Examples
    --------
    >>> are_many_plain(np.zeros(5000, int), np.zeros(5000)), are_many_plain([0, 1], [0.1, 0.2])
    (True, False)
    """
    if not is_plain(labels, LABELS) or not is_plain(scores, SCORES):
        return False
    return bool(labels.size == scores.size > MANY_ROWS)


def sorted_and_summed(
    labels: Array, scores: Scores, *, summed: bool = True
) -> tuple[Scores, Scores, PlacementSums | None] | None:
    """The two classes, locked, and their sums; None unless labels are 0 and 1 and none is nan.

    Unless `summed`, there are no sums.

    Examples
    --------
    >>> neg, pos, sums = sorted_and_summed(np.array([0, 1, 0]), np.array([0.5, 0.4, 0.1]))
    >>> neg.tolist(), pos.tolist(), sums.sum_u
    ([0.1, 0.5], [0.4], 2)
    """
    mask, n_pos, first_bad = match_labels(labels, 0, 1)
    if first_bad >= 0 or n_pos in (0, labels.size) or np.isnan(scores).any():
        return None
    neg, pos = sort_classes(mask, scores)
    for values in (neg, pos):
        values.setflags(write=False)
    return neg, pos, merge_sums(neg, pos) if summed else None


def is_plain(column: Any, kinds: tuple[str, ...]) -> bool:
    """Whether a column is an array of one of the kinds as the compiled loops read it."""
    if type(column) is not np.ndarray or column.ndim != 1 or column.dtype.char not in kinds:
        return False
    return column.flags.c_contiguous and column.flags.aligned and column.dtype.isnative
