"""Resampled ROC curves compared along lines tpr + slope * fpr = c, and their TPR at given FPRs.

A monotone curve crosses each line once; the distance of two curves is the largest difference of
their FPRs on a line. Compiled code prunes the search for it, and can draw the rows of large samples
where a curve is visited only (conditional binomial sampling). Numpy visits every vertex.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from rocwise.arrays import Counts, Floats, Ranks
from rocwise.errors import InputError
from rocwise.kernels.nan import check_no_nan
from rocwise.kernels.resample import MOST_ROWS, Units, multiplicities
from rocwise.kernels.selection import compiled_module
from rocwise.kernels.threads import chunks, even_chunks, run_tasks, thread_limit

_bands = compiled_module("_bands")

NO_DISTANCE = 2e-12  # of curves that coincide but for rounding; `_bands.pyx` has it too
SCALE_BLOCK = 16  # vertices that share a least scale; `_bands.pyx` has it too
MOST_POSITIONS = 2**16
ON_A_STEP = 1e-12  # an FPR this close to a vertical segment is on it: 1 - 0.8 is not exactly 0.2
ROWS_PER_THREAD = 50_000  # drawn rows that are worth a thread
CELLS_AT_ONCE = 2**20  # of given curves: bounds the memory that they need


class RowSample(NamedTuple):
    """Rows drawn with equal probability, within classes or from all; replicate b is (seed, b)."""

    tp: Counts  # rows before each vertex of the curve, from 0
    fp: Counts
    seed: int
    stratified: bool = False
    blocks: bool = False  # whether compiled code uses conditional binomial sampling

    @property
    def rows(self) -> int:
        """Rows of a replicate."""
        return int(self.tp[-1] + self.fp[-1])


class GivenSample(NamedTuple):
    """Resampled weights: `draw` gives true and false positives of replicates at each vertex."""

    draw: Callable[[int, int], tuple[Floats, Floats]]
    rows: int  # that a replicate draws


Sample = RowSample | GivenSample


class ReferenceIndex(NamedTuple):
    """The curve to which others are compared, indexed for the search of the largest distance."""

    slope: float
    points: Floats  # line, FPR and scale of each vertex
    least: Floats  # least scale of 1, 2, 4, ... blocks of vertices; empty without a scale
    positions: Ranks  # of evenly spaced lines the last vertex that is not beyond
    fprs: Floats  # and the FPR there


def reference_index(
    fpr: Floats, tpr: Floats, slope: float, scale: Floats | None = None
) -> ReferenceIndex:
    """Index a curve; distances from it are multiples of its scale at each vertex, if any."""
    scales = np.ones(len(fpr)) if scale is None else scale
    check_no_nan(fpr, tpr, slope, scales, what="the curve or its scale")
    if not 1 < len(fpr) == len(tpr) == len(scales):
        raise ValueError("a curve needs two vertices, and a scale one number for each.")
    line = tpr + slope * fpr
    even = np.linspace(0.0, float(line[-1]), 1 + min(len(line), MOST_POSITIONS))
    positions = np.maximum(np.searchsorted(line, even, side="right") - 1, 0)
    return ReferenceIndex(
        float(slope),
        np.stack([line, fpr, scales], axis=1),
        np.empty((0, 0)) if scale is None else _least_scales(scales),
        positions.astype(np.int32),
        _crossings(fpr, line, even),
    )


def _least_scales(scale: Floats) -> Floats:
    """The least scale of 1, 2, 4, ... blocks from each block on, a line for each number."""
    lines = [np.minimum.reduceat(scale, np.arange(0, len(scale), SCALE_BLOCK))]
    run = 1
    while 2 * run <= len(lines[0]):
        wider = lines[-1].copy()
        np.minimum(wider[:-run], lines[-1][run:], out=wider[:-run])
        lines.append(wider)
        run *= 2
    return np.array(lines)


def resample_distances(
    sample: Sample, first: int, last: int, reference: ReferenceIndex, *, at_least: float = 0.0
) -> Floats:
    """Largest distance of each replicate from the reference curve, or `at_least` if it is below."""
    check_no_nan(at_least, what="the least distance")
    line, fpr, scale = reference.points.T
    own = fpr, line, scale if reference.least.size else None
    index = None if _bands is None else _bands.Reference(*reference)

    def compiled(curves: Any, start: int, result: Floats) -> None:
        _bands.distances(curves, index, start, at_least, result)

    def plain(fpr: Floats, tpr: Floats) -> float:
        return _distance(at_least, *own, fpr, tpr + reference.slope * fpr)

    return _by_replicates(sample, reference.slope, first, last, (), compiled, plain)


def resample_crossings(
    sample: Sample, first: int, last: int, slope: float, lines: Floats
) -> Floats:
    """FPR at which each replicate crosses each of the ascending lines: (replicate, line)."""
    check_no_nan(slope, lines, what="the slope or the lines")
    lines = np.ascontiguousarray(lines, np.float64)
    if (np.diff(lines) < 0).any():
        raise ValueError("`lines` must ascend.")

    def compiled(curves: Any, start: int, result: Floats) -> None:
        _bands.crossings(curves, start, lines, result)

    def plain(fpr: Floats, tpr: Floats) -> Floats:
        return _crossings(fpr, tpr + slope * fpr, lines)

    return _by_replicates(sample, slope, first, last, lines.shape, compiled, plain)


def resample_tpr(sample: Sample, first: int, last: int, rates: Floats) -> Floats:
    """TPR of each replicate at each of the ascending FPRs, on vertical segments at the top."""
    rates = np.ascontiguousarray(rates, np.float64)
    ordered = rates.ndim == 1 and not (np.diff(rates) < 0).any()
    if not ordered or not ((rates >= 0) & (rates <= 1)).all():
        raise ValueError("`rates` must be ascending false positive rates from 0 to 1.")

    def compiled(curves: Any, start: int, result: Floats) -> None:
        _bands.tpr_at(curves, start, rates, result)

    def plain(fpr: Floats, tpr: Floats) -> Floats:
        return _tpr_at(fpr, tpr, rates)

    return _by_replicates(sample, 1.0, first, last, rates.shape, compiled, plain)


def resample_pair_distances(
    sample: Sample, first: int, last: int, slope: float, *, at_least: float = 0.0
) -> Floats:
    """Largest distance of two replicates from each other: pair b has the replicates 2b, 2b + 1."""
    check_no_nan(slope, at_least, what="the slope or the least distance")
    _check_sample(sample, first, last)
    result = np.empty(last - first)

    def fill(start: int, stop: int) -> None:
        part, begin, end = result[start:stop], 2 * (first + start), 2 * (first + stop)
        if _bands is None:
            curves = ((fpr, tpr + slope * fpr) for fpr, tpr in _curves(sample, begin, end))
            part[:] = [_distance(at_least, *one, None, *next(curves)) for one in curves]
        elif isinstance(sample, RowSample):
            both = [_bands.Resampled(*sample[:2], slope, *sample[2:]) for _ in range(2)]
            _bands.pair_distances(*both, first + start, at_least, part)
        else:
            tp, fp = sample.draw(begin, end)
            both = [_bands.Resampled(tp[k::2], fp[k::2], slope) for k in range(2)]
            _bands.pair_distances(*both, 0, at_least, part)

    run_tasks(fill, _chunks(sample, last - first, 2))
    return result


def _by_replicates(
    sample: Sample,
    slope: float,
    first: int,
    last: int,
    shape: tuple[int, ...],
    compiled: Callable[[Any, int, Floats], None],
    plain: Callable[[Floats, Floats], Any],
) -> Floats:
    """What is measured on the curve of each replicate; threads share the replicates."""
    _check_sample(sample, first, last)
    result = np.empty((last - first, *shape))

    def fill(start: int, stop: int) -> None:
        part = result[start:stop]
        if _bands is None:
            for k, curve in enumerate(_curves(sample, first + start, first + stop)):
                part[k] = plain(*curve)
        elif isinstance(sample, RowSample):
            curves = _bands.Resampled(*sample[:2], slope, *sample[2:])
            compiled(curves, first + start, part)
        else:
            tp, fp = sample.draw(first + start, first + stop)
            compiled(_bands.Resampled(tp, fp, slope), 0, part)

    run_tasks(fill, _chunks(sample, last - first, 1))
    return result


def _chunks(sample: Sample, replicates: int, curves: int) -> list[tuple[int, int]]:
    """Replicates of each task: as many as threads need, and memory of given curves permits."""
    rows = curves * sample.rows
    threads = min(thread_limit(), 1 + rows * replicates // ROWS_PER_THREAD)
    if isinstance(sample, RowSample):
        return chunks(replicates, threads)
    parts = -(-rows * replicates // CELLS_AT_ONCE)
    return even_chunks(replicates, max(parts, threads)) if replicates else []


def _check_sample(sample: Sample, first: int, last: int) -> None:
    if not 0 <= first <= last < 2**61:
        raise ValueError(f"Replicates must satisfy 0 <= first <= last; got {first} and {last}.")
    if isinstance(sample, GivenSample):
        return
    if not 0 <= sample.seed < 2**64:
        raise ValueError(f"`seed` must be from 0 to 2**64 - 1, but it is {sample.seed}.")
    columns = sample[:2]
    if sample.tp.ndim != 1 or sample.tp.shape != sample.fp.shape or len(sample.tp) < 2:
        raise ValueError(f"`tp` has shape {sample.tp.shape}, `fp` {sample.fp.shape}.")
    if any(c.dtype != np.int64 or c[0] != 0 or (np.diff(c) < 0).any() for c in columns):
        raise ValueError("`tp` and `fp` must be counts that rise from 0.")
    if min(c[-1] for c in columns) < 1:
        raise ValueError("Both classes need at least one row to draw from.")
    if max(c[-1] for c in columns) > MOST_ROWS:
        raise InputError(f"at most {MOST_ROWS:,} rows of a class can be resampled one by one.")


def _curves(sample: Sample, first: int, last: int) -> Iterator[tuple[Floats, Floats]]:
    """FPR and TPR of each replicate at every vertex, from (0, 0)."""
    for replicate in range(first, last):
        if isinstance(sample, RowSample):
            tp, fp = _drawn_rows(sample, replicate)
        else:
            (tp,), (fp,) = sample.draw(replicate, replicate + 1)
        yield fp / fp[-1], tp / tp[-1]


def _drawn_rows(sample: RowSample, replicate: int) -> tuple[Floats, Floats]:
    """Resampled rows before each vertex; positives are numbered before negatives."""
    n_pos, n_neg = int(sample.tp[-1]), int(sample.fp[-1])
    positive = np.arange(n_pos + n_neg) < n_pos
    together = Units(np.array([n_pos + n_neg]), np.stack([positive, ~positive]))
    units = Units(np.array([n_pos, n_neg])) if sample.stratified else together
    times = multiplicities(units, sample.seed, replicate, replicate + 1)
    tp, fp = (np.append(0.0, np.cumsum(own)) for own in (times[0, :n_pos], times[0, n_pos:]))
    return tp[sample.tp], fp[sample.fp]


def _distance(
    at_least: float,
    fpr: Floats,
    line: Floats,
    scale: Floats | None,
    other_fpr: Floats,
    other_line: Floats,
) -> float:
    """Largest distance of two curves on the lines through their vertices, where it always is."""
    at_own = np.abs(_crossings(other_fpr, other_line, line) - fpr)
    at_other = np.abs(_crossings(fpr, line, other_line) - other_fpr)
    if scale is not None:
        at_own /= scale
        at_other /= _crossings(scale, line, other_line)
    found = float(max(at_own.max(), at_other.max()))
    return found if found > max(at_least, NO_DISTANCE) else at_least


def _crossings(fpr: Floats, line: Floats, wanted: Floats) -> Floats:
    """FPR where a curve, given by the lines through its vertices, crosses the wanted lines."""
    start = np.minimum(np.searchsorted(line, wanted, side="right") - 1, line.size - 1)
    end = np.minimum(start + 1, line.size - 1)
    width = line[end] - line[start]
    width[width == 0.0] = 1.0  # at the last vertex
    crossed: Floats = fpr[start] + (fpr[end] - fpr[start]) * ((wanted - line[start]) / width)
    return crossed


def _tpr_at(fpr: Floats, tpr: Floats, rates: Floats) -> Floats:
    """TPR of a curve at each rate."""
    left = np.searchsorted(fpr, rates + ON_A_STEP, side="right") - 1
    right = np.minimum(left + 1, len(fpr) - 1)
    run = fpr[right] - fpr[left]
    on_step = (rates - fpr[left] <= ON_A_STEP) | (run == 0)
    fraction = np.where(on_step, 0.0, (rates - fpr[left]) / np.where(on_step, 1.0, run))
    return np.asarray(tpr[left] + fraction * (tpr[right] - tpr[left]))
