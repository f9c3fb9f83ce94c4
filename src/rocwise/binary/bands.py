"""Confidence bands: how far the true curve, or the curve of a new sample, may be from this one."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypedDict, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Amounts, Counts, Flags, Floats, Places
from rocwise.binary.binormal import BinormalFit, binormal, probit_grid
from rocwise.binary.bootstrap import sampling, sampling_of_rows
from rocwise.binary.roc import (
    AboutData,
    RocCurve,
    cumulative_rates,
    rates_at,
    roc_rates,
    straight_runs,
)
from rocwise.binary.statistics import heights_at
from rocwise.data.tally import Tally, TallyRows, float_scores, refuse_weights
from rocwise.errors import InputError, shown
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.proportions import METHODS, ProportionMethod, proportion_limits
from rocwise.inference.resampling import in_chunks
from rocwise.inputs.coercion import TallyOptions, as_clustered_tally, as_tally, by_group
from rocwise.kernels.resample import Model, Reader, draws_counts, multiplicities, resample
from rocwise.kernels.resampling_tables import SignedRows
from rocwise.kernels.resampling_tables import in_chunks as in_cached_chunks
from rocwise.results import ASIDE, Result, json_safe, read_only, result

__all__ = ["threshold_regions"]  # public besides the names of the top level

NEAR = 1e-12
"""Heights closer than this count as equal."""

SAME = 4e-15
"""Places closer than this count as one: 1 - 0.8 is not exactly 0.2. It is a few roundings only,
since smooth curves rise by much within 1e-12 of FPR 0."""


class Polyline(NamedTuple):
    """Vertices of a curve that never turns back; a repeated x is a vertical step."""

    x: Floats
    y: Floats


class Edges(NamedTuple):
    """Both edges of a band over one list of places, with a place twice where an edge jumps."""

    x: Floats
    lower: Floats
    upper: Floats

    def area(self) -> float:
        """The area between the edges."""
        return float(np.trapezoid(self.upper - self.lower, self.x))


class Sides(NamedTuple):
    """Heights just left and just right of some places."""

    left: Floats
    right: Floats


def roc_polyline(tally: Tally) -> Polyline:
    """The empirical ROC curve."""
    return Polyline(*roc_rates(tally))


def heights(line: Polyline, at: Floats) -> Sides:
    """Lower and upper end of the polyline at each place; beyond its ends it stays level.

    Examples
    --------
    >>> step = Polyline(np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0]))
    >>> [side.tolist() for side in heights(step, np.array([0.0, 0.5]))]
    [[0.0, 0.75], [0.5, 0.75]]
    """
    x, y = line
    after = np.minimum(np.searchsorted(x, at - SAME, side="left"), len(x) - 1)
    inside = _interpolated(line, np.maximum(after - 1, 0), at)
    left = np.where(x[after] - at <= SAME, y[after], inside)
    before = np.maximum(np.searchsorted(x, at + SAME, side="right") - 1, 0)
    right = np.where(at - x[before] <= SAME, y[before], _interpolated(line, before, at))
    return Sides(left, right)


def _interpolated(line: Polyline, start: Places, at: Floats) -> Floats:
    """Heights on the segments that begin at the vertices `start`, not beyond their ends."""
    x, y = line
    end = np.minimum(start + 1, len(x) - 1)
    run = x[end] - x[start]
    fraction = np.divide(at - x[start], run, out=np.zeros_like(run), where=run > 0)
    return np.asarray(y[start] + np.clip(fraction, 0.0, 1.0) * (y[end] - y[start]), np.float64)


class Shift(NamedTuple):
    """How far a curve is moved along the axes: all of it, or each of its vertices."""

    dx: Floats | float
    dy: Floats | float


def displaced(curve: Polyline, down: Shift, up: Shift) -> Edges:
    """The band between the curve moved by (+dx, -dy) and by (-dx, +dy), cropped (F6.2)."""
    upper = _cropped(Polyline(curve.x - up.dx, curve.y + up.dy))
    # rotated by half a turn, a lower edge is an upper one
    rotated = _cropped(_rotated(Polyline(curve.x + down.dx, curve.y - down.dy)))
    return on_one_grid(_rotated(rotated), upper)


def on_one_grid(lower: Polyline, upper: Polyline) -> Edges:
    """Two edges over the places where either bends or jumps.

    Places that rounding set apart are one; else an edge would have its upper end at one of them
    and its lower end at the next.

    Examples
    --------
    >>> one, line = np.array([0.0, 1.0]), np.array([0.0, 0.5])
    >>> edges = on_one_grid(Polyline(one, line), Polyline(np.array([0.0, 0.5]), one))
    >>> [column.tolist() for column in edges]
    [[0.0, 0.5, 1.0], [0.0, 0.25, 0.5], [0.0, 1.0, 1.0]]
    """
    x = _distinct(np.unique(np.concatenate([lower.x, upper.x])))
    below, above = heights(lower, x), heights(upper, x)
    jumps = (below.left != below.right) | (above.left != above.right)
    # interpolation may end a rounding below where it began
    edges = [np.maximum.accumulate(_with_jumps(*sides, jumps)) for sides in (below, above)]
    return Edges(_with_jumps(x, x, jumps), *edges)


def _with_jumps(left: Floats, right: Floats, jumps: Flags) -> Floats:
    """One height for each place, and both where an edge jumps.

    >>> _with_jumps(np.array([0.0, 1.0]), np.array([0.0, 2.0]), np.array([False, True])).tolist()
    [0.0, 1.0, 2.0]
    """
    column = np.repeat(right, 1 + jumps)
    ends = np.arange(len(jumps)) + np.cumsum(jumps)  # where the right side of each place is
    column[ends[jumps] - 1] = left[jumps]
    return column


def _distinct(x: Floats) -> Floats:
    """Ascending places without those that are the same as the one kept before them.

    >>> _distinct(np.array([0.0, 0.2, 0.2 + 5e-17, 1 - 0.8, 1.0])).tolist()
    [0.0, 0.2, 1.0]
    """
    close = np.flatnonzero(np.diff(x) <= SAME) + 1
    kept = np.ones(len(x), dtype=bool)
    kept[close] = False
    runs = close[1:][np.diff(close) == 1]  # the third and later ones may be apart from the first
    for place in runs.tolist():
        before = place - 1
        while not kept[before]:
            before -= 1
        kept[place] = x[place] - x[before] > SAME
    return x[kept]


def _rotated(line: Polyline) -> Polyline:
    """The polyline rotated by half a turn about the middle of the unit square."""
    return Polyline(1.0 - line.x[::-1], 1.0 - line.y[::-1])


def _cropped(edge: Polyline) -> Polyline:
    """The part of an upper edge within the unit square, level once it has reached the top."""
    x, y = np.maximum.accumulate(edge.x), edge.y  # rounding may set a vertex before the last
    first = int(np.searchsorted(y, 1.0))
    if first == 0:
        return Polyline(np.array([0.0, 1.0]), np.ones(2))
    if first < len(y):
        fraction = (1.0 - y[first - 1]) / (y[first] - y[first - 1])
        x = np.append(x[:first], x[first - 1] + (x[first] - x[first - 1]) * fraction)
        y = np.append(y[:first], 1.0)
    start = heights(Polyline(x, y), np.zeros(1)).right
    inside = slice(np.searchsorted(x, 0.0, side="right"), np.searchsorted(x, 1.0))
    return Polyline(
        np.concatenate([[0.0], x[inside], [1.0]]), np.concatenate([start, y[inside], [1.0]])
    )


def monotone_displacement(curve: Polyline, slope: float, shift: Floats) -> tuple[Floats, Floats]:
    """The shifts of the upper and of the lower edge that no monotone curve can tell from `shift`.

    Vertex k moves along its line of slope -`slope` by `shift[k]` in x. Where the edge would turn
    back, a curve inside the band cannot follow it, so the edge is drawn in until it no longer does.
    """
    lower = _drawn_in(_rotated(curve), slope, shift[::-1])[::-1]
    return _drawn_in(curve, slope, shift), lower


def _drawn_in(curve: Polyline, slope: float, shift: Floats) -> Floats:
    line = slope * curve.x + curve.y
    x = curve.x - shift
    for _ in range(len(x)):
        x = np.maximum.accumulate(x)
        y = np.minimum.accumulate((line - x * slope)[::-1])[::-1]
        drawn = (line - y) / slope
        if np.all(drawn <= x + NEAR):
            break
        x = drawn
    return np.maximum(curve.x - x, 0.0)


def distance(first: Polyline, second: Polyline, slope: float) -> float:
    """The largest distance of two ROC curves along lines of slope -`slope` (F6.5).

    It is the smallest width for which the fixed-width band of one contains the other.

    Examples
    --------
    >>> diagonal = Polyline(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    >>> corner = Polyline(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]))
    >>> round(distance(diagonal, corner, 1.0), 6)
    0.707107
    """
    c1, c2 = (line.y + slope * line.x for line in (first, second))
    lines = np.concatenate([c1, c2])
    gaps = np.abs(np.interp(lines, c1, first.x) - np.interp(lines, c2, second.x))
    return float(np.sqrt(1.0 + slope * slope) * gaps.max())


BandKind = Literal[
    "fixed-width",
    "joint-regions",
    "working-hotelling",
    "pointwise",
    "pointwise-binormal",
    "simultaneous",
    "future",
]
KINDS: tuple[BandKind, ...] = get_args(BandKind)
PROMISES: dict[BandKind, str] = {
    "fixed-width": "fixed-width band (bootstrap)",
    "joint-regions": "simultaneous joint regions (Kolmogorov)",
    "working-hotelling": "Working-Hotelling band on the binormal fit",
    "pointwise": "pointwise intervals (vertical bootstrap)",
    "pointwise-binormal": "pointwise intervals of the binormal fit",
    "simultaneous": "studentised bootstrap band of variable width",
    "future": "fixed-width band calibrated on pairs of resamples",
}

FEWEST_CASES = 10  # below, bands were counted to hold too seldom: docs/explanation/containment.md


@result
class Band(Result):
    """Two edges around an ROC curve.

    `lower` and `upper` are the edges over `fpr`; a rate that stands there twice is a jump.
    `curve_fpr` and `curve_tpr` are the vertices of the observed curve; `dx` and `dy` say how far
    a band of fixed width reaches along the axes.
    """

    fpr: Floats
    lower: Floats
    upper: Floats
    kind: BandKind
    level: float
    area: float
    future: bool
    n_pos: float
    n_neg: float
    curve_fpr: Floats
    curve_tpr: Floats
    dx: float | None = None
    dy: float | None = None
    n_resamples: int | None = None
    seed: int | None = None

    @property
    def simultaneous(self) -> bool:
        """Whether the level is for the whole curve at once, not for each FPR alone."""
        return not self.kind.startswith("pointwise")

    @property
    def width(self) -> float | None:
        """Distance from the curve to either edge, for bands of fixed width."""
        if self.dx is None or self.dy is None:
            return None
        return float(np.hypot(self.dx, self.dy))

    @property
    def auc(self) -> float:
        """The area under the observed curve."""
        return float(np.trapezoid(self.curve_tpr, self.curve_fpr))

    def promise(self) -> str:
        """What the band is and what it is a band for."""
        target = "the curve of a new sample" if self.future else "the true curve"
        each = "" if self.simultaneous else ", at each FPR alone"
        level = printing.percent(self.level)
        return f"{level} {PROMISES[self.kind]} for {target}{each}"

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        few = "; with so few cases it holds less often than it says" if self.few_cases else ""
        return (
            f"{self.promise()}; area {printing.rate(self.area, size)}; "
            f"{printing.classes(self.n_pos, self.n_neg)}{few}"
        )

    @property
    def few_cases(self) -> bool:
        """Whether a class has fewer cases than bands by the bootstrap need to hold their level."""
        by_bootstrap = self.n_resamples is not None and self.simultaneous
        return by_bootstrap and min(self.n_pos, self.n_neg) < FEWEST_CASES

    def _columns(self) -> dict[str, Any]:
        return {"fpr": self.fpr, "lower": self.lower, "upper": self.upper}

    def at(self, fpr: Any) -> tuple[Floats, Floats]:
        """Lower and upper edge at these false positive rates.

        Parameters
        ----------
        fpr : float or array
            Rates from 0 to 1. Where an edge jumps, the band includes both sides.

        Returns
        -------
        (lower, upper) : arrays of the shape of `fpr`
        """
        places = checks.rates(fpr, "fpr")
        below, above = self._sides(np.atleast_1d(places).ravel())
        return below.left.reshape(places.shape), above.right.reshape(places.shape)

    def contains(self, curve: RocCurve | tuple[Any, Any], *, min_fpr: float = 0.0) -> bool:
        """Whether every point of a curve, vertical segments included, lies in the band.

        Parameters
        ----------
        curve : RocCurve, or (fpr, tpr)
            The curve, straight between its points.
        min_fpr : float, default 0
            Look at the part with at least this FPR only.
        """
        line = _as_polyline(curve)
        places = np.unique(np.concatenate([line.x, self.fpr]))
        start = max(checks.rate(min_fpr, "min_fpr"), float(line.x[0]))
        places = places[(places >= start) & (places <= line.x[-1])]
        own, (below, above) = heights(line, places), self._sides(places)
        return bool(
            np.all(own.left <= above.left + NEAR)
            and np.all(own.right <= above.right + NEAR)
            and np.all(own.left >= below.left - NEAR)
            and np.all(own.right >= below.right - NEAR)
        )

    def _sides(self, places: Floats) -> tuple[Sides, Sides]:
        """The lower and the upper edge, just left and just right of each place."""
        return (
            heights(Polyline(self.fpr, self.lower), places),
            heights(Polyline(self.fpr, self.upper), places),
        )


@result
class BinormalBand(Band):
    """A band around a fitted binormal curve: `multiplier` standard errors on the probit scale."""

    fit: BinormalFit
    multiplier: float

    def _sides(self, places: Floats) -> tuple[Sides, Sides]:
        lower, upper = self.fit.limits(places, self.multiplier)
        return Sides(lower, lower), Sides(upper, upper)


def _as_polyline(curve: RocCurve | tuple[Any, Any]) -> Polyline:
    """The vertices of a curve, refused when it turns back or leaves the unit square."""
    given = (curve.fpr, curve.tpr) if isinstance(curve, RocCurve) else curve
    try:
        fpr, tpr = (np.asarray(column, dtype=np.float64) for column in given)
    except (TypeError, ValueError):
        raise InputError(
            f"`curve` must be a RocCurve or a pair (fpr, tpr); got {shown(curve)}."
        ) from None
    if fpr.ndim != 1 or fpr.shape != tpr.shape or not len(fpr):
        raise InputError(
            f"`curve` needs one TPR for each FPR; their shapes are {fpr.shape} and {tpr.shape}."
        )
    for name, column in (("FPR", fpr), ("TPR", tpr)):
        bad = ~((column >= 0) & (column <= 1))
        bad[1:] |= np.diff(column) < 0
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise InputError(
                f"`curve` must have rates from 0 to 1 that never fall; its {name} is "
                f"{column[row]:g} at row {row}."
            )
    return Polyline(fpr, tpr)


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
    units, rows = sampling(data)

    def heights(pos: Floats, neg: Floats) -> Floats:
        tpr, fpr = cumulative_rates(pos), cumulative_rates(neg)
        return np.stack([heights_at(fpr, tpr, at) for at in grid.tolist()], axis=1)

    reader = Reader("sensitivity", grid, width=len(grid), finished=lambda read: read)
    model = Model(rows, heights, reader)
    return lambda first, last: np.asarray(resample(units, [model], seed, first, last)[:, 0])


def _drawn(
    rows: TallyRows, seed: int, stratified: bool
) -> tuple[SignedRows, Callable[[int, int], Counts]]:
    """Rows with weights, or in clusters, and how often their units are there in replicates."""
    units, ranked = sampling_of_rows(rows, stratified=stratified)
    weights = np.where(ranked.codes < 0, -1.0, 1.0) if ranked.weights is None else ranked.weights
    starts = np.append(0, np.flatnonzero(ranked.ends) + 1)
    signed = SignedRows(np.ascontiguousarray(ranked.units), weights, starts)
    return signed, lambda first, last: multiplicities(units, seed, first, last)


def _side_by_side(draw: Draw, first: int, last: int, rows: SignedRows) -> Floats:
    """Replicates, a few at a time by each thread."""
    return in_cached_chunks(draw, first, last, 1 + len(rows.units) // 4)


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
    left, right = monotone_displacement(curve, slope, spread)
    edges = displaced(curve, Shift(right, slope * right), Shift(left, slope * left))
    return BandEdges(edges)


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


LIMITS = ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper")


@result
class RateRegions(AboutData):
    """Intervals of FPR and TPR at thresholds; each rectangle has level `level` squared.

    The rates hold at each threshold alone: rectangles joined are not a band. `fp` and `tp` are
    the negatives and positives at or beyond each threshold.
    """

    thresholds: Floats
    fpr_lower: Floats
    fpr_upper: Floats
    tpr_lower: Floats
    tpr_upper: Floats
    level: float
    method: ProportionMethod
    n_pos: float
    n_neg: float
    fp: Amounts = field(metadata=ASIDE)
    tp: Amounts = field(metadata=ASIDE)

    @cached_property
    def fpr(self) -> Floats:
        """False positive rate at each threshold, made of the counts when first asked for."""
        return read_only(self.fp / self.n_neg)

    @cached_property
    def tpr(self) -> Floats:
        """True positive rate, likewise."""
        return read_only(self.tp / self.n_pos)

    def _columns(self) -> dict[str, Any]:
        return {"thresholds": self.thresholds, "fpr": self.fpr, "tpr": self.tpr} | {
            name: getattr(self, name) for name in LIMITS
        }

    def to_dict(self) -> dict[str, Any]:
        """The answer with its rates as plain JSON-safe values."""
        rates: dict[str, Any] = json_safe({"fpr": self.fpr, "tpr": self.tpr})
        told: dict[str, Any] = {}
        for name, value in super().to_dict().items():
            told[name] = value
            if name == "thresholds":  # the rates stand before their limits, as in the table
                told |= rates
        return told

    def _sentence(self) -> str:
        return (
            f"{printing.percent(self.level)} {self.method} intervals of FPR and TPR at "
            f"{printing.counted(len(self.thresholds), 'threshold')}, each alone; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


@by_group
def threshold_regions(
    data: Any = None,
    y_score: Any = None,
    *,
    thresholds: Any = None,
    method: ProportionMethod = "wilson",
    level: float = 0.95,
    **given: Unpack[TallyOptions],
) -> RateRegions:
    """Intervals of FPR and TPR at given thresholds (F6.12, F6.13).

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`. Weights are
        refused.
    thresholds : array, optional
        Cut-offs; all distinct scores without it.
    method : {"wilson", "clopper-pearson"}
        Wilson's interval is right on average, Clopper and Pearson's never too short.
    level : float, default 0.95
        Confidence level of each interval; the rectangle of both has the level squared.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `direction`,
        `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    RateRegions

    Examples
    --------
    >>> from rocwise.binary.bands import threshold_regions
    >>> regions = threshold_regions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], thresholds=[0.35])
    >>> regions.tpr_lower.round(3).tolist(), regions.tpr_upper.tolist()
    ([0.342], [1.0])
    """
    tally = as_tally("threshold_regions", data, y_score, given)
    checks.one_of(method, "method", METHODS)
    level = checks.level(level)
    refuse_weights(
        tally,
        "threshold_regions",
        why="its regions are exact for counts of independent cases",
        instead="use `at` with threshold=, whose intervals take weights and clusters",
    )
    scores = float_scores(tally.scores)
    if thresholds is None:
        cuts, alarms, hits = scores, tally.fp, tally.tp
    else:
        cuts = np.atleast_1d(checks.numbers(thresholds, "thresholds", infinite=True, most=1))
        fpr, tpr = rates_at(tally, cuts)
        alarms, hits = np.rint(fpr * tally.n_neg), np.rint(tpr * tally.n_pos)
    fpr_limits = proportion_limits(alarms, tally.n_neg, level, method)
    tpr_limits = proportion_limits(hits, tally.n_pos, level, method)
    return RateRegions(
        thresholds=cuts,
        fpr_lower=fpr_limits[0],
        fpr_upper=fpr_limits[1],
        tpr_lower=tpr_limits[0],
        tpr_upper=tpr_limits[1],
        level=level,
        method=method,
        n_pos=tally.n_pos,
        n_neg=tally.n_neg,
        fp=alarms,
        tp=hits,
        data=tally,
        origin=tally.origin,
    )


WITH_FUTURE = ("fixed-width", "future")
ON_LINES = ("fixed-width", "simultaneous", "future")
OF_REGIONS = ("joint-regions",)
USED_BY: dict[str, tuple[str, ...]] = {
    "slope": ON_LINES,
    "stratified": ON_LINES,
    "joint": OF_REGIONS,
    "ks": OF_REGIONS,
}
BY_BOOTSTRAP = ("simultaneous", "fixed-width", "future", "pointwise")
MOST_SCORES = 2**14  # distinct scores up to which rows are drawn one by one
MOST_WITH_TIES = 2**17  # the same, where there are so many rows that counts are drawn
POINTWISE_GRID = np.linspace(0.0, 1.0, 201)


@by_group
def band(
    data: Any = None,
    y_score: Any = None,
    *,
    kind: BandKind = "simultaneous",
    level: float = 0.95,
    future: bool = False,
    slope: Slope = "sd",
    joint: bool = False,
    ks: Kolmogorov = "table",
    stratified: bool = False,
    n_resamples: int = 1000,
    rng: Any = None,
    groups: Any = None,
    exact: bool = False,
    **given: Unpack[TallyOptions],
) -> Band:
    """A confidence band around the ROC curve.

    Parameters
    ----------
    data, y_score
        A tally; or labels and scores; or a frame or path with `label=` and `score=`.
    kind : str, default "simultaneous"
        "simultaneous" (studentised bootstrap, narrow at the ends), "fixed-width" (bootstrap),
        "working-hotelling" (if the binormal model holds) and "joint-regions" (Kolmogorov; wide)
        are for the whole curve; "pointwise" (bootstrap quantiles) and "pointwise-binormal" for
        each FPR alone; "future" for the whole curve of a new sample of the same size.
    level, future : float, bool
        Confidence level; widen a fixed-width band by sqrt(2), for the curve of a new sample.
    slope : {"sd", "paper"}
        Lines along which curves are moved: their slope is minus the ratio of the standard
        deviations of TPR and FPR, sqrt(negatives/positives), or its reciprocal, as published,
        which with unequal classes holds the curve far too seldom.
    joint, ks : bool, {"table", "exact"}
        Of joint regions: level for both classes together; Kolmogorov distances.
    stratified, n_resamples, rng
        Resample within the classes (pointwise bands always do); resamples and seed.
    groups, exact : optional
        Cluster of each row, drawn whole (kinds by the bootstrap); draw all rows one by one. Of more
        than 16,384 scores they are else drawn where a curve is looked at, which comes to the same.
    **given
        More about rows, a frame or a file (`label`, `score`, `by`, `pos_label`, `sample_weight`,
        `direction`, `missing`, `resolution`): see `tally`; `by` answers for every group of rows.

    Returns
    -------
    Band
        With `fpr`, `lower`, `upper`, `kind`, `level`, `area`; `at(fpr)` and `contains(curve)`.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, s = [0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7]
    >>> answer = rw.band(y, s, kind="joint-regions", level=0.9)
    >>> [edge.round(3).tolist() for edge in answer.at([0.9, 1.0])]
    [[0.364, 0.364], [1.0, 1.0]]
    """
    tally = as_clustered_tally("band", data, y_score, groups, given)
    checks.one_of(kind, "kind", KINDS)
    level = checks.level(level)
    future, joint = checks.flag(future, "future"), checks.flag(joint, "joint")
    stratified, exact = checks.flag(stratified, "stratified"), checks.flag(exact, "exact")
    checks.one_of(slope, "slope", get_args(Slope))
    checks.one_of(ks, "ks", get_args(Kolmogorov))
    _refuse_unused(kind, slope=slope != "sd", joint=joint, ks=ks != "table", stratified=stratified)
    if future and kind not in WITH_FUTURE:
        raise InputError(
            f"`future` is not defined for kind={kind!r}; these are bands for the curve of a new "
            "sample: kind='future', or kind='fixed-width' with future=True."
        )
    _refuse_unlike_rows(tally, kind)
    n_resamples = checks.draws(n_resamples, rng)
    if kind in ("working-hotelling", "pointwise-binormal"):
        return _binormal_band(tally, kind, level)
    many = not exact and _by_blocks(tally)
    tally = without_straight_runs(tally) if many else tally
    curve = roc_polyline(tally)
    if kind == "joint-regions":
        edges = joint_regions(tally, curve, level, joint=joint, ks=ks)
        return _around(curve, tally, edges, kind=kind, level=level)
    bootstrap = BandBootstrap(level, slope, stratified, n_resamples, checks.seed(rng), many)
    if kind == "fixed-width":
        edges = fixed_width(tally, curve, bootstrap, future=future)
    elif kind == "simultaneous":
        edges = simultaneous(tally, curve, bootstrap)
    elif kind == "future":
        edges, future = calibrated_future(tally, curve, bootstrap), True
    else:
        edges = BandEdges(_pointwise(tally, bootstrap))
    return _around(curve, tally, edges, kind=kind, level=level, future=future, bootstrap=bootstrap)


def without_straight_runs(data: Tally) -> Tally:
    """The tally with neighboring scores of one class as one: every resampled curve is the same.

    Examples
    --------
    >>> import rocwise as rw
    >>> without_straight_runs(rw.tally([1, 1, 0, 0, 1], [5, 4, 3, 2, 1])).pos.tolist()
    [2, 0, 1]
    """
    ends, pos, neg = straight_runs(data.tp, data.fp)
    return Tally(
        table=(data.scores.take(ends), pos, neg), origin=replace(data.origin, categories=())
    )


def _by_blocks(data: Tally) -> bool:
    """Whether there are so many scores that most of them need not be looked at."""
    if data.rows is not None or len(data) <= MOST_SCORES:
        return False
    return len(data) > MOST_WITH_TIES or not draws_counts(data.pos, data.neg)


def _refuse_unused(kind: str, **given: bool) -> None:
    """An option that would change nothing is a mistake somewhere."""
    for name, was_given in given.items():
        if was_given and kind not in USED_BY[name]:
            users = " and ".join(USED_BY[name])
            raise InputError(f"`{name}` means nothing for kind={kind!r}; it is for {users}.")


def _refuse_unlike_rows(data: Tally, kind: BandKind) -> None:
    """Kolmogorov's distances and the binormal fit are for independent rows of equal weight."""
    if data.rows is not None and kind not in BY_BOOTSTRAP:
        what = "clusters" if data.clustered else "weights"
        raise InputError(
            f"kind={kind!r} takes rows for independent and alike, but these have {what}; use "
            f"kind={BY_BOOTSTRAP[0]!r} or {BY_BOOTSTRAP[-1]!r}, which draw them as they are."
        )


def _around(
    curve: Polyline,
    data: Tally,
    found: BandEdges,
    *,
    kind: BandKind,
    level: float,
    future: bool = False,
    bootstrap: BandBootstrap | None = None,
) -> Band:
    return Band(
        fpr=found.edges.x,
        lower=found.edges.lower,
        upper=found.edges.upper,
        kind=kind,
        level=level,
        area=found.edges.area(),
        future=future,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        curve_fpr=curve.x,
        curve_tpr=curve.y,
        dx=found.dx,
        dy=found.dy,
        n_resamples=None if bootstrap is None else bootstrap.n_resamples,
        seed=None if bootstrap is None else bootstrap.seed,
        origin=data.origin,
    )


def _pointwise(data: Tally, bootstrap: BandBootstrap) -> Edges:
    """Quantiles of the TPR of resampled curves at each FPR of a grid (F6.14)."""
    draw = heights_drawn(data, bootstrap.seed, POINTWISE_GRID, by_blocks=bootstrap.by_blocks)
    cells = cells_of_curve(data, bootstrap.by_blocks)
    heights = in_chunks(draw, bootstrap.n_resamples, cells, None, "pointwise band")
    tail = (1.0 - bootstrap.level) / 2
    lower, upper = np.quantile(heights, [tail, 1.0 - tail], axis=0)
    if np.array_equal(lower, upper):
        raise InputError(NO_WIDTH)
    return Edges(POINTWISE_GRID, lower, upper)


def _binormal_band(data: Tally, kind: BandKind, level: float) -> BinormalBand:
    """The fitted curve and its standard errors on the probit scale (F6.11)."""
    fit = binormal(data)
    whole = kind == "working-hotelling"
    multiplier = math.sqrt(-2.0 * math.log1p(-level)) if whole else normal_quantile(level)
    fpr = probit_grid()
    lower, upper = fit.limits(fpr, multiplier)
    return BinormalBand(
        fpr=fpr,
        lower=lower,
        upper=upper,
        kind=kind,
        level=level,
        area=Edges(fpr, lower, upper).area(),
        future=False,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        curve_fpr=fit.curve_fpr,
        curve_tpr=fit.curve_tpr,
        fit=fit,
        multiplier=multiplier,
        origin=data.origin,
    )
