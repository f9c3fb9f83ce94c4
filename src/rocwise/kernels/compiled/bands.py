"""Resampled curves against lines with the compiled loops, shared out among the threads."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Counts, Floats
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.compiled import _bands
from rocwise.kernels.compiled.resampling import replicate_parts
from rocwise.kernels.lines.plain import Laid
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain import bands
from rocwise.kernels.plain.blocks import PER_BLOCK
from rocwise.kernels.threads import run_parts


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
    """Compiled twin of `plain_bands.resample_gaps`.

    Examples
    --------
    >>> from rocwise.kernels.lines.plain import laid_curve
    >>> corner = laid_curve(np.array([0.0, 0, 1]), np.array([0.0, 1, 1]), 1.0)
    >>> resample_gaps(np.array([2, 0]), np.array([0, 3]), 7, 0, 2, corner).tolist()
    [0.0, 0.0]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    refuse_nan(floor, what="the floor")
    if not by_blocks and tables.draws_counts(pos, neg):
        return bands.resample_gaps(
            pos, neg, seed, first, last, laid, floor=floor, stratified=stratified
        )
    result = np.empty(last - first)
    start = seed, first, stratified, by_blocks, laid.slope, floor
    return _filled(_bands.gaps, result, pos, neg, start, *laid.arrays, threads=threads)


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
    """Compiled twin of `plain_bands.resample_crossings`.

    Examples
    --------
    >>> lines = np.array([0.5, 1.5])
    >>> resample_crossings(np.array([2, 0]), np.array([0, 3]), 7, 0, 1, 1.0, lines).tolist()
    [[0.0, 0.5]]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    refuse_nan(slope, lines, what="the slope or the lines")
    if not by_blocks and tables.draws_counts(pos, neg):
        return bands.resample_crossings(
            pos, neg, seed, first, last, slope, lines, stratified=stratified
        )
    wanted = np.ascontiguousarray(lines, np.float64)
    result = np.empty((last - first, wanted.size))
    start = seed, first, stratified, by_blocks, slope
    return _filled(_bands.crossings, result, pos, neg, start, wanted, threads=threads)


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
    """Compiled twin of `plain_bands.resample_pair_gaps`.

    Examples
    --------
    >>> resample_pair_gaps(np.array([2, 0]), np.array([0, 3]), 7, 0, 2, 1.0).tolist()
    [0.0, 0.0]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    refuse_nan(slope, floor, what="the slope or the floor")
    if not by_blocks and tables.draws_counts(pos, neg):
        return bands.resample_pair_gaps(
            pos, neg, seed, first, last, slope, floor=floor, stratified=stratified
        )
    result = np.empty(last - first)
    start = seed, first, stratified, by_blocks, slope, floor
    return _filled(_bands.pair_gaps, result, pos, neg, start, curves=2, threads=threads)


def resample_block_tpr(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    fpr_grid: Floats,
    threads: int | None = None,
) -> Floats:
    """Compiled twin of `plain.bands.resample_block_tpr`.

    Examples
    --------
    >>> pos, neg = np.array([2, 0]), np.array([0, 3])
    >>> resample_block_tpr(pos, neg, 7, 0, 1, np.array([0.0, 0.5])).tolist()
    [[1.0, 1.0]]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    targets = tables.false_positive_targets(int(neg.sum()), fpr_grid)
    tp_rank, fp_rank = tables.cumulative(pos), tables.cumulative(neg)
    heights = np.empty((last - first, targets.size))
    parts = replicate_parts(int(tp_rank[-1] + fp_rank[-1]), heights, threads)
    given = tp_rank, fp_rank, targets
    run_parts(
        _bands.heights, [(seed, first + a, first + b, *given, heights[a:b]) for a, b in parts]
    )
    return np.asarray(heights / float(tp_rank[-1]))


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
    """Compiled twin of `plain.bands.resample_block_furthest`.

    Examples
    --------
    >>> tp, fp, up = np.array([0, 2, 2]), np.array([0, 0, 3]), np.array([[1.0, 1.0]])
    >>> resample_block_furthest(tp, fp, 7, 0, 1, up, with_origin=False).tolist()
    [[[1, 2, 0]]]
    """
    tables.check_ranks(tp_rank, fp_rank, seed, first, last)
    directions = bands.checked_directions(directions)
    tp_rank, fp_rank = (np.ascontiguousarray(part, np.int64) for part in (tp_rank, fp_rank))
    borders = np.append(np.arange(0, len(tp_rank) - 1, PER_BLOCK), len(tp_rank) - 1)
    rates = tp_rank[borders] / max(int(tp_rank[-1]), 1), fp_rank[borders] / max(int(fp_rank[-1]), 1)
    likely = np.array([np.argmax(a * rates[0] - b * rates[1]) for a, b in directions], np.int64)
    result = np.empty((last - first, len(directions), 3), np.int64)
    read = with_origin, tp_rank, fp_rank, directions, likely
    parts = replicate_parts(int(tp_rank[-1] + fp_rank[-1]), result, threads)
    run_parts(_bands.furthest, [(seed, first + a, first + b, *read, result[a:b]) for a, b in parts])
    return result


def _filled(
    loop: Callable[..., None],
    result: Floats,
    pos: Counts,
    neg: Counts,
    start: tuple[int, int, *tuple[float, ...]],
    *more: NDArray[np.generic],
    curves: int = 1,
    threads: int | None,
) -> Floats:
    """One row of `result` per replicate by a compiled loop, which draws so many curves for each.

    `start` holds the seed, the first replicate, whether classes are drawn apart, whether rows are
    drawn by blocks, the slope, and the floor of gaps.
    """
    seed, first, *how = start
    tp_rank, fp_rank = tables.cumulative(pos), tables.cumulative(neg)
    read = *how, tp_rank, fp_rank, *more
    parts = replicate_parts(curves * int(tp_rank[-1] + fp_rank[-1]), result, threads)
    run_parts(loop, [(seed, first + a, first + b, *read, result[a:b]) for a, b in parts])
    return result
