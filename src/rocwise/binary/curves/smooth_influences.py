"""How much every case moves the area under the smooth ROC curve.

With V, H and A the rise, the run and the area of the curve before scaling, smAUC = A / (V H). A
case that rises by u and runs by r = 1 - u, with the rise Y above it and the run X after it, adds u,
r and r Y + u X to them, ties in equal parts; that moves the smAUC by

    smAUC ((r Y + u X) / A - u / V - r / H).                                      (1.17)

It also moves an estimated midpoint m. Where m passes a score s, a positive rises by 1 - 2 s more
and a negative by as much less. So with g positives less negatives per unit of score at m, the smAUC
moves with m at the rate

    smAUC (1 - 2 m) g ((X(m) - Y(m)) / A - 1 / V + 1 / H).                        (1.18)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Floats
from rocwise.binary.smooth_roc import SmoothRoc
from rocwise.binary.unit_scores import unit_scores
from rocwise.data.amounts.smooth_steps import theta
from rocwise.data.tally import Tally

REACH = 2.0  # standard errors of the midpoint: scores that far away it may pass
MANY_SCORES = 20  # distinct ones within reach of the midpoint: it moves as if smoothly
USUAL_MIDPOINTS = 0.1, 0.9  # beyond them densities may change within its reach
BLOCK = 2**14  # scores at a time, so that what is made of them stays in the caches


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """Distinct scores from 0 to 1, descending, with their cases, and how the midpoint was asked."""

    scores: Floats
    pos: Array
    neg: Array
    sizes: tuple[float, float]
    midpoint: str | float

    @classmethod
    def of(cls, data: Tally, curve: SmoothRoc, midpoint: str | float) -> _Scores:
        scores = unit_scores(data, "the smAUC", rescale=curve.rescaled)
        return cls(scores, data.pos, data.neg, (float(data.n_pos), float(data.n_neg)), midpoint)

    def blocks(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[slice, Floats]]:
        """Places of scores; and scores, positives and negatives there, in rows."""
        stop = len(self.scores) if stop is None else stop
        for first in range(start, stop, BLOCK):
            places = slice(first, min(first + BLOCK, stop))
            yield places, np.stack([self.scores[places], self.pos[places], self.neg[places]])

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
        sums, squares = np.zeros(2), np.zeros(2)
        for _, (scores, *counts) in self.blocks():
            for kind, held in enumerate(counts):
                weighted = held * scores
                sums[kind] += weighted.sum()
                squares[kind] += kernels.dot(weighted, scores)
        spreads = squares - sums**2 / self.sizes
        factors = np.array([self.factor(0), self.factor(1)])
        return math.sqrt(max(kernels.dot(factors**2, spreads), 0.0))


def smooth_influence(data: Tally, curve: SmoothRoc, midpoint: str | float) -> tuple[Floats, Floats]:
    """What a positive and a negative at each distinct score add to the smAUC, less their means.

    `curve` is that of the data, `midpoint` how its midpoint was asked for. Sums of their squares
    over the cases of a class are what it has of the variance of the smAUC.
    """
    table = _Scores.of(data, curve, midpoint)
    positives, negatives = np.empty(len(table.scores)), np.empty(len(table.scores))
    rate = _rate_of_midpoint(table, curve)
    V, H = curve.alpha_v, curve.alpha_h
    means = [0.0, 0.0]
    risen = run = 0.0
    for places, (scores, pos, neg) in table.blocks():
        of_pos, of_neg = theta(scores, curve.midpoint)
        up, right = pos * of_pos + neg * of_neg, pos * of_neg + neg * of_pos
        above, before = np.cumsum(up), np.cumsum(right)
        side = (risen + above - up / 2) / (V * H) - curve.auc / H
        rise = (H - run - before + right / 2) / (V * H) - curve.auc / V
        risen, run = risen + float(above[-1]), run + float(before[-1])
        for kind, (moved, u, r, held) in enumerate(
            ((positives, of_pos, of_neg, pos), (negatives, of_neg, of_pos, neg))
        ):
            moved[places] = u * rise + r * side + (rate * table.factor(kind)) * scores
            means[kind] += kernels.dot(held, moved[places]) / table.sizes[kind]
    positives -= means[0]
    negatives -= means[1]
    return positives, negatives


def midpoint_is_regular(data: Tally, curve: SmoothRoc, midpoint: str | float) -> bool:
    """Whether resamples move the midpoint past many distinct scores, or not at all."""
    table = _Scores.of(data, curve, midpoint)
    reach = REACH * table.error_of_midpoint()
    near = table.between(curve.midpoint - reach, curve.midpoint + reach)
    usual = USUAL_MIDPOINTS[0] <= curve.midpoint <= USUAL_MIDPOINTS[1]
    return not table.factor(0) or (usual and near.stop - near.start >= MANY_SCORES)


def _rate_of_midpoint(table: _Scores, curve: SmoothRoc) -> float:
    """Change of the smAUC with the midpoint (1.18); cases within its reach are counted."""
    middle, reach = curve.midpoint, REACH * table.error_of_midpoint()
    low, high = max(middle - reach, 0.0), min(middle + reach, 1.0)
    if low >= high:
        return 0.0
    near = table.between(low, high)
    excess = (table.pos[near] - table.neg[near]).astype(np.float64)
    passed = kernels.dot(excess, 1.0 - 2.0 * table.scores[near]) / (high - low)
    V, H = curve.alpha_v, curve.alpha_h
    above, after = _around_midpoint(table, middle)
    return passed * ((after - above) / (V * H) + curve.auc * (1 / H - 1 / V))


def _around_midpoint(table: _Scores, middle: float) -> tuple[float, float]:
    """The rise of the scores from the midpoint up, and the run of those below it."""
    place = table.between(middle, np.inf).stop
    above = after = 0.0
    for _, (scores, pos, neg) in table.blocks(0, place):
        above += float((pos * scores + neg * (1.0 - scores)).sum())
    for _, (scores, pos, neg) in table.blocks(place):
        after += float((pos * scores + neg * (1.0 - scores)).sum())
    return above, after
