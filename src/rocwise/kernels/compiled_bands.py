"""Resampled curves against lines with the compiled loops, shared out among the threads."""

import numpy as np
from numpy.typing import NDArray

from rocwise.kernels import _bands, plain_bands
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.compiled_resampling import _replicate_parts
from rocwise.kernels.threads import run_parts

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


def resample_gaps(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    slope: float,
    *,
    stratified: bool = False,
    threads: int | None = None,
) -> Floats:
    """Compiled twin of `plain_bands.resample_gaps`.

    Examples
    --------
    >>> resample_gaps(np.array([2, 0]), np.array([0, 3]), 7, 0, 2, 1.0).tolist()
    [0.0, 0.0]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    if tables.draws_counts(pos, neg):
        return plain_bands.resample_gaps(pos, neg, seed, first, last, slope, stratified=stratified)
    tp_rank, fp_rank = tables.cumulative(pos), tables.cumulative(neg)
    result = np.empty(last - first)
    parts = _replicate_parts(int(tp_rank[-1] + fp_rank[-1]), result, threads)
    run_parts(
        _bands.gaps,
        [
            (seed, first + a, first + b, stratified, slope, tp_rank, fp_rank, result[a:b])
            for a, b in parts
        ],
    )
    return result


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
    if tables.draws_counts(pos, neg):
        return plain_bands.resample_crossings(
            pos, neg, seed, first, last, slope, lines, stratified=stratified
        )
    tp_rank, fp_rank = tables.cumulative(pos), tables.cumulative(neg)
    wanted = np.ascontiguousarray(lines, np.float64)
    result = np.empty((last - first, wanted.size))
    parts = _replicate_parts(int(tp_rank[-1] + fp_rank[-1]), result, threads)
    run_parts(
        _bands.crossings,
        [
            (seed, first + a, first + b, stratified, slope, tp_rank, fp_rank, wanted, result[a:b])
            for a, b in parts
        ],
    )
    return result


def resample_pair_gaps(
    pos: Counts,
    neg: Counts,
    seed: int,
    first: int,
    last: int,
    slope: float,
    *,
    stratified: bool = False,
    threads: int | None = None,
) -> Floats:
    """Compiled twin of `plain_bands.resample_pair_gaps`.

    Examples
    --------
    >>> resample_pair_gaps(np.array([2, 0]), np.array([0, 3]), 7, 0, 2, 1.0).tolist()
    [0.0, 0.0]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    if tables.draws_counts(pos, neg):
        return plain_bands.resample_pair_gaps(
            pos, neg, seed, first, last, slope, stratified=stratified
        )
    tp_rank, fp_rank = tables.cumulative(pos), tables.cumulative(neg)
    result = np.empty(last - first)
    parts = _replicate_parts(2 * int(tp_rank[-1] + fp_rank[-1]), result, threads)
    run_parts(
        _bands.pair_gaps,
        [
            (seed, first + a, first + b, stratified, slope, tp_rank, fp_rank, result[a:b])
            for a, b in parts
        ],
    )
    return result
