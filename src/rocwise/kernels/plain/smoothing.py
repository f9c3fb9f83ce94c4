"""Smooth curves: sums of the smooth ROC curve and of a logistic line."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from rocwise.arrays import Amounts, Floats, Integers, Scores
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.merging import merge_table
from rocwise.kernels.row_formulas import STEP

BITS = 30  # taken from every score at a time: 2**30 times the number of rows must fit int64
STRETCH = 2**12  # rows of the larger class that are summed before their sums join the others
MOST_DIFFERENCE = 8  # of two sums, over what is left: three binary digits may go
Sums = tuple[float, float, float]


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
    values = np.asarray(scores, dtype=np.float64)
    if not ((values >= 0.0) & (values <= 1.0)).all():  # others would be cut into pieces for ever
        refuse_nan(values)
        raise ValueError("`scores` must lie between 0 and 1.")
    steps = [slice(first, first + STEP) for first in range(0, len(values), STEP)]
    found = [_exact_sum(values[k], None if counts is None else counts[k]) for k in steps]
    digits = max((shift for _, shift in found), default=0)
    return sum(numerator << (digits - shift) for numerator, shift in found), 1 << digits


def _exact_sum(rest: Floats, counts: Integers | None) -> tuple[int, int]:
    """The same of some scores: the numerator, and which power of 2 the denominator is."""
    numerator, shift = 0, 0
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
    return numerator, shift


def smooth_sums(
    neg: Scores, pos: Scores, midpoint: float, units: tuple[Scores, Scores] | None = None
) -> Sums:
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
    of_neg, of_pos = (np.asarray(part, dtype=np.float64) for part in units or (neg, pos))
    bounds, middle = stretches(neg, pos, (of_neg, of_pos), midpoint)

    def sums(upward: bool) -> list[Sums]:
        found = []
        for k, ((i, i_end), (j, j_end)) in enumerate(zip(*map(pairwise, bounds), strict=True)):
            rows = neg[i:i_end], pos[j:j_end], of_neg[i:i_end], of_pos[j:j_end]
            moved, summed = _increments(*rows, upward == (k >= middle))
            found.append(_sums_of_increments(moved, summed, i_end - i + j_end - j, upward))
        return found

    return joined_stretches(sums, neg.size, pos.size)


def stretches(
    neg: Scores, pos: Scores, units: tuple[Scores, Scores], midpoint: float
) -> tuple[list[list[int]], int]:
    """Bounds of stretches of rows, in the negatives and in the positives, lowest rows first.

    Each is summed on its own; which they are depends on the scores alone, not on who sums them.
    Equal scores stay together. The midpoint is a bound; second is how many stretches are below it.

    Examples
    --------
    >>> classes = np.array([0.25]), np.array([0.75])
    >>> stretches(*classes, classes, 0.5)
    ([[0, 1, 1], [0, 0, 1]], 1)
    """
    values = (neg if neg.size > pos.size else pos)[STRETCH::STRETCH]
    exact = np.float64(midpoint)  # single precision is compared with it, not it rounded
    below = [bisect_left(of_rows, exact) for of_rows in units]
    # sorted by themselves: a score that has more negatives below it has no fewer positives
    bounds = [
        sorted([0, at_midpoint, *rows.searchsorted(values).tolist(), rows.size])
        for rows, at_midpoint in zip((neg, pos), below, strict=True)
    ]
    rows_below = sum(below)
    return bounds, sum(i + j < rows_below for i, j in zip(*bounds, strict=True))


def joined_stretches(sums: Callable[[bool], Sequence[Sums]], n_neg: int, n_pos: int) -> Sums:
    """Rise, run and area of a curve from those of its stretches, lowest first.

    A row that moves the curve up by u moves it right by 1 - u, so moves of one kind tell it all,
    and `sums` is told whether they are those up. They are those of the smaller class, unless the
    others turn out to be so small that a difference of two large sums would have lost their digits.

    Examples
    --------
    >>> joined_stretches(lambda upward: [(0.0, 2.0, 0.0), (2.0, 1.0, 0.5)], 3, 2)
    (2.0, 3.0, 4.5)
    """
    upward = n_pos <= n_neg
    found = _joined(sums(upward))
    others = found[1] if upward else found[0]
    return _joined(sums(not upward)) if others * MOST_DIFFERENCE < n_neg + n_pos else found


def _joined(stretches: Sequence[Sums]) -> Sums:
    risen = gone = area = 0.0
    for rise, run, below in reversed(stretches):
        area += below + run * risen
        risen += rise
        gone += run
    return risen, gone, area


def _sums_of_increments(moved: float, summed: float, rows: int, upward: bool) -> Sums:
    """Rise, run and area from the moves of one kind.

    With U_k the height after row k and y the last of them, the area sum (1 - u_k) (U_k - u_k / 2)
    is sum U_k - y (1 + y) / 2. The same sum of moves to the right is what lies above the curve.
    """
    others = rows - moved
    area, box = summed - moved * ((1.0 + moved) / 2.0), moved * others
    if not upward:
        area = box - area
    area = 0.0 if area < 0.0 else box if area > box else area  # rounding does not lead outside
    return (moved, others, area) if upward else (others, moved, area)


def _increments(
    neg: Scores, pos: Scores, of_neg: Scores, of_pos: Scores, negatives_lack: bool
) -> tuple[float, float]:
    """How far rows move the curve, from the highest one down, and the sum of that over all rows.

    By their score or, those of one class, by what it lacks to 1. Rows of both classes that share a
    score move it at once: as if the curve went straight on while they come.
    """
    if not neg.size + pos.size:
        return 0.0, 0.0
    _, positive, negative = merge_table(neg, pos)
    _, first = np.unique(np.concatenate([neg, pos]), return_index=True)
    scores = np.concatenate([of_neg, of_pos])[first][::-1]
    by_negative = np.abs(negatives_lack - scores)
    by_positive = np.abs((not negatives_lack) - scores)
    mixed, size = (positive > 0) & (negative > 0), positive + negative
    alone = np.where(negative > 0, by_negative, by_positive)
    step = np.where(mixed, positive * by_positive + negative * by_negative, alone)
    # rows of one class that share a score come one by one
    each = np.repeat(np.arange(size.size), np.where(mixed, 1, size))
    step, size, mixed = step[each], size[each], mixed[each]
    # running sums, not products of vectors: the same order of additions as the compiled twin
    moved = np.cumsum(step)
    before = np.concatenate([[0.0], moved[:-1]])
    at_once = size * before + step * ((size + 1.0) / 2.0)
    summed = np.cumsum(np.where(mixed, at_once, moved))
    return float(moved[-1]), float(summed[-1])


def smooth_points(
    scores: Floats, pos: Amounts, neg: Amounts, midpoint: float, *, cumulated: bool = False
) -> tuple[Floats, Floats]:
    """How far the smooth curve has come to the right and up, before scaling, at each of its points.

    They are (0, 0) and one after each distinct score, of which so many rows are positive and
    negative (1.7); `cumulated` ones are those of all scores from the first on.

    Examples
    --------
    >>> pos, neg = np.array([1, 0]), np.array([1, 2])
    >>> [part.tolist() for part in smooth_points(np.array([0.75, 0.25]), pos, neg, 0.5)]
    [[0.0, 1.0, 2.5], [0.0, 1.0, 1.5]]
    """
    refuse_nan(scores, pos, neg, midpoint, what="the columns")
    if cumulated:
        pos, neg = np.diff(pos, prepend=0), np.diff(neg, prepend=0)
    high = scores >= midpoint
    of_positives = np.where(high, scores, 1.0 - scores)
    of_negatives = np.where(high, 1.0 - scores, scores)
    x, y = np.zeros((2, len(scores) + 1))
    np.cumsum(pos * of_negatives + neg * of_positives, out=x[1:])
    np.cumsum(pos * of_positives + neg * of_negatives, out=y[1:])
    return x, y
