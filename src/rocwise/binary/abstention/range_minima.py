"""Many questions about ranges of one list, answered together in n log n steps."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Floats, Places


def least_in_ranges(values: Floats, first: Places, last: Places) -> Floats:
    """The least of values[first[q] : last[q] + 1], for every q; no range may be empty.

    A range is covered by two overlapping blocks of one power of 2, so each round, in which blocks
    double, answers the ranges of that length.

    >>> least_in_ranges(np.array([3.0, 1.0, 2.0]), np.array([0, 2]), np.array([2, 2])).tolist()
    [1.0, 2.0]
    """
    answer = np.empty(len(first))
    level = np.frexp((last - first + 1).astype(np.float64))[1] - 1
    blocks = values
    for power in range(int(level.max()) + 1):
        asked = np.flatnonzero(level == power)
        size = 1 << power
        answer[asked] = np.minimum(blocks[first[asked]], blocks[last[asked] - size + 1])
        if len(blocks) > size:
            blocks = np.minimum(blocks[:-size], blocks[size:])
    return answer


def first_at_most(values: Floats, start: Places, limit: Floats) -> Places:
    """The first place from start[q] on whose value is at most limit[q]; len(values) if none.

    Blocks of powers of 2 are skipped while their least value is above the limit, first ever
    larger ones, then ever smaller ones inside the first that was not skipped.

    >>> first_at_most(np.array([3.0, 1.0, 2.0]), np.array([0, 2]), np.array([1.5, 1.5])).tolist()
    [1, 3]
    """
    tree = _least_of_blocks(values)
    top = len(tree) - 1
    place = start.astype(np.intp)
    stopped = np.full(len(place), -1)
    for power in range(top):
        odd = np.flatnonzero((stopped < 0) & ((place >> power) & 1 == 1))
        skipped = tree[power][place[odd] >> power] > limit[odd]
        stopped[odd[~skipped]] = power
        place[odd[skipped]] += 1 << power
    absent = (stopped < 0) & (
        (place > 0) | (tree[top][0] > limit)
    )  # nothing left, or no such value
    stopped[stopped < 0] = top
    for power in range(top - 1, -1, -1):
        asked = np.flatnonzero(~absent & (stopped > power))
        skipped = tree[power][place[asked] >> power] > limit[asked]
        place[asked[skipped]] += 1 << power
    place[absent] = len(values)
    return place


def _least_of_blocks(values: Floats) -> list[Floats]:
    """The least value of every block of 1, 2, 4, ... places; places that are missing are inf."""
    size = 1 << int(np.ceil(np.log2(max(len(values), 1))))
    tree = [np.concatenate([values, np.full(size - len(values), np.inf)])]
    while len(tree[-1]) > 1:
        tree.append(tree[-1].reshape(-1, 2).min(axis=1))
    return tree
