"""Numpy twin of the count of pairs that two markers order the same way."""

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Integers, Mask, Ranks
from rocwise.kernels.placement_sums import PlacementSums
from rocwise.kernels.swaps.plain import refuse_other_labels

NO_PLACEMENTS = "`placed` must hold twice the placement of each row within the other class."


class Standing(NamedTuple):
    """How one marker orders the negatives against the positives; all that a count of pairs needs.

    Attributes
    ----------
    rank : ndarray
        Of each row: that of a negative among the negatives, from 0 on; that of a positive among
        the positives, from the number of negatives on. Rows of one class that nothing of the other
        lies between come in any order.
    lower, upper : ndarray
        Of each rank of the positives: negatives below it, and below or tied. One array where no
        negative is tied with a positive.

    Examples
    --------
    >>> standing(np.array([0, 1, 0], np.uint8), np.array([0, 3, 1])).upper.tolist()
    [2]
    """

    rank: Ranks
    lower: Ranks
    upper: Ranks

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return self.rank.size - self.lower.size

    @property
    def squares(self) -> int:
        """`dominance` of the marker with itself: 4 for a pair in order, 1 for a tied one."""
        below, reached = (int(bound.sum(dtype=np.int64)) for bound in (self.lower, self.upper))
        return 3 * below + reached


def standing(mask: Mask, placed: Integers) -> Standing:
    """The standing of a marker, from twice the placement of each row within the other class.

    The negatives below a positive are those whose placement is at most twice the positives below
    it: a negative that is tied with it, or above, has more.

    Examples
    --------
    >>> standing(np.array([0, 0, 1], np.uint8), np.array([0, 2, 2])).lower.tolist()
    [1]
    """
    refuse_others(mask, placed)
    of_neg, of_pos = placed[mask == 0], placed[mask == 1]
    ranked = np.sort(of_pos)
    below = np.searchsorted(ranked, ranked, side="left")
    lower = np.searchsorted(np.sort(of_neg), 2 * below, side="right").astype(np.int32)
    upper = (ranked - lower).astype(np.int32)
    if (upper < lower).any() or (upper > len(of_neg)).any():
        raise ValueError(NO_PLACEMENTS)
    order = np.lexsort((placed, mask))
    rank = np.empty(mask.size, np.int32)
    rank[order] = np.arange(mask.size, dtype=np.int32)
    return Standing(rank, lower, shared(lower, upper))


def standing_sums(own: Standing) -> PlacementSums:
    """Sums of the placements of all rows, from the standing of a marker.

    Of the positives those whose `upper` is at most the rank of a negative are below it, and those
    whose `lower` is are below it or tied with it.

    Examples
    --------
    >>> own = standing(np.array([0, 0, 1], np.uint8), np.array([0, 1, 3]))
    >>> standing_sums(own)
    PlacementSums(n_pos=1, n_neg=2, sum_u=3, sum_u2=9, sum_v=1, sum_v2=1, ties=1)
    """
    u = own.lower.astype(object) + own.upper  # whole numbers of any size
    ranks = np.arange(own.n_neg)
    v = sum(np.searchsorted(each, ranks, side="right") for each in (own.upper, own.lower))
    v = np.asarray(v, object)
    ties = int((own.upper.astype(np.int64) - own.lower).sum())
    return PlacementSums(
        len(u), len(v), int(u.sum()), int((u * u).sum()), int(v.sum()), int((v * v).sum()), ties
    )


def refuse_others(mask: Mask, placed: Integers) -> None:
    """Refuse placements of other rows, or beyond the rows of the other class."""
    if mask.ndim != 1 or placed.shape != mask.shape:
        raise ValueError(f"`mask` has shape {mask.shape} but `placed` has shape {placed.shape}.")
    refuse_other_labels(mask)
    for label in (0, 1):
        own = placed[mask == label]
        if own.size and not 0 <= own.min() <= own.max() <= 2 * (mask.size - own.size):
            raise ValueError(NO_PLACEMENTS)


def shared(lower: Ranks, upper: Ranks) -> Ranks:
    """`upper`, or `lower` where both hold the same numbers: one array instead of two."""
    return lower if np.array_equal(lower, upper) else upper


def dominance(first: Standing, second: Standing) -> int:
    """Sum over negatives i and positives j of c(x1_i, y1_j) * c(x2_i, y2_j), exactly.

    c(x, y) is 2 where x < y, 1 where x = y and 0 where x > y; x are the negatives' scores by two
    markers, y the positives'.

    Examples
    --------
    >>> own = standing(np.array([0, 0, 1], np.uint8), np.array([0, 2, 2]))
    >>> dominance(own, own)
    4
    """
    refuse_other_rows(first, second)
    order = np.empty_like(first.rank)
    order[first.rank] = second.rank
    places, askers = np.split(order, [first.n_neg])
    bounds = second.lower[askers - first.n_neg], second.upper[askers - first.n_neg]
    return sum(count_below(places, taken, *bounds) for taken in (first.lower, first.upper))


def refuse_other_rows(first: Standing, second: Standing) -> None:
    """Refuse two markers of different rows."""
    sizes = [(each.n_neg, each.lower.size) for each in (first, second)]
    if sizes[0] != sizes[1]:
        raise ValueError(
            f"Both markers must score the same rows: the first has {sizes[0][0]} negatives and "
            f"{sizes[0][1]} positives, the second {sizes[1][0]} and {sizes[1][1]}."
        )


def count_below(places: Ranks, taken: Ranks, lower: Ranks, upper: Ranks) -> int:
    """Sum over queries q of the first taken[q] places below lower[q], and those below upper[q].

    The places are split by their bits, highest first (a wavelet matrix): at each bit a query
    knows how many of its places fall on the lower side, and follows the side of its bound.

    Examples
    --------
    >>> places, bounds = np.array([2, 0, 1], np.int32), np.array([2], np.int32)
    >>> count_below(places, np.array([2], np.int32), bounds, bounds)
    2
    """
    bound = np.concatenate((lower, upper)).astype(np.int64)
    stop = np.concatenate((taken, taken)).astype(np.int64)
    start = np.zeros_like(stop)
    total = 0
    for bit in reversed(range(places.size.bit_length())):
        is_low = (places >> bit) & 1 == 0
        lows = np.concatenate(([0], np.cumsum(is_low)))
        start_low, stop_low = lows[start], lows[stop]
        goes_high = (bound >> bit) & 1 == 1
        total += int((stop_low - start_low)[goes_high].sum())
        start = np.where(goes_high, lows[-1] + start - start_low, start_low)
        stop = np.where(goes_high, lows[-1] + stop - stop_low, stop_low)
        places = np.concatenate((places[is_low], places[~is_low]))
    return total
