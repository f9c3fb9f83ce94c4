"""Numpy twin of the kernel that takes a few plain rows from labels to sums at once."""

from typing import Any

import numpy as np

from rocwise.arrays import Scores
from rocwise.kernels.placement_sums import PlacementSums
from rocwise.kernels.plain.merging import merge_sums
from rocwise.kernels.plain.sorting import match_labels, sort_classes

FEW_ROWS = 1024  # of more rows the sort takes longer than the calls around it
LABELS = ("?", "b", "B", "i", "l", "q", "d")
SCORES = ("f", "d")


def few_rows(labels: Any, scores: Any) -> tuple[Scores, Scores, PlacementSums] | None:
    """Sorted negatives and positives, and their placement sums, of a few plain rows.

    Plain are labels 0 and 1, both present, and floats without nan, in arrays of their own. None
    for all else: it is for the others to read, to explain or to refuse.

    Examples
    --------
    >>> neg, pos, sums = few_rows(np.array([0, 1, 0]), np.array([0.5, 0.4, 0.1]))
    >>> neg.tolist(), pos.tolist(), sums.sum_u
    ([0.1, 0.5], [0.4], 2)
    """
    if not _is_plain(labels, LABELS) or not _is_plain(scores, SCORES):
        return None
    if labels.size != scores.size or scores.size > FEW_ROWS or np.isnan(scores).any():
        return None
    mask, n_pos, first_bad = match_labels(labels, 0, 1)
    if first_bad >= 0 or n_pos in (0, labels.size):
        return None
    neg, pos = sort_classes(mask, scores)
    for values in (neg, pos):
        values.setflags(write=False)
    return neg, pos, merge_sums(neg, pos)


def _is_plain(column: Any, kinds: tuple[str, ...]) -> bool:
    if type(column) is not np.ndarray or column.ndim != 1 or column.dtype.char not in kinds:
        return False
    return column.flags.c_contiguous and column.flags.aligned and column.dtype.isnative
