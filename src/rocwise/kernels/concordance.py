"""Counts of the pairs (negative, positive) that two markers order alike.

They give the sums of products of the kernels of two areas that the unbiased and the exact-bootstrap
covariance need, without a table of all pairs.
"""

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Integers, Mask, Ranks
from rocwise.kernels.selection import compiled_module

_concordance = compiled_module("_concordance")


class MarkerRanks(NamedTuple):
    """How one marker orders the negatives against the positives, in the order of the rows.

    Attributes
    ----------
    negatives : ndarray
        Rank of each negative among the negatives, from 0 on, ties in any order.
    lower, upper : ndarray
        Of each positive: negatives below it, and below or tied.
    """

    negatives: Ranks
    lower: Ranks
    upper: Ranks

    @property
    def squares(self) -> int:
        """`concordance_sum` of the marker with itself: 4 for a pair in order, 1 for a tied one."""
        return 3 * int(self.lower.sum(dtype=np.int64)) + int(self.upper.sum(dtype=np.int64))


def marker_ranks(mask: Mask, placed: Integers) -> MarkerRanks:
    """Ranks by one marker, from twice the placement of each row within the other class.

    The negatives below a positive are those whose placement is at most twice the positives below
    it: a negative that is tied with it, or above, has more.
    """
    of_neg, of_pos = placed[mask == 0], placed[mask != 0]
    below = np.searchsorted(np.sort(of_pos), of_pos, side="left")
    lower = np.searchsorted(np.sort(of_neg), 2 * below, side="right")
    rank = np.empty(len(of_neg), np.int32)
    rank[np.argsort(of_neg)] = np.arange(len(of_neg), dtype=np.int32)
    return MarkerRanks(rank, lower.astype(np.int32), (of_pos - lower).astype(np.int32))


def concordance_sum(first: MarkerRanks, second: MarkerRanks) -> int:
    """Sum over negatives i and positives j of c(x1_i, y1_j) * c(x2_i, y2_j), exactly.

    c(x, y) is 2 where x < y, 1 where x = y and 0 where x > y; x are the negatives' scores by two
    markers, y the positives'.
    """
    if [len(each) for each in first] != [len(each) for each in second]:
        raise ValueError("Both markers must score the same rows.")
    ranks = np.empty_like(first.negatives)
    ranks[first.negatives] = second.negatives
    taken = np.concatenate([first.lower, first.upper])
    order = np.argsort(taken)
    bounds = (np.tile(each, 2)[order] for each in (second.lower, second.upper))
    count = _count_below if _concordance is None else _concordance.count_below
    return int(count(ranks, taken[order], *bounds))


def _count_below(ranks: Ranks, taken: Ranks, lower: Ranks, upper: Ranks) -> int:
    """Sum over queries q of the first taken[q] ranks below lower[q], and of those below upper[q].

    The ranks are split by their bits, highest first (a wavelet matrix): at each bit a query
    knows how many of its ranks fall on the lower side, and follows the side of its bound.
    """
    bound = np.concatenate((lower, upper)).astype(np.int64)
    stop = np.concatenate((taken, taken)).astype(np.int64)
    start = np.zeros_like(stop)
    total = 0
    for bit in reversed(range(ranks.size.bit_length())):
        is_low = (ranks >> bit) & 1 == 0
        lows = np.concatenate(([0], np.cumsum(is_low)))
        start_low, stop_low = lows[start], lows[stop]
        goes_high = (bound >> bit) & 1 == 1
        total += int((stop_low - start_low)[goes_high].sum())
        start = np.where(goes_high, lows[-1] + start - start_low, start_low)
        stop = np.where(goes_high, lows[-1] + stop - stop_low, stop_low)
        ranks = np.concatenate((ranks[is_low], ranks[~is_low]))
    return total
