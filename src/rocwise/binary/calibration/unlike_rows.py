"""Limits of a calibration whose rows have weights or clusters: by resamples of those rows.

Rows bring their weights and clusters are drawn whole, both classes together, since the share of
positives is what is estimated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rocwise.arrays import Amounts, Floats
from rocwise.binary.calibration.binned_shares import binned, isotonic_at
from rocwise.binary.calibration.local_regression import local_fit
from rocwise.binary.calibration.recalibration import Recalibration, recalibrated
from rocwise.binary.resampling.draws import drawn_times
from rocwise.errors import InputError
from rocwise.inference.intervals.proportions import wilson_limits
from rocwise.primitives.tallies import Tally
from rocwise.results import Interval

CHUNK = 50
FEWEST_FITS = 0.9  # share of resamples that must have a fit for its percentiles to mean anything


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationCurve:
    """Predicted against observed shares, with limits, cases and the mean distance."""

    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats
    count: Amounts
    ece: float


@dataclass(frozen=True, slots=True, eq=False)
class UnlikeRows:
    """The rows of a tally, resampled."""

    data: Tally
    scores: Floats
    level: float
    n_resamples: int
    seed: int

    def amounts(self) -> Iterator[tuple[Amounts, Amounts]]:
        """Positives and negatives at each score of every resample."""
        rows = self.data.rows
        assert rows is not None
        times = drawn_times(rows, self.seed, stratified=False)
        for first in range(0, self.n_resamples, CHUNK):
            drawn = rows.amounts(times(first, min(first + CHUNK, self.n_resamples)))
            yield from zip(*drawn, strict=True)

    def curve(self, found: CalibrationCurve, bins: int, strategy: str) -> CalibrationCurve:
        """The curve with percentiles of what resamples observe at the same predictions.

        A bin without spread is still a share of so many cases: Wilson's limits of the effective
        number of rows, where they are wider.
        """
        drawn = np.array([self._observed(found, *one, bins, strategy) for one in self.amounts()])
        tail = (1 - self.level) / 2
        low, high = np.nanquantile(drawn, [tail, 1 - tail], axis=0)
        n_pos, n_neg = self.data.effective_sizes
        share = found.count / found.count.sum()
        exact = wilson_limits(found.observed, np.maximum(share * (n_pos + n_neg), 1.0), self.level)
        if strategy != "loess":
            low, high = np.fmin(low, exact[0]), np.fmax(high, exact[1])
        return replace(found, low=np.fmin(low, found.observed), high=np.fmax(high, found.observed))

    def _observed(
        self, found: CalibrationCurve, pos: Amounts, neg: Amounts, bins: int, strategy: str
    ) -> Floats:
        """Observed shares of one resample at the predictions of the curve; nan where none is."""
        if strategy == "isotonic":
            places = len(self.scores) - np.searchsorted(
                self.scores[::-1], found.predicted, side="right"
            )
            return isotonic_at(np.minimum(places, len(self.scores) - 1), pos, neg)
        present = (pos + neg) > 0
        if strategy == "loess":
            fit = local_fit(self.scores[present], pos[present], neg[present], self.level)
            return np.asarray(np.interp(found.predicted, fit.predicted, fit.observed))
        first = _firsts(self.scores, self.data, bins, strategy)
        cases = np.add.reduceat((pos + neg)[::-1], first)
        hits = np.add.reduceat(pos[::-1], first)
        return np.asarray(np.divide(hits, cases, out=np.full(len(cases), np.nan), where=cases > 0))

    def fit(self, found: Recalibration) -> Recalibration:
        """Slope and intercepts with percentiles of the fits of resamples."""
        fits = []
        for pos, neg in self.amounts():
            present = (pos + neg) > 0
            one = recalibrated(self.scores[present], pos[present], neg[present], self.level)
            if one is not None:
                fits.append((one.slope, one.intercept, one.in_the_large))
        if len(fits) < FEWEST_FITS * self.n_resamples:
            raise InputError(
                f"only {len(fits):,} of {self.n_resamples:,} resamples have a calibration slope, "
                "the classes of the others are separated; too few rows or clusters for intervals."
            )
        tail = (1 - self.level) / 2
        lows, highs = np.quantile(np.array(fits), [tail, 1 - tail], axis=0)
        words = "bootstrap percentile of whole clusters"
        words = words if self.data.clustered else "bootstrap percentile of rows with their weights"
        ends = [Interval(a, b, self.level, words) for a, b in zip(lows, highs, strict=True)]
        return found._replace(
            slope_interval=ends[0], intercept_interval=ends[1], in_the_large_interval=ends[2]
        )


def _firsts(scores: Floats, data: Tally, bins: int, strategy: str) -> np.ndarray:
    """Where each bin of the data begins, from the lowest score up."""
    shares = binned(scores, data.pos, data.neg, bins, strategy)
    mass = np.cumsum((data.pos + data.neg)[::-1])
    ends = np.cumsum(shares.cases)
    return np.concatenate([[0], np.searchsorted(mass, ends[:-1] * (1 - 1e-12)) + 1])
