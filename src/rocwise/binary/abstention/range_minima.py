"""Many questions about ranges of one list, answered together.

The list is made some places at a time, when they are asked for: of most blocks of it no more than
the least value is ever needed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwise.arrays import Floats, Places

BLOCK_BITS = 8
BLOCK = 1 << BLOCK_BITS  # places of which `kernels.least_sums` tells the least


class RangeMinima:
    """The least values of ranges of a list.

    A range over several blocks ends one of them and begins another; the blocks in between are
    covered by two overlapping runs of a power of 2.

    Parameters
    ----------
    values : callable
        What makes the values of a slice, or of an array of places.
    size : int
        How many places there are.
    least : ndarray of float64
        The least of every block of 256 places.

    Examples
    --------
    >>> values = np.array([3.0, 1.0, 2.0])
    >>> minima = RangeMinima(lambda some: values[some], 3, np.array([1.0]))
    >>> minima.least(np.array([0, 2]), np.array([2, 2])).tolist()
    [1.0, 2.0]
    """

    def __init__(
        self, values: Callable[[slice | Places], Floats], size: int, least: Floats
    ) -> None:
        self.values: Callable[[slice | Places], Floats] = values
        self.size: int = size
        self._runs: Floats = _least_of_runs(least)
        lengths = np.maximum(np.arange(self._runs.shape[1]), 1).astype(np.float64)
        self._powers: Places = np.frexp(lengths)[1] - 1

    def of_blocks(self, first: Places, last: Places) -> Floats:
        """The least of the blocks first[q] to last[q], both included."""
        power = self._powers[last - first + 1]
        ends = self._runs[power, first], self._runs[power, last + 1 - (1 << power)]
        return np.asarray(np.minimum(*ends))

    def least(self, first: Places, last: Places) -> Floats:
        """The least of the values from first[q] to last[q], both included; no range is empty."""
        low, high = first >> BLOCK_BITS, last >> BLOCK_BITS
        blocks = np.unique(np.concatenate([low, high]))
        table = self._made(blocks)
        at_low, at_high = np.searchsorted(blocks, low), np.searchsorted(blocks, high)
        onwards = np.minimum.accumulate(table[:, ::-1], axis=1)[:, ::-1]
        upto = np.minimum.accumulate(table, axis=1)
        found = np.minimum(onwards[at_low, first % BLOCK], upto[at_high, last % BLOCK])
        between = np.flatnonzero(high - low > 1)
        inside = self.of_blocks(low[between] + 1, high[between] - 1)
        found[between] = np.minimum(found[between], inside)
        short = np.flatnonzero(low == high)
        if len(short):
            moved = (at_low[short] - low[short]) * BLOCK
            places = first[short] + moved, last[short] + moved
            found[short] = _least_in_short_ranges(table.ravel(), *places)
        return found

    def first_at_most(self, start: Places, limit: Floats) -> Places:
        """The first place from start[q] on whose value is at most limit[q]; there must be one.

        >>> values = np.array([3.0, 1.0, 2.0])
        >>> minima = RangeMinima(lambda some: values[some], 3, np.array([1.0]))
        >>> minima.first_at_most(np.array([0, 2]), np.array([1.5, 2.0])).tolist()
        [1, 2]
        """
        block = start >> BLOCK_BITS
        found = self._first_in_block(block, start % BLOCK, limit)
        later = np.flatnonzero(found >= (block + 1) * BLOCK)
        if len(later):
            block = first_at_most(self._runs[0], block[later] + 1, limit[later])
            found[later] = self._first_in_block(block, np.zeros_like(block), limit[later])
        return found

    def _first_in_block(self, block: Places, start: Places, limit: Floats) -> Places:
        """The same from places within blocks on; something beyond its block where it has none."""
        asked = np.zeros(self._runs.shape[1], np.bool_)
        asked[block] = True
        blocks = np.flatnonzero(asked)
        first = (np.cumsum(asked) - 1)[block] * BLOCK  # where each is among those that are made
        place = first_at_most(self._made(blocks).ravel(), first + start, limit)
        return np.asarray(block * BLOCK + place - first)

    def _made(self, blocks: Places) -> Floats:
        """The values of some blocks, (blocks, places); infinite beyond the end."""
        places = (blocks[:, None] * BLOCK + np.arange(BLOCK)).ravel()
        made = np.full(len(places), np.inf)
        inside = places < self.size
        made[inside] = self.values(places[inside])
        return made.reshape(-1, BLOCK)


def _least_of_runs(values: Floats) -> Floats:
    """Row k: the least of 2**k values from each place on, as far as there are so many."""
    rows = [np.append(values, np.inf)]
    while 2 ** len(rows) <= len(values):
        longer, size = rows[-1].copy(), 2 ** (len(rows) - 1)
        longer[:-size] = np.minimum(rows[-1][:-size], rows[-1][size:])
        rows.append(longer)
    return np.stack(rows)


def _least_in_short_ranges(values: Floats, first: Places, last: Places) -> Floats:
    """The same in n log(length) steps: each round, in which blocks double, answers a length."""
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
        tree.append(np.minimum(tree[-1][::2], tree[-1][1::2]))
    return tree
