"""Resampled curves against lines with the compiled loops, shared out among the threads."""

from collections.abc import Callable

import numpy as np

from rocwise.arrays import Counts, Floats
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.compiled import _bands
from rocwise.kernels.compiled.resampling import replicate_parts
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain import bands
from rocwise.kernels.threads import run_parts


def resample_gaps(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    slope: float,
    *,
    scale: Floats | None = None,
    stratified: bool = False,
    by_blocks: bool = False,
    threads: int | None = None,
) -> Floats:
    """Compiled twin of `plain_bands.resample_gaps`.

    Examples
    --------
    >>> resample_gaps(np.array([2, 0]), np.array([0, 3]), 7, 0, 2, 1.0).tolist()
    [0.0, 0.0]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    refuse_nan(slope, *([] if scale is None else [scale]), what="the slope or the scale")
    if not by_blocks and tables.draws_counts(pos, neg):
        return bands.resample_gaps(
            pos, neg, seed, first, last, slope, scale=scale, stratified=stratified
        )
    result = np.empty(last - first)
    start = seed, first, stratified, by_blocks, slope
    units = np.ascontiguousarray([] if scale is None else scale, np.float64)
    return _filled(_bands.gaps, result, pos, neg, start, units, threads=threads)


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
    refuse_nan(slope, what="the slope")
    if not by_blocks and tables.draws_counts(pos, neg):
        return bands.resample_pair_gaps(pos, neg, seed, first, last, slope, stratified=stratified)
    result = np.empty(last - first)
    start = seed, first, stratified, by_blocks, slope
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


def _filled(
    loop: Callable[..., None],
    result: Floats,
    pos: Counts,
    neg: Counts,
    start: tuple[int, int, bool, bool, float],
    *more: Floats,
    curves: int = 1,
    threads: int | None,
) -> Floats:
    """One row of `result` per replicate by a compiled loop, which draws so many curves for each.

    `start` holds the seed, the first replicate, whether classes are drawn apart, whether rows are
    drawn by blocks, and the slope.
    """
    seed, first, *how = start
    tp_rank, fp_rank = tables.cumulative(pos), tables.cumulative(neg)
    read = *how, tp_rank, fp_rank, *more
    parts = replicate_parts(curves * int(tp_rank[-1] + fp_rank[-1]), result, threads)
    run_parts(loop, [(seed, first + a, first + b, *read, result[a:b]) for a, b in parts])
    return result
