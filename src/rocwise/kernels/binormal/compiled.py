"""Rows and steps of the binormal fit with the compiled loops, shared out among the threads."""

import math

import numpy as np

from rocwise.arrays import Floats
from rocwise.kernels.binormal.steps import PER_BLOCK, BinormalRows, BinormalStep, Taken
from rocwise.kernels.compiled import _likelihoods
from rocwise.kernels.long_arrays import far_apart, on_large_pages
from rocwise.kernels.threads import (
    PIECES_PER_THREAD,
    even_parts,
    heard,
    run_parts,
    thread_limit,
)

ROWS_PER_THREAD = 20_000  # categories for which another thread is worth waking
MOST_BLOCKS = 8  # of a part: Ctrl-C is heard between two parts


def binormal_rows(
    counts: Floats, a: float, b: float, cuts: Floats, room: Floats | None = None
) -> BinormalRows:
    """Compiled twin of `binormal.plain.binormal_rows`.

    Examples
    --------
    >>> rows = binormal_rows(np.ones((2, 2)), 0.0, 1.0, np.zeros(1))
    >>> round(rows.log_likelihood, 4), rows.least, rows.table[[0, 3], 0].round(4).tolist()
    (-2.7726, 0.5, [2.5465, -1.2732])
    """
    counts, cuts = (np.ascontiguousarray(column, np.float64) for column in (counts, cuts))
    table = on_large_pages((5, len(cuts))) if room is None else room
    totals, sums = counts.sum(axis=1), np.empty((_blocks(counts.shape[1]), 8))

    def fill(first: int, last: int) -> None:
        _likelihoods.fill_rows(counts, totals, a, b, cuts, table, sums, first, last)

    run_parts(fill, far_apart(_parts(counts.shape[1])))
    return BinormalRows.of_blocks(table, sums)


def binormal_step(rows: BinormalRows, *, cuts: bool = True) -> BinormalStep | None:
    """Compiled twin of `binormal.plain.binormal_step`.

    Examples
    --------
    >>> step = binormal_step(binormal_rows(np.ones((2, 3)), 0.0, 1.0, np.array([-0.4, 0.4])))
    >>> abs(step.a) < 1e-12, step.cuts.round(3).tolist()
    (True, [-0.031, 0.031])
    """
    table = rows.table
    size = table.shape[1]
    heard(_likelihoods.eliminated, table, rows=size)
    sums = np.empty((_blocks(size), 6))

    def add(first: int, last: int) -> bool:
        return _likelihoods.taken(table, sums, first, last)

    if not all(run_parts(add, _parts(size))):
        return None
    left = Taken(*(math.fsum(column) for column in sums.T))
    covariance = left.covariance(rows)
    if covariance is None:
        return None
    a, b = left.solved(rows, covariance)
    step = left.step(rows, a, b, covariance)
    if not cuts:
        return step
    steps = np.empty(size)
    farthest = heard(_likelihoods.substituted, table, a, b, steps, rows=size)
    return step._replace(cuts=steps, farthest=farthest)


def _blocks(rows: int) -> int:
    return -(-rows // PER_BLOCK)


def _parts(rows: int) -> list[tuple[int, int]]:
    """What threads take of the blocks of so many rows."""
    threads = thread_limit() if rows >= 2 * ROWS_PER_THREAD else 1
    blocks = _blocks(rows)
    parts = PIECES_PER_THREAD * threads if threads > 1 else 1
    return even_parts(blocks, max(parts, -(-blocks // MOST_BLOCKS)))
