"""Logistic recalibration by maximum likelihood: logit P(positive) = intercept + slope logit(p)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Amounts, Floats
from rocwise.inference.intervals.interval_limits import normal_quantile
from rocwise.results import Interval

STEPS = 100
CLOSE = 1e-12
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
    x = np.log(scores) - np.log1p(-scores)
    both = _fitted(np.stack([np.ones_like(x), x]), np.zeros_like(x), pos, neg)
    alone = _fitted(np.ones((1, len(x))), x, pos, neg)
    if both is None or alone is None:
        return None
    (intercept, slope), errors = both
    intervals = [
        _interval(value, error, level)
        for value, error in ((slope, errors[1]), (intercept, errors[0]), (alone[0][0], alone[1][0]))
    ]
    return Recalibration(
        slope, intervals[0], intercept, intervals[1], float(alone[0][0]), intervals[2]
    )


def _interval(value: float, error: float, level: float) -> Interval:
    reach = normal_quantile(level) * error
    return Interval(value - reach, value + reach, level, "Wald, maximum likelihood")


def _fitted(
    design: Floats, offset: Floats, pos: Amounts, neg: Amounts
) -> tuple[list[float], Floats] | None:
    """Newton's steps, halved while the likelihood falls; coefficients and standard errors."""
    beta = np.zeros(len(design))
    best = _likelihood(beta, design, offset, pos, neg)
    for _ in range(STEPS):
        probability = _logistic(beta @ design + offset)
        spread = (pos + neg) * probability * (1 - probability)
        information = (design * spread) @ design.T
        score = design @ (pos - (pos + neg) * probability)
        if np.linalg.cond(information) > 1e14:
            return None
        step = np.linalg.solve(information, score)
        while (found := _likelihood(beta + step, design, offset, pos, neg)) < best - 1e-9 * abs(
            best
        ) and np.abs(step).max() > CLOSE:
            step /= 2
        beta, best = beta + step, found
        if np.abs(beta).max() > STEEPEST:
            return None
        if np.abs(step).max() < CLOSE * (1 + np.abs(beta).max()):
            errors = np.sqrt(np.diag(np.linalg.inv(information)))
            return beta.tolist(), errors
    return None


def _likelihood(beta: Floats, design: Floats, offset: Floats, pos: Amounts, neg: Amounts) -> float:
    eta = beta @ design + offset
    return -float(pos @ np.logaddexp(0.0, -eta) + neg @ np.logaddexp(0.0, eta))


def _logistic(x: Floats) -> Floats:
    return np.asarray(np.exp(-np.logaddexp(0.0, -x)))


def is_defined(value: float | None) -> bool:
    """Whether a number is there and finite."""
    return value is not None and math.isfinite(value)
