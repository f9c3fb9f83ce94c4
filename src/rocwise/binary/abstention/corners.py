"""Which windows can be best: their two thresholds are always corners of the ROC convex hull.

A window calls the lowest scores negative, the highest positive, and leaves those between undecided.
Its cost is a sum of one term per threshold, each linear in the two cumulated weights, so that
every threshold that is ever best is a corner of one convex chain, found once in linear time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rocwise.arrays import Floats, Places
from rocwise.binary.curves.convex_hulls import hull_counts
from rocwise.errors import InputError
from rocwise.primitives.tallies import Tally

TIED = 1e-12  # slopes that differ by less than this share leave costs that count as equal


@dataclass(frozen=True, eq=False)
class WindowCorners:
    """The corners of the chain, from 'call nothing negative' to 'call everything negative'.

    Attributes
    ----------
    missed : ndarray
        Weight of the positives at or below each corner: W+ of (5.6).
    cleared : ndarray
        Weight of the negatives at or below each corner: W-.
    slopes : ndarray
        Missed over cleared weight between neighbouring corners; rising.
    alarms : ndarray
        How many distinct scores lie above each corner.
    hull : tuple of ndarray
        FPR and TPR of the corners of the ROC convex hull, from (0, 0) to (1, 1).
    """

    missed: Floats
    cleared: Floats
    slopes: Floats
    alarms: Places
    hull: tuple[Floats, Floats]

    @property
    def weight(self) -> Floats:
        """Weight of all cases at or below each corner."""
        return self.missed + self.cleared

    def first_best(self, ratio: ArrayLike) -> Places:
        """The lowest corner with the least missed - ratio * cleared."""
        at = np.asarray(ratio, dtype=np.float64) * (1 - TIED)
        return np.asarray(np.searchsorted(self.slopes, at, side="left"))

    def last_best(self, ratio: ArrayLike) -> Places:
        """The highest corner with the least missed - ratio * cleared."""
        at = np.asarray(ratio, dtype=np.float64) * (1 + TIED)
        return np.asarray(np.searchsorted(self.slopes, at, side="right"))


def window_corners(data: Tally, prevalence: float) -> WindowCorners:
    """The corners of a tally whose positives are given the share `prevalence`."""
    corners, tp, fp = hull_counts(data)
    hull = fp / data.n_neg, tp / data.n_pos
    corners, tp, fp = corners[::-1], tp[::-1], fp[::-1]
    missed = prevalence * ((data.n_pos - tp) / data.n_pos)
    cleared = (1 - prevalence) * ((data.n_neg - fp) / data.n_neg)
    up, right = -np.diff(tp).astype(np.float64), -np.diff(fp).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = prevalence / np.float64(1 - prevalence)
        slopes = up / right * (float(data.n_neg) / float(data.n_pos) * odds)
    slopes[right == 0] = np.inf
    slopes[up == 0] = 0.0
    return WindowCorners(missed, cleared, slopes, corners, hull)


def middles(data: Tally, alarms: Places, question: str) -> tuple[Floats, Floats]:
    """Mid-gap thresholds below the first `alarms` scores: for the positive and the negative side.

    They differ only where two scores are neighbouring floats with nothing between: the threshold
    of the positive side then is the score above, that of the negative side the score below.
    Infinite thresholds lie beyond every score, also beyond infinite ones.
    """
    scores = np.asarray(data.scores, dtype=np.float64)
    beyond = np.inf if data.direction == "higher" else -np.inf
    above = np.where(alarms > 0, scores[alarms - 1], beyond)
    below = np.where(alarms < len(scores), scores[np.minimum(alarms, len(scores) - 1)], -beyond)
    inner = (alarms > 0) & (alarms < len(scores))
    middle = np.where(inner, 0.0, np.where(alarms > 0, -beyond, beyond))
    middle[inner] = _between(above[inner], below[inner])
    merged = inner & ((above == below) | np.isinf(middle))
    if merged.any():
        raise InputError(
            f"`{question}` needs scores that differ as floats, but two of `y_score` are both "
            f"{above[merged][0]:g}; subtract a constant from the scores."
        )
    onto_below, onto_above = inner & (middle == below), inner & (middle == above)
    return np.where(onto_below, above, middle), np.where(onto_above, below, middle)


def _between(one: Floats, other: Floats) -> Floats:
    """Middles of pairs of scores; by an infinite score the first float beyond the finite one."""
    first, second = np.isinf(one), np.isinf(other)
    with np.errstate(invalid="ignore", over="ignore"):
        middle = one / 2 + other / 2  # halves first: no overflow
        middle[second] = np.nextafter(one[second], other[second])
        middle[first] = np.nextafter(other[first], one[first])
    middle[first & second & (one != other)] = 0.0
    return np.asarray(middle)
