"""Nodes of a tree: of about the same size side by side, or runs of them for threads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from rocwise.arrays import Flags, Integers, Places

LARGEST_SHARE = 1.25  # of the size of the smallest node in a batch
MOST_CELLS = 200_000  # numbers in a batch, which then fits into the caches
ROWS_WORTH_A_THREAD = 2_000
LOOPS_PER_CELL = 8  # of a compiled loop, each about as long as a row of the other kernels


def batches(sizes: Integers, width: int) -> Iterator[Places]:
    """Numbers of nodes that go together: small ones equal, large ones alike; no batch too large.

    >>> [batch.tolist() for batch in batches(np.array([3, 100, 3, 110, 4]), 2)]
    [[0, 2], [4], [1, 3]]
    """
    order = np.argsort(sizes, kind="stable")
    ordered = sizes[order]
    start = 0
    while start < len(order):
        smallest = int(ordered[start])
        largest = int(smallest * LARGEST_SHARE) if smallest > width else smallest
        alike = int(np.searchsorted(ordered, largest, side="right"))
        most = max(1, MOST_CELLS // (largest * max(width, 1)))
        end = min(alike, start + most)
        yield order[start:end]
        start = end


def padded(bounds: Integers, nodes: Places) -> tuple[Places, Flags]:
    """Places of the rows of nodes as a table, and which of its cells are rows (others are 0).

    >>> places, real = padded(np.array([0, 1, 3]), np.array([1, 0]))
    >>> places.tolist(), real.tolist()
    ([[1, 2], [0, 0]], [[True, True], [True, False]])
    """
    sizes = bounds[nodes + 1] - bounds[nodes]
    steps = np.arange(int(sizes.max()))
    real = steps < sizes[:, None]
    return np.where(real, bounds[nodes][:, None] + steps, 0), real


def runs_of_nodes(
    bounds: Integers, threads: int, fewest_rows: int = ROWS_WORTH_A_THREAD
) -> list[tuple[int, int]]:
    """Cut the nodes into runs of about as many rows, several for each thread.

    >>> runs_of_nodes(np.array([0, 4, 6, 8]), 2, 1), runs_of_nodes(np.array([0, 4, 6, 8]), 1, 1)
    ([(0, 1), (1, 2), (2, 3)], [(0, 3)])
    """
    rows = int(bounds[-1] - bounds[0])
    parts = min(4 * threads if threads > 1 else 1, max(1, rows // fewest_rows))
    wanted = bounds[0] + np.arange(1, parts) * rows // parts
    inner = np.searchsorted(bounds, wanted).tolist()
    return list(pairwise(sorted({0, *inner, len(bounds) - 1})))
