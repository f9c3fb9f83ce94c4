"""Merging with the compiled loops: blocks that cannot overflow, combined as exact integers."""

from bisect import bisect_left
from collections.abc import Callable
from functools import reduce
from itertools import accumulate, pairwise
from typing import TypeVar

import numpy as np

from rocwise.arrays import Array, Counts, Floats, Scores
from rocwise.kernels.compiled import _merging
from rocwise.kernels.compiled.scanning import holds_nan
from rocwise.kernels.long_arrays import far_apart, on_large_pages
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.placement_sums import PlacementSums, combine
from rocwise.kernels.plain import merging
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.threads import PIECES_PER_THREAD, heard, run_parts, thread_limit

Answer = TypeVar("Answer")
Rates = Floats
FLOAT32, FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)  # compared sooner than the types
Block = tuple[int, int, int, int]
Columns = tuple[Array, Array, Array]

# 2**20 rows: the sum of their squared placements is at most 2**20 * (2 * 2**20)**2 = 2**62
BLOCK_ROWS = 2**20
ROWS_PER_THREAD = 100_000  # below this a thread costs more than it saves
CUTS_PER_PART = 16  # places where the rows of a part may end


def merge_sums(
    neg: Scores, pos: Scores, *, numbers: bool = False, threads: int | None = None
) -> PlacementSums:
    """Compiled twin of `plain_merging.merge_sums`."""
    neg, pos = _readable(neg, pos, numbers)
    size = neg.size + pos.size
    threads = 1 if size <= BLOCK_ROWS // 2 else threads or thread_limit()
    if threads == 1 and size <= BLOCK_ROWS:
        return PlacementSums(*_merging.merge_block(neg, pos, 0, neg.size, 0, pos.size))
    blocks = _blocks(neg, pos, min(BLOCK_ROWS // 4, max(1, size // (PIECES_PER_THREAD * threads))))

    def sum_blocks(first: int, last: int) -> PlacementSums:
        parts = (_block_sums(neg, pos, block) for block in blocks[first:last])
        return reduce(combine, parts, PlacementSums())

    return reduce(combine, run_parts(sum_blocks, _block_parts(blocks, threads)))


def table_sums(pos_counts: Counts, neg_counts: Counts) -> PlacementSums:
    """Compiled twin of `plain_merging.table_sums`."""
    pos_counts = np.ascontiguousarray(pos_counts, np.int64)
    neg_counts = np.ascontiguousarray(neg_counts, np.int64)
    merging.check_same_length(pos_counts, neg_counts)

    def sum_part(start: int, stop: int) -> PlacementSums:
        pos, neg = pos_counts[start:stop], neg_counts[start:stop]
        if float(pos.sum(dtype=float)) * float(neg.sum(dtype=float)) >= 2.0**62:
            return merging.table_sums(pos, neg)  # count times placement might pass 64 bits
        return PlacementSums(*heard(_merging.table_totals, pos, neg, rows=pos.size))

    falling = run_parts(sum_part, parts_of_rows(pos_counts.size))
    return reduce(combine, reversed(falling))


def curve_counts(
    neg: Scores, pos: Scores, *, numbers: bool = False, threads: int | None = None
) -> tuple[Scores, Counts, Counts]:
    """Compiled twin of `plain_merging.curve_counts`: threads share ranges of scores."""
    neg, pos = _readable(neg, pos, numbers)
    size = neg.size + pos.size
    columns: tuple[Array, Counts, Counts]
    columns = (
        on_large_pages(size, neg.dtype),
        on_large_pages(size, np.int64),
        on_large_pages(size, np.int64),
    )
    ranges = _ranges(neg, pos, threads)
    places = _first_places(ranges)

    def fill(number: int) -> int:
        given = neg, pos, *ranges[number], *columns, places[number]
        return heard(_merging.merge_curve, *given, rows=size)

    return _without_gaps(columns, places, _of_ranges(fill, len(ranges)))


def curve_rates(
    neg: Scores, pos: Scores, *, numbers: bool = False, threads: int | None = None
) -> tuple[Scores, Rates, Rates, int]:
    """Compiled twin of `plain_merging.curve_rates`: threads share ranges of scores."""
    neg, pos = _readable(neg, pos, numbers)
    size = neg.size + pos.size + 1
    columns: tuple[Array, Rates, Rates]
    columns = on_large_pages(size, neg.dtype), on_large_pages(size), on_large_pages(size)
    ranges = _ranges(neg, pos, threads)
    places = _first_places(ranges, 1)

    def fill(number: int) -> tuple[int, int]:
        given = neg, pos, *ranges[number], *columns, places[number]
        return heard(_merging.merge_rates, *given, rows=size)

    filled = _of_ranges(fill, len(ranges))
    for column, first in zip(columns, (np.inf, 0.0, 0.0), strict=True):
        column[0] = first  # last, so that all threads share the making of pages
    scores, tpr, fpr = _without_gaps(columns, places, [points for points, _ in filled])
    return scores, tpr, fpr, sum(part for _, part in filled)


def _of_ranges(fill: Callable[[int], Answer], ranges: int) -> list[Answer]:
    """What `fill` answers for the number of each range."""
    numbers = far_apart(range(ranges))
    answers = dict(zip(numbers, run_parts(fill, [(number,) for number in numbers]), strict=True))
    return [answers[number] for number in range(ranges)]


def _ranges(neg: Scores, pos: Scores, threads: int | None) -> list[Block]:
    """Ranges of scores with about as many rows each, the highest first; ties stay together."""
    size = neg.size + pos.size
    if size <= ROWS_PER_THREAD:
        return [(0, neg.size, 0, pos.size)]
    threads = min(threads or thread_limit(), 1 + size // ROWS_PER_THREAD)
    if threads == 1:
        return [(0, neg.size, 0, pos.size)]
    parts = PIECES_PER_THREAD * threads
    larger, other = (neg, pos) if neg.size > pos.size else (pos, neg)
    places = np.linspace(0, larger.size - 1, CUTS_PER_PART * parts).astype(np.intp)
    below = places + np.searchsorted(other, larger[places])  # rows of both classes
    wanted = [size * part // parts for part in range(1, parts)]
    chosen = np.searchsorted(below[:-1], wanted)  # the last place where all lie below the other
    values = np.unique(larger[places[chosen]])
    in_neg, in_pos = (
        [0, *np.searchsorted(rows, values).tolist(), rows.size] for rows in (neg, pos)
    )
    return list(zip(in_neg[:-1], in_neg[1:], in_pos[:-1], in_pos[1:], strict=True))[::-1]


def _first_places(ranges: list[Block], first: int = 0) -> list[int]:
    """Where the points of each range start, if no two rows are tied."""
    sizes = [i_end - i + j_end - j for i, i_end, j, j_end in ranges]
    return list(accumulate(sizes[:-1], initial=first))


def _without_gaps(columns: Columns, places: list[int], filled: list[int]) -> Columns:
    """The columns with the points of all ranges behind each other: ties leave gaps between them."""
    used = places[0] + filled[0]
    for place, points in zip(places[1:], filled[1:], strict=True):
        if used < place:
            for column in columns:
                column[used : used + points] = column[place : place + points]
        used += points
    if used == len(columns[0]):
        return columns
    first, second, third = (column[:used].copy() for column in columns)
    return first, second, third


def _readable(neg: Scores, pos: Scores, numbers: bool) -> tuple[Scores, Scores]:
    """Arrays of one type as the compiled loops read them, without nan."""
    dtype = FLOAT32 if neg.dtype == pos.dtype == FLOAT32 else FLOAT64
    neg, pos = np.ascontiguousarray(neg, dtype), np.ascontiguousarray(pos, dtype)
    if not numbers and holds_nan(neg, pos):
        refuse_nan(neg, pos)
    return neg, pos


def _blocks(neg: Scores, pos: Scores, step: int) -> list[Block]:
    """Ranges (i, i_end, j, j_end) between cut values, and the rows tied at each cut value.

    Between cut values lie at most `step` rows of each class.
    """
    values = np.unique(np.concatenate((neg[step::step], pos[step::step])))
    cuts = []
    for rows in (neg, pos):
        left = np.searchsorted(rows, values, side="left")
        right = np.searchsorted(rows, values, side="right")
        inner = np.stack((left, right), axis=1).ravel().tolist()
        cuts.append([0, *inner, rows.size])
    in_neg, in_pos = cuts
    return list(zip(in_neg[:-1], in_neg[1:], in_pos[:-1], in_pos[1:], strict=True))


def _block_parts(blocks: list[Block], threads: int) -> list[tuple[int, int]]:
    """Cut the blocks into consecutive runs that hold about the same number of rows."""
    ends = [i_end + j_end for _, i_end, _, j_end in blocks]
    parts = PIECES_PER_THREAD * threads
    cuts = [bisect_left(ends, ends[-1] * part // parts) for part in range(1, parts)]
    return list(pairwise([0, *cuts, len(blocks)]))


def _block_sums(neg: Scores, pos: Scores, block: Block) -> PlacementSums:
    i, i_end, j, j_end = block
    q, p = i_end - i, j_end - j
    if p + q <= BLOCK_ROWS:
        return PlacementSums(*_merging.merge_block(neg, pos, *block))
    # only the rows tied at one value can be so many
    return PlacementSums(p, q, p * q, p * q * q, p * q, q * p * p, p * q)
