"""Measures at points of resampled curves: the points are found anew on each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Floats
from rocwise.binary.points.measures import Limits, Measured
from rocwise.binary.points.places import Asked, places_of_thresholds
from rocwise.binary.resampling.precision_statistics import shares_from_zero
from rocwise.binary.threshold_rules import cells_of
from rocwise.data.tally import Tally
from rocwise.inference.effective_sizes import rate_at_rate


@dataclass(frozen=True, slots=True, eq=False)
class PointMeasures:
    """Every measure at every point asked for, of one curve or of many resampled ones."""

    asked: Asked
    measured: Measured
    prevalence: float | None

    @property
    def name(self) -> str:
        """What the numbers are called."""
        return f"measures at {self.asked.axis}"

    def of_counts(self, data: Tally) -> Callable[[Amounts, Amounts], Floats]:
        """Per row of counts the measures, as (rows, measures, points)."""
        places = places_of_thresholds(data, self.asked)
        share = self.share_of(data)

        def measures(pos: Amounts, neg: Amounts) -> Floats:
            tpr, fpr = shares_from_zero(pos), shares_from_zero(neg)
            found = self.asked.on(tpr, fpr, places, share)
            return self._values(data, found.tpr, found.fpr)

        return measures

    def reader(self, data: Tally) -> kernels.Reader | None:
        """The same in compiled code, which reads both rates; none for points between two others."""
        if self.asked.interpolate:
            return None
        kind, numbers = self.asked.in_numbers(data, self.share_of(data))
        k = len(self.asked.values)

        def finished(read: Floats) -> Floats:
            return self._values(data, read[:, :k], read[:, k : 2 * k])

        return kernels.Reader(kind, numbers, width=2 * k + 2, finished=finished)

    def share_of(self, data: Tally) -> float:
        """The share of the positives."""
        own = float(data.n_pos / (data.n_pos + data.n_neg))
        return own if self.prevalence is None else self.prevalence

    def _values(self, data: Tally, tpr: Floats, fpr: Floats) -> Floats:
        tp, fp = tpr * data.n_pos, fpr * data.n_neg
        cells = cells_of(tp, fp, data.n_pos, data.n_neg, self.prevalence)
        return np.moveaxis(self.measured.values(cells), 0, 1)


def rate_limits(data: Tally, asked: Asked, values: Floats, draws: Floats, level: float) -> Limits:
    """Limits of the rate that is left free where the other one is fixed, one per point.

    Percentiles fall far short with few cases, and near 0 and 1: Wilson's limits with an effective
    size take their place, with the variance of the resamples.
    """
    cases, others = data.effective_sizes
    if asked.axis == "sensitivity":
        cases, others = others, cases
    found = [
        rate_at_rate(value, variance, cases, others, rate).limits((1 - level) / 2)
        for value, variance, rate in zip(
            values.tolist(), draws.var(axis=0, ddof=1).tolist(), asked.values.tolist(), strict=True
        )
    ]
    low, high = np.array(found).T
    return low, high


def percentiles(draws: Floats, level: float) -> Limits:
    """Limits of what resamples gave, those left out in which it is undefined.

    Draws themselves, never between two: a likelihood ratio may be infinite.
    """
    tail = (1 - level) / 2
    missing = np.isnan(draws).all(axis=0)
    filled = np.where(missing, 0.0, draws)
    low, high = np.nanquantile(filled, [tail, 1 - tail], axis=0, method="inverted_cdf")
    return np.where(missing, np.nan, low), np.where(missing, np.nan, high)
