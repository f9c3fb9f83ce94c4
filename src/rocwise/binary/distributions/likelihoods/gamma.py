"""The gamma distribution from 0 on, whose likelihood is one of two means: of x and of log x.

At the likeliest scale, mean / a, the shape a is where log a - digamma(a) is the logarithm of the
mean less the mean of the logarithms.
"""

from __future__ import annotations

import math

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.distributions.likelihoods.columns import Sample
from rocwise.kernels.row_formulas import sums_of_rows

LARGEST_SHAPE = 1e13  # above it the terms of a density are so long that their sum has no digit left
SERIES = 100.0
MOST_STEPS = 50


def gamma_fit(sample: Sample) -> tuple[float, float, float] | None:
    """Shape, scale, and the log likelihood of a case."""
    column = sample.column
    mean = column.value(column.moments.mean)
    gap = _gap(sample, mean)
    shape = _shape(gap) if gap > 1 / (2 * LARGEST_SHAPE) else math.inf
    if not 0 < shape < LARGEST_SHAPE:
        return None
    return shape, mean / shape, _less_log_gamma(shape) - shape * gap - sample.mean_log


def _gap(sample: Sample, mean: float) -> float:
    """The logarithm of the mean less the mean of the logarithms."""
    if not sample.narrow:
        return math.log(mean) - sample.mean_log

    def add(values: Floats) -> tuple[float, ...]:
        away = (values - mean) / mean
        return away.sum(), (away - np.log1p(away)).sum()

    away, gap = (total / len(sample.values) for total in sums_of_rows(add, sample.values))
    return gap - (away - math.log1p(away))


def _shape(gap: float) -> float:
    """Where log a - digamma(a) is the gap: by Newton's steps for 1 / a, from a rational guess."""
    guess = (3 - gap + math.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap)
    for _ in range(MOST_STEPS):
        value, slope = _log_less_digamma(guess)
        change = (value - gap) / (guess * slope)
        guess /= 1 + change if change > -0.5 else 0.5
        if abs(change) < 1e-14:
            break
    return guess


def _log_less_digamma(a: float) -> tuple[float, float]:
    """The logarithm of a less digamma(a), and the slope of that."""
    from scipy.special import digamma, polygamma

    if a > SERIES:
        value = 1 / (2 * a) + 1 / (12 * a**2) - 1 / (120 * a**4) + 1 / (252 * a**6)
        return value, -1 / (2 * a**2) - 1 / (6 * a**3) + 1 / (30 * a**5) - 1 / (42 * a**7)
    return math.log(a) - float(digamma(a)), 1 / a - float(polygamma(1, a))


def _less_log_gamma(a: float) -> float:
    """The sum a log a - a - log gamma(a), by Stirling's series where a is large."""
    from scipy.special import gammaln

    if a > SERIES:
        return math.log(a / (2 * math.pi)) / 2 - 1 / (12 * a) + 1 / (360 * a**3)
    return a * math.log(a) - a - float(gammaln(a))
