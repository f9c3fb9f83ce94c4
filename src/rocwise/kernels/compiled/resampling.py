"""Bootstrap with the compiled loops: replicates are shared out among the threads."""

import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Codes, Counts, Floats, Scores
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.compiled import _resampling
from rocwise.kernels.compiled.sorting import argsort
from rocwise.kernels.plain.resampling import NEGATIVE, POSITIVE
from rocwise.kernels.threads import run_parts, shrinking_pieces, thread_limit

DRAWS_PER_THREAD = 200_000
DRAWS_PER_PART = 50_000
FEWEST_REPLICATES = 16  # of a part: some loops walk so many at a time
VERTICES_PER_POINT = 50  # below it visiting all vertices costs less than searching them


def resample_counts(
    pos: Counts, neg: Counts, seed: int, first: int, last: int
) -> tuple[Counts, Counts]:
    """Compiled twin of `plain_resampling.resample_counts`.

    Examples
    --------
    >>> drawn_pos, drawn_neg = resample_counts(np.array([1, 2]), np.array([2, 1]), 7, 0, 3)
    >>> drawn_pos.sum(axis=1).tolist(), drawn_neg.sum(axis=1).tolist()
    ([3, 3, 3], [3, 3, 3])
    """
    tables.check_replicates(pos, neg, seed, first, last)
    if tables.draws_counts(pos, neg):
        return tables.multinomial_counts(pos, neg, seed, first, last)
    drawn = np.empty((2, last - first, pos.size), np.int64)
    for kind, counts in ((NEGATIVE, neg), (POSITIVE, pos)):
        _resampling.group_counts(seed, first, last, kind, tables.cumulative(counts), drawn[kind])
    return drawn[POSITIVE], drawn[NEGATIVE]


def resample_doubled_u(
    pos: Counts, neg: Counts, seed: int, first: int, last: int, threads: int | None = None
) -> Counts:
    """Compiled twin of `plain_resampling.resample_doubled_u`.

    Examples
    --------
    >>> resample_doubled_u(np.array([2, 0]), np.array([0, 3]), 7, 0, 2).tolist()
    [12, 12]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    if tables.draws_counts(pos, neg):
        return tables.multinomial_doubled_u(pos, neg, seed, first, last)
    layout = tables.placing(pos, neg)
    sums = np.empty(last - first, np.int64)
    run_parts(
        _resampling.placement_sums,
        [
            (
                seed,
                first + start,
                first + stop,
                layout.kind,
                layout.counted,
                layout.lower,
                layout.upper,
                sums[start:stop],
            )
            for start, stop in replicate_parts(layout.counted + layout.lower.size, sums, threads)
        ],
    )
    return tables.doubled_u(layout, sums)


def resample_tpr(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    fpr_grid: Floats,
    threads: int | None = None,
) -> Floats:
    """Compiled twin of `plain_resampling.resample_tpr`.

    Examples
    --------
    >>> resample_tpr(np.array([2, 0]), np.array([0, 3]), 7, 0, 1, np.array([0.0, 0.5])).tolist()
    [[1.0, 1.0]]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    n_pos, n_neg = int(pos.sum()), int(neg.sum())
    targets = tables.false_positive_targets(n_neg, fpr_grid)
    if tables.draws_counts(pos, neg):
        return tables.multinomial_heights(pos, neg, seed, first, last, targets) / n_pos
    tp_rank, fp_rank = tables.cumulative(pos), tables.cumulative(neg)
    heights = np.empty((last - first, targets.size))
    few_vertices = pos.size < VERTICES_PER_POINT * targets.size
    walk = few_vertices and bool(np.all(targets[1:] >= targets[:-1]))
    run_parts(
        _resampling.heights,
        [
            (
                seed,
                first + start,
                first + stop,
                tp_rank,
                fp_rank,
                targets,
                walk,
                heights[start:stop],
            )
            for start, stop in replicate_parts(n_pos + n_neg, heights, threads)
        ],
    )
    return heights / n_pos


def paired_placing(mask: Codes, scores: Scores) -> tables.PairedPlacing:
    """Compiled twin of `plain_resampling.paired_placing`.

    Examples
    --------
    >>> paired_placing(np.array([0, 1, 1], np.uint8), np.array([[2.0, 1.0, 3.0]])).lower.tolist()
    [[0, 1]]
    """
    return tables.paired_placing(mask, scores, argsort)


def resample_paired_doubled_u(
    layout: tables.PairedPlacing,
    seed: int,
    first: int,
    last: int,
    threads: int | None = None,
) -> Counts:
    """Compiled twin of `plain_resampling.resample_paired_doubled_u`.

    Examples
    --------
    >>> mask = np.array([0, 1, 1], np.uint8)
    >>> scores = np.array([[0.1, 0.2, 0.3], [0.9, 0.2, 0.3]])
    >>> resample_paired_doubled_u(paired_placing(mask, scores), 7, 0, 2).tolist()
    [[4, 0], [4, 0]]
    """
    (markers, n_neg), n_pos = layout.neg_order.shape, layout.pos_order.shape[1]
    tables.check_replicates(np.array([n_pos]), np.array([n_neg]), seed, first, last)
    result = np.empty((last - first, markers), np.int64)
    run_parts(
        _resampling.paired_sums,
        [
            (seed, first + start, first + stop, *layout, result[start:stop])
            for start, stop in replicate_parts(markers * (n_neg + n_pos), result, threads)
        ],
    )
    return result


def replicate_parts(
    rows: int, result: NDArray[np.generic], threads: int | None
) -> list[tuple[int, int]]:
    """Replicates of each part; a thread is worth starting for many draws only."""
    replicates = result.shape[0]
    if threads is None:
        threads = min(thread_limit(), 1 + rows * replicates // DRAWS_PER_THREAD)
    smallest = max(FEWEST_REPLICATES, DRAWS_PER_PART // max(rows, 1))
    return shrinking_pieces(replicates, threads, smallest)


def class_times(members: Counts, sizes: Counts, seed: int, replicate: int) -> Floats:
    """Compiled twin of `plain_resampling.class_times`.

    Examples
    --------
    >>> class_times(np.array([0, 2, 1]), np.array([2, 1]), 7, 0).tolist()
    [2.0, 1.0, 0.0]
    """
    tables.check_members(members, sizes, seed, replicate)
    times = np.zeros(len(members))
    told = np.ascontiguousarray(members, np.int64), np.ascontiguousarray(sizes, np.int64)
    _resampling.drawn_times(seed, replicate, *told, times)
    return times


def class_counts(n_pos: int, n_neg: int, seed: int, first: int, last: int) -> Counts:
    """Compiled twin of `plain_resampling.class_counts`.

    Examples
    --------
    >>> drawn = class_counts(2, 1, 7, 0, 3)
    >>> drawn[:, :2].sum(axis=1).tolist(), drawn[:, 2].tolist()
    ([2, 2, 2], [1, 1, 1])
    """
    tables.check_replicates(np.array([n_pos]), np.array([n_neg]), seed, first, last)
    times = np.empty((last - first, n_pos + n_neg), np.int64)
    _resampling.class_counts(seed, first, last, n_pos, n_neg, times)
    return times


def pooled_counts(classes: Codes, seed: int, first: int, last: int) -> Counts:
    """Compiled twin of `plain_resampling.pooled_counts`.

    Examples
    --------
    >>> pooled_counts(np.array([2, 1, 1], np.uint8), 7, 0, 3).sum(axis=1).tolist()
    [3, 3, 3]
    """
    tables.check_units(classes, seed, first, last)
    times = np.empty((last - first, len(classes)), np.int64)
    told = np.ascontiguousarray(classes, np.uint8), tables.MOST_ATTEMPTS
    if not _resampling.pooled_counts(seed, first, last, *told, times):
        raise tables.lacking_class()
    return times


def row_amounts(rows: tables.SignedRows, times: Counts | Floats) -> tuple[Floats, Floats]:
    """Compiled twin of `plain_resampling.row_amounts`.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False, True]), np.array([0, 2]), None, None)
    >>> [part.tolist() for part in row_amounts(rows, np.array([[1, 2, 3]]))]
    [[[1.0, 3.0]], [[2.0, 0.0]]]
    """
    tables.check_times(rows, times)
    kind = np.int64 if times.dtype.kind in "biu" else np.float64
    pos, neg = np.empty((2, len(times), len(rows.starts) - 1))
    _resampling.row_amounts(np.ascontiguousarray(times, kind), *rows, pos, neg)
    return pos, neg
