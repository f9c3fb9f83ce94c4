"""Swapped scores and dealt cases with the compiled loops, shared out among the threads."""

import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Codes, Counts, Floats, Integers, Mask, Ranks, Scores, Signs
from rocwise.kernels.compiled import _swapping
from rocwise.kernels.compiled.ordering import rank_classes
from rocwise.kernels.compiled.resampling import replicate_parts
from rocwise.kernels.dealing import Dealing
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import run_models
from rocwise.kernels.swaps import plain
from rocwise.kernels.swaps.plain import area_scale
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


def rank_placements(mask: Mask, first: Scores, second: Scores) -> Integers:
    """Compiled twin of `swaps.plain.rank_placements`.

    Examples
    --------
    >>> scores = np.array([0.1, 0.2, 0.3]), np.array([7.0, 5.0, 6.0])
    >>> rank_placements(np.array([0, 1, 1], np.uint8), *scores).tolist()
    [[1, 2, 3], [7, 1, 2]]
    """
    plain.refuse_other_labels(mask)
    rows = mask.size
    if rows >= MOST_RANKED:
        return plain.rank_placements(mask, first, second)
    tables = on_large_pages((2, 2 * (2 * rows + 1)), np.uint32)
    placed = on_large_pages((2, rows), np.int64)

    def count(scores: Scores, table: NDArray[np.uint32]) -> tuple[Counts, Codes, Codes]:
        table[:] = 0
        order, ranked, starts = rank_classes(mask, scores)
        heard(_swapping.count_midranks, ranked, starts, table, rows=rows)
        return order, ranked, starts

    def place(ordered: tuple[Counts, Codes, Codes], out: Integers) -> None:
        heard(_swapping.place_midranks, *ordered, tables[0], out, rows=rows)

    models = list(zip((first, second), tables, strict=True))
    ordered = run_models(count, models, rows)
    heard(_swapping.sum_midranks, *tables, rows=rows)
    run_models(place, list(zip(ordered, placed, strict=True)), rows)
    return placed


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
