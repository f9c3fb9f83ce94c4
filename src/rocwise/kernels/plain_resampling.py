"""Numpy twins of the bootstrap kernels: the same generator, hence the same replicates.

The generator is splitmix64 started from a key of (seed, replicate, class); a draw takes the upper
64 bits of (random number) * (number of rows), which favours no row by more than 2**-32.
"""

import numpy as np
from numpy.typing import NDArray

from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.plain_sorting import argsort

Counts = NDArray[np.int64]
Words = NDArray[np.uint64]

NEGATIVE, POSITIVE = 0, 1
_STEP = 0x9E3779B97F4A7C15
_ALL_BITS = 2**64 - 1


def resample_counts(
    pos: Counts, neg: Counts, seed: int, first: int, last: int
) -> tuple[Counts, Counts]:
    """Counts per distinct score of the replicates first..last: two arrays (replicate, score).

    Examples
    --------
    >>> drawn_pos, drawn_neg = resample_counts(np.array([1, 2]), np.array([2, 1]), 7, 0, 3)
    >>> drawn_pos.sum(axis=1).tolist(), drawn_neg.sum(axis=1).tolist()
    ([3, 3, 3], [3, 3, 3])
    """
    tables.check_replicates(pos, neg, seed, first, last)
    if tables.draws_counts(pos, neg):
        return tables.multinomial_counts(pos, neg, seed, first, last)
    drawn_pos = row_counts(seed, first, last, POSITIVE, int(pos.sum()))
    drawn_neg = row_counts(seed, first, last, NEGATIVE, int(neg.sum()))
    return tables.grouped(drawn_pos, pos), tables.grouped(drawn_neg, neg)


def resample_doubled_u(
    pos: Counts, neg: Counts, seed: int, first: int, last: int, threads: int | None = None
) -> Counts:
    """2 * U of the stratified replicates first..last; AUC = result / (2 * n_pos * n_neg).

    Examples
    --------
    >>> resample_doubled_u(np.array([2, 0]), np.array([0, 3]), 7, 0, 2).tolist()
    [12, 12]
    """
    del threads  # one is enough here
    tables.check_replicates(pos, neg, seed, first, last)
    if tables.draws_counts(pos, neg):
        return tables.multinomial_doubled_u(pos, neg, seed, first, last)
    layout = tables.placing(pos, neg)
    sums = np.empty(last - first, np.int64)
    for start, stop in tables.chunks(first, last, layout.counted + layout.lower.size):
        above = tables.cumulative(row_counts(seed, start, stop, 1 - layout.kind, layout.counted))
        weights = row_counts(seed, start, stop, layout.kind, layout.lower.size)
        placed = above[:, layout.lower] + above[:, layout.upper]
        sums[start - first : stop - first] = (weights * placed).sum(axis=1)
    return tables.doubled_u(layout, sums)


def resample_tpr(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    fpr_grid: NDArray[np.float64],
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Height of each replicate's ROC polyline at each false positive rate.

    At a vertical segment the height is its upper end. Result: (replicate, rate).

    Examples
    --------
    >>> resample_tpr(np.array([2, 0]), np.array([0, 3]), 7, 0, 1, np.array([0.0, 0.5])).tolist()
    [[1.0, 1.0]]
    """
    del threads
    tables.check_replicates(pos, neg, seed, first, last)
    n_pos, n_neg = int(pos.sum()), int(neg.sum())
    targets = tables.false_positive_targets(n_neg, fpr_grid)
    if tables.draws_counts(pos, neg):
        return tables.multinomial_heights(pos, neg, seed, first, last, targets) / n_pos
    tp_rank, fp_rank = tables.cumulative(pos), tables.cumulative(neg)
    heights = np.empty((last - first, targets.size))
    for start, stop in tables.chunks(first, last, n_pos + n_neg):
        tp = tables.cumulative(row_counts(seed, start, stop, POSITIVE, n_pos))[:, tp_rank]
        fp = tables.cumulative(row_counts(seed, start, stop, NEGATIVE, n_neg))[:, fp_rank]
        for line in range(stop - start):
            heights[start - first + line] = tables.heights_at(fp[line], tp[line], targets)
    return heights / n_pos


def resample_paired_doubled_u(
    mask: NDArray[np.uint8],
    scores: NDArray[np.floating],
    seed: int,
    first: int,
    last: int,
    threads: int | None = None,
) -> Counts:
    """2 * U of several markers, `scores` (marker, row), on the same drawn rows.

    Positives and negatives are drawn apart. Result: (replicate, marker).

    Examples
    --------
    >>> mask = np.array([0, 1, 1], np.uint8)
    >>> scores = np.array([[0.1, 0.2, 0.3], [0.9, 0.2, 0.3]])
    >>> resample_paired_doubled_u(mask, scores, 7, 0, 2).tolist()
    [[4, 0], [4, 0]]
    """
    del threads
    layout = tables.paired_placing(mask, scores, argsort)
    n_neg, n_pos = layout.neg_order.shape[1], layout.pos_order.shape[1]
    tables.check_replicates(np.array([n_pos]), np.array([n_neg]), seed, first, last)
    result = np.empty((last - first, scores.shape[0]), np.int64)
    for start, stop in tables.chunks(first, last, n_pos + n_neg):
        neg = row_counts(seed, start, stop, NEGATIVE, n_neg)
        pos = row_counts(seed, start, stop, POSITIVE, n_pos)
        for marker in range(scores.shape[0]):
            below = tables.cumulative(neg[:, layout.neg_order[marker]])
            placed = below[:, layout.lower[marker]] + below[:, layout.upper[marker]]
            sums = (pos[:, layout.pos_order[marker]] * placed).sum(axis=1)
            result[start - first : stop - first, marker] = sums
    return result


def row_counts(seed: int, first: int, last: int, kind: int, size: int) -> Counts:
    """How often each of the `size` rows of a class is drawn: (replicate, row).

    Examples
    --------
    >>> row_counts(7, 0, 2, POSITIVE, 5).sum(axis=1).tolist()
    [5, 5]
    """
    replicates = last - first
    keys = np.array([stream_key(seed, b, kind) for b in range(first, last)], np.uint64)
    steps = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(_STEP)
    rows = _scaled(_mix(keys[:, None] + steps), size)
    rows += np.arange(replicates, dtype=np.int64)[:, None] * size
    counted = np.bincount(rows.ravel(), minlength=replicates * size)
    return counted.astype(np.int64, copy=False).reshape(replicates, size)


def stream_key(seed: int, replicate: int, kind: int) -> int:
    """Where the generator of one class of one replicate starts.

    Examples
    --------
    >>> stream_key(1, 2, POSITIVE) != stream_key(2, 1, POSITIVE)
    True
    """
    start = _mix_one((seed + _STEP) & _ALL_BITS)
    return _mix_one((start + (2 * replicate + kind + 1) * _STEP) & _ALL_BITS)


def _mix_one(state: int) -> int:
    return int(_mix(np.array([state], np.uint64))[0])


def _mix(state: Words) -> Words:
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


def _scaled(words: Words, size: int) -> Counts:
    """Upper 64 bits of words * size, for size < 2**32, without leaving 64 bits."""
    half, factor = np.uint64(32), np.uint64(size)
    carried = ((words & np.uint64(0xFFFFFFFF)) * factor) >> half
    return (((words >> half) * factor + carried) >> half).astype(np.int64)
