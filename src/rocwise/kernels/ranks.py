"""Ranks of two classes: placement values, their sums, and the merged table of counts."""

from collections.abc import Callable
from functools import reduce
from itertools import accumulate, pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np

from rocwise.arrays import Array, Counts, Floats, Mask, Scores
from rocwise.kernels.selection import compiled_module
from rocwise.kernels.sort import SortedSample, check_lengths, sort_rows, sorted_entries, values_of
from rocwise.kernels.threads import CHUNKS_PER_THREAD, even_chunks, run_tasks, thread_limit

_ranks = compiled_module("_ranks")
BLOCK_ROWS = 2**20  # the sum of their squared placements is at most 2**62
ROWS_PER_THREAD = 200_000
FEW_ROWS = 4096  # that are one range
MANY_ROWS = 2**15
LARGEST_INTEGER = 2**63 - 1
Range = tuple[int, int, int, int]  # of negatives and of positives


class PlacementSums(NamedTuple):
    """Sums of doubled placements, as Python integers of any size: AUC = sum_u / (2 n_pos n_neg).

    A positive has u = 2 * (negatives below) + (negatives tied), a negative v of positives likewise.
    """

    n_pos: int = 0
    n_neg: int = 0
    sum_u: int = 0
    sum_u2: int = 0
    sum_v: int = 0
    sum_v2: int = 0
    ties: int = 0


def combine(lower: PlacementSums, upper: PlacementSums) -> PlacementSums:
    """Sums of two ranges: placements in `upper` grow by twice the other class in `lower`."""
    grow_u, grow_v = 2 * lower.n_neg, 2 * lower.n_pos
    return PlacementSums(
        n_pos=lower.n_pos + upper.n_pos,
        n_neg=lower.n_neg + upper.n_neg,
        sum_u=lower.sum_u + upper.sum_u + upper.n_pos * grow_u,
        sum_u2=lower.sum_u2 + upper.sum_u2 + grow_u * (2 * upper.sum_u + upper.n_pos * grow_u),
        sum_v=lower.sum_v + upper.sum_v + upper.n_neg * grow_v,
        sum_v2=lower.sum_v2 + upper.sum_v2 + grow_v * (2 * upper.sum_v + upper.n_neg * grow_v),
        ties=lower.ties + upper.ties,
    )


def placement_sums(neg: Scores, pos: Scores) -> PlacementSums:
    """Placement sums of two classes of ascending scores without nan."""
    if _ranks is None:
        return table_sums(*_steps(*_numpy_merge(neg, pos)[1:]))
    neg, pos = np.ascontiguousarray(neg, np.float64), np.ascontiguousarray(pos, np.float64)

    def sums(lower: Range, upper: Range) -> PlacementSums:
        if max(_rows(lower), _rows(upper)) <= BLOCK_ROWS:
            found = _ranks.sums_of_two(neg, pos, lower, upper)
            return combine(PlacementSums(*found[0]), PlacementSums(*found[1]))
        return combine(_tied_sums(neg, pos, lower), _tied_sums(neg, pos, upper))

    ranges = _ranges(neg, pos, BLOCK_ROWS // 2)
    if len(ranges) % 2:
        ranges.append((len(neg), len(neg), len(pos), len(pos)))
    return reduce(combine, run_tasks(sums, list(zip(ranges[::2], ranges[1::2], strict=True))))


def _rows(some: Range) -> int:
    i, i_end, j, j_end = some
    return i_end - i + j_end - j


def _tied_sums(neg: Scores, pos: Scores, some: Range) -> PlacementSums:
    """Sums of a range in which so many rows are tied that the table is short."""
    i, i_end, j, j_end = some
    return table_sums(*_steps(*_numpy_merge(neg[i:i_end], pos[j:j_end])[1:]))


def table_sums(pos_counts: Counts, neg_counts: Counts) -> PlacementSums:
    """Placement sums of a table of counts per distinct score, in descending order of score."""
    if pos_counts.ndim != 1 or pos_counts.shape != neg_counts.shape:
        raise ValueError(
            f"`pos_counts` has shape {pos_counts.shape} but `neg_counts` has shape "
            f"{neg_counts.shape}; both need one count per distinct score."
        )
    pos = pos_counts[::-1].astype(np.int64)
    neg = neg_counts[::-1].astype(np.int64)
    u = 2 * np.cumsum(neg) - neg
    v = 2 * np.cumsum(pos) - pos
    return PlacementSums(
        n_pos=exact_sum(pos),
        n_neg=exact_sum(neg),
        sum_u=exact_sum(pos, u),
        sum_u2=exact_sum(pos, u, u),
        sum_v=exact_sum(neg, v),
        sum_v2=exact_sum(neg, v, v),
        ties=exact_sum(pos, neg),
    )


def exact_sum(*factors: Counts) -> int:
    """Sum of the products of non-negative integers, in halves of the bits where 63 are too few."""
    if factors[0].size == 0:
        return 0
    tops = [int(factor.max()) for factor in factors]
    if prod(tops) * factors[0].size <= LARGEST_INTEGER:
        return int(prod(factors[1:], start=factors[0]).sum(dtype=np.int64))
    largest = tops.index(max(tops))
    bits = tops[largest].bit_length() // 2
    rest = [factor for index, factor in enumerate(factors) if index != largest]
    upper, lower = factors[largest] >> bits, factors[largest] & ((1 << bits) - 1)
    return (exact_sum(upper, *rest) << bits) + exact_sum(lower, *rest)


def merge_curves(neg: Scores, pos: Scores) -> tuple[Scores, Counts, Counts]:
    """Distinct scores of two ascending classes, descending, and the rows of each at or above."""
    if _ranks is None:
        return _numpy_merge(neg, pos)
    dtype = np.result_type(neg, pos)
    neg, pos = np.ascontiguousarray(neg, np.float64), np.ascontiguousarray(pos, np.float64)
    size = len(neg) + len(pos)
    falling = _ranges(neg, pos, size)[::-1]
    tasks = [(neg, pos, *some, size - some[1] - some[3]) for some in falling]
    scores, tp, fp = _filled(_ranks.merge, tasks, size)
    return scores.astype(dtype, copy=False), tp, fp


def _numpy_merge(neg: Scores, pos: Scores) -> tuple[Scores, Counts, Counts]:
    merged = np.concatenate((neg, pos))
    merged.sort(kind="stable")  # two sorted runs: a single merge
    scores = merged[_is_first(merged)][::-1].copy()
    tp = len(pos) - np.searchsorted(pos, scores)
    fp = len(neg) - np.searchsorted(neg, scores)
    return scores, tp.astype(np.int64, copy=False), fp.astype(np.int64, copy=False)


def sample_sums(sample: SortedSample) -> PlacementSums:
    """Placement sums of both classes."""
    keys = sample.keys
    if not len(keys):
        return PlacementSums()

    def sums(start: int, stop: int) -> PlacementSums:
        if _ranks is not None and stop - start <= BLOCK_ROWS:
            return PlacementSums(*_ranks.sample_sums(keys, start, stop))
        return table_sums(*_steps(*_numpy_curve(keys[start:stop])[1:]))

    return reduce(combine, run_tasks(sums, _blocks(keys, BLOCK_ROWS // 2)))


def sample_curve(sample: SortedSample) -> tuple[Scores, Counts, Counts]:
    """Distinct scores, descending, with the positives and negatives at or above each."""
    keys, size = sample.keys, len(sample.keys)
    if _ranks is None:
        scores, tp, fp = _numpy_curve(keys)
        return scores.astype(sample.dtype, copy=False), tp, fp
    falling = _blocks(keys, size)[::-1]
    positives = [int((keys[a:b] & 1).sum()) for a, b in falling[:-1]]
    tasks = [
        (keys, *rows, above, size - rows[1])
        for rows, above in zip(falling, accumulate(positives, initial=0), strict=True)
    ]
    scores, tp, fp = _filled(_ranks.sample_curve, tasks, size)
    return scores.astype(sample.dtype, copy=False), tp, fp


def _numpy_curve(keys: Counts) -> tuple[Floats, Counts, Counts]:
    falling = keys[::-1]
    ends = np.flatnonzero(np.append(falling[1:] >> 1 != falling[:-1] >> 1, True))
    tp = np.cumsum(falling & 1)[ends]
    return values_of(falling[ends]), tp, ends + 1 - tp


def _filled(
    fill: Callable[..., int], tasks: list[tuple[Any, ...]], size: int
) -> tuple[Floats, Counts, Counts]:
    """Scores and both counts, which each task fills from its last argument on."""
    if size < MANY_ROWS:
        columns: list[Array] = [np.empty(size, np.int64) for _ in range(3)]
    else:
        columns = list(np.empty((3, size), np.int64))  # one array has fewer page faults than three
    columns[0] = columns[0].view(np.float64)
    filled = run_tasks(lambda *task: fill(*task, *columns), tasks)
    if sum(filled) < size:  # ties leave gaps
        parts = [slice(task[-1], task[-1] + n) for task, n in zip(tasks, filled, strict=True)]
        columns = [np.concatenate([column[part] for part in parts]) for column in columns]
    return columns[0], columns[1], columns[2]


def _blocks(keys: Counts, most: int) -> list[tuple[int, int]]:
    """Ranges of rows for the threads, at most `most` each but for ties, which stay together."""
    size = len(keys)
    threads = min(thread_limit(), 1 + size // ROWS_PER_THREAD) if size > ROWS_PER_THREAD else 1
    step = min(most, size // (CHUNKS_PER_THREAD * threads) + 1) if threads > 1 else most
    if size <= step:
        return [(0, size)]
    inner = np.unique(np.searchsorted(keys, keys[step::step] & ~1)).tolist()
    return [pair for pair in pairwise([0, *inner, size]) if pair[0] < pair[1]]


def _steps(*sums: Counts) -> list[Counts]:
    return [np.diff(column, prepend=0) for column in sums]


def _ranges(neg: Scores, pos: Scores, most: int) -> list[Range]:
    """Ascending ranges of scores for the threads, at most `most` rows of a class but for ties."""
    size = len(neg) + len(pos)
    threads = min(thread_limit(), 1 + size // ROWS_PER_THREAD) if size > ROWS_PER_THREAD else 1
    larger, smaller = (neg, pos) if len(neg) > len(pos) else (pos, neg)
    pieces = 2 * CHUNKS_PER_THREAD * threads if threads > 1 else 2
    step = min(most, len(larger) // pieces + 1)
    if size < FEW_ROWS:
        return [(0, len(neg), 0, len(pos))]
    values = np.unique(np.concatenate((larger[step::step], smaller[most::most])))
    in_neg = [0, *np.searchsorted(neg, values).tolist(), len(neg)]
    in_pos = [0, *np.searchsorted(pos, values).tolist(), len(pos)]
    return [(*a, *b) for a, b in zip(pairwise(in_neg), pairwise(in_pos), strict=True)]


def placements(mask: Mask, scores: Scores) -> Counts:
    """For each row 2 * (rows of the other class below) + (rows of the other class tied)."""
    check_lengths(mask, scores)
    if _ranks is None or not len(mask):
        order, classes, ranked = sort_rows(mask, scores)
        result = np.empty(len(order), np.int64)
        result[order] = _numpy_placements(classes != 0, ranked) if len(order) else 0
        return result
    classes = np.ascontiguousarray(mask != 0).view(np.uint8)
    entries = sorted_entries(classes, np.ascontiguousarray(scores, np.float64))
    ranges = list(pairwise([0, *_first_rows(entries[:, 0]), len(entries)]))
    positives = run_tasks(lambda a, b: int((entries[a:b, 1] & 1).sum()), ranges[:-1])
    below = accumulate(positives, initial=0)
    result = np.empty(len(entries), np.int64)
    run_tasks(
        lambda a, b, pos_below: _ranks.place(entries, a, b, pos_below, result),
        [(*some, pos_below) for some, pos_below in zip(ranges, below, strict=True)],
    )
    return result


def midrank_placements(mask: Mask, first: Scores, second: Scores) -> Counts:
    """Placements of the rows of two models, by their midranks, among those of both models."""
    check_lengths(mask, first)
    check_lengths(mask, second)
    if _ranks is None or not len(mask):
        return _numpy_midrank_placements(mask != 0, first, second)
    classes = np.ascontiguousarray(mask != 0).view(np.uint8)
    counts = np.zeros((2, 2 * len(mask) + 1), np.int64)  # by class, of midranks, doubled
    result = np.empty((2, len(mask)), np.int64)
    for own, midranks in zip((first, second), result, strict=True):
        entries = sorted_entries(classes, np.ascontiguousarray(own, np.float64))
        _ranks.count_midranks(entries, counts, midranks)
    _ranks.place_midranks(classes, counts, result)
    return result


def _numpy_midrank_placements(is_positive: Array, first: Scores, second: Scores) -> Counts:
    ranks = np.concatenate([doubled_midranks(first), doubled_midranks(second)])
    return placements(np.tile(is_positive, 2), ranks.astype(np.float64)).reshape(2, -1)


def doubled_midranks(scores: Scores) -> Counts:
    """Twice the rank from 1 to n, ties sharing their mean rank."""
    order, _, ranked = sort_rows(np.zeros(len(scores), np.uint8), scores)
    starts = np.flatnonzero(_is_first(ranked))
    ends = np.append(starts[1:], len(scores))
    ranks = np.empty(len(scores), np.int64)
    ranks[order] = np.repeat(starts + ends + 1, ends - starts)
    return ranks


def _first_rows(ranked: Array) -> list[int]:
    """Rows between which sorted values can be divided for the threads: ties stay together."""
    threads = min(thread_limit(), 1 + len(ranked) // ROWS_PER_THREAD)
    if threads == 1:
        return []
    starts = [start for start, _ in even_chunks(len(ranked), CHUNKS_PER_THREAD * threads)[1:]]
    return list(np.searchsorted(ranked, ranked[starts]).tolist())


def _numpy_placements(is_positive: Array, ranked: Scores) -> Counts:
    first = np.flatnonzero(_is_first(ranked))
    last = np.append(first[1:], len(ranked)) - 1
    group = np.repeat(np.arange(len(first)), last - first + 1)
    pos_upto = np.cumsum(is_positive)[last]
    neg_upto = last + 1 - pos_upto
    # twice those below plus those tied = those below + those up to and with the group
    u = neg_upto + np.concatenate(([0], neg_upto[:-1]))
    v = pos_upto + np.concatenate(([0], pos_upto[:-1]))
    return np.asarray(np.where(is_positive, u[group], v[group]), np.int64)


def _is_first(ranked: Array) -> Array:
    """Where sorted values come to another one."""
    first = np.ones(len(ranked), np.bool_)
    np.not_equal(ranked[1:], ranked[:-1], out=first[1:])
    return first
