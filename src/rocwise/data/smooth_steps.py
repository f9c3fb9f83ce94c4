"""Increments of the smooth ROC curve, by score and by range of scores.

Ranges are joined exactly (1.16) once the midpoint is known, which needs the sums of all scores.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from rocwise.arrays import Array, Floats, Places
from rocwise.errors import InputError, ScoreRangeError

Ends = tuple[float, float]
Totals = tuple[Fraction, Fraction]
BITS = 30  # 2**30 times the number of rows must fit int64


def in_units(scores: Floats, ends: tuple[float, float] | None, direction: str) -> Floats:
    """Scores rescaled from 0 to 1 between the ends, if any; reversed where lower means positive."""
    if ends is not None:
        low, high = ends
        if low == high:
            raise InputError(
                f"`y_score` has one value only ({low:g}), which rescale=True cannot map "
                "from 0 to 1."
            )
        scores = scores / 2 - low / 2  # halves, since the range itself may overflow
        scores = scores / (high / 2 - low / 2)
    return scores if direction == "higher" else 1.0 - scores


def theta(scores: Floats, midpoint: float | Floats) -> tuple[Floats, Floats]:
    """Theta of a positive and of a negative at each score (1.3, 1.4)."""
    high = scores >= midpoint
    other = 1.0 - scores
    return np.where(high, scores, other), np.where(high, other, scores)


def increments(
    scores: Floats, pos: Array, neg: Array, midpoint: float | Floats
) -> tuple[Floats, Floats]:
    """What each tie group adds to x and to y, before scaling (1.7)."""
    of_positives, of_negatives = theta(scores, midpoint)
    dx = pos * of_negatives + neg * of_positives  # 1 - Theta of one class is that of the other
    dy = pos * of_positives + neg * of_negatives
    return dx, dy


def exact_total(scores: Floats, counts: Array | None = None) -> Fraction:
    """The sum of scores from 0 to 1, as often as counted, exactly: in integers of 30 bits."""
    if not ((scores >= 0.0) & (scores <= 1.0)).all():
        raise ValueError("`scores` must lie between 0 and 1.")
    rest, times = scores, np.ones(1, np.int64) if counts is None else counts
    if times.dtype.kind == "f":
        whole = times.astype(np.int64) if float(times.max()) < 2.0**53 else None
        if whole is None or not np.array_equal(whole, times):
            return Fraction(math.fsum((scores * times).tolist()))
        times = whole
    times, total, shift = np.broadcast_to(times, scores.shape), 0, 0
    while len(rest):
        scaled = rest * 2.0**BITS
        pieces = scaled.astype(np.int64)
        total, shift = (total << BITS) + int(np.dot(pieces, times)), shift + BITS
        rest = scaled - pieces
        left = np.flatnonzero(rest)
        rest, times = rest[left], times[left]
    return Fraction(total, 1 << shift)


def midpoint_from_totals(
    midpoint: str | float,
    totals: Callable[[], Sequence[Fraction]],
    sizes: tuple[int | Fraction, int | Fraction],
) -> float:
    """The midpoint (1.2), rounded once; `totals` sums the scores of negatives and positives."""
    if not isinstance(midpoint, str):
        return midpoint
    if midpoint == "calibrated":
        return 0.5
    negatives, positives = totals()
    n_neg, n_pos = sizes
    if midpoint == "estimated":
        return float((negatives + positives) / (2 * n_pos))
    return float((negatives / n_neg + positives / n_pos) / 2)


@dataclass(frozen=True, slots=True)
class SmoothPlan:
    """How the scores of a large source are used as numbers, not only by their order."""

    midpoint: str | float  # "estimated", "calibrated", "class-means" or a number
    rescale: bool = False  # whether scores are rescaled to 0 to 1 first
    higher: bool = True  # whether higher scores mean positive; else oriented ones are negated
    ends: Ends | None = None  # least and largest score, as soon as an engine has found them
    middle: float | None = None  # the midpoint in use, as soon as an engine has found it

    def within(self, lowest: float, highest: float) -> "SmoothPlan":
        """The plan for scores between these oriented ones, after a check of their range."""
        low, high = (lowest, highest) if self.higher else (0.0 - highest, 0.0 - lowest)
        needs = None
        if not np.isfinite([low, high]).all():
            needs, limit = "finite scores", float(np.finfo(np.float64).max)
            least, most, remedy = -limit, limit, "pass probabilities instead of logits."
        elif not self.rescale and not 0 <= low <= high <= 1:
            needs, least, most = "scores from 0 to 1", 0.0, 1.0
            remedy = "pass probabilities, or rescale=True to map the scores to 0 to 1."
        if needs is not None:
            raise ScoreRangeError(
                f"`smooth_roc` needs {needs}, but `{{argument}}` has values from {low:g} to "
                f"{high:g}; {remedy}",
                least,
                most,
            )
        return replace(self, ends=(low, high))

    def units(self, oriented: Array) -> Floats:
        """Oriented scores on the scale from 0 to 1."""
        scores = np.asarray(oriented, dtype=np.float64)
        direction = "higher" if self.higher else "lower"
        return in_units(
            scores if self.higher else 0.0 - scores, self.ends if self.rescale else None, direction
        )

    def total(self, oriented: Array) -> Fraction:
        """The sum of some scores, without any rounding."""
        return exact_total(self.units(oriented))

    def settled(self, totals: Callable[[], Totals], sizes: tuple[int, int]) -> "SmoothPlan":
        """With its midpoint, from the sums and sizes of negatives and positives."""
        return replace(self, middle=midpoint_from_totals(self.midpoint, totals, sizes))

    def steps(self, oriented: Array, pos: Array, neg: Array, last: Places) -> "SmoothSteps":
        """Steps of a range: distinct scores, descending, with counts; bins end at `last`."""
        assert self.middle is not None
        right, up = increments(self.units(oriented), pos, neg, self.middle)
        risen, run = np.cumsum(up), np.cumsum(right)
        area = float(np.sum(right * (risen - up / 2)))
        return SmoothSteps(
            self, np.diff(risen[last], prepend=0.0), np.diff(run[last], prepend=0.0), area
        )


@dataclass(frozen=True, slots=True, eq=False)
class SmoothSteps:
    """Rise and run of the smooth curve in each bin of a range, and the area below it."""

    plan: SmoothPlan  # with its midpoint
    up: Floats  # of each bin, most positive first, before scaling
    right: Floats
    area: float  # below the whole range by itself, which begins at (0, 0)

    @property
    def midpoint(self) -> float:
        """The midpoint in use."""
        assert self.plan.middle is not None
        return self.plan.middle

    @property
    def sums(self) -> tuple[float, float, float]:
        """Rise, run and area before scaling."""
        return float(self.up.sum()), float(self.right.sum()), self.area

    def matches(self, midpoint: str | float, rescale: bool) -> bool:
        """Whether these steps have this midpoint and scale."""
        return (self.plan.midpoint, self.plan.rescale) == (midpoint, bool(rescale))


def joined_steps(falling: Sequence[SmoothSteps], first: Places) -> SmoothSteps:
    """Steps of ranges in falling order (1.16); `first` has the first part of each bin of all."""
    area = risen = 0.0
    for part in falling:
        rise, run, inner = part.sums
        area += inner + risen * run
        risen += rise
    up, right = (
        np.add.reduceat(np.concatenate([getattr(part, name) for part in falling]), first)
        for name in ("up", "right")
    )
    return SmoothSteps(falling[0].plan, up, right, area)
