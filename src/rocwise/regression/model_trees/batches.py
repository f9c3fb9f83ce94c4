"""Nodes of about the same size, laid side by side so that one call deals with them all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rocwise.arrays import Flags, Integers, Places

LARGEST_SHARE = 1.25  # of the size of the smallest node in a batch
MOST_CELLS = 200_000  # numbers in a batch, which then fits into the caches


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


def padded(members: list[Places]) -> tuple[Places, Flags]:
    """Rows of the nodes as a table, and which of its cells are rows (the others are row 0)."""
    sizes = np.array([len(rows) for rows in members])
    real = np.arange(int(sizes.max())) < sizes[:, None]
    rows = np.zeros(real.shape, dtype=np.intp)
    rows[real] = np.concatenate(members)
    return rows, real
