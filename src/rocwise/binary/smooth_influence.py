"""Influence values of the area under the smooth ROC curve (smAUC)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwise.arrays import Array, Floats
from rocwise.binary.influence import Influence
from rocwise.binary.smooth_roc import SmoothRoc, smooth_curve, warn_of_midpoint
from rocwise.binary.statistics import SmoothArea
from rocwise.binary.unit_scores import unit_scores
from rocwise.data.smooth_steps import theta
from rocwise.data.tally import Tally

REACH = 2.0  # standard errors of the midpoint: scores that far away it may pass
MANY_SCORES = 20  # distinct ones within reach of the midpoint: it moves as if smoothly
USUAL_MIDPOINTS = 0.1, 0.9  # beyond them densities may change within its reach


def smooth_area_influence(data: Tally, statistic: SmoothArea) -> Influence:
    """The smAUC and the influence of a positive and a negative at each score (1.17)."""
    unit_scores(data, "the smAUC", rescale=statistic.rescale)  # has its own error message
    curve = smooth_curve(data, statistic.midpoint, rescale=statistic.rescale)
    warn_of_midpoint(curve.midpoint)
    table = _Scores.of(data, curve, statistic.midpoint)
    scores, pos, neg = table.scores, table.pos, table.neg
    V, H = curve.alpha_v, curve.alpha_h
    of_pos, of_neg = theta(scores, curve.midpoint)
    up, right = pos * of_pos + neg * of_neg, pos * of_neg + neg * of_pos
    side = (np.cumsum(up) - up / 2) / (V * H) - curve.auc / H
    rise = (H - np.cumsum(right) + right / 2) / (V * H) - curve.auc / V
    rate = _rate_of_midpoint(table, curve)
    phi = []
    for kind, (u, r, counts) in enumerate(((of_pos, of_neg, pos), (of_neg, of_pos, neg))):
        size = table.sizes[kind]
        own = size * (u * rise + r * side + (rate * table.factor(kind)) * scores)
        phi.append(own - float(np.dot(counts, own)) / size)
    return Influence(curve.auc, phi[0], phi[1])


def midpoint_is_regular(data: Tally, statistic: SmoothArea) -> bool:
    """Whether resamples move the midpoint past many distinct scores, or not at all."""
    curve = smooth_curve(data, statistic.midpoint, rescale=statistic.rescale)
    table = _Scores.of(data, curve, statistic.midpoint)
    reach = REACH * table.error_of_midpoint()
    near = table.between(curve.midpoint - reach, curve.midpoint + reach)
    usual = USUAL_MIDPOINTS[0] <= curve.midpoint <= USUAL_MIDPOINTS[1]
    return not table.factor(0) or (usual and near.stop - near.start >= MANY_SCORES)


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """Distinct scores from 0 to 1, descending, with their counts, and the choice of midpoint."""

    scores: Floats
    pos: Array
    neg: Array
    sizes: tuple[float, float]
    midpoint: str | float

    @classmethod
    def of(cls, data: Tally, curve: SmoothRoc, midpoint: str | float) -> _Scores:
        scores = unit_scores(data, "the smAUC", rescale=curve.rescaled)
        return cls(scores, data.pos, data.neg, (float(data.n_pos), float(data.n_neg)), midpoint)

    def between(self, low: float, high: float) -> slice:
        """Where the scores from `low` to `high` are."""
        rising = self.scores[::-1]
        first = int(np.searchsorted(rising, low, side="left"))
        last = int(np.searchsorted(rising, high, side="right"))
        return slice(len(rising) - last, len(rising) - first)

    def factor(self, kind: int) -> float:
        """What a score of a positive (0) or negative (1) adds to the midpoint (1.2)."""
        if self.midpoint == "estimated":
            return 0.5 / self.sizes[0]
        return 0.5 / self.sizes[kind] if self.midpoint == "class-means" else 0.0

    def error_of_midpoint(self) -> float:
        """Standard error of the midpoint; 0 for one that was given."""
        if not self.factor(0):
            return 0.0
        variance = 0.0
        for kind, counts in enumerate((self.pos, self.neg)):
            total = float(np.dot(counts, self.scores))
            squares = float(np.dot(counts, self.scores * self.scores))
            variance += self.factor(kind) ** 2 * (squares - total**2 / self.sizes[kind])
        return math.sqrt(max(variance, 0.0))


def _rate_of_midpoint(table: _Scores, curve: SmoothRoc) -> float:
    """Change of the smAUC with the midpoint (1.18); rows within its reach are counted."""
    middle, reach = curve.midpoint, REACH * table.error_of_midpoint()
    low, high = max(middle - reach, 0.0), min(middle + reach, 1.0)
    if low >= high:
        return 0.0
    near = table.between(low, high)
    excess = (table.pos[near] - table.neg[near]).astype(np.float64)
    passed = float(np.dot(excess, 1.0 - 2.0 * table.scores[near])) / (high - low)
    steps = table.pos * table.scores + table.neg * (1.0 - table.scores)
    place = table.between(middle, np.inf).stop
    above, after = float(steps[:place].sum()), float(steps[place:].sum())
    V, H = curve.alpha_v, curve.alpha_h
    return passed * ((after - above) / (V * H) + curve.auc * (1 / H - 1 / V))
