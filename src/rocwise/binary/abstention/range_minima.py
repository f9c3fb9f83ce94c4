"""Many questions about ranges of one list, answered together."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import STEP, row_by_row
from rocwise.kernels.threads import run_parts

BLOCK_BITS = 8
BLOCK = 1 << BLOCK_BITS  # places; the least of each block, and of runs of blocks, stay in a cache


def least_in_ranges(values: Floats, first: Places, last: Places) -> Floats:
    """The least of values[first[q] : last[q] + 1], for every q; no range may be empty.

    A range over several blocks ends one of them and begins another; the blocks in between are
    covered by two overlapping runs of a power of 2.

    >>> least_in_ranges(np.array([3.0, 1.0, 2.0]), np.array([0, 2]), np.array([2, 2])).tolist()
    [1.0, 2.0]
    """
    if len(values) <= BLOCK:
        return _least_in_short_ranges(values, first, last)
    upto, onwards = _least_within_blocks(values)
    runs = _least_of_runs(upto[BLOCK - 1 :: BLOCK])
    powers = np.frexp(np.maximum(np.arange(runs.shape[1]), 1).astype(np.float64))[1] - 1

    def across(first: Places, last: Places) -> Floats:
        low, between = first >> BLOCK_BITS, (last >> BLOCK_BITS) - (first >> BLOCK_BITS) - 1
        power = powers[np.maximum(between, 0)]
        inside = np.minimum(runs[power, low + 1], runs[power, low + 1 + between - (1 << power)])
        ends = np.minimum(onwards[first], upto[last])
        return np.where(between > 0, np.minimum(ends, inside), ends)

    answer = row_by_row(across, first, last)
    short = np.flatnonzero(first >> BLOCK_BITS == last >> BLOCK_BITS)
    if len(short):
        begin, end = int(first[short].min()), int(last[short].max()) + 1  # often the last block
        places = first[short] - begin, last[short] - begin
        answer[short] = _least_in_short_ranges(values[begin:end], *places)
    return answer


def _least_within_blocks(values: Floats) -> tuple[Floats, Floats]:
    """The least of each place's block up to the place, and from the place on."""
    upto, onwards = (on_large_pages((-(-len(values) // BLOCK), BLOCK)) for _ in range(2))

    def fill(start: int, stop: int) -> None:
        blocks = np.full((stop - start, BLOCK), np.inf)  # which it is beyond the end
        given = values[start * BLOCK : stop * BLOCK]
        blocks.ravel()[: len(given)] = given
        np.minimum.accumulate(blocks, axis=1, out=upto[start:stop])
        np.minimum.accumulate(blocks[:, ::-1], axis=1, out=onwards[start:stop, ::-1])

    step = STEP // BLOCK
    run_parts(fill, [(k, min(k + step, len(upto))) for k in range(0, len(upto), step)])
    return upto.ravel(), onwards.ravel()


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
