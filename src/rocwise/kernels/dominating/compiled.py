"""The count of pairs that two markers order the same way, with the compiled loops."""

from bisect import bisect_left
from itertools import pairwise

import numpy as np

from rocwise.arrays import Integers, Mask, Ranks
from rocwise.kernels.compiled import _dominating
from rocwise.kernels.dominating.plain import (
    NO_PLACEMENTS,
    Standing,
    refuse_other_rows,
    shared,
)
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.placement_sums import PlacementSums
from rocwise.kernels.row_formulas import ROWS_PER_THREAD, parts_of_rows
from rocwise.kernels.swaps.plain import refuse_other_labels
from rocwise.kernels.threads import heard, run_parts, thread_limit


def standing(mask: Mask, placed: Integers) -> Standing:
    """Compiled twin of `dominating.plain.standing`.

    Examples
    --------
    >>> standing(np.array([0, 0, 1], np.uint8), np.array([0, 2, 2])).lower.tolist()
    [1]
    """
    if mask.ndim != 1 or placed.shape != mask.shape:
        raise ValueError(f"`mask` has shape {mask.shape} but `placed` has shape {placed.shape}.")
    refuse_other_labels(mask)
    mask, placed = np.ascontiguousarray(mask, np.uint8), np.ascontiguousarray(placed, np.int64)
    n_pos = int(np.count_nonzero(mask))
    counts = on_large_pages(2 * mask.size + 3, np.int32)
    counts[:] = 0
    made = Standing(*(np.empty(size, np.int32) for size in (mask.size, n_pos, n_pos)))
    if not heard(_dominating.stand, mask, placed, counts, *made, rows=mask.size):
        raise ValueError(NO_PLACEMENTS)
    return made._replace(upper=shared(made.lower, made.upper))


def standing_sums(own: Standing) -> PlacementSums:
    """Compiled twin of `dominating.plain.standing_sums`.

    Examples
    --------
    >>> own = standing(np.array([0, 0, 1], np.uint8), np.array([0, 1, 3]))
    >>> standing_sums(own).sum_u
    3
    """
    lower, upper = (np.ascontiguousarray(each, np.int32) for each in (own.lower, own.upper))
    if lower.shape != upper.shape:
        raise ValueError(f"a standing has {lower.size} lower bounds, but {upper.size} upper ones.")
    sums = heard(_dominating.sum_placements, lower, upper, own.n_neg, rows=own.rank.size)
    return PlacementSums(lower.size, own.n_neg, *sums)


def dominance(first: Standing, second: Standing) -> int:
    """Compiled twin of `dominating.plain.dominance`.

    Examples
    --------
    >>> own = standing(np.array([0, 0, 1], np.uint8), np.array([0, 2, 2]))
    >>> dominance(own, own)
    4
    """
    refuse_other_rows(first, second)
    order = _reordered(first.rank, second.rank)
    found = _counted(order, first.lower, second)
    if first.upper is first.lower:  # no ties by the first marker: both counts are the same
        return 2 * found
    return found + _counted(order, first.upper, second)


def _reordered(to: Ranks, values: Ranks) -> Ranks:
    """Values put where `to` says; no two rows have one place, so that threads may share them."""
    order = np.empty_like(to)

    def write(start: int, stop: int) -> None:
        own = to[start:stop], values[start:stop]
        heard(_dominating.reorder, *own, order, rows=stop - start)

    run_parts(write, parts_of_rows(to.size))
    return order


def _counted(order: Ranks, taken: Ranks, second: Standing) -> int:
    """Negatives below each positive by the second marker, among the first `taken` by the other.

    `order` has the ranks by the second marker in the order of the first.
    """
    places, askers = order[: second.n_neg], order[second.n_neg :]

    def count(start: int, stop: int) -> int:
        rows = stop - start + (int(taken[stop - 1]) if stop > start else 0)
        asked = askers[start:stop], taken[start:stop]
        return heard(_dominating.count_below, places, *asked, second.lower, second.upper, rows=rows)

    return sum(run_parts(count, _parts(taken, places.size)))


def _parts(taken: Ranks, n_places: int) -> list[tuple[int, int]]:
    """Cut the queries so that each part takes as long: a place as half of a query.

    Two parts a thread: each begins with all places before it, which more parts would do more often.
    """
    threads = min(thread_limit(), (taken.size + n_places) // ROWS_PER_THREAD)
    if threads < 2:
        return [(0, taken.size)]
    whole, parts = n_places + 2 * taken.size, 2 * threads

    def passed(query: int) -> int:
        return int(taken[query]) + 2 * query

    inner = (
        bisect_left(range(taken.size), whole * part // parts, key=passed)
        for part in range(1, parts)
    )
    return list(pairwise(sorted({0, *inner, taken.size})))
