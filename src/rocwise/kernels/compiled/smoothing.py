"""Smooth curves with compiled loops: the smooth ROC curve, a logistic line."""

import numpy as np

from rocwise.arrays import Amounts, Floats, Integers, Scores
from rocwise.kernels.compiled import _smoothing
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain import smoothing
from rocwise.kernels.threads import heard, pieces, run_parts, thread_limit

LANES = 4  # stretches that are walked side by side
ROWS_PER_THREAD = 50_000
ADDED_PER_THREAD = 1_000_000  # in the time that it takes to start a thread
POINTS_PER_THREAD = 500_000  # likewise


def exact_sum(scores: Scores, counts: Integers | None = None) -> tuple[int, int]:
    """Compiled twin of `plain_smoothing.exact_sum`.

    Examples
    --------
    >>> numerator, denominator = exact_sum(np.array([0.5, 0.25]))
    >>> numerator / denominator
    0.75
    """
    if counts is not None:
        return smoothing.exact_sum(scores, counts)
    read = np.ascontiguousarray(scores, dtype=_kind(scores))

    def add(first: int, last: int) -> tuple[int, int] | None:
        return heard(_smoothing.exact_sum, read[first:last], rows=last - first)

    parts = run_parts(add, pieces(read.size, _threads_for(read.size, ADDED_PER_THREAD)))
    found = [part for part in parts if part is not None]
    if len(found) < len(parts):
        return smoothing.exact_sum(scores)  # which says what is wrong with them
    digits = max(each for _, each in found)
    return sum(numerator << (digits - each) for numerator, each in found), 1 << digits


def _threads_for(rows: int, each: int = ROWS_PER_THREAD) -> int:
    return min(thread_limit(), 1 + rows // each) if rows > each else 1


def smooth_sums(
    neg: Scores, pos: Scores, midpoint: float, units: tuple[Scores, Scores] | None = None
) -> smoothing.Sums:
    """Compiled twin of `plain_smoothing.smooth_sums`.

    Examples
    --------
    >>> smooth_sums(np.array([0.25]), np.array([0.75]), 0.5)
    (1.0, 1.0, 0.75)
    """
    columns = (neg, pos) if units is None else (neg, pos, *units)
    refuse_nan(midpoint, what="the midpoint")
    kind = _kind(*columns)
    negatives, positives, *given = (np.ascontiguousarray(part, dtype=kind) for part in columns)
    of_neg, of_pos = given or (negatives, positives)
    if given:  # what is summed below does not show nan among the scores themselves
        refuse_nan(negatives, positives)
    bounds, middle = smoothing.stretches(negatives, positives, (of_neg, of_pos), midpoint)
    cuts = np.array(bounds, np.int64)
    number = len(bounds[0]) - 1
    parts = pieces(-(-number // LANES), _threads_for(neg.size + pos.size))

    def sums(upward: bool) -> list[smoothing.Sums]:
        def sum_part(first: int, last: int) -> list[smoothing.Sums]:
            first, last = LANES * first, min(LANES * last, number)
            told = negatives, positives, of_neg, of_pos, cuts, middle, upward, first, last
            rows = sum(each[last] - each[first] for each in bounds)
            return heard(_smoothing.sums, *told, rows=rows)

        return [each for part in run_parts(sum_part, parts) for each in part]

    found = smoothing.joined_stretches(sums, neg.size, pos.size)
    if found[0] != found[0]:
        refuse_nan(of_neg, of_pos)
    return found


def smooth_points(
    scores: Floats, pos: Amounts, neg: Amounts, midpoint: float, *, cumulated: bool = False
) -> tuple[Floats, Floats]:
    """Compiled twin of `plain_smoothing.smooth_points`; each sum waits for the one before it.

    Examples
    --------
    >>> pos, neg = np.array([1, 0]), np.array([1, 2])
    >>> [part.tolist() for part in smooth_points(np.array([0.75, 0.25]), pos, neg, 0.5)]
    [[0.0, 1.0, 2.5], [0.0, 1.0, 1.5]]
    """
    refuse_nan(midpoint, what="the midpoint")
    at = np.ascontiguousarray(scores, dtype=np.float64)
    amounts = _alike(pos, neg)
    x, y = (on_large_pages(len(at) + 1) for _ in range(2))

    def fill(right: Floats | None, up: Floats | None) -> None:
        heard(_smoothing.points, at, *amounts, midpoint, cumulated, right, up, rows=len(at))

    two = _threads_for(len(at), POINTS_PER_THREAD) > 1
    run_parts(fill, [(x[1:], None), (None, y[1:])] if two else [(x[1:], y[1:])])
    x[0] = y[0] = 0.0
    if x[-1] != x[-1]:
        refuse_nan(at, *amounts, what="the columns")
    return x, y


def _alike(pos: Amounts, neg: Amounts) -> tuple[Amounts, Amounts]:
    """Both as they are read: as whole numbers where both are."""
    kind = np.int64 if pos.dtype.kind == "i" and neg.dtype.kind == "i" else np.float64
    return np.ascontiguousarray(pos, dtype=kind), np.ascontiguousarray(neg, dtype=kind)


def _kind(*columns: Scores) -> type[np.floating]:
    """The type that the compiled loops read: float32 as it is, everything else as float64."""
    return np.float32 if all(column.dtype == np.float32 for column in columns) else np.float64
