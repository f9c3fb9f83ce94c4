"""Numpy twin of the kernel that reads, sorts and sums many plain rows at once."""

from typing import Any

from rocwise.arrays import Scores
from rocwise.kernels.placement_sums import PlacementSums
from rocwise.kernels.plain.sorting import LABELS, SCORES, is_plain, sorted_and_summed

MANY_ROWS = 4096  # fewer are not worth a spread over buckets


def many_rows(
    labels: Any, scores: Any, *, summed: bool = True
) -> tuple[Scores, Scores, PlacementSums | None] | None:
    """Sorted negatives and positives, and their placement sums, of many plain rows.

    Plain is what it is for `few_rows`, and so is the answer. None for all else, and for fewer
    rows: it is for the others to read, to explain or to refuse. Unless `summed`, None in place of
    the sums: a question that asks for none need not wait for them.

    Examples
    --------
    >>> import numpy as np
    >>> neg, pos, sums = many_rows(np.arange(5000) % 2, np.arange(5000.0))
    >>> neg.size, pos.size, sums.sum_u
    (2500, 2500, 6252500)
    """
    if not are_many_plain(labels, scores):
        return None
    return sorted_and_summed(labels, scores, summed=summed)


def are_many_plain(labels: Any, scores: Any) -> bool:
    """Whether there are many rows, with labels and scores of types that need no conversion.

    Examples
    --------
    >>> import numpy as np
    >>> are_many_plain(np.zeros(5000, int), np.zeros(5000)), are_many_plain([0, 1], [0.1, 0.2])
    (True, False)
    """
    if not is_plain(labels, LABELS) or not is_plain(scores, SCORES):
        return False
    return bool(labels.size == scores.size > MANY_ROWS)
