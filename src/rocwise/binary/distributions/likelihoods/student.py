"""Student's t with a place and a scale, by its degrees of freedom n = 1 / e.

Towards e = 0 it is the normal distribution, and there the likelihood is largest where the tails of
the sample are no heavier: where its kurtosis is 3 or less, unless a sharp peak tells otherwise.
Towards small n the likelihood grows without bound where the place is one of the values, so the
maximum is one that steps from the normal distribution lead to, or there is none.
"""

from __future__ import annotations

import math

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.distributions.likelihoods.columns import Column, PlaceAndScale
from rocwise.binary.distributions.likelihoods.logistic import scaled_and_shifted
from rocwise.binary.distributions.likelihoods.newton_steps import (
    Likelihood,
    Parameters,
    maximised,
)
from rocwise.kernels.row_formulas import sums_of_rows

NORMAL = 1e-6  # 1 / degrees of freedom, below which likelihoods cannot be told from the normal's
MOST_FREEDOM = 1e12  # stands for the normal distribution
TRIED = (0.01, 0.03, 0.07, 0.13, 0.2, 0.3, 0.45, 0.7, 1.0, 1.6, 2.5, 4.0, 7.0, 12.0, 20.0)
NARROWEST = 1e-12  # a scale beside that before and beside the place
SERIES = 0.01


def student_fit(column: Column) -> tuple[float, PlaceAndScale] | None:
    """Degrees of freedom; place, scale and likelihood."""
    mean, deviation, kurtosis = column.moments
    if deviation == 0:
        return None
    value = -math.log(deviation) - (1 + math.log(2 * math.pi)) / 2
    normal = MOST_FREEDOM, PlaceAndScale(mean, deviation, value)
    for start in _starts(column.few() or column):
        if start[2] <= NORMAL:
            if kurtosis <= 3:
                return normal
            start = mean, deviation, TRIED[0]
        found = maximised(lambda at: _likelihood(column.z, at), _changed, start)
        if found is None or _in_one_value(column, found, start):
            continue
        if found[2] <= NORMAL:
            return normal
        value = _likelihood(column.z, found).value
        return 1 / found[2], PlaceAndScale(found[0], found[1], value)
    return None


def _in_one_value(column: Column, found: Parameters, start: Parameters) -> bool:
    """Whether the search has ended there, or between two that floats hardly tell apart."""
    place = abs(column.value(found[0]))
    return found[1] < NARROWEST * start[1] or found[1] * column.unit < NARROWEST * place


def _starts(column: Column) -> list[Parameters]:
    """Where the likelihood has a maximum among the degrees of freedom tried, the largest first.

    Place and scale of each follow from those of the one before.
    """
    mean, deviation, _ = column.moments
    profile: list[Parameters] = [(mean, deviation, NORMAL)]
    for inverse in TRIED:
        found = _with_freedom(column.z, profile[-1][:2], inverse)
        if found is None or found[1] < NARROWEST * profile[-1][1]:
            break
        profile.append(found)
    values = [_likelihood(column.z, at).value for at in profile]
    around = [-math.inf, *values, -math.inf]
    tops = [k for k, value in enumerate(values) if value >= max(around[k], around[k + 2])]
    return [profile[k] for k in sorted(tops, key=lambda k: -values[k])]


def _with_freedom(z: Floats, start: Parameters, inverse: float) -> Parameters | None:
    """Place and scale at these degrees of freedom."""

    def likelihood(at: Parameters) -> Likelihood:
        value, score, information = _likelihood(z, (*at, inverse))
        return Likelihood(value, score[:2], information[:2, :2])

    found = maximised(likelihood, scaled_and_shifted, start)
    return None if found is None else (*found, inverse)


def _changed(at: Parameters, step: Floats) -> Parameters:
    return *scaled_and_shifted(at[:2], step), max(at[2] + float(step[2]), NORMAL)


def _likelihood(z: Floats, at: Parameters) -> Likelihood:
    """With y = (x - m) / s and t = e y**2: log c(e) - log s - (1 + e) / (2 e) log(1 + t)."""
    place, scale, inverse = at
    if not scale > 0:
        return Likelihood(-math.inf, np.full(3, np.nan), np.full((3, 3), np.nan))
    sums = sums_of_rows(lambda some: _row_sums(some, place, scale, inverse), z)
    logs, pull, pulled, bend, leaning, spread, by_pull, by_scale, slope, curve = (
        total / len(z) for total in sums
    )
    constant, constant_slope, constant_curve = _constant(inverse)
    score = np.array([pull, pulled - 1, constant_slope + slope])
    information = -np.array(
        [
            [-bend, -leaning - pull, by_pull],
            [-leaning - pull, -spread - pulled, by_scale],
            [by_pull, by_scale, constant_curve + curve],
        ]
    )
    if inverse <= NORMAL and score[2] < 0:  # at the end of what there is
        score[2], information[2, :2], information[:2, 2], information[2, 2] = 0.0, 0.0, 0.0, 1.0
    value = constant - math.log(scale) - (1 + inverse) / (2 * inverse) * logs
    return Likelihood(value, score, information)


def _row_sums(z: Floats, place: float, scale: float, inverse: float) -> tuple[float, ...]:
    """Of log(1 + t), and of the derivatives by place, scale and e."""
    with np.errstate(
        over="ignore", invalid="ignore"
    ):  # a scale far too small: the step is taken back
        y = (z - place) / scale
        squares = y * y
        t = inverse * squares
        near = 1 / (1 + t)
        logs = np.log1p(t)
        weights = (1 + inverse) * near
        pull = weights * y
        bend = weights * near * (1 - t)
        by_pull = y * (1 - squares) * near * near
        shares = squares * near
        twice = near * (1 + (2 + inverse) * t) + 1
        slope = logs / (2 * inverse**2) - (1 + inverse) / (2 * inverse) * shares
        curve = shares * twice / (2 * inverse**2) - logs / inverse**3
        leaning = bend * y
        columns = (
            logs,
            pull,
            pull * y,
            bend,
            leaning,
            leaning * y,
            by_pull,
            by_pull * y,
            slope,
            curve,
        )
        return tuple(column.sum() for column in columns)


def _constant(inverse: float) -> tuple[float, float, float]:
    """What stands before the density, c(e): its logarithm and the two derivatives of that by e."""
    from scipy.special import digamma, gammaln, polygamma

    root = -math.log(2 * math.pi) / 2
    e = inverse
    if e < SERIES:
        value = -e / 4 + e**3 / 24 - e**5 / 20 + 17 * e**7 / 112
        slope = -1 / 4 + e**2 / 8 - e**4 / 4 + 17 * e**6 / 16
        return root + value, slope, e / 4 - e**3 + 51 * e**5 / 8
    n = 1 / e
    half, more = n / 2, (n + 1) / 2
    value = float(gammaln(more) - gammaln(half)) - math.log(half) / 2
    by_n = float(digamma(more) - digamma(half)) / 2 - 1 / (2 * n)
    twice = float(polygamma(1, more) - polygamma(1, half)) / 4 + 1 / (2 * n * n)
    return root + value, -n * n * by_n, n**4 * twice + 2 * n**3 * by_n
