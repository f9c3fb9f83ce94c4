"""Bands whose edges are the curve itself, moved: joint regions, fixed and variable width."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats, Places
from rocwise.binary.bands.polylines import (
    NEAR,
    Edges,
    Polyline,
    Shift,
    displaced,
    edges_between,
    monotone_displacement,
)
from rocwise.binary.bands.resampled_curves import (
    DrawAbove,
    crossings_drawn,
    gaps_drawn,
    pair_gaps_drawn,
)
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.chunked_draws import in_chunks
from rocwise.kernels.long_arrays import give_back

Slope = Literal["paper", "sd"]
Kolmogorov = Literal["table", "exact"]
# Constants of the one-sample Kolmogorov statistic for n > 35 (F6.1)
KOLMOGOROV = {0.20: 1.07, 0.15: 1.14, 0.10: 1.22, 0.05: 1.36, 0.01: 1.63}
LARGEST_EXACT = 35
MOST_LINES = 256
NO_WIDTH = (
    "every resampled curve equals the observed one, so a bootstrap band would have no width: "
    "the classes are perfectly separated or have too few cases, or `level` or `n_resamples` is "
    "very small. Use kind='joint-regions'."
)


class HowDrawn(TypedDict):
    """What the functions that draw curves are told."""

    stratified: bool
    by_blocks: bool


@dataclass(frozen=True, slots=True)
class BandBootstrap:
    """How the curve is resampled, and the lines along which its resamples are measured."""

    level: float
    slope: Slope
    stratified: bool
    n_resamples: int
    seed: int
    by_blocks: bool = False

    @property
    def how(self) -> HowDrawn:
        """What is drawn: rows of all or within classes, one by one or by blocks of scores."""
        return {"stratified": self.stratified, "by_blocks": self.by_blocks}


@dataclass(frozen=True, slots=True)
class BandEdges:
    """Edges, and how far they are from the curve along the axes where that is one number."""

    edges: Edges
    dx: float | None = None
    dy: float | None = None


def joint_regions(
    data: Tally, curve: Polyline, level: float, *, joint: bool, ks: Kolmogorov
) -> BandEdges:
    """Kolmogorov boxes around every vertex, joined at their corners (F6.1, F6.3)."""
    alpha = 1.0 - math.sqrt(level) if joint else 1.0 - level
    dx = kolmogorov_distance(int(data.n_neg), alpha, ks)
    dy = kolmogorov_distance(int(data.n_pos), alpha, ks)
    return _moved(curve, dx, dy)


def _moved(curve: Polyline, dx: float, dy: float) -> BandEdges:
    """The curve moved both ways by one distance."""
    return BandEdges(displaced(curve, Shift(dx, dy), Shift(dx, dy)), dx, dy)


@functools.lru_cache(maxsize=256)
def kolmogorov_distance(n: int, alpha: float, ks: Kolmogorov = "table") -> float:
    """Critical distance of the two-sided one-sample Kolmogorov statistic (F6.1).

    Examples
    --------
    >>> kolmogorov_distance(100, 0.1), round(kolmogorov_distance(10, 0.1), 4)
    (0.122, 0.3687)
    """
    if ks == "exact" or n <= LARGEST_EXACT:
        from scipy.stats import kstwo

        return float(kstwo.ppf(1.0 - alpha, n))
    for tabled, constant in KOLMOGOROV.items():
        if math.isclose(alpha, tabled, abs_tol=1e-9):
            return constant / math.sqrt(n)
    from scipy.special import kolmogi

    return float(kolmogi(alpha)) / math.sqrt(n)


def fixed_width(
    data: Tally, curve: Polyline, bootstrap: BandBootstrap, *, future: bool
) -> BandEdges:
    """The curve moved both ways by the width that holds enough resampled curves (F6.4 to F6.7)."""
    slope = line_slope(data, bootstrap.slope)
    draw = gaps_drawn(data, bootstrap.seed, slope, **bootstrap.how)
    dx = _held(draw, data, bootstrap, "fixed-width band") * (math.sqrt(2.0) if future else 1.0)
    del draw  # and the curve as it was laid out for it
    if dx <= NEAR:
        raise InputError(NO_WIDTH)
    return _moved(curve, dx, slope * dx)


def calibrated_future(data: Tally, curve: Polyline, bootstrap: BandBootstrap) -> BandEdges:
    """The width that held the second of two resampled curves around the first often enough.

    In the world of the bootstrap the observed data are the population, so a pair of resamples
    stands for the sample at hand and a new one; nothing is assumed about how their errors add.
    """
    slope = line_slope(data, bootstrap.slope)
    draw = pair_gaps_drawn(data, bootstrap.seed, slope, **bootstrap.how)
    dx = _held(draw, data, bootstrap, "future band")
    if dx <= NEAR:
        raise InputError(NO_WIDTH)
    return _moved(curve, dx, slope * dx)


def _held(
    draw: DrawAbove,
    data: Tally,
    bootstrap: BandBootstrap,
    label: str,
    floor: float = 0.0,
    *,
    again: bool = False,
) -> float:
    """The gap that the share `level` of all replicates does not exceed.

    Only the largest gaps decide it: a replicate is searched for gaps above those that `spare`
    others have already. A floor known to be little less than the answer saves the waiting for
    these others.
    """
    spare = bootstrap.n_resamples - rank_of(bootstrap.level, bootstrap.n_resamples) + 1
    largest = np.full(spare, floor)

    def draw_above(first: int, last: int) -> Floats:
        parts = []
        while first < last:
            stop = last if floor > 0.0 else min(last, max(first + 2 * spare, 3 * first))
            parts.append(draw(first, stop, float(largest[0])))
            largest[:] = np.sort(np.concatenate([largest, parts[-1]]))[-spare:]
            first = stop
        return np.concatenate(parts)

    cells = cells_of_curve(data, bootstrap.by_blocks)
    gaps = in_chunks(draw_above, bootstrap.n_resamples, cells, None, label, again=again)
    return order_statistic(gaps, bootstrap.level)


def cells_of_curve(data: Tally, by_blocks: bool) -> int:
    """Size of a replicate for cutting work into chunks: only its progress counts, not memory."""
    rows = len(data) if data.rows is None else len(data.rows)
    return MOST_LINES + rows // (1024 if by_blocks else 64)


def line_slope(data: Tally, slope: Slope) -> float:
    """Steepness s of the lines of slope -s along which curves are moved (F6.4)."""
    n_pos, n_neg = data.effective_sizes
    ratio = n_pos / n_neg
    return math.sqrt(ratio if slope == "paper" else 1.0 / ratio)


def order_statistic(values: Floats, level: float) -> float:
    """The smallest value that at least the share `level` of all does not exceed (F6.6).

    Examples
    --------
    >>> order_statistic(np.array([5.0, 1.0, 4.0, 2.0, 3.0]), 0.8)
    4.0
    """
    rank = rank_of(level, len(values))
    return float(np.partition(values, rank - 1)[rank - 1])


def rank_of(level: float, size: int) -> int:
    """Which of so many ascending values is the first that a share of them does not exceed."""
    return math.ceil(level * size - 1e-9)  # 0.9 * 10 is a little more than 9


def simultaneous(data: Tally, curve: Polyline, bootstrap: BandBootstrap) -> BandEdges:
    """A band as wide, at each line, as the curve varies there; one multiplier for all lines.

    The variation is the bootstrap standard deviation of the crossing, or that of `least_spread`
    where few cases let it vanish. It is smooth, so it is found on some lines; the multiplier has
    to hold the curve on all of them, so the same resamples are drawn again for it: kept they would
    take a hundred times the memory of the data. Where Ctrl-C has cut the first pass short, these
    are the fewer that it drew.
    """
    slope = line_slope(data, bootstrap.slope)
    spread, floor, drawn = _spread(data, curve, bootstrap, slope)
    bootstrap = replace(bootstrap, n_resamples=drawn)
    draw = gaps_drawn(data, bootstrap.seed, slope, scale=spread, **bootstrap.how)
    spread *= _held(draw, data, bootstrap, "studentised band", floor, again=True)
    del draw  # and the curve as it was laid out for it
    give_back(len(curve.x))  # what curves were drawn in
    left, right = monotone_displacement(curve, slope, spread)
    del spread
    lines = kernels.moved_lines(*curve, right, slope * right, left, slope * left)
    del left, right
    return BandEdges(edges_between(lines, even=False))


def _spread(
    data: Tally, curve: Polyline, bootstrap: BandBootstrap, slope: float
) -> tuple[Floats, float, int]:
    """Standard deviation at each vertex of where resampled curves meet the line through it.

    Also the multiple of it that enough curves do not exceed on these lines; on all lines they need
    no smaller one. And how many curves were drawn.
    """
    line = curve.y + slope * curve.x
    chosen = chosen_lines(len(line), bootstrap.by_blocks)
    draw = crossings_drawn(data, bootstrap.seed, slope, line[chosen], **bootstrap.how)
    cells = cells_of_curve(data, bootstrap.by_blocks)
    gaps = in_chunks(draw, bootstrap.n_resamples, cells, None, "spread of the curve")
    gaps -= curve.x[chosen]
    np.abs(gaps, out=gaps)
    if gaps.max() <= NEAR:
        raise InputError(NO_WIDTH)
    deviations = np.sqrt(np.mean(gaps * gaps, axis=0))
    spread = np.maximum(np.interp(line, line[chosen], deviations), least_spread(data, curve, slope))
    gaps /= spread[chosen]
    multiple = order_statistic(gaps.max(axis=1), bootstrap.level)
    return spread, multiple * (1.0 - NEAR), len(gaps)


def chosen_lines(n_vertices: int, few: bool = False) -> Places:
    """At most `MOST_LINES` vertices: evenly spread, and dense at the ends, where curves begin.

    A third of the even ones serve where scores are many: between lines a share h of the curve
    apart, a smooth deviation is off by about h * h of itself, here by less than a thousandth.

    Examples
    --------
    >>> chosen_lines(10_001)[:5].tolist()
    [0, 1, 2, 3, 4]
    """
    last = n_vertices - 1
    ends = np.geomspace(1.0, max(last / 2, 1.0), MOST_LINES // 8)
    n_even = MOST_LINES - 2 * len(ends)
    even = np.linspace(0.0, last, n_even // 3 if few else n_even)
    places = np.concatenate([even, np.minimum(ends, last), np.maximum(last - ends, 0.0)])
    return np.unique(places.round().astype(np.intp))


def least_spread(data: Tally, curve: Polyline, slope: float) -> Floats:
    """A standard deviation that a crossing has at every vertex, whatever the curve's own slope.

    With A and B the binomial variances of FPR and TPR (two cases of each outcome added, as Agresti
    and Coull do, so that they do not vanish at the ends) a crossing has variance
    (g^2 A + B) / (g + s)^2 where the curve rises with slope g; the smallest value over all g is
    A B / (A s^2 + B).
    """
    n_pos, n_neg = data.effective_sizes
    variances = []
    for rate, size in ((curve.x, n_neg), (curve.y, n_pos)):
        share = (size * rate + 2.0) / (size + 4.0)
        variances.append(share * (1.0 - share) / size)
    of_fpr, of_tpr = variances
    return np.sqrt(of_fpr * of_tpr / (of_fpr * slope * slope + of_tpr))
