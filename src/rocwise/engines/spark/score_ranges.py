"""Ranges of scores with about equally many rows, and how many rows each holds.

The ends come from a sample, the numbers from a count of all rows. A score that alone fills a
range, and more, has a range of its own: the number of its rows says all of it, so that they need
not meet in one place.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwise.arrays import Array, Counts, Flags, Floats, Mask


@dataclass(frozen=True, eq=False)
class ScoreRanges:
    """Ranges from each of the bounds, itself included, up to the next.

    Attributes
    ----------
    bounds : ndarray of float64
        Rising; one less than there are ranges.
    pos, neg : ndarray of int64 or None
        Rows of each class in each range; None as long as nobody has counted.

    Examples
    --------
    >>> ranges = ScoreRanges(np.array([0.5, 0.7]))
    >>> len(ranges), ranges.places(np.array([0.5, 0.1, 9.0])).tolist()
    (3, [1, 0, 2])
    """

    bounds: Floats
    pos: Counts | None = None
    neg: Counts | None = None

    def __len__(self) -> int:
        return len(self.bounds) + 1

    def places(self, scores: Array) -> Array:
        """The number of the range of each score."""
        return np.searchsorted(self.bounds, scores, side="right")

    @cached_property
    def single(self) -> Flags:
        """Which ranges hold one score only, and were counted."""
        if not self.counted:
            return np.zeros(len(self), np.bool_)
        ends = np.append(self.bounds[1:], np.inf)
        with np.errstate(over="ignore"):
            alone = np.nextafter(self.bounds, np.inf) == ends
        alone[-1:] &= np.isposinf(self.bounds[-1:])  # without an end, only infinity is alone
        lowest = self.bounds[:1] == np.finfo(np.float64).min  # below it there is -inf only
        return np.concatenate([lowest if len(lowest) else [False], alone])

    def lowest(self, place: int) -> float:
        """Where a range begins."""
        return float(self.bounds[place - 1]) if place else -np.inf

    def negated(self) -> ScoreRanges:
        """The same ranges of negated scores, the lowest of which were the highest.

        s >= b is the same as -s < nextafter(-b), so that not one row changes its range.

        >>> ranges = ScoreRanges(np.array([0.5]), np.array([3, 1]), np.array([0, 2])).negated()
        >>> ranges.places(np.array([-0.6, -0.5, -0.4])).tolist(), ranges.pos.tolist()
        ([0, 0, 1], [1, 3])
        """
        with np.errstate(over="ignore"):
            bounds = np.nextafter(-self.bounds[::-1], np.inf) + 0.0  # never -0.0
        if self.pos is None or self.neg is None:
            return ScoreRanges(bounds)
        return ScoreRanges(bounds, self.pos[::-1], self.neg[::-1])

    @property
    def counted(self) -> bool:
        """Whether rows were counted."""
        return self.pos is not None

    @property
    def total(self) -> int:
        """Rows of all ranges."""
        assert self.pos is not None
        assert self.neg is not None
        return int(self.pos.sum() + self.neg.sum())

    def counts(self, place: int) -> tuple[int, int]:
        """Positives and negatives in one range."""
        assert self.pos is not None
        assert self.neg is not None
        return int(self.pos[place]), int(self.neg[place])

    def below(self, place: int) -> tuple[int, int]:
        """Positives and negatives in all lower ranges."""
        assert self.pos is not None
        assert self.neg is not None
        return int(self.pos[:place].sum()), int(self.neg[:place].sum())

    def tied_placements(self, places: Array, mask: Mask) -> Counts:
        """Doubled placements of rows whose whole range is tied with them."""
        assert self.pos is not None
        assert self.neg is not None
        middle = [2 * np.cumsum(each) - each for each in (self.pos, self.neg)]
        return np.where(mask == 1, middle[1][places], middle[0][places])


def bounds_of_sample(sample: Floats, ranges: int) -> Floats:
    """Bounds that cut a sample into parts of about equal size, frequent scores set apart.

    >>> bounds_of_sample(np.array([1.0, 2, 3, 4, 5, 6]), 3).tolist()
    [3.0, 5.0]
    >>> bounds_of_sample(np.array([0.0, 0, 0, 0, 0, 6]), 3).tolist()
    [0.0, 5e-324]
    """
    if ranges < 2 or not len(sample):
        return np.empty(0)
    rising = np.sort(sample)
    cuts, times = np.unique(
        rising[np.arange(1, ranges) * len(rising) // ranges], return_counts=True
    )
    with np.errstate(over="ignore"):
        behind = np.nextafter(cuts[times > 1], np.inf)
    return np.unique(np.concatenate([cuts, behind]))
