"""The exact best weight of one class when the others are fixed: the cheapest cut of its ratios."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats

NOBODY = -1.0  # the score of a rival that is not there: every class is better


@dataclass(frozen=True, slots=True)
class Found:
    """A weight and the expected cost that goes with it, up to rounding."""

    weight: float
    cost: float


def rivals_of(scores: Floats, losses: Floats, weights: Floats, others: list[int]) -> Floats:
    """The best of `others` in every row; ties: the first of them in the order of the classes.

    A line of their largest weighted confidence, and one of what calling that class costs.
    """
    rivals = nobody(scores.shape[1])
    for k in sorted(others):
        own = scores[k], weights[k], losses[k]
        kernels.better_rivals(rivals, *own, own_first=False, out=rivals)
    return rivals


def nobody(n_rows: int) -> Floats:
    """Rivals of rows that have none."""
    rivals = np.zeros((2, n_rows))
    rivals[0] = NOBODY
    return rivals


class Contest:
    """The rivals of each class in turn, from the first to the last, without starting over.

    The best of the classes after each is worked out beforehand, the best of those before it as
    the turn passes on, so that one class costs a few passes over the rows whatever their number.
    """

    def __init__(self, scores: Floats, losses: Floats) -> None:
        self._scores, self._losses = scores, losses
        m, n = scores.shape
        self._before: Floats = nobody(n)
        self._after: list[Floats] = [np.empty((2, n)) for _ in range(m)]
        self._after.append(nobody(n))
        self._ratios: Floats = np.empty((2, n))

    def begin(self, weights: Floats) -> float:
        """Come to the turn of the first class, and say what these weights cost."""
        for k in range(len(weights) - 1, -1, -1):
            better = self._after[k + 1], self._scores[k], weights[k], self._losses[k]
            kernels.better_rivals(*better, own_first=True, out=self._after[k])
        self._before[0] = NOBODY
        return float(self._after[0][1].sum())

    def best_weight(self, k: int) -> Found | None:
        """The cheapest weight of class k, whose turn it is; None if no weight matters."""
        rivals = self._before, self._after[k + 1]
        return best_weight(self._scores[k], self._losses[k], *rivals, out=self._ratios)

    def pass_on(self, k: int, weight: float) -> None:
        """The turn of class k ends with this weight."""
        own = self._scores[k], weight, self._losses[k]
        kernels.better_rivals(self._before, *own, own_first=False, out=self._before)

    def cost(self) -> float:
        """What the weights cost with which all turns have ended."""
        return float(self._before[1].sum())


def best_weight(
    own: Floats,
    own_losses: Floats,
    rivals: Floats,
    others: Floats | None = None,
    out: Floats | None = None,
) -> Found | None:
    """The cheapest weight of one class, the smallest if several; None if no weight matters.

    Row i is called the class iff the weight exceeds rho_i = rival_i / own_i. Rows without
    confidence in the class are never called it, rows whose rivals have none always are.

    Parameters
    ----------
    own : ndarray (n,)
        Scores of the class.
    own_losses : ndarray (n,)
        What calling the rows that class costs.
    rivals, others : ndarray (2, n)
        The best of the other classes, as `rivals_of` gives them, or of two parts of them.
    out : ndarray (2, n), optional
        Room to work in.
    """
    others = rivals if others is None else others
    start, table = kernels.rival_ratios(own, own_losses, rivals, others, out)
    cut = kernels.cheapest_cut(*table)
    if cut.above == inf and cut.below == -inf:
        return None
    return Found(_between(cut.below, cut.above), start + cut.change)


def _between(below: float, above: float) -> float:
    """The weight at which exactly the rows with ratios up to `below` are called the class."""
    if below == -inf:
        return above / 2
    if above == inf:
        return below * 2
    return sqrt(below) * sqrt(above)
