"""Numpy twin of the count of pairs that two markers order the same way."""

from collections.abc import Callable

import numpy as np

from rocwise.arrays import Integers, Ranks, Scores
from rocwise.kernels.plain.sorting import argsort

Argsort = Callable[[Scores], Integers]


def dominance(x1: Scores, y1: Scores, x2: Scores, y2: Scores) -> int:
    """Sum over negatives i and positives j of c(x1_i, y1_j) * c(x2_i, y2_j), exactly.

    c(x, y) is 2 where x < y, 1 where x = y and 0 where x > y; x are the negatives' scores by two
    markers, y the positives'.

    Examples
    --------
    >>> scores = np.array([0.1, 0.7]), np.array([0.5])
    >>> dominance(scores[0], scores[1], scores[0], scores[1])
    4
    """
    places, taken, lower, upper = dominance_queries(x1, y1, x2, y2, argsort)
    return sum(count_below(places, some, lower, upper) for some in taken)


def dominance_queries(
    x1: Scores, y1: Scores, x2: Scores, y2: Scores, argsort: Argsort
) -> tuple[Ranks, tuple[Ranks, Ranks], Ranks, Ranks]:
    """Ranks that turn the sum into counts of places below a bound, among the first few places.

    Negatives are taken in order of marker 1, each with its place by marker 2; a positive asks
    about the negatives below it, and again about those below or tied, by each marker.
    """
    if x1.shape != x2.shape or y1.shape != y2.shape:
        raise ValueError(
            f"Both markers must score the same rows: `x1` has {x1.size} and `x2` {x2.size}, "
            f"`y1` has {y1.size} and `y2` {y2.size}."
        )
    neg_order, pos_order = argsort(x1), argsort(y1)
    second_order = argsort(x2)
    place = np.empty(x2.size, np.int32)
    place[second_order] = np.arange(x2.size, dtype=np.int32)
    first_low, first_high = _rank_bounds(x1[neg_order], y1[pos_order])
    second_order_of_pos = argsort(y2)
    bounds = np.empty((2, y2.size), np.int32)
    bounds[:, second_order_of_pos] = _rank_bounds(x2[second_order], y2[second_order_of_pos])
    lower, upper = bounds[0, pos_order], bounds[1, pos_order]
    return place[neg_order], (first_low, first_high), lower, upper


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


def _rank_bounds(neg: Scores, pos: Scores) -> tuple[Ranks, Ranks]:
    return (
        np.searchsorted(neg, pos, side="left").astype(np.int32),
        np.searchsorted(neg, pos, side="right").astype(np.int32),
    )
