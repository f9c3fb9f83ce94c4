"""Which windows can be best: their two thresholds are always vertices of the ROC convex hull.

A window calls the lowest scores negative, the highest positive, and leaves those between undecided.
Its cost is a sum of one term per threshold, each linear in the two cumulated weights, so that
every threshold that is ever best is a vertex of one convex hull, found once in linear time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rocwise.arrays import Floats, Places
from rocwise.binary.roc import hull_counts
from rocwise.data.tally import Tally

TIED = 1e-12  # slopes that differ by less than this share leave costs that count as equal


@dataclass(frozen=True, eq=False)
class HullVertices:
    """The vertices of the hull, from 'call nothing negative' to 'call everything negative'.

    Attributes
    ----------
    missed : ndarray
        Weight of the positives at or below each vertex: W+ of (5.6).
    cleared : ndarray
        Weight of the negatives at or below each vertex: W-.
    slopes : ndarray
        Missed over cleared weight between neighbouring vertices; rising.
    alarms : ndarray
        How many distinct scores lie above each vertex.
    rates : tuple of ndarray
        FPR and TPR of the ROC convex hull, from (0, 0) to (1, 1).
    """

    missed: Floats
    cleared: Floats
    slopes: Floats
    alarms: Places
    rates: tuple[Floats, Floats]

    @property
    def weight(self) -> Floats:
        """Weight of all cases at or below each vertex."""
        return self.missed + self.cleared

    def first_best(self, ratio: ArrayLike) -> Places:
        """The lowest vertex with the least missed - ratio * cleared."""
        at = np.asarray(ratio, dtype=np.float64) * (1 - TIED)
        return np.asarray(np.searchsorted(self.slopes, at, side="left"))

    def last_best(self, ratio: ArrayLike) -> Places:
        """The highest vertex with the least missed - ratio * cleared."""
        at = np.asarray(ratio, dtype=np.float64) * (1 + TIED)
        return np.asarray(np.searchsorted(self.slopes, at, side="right"))


def hull_vertices(data: Tally, prevalence: float) -> HullVertices:
    """The hull of a tally whose positives are given the share `prevalence`."""
    places, tp, fp = hull_counts(data)
    rates = fp / data.n_neg, tp / data.n_pos
    places, tp, fp = places[::-1], tp[::-1], fp[::-1]
    missed = prevalence * ((data.n_pos - tp) / data.n_pos)
    cleared = (1 - prevalence) * ((data.n_neg - fp) / data.n_neg)
    dy, dx = -np.diff(tp).astype(np.float64), -np.diff(fp).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = prevalence / np.float64(1 - prevalence)
        slopes = dy / dx * (float(data.n_neg) / float(data.n_pos) * odds)
    slopes[dx == 0] = np.inf
    slopes[dy == 0] = 0.0
    return HullVertices(missed, cleared, slopes, places, rates)
