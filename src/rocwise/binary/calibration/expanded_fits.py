"""Logistic recalibration of resamples of many rows, from sums that one pass over them gives.

The fit of a resample is near that of the data. Around the latter the score is expanded in powers of
the change of the coefficients up to the third: the sums of the terms are sums over rows of columns
that all resamples share, and the change is where the expanded score is 0.
"""

from __future__ import annotations

from math import comb, factorial
from typing import NamedTuple

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.calibration.recalibration import Recalibration

ORDER = 3
ROUNDS = 30  # each leaves less of the error, by as much as coefficients change
ROUNDING = 1e-12
ENOUGH = 1e-3  # what the last power may add beside the change: another would add far less


class ExpandedFit(NamedTuple):
    """Around which coefficients of the logit, less its mean, the score is expanded."""

    centre: float
    slope: float
    intercept: float
    in_the_large: float

    @classmethod
    def around(cls, fit: Recalibration, centre: float) -> ExpandedFit:
        """The fit of the data."""
        return cls(centre, fit.slope, fit.intercept, fit.in_the_large)

    def columns(self, logits: Floats, positive: Floats, weights: Floats) -> Floats:
        """What each row adds to every sum if it is there once: a row of the table for each sum."""
        x = logits - self.centre
        both = _derivatives(self.intercept + self.slope * logits)
        alone = _derivatives(self.in_the_large + logits)
        found = [positive - both[0], (positive - both[0]) * x]
        for k in range(1, ORDER + 1):
            column = both[k]
            for _ in range(k + 2):
                found.append(column)
                column = column * x
        found += [positive - alone[0], *alone[1:]]
        return np.asarray(weights * np.array(found))

    def solved(self, sums: Floats) -> Floats:
        """Slope, intercept and intercept alone of each resample; nan where sums do not tell."""
        sums = sums / np.abs(sums).max(axis=1, keepdims=True)  # whatever the unit of the weights
        ends = np.cumsum([2, *(k + 2 for k in range(1, ORDER + 1))])
        score, *terms = np.split(sums, ends, axis=1)
        alone = terms.pop()
        with np.errstate(all="ignore"):  # a resample without a fit: nan, as it should be
            change = _change_of_both(score, terms)
            shift = _change_alone(alone)
        slope, intercept = self.slope + change[:, 1], self.intercept + change[:, 0]
        intercept -= change[:, 1] * self.centre
        return np.column_stack([slope, intercept, self.in_the_large + shift])


def _derivatives(logits: Floats) -> list[Floats]:
    """The logistic function and its first three derivatives."""
    small = np.exp(-np.abs(logits))
    share = np.where(logits < 0, small, 1.0) / (1 + small)
    first = small / (1 + small) ** 2
    return [share, first, first * (1 - 2 * share), first * (1 - 6 * first)]


def _change_of_both(score: Floats, terms: list[Floats]) -> Floats:
    """Where the score is 0, by steps with the information of the data's own coefficients."""
    a, b, d = terms[0].T
    determinant = a * d - b * b

    def step(left: Floats) -> Floats:
        first, second = left.T
        both = np.stack([d * first - b * second, a * second - b * first], axis=1)
        return np.asarray(both / determinant[:, None])

    def settled(order: int) -> Floats:
        change = step(score)
        for _ in range(ROUNDS):
            left = score.copy()
            for k in range(2, order + 1):
                left -= _term(terms[k - 1], change, k)
            change = step(left)
        return change

    return _if_enough(settled(ORDER), settled(ORDER - 1))


def _term(sums: Floats, change: Floats, k: int) -> Floats:
    """The k-th power of the expansion, of the score by the intercept and by the slope."""
    powers = np.stack(
        [comb(k, j) * change[:, 0] ** (k - j) * change[:, 1] ** j for j in range(k + 1)], axis=1
    )
    both = [(powers * sums[:, first : first + k + 1]).sum(axis=1) for first in (0, 1)]
    return np.asarray(np.stack(both, axis=1) / factorial(k))


def _change_alone(sums: Floats) -> Floats:
    def settled(order: int) -> Floats:
        change = sums[:, 0] / sums[:, 1]
        for _ in range(ROUNDS):
            left = sums[:, 0].copy()
            for k in range(2, order + 1):
                left -= sums[:, k] * change**k / factorial(k)
            change = left / sums[:, 1]
        return np.asarray(change[:, None])

    return _if_enough(settled(ORDER), settled(ORDER - 1))[:, 0]


def _if_enough(change: Floats, without_last: Floats) -> Floats:
    """The changes, nan for resamples to which the last power still adds more than a trace."""
    added = np.abs(change - without_last).max(axis=1)
    held = added <= ENOUGH * np.abs(change).max(axis=1) + ROUNDING
    return np.where(held[:, None], change, np.nan)
