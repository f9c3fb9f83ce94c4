"""Logistic recalibration by maximum likelihood: logit P(positive) = intercept + slope logit(p)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Amounts, Floats
from rocwise.inference.intervals import normal_quantile
from rocwise.kernels.row_formulas import row_by_row
from rocwise.results import Interval

STEPS = 100
MANY, SOME = 2**17, 2**13  # rows of which some, evenly spread, tell where a fit is to begin
CLOSE = 1e-12
ROUNDED = 1e-9  # steps below it that get no smaller are rounding: one case far out makes it large
STEEPEST = 1e4  # of a slope: beyond it the classes are separated and there is no maximum


class Recalibration(NamedTuple):
    """Slope and intercept together, and the intercept alone at slope 1; each with its interval.

    1 and 0 are perfect. A slope below 1: predictions are too extreme; an intercept alone
    (`in_the_large`) above 0: they are too low.
    """

    slope: float
    slope_interval: Interval
    intercept: float
    intercept_interval: Interval
    in_the_large: float
    in_the_large_interval: Interval


def recalibrated(scores: Floats, pos: Amounts, neg: Amounts, level: float) -> Recalibration | None:
    """The fit; None where there is none: scores of 0 or 1, one score, or separated classes."""
    if scores.min() <= 0 or scores.max() >= 1 or len(scores) < 2:
        return None
    x = row_by_row(lambda some: np.log(some) - np.log1p(-some), scores)
    both = _fitted(np.zeros(2), 2, x, pos, neg)
    alone = _fitted(np.array([0.0, 1.0]), 1, x, pos, neg)
    if both is None or alone is None:
        return None
    (intercept, slope), errors = both
    intervals = [
        _interval(value, error, level)
        for value, error in ((slope, errors[1]), (intercept, errors[0]), (alone[0][0], alone[1][0]))
    ]
    return Recalibration(slope, intervals[0], intercept, intervals[1], alone[0][0], intervals[2])


def _interval(value: float, error: float, level: float) -> Interval:
    reach = normal_quantile(level) * error
    return Interval(value - reach, value + reach, level, "Wald, maximum likelihood")


def _fitted(
    start: Floats, free: int, x: Floats, pos: Amounts, neg: Amounts
) -> tuple[list[float], Floats] | None:
    """Coefficients and standard errors: the intercept alone (1 free) or with the slope (2 free).

    The likelihood has one maximum, so some of many rows may say where to begin; their own may be
    too far out for Newton's steps, and then these begin where they would without.
    """
    if len(x) > MANY:
        some = slice(None, None, len(x) // SOME)
        near = _climbed(start, free, x[some].copy(), pos[some].copy(), neg[some].copy())
        found = near and _climbed(np.array(near[0]), free, x, pos, neg)
        if found is not None:
            return found
    return _climbed(start, free, x, pos, neg)


def _climbed(
    start: Floats, free: int, x: Floats, pos: Amounts, neg: Amounts
) -> tuple[list[float], Floats] | None:
    """Newton's steps, halved while the likelihood falls; the end of the last is not looked at."""
    at, best, before = start, _likelihood(start, x, pos, neg), np.inf
    for _ in range(STEPS):
        information = best.information[:free, :free]
        if not _well_conditioned(information):
            return None
        step = np.zeros(2)
        step[:free] = np.linalg.solve(information, best.score[:free])
        if not _last(step, at, before):
            allowed = best.value - 1e-9 * abs(best.value)
            while (found := _likelihood(at + step, x, pos, neg)).value < allowed and np.abs(
                step
            ).max() > CLOSE:
                step /= 2
            best = found
        if np.abs(at + step).max() > STEEPEST:
            return None
        if _last(step, at, before):
            return (at + step).tolist(), np.sqrt(np.diag(np.linalg.inv(information)))
        at, before = at + step, _relative(step, at)
    return None


def _last(step: Floats, at: Floats, before: float) -> bool:
    """Whether a step is as good as none, or rounding: no smaller than the one before it."""
    size = _relative(step, at)
    return size < CLOSE or before <= size < ROUNDED


def _relative(step: Floats, at: Floats) -> float:
    """The length of a step from here, by how far out it ends."""
    longest, farthest = (max(map(abs, ends.tolist())) for ends in (step, at + step))
    return float(longest / (1 + farthest))


def _well_conditioned(information: Floats) -> bool:
    """Whether the larger of its two eigenvalues is less than 1e14 times the smaller."""
    if information.shape == (1, 1):
        return bool(information[0, 0] != 0)
    (a, b), (_, d) = information.tolist()
    largest = (a + d + math.hypot(a - d, 2 * b)) / 2
    if not 0 < largest < math.inf:
        return False
    a, b, d = a / largest, b / largest, d / largest  # products of tiny weights would be lost
    return bool(a * d - b * b >= 1e-14)


class Likelihood(NamedTuple):
    """The log likelihood of an intercept and a slope, its derivatives and their information."""

    value: float
    score: Floats
    information: Floats


def _likelihood(at: Floats, x: Floats, pos: Amounts, neg: Amounts) -> Likelihood:
    """Log likelihood of logit P(positive) = intercept + slope x, its score and information."""
    eta = at[0] + at[1] * x
    far = np.abs(eta)
    odds = np.exp(-far)  # of the less likely class: never above 1
    chance = 1.0 / (1.0 + odds)
    rest = odds * chance
    cases, up = pos + neg, eta > 0
    value = -float((cases * np.log(1.0 + odds) + np.where(up, neg, pos) * far).sum())
    # not pos - cases * chance, which is 0 where the chance rounds to 1
    residual = np.where(up, pos * rest - neg * chance, pos * chance - neg * rest)
    variance = cases * (chance * rest)
    across = float((variance * x).sum())
    information = np.array([[variance.sum(), across], [across, np.dot(variance * x, x)]])
    return Likelihood(value, np.array([residual.sum(), np.dot(residual, x)]), information)
