"""Resampled curves against lines with the compiled loops, shared out among the threads."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Counts, Floats
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.compiled import _bands
from rocwise.kernels.compiled.resampling import replicate_parts
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain import bands
from rocwise.kernels.threads import run_parts

BLOCK = 16  # vertices whose least scale is kept; `_bands.pyx` has it too
MOST_PLACES = 2**16


class Laid(NamedTuple):
    """The curve of the data as the compiled loops read it.

    Of each vertex its line, its FPR and the scale there; the least scale of 1, 2, 4, ... blocks
    from each on, if there is a scale; and for even places along the lines the last vertex that is
    not beyond, and the FPR there.
    """

    points: Floats
    least: Floats
    places: NDArray[np.int32]
    fprs: Floats


def resample_gaps(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    slope: float,
    *,
    scale: Floats | None = None,
    floor: float = 0.0,
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
    given = [slope, floor] if scale is None else [slope, floor, scale]
    refuse_nan(*given, what="the slope, the floor or the scale")
    if not by_blocks and tables.draws_counts(pos, neg):
        return bands.resample_gaps(
            pos, neg, seed, first, last, slope, scale=scale, floor=floor, stratified=stratified
        )
    result = np.empty(last - first)
    start = seed, first, stratified, by_blocks, slope, floor
    curve = _laid(pos, neg, slope, scale)
    return _filled(_bands.gaps, result, pos, neg, start, *curve, threads=threads)


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


def _laid(pos: Counts, neg: Counts, slope: float, scale: Floats | None) -> Laid:
    points = np.empty((pos.size + 1, 3))
    fpr, tpr = bands.rates(tables.cumulative(pos), tables.cumulative(neg))
    line = tpr + slope * fpr
    points[:, 0], points[:, 1] = line, fpr
    points[:, 2] = 1.0 if scale is None else scale
    evenly = np.linspace(0.0, line[-1], 1 + min(len(line), MOST_PLACES))
    places = np.searchsorted(line, evenly, side="right") - 1
    return Laid(
        points,
        least=np.empty((0, 0)) if scale is None else _least(scale),
        places=np.maximum(places, 0).astype(np.int32),
        fprs=np.interp(evenly, line, fpr),
    )


def _least(scale: Floats) -> Floats:
    """The least scale of 1, 2, 4, ... blocks from each block on: a row for each number of blocks.

    >>> _least(np.arange(40.0)[::-1])[:, 0].tolist()
    [24.0, 8.0]
    """
    rows = [np.minimum.reduceat(scale, np.arange(0, len(scale), BLOCK))]
    run = 1
    while 2 * run <= len(rows[0]):
        wider = rows[-1].copy()
        np.minimum(wider[:-run], rows[-1][run:], out=wider[:-run])
        rows.append(wider)
        run *= 2
    return np.array(rows)


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
