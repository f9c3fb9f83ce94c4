"""Numpy twins of the bootstrap kernels: the same generator, hence the same replicates.

The generator is splitmix64 started from a key of (seed, replicate, class); a draw takes the upper
64 bits of (random number) * (number of rows), which favours no row by more than 2**-32.
"""

from collections.abc import Callable

import numpy as np

from rocwise.arrays import Codes, Counts, Floats, Scores, Words
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.plain.sorting import argsort
from rocwise.kernels.threads import even_parts, run_parts, thread_limit

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
    drawn = np.empty((2, last - first, pos.size), np.int64)
    for kind, counts in ((NEGATIVE, neg), (POSITIVE, pos)):
        ranks = tables.cumulative(counts)
        for start, stop in tables.chunks(first, last, int(ranks[-1])):
            above = tables.cumulative(row_counts(seed, start, stop, kind, int(ranks[-1])))
            drawn[kind, start - first : stop - first] = np.diff(above[:, ranks], axis=1)
    return drawn[POSITIVE], drawn[NEGATIVE]


def resample_doubled_u(
    pos: Counts, neg: Counts, seed: int, first: int, last: int, threads: int | None = None
) -> Counts:
    """2 * U of the stratified replicates first..last; AUC = result / (2 * n_pos * n_neg).

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

    def fill(begin: int, end: int) -> None:
        for start, stop in tables.chunks(begin, end, layout.counted + layout.lower.size):
            others = row_counts(seed, start, stop, 1 - layout.kind, layout.counted)
            placed = tables.placed(tables.cumulative(others), layout.lower, layout.upper)
            placed *= row_counts(seed, start, stop, layout.kind, layout.lower.size)
            placed.sum(axis=1, out=sums[start - first : stop - first])

    _run_replicates(fill, first, last, threads)
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
    """Height of each replicate's ROC polyline at each false positive rate.

    At a vertical segment the height is its upper end. Result: (replicate, rate).

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

    def fill(begin: int, end: int) -> None:
        for start, stop in tables.chunks(begin, end, n_pos + n_neg):
            tp = tables.cumulative(row_counts(seed, start, stop, POSITIVE, n_pos))[:, tp_rank]
            fp = tables.cumulative(row_counts(seed, start, stop, NEGATIVE, n_neg))[:, fp_rank]
            for line in range(stop - start):
                heights[start - first + line] = tables.heights_at(fp[line], tp[line], targets)

    _run_replicates(fill, first, last, threads)
    return heights / n_pos


def paired_placing(mask: Codes, scores: Scores) -> tables.PairedPlacing:
    """Markers `scores` (marker, row) of the same rows as `resample_paired_doubled_u` reads them.

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
    """2 * U of several markers on the same drawn rows.

    Positives and negatives are drawn apart. Result: (replicate, marker).

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

    def fill(begin: int, end: int) -> None:
        for start, stop in tables.chunks(begin, end, n_pos + n_neg):
            neg = row_counts(seed, start, stop, NEGATIVE, n_neg)
            pos = row_counts(seed, start, stop, POSITIVE, n_pos)
            for marker, (neg_order, pos_order, lower, upper) in enumerate(
                zip(*layout, strict=True)
            ):
                below = tables.cumulative(neg[:, neg_order])
                placed = tables.placed(below, lower, upper)
                placed *= pos[:, pos_order]
                result[start - first : stop - first, marker] = placed.sum(axis=1)

    _run_replicates(fill, first, last, threads)
    return result


def _run_replicates(
    fill: Callable[[int, int], None], first: int, last: int, threads: int | None
) -> None:
    """Fill the replicates, shared out among the threads (numpy works without the lock)."""
    parts = even_parts(last - first, threads or thread_limit())
    run_parts(fill, [(first + start, first + stop) for start, stop in parts])


def row_counts(seed: int, first: int, last: int, kind: int, size: int) -> Counts:
    """How often each of the `size` rows of a class is drawn: (replicate, row).

    Examples
    --------
    >>> row_counts(7, 0, 2, POSITIVE, 5).sum(axis=1).tolist()
    [5, 5]
    """
    replicates = last - first
    steps = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(_STEP)
    keys = stream_keys(seed, first, last, kind)
    rows = _scale(_mix(keys[:, None] + steps), size).view(np.int64)
    rows += np.arange(replicates, dtype=np.int64)[:, None] * size
    counted = np.bincount(rows.ravel(), minlength=replicates * size)
    return counted.astype(np.int64, copy=False).reshape(replicates, size)


def class_times(members: Counts, sizes: Counts, seed: int, replicate: int) -> Floats:
    """How often each row is drawn when every class draws as many of its own rows as it has.

    `members` holds the rows of the first class, then of the second, and so on, `sizes` how many
    rows each class has.

    Examples
    --------
    >>> class_times(np.array([0, 2, 1]), np.array([2, 1]), 7, 0).tolist()
    [2.0, 1.0, 0.0]
    """
    tables.check_members(members, sizes, seed, replicate)
    times = np.zeros(len(members))
    key = stream_keys(seed, replicate, replicate + 1, POSITIVE)
    start = 0
    for size in sizes.tolist():
        steps = np.arange(1, size + 1, dtype=np.uint64) * np.uint64(_STEP)
        rows = _scale(_mix(key + steps), size).view(np.int64)
        times[members[start : start + size]] = np.bincount(rows, minlength=size)
        key, start = key + np.uint64(size * _STEP & _ALL_BITS), start + size
    return times


def stream_keys(seed: int, first: int, last: int, kind: int) -> Words:
    """Where the generator of one class starts in each replicate.

    Examples
    --------
    >>> stream_keys(1, 2, 3, POSITIVE) != stream_keys(2, 1, 2, POSITIVE)
    array([ True])
    """
    start = _mix(np.array([(seed + _STEP) & _ALL_BITS], np.uint64))
    numbers = 2 * np.arange(first, last, dtype=np.uint64) + np.uint64(kind + 1)
    return _mix(start + numbers * np.uint64(_STEP))


def _mix(state: Words) -> Words:
    """Scramble the states in place; their upper and lower bits come to depend on each other."""
    shifted = state >> np.uint64(30)
    state ^= shifted
    state *= np.uint64(0xBF58476D1CE4E5B9)
    state ^= np.right_shift(state, np.uint64(27), out=shifted)
    state *= np.uint64(0x94D049BB133111EB)
    state ^= np.right_shift(state, np.uint64(31), out=shifted)
    return state


def _scale(words: Words, size: int) -> Words:
    """Upper 64 bits of words * size, in place; for size < 2**32 nothing leaves 64 bits."""
    half, factor = np.uint64(32), np.uint64(size)
    carried = words & np.uint64(0xFFFFFFFF)
    carried *= factor
    carried >>= half
    words >>= half
    words *= factor
    words += carried
    words >>= half
    return words


def class_counts(n_pos: int, n_neg: int, seed: int, first: int, last: int) -> Counts:
    """How often each positive, then each negative, is drawn within its class: (replicate, row).

    Examples
    --------
    >>> drawn = class_counts(2, 1, 7, 0, 3)
    >>> drawn[:, :2].sum(axis=1).tolist(), drawn[:, 2].tolist()
    ([2, 2, 2], [1, 1, 1])
    """
    tables.check_replicates(np.array([n_pos]), np.array([n_neg]), seed, first, last)
    drawn = ((POSITIVE, n_pos), (NEGATIVE, n_neg))
    return np.hstack([row_counts(seed, first, last, kind, size) for kind, size in drawn])


def pooled_counts(classes: Codes, seed: int, first: int, last: int) -> Counts:
    """How often each unit, a row or a cluster, is drawn, of all together: (replicate, unit).

    `classes` has a bit for each class of which a unit has rows. A draw that lacks a class is thrown
    away, and the generator goes on.

    Examples
    --------
    >>> pooled_counts(np.array([2, 1, 1], np.uint8), 7, 0, 3).sum(axis=1).tolist()
    [3, 3, 3]
    """
    tables.check_units(classes, seed, first, last)
    size, wanted = len(classes), np.bitwise_or.reduce(classes)
    times = np.empty((last - first, size), np.int64)
    for line, key in enumerate(stream_keys(seed, first, last, POSITIVE)):
        steps = np.arange(1, size + 1, dtype=np.uint64)
        for _ in range(tables.MOST_ATTEMPTS):
            drawn = _scale(_mix(key + steps * np.uint64(_STEP)), size).view(np.int64)
            times[line] = np.bincount(drawn, minlength=size)
            if np.bitwise_or.reduce(classes[times[line] > 0]) == wanted:
                break
            steps += np.uint64(size)
        else:
            raise tables.lacking_class()
    return times


def row_amounts(rows: tables.SignedRows, times: Counts | Floats) -> tuple[Floats, Floats]:
    """Positives and negatives at each score where unit u is there times[b, u] times.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False, True]), np.array([0, 2]), None, None)
    >>> [part.tolist() for part in row_amounts(rows, np.array([[1, 2, 3]]))]
    [[[1.0, 3.0]], [[2.0, 0.0]]]
    """
    tables.check_times(rows, times)
    held = times[:, rows.units] * rows.weights
    pos, neg = (
        np.add.reduceat(np.maximum(part, 0.0), rows.starts[:-1], axis=1) for part in (held, -held)
    )
    return pos, neg
