"""Swapped scores and dealt cases with the compiled loops, shared out among the threads."""

import numpy as np

from rocwise.arrays import Codes, Counts, Floats, Ranks, Signs
from rocwise.kernels.compiled import _swapping
from rocwise.kernels.compiled.resampling import replicate_parts
from rocwise.kernels.dealing import Dealing
from rocwise.kernels.swaps.plain import area_scale
from rocwise.kernels.threads import run_parts


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
