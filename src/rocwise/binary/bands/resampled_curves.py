"""Resampled curves against lines of one slope, whatever is drawn: cases, rows or clusters.

Tallies of equal, independent rows go to the kernels. Rows with weights and clusters are drawn by
`resampling.draws`, and their curves are measured one by one. With `by_blocks` rows are drawn by
blocks of scores, only where a curve is looked at; what comes out has the same distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.binary.curves.cumulative_sums import cumulative_rates
from rocwise.binary.resampling.curve_statistics import heights_at
from rocwise.binary.resampling.draws import drawn_times
from rocwise.kernels.plain.bands import crossings, gap
from rocwise.primitives.tallies import Tally

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
    if data.rows is None:
        return lambda first, last, floor: kernels.resample_gaps(
            data.pos,
            data.neg,
            seed,
            first,
            last,
            slope,
            scale=scale,
            floor=floor,
            stratified=stratified,
            by_blocks=by_blocks,
        )
    curve = cumulative_rates(data.neg), cumulative_rates(data.pos)

    def draw(first: int, last: int, _floor: float) -> Floats:
        drawn = _curves(data, seed, first, last, stratified)
        return np.array([gap(*curve, *one, slope, scale) for one in drawn])

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

    def draw(first: int, last: int, _floor: float) -> Floats:
        drawn = _curves(data, seed, 2 * first, 2 * last, stratified)
        return np.array([gap(*one, *next(drawn), slope) for one in drawn])

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

    def draw(first: int, last: int) -> Floats:
        drawn = _curves(data, seed, first, last, stratified)
        return np.array([crossings(fpr, tpr + slope * fpr, lines) for fpr, tpr in drawn])

    return draw


def heights_drawn(data: Tally, seed: int, grid: Floats, *, by_blocks: bool = False) -> Draw:
    """TPR of each stratified resampled curve at every FPR of a grid: (replicate, FPR)."""
    if by_blocks:
        return lambda first, last: kernels.resample_block_tpr(
            data.pos, data.neg, seed, first, last, grid
        )
    if data.rows is None:
        return lambda first, last: kernels.resample_tpr(data.pos, data.neg, seed, first, last, grid)
    rows = data.rows
    times = drawn_times(rows, seed)

    def draw(first: int, last: int) -> Floats:
        tpr, fpr = (cumulative_rates(part) for part in rows.amounts(times(first, last)))
        return np.stack([heights_at(fpr, tpr, at) for at in grid.tolist()], axis=1)

    return draw


def _curves(
    data: Tally, seed: int, first: int, last: int, stratified: bool
) -> Iterator[tuple[Floats, Floats]]:
    """FPR and TPR of each resampled curve at every score of the tally, from (0, 0)."""
    assert data.rows is not None
    times = drawn_times(data.rows, seed, stratified=stratified)
    for replicate in range(first, last):
        pos, neg = data.rows.amounts(times(replicate, replicate + 1))
        yield cumulative_rates(neg)[0], cumulative_rates(pos)[0]
