"""Maximum likelihood of the binormal model by Fisher scoring, O(K) a step (F6.8 to F6.10).

Negatives are N(0, 1), positives N(a/b, 1/b^2), on a scale that the cut points t_1 < ... < t_{K-1}
between K ordered categories define. The information of the cut points is tridiagonal, so they are
eliminated and only a 2 x 2 system remains, whose inverse is the covariance of (a, b).
"""

from __future__ import annotations

import math
from itertools import chain
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Floats
from rocwise.errors import InputError
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import row_by_row, run_models
from rocwise.kernels.threads import limited_to, run_parts

MOST_STEPS = 500
ROWS_PER_THREAD = 20_000  # cut points for which another thread is worth starting
STRETCH = 2**16  # categories of one call of numpy: threads wait for each other between calls
ADDED = 2**14  # categories whose logarithms are added up before their sum joins the others
NOT_LEAPT = 0.4  # share of what the slope promises, above which half a step is no better
SMALLEST_STEP = 1e-10
LARGEST_A, SMALLEST_B, LARGEST_B = 50.0, 1e-3, 1e3
LARGEST_SCORE, LARGEST_GAIN, LARGEST_VARIANCE = 1e-4, 1e-8, 1e4
DEGENERATE = (
    "the binormal fit is degenerate: the likelihood of these scores has no interior maximum "
    "({reason}). There are too few changes between the classes along the scores; use another kind "
    "of band, such as 'joint-regions'."
)


class Estimate(NamedTuple):
    """Where the likelihood is largest."""

    a: float
    b: float
    covariance: Floats
    log_likelihood: float
    n_steps: int


class Parameters(NamedTuple):
    """Intercept, slope, cut points."""

    a: float
    b: float
    t: Floats


class CategoryProbabilities(NamedTuple):
    """Of some parameters, negatives first: (2, K) of the categories, (2, K - 1) at the cut points.

    `log_likelihood` is that of the cases (F6.9), `least` the smallest share of a category.
    """

    shares: Floats
    densities: Floats
    log_likelihood: float
    least: float


def categories(tp: Array, fp: Array) -> Floats:
    """Counts of LABROC4's categories in ascending order of score, negatives first (F6.8).

    `tp` and `fp` are those of a tally: cases at or beyond each score, the most positive first.

    Examples
    --------
    >>> categories(np.array([1, 2, 2, 2]), np.array([0, 1, 2, 3])).tolist()
    [[2.0, 1.0, 0.0], [0.0, 1.0, 1.0]]
    """
    _, pos, neg = kernels.straight_runs(tp, fp)
    return np.stack([neg[::-1], pos[::-1]], dtype=np.float64)


def maximised(counts: Floats) -> Estimate:
    """The maximum for category counts (2, K), of negatives and of positives."""
    if counts.shape[1] <= 2:
        raise InputError(
            "the binormal model has no interior maximum for these scores: the classes are "
            "perfectly separated, or there are fewer than three distinct groups of scores (a small "
            "`resolution` merges them)."
        )
    at = _start(counts)
    expected = _probabilities(counts, at)
    n_steps, before = 0, SMALLEST_STEP  # no step yet to judge the first one by
    for _ in range(MOST_STEPS):
        step = _scoring_step(counts, at, expected)
        at, expected, taken = _halved(counts, at, expected, step)
        _refuse_divergence(at)
        n_steps += 1
        size = taken * max(abs(step.a), abs(step.b), _largest(step.cuts))
        if size < SMALLEST_STEP or size / before * size < SMALLEST_STEP / 10:
            break  # steps shrink by the same factor at least: the next one would be as small
        before = size
    step = _scoring_step(counts, at, expected)
    _refuse_flatness(step)
    return Estimate(at.a, at.b, step.covariance, expected.log_likelihood, n_steps)


def _start(counts: Floats) -> Parameters:
    """The straight line through probits of the cumulative shares, and cut points between them."""
    from scipy.special import ndtri

    def probits(counts: Floats) -> Floats:
        sums = np.cumsum(counts)
        most = sums[-1] + 1.0
        return row_by_row(lambda below: ndtri((below + 0.5) / most), sums[:-1])

    t, v = run_models(probits, [(side,) for side in counts], counts.shape[1])
    away = t - t.mean()
    spread = float((away**2).sum())
    b = float((away * (v - v.mean())).sum()) / spread if spread > 0 else 1.0
    b = min(max(b, 0.2), 5.0)
    a = b * float(t.mean()) - float(v.mean())
    n_neg, n_pos = counts.sum(axis=1).tolist()

    def of_both(own: Floats, other: Floats) -> Floats:
        return np.asarray((n_neg * own + n_pos * (other + a) / b) / (n_neg + n_pos))

    t = row_by_row(of_both, t, v)  # where one class has no cases, the other tells cut points apart
    ramp = 1e-6 * np.arange(len(t))
    t = np.maximum.accumulate(t - ramp) + ramp  # apart by at least the step of the ramp
    return Parameters(a, b, t)


def _probabilities(counts: Floats, at: Parameters) -> CategoryProbabilities:
    """The log likelihood is minus infinity where a category with cases has no probability."""
    size = counts.shape[1]
    shares, densities = on_large_pages(counts.shape), on_large_pages((2, len(at.t)))

    def fill(first: int, side: int) -> tuple[list[float], float]:
        some = slice(first, min(first + STRETCH, size))
        edges, own, at_cuts = _edges(at, side, some), shares[side, some], densities[side, some]
        _fill_shares(own, edges)
        _fill_densities(at_cuts, edges[1 : len(at_cuts) + 1])
        return _log_likelihoods(counts[side, some], own), float(own.min())

    with limited_to(1 if size < ROWS_PER_THREAD else None):
        parts = [(first, side) for first in range(0, size, STRETCH) for side in (0, 1)]
        values, least = zip(*run_parts(fill, parts), strict=True)
    value = math.fsum(chain.from_iterable(values))
    return CategoryProbabilities(
        shares, densities, value if math.isfinite(value) else -math.inf, min(least)
    )


def _edges(at: Parameters, side: int, some: slice) -> Floats:
    """Where some categories begin and end, on the scale of a class."""
    edges = np.empty(some.stop - some.start + 1)
    edges[0], edges[-1] = -np.inf, np.inf
    cuts = at.t[max(some.start - 1, 0) : some.stop]
    first = 1 if some.start == 0 else 0
    edges[first : first + len(cuts)] = at.b * cuts - at.a if side else cuts
    return edges


def _fill_shares(shares: Floats, edges: Floats) -> None:
    """Normal probabilities between edges, taken in the nearer tail to keep their digits.

    The edges ascend, so that the upper tail is nearer where a category begins above 0.
    """
    from scipy.special import ndtr

    middle = int(np.searchsorted(edges[:-1], 0.0, side="right"))
    if middle > 0:
        below = ndtr(edges[: middle + 1])
        np.subtract(below[1:], below[:-1], out=shares[:middle])
    if middle < len(shares):
        above = ndtr(-edges[middle:])
        np.subtract(above[:-1], above[1:], out=shares[middle:])


def _fill_densities(densities: Floats, x: Floats) -> None:
    """Those of a normal variable."""
    np.multiply(x, -0.5, out=densities)
    np.multiply(densities, x, out=densities)
    np.exp(densities, out=densities)
    np.divide(densities, np.sqrt(2 * np.pi), out=densities)


def _log_likelihoods(counts: Floats, shares: Floats) -> list[float]:
    """What categories add to the log likelihood (F6.9); those without cases add nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(shares)
        starts = range(0, len(counts), ADDED)
        return [_sum(counts[at : at + ADDED], logs[at : at + ADDED]) for at in starts]


def _sum(counts: Floats, logs: Floats) -> float:
    value = kernels.dot(counts, logs)
    return value if math.isfinite(value) else float(np.sum((counts * logs)[counts > 0]))


def _scoring_step(
    counts: Floats, at: Parameters, expected: CategoryProbabilities
) -> kernels.BinormalStep:
    """Expected information solved for the gradient; also the covariance of (a, b)."""
    step = kernels.binormal_step(counts, expected.shares, expected.densities, at.t, at.b)
    if step is None:
        raise InputError(DEGENERATE.format(reason="its information is singular"))
    return step


def _halved(
    counts: Floats, at: Parameters, expected: CategoryProbabilities, step: kernels.BinormalStep
) -> tuple[Parameters, CategoryProbabilities, float]:
    """The parameters after the step, halved until it is no loss; and the share of it taken.

    Half of a step is looked at too: where the likelihood is steeper than expected, whole steps
    leap from one side of the top to the other and back, for ever. A step that has gained two
    fifths of what the slope at its start promises has not leapt: on a parabola a half of it is
    better only where the whole gains less than a third.
    """
    share, value = 1.0, expected.log_likelihood
    allowance = 1e-13 * abs(value)  # rounding of a sum of many terms
    while share > 1e-12:
        found = _after(counts, at, step, share)
        if found is not None and found[1].log_likelihood >= value - allowance:
            gained, promised = found[1].log_likelihood - value, share * step.gain
            if gained < NOT_LEAPT * promised and promised > allowance:
                half = _after(counts, at, step, share / 2)
                if half is not None and half[1].log_likelihood > value + gained + allowance:
                    return (*half, share / 2)
            return (*found, share)
        share /= 2
    return at, expected, 0.0


def _after(
    counts: Floats, at: Parameters, step: kernels.BinormalStep, share: float
) -> tuple[Parameters, CategoryProbabilities] | None:
    """Parameters, probabilities and likelihood after this share of a step, where it is allowed."""
    b = at.b + share * step.b
    if not b > 0:
        return None
    t = row_by_row(lambda cut, by: cut + share * by, at.t, step.cuts)
    if not np.all(t[1:] > t[:-1]):
        return None
    there = Parameters(at.a + share * step.a, b, t)
    found = _probabilities(counts, there)
    return (there, found) if found.least > 0 else None


def _largest(values: Floats) -> float:
    return max(float(values.max()), -float(values.min()))


def _refuse_divergence(at: Parameters) -> None:
    if abs(at.a) > LARGEST_A or not SMALLEST_B <= at.b <= LARGEST_B:
        raise InputError(
            DEGENERATE.format(reason=f"the estimates run away to a = {at.a:.3g}, b = {at.b:.3g}")
        )


def _refuse_flatness(step: kernels.BinormalStep) -> None:
    """Refuse where the likelihood is still rising, or hardly falls on any side.

    Rounding of the gradient grows with the number of cases; what a step would gain does not.
    """
    if step.steepest > LARGEST_SCORE and abs(step.gain) > LARGEST_GAIN:
        raise InputError(DEGENERATE.format(reason="no step improves it, yet it is not level"))
    variances = np.diag(step.covariance)
    if not np.all((variances > 0) & (variances < LARGEST_VARIANCE)):
        raise InputError(DEGENERATE.format(reason="its top is flat"))
