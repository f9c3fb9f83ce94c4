"""Swapped scores and dealt cases with the compiled loops, shared out among the threads."""

import numpy as np

from rocwise.arrays import Codes, Counts, Floats, Integers, Mask, Ranks, Scores, Signs
from rocwise.kernels.compiled import _swapping
from rocwise.kernels.compiled.resampling import replicate_parts
from rocwise.kernels.dealing import Dealing
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.plain.ordering import rank_classes
from rocwise.kernels.ranks import PlacementSums
from rocwise.kernels.row_formulas import parts_of_rows, run_models
from rocwise.kernels.swaps import plain
from rocwise.kernels.swaps.plain import RankSteps, area_scale
from rocwise.kernels.threads import heard, run_parts

MOST_RANKED = 2**30  # rows: four times as many are counted in 32 bits


def swapped_gaps(
    coins: Codes,
    first: Ranks,
    second: Ranks,
    signs: Signs,
    threads: int | None = None,
) -> Counts:
    """Compiled twin of `swaps.plain.swapped_gaps`.

    Examples
    --------
    >>> coins, order = np.zeros((1, 1), np.uint8), np.array([0, 1], np.int32)
    >>> swapped_gaps(coins, order, order[::-1], np.array([1, -1], np.int8)).tolist()
    [2]
    """
    n = len(signs)
    if coins.ndim != 2 or 8 * coins.shape[1] < 2 * n or not len(first) == len(second) == n:
        raise ValueError(f"`coins` must have {2 * n} bits in a row, the orders {n} subjects.")
    for order in (first, second):
        if n and not 0 <= order.min() <= order.max() < n:
            raise ValueError(f"the orders must hold subjects from 0 to {n - 1}.")
    coins = np.ascontiguousarray(coins, np.uint8)
    told = (
        np.ascontiguousarray(first, np.int32),
        np.ascontiguousarray(second, np.int32),
        np.ascontiguousarray(signs, np.int8),
    )
    result = np.empty(len(coins), np.int64)
    parts = replicate_parts(4 * n, result, threads)
    run_parts(_swapping.swapped_gaps, [(coins[a:b], *told, result[a:b]) for a, b in parts])
    return result


def coin_sums(coins: Codes, values: Integers, threads: int | None = None) -> Integers:
    """Compiled twin of `swaps.plain.coin_sums`.

    Examples
    --------
    >>> coin_sums(np.array([[0b10100000], [0]], np.uint8), np.array([5, 3, 1])).tolist()
    [6, 0]
    """
    n = len(values)
    if coins.ndim != 2 or 8 * coins.shape[1] < n:
        raise ValueError(f"`coins` must have {n} bits in a row.")
    coins = np.ascontiguousarray(coins, np.uint8)
    values = np.ascontiguousarray(values, np.int64)
    result = np.zeros(len(coins), np.int64)
    parts = replicate_parts(n // 8, result, threads)
    run_parts(_swapping.coin_sums, [(coins[a:b], values, result[a:b]) for a, b in parts])
    return result


def rank_steps(mask: Mask, first: Scores, second: Scores) -> RankSteps:
    """Compiled twin of `swaps.plain.rank_steps`: either model by a thread of its own.

    Examples
    --------
    >>> scores = np.array([0.1, 0.2, 0.3]), np.array([7.0, 5.0, 6.0])
    >>> rank_steps(np.array([0, 1, 1], np.uint8), *scores).steps.tolist()
    [6, 1, 1]
    """
    plain.refuse_other_labels(mask)
    rows = mask.size
    if rows >= MOST_RANKED:
        return plain.rank_steps(mask, first, second)
    mask = np.ascontiguousarray(mask, np.uint8)

    def rank(scores: Scores) -> tuple[PlacementSums, tuple[Counts, Codes, Codes]]:
        order, ranked, starts = rank_classes(mask, scores)
        sums = PlacementSums(*heard(_swapping.sum_ranked, ranked, starts, rows=rows))
        return sums, (order, ranked, starts)

    def place(own: tuple[Counts, Codes, Codes], other: tuple[Counts, Codes, Codes]) -> Integers:
        placed = on_large_pages(rows, np.int64)
        heard(_swapping.place_midranks, *own, *other[1:], placed, rows=rows)
        return placed

    def subtract(start: int, stop: int) -> None:
        given = mask, start, stop, *placed
        heard(_swapping.subtract_placed, *given, rows=stop - start)

    (of_first, one), (of_second, two) = run_models(rank, [(first,), (second,)], rows)
    placed = run_models(place, [(one, two), (two, one)], rows)
    run_parts(subtract, parts_of_rows(rows))
    return RankSteps(placed[0], (of_first, of_second))


def dealt_gaps(
    pool: Dealing, seed: int, first: int, last: int, threads: int | None = None
) -> Floats:
    """Compiled twin of `swaps.plain.dealt_gaps`.

    Examples
    --------
    >>> from rocwise.kernels.dealing import dealing
    >>> pool = dealing(np.array([0, 0, 1, 1], np.uint8), np.zeros(4, np.uint8), (1, 1))
    >>> dealt_gaps(pool, 1, 0, 2).tolist()
    [0.0, 0.0]
    """
    numbers = np.array([pool.axis, *pool.totals, *pool.sizes, *pool.limits], np.int64)
    told = (numbers, pool.before, pool.tied, pool.first, pool.second, pool.widths)
    areas = np.empty(last - first)
    parts = replicate_parts(sum(pool.totals), areas, threads)
    run_parts(
        _swapping.dealt_gaps, [(seed, first + a, first + b, *told, areas[a:b]) for a, b in parts]
    )
    return areas * area_scale(pool)
