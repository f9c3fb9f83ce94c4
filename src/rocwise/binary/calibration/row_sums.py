"""Sums over the rows of resamples: of each bin, and for the fits of many rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from rocwise.arrays import Counts, Floats, Places
from rocwise.binary.calibration.expanded_fits import ExpandedFit
from rocwise.binary.resampling.draws import DrawnUnits
from rocwise.data.tally_rows import TallyRows

# Resamples whose sums are one product, each with a row of its own: which others are drawn at the
# same time, and how many, must not matter to the last bit.
TOGETHER = 16
DRAWN = 2**24  # numbers that are drawn at once
# Rows of a product: of so few a linear algebra library makes one thread's work, in one order.
ROWS = 512
PRODUCTS = 32  # whose columns are made together


@dataclass(frozen=True, eq=False)
class RowSums:
    """Rows from the highest score down, and where each bin of them begins and ends."""

    rows: TallyRows
    logits: Floats | None  # of each row, where there is a fit
    cuts: Places
    units: DrawnUnits
    fit: ExpandedFit | None

    def of(self, first: int, last: int) -> tuple[Floats, Floats]:
        """Shares of positives in each bin from the lowest up, and fits, of these resamples."""
        step = TOGETHER
        while step > 1 and step * len(self.rows) > DRAWN:
            step //= 2
        cuts = [first, *range(first - first % step + step, last, step), last]
        shares, fits = zip(*(self._of_some(*run) for run in pairwise(cuts)), strict=True)
        return np.concatenate(shares), np.concatenate(fits)

    def _of_some(self, first: int, last: int) -> tuple[Floats, Floats]:
        times = self.units.times(first, last)
        own = slice(first % TOGETHER, first % TOGETHER + last - first)
        amounts, total = np.zeros((2, len(self.cuts) - 1, last - first)), np.zeros(())
        for place, some in self._blocks:
            drawn = np.take(times, self.units.of_rows[some], axis=1)
            sums = self._summed(drawn, own, some)[own]
            amounts[:, place] += sums[:, :2].T
            total = total + sums
        weighed, hits = amounts[:, ::-1]
        shares = np.full(hits.shape, np.nan)
        np.divide(hits, weighed, out=shares, where=weighed > 0)
        if self.fit is None:
            return shares.T, np.full((last - first, 3), np.nan)
        return shares.T, self.fit.solved(total[:, 2:])

    def _summed(self, times: Counts, own: slice, some: slice) -> Floats:
        """Sums of the columns over these rows, (resample, column), by products of equal size."""
        products = -(-times.shape[1] // ROWS)
        drawn = np.zeros((TOGETHER, products * ROWS))
        drawn[own, : times.shape[1]] = times
        columns = self._columns(some)
        padded = np.zeros((len(columns), products * ROWS))
        padded[:, : times.shape[1]] = columns
        left, right = (part.reshape(len(part), products, ROWS) for part in (drawn, padded))
        return np.asarray((left.transpose(1, 0, 2) @ right.transpose(1, 2, 0)).sum(axis=0))

    def _columns(self, some: slice) -> Floats:
        """Amounts, those of positives, and what the fit needs."""
        positive = self.rows.positive[some].astype(np.float64)
        weights = np.ones_like(positive) if self.rows.weights is None else self.rows.weights[some]
        amounts = np.array([weights, weights * positive])
        if self.fit is None or self.logits is None:
            return amounts
        return np.concatenate([amounts, self.fit.columns(self.logits[some], positive, weights)])

    @cached_property
    def _blocks(self) -> list[tuple[int, slice]]:
        """Rows that are summed together: of one bin, which is told."""
        return list(self._all_blocks())

    def _all_blocks(self) -> Iterator[tuple[int, slice]]:
        for place, (start, stop) in enumerate(pairwise(self.cuts.tolist())):
            for first in range(start, stop, PRODUCTS * ROWS):
                yield place, slice(first, min(first + PRODUCTS * ROWS, stop))
