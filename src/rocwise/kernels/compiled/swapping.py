"""Swapped scores and dealt cases with the compiled loops, shared out among the threads."""

import numpy as np

from rocwise.arrays import Codes, Counts, Floats, Ranks, Signs
from rocwise.kernels.compiled import _swapping
from rocwise.kernels.compiled.resampling import replicate_parts
from rocwise.kernels.plain.swapping import check_dealing
from rocwise.kernels.threads import run_parts


def swapped_gaps(
    coins: Codes,
    first: Ranks,
    second: Ranks,
    signs: Signs,
    threads: int | None = None,
) -> Counts:
    """Compiled twin of `plain.swapping.swapped_gaps`.

    Examples
    --------
    >>> coins, order = np.zeros((1, 4), np.uint8), np.array([0, 1], np.int32)
    >>> swapped_gaps(coins, order, order[::-1], np.array([1, -1], np.int8)).tolist()
    [2]
    """
    n = len(signs)
    if coins.ndim != 2 or coins.shape[1] != 2 * n or not len(first) == len(second) == n:
        raise ValueError(f"`coins` must have {2 * n} columns, the orders {n} subjects.")
    for order in (first, second):
        if n and not 0 <= order.min() <= order.max() < n:
            raise ValueError(f"the orders must hold subjects from 0 to {n - 1}.")
    if coins.size and coins.max() > 1:
        raise ValueError("`coins` must be 0 or 1.")
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
    labels: Codes,
    tied: Codes,
    sizes: tuple[int, int],
    lengths: Floats,
    seed: int,
    first: int,
    last: int,
    threads: int | None = None,
) -> Floats:
    """Compiled twin of `plain.swapping.dealt_gaps`.

    Examples
    --------
    >>> labels, tied, lengths = np.array([0, 0, 1, 1], np.uint8), np.zeros(4, np.uint8), np.ones(4)
    >>> dealt_gaps(labels, tied, (1, 1), lengths / 2, 1, 0, 2).tolist()
    [0.0, 0.0]
    """
    check_dealing(labels, tied, sizes, lengths)
    told = (
        np.ascontiguousarray(labels, np.uint8),
        np.ascontiguousarray(tied, np.uint8),
        np.array(sizes, np.int64),
        np.ascontiguousarray(lengths, np.float64),
    )
    result = np.empty(last - first)
    parts = replicate_parts(2 * len(labels), result, threads)
    run_parts(
        _swapping.dealt_gaps, [(seed, first + a, first + b, *told, result[a:b]) for a, b in parts]
    )
    return result
