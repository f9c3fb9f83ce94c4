"""Limits of a calibration whose rows have weights or clusters: by resamples of those rows.

Rows bring their weights and clusters are drawn whole, both classes together, since the share of
positives is what is estimated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rocwise.arrays import Amounts, Floats, Places
from rocwise.binary.calibration.binned_shares import binned, isotonic_at
from rocwise.binary.calibration.expanded_fits import ExpandedFit
from rocwise.binary.calibration.local_regression import local_fit
from rocwise.binary.calibration.recalibration import Recalibration, recalibrated
from rocwise.binary.calibration.row_sums import RowSums
from rocwise.binary.resampling.draws import DrawnUnits, drawn_units
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.chunked_draws import ROWS_PER_CELL, in_chunks, side_by_side
from rocwise.inference.proportions import wilson_limits
from rocwise.results import Interval

MANY_ROWS = 2**14  # whose fits are those of their sums
MOST_CUTS = 1000  # between bins: of more it is no loss to look at every score
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

    def limits(
        self, curve: CalibrationCurve, fit: Recalibration | None, bins: int, strategy: str
    ) -> tuple[CalibrationCurve, Recalibration | None]:
        """The curve and the fit with percentiles of what the same resamples give."""
        rows = self.data.rows
        assert rows is not None
        units = drawn_units(rows, self.seed, stratified=False)
        cuts = self._cuts(bins, strategy)
        if cuts is not None and len(rows) > MANY_ROWS and len(cuts) <= MOST_CUTS:
            draw = self._by_sums(units, cuts, fit)
        else:
            draw = self._by_amounts(units, cuts, curve, fit, strategy)
        cells = len(rows) // ROWS_PER_CELL

        def side(first: int, last: int) -> Floats:
            return side_by_side(draw, first, last, len(rows))

        drawn = in_chunks(side, self.n_resamples, cells, None, "calibration")
        shares, fits = np.split(drawn, [len(curve.predicted)], axis=1)
        return self._around(curve, shares, strategy), None if fit is None else self._of(fit, fits)

    def _cuts(self, bins: int, strategy: str) -> Places | None:
        """The first row of each bin, from the highest score down, and the end; None without."""
        if strategy in ("isotonic", "loess"):
            return None
        rows = self.data.rows
        assert rows is not None
        ends = np.append(rows.starts, len(rows))
        firsts = np.append(_firsts(self.scores, self.data, bins, strategy), len(self.scores))
        return np.asarray(ends[len(self.scores) - firsts[::-1]])

    def _by_sums(
        self, units: DrawnUnits, cuts: Places, fit: Recalibration | None
    ) -> Callable[[int, int], Floats]:
        """Of many rows: from sums over them, but where these do not tell the fit."""
        rows = self.data.rows
        assert rows is not None
        logits = expanded = None
        if fit is not None:
            x = np.log(self.scores) - np.log1p(-self.scores)
            logits = np.repeat(x, np.diff(np.append(rows.starts, len(rows))))
            expanded = ExpandedFit.around(fit, float(logits.mean()))
        sums = RowSums(rows, logits, cuts, units, expanded)

        def draw(first: int, last: int) -> Floats:
            shares, fits = sums.of(first, last)
            for k in np.flatnonzero(np.isnan(fits).any(axis=1)) if fit is not None else ():
                fits[k] = self._fitted(*self._amounts(units, first + int(k)))
            return np.concatenate([shares, fits], axis=1)

        return draw

    def _by_amounts(
        self,
        units: DrawnUnits,
        cuts: Places | None,
        curve: CalibrationCurve,
        fit: Recalibration | None,
        strategy: str,
    ) -> Callable[[int, int], Floats]:
        """One resample after the other, by what each has at every score."""

        def draw(first: int, last: int) -> Floats:
            found = np.full((last - first, len(curve.predicted) + 3), np.nan)
            for k in range(first, last):
                amounts = self._amounts(units, k)
                found[k - first, :-3] = self._observed(curve, *amounts, cuts, strategy)
                if fit is not None:
                    found[k - first, -3:] = self._fitted(*amounts)
            return found

        return draw

    def _amounts(self, units: DrawnUnits, replicate: int) -> tuple[Amounts, Amounts]:
        """Positives and negatives at each score of a resample."""
        rows = self.data.rows
        assert rows is not None
        pos, neg = rows.amounts(units.times(replicate, replicate + 1)[:, units.of_rows])
        return pos[0], neg[0]

    def _around(self, found: CalibrationCurve, drawn: Floats, strategy: str) -> CalibrationCurve:
        """The curve with percentiles of what resamples observe at the same predictions.

        A bin without spread is still a share of so many cases: Wilson's limits of the effective
        number of rows, where they are wider.
        """
        tail = (1 - self.level) / 2
        low, high = np.nanquantile(drawn, [tail, 1 - tail], axis=0)
        n_pos, n_neg = self.data.effective_sizes
        share = found.count / found.count.sum()
        exact = wilson_limits(found.observed, np.maximum(share * (n_pos + n_neg), 1.0), self.level)
        if strategy != "loess":
            low, high = np.fmin(low, exact[0]), np.fmax(high, exact[1])
        return replace(found, low=np.fmin(low, found.observed), high=np.fmax(high, found.observed))

    def _observed(
        self,
        found: CalibrationCurve,
        pos: Amounts,
        neg: Amounts,
        cuts: Places | None,
        strategy: str,
    ) -> Floats:
        """Observed shares of one resample at the predictions of the curve; nan where none is."""
        if strategy == "isotonic":
            places = len(self.scores) - np.searchsorted(
                self.scores[::-1], found.predicted, side="right"
            )
            return isotonic_at(np.minimum(places, len(self.scores) - 1), pos, neg)
        if cuts is None:
            present = (pos + neg) > 0
            fit = local_fit(self.scores[present], pos[present], neg[present], self.level)
            return np.asarray(np.interp(found.predicted, fit.predicted, fit.observed))
        rows = self.data.rows
        assert rows is not None
        first = len(self.scores) - np.searchsorted(rows.starts, cuts[:0:-1])
        cases = np.add.reduceat((pos + neg)[::-1], first)
        hits = np.add.reduceat(pos[::-1], first)
        return np.asarray(np.divide(hits, cases, out=np.full(len(cases), np.nan), where=cases > 0))

    def _fitted(self, pos: Amounts, neg: Amounts) -> tuple[float, float, float]:
        """Slope, intercept and intercept alone of one resample; nan where it has none."""
        present = (pos + neg) > 0
        one = recalibrated(self.scores[present], pos[present], neg[present], self.level)
        nothing = (np.nan, np.nan, np.nan)
        return nothing if one is None else (one.slope, one.intercept, one.in_the_large)

    def _of(self, found: Recalibration, drawn: Floats) -> Recalibration:
        """Slope and intercepts with percentiles of the fits of resamples."""
        fits = drawn[~np.isnan(drawn).any(axis=1)]
        if len(fits) < FEWEST_FITS * len(drawn):
            raise InputError(
                f"only {len(fits):,} of {len(drawn):,} resamples have a calibration slope, "
                "the classes of the others are separated; too few rows or clusters for intervals."
            )
        tail = (1 - self.level) / 2
        lows, highs = np.quantile(fits, [tail, 1 - tail], axis=0)
        words = "bootstrap percentile of whole clusters"
        words = words if self.data.clustered else "bootstrap percentile of rows with their weights"
        ends = [Interval(a, b, self.level, words) for a, b in zip(lows, highs, strict=True)]
        return found._replace(
            slope_interval=ends[0], intercept_interval=ends[1], in_the_large_interval=ends[2]
        )


def _firsts(scores: Floats, data: Tally, bins: int, strategy: str) -> Places:
    """Where each bin of the data begins, from the lowest score up."""
    shares = binned(scores, data.pos, data.neg, bins, strategy)
    mass = np.cumsum((data.pos + data.neg)[::-1])
    ends = np.cumsum(shares.cases)
    return np.concatenate([[0], np.searchsorted(mass, ends[:-1] * (1 - 1e-12)) + 1])
