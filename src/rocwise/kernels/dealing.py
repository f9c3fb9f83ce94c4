"""Cases of two samples in one pool, as the kernels take it to deal them out anew.

Curves without ties are staircases, and the share of errors against the share called negative is
the same staircase turned by 45 degrees. So the gap of two such curves is 2 c (1 - c) times the area
between two ROC curves, c being the share of positives, and may be added up along either axis. Along
the axis of a class its cases have fixed places: only the heights change from deal to deal.
"""

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Codes, Counts, Floats, Ranks


class Dealing(NamedTuple):
    """A pool of two samples, one class of which, the smaller one, is the axis.

    Attributes
    ----------
    axis : int
        The class along whose cases areas are added up.
    totals, sizes : tuple of int
        Negatives and positives of the pool, and of the first sample.
    before : ndarray
        For each case of the axis the cases of the other class below it, at least.
    tied : ndarray
        1 where one more is tied with it: a coin says whether it is below.
    first, second : ndarray
        Stretches of the axis on which neither curve has a step: the case of either sample there.
    widths : ndarray
        How long the stretches are; they add up to 1.

    Examples
    --------
    >>> pool = dealing(np.array([0, 1, 1, 0, 0], np.uint8), np.zeros(5, np.uint8), (1, 1))
    >>> pool.axis, pool.before.tolist(), pool.widths.tolist()
    (1, [1, 1], [1.0])
    """

    axis: int
    totals: tuple[int, int]
    sizes: tuple[int, int]
    before: Ranks
    tied: Codes
    first: Ranks
    second: Ranks
    widths: Floats

    @property
    def height(self) -> float:
        """What an area between the curves, of rates, is multiplied by: 2 c (1 - c)."""
        total = sum(self.totals)
        return 2.0 * (self.totals[0] / total) * (self.totals[1] / total)

    @property
    def limits(self) -> tuple[int, int]:
        """For either class, what a byte must be below to deal its case to the first sample."""
        negatives, positives = (
            (512 * size + total) // (2 * total)  # 256 size / total, to the nearest whole number
            for size, total in zip(self.sizes, self.totals, strict=True)
        )
        return negatives, positives


def dealing(labels: Codes, tied: Codes, sizes: tuple[int, int]) -> Dealing:
    """Prepare a pool, given from its lowest case up.

    Where `tied`, a case is as high as the one before it; `sizes` are the negatives and positives
    of the first sample.

    Examples
    --------
    >>> pool = dealing(np.array([0, 1, 1, 0], np.uint8), np.array([0, 1, 0, 0], np.uint8), (1, 1))
    >>> pool.before.tolist(), pool.tied.tolist()
    ([0, 1], [1, 0])
    """
    totals = _checked(labels, tied, sizes)
    axis = int(totals[1] <= totals[0])
    places = np.flatnonzero(labels == axis)
    before = np.cumsum(labels != axis, dtype=np.int32)[places]  # as the loops read it
    padded = np.append(labels, axis)
    after_other = (tied[places] == 1) & (padded[places - 1] != axis)
    before_other = (np.append(tied, 0)[places + 1] == 1) & (padded[places + 1] != axis)
    shares = sizes[axis], totals[axis] - sizes[axis]
    first, second, widths = _stretches(*shares)
    return Dealing(
        axis,
        totals,
        sizes,
        (before - after_other).astype(np.int32),
        (after_other | before_other).astype(np.uint8),
        first.astype(np.int32),
        second.astype(np.int32),
        widths,
    )


def _stretches(n_first: int, n_second: int) -> tuple[Counts, Counts, Floats]:
    """Which case of either sample is under way between two ends, cases being 1/n long."""
    parts = [
        np.arange(1, n_first + 1, dtype=np.int64) * n_second,
        np.arange(1, n_second + 1, dtype=np.int64) * n_first,
    ]
    ends = np.sort(np.concatenate(parts), kind="stable")  # merges what is sorted already
    ends = ends[np.diff(ends, prepend=0) > 0]
    widths = np.diff(ends, prepend=0) / (n_first * n_second)
    return (ends - 1) // n_second, (ends - 1) // n_first, widths


def _checked(labels: Codes, tied: Codes, sizes: tuple[int, int]) -> tuple[int, int]:
    """Negatives and positives; refuses what cannot be dealt out to two samples."""
    n_pos = int(np.count_nonzero(labels))
    counts = labels.size - n_pos, n_pos
    if labels.max(initial=0) > 1 or tied.shape != labels.shape:
        raise ValueError("`labels` must be 0 or 1, and `tied` as many.")
    if not all(1 <= size < count for size, count in zip(sizes, counts, strict=True)):
        raise ValueError(f"`sizes` must leave cases of both classes to both; got {sizes}.")
    if tied[0] or np.any(tied[1:] & tied[:-1]):
        raise ValueError("`tied` must mark the second of two cases.")
    return counts
