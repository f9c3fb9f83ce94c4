"""Gumbel's distribution of largest and of smallest values, by one unknown.

With z = (x - m) / s the density of smallest values is exp(z - e^z) / s. The likeliest m makes the
mean of e^z 1, and what is left is a concave function of the logarithm of the rate a = 1 / s.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.distributions.likelihoods.columns import Column, PlaceAndScale
from rocwise.binary.distributions.likelihoods.newton_steps import (
    Likelihood,
    Parameters,
    maximised,
)
from rocwise.kernels.row_formulas import sums_of_rows


def gumbel_fit(column: Column, *, largest: bool) -> PlaceAndScale | None:
    """That of largest values is that of smallest ones of the column with its sign changed."""
    z = -column.z if largest else column.z
    rate = _rate(z, column)
    if rate is None:
        return None
    sums = _Sums(z, -column.moments.mean if largest else column.moments.mean)
    found = sums.at(rate)
    place = sums.top + found.log_mean / rate
    value = math.log(rate) - found.log_mean - rate * (sums.top - sums.mean) - 1
    return PlaceAndScale(-place if largest else place, 1 / rate, value)


def _rate(z: Floats, column: Column) -> float | None:
    """1 / s: of many rows from where some of them have theirs."""
    start = math.pi / math.sqrt(6)
    some, sign = column.few(), -1.0 if z is not column.z else 1.0
    if some is not None:
        deviation, mean = some.moments.deviation, sign * some.moments.mean
        near = _climbed(sign * some.z, mean, start / deviation)
        found = None if near is None else _climbed(z, sign * column.moments.mean, near)
        if found is not None:
            return found
    if column.moments.deviation == 0:
        return None
    return _climbed(z, sign * column.moments.mean, start / column.moments.deviation)


def _climbed(z: Floats, mean: float, start: float) -> float | None:
    sums = _Sums(z, mean)

    def changed(at: Parameters, step: Floats) -> Parameters:
        return (at[0] * math.exp(step[0]),)

    found = maximised(lambda at: sums.likelihood(at[0]), changed, (start,))
    return None if found is None else found[0]


class _Weighted(NamedTuple):
    """With weights exp(a (z - top)): the logarithm of their mean; mean and variance of z - top."""

    log_mean: float
    mean: float
    variance: float


class _Sums:
    """Sums over a column, from its largest number on, so that no weight is above 1."""

    def __init__(self, z: Floats, mean: float) -> None:
        self.z, self.mean, self.top = z, mean, float(z.max())

    def at(self, rate: float) -> _Weighted:
        def add(z: Floats) -> tuple[float, ...]:
            below = z - self.top
            weights = np.exp(rate * below)
            by_place = weights * below
            return weights.sum(), by_place.sum(), (by_place * below).sum()

        total, first, second = sums_of_rows(add, self.z)
        mean = first / total
        variance = max(second / total - mean * mean, 0.0)
        return _Weighted(math.log(total / len(self.z)), mean, variance)

    def likelihood(self, rate: float) -> Likelihood:
        found = self.at(rate)
        away = rate * (self.mean - self.top)
        value = math.log(rate) + away - found.log_mean - 1
        slope = away - rate * found.mean
        bend = rate * rate * found.variance - slope
        return Likelihood(value, np.array([1 + slope]), np.array([[bend]]))
