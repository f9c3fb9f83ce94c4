"""Sums for the smooth ROC curve from two sorted classes, in numpy."""

import numpy as np

from rocwise.arrays import Integers, Scores
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.merging import merge_table

BITS = 30  # taken from every score at a time: 2**30 times the number of rows must fit int64


def exact_sum(scores: Scores, counts: Integers | None = None) -> tuple[int, int]:
    """The sum of scores from 0 to 1, each as often as its count, as a fraction of integers.

    Rounded sums depend on the order of the rows by a last digit, and a midpoint that is equal to
    a score turns on that digit; so the scores are cut into pieces of 30 bits, summed as integers.

    Examples
    --------
    >>> numerator, denominator = exact_sum(np.array([0.5, 0.25]))
    >>> numerator / denominator
    0.75
    """
    rest, numerator, shift = np.asarray(scores, dtype=np.float64), 0, 0
    if not ((rest >= 0.0) & (rest <= 1.0)).all():  # others would be cut into pieces for ever
        refuse_nan(rest)
        raise ValueError("`scores` must lie between 0 and 1.")
    while len(rest):
        scaled = rest * float(1 << BITS)
        whole = scaled.astype(np.int64)
        piece = whole.sum() if counts is None else whole @ counts
        numerator = (numerator << BITS) + int(piece)
        shift += BITS
        rest = scaled - whole
        left = np.flatnonzero(rest)
        if len(left) < len(rest):
            rest = rest[left]
            counts = None if counts is None else counts[left]
    return numerator, 1 << shift


def smooth_sums(
    neg: Scores, pos: Scores, midpoint: float, units: tuple[Scores, Scores] | None = None
) -> tuple[float, float, float]:
    """How far the smooth curve rises and runs, and the area below it, all before scaling.

    `neg` and `pos` are ascending scores of the two classes, from 0 to 1; or any scores, and
    `units` has the number from 0 to 1 that each of them stands for.

    Examples
    --------
    >>> smooth_sums(np.array([0.25]), np.array([0.75]), 0.5)
    (1.0, 1.0, 0.75)
    """
    refuse_nan(midpoint, *(units or ()), what="the units or the midpoint")
    neg, pos = (np.asarray(part, dtype=np.float64) for part in (neg, pos))
    scores, of_pos, of_neg = merge_table(neg, pos)
    if units is not None:
        _, first = np.unique(np.concatenate([neg, pos]), return_index=True)
        scores = np.concatenate([np.asarray(part, dtype=np.float64) for part in units])[first][::-1]
    high, other = scores >= midpoint, 1.0 - scores
    positives, negatives = np.where(high, scores, other), np.where(high, other, scores)
    up = of_pos * positives + of_neg * negatives
    right = of_pos * negatives + of_neg * positives
    risen = np.cumsum(up)
    before = np.concatenate([[0.0], risen[:-1]])
    # running sums, not products of vectors: the same order of additions as the compiled twin
    area = np.cumsum(right * (before + up / 2))
    return float(risen[-1]), float(np.cumsum(right)[-1]), float(area[-1])
