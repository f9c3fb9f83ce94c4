"""Resampled curves against lines of one slope, whatever is drawn: cases, rows or clusters.

Tallies of equal, independent rows go to the kernels. Rows with weights and clusters are drawn by
`resampling.draws`, a few replicates at a time, whose curves the kernels measure. With `by_blocks`
rows are drawn by blocks of scores, only where a curve is looked at; what comes out has the same
distribution.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwise import kernels
from rocwise.arrays import Counts, Floats
from rocwise.binary.curves.cumulative_sums import cumulative_rates, sums_from_zero
from rocwise.binary.resampling.curve_statistics import heights_at
from rocwise.binary.resampling.draws import drawn_units
from rocwise.data.tally import Tally
from rocwise.data.tally_rows import TallyRows
from rocwise.kernels.resampling_tables import SignedRows
from rocwise.kernels.resampling_tables import in_chunks as in_cached_chunks

Draw = Callable[[int, int], Floats]
DrawAbove = Callable[[int, int, float], Floats]
"""Gaps of some replicates; those below a floor need not be found, and may be told as the floor."""


def gaps_drawn(
    data: Tally,
    seed: int,
    slope: float,
    *,
    stratified: bool,
    scale: Floats | None = None,
    by_blocks: bool = False,
) -> DrawAbove:
    """Largest difference in FPR, over all lines, between each resampled curve and the curve."""
    laid = kernels.laid_curve(cumulative_rates(data.neg), cumulative_rates(data.pos), slope, scale)
    if data.rows is None:
        return lambda first, last, floor: kernels.resample_gaps(
            data.pos,
            data.neg,
            seed,
            first,
            last,
            laid,
            floor=floor,
            stratified=stratified,
            by_blocks=by_blocks,
        )
    rows, times = _drawn(data.rows, seed, stratified)

    def draw(first: int, last: int, floor: float) -> Floats:
        def of_run(start: int, stop: int) -> Floats:
            return kernels.row_gaps(rows, times(start, stop), laid, floor=floor)

        return _side_by_side(of_run, first, last, rows)

    return draw


def pair_gaps_drawn(
    data: Tally, seed: int, slope: float, *, stratified: bool, by_blocks: bool = False
) -> DrawAbove:
    """The same between two resampled curves; pair b is made of the replicates 2b and 2b + 1."""
    if data.rows is None:
        return lambda first, last, floor: kernels.resample_pair_gaps(
            data.pos,
            data.neg,
            seed,
            first,
            last,
            slope,
            floor=floor,
            stratified=stratified,
            by_blocks=by_blocks,
        )

    rows, times = _drawn(data.rows, seed, stratified)

    def draw(first: int, last: int, floor: float) -> Floats:
        def of_run(start: int, stop: int) -> Floats:
            return kernels.row_pair_gaps(rows, times(2 * start, 2 * stop), slope, floor=floor)

        return _side_by_side(of_run, first, last, rows)

    return draw


def crossings_drawn(
    data: Tally,
    seed: int,
    slope: float,
    lines: Floats,
    *,
    stratified: bool,
    by_blocks: bool = False,
) -> Draw:
    """FPR at which each resampled curve meets each of the ascending lines: (replicate, line)."""
    if data.rows is None:
        return lambda first, last: kernels.resample_crossings(
            data.pos,
            data.neg,
            seed,
            first,
            last,
            slope,
            lines,
            stratified=stratified,
            by_blocks=by_blocks,
        )

    rows, times = _drawn(data.rows, seed, stratified)

    def of_run(first: int, last: int) -> Floats:
        return kernels.row_crossings(rows, times(first, last), slope, lines)

    return lambda first, last: _side_by_side(of_run, first, last, rows)


def heights_drawn(data: Tally, seed: int, grid: Floats, *, by_blocks: bool = False) -> Draw:
    """TPR of each stratified resampled curve at every FPR of a grid: (replicate, FPR)."""
    if by_blocks:
        return lambda first, last: kernels.resample_block_tpr(
            data.pos, data.neg, seed, first, last, grid
        )
    if data.rows is None:
        return lambda first, last: kernels.resample_tpr(data.pos, data.neg, seed, first, last, grid)
    rows, times = _drawn(data.rows, seed, stratified=True)
    held = np.stack([sums_from_zero(data.pos), sums_from_zero(data.neg)])
    reader = kernels.Reader("heights", grid, width=len(grid), finished=lambda read: read)

    def heights(pos: Floats, neg: Floats) -> Floats:
        tpr, fpr = cumulative_rates(pos), cumulative_rates(neg)
        return np.stack([heights_at(fpr, tpr, at) for at in grid.tolist()], axis=1)

    def of_run(first: int, last: int) -> Floats:
        return kernels.read_rows(rows, times(first, last), held, heights, reader)

    return lambda first, last: _side_by_side(of_run, first, last, rows)


def _drawn(
    rows: TallyRows, seed: int, stratified: bool
) -> tuple[SignedRows, Callable[[int, int], Counts]]:
    """Rows with weights, or in clusters, and how often their units are there in replicates."""
    of_rows, times = drawn_units(rows, seed, stratified=stratified)
    return rows.signed(of_rows), times


def _side_by_side(draw: Draw, first: int, last: int, rows: SignedRows) -> Floats:
    """Replicates, a few at a time by each thread."""
    return in_cached_chunks(draw, first, last, 1 + len(rows.units) // 4)
