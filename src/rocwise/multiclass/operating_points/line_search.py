"""The exact best weight of one class when the others are fixed: one sort, one running sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats, Places

SAME_LOG = 1e-12  # ratios closer than this in logarithm are one cut
SAME_COST = 1e-12  # costs closer than this, relatively, are equal


@dataclass(frozen=True, slots=True, eq=False)
class Rivals:
    """The best of the other classes in every row.

    Attributes
    ----------
    values : ndarray (n,)
        Largest weighted confidence among them.
    losses : ndarray (n,)
        What calling that class costs.
    """

    values: Floats
    losses: Floats


@dataclass(frozen=True, slots=True)
class Found:
    """A weight and the expected cost that goes with it, up to rounding."""

    weight: float
    cost: float


def rivals_of(scores: Floats, losses: Floats, weights: Floats, others: list[int]) -> Rivals:
    """The best of `others` in every row; ties: the first of them in the order of the classes."""
    among = np.array(sorted(others), dtype=np.int64)
    values, classes = kernels.largest_weighted(scores, weights, among)
    return Rivals(values, losses[classes, np.arange(len(values))])


class Contest:
    """The rivals of each class in turn, from the first to the last, without starting over.

    The best of the classes after each is worked out beforehand, the best of those before it as
    the turn passes on, so that one class costs a few passes over the rows whatever their number.
    """

    def __init__(self, scores: Floats, losses: Floats, weights: Floats) -> None:
        self._scores, self._losses = scores, losses
        self._before: Rivals | None = None
        self._after: list[Rivals | None] = [None]
        for k in range(len(weights) - 1, 0, -1):
            self._after.append(_better(self._entry(k, weights[k]), self._after[-1]))

    def next_rivals(self) -> Rivals:
        """The rivals of the class whose turn it is."""
        rivals = _better(self._before, self._after[-1])
        if rivals is None:
            raise ValueError("a class alone has no rivals")
        return rivals

    def pass_on(self, k: int, weight: float) -> None:
        """The turn of class k ends with this weight."""
        self._after.pop()
        self._before = _better(self._before, self._entry(k, weight))

    def _entry(self, k: int, weight: float) -> Rivals:
        return Rivals(self._scores[k] * weight, self._losses[k])


def _better(first: Rivals | None, second: Rivals | None) -> Rivals | None:
    """Row by row the better of two; the first on ties."""
    if first is None or second is None:
        return second if first is None else first
    beaten = second.values > first.values
    return Rivals(
        np.maximum(first.values, second.values), np.where(beaten, second.losses, first.losses)
    )


def cuts(distinct: Floats) -> Floats:
    """Weights that tell rows apart whose ratios differ: below, between and above them.

    >>> cuts(np.array([1.0, 4.0])).tolist()
    [0.5, 2.0, 8.0]
    """
    between = np.sqrt(distinct[:-1]) * np.sqrt(distinct[1:])
    return np.concatenate((distinct[:1] / 2, between, distinct[-1:] * 2))


def best_weight(own: Floats, own_losses: Floats, rivals: Rivals) -> Found | None:
    """The cheapest weight of one class, the smallest if several; None if no weight matters.

    Row i is called the class iff the weight exceeds rho_i = rival_i / own_i. Rows without
    confidence in the class are never called it, rows whose rivals have none always are.

    Parameters
    ----------
    own : ndarray (n,)
        Scores of the class.
    own_losses : ndarray (n,)
        What calling the rows that class costs.
    rivals : Rivals
        The best of the other classes.
    """
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        ratios = rivals.values / own
    changes = own_losses - rivals.losses
    start = float(rivals.losses.sum())
    undecided = (ratios > 0) & (ratios < np.inf)  # nan: no confidence in any class
    if not undecided.all():
        start += float(changes[(ratios == 0) & (own > 0)].sum())
        ratios, changes = ratios[undecided], changes[undecided]
    if not len(ratios):
        return None
    order = np.argsort(ratios)
    ratios = ratios[order]
    ends = _group_ends(ratios)
    running = np.concatenate(([0.0], np.cumsum(changes[order])[ends]))
    tolerance = SAME_COST * float(np.abs(running).max())
    chosen = int(np.argmax(running <= running.min() + tolerance))
    return Found(_cut(ratios, ends, chosen), start + float(running[chosen]))


def _group_ends(ratios: Floats) -> Places:
    """Places of the last row of every group of equal ratios, in ascending order."""
    apart = ratios[1:] > ratios[:-1] * (1.0 + SAME_LOG)
    return np.append(np.flatnonzero(apart), len(ratios) - 1)


def _cut(ratios: Floats, ends: Places, chosen: int) -> float:
    """The weight at which exactly the first `chosen` groups are called the class."""
    if chosen == 0:
        return float(ratios[0]) / 2
    if chosen == len(ends):
        return float(ratios[-1]) * 2
    last = ends[chosen - 1]
    return float(cuts(ratios[[last, last + 1]])[1])
