"""Maximum likelihood of the binormal model by Fisher scoring, O(K) a step (F6.8 to F6.10).

Negatives are N(0, 1), positives N(a/b, 1/b^2), on a scale that the cut points t_1 < ... < t_{K-1}
between K ordered categories define. The information of the cut points is tridiagonal, so they are
eliminated and only a 2 x 2 system remains, whose inverse is the covariance of (a, b).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Array, Floats
from rocwise.errors import InputError
from rocwise.kernels.threads import run_parts, thread_limit

MOST_STEPS = 500
MANY_CUTS = 100_000  # from so many on the two classes have a thread each
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
    """Probabilities of the categories, and densities at the cut points, of some parameters."""

    p: Floats
    q: Floats
    density_neg: Floats
    density_pos: Floats


def categories(pos: Array, neg: Array) -> tuple[Floats, Floats]:
    """Counts (negatives, positives) of LABROC4's categories, in ascending order of score (F6.8).

    `pos` and `neg` come from a tally, most positive score first.

    Examples
    --------
    >>> [side.tolist() for side in categories(np.array([1, 1, 0, 0]), np.array([0, 1, 1, 1]))]
    [[2.0, 1.0, 0.0], [0.0, 1.0, 1.0]]
    """
    up_neg, up_pos = neg[::-1].astype(np.float64), pos[::-1].astype(np.float64)
    kind = np.where(up_pos == 0, 0, np.where(up_neg == 0, 1, 2))
    starts = np.flatnonzero(np.concatenate([[True], (kind[1:] != kind[:-1]) | (kind[1:] == 2)]))
    return np.add.reduceat(up_neg, starts), np.add.reduceat(up_pos, starts)


def maximised(n: Floats, m: Floats) -> Estimate:
    """The maximum for category counts of negatives `n` and positives `m`."""
    if len(n) <= 2:
        raise InputError(
            "the binormal model has no interior maximum for these scores: the classes are "
            "perfectly separated, or there are fewer than three distinct groups of scores (a small "
            "`resolution` merges them)."
        )
    at = _start(n, m)
    expected = _probabilities(at)
    value = _log_likelihood(n, m, expected)
    n_steps = 0
    for _ in range(MOST_STEPS):
        gradient = _gradient(n, m, at, expected)
        step, covariance = _scoring_step(gradient, n.sum(), m.sum(), at, expected)
        at, expected, value, taken = _halved(n, m, at, expected, value, step)
        _refuse_divergence(at)
        n_steps += 1
        if taken * max(abs(step.a), abs(step.b), float(np.abs(step.t).max())) < SMALLEST_STEP:
            break
    gradient = _gradient(n, m, at, expected)
    step, covariance = _scoring_step(gradient, n.sum(), m.sum(), at, expected)
    _refuse_flatness(gradient, step, covariance)
    return Estimate(at.a, at.b, covariance, value, n_steps)


def _start(n: Floats, m: Floats) -> Parameters:
    """Probits of the cumulative shares, and the straight line through them."""
    from scipy.special import ndtri

    t = ndtri((np.cumsum(n)[:-1] + 0.5) / (n.sum() + 1.0))
    v = ndtri((np.cumsum(m)[:-1] + 0.5) / (m.sum() + 1.0))
    ramp = 1e-6 * np.arange(len(t))
    t = np.maximum.accumulate(t - ramp) + ramp  # apart by at least the step of the ramp
    spread = float(((t - t.mean()) ** 2).sum())
    b = float(((t - t.mean()) * (v - v.mean())).sum()) / spread if spread > 0 else 1.0
    b = min(max(b, 0.2), 5.0)
    return Parameters(b * float(t.mean()) - float(v.mean()), b, t)


def _probabilities(at: Parameters) -> CategoryProbabilities:
    sides = [(at.t,), (at.b * at.t - at.a,)]
    if len(at.t) < MANY_CUTS or thread_limit() == 1:
        neg, pos = (_side(*side) for side in sides)
    else:
        neg, pos = run_parts(_side, sides)
    return CategoryProbabilities(neg[0], pos[0], neg[1], pos[1])


def _side(cuts: Floats) -> tuple[Floats, Floats]:
    return _shares(cuts), _density(cuts)


def _shares(cuts: Floats) -> Floats:
    """Normal probabilities between cut points, taken in the nearer tail to keep their digits.

    The cut points ascend, so that the upper tail is nearer from one of them on.
    """
    from scipy.special import ndtr

    bounds = np.concatenate([[-np.inf], cuts, [np.inf]])
    first = int(np.searchsorted(bounds, 0.0, side="right"))
    shares = np.empty(len(bounds) - 1)
    shares[:first] = np.diff(ndtr(bounds[: first + 1]))
    beyond = ndtr(-bounds[first:])
    np.subtract(beyond[:-1], beyond[1:], out=shares[first:])
    return shares


def _density(x: Floats) -> Floats:
    return np.asarray(np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi), np.float64)


def _log_likelihood(n: Floats, m: Floats, expected: CategoryProbabilities) -> float:
    """F6.9; minus infinity where a category that holds cases has no probability."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(n > 0, n * np.log(expected.p), 0.0) + np.where(
            m > 0, m * np.log(expected.q), 0.0
        )
    value = float(terms.sum())
    return value if np.isfinite(value) else -np.inf


def _gradient(n: Floats, m: Floats, at: Parameters, expected: CategoryProbabilities) -> Parameters:
    """The score: derivatives of the log likelihood in a, b and each cut point."""
    n_rate = np.divide(n, expected.p, out=np.zeros_like(n), where=n > 0)
    m_rate = np.divide(m, expected.q, out=np.zeros_like(m), where=m > 0)
    n_drop, m_drop = n_rate[:-1] - n_rate[1:], m_rate[:-1] - m_rate[1:]
    by_u = expected.density_pos * m_drop
    return Parameters(
        -float(by_u.sum()),
        float((at.t * by_u).sum()),
        expected.density_neg * n_drop + at.b * by_u,
    )


def _scoring_step(
    gradient: Parameters,
    n_neg: float,
    n_pos: float,
    at: Parameters,
    expected: CategoryProbabilities,
) -> tuple[Parameters, Floats]:
    """Expected information solved for the gradient; also the covariance of (a, b)."""
    from scipy.linalg import LinAlgError, solveh_banded

    banded = np.zeros((2, len(at.t)))  # upper form: row 1 the diagonal, row 0 beside it
    for total, share, density in (
        (n_neg, expected.p, expected.density_neg),
        (n_pos, expected.q, at.b * expected.density_pos),
    ):
        inverse = 1 / share
        banded[1] += total * density**2 * (inverse[:-1] + inverse[1:])
        banded[0, 1:] -= total * density[:-1] * density[1:] / share[1:-1]
    # derivatives of q in (a, b), one row each, and what they share with the cut points
    edges = np.concatenate([[0.0], expected.density_pos, [0.0]])
    weighted = np.concatenate([[0.0], at.t * expected.density_pos, [0.0]])
    slopes = np.stack([-np.diff(edges), np.diff(weighted)])
    per_share = slopes / expected.q
    own = n_pos * slopes @ per_share.T
    crossed = n_pos * at.b * expected.density_pos * (per_share[:, :-1] - per_share[:, 1:])
    try:
        solved = solveh_banded(banded, np.column_stack([gradient.t, *crossed]))
        schur = own - crossed @ solved[:, 1:]
        covariance = np.linalg.inv(schur)
    except (LinAlgError, ValueError):
        raise InputError(DEGENERATE.format(reason="its information is singular")) from None
    ab = covariance @ (np.array([gradient.a, gradient.b]) - crossed @ solved[:, 0])
    return Parameters(float(ab[0]), float(ab[1]), solved[:, 0] - solved[:, 1:] @ ab), covariance


def _halved(
    n: Floats,
    m: Floats,
    at: Parameters,
    expected: CategoryProbabilities,
    value: float,
    step: Parameters,
) -> tuple[Parameters, CategoryProbabilities, float, float]:
    """The parameters after the step, halved until it is no loss; and the share of it taken.

    Half of a step is looked at too: where the likelihood is steeper than expected, whole steps
    leap from one side of the top to the other and back, for ever.
    """
    share = 1.0
    allowance = 1e-13 * abs(value)  # rounding of a sum of many terms
    while share > 1e-12:
        found = _after(n, m, at, step, share)
        if found is not None and found[2] >= value - allowance:
            half = _after(n, m, at, step, share / 2)
            better = half is not None and half[2] > found[2] + allowance
            return (*half, share / 2) if half is not None and better else (*found, share)
        share /= 2
    return at, expected, value, 0.0


def _after(
    n: Floats, m: Floats, at: Parameters, step: Parameters, share: float
) -> tuple[Parameters, CategoryProbabilities, float] | None:
    """Parameters, probabilities and likelihood after this share of a step, where it is allowed."""
    b, t = at.b + share * step.b, at.t + share * step.t
    if not (b > 0 and np.all(np.diff(t) > 0)):
        return None
    there = Parameters(at.a + share * step.a, b, t)
    found = _probabilities(there)
    if not (found.p.min() > 0 and found.q.min() > 0):
        return None
    return there, found, _log_likelihood(n, m, found)


def _refuse_divergence(at: Parameters) -> None:
    if abs(at.a) > LARGEST_A or not SMALLEST_B <= at.b <= LARGEST_B:
        raise InputError(
            DEGENERATE.format(reason=f"the estimates run away to a = {at.a:.3g}, b = {at.b:.3g}")
        )


def _refuse_flatness(gradient: Parameters, step: Parameters, covariance: Floats) -> None:
    """Refuse where the likelihood is still rising, or hardly falls on any side.

    Rounding of the gradient grows with the number of cases; what a step would gain does not.
    """
    steepest = max(abs(gradient.a), abs(gradient.b), float(np.abs(gradient.t).max()))
    gain = gradient.a * step.a + gradient.b * step.b + float((gradient.t * step.t).sum())
    if steepest > LARGEST_SCORE and abs(gain) > LARGEST_GAIN:
        raise InputError(DEGENERATE.format(reason="no step improves it, yet it is not level"))
    variances = np.diag(covariance)
    if not np.all((variances > 0) & (variances < LARGEST_VARIANCE)):
        raise InputError(DEGENERATE.format(reason="its top is flat"))
