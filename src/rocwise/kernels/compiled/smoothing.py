"""Smooth curves with compiled loops: the smooth ROC curve, a logistic line, the binormal fit."""

import numpy as np

from rocwise.arrays import Amounts, Floats, Integers, Scores
from rocwise.kernels.binormal_steps import BinormalStep, Eliminated
from rocwise.kernels.compiled import _likelihoods, _smoothing
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain import smoothing
from rocwise.kernels.threads import even_parts, heard, pieces, run_parts, thread_limit

LIMBS = 4
NO_ROWS = ((0, 0, 0, 0),)
STEP = 2**14  # rows that are added up before their sum joins the others, whatever the threads
ROWS_PER_THREAD = 50_000


def exact_sum(scores: Scores, counts: Integers | None = None) -> tuple[int, int]:
    """Compiled twin of `plain_smoothing.exact_sum`.

    Examples
    --------
    >>> numerator, denominator = exact_sum(np.array([0.5, 0.25]))
    >>> numerator / denominator
    0.75
    """
    if counts is None:
        read = np.ascontiguousarray(scores, dtype=_kind(scores))
        parts = _row_parts(read.size)

        def cut(first: int, last: int) -> tuple[int, ...] | None:
            return heard(_smoothing.limbs, read[first:last], rows=last - first)

        found = [limbs for limbs in run_parts(cut, parts) if limbs is not None]
        if len(found) == len(parts):
            numerator = 0
            for limb in zip(*found, strict=True):
                numerator = (numerator << smoothing.BITS) + sum(limb)
            return numerator, 1 << (smoothing.BITS * LIMBS)
    # counts, or scores below 2**-67, or such as are refused
    return smoothing.exact_sum(scores, counts)


def _row_parts(rows: int) -> list[tuple[int, int]]:
    threads = min(thread_limit(), 1 + rows // ROWS_PER_THREAD) if rows > ROWS_PER_THREAD else 1
    return pieces(rows, threads)


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

    def summed(*two: smoothing.Stretch) -> tuple[smoothing.Sums, ...]:
        told = negatives, positives, of_neg, of_pos, midpoint, two[0], (two + NO_ROWS)[1]
        rows = sum(i_end - i + j_end - j for i, i_end, j, j_end in two)
        return heard(_smoothing.sums, *told, rows=rows)[: len(two)]

    rows = smoothing.stretches(negatives, positives)
    parts = [tuple(rows[k : k + 2]) for k in range(0, len(rows), 2)]
    found = smoothing.joined_stretches([each for two in run_parts(summed, parts) for each in two])
    if found[0] != found[0]:
        refuse_nan(of_neg, of_pos)
    return found


def logistic_sums(
    x: Floats, pos: Amounts, neg: Amounts, intercept: float, slope: float
) -> tuple[float, ...]:
    """Compiled twin of `plain_smoothing.logistic_sums`.

    Examples
    --------
    >>> one = np.array([1])
    >>> logistic_sums(np.array([2.0]), one, 3 * one, 0.0, 0.0)[1:]
    (-1.0, -2.0, 1.0, 2.0, 4.0)
    """
    kind = np.int64 if pos.dtype.kind == "i" and neg.dtype.kind == "i" else np.float64
    x = np.ascontiguousarray(x, dtype=np.float64)
    pos, neg = (np.ascontiguousarray(part, dtype=kind) for part in (pos, neg))
    steps = -(-len(x) // STEP)
    sums = np.empty((steps, 6))

    def fill(begin: int, end: int) -> None:
        told = (x, pos, neg, intercept, slope, STEP, sums, begin, end)
        heard(_likelihoods.logistic_sums, *told, rows=(end - begin) * STEP)

    threads = min(thread_limit(), 1 + len(x) // ROWS_PER_THREAD) if steps > 1 else 1
    run_parts(fill, even_parts(steps, threads))
    found = tuple(sums.sum(axis=0).tolist())
    if found[0] != found[0]:
        refuse_nan(x, pos, neg, intercept, slope, what="the columns or coefficients")
    return found


def binormal_step(
    counts: Floats, shares: Floats, densities: Floats, cuts: Floats, slope: float
) -> BinormalStep | None:
    """Compiled twin of `plain_smoothing.binormal_step`.

    Examples
    --------
    >>> thirds, ones = np.full((2, 3), 1 / 3), np.ones((2, 2))
    >>> step = binormal_step(np.ones((2, 3)), thirds, 0.4 * ones, np.array([-0.4, 0.4]), 1.0)
    >>> step.a, step.b
    (0.0, 0.0)
    """
    columns = (counts, shares, densities, cuts)
    read = tuple(np.ascontiguousarray(column, dtype=np.float64) for column in columns)
    size = cuts.size
    kept, sums = np.empty((5, size)), np.empty(12)
    if not heard(_likelihoods.eliminated, *read, slope, kept, sums, rows=size):
        return None
    left = Eliminated(*sums.tolist())
    covariance = left.covariance()
    if covariance is None:
        return None
    a, b = left.solved(covariance)
    step = np.empty(size)
    heard(_likelihoods.substituted, kept, a, b, step, rows=size)
    return left.step(a, b, step, covariance)


def _kind(*columns: Scores) -> type[np.floating]:
    """The type that the compiled loops read: float32 as it is, everything else as float64."""
    return np.float32 if all(column.dtype == np.float32 for column in columns) else np.float64
