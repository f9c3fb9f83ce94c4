"""Numpy twins of the band kernels: resampled ROC curves against lines of one slope.

A monotone curve meets each line tpr + slope * fpr = c once; two curves are compared by their
FPR on the same lines. Replicate b depends on (seed, b) alone. With `by_blocks` rows are drawn block
by block, which compiled code does only where it looks.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Counts, Floats
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.lines.plain import Laid, crossings, gap_above
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.blocks import block_counts
from rocwise.kernels.plain.resampling import (
    _STEP,
    NEGATIVE,
    POSITIVE,
    _mix,
    _scale,
    row_counts,
    stream_keys,
)
from rocwise.kernels.threads import even_parts, run_parts

Number = TypeVar("Number", bound=np.generic)


def resample_gaps(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    laid: Laid,
    *,
    floor: float = 0.0,
    stratified: bool = False,
    by_blocks: bool = False,
    threads: int | None = None,
) -> Floats:
    """Largest difference in FPR, over all lines, between each resampled curve and the laid one.

    With a scale at each vertex of that, differences are multiples of the scale on their line.
    Differences below `floor`, and those that rounding makes of none, are told as that, which
    spares compiled code the search for them.

    Examples
    --------
    >>> from rocwise.kernels.lines.plain import laid_curve
    >>> corner = laid_curve(np.array([0.0, 0, 1]), np.array([0.0, 1, 1]), 1.0)
    >>> resample_gaps(np.array([2, 0]), np.array([0, 3]), 7, 0, 2, corner).tolist()
    [0.0, 0.0]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    refuse_nan(floor, what="the floor")

    def gaps(begin: int, end: int) -> Floats:
        drawn = drawn_curves(pos, neg, seed, begin, end, stratified, by_blocks)
        lines = ((fpr, tpr + laid.slope * fpr) for fpr, tpr in drawn)
        return np.array([gap_above(floor, *laid.curve, *one, laid.scale) for one in lines])

    return _in_parts(gaps, first, last, threads)


def resample_crossings(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    slope: float,
    lines: Floats,
    *,
    stratified: bool = False,
    by_blocks: bool = False,
    threads: int | None = None,
) -> Floats:
    """FPR at which each resampled curve meets each of the ascending lines: (replicate, line).

    Examples
    --------
    >>> lines = np.array([0.5, 1.5])
    >>> resample_crossings(np.array([2, 0]), np.array([0, 3]), 7, 0, 1, 1.0, lines).tolist()
    [[0.0, 0.5]]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    refuse_nan(slope, lines, what="the slope or the lines")

    def meetings(begin: int, end: int) -> Floats:
        result = np.empty((end - begin, lines.size))
        drawn = drawn_curves(pos, neg, seed, begin, end, stratified, by_blocks)
        for row, (fpr, tpr) in enumerate(drawn):
            result[row] = crossings(fpr, tpr + slope * fpr, lines)
        return result

    return _in_parts(meetings, first, last, threads)


def resample_pair_gaps(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    slope: float,
    *,
    floor: float = 0.0,
    stratified: bool = False,
    by_blocks: bool = False,
    threads: int | None = None,
) -> Floats:
    """Largest difference in FPR, over all lines, between two resampled curves.

    Pair b is made of the replicates 2b and 2b + 1. Differences below `floor` are told as that.

    Examples
    --------
    >>> resample_pair_gaps(np.array([2, 0]), np.array([0, 3]), 7, 0, 2, 1.0).tolist()
    [0.0, 0.0]
    """
    tables.check_replicates(pos, neg, seed, 2 * first, 2 * last)
    refuse_nan(slope, floor, what="the slope or the floor")

    def gaps(begin: int, end: int) -> Floats:
        drawn = drawn_curves(pos, neg, seed, 2 * begin, 2 * end, stratified, by_blocks)
        lines = ((fpr, tpr + slope * fpr) for fpr, tpr in drawn)
        return np.array([gap_above(floor, *one, *next(lines)) for one in lines])

    return _in_parts(gaps, first, last, threads)


def resample_block_tpr(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    fpr_grid: Floats,
    threads: int | None = None,
) -> Floats:
    """TPR at every FPR of a grid, of resamples within classes by blocks: (replicate, FPR).

    Examples
    --------
    >>> pos, neg = np.array([2, 0]), np.array([0, 3])
    >>> resample_block_tpr(pos, neg, 7, 0, 1, np.array([0.0, 0.5])).tolist()
    [[1.0, 1.0]]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    targets = tables.false_positive_targets(int(neg.sum()), fpr_grid)
    tp_rank, fp_rank = tables.cumulative(pos), tables.cumulative(neg)

    def heights(begin: int, end: int) -> Floats:
        result = np.empty((end - begin, targets.size))
        for replicate in range(begin, end):
            drawn = block_counts(tp_rank, fp_rank, seed, replicate, True)
            tp, fp = tables.cumulative(drawn[0])[tp_rank], tables.cumulative(drawn[1])[fp_rank]
            result[replicate - begin] = tables.heights_at(fp, tp, targets)
        return np.asarray(result / float(tp_rank[-1]))

    return _in_parts(heights, first, last, threads)


def resample_block_furthest(
    tp_rank: Counts,
    fp_rank: Counts,
    seed: int,
    first: int,
    last: int,
    directions: Floats,
    *,
    with_origin: bool,
    threads: int | None = None,
) -> Counts:
    """Vertex with the largest a * TPR - b * FPR for each direction (a, b), with its counts.

    Of resamples within classes by blocks: (replicate, direction, 3), which has the vertex, and the
    positives and negatives before it; `tp_rank` and `fp_rank` are those of the data, from 0.
    Reaches are compared to 12 decimals; the first of equals is taken. Vertex 0 is the origin, which
    may be left out.

    Examples
    --------
    >>> tp, fp, up = np.array([0, 2, 2]), np.array([0, 0, 3]), np.array([[1.0, 1.0]])
    >>> resample_block_furthest(tp, fp, 7, 0, 1, up, with_origin=False).tolist()
    [[[1, 2, 0]]]
    """
    tables.check_ranks(tp_rank, fp_rank, seed, first, last)
    directions = checked_directions(directions)
    start = 0 if with_origin else 1

    def furthest(begin: int, end: int) -> Counts:
        result = np.empty((end - begin, len(directions), 3), np.int64)
        for replicate in range(begin, end):
            drawn = block_counts(tp_rank, fp_rank, seed, replicate, True)
            tp, fp = tables.cumulative(drawn[0])[tp_rank], tables.cumulative(drawn[1])[fp_rank]
            tpr, fpr = tp[start:] / float(tp[-1]), fp[start:] / float(fp[-1])
            for number, (a, b) in enumerate(directions):
                place = start + int(np.argmax(np.rint((a * tpr - b * fpr) * 1e12)))
                result[replicate - begin, number] = place, tp[place], fp[place]
        return result

    return _in_parts(furthest, first, last, threads)


def checked_directions(directions: Floats) -> Floats:
    """Pairs of weights, none below 0, since a curve rises, nor above 1, which 12 decimals need."""
    found = np.ascontiguousarray(directions, np.float64)
    refuse_nan(found, what="the directions")
    if found.ndim != 2 or found.shape[1] != 2 or not ((found >= 0) & (found <= 1)).all():
        raise ValueError("`directions` must be pairs of weights from 0 to 1.")
    return found


def _in_parts(
    task: Callable[[int, int], NDArray[Number]], first: int, last: int, threads: int | None
) -> NDArray[Number]:
    """The replicates first..last, each part made by a thread of its own when threads are given."""
    parts = [
        (first + start, first + stop) for start, stop in even_parts(last - first, threads or 1)
    ]
    return np.concatenate(run_parts(task, parts))


def drawn_curves(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    stratified: bool,
    by_blocks: bool = False,
) -> Iterator[tuple[Floats, Floats]]:
    """FPR and TPR of each resampled curve at every score of the table, from (0, 0)."""
    tp_rank, fp_rank = tables.cumulative(pos), tables.cumulative(neg)
    for replicate in range(first, last):
        if by_blocks:
            drawn = block_counts(tp_rank, fp_rank, seed, replicate, stratified)
            yield rates(
                tables.cumulative(drawn[0])[tp_rank],
                tables.cumulative(drawn[1])[fp_rank],
            )
        elif tables.draws_counts(pos, neg):
            drawn = _table_counts(pos, neg, seed, replicate, stratified)
            yield rates(tables.cumulative(drawn[0]), tables.cumulative(drawn[1]))
        else:
            drawn = _row_counts(int(tp_rank[-1]), int(fp_rank[-1]), seed, replicate, stratified)
            yield rates(
                tables.cumulative(drawn[0])[tp_rank],
                tables.cumulative(drawn[1])[fp_rank],
            )


def rates(tp: Counts, fp: Counts) -> tuple[Floats, Floats]:
    """Cumulative counts as shares of their last: FPR and TPR."""
    return fp / fp[-1], tp / tp[-1]


def _row_counts(
    n_pos: int, n_neg: int, seed: int, replicate: int, stratified: bool
) -> tuple[Counts, Counts]:
    """How often each row is drawn; draws of a single class are thrown away."""
    if stratified:
        own = (seed, replicate, replicate + 1)
        return row_counts(*own, POSITIVE, n_pos)[0], row_counts(*own, NEGATIVE, n_neg)[0]
    size = n_pos + n_neg
    key = stream_keys(seed, replicate, replicate + 1, POSITIVE)
    steps = np.arange(1, size + 1, dtype=np.uint64)
    while True:
        rows = _scale(_mix(key + steps * np.uint64(_STEP)), size).view(np.int64)
        counts = np.bincount(rows, minlength=size)
        if 0 < counts[:n_pos].sum() < size:
            return counts[:n_pos], counts[n_pos:]
        steps += np.uint64(size)


def _table_counts(
    pos: Counts, neg: Counts, seed: int, replicate: int, stratified: bool
) -> tuple[Counts, Counts]:
    """Counts per score drawn directly, for tables with few scores."""
    if stratified:
        drawn = tables.multinomial_counts(pos, neg, seed, replicate, replicate + 1)
        return drawn[0][0], drawn[1][0]
    from numpy.random import Generator, Philox

    generator = Generator(Philox(key=seed + (replicate << 64)))
    both = np.concatenate([pos, neg])
    while True:
        counts = generator.multinomial(int(both.sum()), both / both.sum())
        if 0 < counts[: pos.size].sum() < both.sum():
            return counts[: pos.size], counts[pos.size :]
