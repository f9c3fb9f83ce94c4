"""Confidence bands of an ROC curve, and confidence rectangles at single thresholds."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, NamedTuple, Unpack, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats, Places, Weights
from rocwise.binary import polylines, roc
from rocwise.binary.binormal import BinormalFit, binormal, probit_grid
from rocwise.binary.bootstrap import sampling
from rocwise.binary.polylines import NEAR, Edges, Polyline, Shift, Sides
from rocwise.data.tally import Tally, check_unweighted, float_scores
from rocwise.errors import InputError, shown
from rocwise.inference.intervals import normal_quantile
from rocwise.inference.proportions import (
    METHODS,
    PROPORTION_NAMES,
    ProportionMethod,
    proportion_limits,
)
from rocwise.inference.resampling import in_chunks, percentile_limits
from rocwise.inputs.coercion import TallyOptions, as_tally, by_group
from rocwise.kernels import bands as kernels
from rocwise.kernels.resample import Model, Reader, draws_counts, resample
from rocwise.results import ASIDE, Resampled, result

__all__ = ["threshold_regions"]  # public besides the names of the top level

Slope = Literal["paper", "sd"]
Kolmogorov = Literal["table", "exact"]
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
DESCRIPTIONS: dict[BandKind, str] = {
    "fixed-width": "fixed-width band (bootstrap)",
    "joint-regions": "simultaneous joint regions (Kolmogorov)",
    "working-hotelling": "Working-Hotelling band on the binormal fit",
    "pointwise": "pointwise intervals (vertical bootstrap)",
    "pointwise-binormal": "pointwise intervals of the binormal fit",
    "simultaneous": "simultaneous band (studentized bootstrap)",
    "future": "fixed-width band calibrated on pairs of resamples",
}
WITH_FUTURE = ("fixed-width", "future")
ALONG_LINES = ("fixed-width", "simultaneous", "future")
USED_BY: dict[str, tuple[str, ...]] = {
    "slope": ALONG_LINES,
    "stratified": ALONG_LINES,
    "joint": ("joint-regions",),
    "ks": ("joint-regions",),
}
BOOTSTRAP_KINDS = ("simultaneous", "fixed-width", "future", "pointwise")
MANY_SCORES = 2**14  # distinct scores above which rows are drawn where a curve is visited only
MANY_WITH_TIES = 2**17  # the same, where there are so many rows that counts could be drawn
POINTWISE_GRID = np.linspace(0.0, 1.0, 201)
MOST_LINES = 256
FEWEST_CASES = 10  # below, coverage of bootstrap bands is too low: docs/validation/bands.md
# Constants of the one-sample Kolmogorov statistic for n > 35 (F6.1)
KOLMOGOROV = {0.20: 1.07, 0.15: 1.14, 0.10: 1.22, 0.05: 1.36, 0.01: 1.63}
LARGEST_EXACT = 35
NO_WIDTH = (
    "every resampled curve equals the observed one, so a bootstrap band would have no width: "
    "the classes are perfectly separated or have too few cases, or `level` or `n_resamples` is "
    "very small. Use kind='joint-regions'."
)


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
    **given: Unpack[TallyOptions],
) -> "Band":
    """Compute a confidence band of the ROC curve.

    Parameters
    ----------
    kind : str, default "simultaneous"
        Kind of band. For the whole curve: "simultaneous" (studentized bootstrap), "fixed-width"
        (bootstrap) [1]_, "working-hotelling" (binormal model) [2]_, "joint-regions"
        (Kolmogorov-Smirnov, conservative) [3]_. For each FPR by itself: "pointwise" (bootstrap
        quantiles), "pointwise-binormal". For the whole curve of a new sample of the same size:
        "future".
    level : float, default 0.95
        Confidence level.
    future : bool, default False
        Widen a fixed-width band by sqrt(2), for the curve of a new sample.
    slope : {"sd", "paper"}, default "sd"
        Direction in which distances of a fixed-width band are measured: minus the ratio of the
        standard deviations of TPR and FPR, sqrt(n_neg / n_pos), or its reciprocal as published,
        which undercovers with unequal classes.
    joint : bool, default False
        For joint regions: whether the level is that of both classes together.
    ks : {"table", "exact"}, default "table"
        For joint regions: tabulated or exact Kolmogorov-Smirnov distances.
    stratified : bool, default False
        Whether to resample within the classes, as pointwise bands always do.
    n_resamples : int, default 1000
        Number of bootstrap resamples.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.

    Returns
    -------
    Band
        Result with `fpr`, `lower`, `upper`, `kind`, `level` and `area`, and with the methods
        ``at(fpr)`` and ``contains(curve)``.

    See Also
    --------
    roc : Empirical ROC curve.
    binary.threshold_regions : Intervals of FPR and TPR at given thresholds.
    average_roc : Average of several ROC curves.
    regression.band : Confidence band of a REC curve.

    References
    ----------
    .. [1] S. A. Macskassy, F. Provost and S. Rosset, "ROC confidence bands: an empirical
           evaluation", ICML, 2005. doi:10.1145/1102351.1102419
    .. [2] G. Ma and W. J. Hall, "Confidence bands for receiver operating characteristic curves",
           Med. Decis. Making 13, 1993. doi:10.1177/0272989X9301300304
    .. [3] G. Campbell, "Advances in statistical methodology for the evaluation of diagnostic and
           laboratory tests", Stat. Med. 13, 1994. doi:10.1002/sim.4780130513

    Examples
    --------
    >>> import rocwise as rw
    >>> y_true, y_score = [0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7]
    >>> band = rw.band(y_true, y_score, kind="joint-regions", level=0.9)
    >>> [limits.round(3).tolist() for limits in band.at([0.9, 1.0])]
    [[0.364, 0.364], [1.0, 1.0]]
    >>> ax = band.plot()
    """
    tally = as_tally("band", data, y_score, given)
    checks.one_of(kind, "kind", KINDS)
    level = checks.level(level)
    future, joint = checks.flag(future, "future"), checks.flag(joint, "joint")
    stratified = checks.flag(stratified, "stratified")
    checks.one_of(slope, "slope", get_args(Slope))
    checks.one_of(ks, "ks", get_args(Kolmogorov))
    _check_used(kind, slope=slope != "sd", joint=joint, ks=ks != "table", stratified=stratified)
    if future and kind not in WITH_FUTURE:
        raise InputError(
            f"`future` is not defined for kind={kind!r}; these are bands for the curve of a new "
            "sample: kind='future', or kind='fixed-width' with future=True."
        )
    _check_rows(tally, kind)
    n_resamples = checks.draws(n_resamples, rng)
    if kind in ("working-hotelling", "pointwise-binormal"):
        return _binormal_band(tally, kind, level)
    if kind == "joint-regions":
        alpha = 1.0 - math.sqrt(level) if joint else 1.0 - level
        dx, dy = (kolmogorov_distance(int(n), alpha, ks) for n in (tally.n_neg, tally.n_pos))
        curve = observed_curve(tally)
        fields = _fields(tally, curve, _moved(curve, dx, dy))  # F6.1, F6.3
        return Band(**fields, kind=kind, level=level, future=False)
    stratified = stratified or kind == "pointwise"
    bootstrap = _bootstrap(tally, checks.seed(rng), n_resamples, level, slope, stratified)
    if kind == "fixed-width":
        edges = _fixed_width(bootstrap, future)
    else:
        by_kind = {"simultaneous": _simultaneous, "future": _future, "pointwise": _pointwise}
        edges = by_kind[kind](bootstrap)
    return Band(
        **_fields(tally, bootstrap.curve, edges),
        kind=kind,
        level=level,
        future=future or kind == "future",
        n_resamples=n_resamples,
        seed=bootstrap.seed,
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
) -> "RateRegions":
    """Compute confidence intervals of FPR and TPR at given thresholds.

    Parameters
    ----------
    data : array-like, Tally, Pairs, DataFrame or path
        Labels, with `y_score`; or a `Tally`; or a data frame or the path of a file, with
        `label` and `score`. Weights are not supported.
    y_score : array-like, optional
        Scores, one per label.
    thresholds : array-like, optional
        Thresholds; all distinct scores by default.
    method : str, default "wilson"
        Interval for a proportion, as in `inference.proportion_interval`.
    level : float, default 0.95
        Confidence level of each interval; the rectangle of both has the level squared.

    Returns
    -------
    RateRegions
        Result with `thresholds`, `fpr`, `tpr` and the limits of both rates.

    See Also
    --------
    at : Sensitivity, specificity, PPV and NPV at an operating point.
    band : Confidence band of the ROC curve.
    inference.proportion_interval : Confidence interval for a proportion.

    Examples
    --------
    >>> from rocwise.binary import threshold_regions
    >>> regions = threshold_regions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], thresholds=[0.35])
    >>> regions.tpr_lower.round(3).tolist(), regions.tpr_upper.tolist()
    ([0.342], [1.0])
    >>> ax = regions.plot()
    """
    tally = as_tally("threshold_regions", data, y_score, given)
    checks.one_of(method, "method", METHODS)
    level = checks.level(level)
    check_unweighted(
        tally,
        "threshold_regions",
        why="its regions are exact for counts of independent cases",
        instead="use `at` with threshold=, whose intervals take weights and clusters",
    )
    chosen, fp, tp = float_scores(tally.scores), tally.fp, tally.tp
    if thresholds is not None:
        chosen = np.atleast_1d(checks.numbers(thresholds, "thresholds", infinite=True, most=1))
        fpr, tpr = roc.rates_at(tally, chosen)
        fp, tp = np.rint(fpr * tally.n_neg), np.rint(tpr * tally.n_pos)
    fpr_limits = proportion_limits(fp, tally.n_neg, level, method)
    tpr_limits = proportion_limits(tp, tally.n_pos, level, method)
    return RateRegions(
        thresholds=chosen,
        fpr=fp / tally.n_neg,
        tpr=tp / tally.n_pos,
        fpr_lower=fpr_limits[0],
        fpr_upper=fpr_limits[1],
        tpr_lower=tpr_limits[0],
        tpr_upper=tpr_limits[1],
        level=level,
        method=PROPORTION_NAMES.get(method, method),
        fp=fp,
        tp=tp,
        data=tally,
        **tally.result_fields,
    )


@result
class Band(Resampled):
    """Confidence band of an ROC curve.

    `lower` and `upper` are the edges over `fpr`; a rate that occurs twice is a jump.
    `curve_fpr` and `curve_tpr` are the vertices of the observed curve; `dx` and `dy` are
    the distances of a band of fixed width along the axes.
    """

    frame_fields: ClassVar[tuple[str, ...]] = ("fpr", "lower", "upper")
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

    def _method_words(self) -> list[str]:
        return [self.kind]

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

    def description(self) -> str:
        """What the band is and what it is a band for."""
        target = "the curve of a new sample" if self.future else "the true curve"
        each = "" if self.simultaneous else ", at each FPR alone"
        level = printing.percent(self.level)
        return f"{level} {DESCRIPTIONS[self.kind]} for {target}{each}"

    def _sentence(self) -> str:
        size = self.n_pos + self.n_neg
        few = "; with so few cases its coverage is below the level" if self.few_cases else ""
        return (
            f"{self.description()}; area {printing.rate(self.area, size)}; "
            f"{printing.classes(self.n_pos, self.n_neg)}{few}"
        )

    @property
    def few_cases(self) -> bool:
        """Whether a class has too few cases for the coverage of bootstrap bands."""
        by_bootstrap = self.n_resamples is not None and self.simultaneous
        return by_bootstrap and min(self.n_pos, self.n_neg) < FEWEST_CASES

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
        x = checks.rates(fpr, "fpr")
        below, above = self._sides(np.atleast_1d(x).ravel())
        return below.left.reshape(x.shape), above.right.reshape(x.shape)

    def contains(self, curve: roc.RocCurve | tuple[Any, Any], *, min_fpr: float = 0.0) -> bool:
        """Whether every point of a curve, vertical segments included, lies in the band.

        Parameters
        ----------
        curve : RocCurve, or (fpr, tpr)
            The curve, straight between its points.
        min_fpr : float, default 0
            Restrict to FPRs of at least this value.
        """
        line = _as_polyline(curve)
        x = np.unique(np.concatenate([line.x, self.fpr]))
        start = max(checks.rate(min_fpr, "min_fpr"), float(line.x[0]))
        x = x[(x >= start) & (x <= line.x[-1])]
        own, below, above = (
            np.array(each) for each in (polylines.heights(line, x), *self._sides(x))
        )
        return bool(np.all((own <= above + NEAR) & (own >= below - NEAR)))

    def _sides(self, x: Floats) -> tuple[Sides, Sides]:
        """The lower and the upper edge, just left and just right of each x."""
        below, above = (
            polylines.heights(Polyline(self.fpr, edge), x) for edge in (self.lower, self.upper)
        )
        return below, above


@result
class BinormalBand(Band):
    """Band of a fitted binormal curve: `multiplier` standard errors on the probit scale."""

    fit: BinormalFit
    multiplier: float

    def _sides(self, x: Floats) -> tuple[Sides, Sides]:
        lower, upper = self.fit.limits(x, self.multiplier)
        return Sides(lower, lower), Sides(upper, upper)


def _as_polyline(curve: roc.RocCurve | tuple[Any, Any]) -> Polyline:
    """The vertices of a curve; raises when it turns back or leaves the unit square."""
    given = (curve.fpr, curve.tpr) if isinstance(curve, roc.RocCurve) else curve
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


@result
class RateRegions(roc.DataResult):
    """Confidence intervals of FPR and TPR at thresholds; each rectangle has level `level` squared.

    The rates are pointwise: joined rectangles are not a band. `fp` and `tp` are
    the negatives and positives at or beyond each threshold.
    """

    thresholds: Floats
    fpr: Floats
    tpr: Floats
    fpr_lower: Floats
    fpr_upper: Floats
    tpr_lower: Floats
    tpr_upper: Floats
    level: float
    method: str
    n_pos: float
    n_neg: float
    fp: Weights = field(metadata=ASIDE)
    tp: Weights = field(metadata=ASIDE)

    def _sentence(self) -> str:
        return (
            f"{printing.percent(self.level)} {self.method} intervals of FPR and TPR at "
            f"{printing.counted(len(self.thresholds), 'threshold')}, each alone; "
            f"{printing.classes(self.n_pos, self.n_neg)}"
        )


def _check_used(kind: str, **given: bool) -> None:
    """Raise for an option that is not used."""
    for name, was_given in given.items():
        if was_given and kind not in USED_BY[name]:
            users = " and ".join(USED_BY[name])
            raise InputError(f"`{name}` is not used with kind={kind!r}; it is for {users}.")


def _check_rows(data: Tally, kind: BandKind) -> None:
    """Kolmogorov distances and the binormal fit are for independent rows of equal weight."""
    if data.rows is not None and kind not in BOOTSTRAP_KINDS:
        what = "clusters" if data.clustered else "weights"
        raise InputError(
            f"kind={kind!r} assumes independent rows of equal weight, but these have {what}; use "
            f"kind={BOOTSTRAP_KINDS[0]!r} or {BOOTSTRAP_KINDS[-1]!r}, which resample them."
        )


class BandEdges(NamedTuple):
    """Edges, and their distance from the curve along the axes where that is one number."""

    edges: Edges
    dx: float | None = None
    dy: float | None = None


def _fields(data: Tally, curve: Polyline, found: BandEdges) -> dict[str, Any]:
    """The fields of a band that follow from its edges."""
    return {
        "fpr": found.edges.x,
        "lower": found.edges.lower,
        "upper": found.edges.upper,
        "area": float(np.trapezoid(found.edges.upper - found.edges.lower, found.edges.x)),
        "curve_fpr": curve.x,
        "curve_tpr": curve.y,
        "dx": found.dx,
        "dy": found.dy,
        **data.result_fields,
    }


def _binormal_band(data: Tally, kind: BandKind, level: float) -> BinormalBand:
    """The fitted curve and its standard errors on the probit scale (F6.11)."""
    fit = binormal(data)
    whole = kind == "working-hotelling"
    multiplier = math.sqrt(-2.0 * math.log1p(-level)) if whole else normal_quantile(level)
    fpr = probit_grid()
    edges = BandEdges(Edges(fpr, *fit.limits(fpr, multiplier)))
    fields = _fields(data, Polyline(fit.curve_fpr, fit.curve_tpr), edges)
    return BinormalBand(
        **fields, kind=kind, level=level, future=False, fit=fit, multiplier=multiplier
    )


def _moved(curve: Polyline, dx: float, dy: float) -> BandEdges:
    """The curve moved both ways by one distance."""
    return BandEdges(polylines.displaced(curve, Shift(dx, dy), Shift(dx, dy)), dx, dy)


def kolmogorov_distance(n: int, alpha: float, ks: Kolmogorov = "table") -> float:
    """Critical distance of the two-sided one-sample Kolmogorov statistic (F6.1)."""
    if ks == "exact" or n <= LARGEST_EXACT:
        from scipy.stats import kstwo

        return float(kstwo.ppf(1.0 - alpha, n))
    for tabled, constant in KOLMOGOROV.items():
        if math.isclose(alpha, tabled, abs_tol=1e-9):
            return constant / math.sqrt(n)
    from scipy.special import kolmogi

    return float(kolmogi(alpha)) / math.sqrt(n)


@dataclass(frozen=True, slots=True)
class BandBootstrap:
    """Resamples of a curve, and the lines of slope -`slope` along which they are compared."""

    data: Tally
    curve: Polyline
    sample: kernels.Sample
    slope: float
    level: float
    n_resamples: int
    seed: int

    def replicates(
        self, draw: Callable[[int, int], Floats], label: str, *, again: bool = False
    ) -> Floats:
        """What `draw` measures on all resamples, in chunks."""
        sample = self.sample
        visited = isinstance(sample, kernels.RowSample) and sample.blocks
        cells = MOST_LINES + sample.rows // (1024 if visited else 64)  # for progress, not memory
        return in_chunks(draw, self.n_resamples, cells, None, label, again=again)


def _bootstrap(
    data: Tally, seed: int, n_resamples: int, level: float, slope: Slope, stratified: bool
) -> BandBootstrap:
    """Rows resampled by the kernel if independent and of equal weight, else by the resampler."""
    sample: kernels.Sample
    many = _many_scores(data)
    if not many and (data.weighted or data.rows is not None or draws_counts(data.pos, data.neg)):
        sample = _resampled_sums(data, seed, stratified)
    else:
        ends = roc.straight_runs(data.tp, data.fp) if many else slice(None)
        tp, fp = (np.append(0, sums[ends]).astype(np.int64) for sums in (data.tp, data.fp))
        sample = kernels.RowSample(tp, fp, seed, stratified, blocks=many)
    curve = observed_curve(data)
    return BandBootstrap(data, curve, sample, line_slope(data, slope), level, n_resamples, seed)


def _many_scores(data: Tally) -> bool:
    """Whether so many scores differ that most of them need not be visited."""
    if data.rows is not None or data.weighted or len(data) <= MANY_SCORES:
        return False
    return len(data) > MANY_WITH_TIES or not draws_counts(data.pos, data.neg)


def observed_curve(data: Tally) -> Polyline:
    """The empirical ROC curve; of many scores, without vertices inside straight segments."""
    if not _many_scores(data):
        return Polyline(*roc.roc_rates(data))
    ends = roc.straight_runs(data.tp, data.fp)
    return Polyline(
        roc.from_zero(data.fp[ends] / data.n_neg), roc.from_zero(data.tp[ends] / data.n_pos)
    )


def _resampled_sums(data: Tally, seed: int, stratified: bool) -> kernels.GivenSample:
    """Rows with weights or in clusters, or counts at few scores, by the general resampler."""
    units, rows = sampling(data, stratified=stratified)
    size = len(data) + 1
    reader = Reader("curve", np.empty(0), width=2 * size, finished=lambda read: read)

    def sums(pos: Weights, neg: Weights) -> Floats:
        return np.concatenate([roc.sums_from_zero(pos), roc.sums_from_zero(neg)], axis=1)

    model = Model(rows, sums, reader)

    def draw(first: int, last: int) -> tuple[Floats, Floats]:
        drawn = resample(units, [model], seed, first, last)[:, 0]
        return drawn[:, :size], drawn[:, size:]

    return kernels.GivenSample(draw, len(rows.codes))


def line_slope(data: Tally, slope: Slope) -> float:
    """Steepness s of the lines of slope -s along which curves are moved (F6.4)."""
    n_pos, n_neg = data.effective_sizes
    ratio = n_pos / n_neg
    return math.sqrt(ratio if slope == "paper" else 1.0 / ratio)


def _fixed_width(bootstrap: BandBootstrap, future: bool) -> BandEdges:
    """The curve displaced by the width that contains enough resampled curves (F6.4 to F6.7)."""
    reference = kernels.reference_index(*bootstrap.curve, bootstrap.slope)
    dx = _distance_quantile(_from_reference(bootstrap, reference), bootstrap, "fixed-width band")
    return _moved_along_lines(bootstrap, dx * (math.sqrt(2.0) if future else 1.0))


def _future(bootstrap: BandBootstrap) -> BandEdges:
    """The width that covers the second of two resampled curves around the first often enough."""

    def draw(first: int, last: int, at_least: float) -> Floats:
        return kernels.resample_pair_distances(
            bootstrap.sample, first, last, bootstrap.slope, at_least=at_least
        )

    return _moved_along_lines(bootstrap, _distance_quantile(draw, bootstrap, "future band"))


def _moved_along_lines(bootstrap: BandBootstrap, dx: float) -> BandEdges:
    if dx <= NEAR:
        raise InputError(NO_WIDTH)
    return _moved(bootstrap.curve, dx, bootstrap.slope * dx)


DrawDistances = Callable[[int, int, float], Floats]  # those below the last number may be cut there


def _from_reference(bootstrap: BandBootstrap, reference: kernels.ReferenceIndex) -> DrawDistances:
    return lambda first, last, at_least: kernels.resample_distances(
        bootstrap.sample, first, last, reference, at_least=at_least
    )


def _distance_quantile(
    draw: DrawDistances,
    bootstrap: BandBootstrap,
    label: str,
    floor: float = 0.0,
    *,
    again: bool = False,
) -> float:
    """The distance that `level` of the replicates do not exceed, searched above a known floor."""
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

    return order_statistic(bootstrap.replicates(draw_above, label, again=again), bootstrap.level)


def order_statistic(values: Floats, level: float) -> float:
    """The smallest value that at least the fraction `level` of all does not exceed (F6.6)."""
    rank = rank_of(level, len(values))
    return float(np.partition(values, rank - 1)[rank - 1])


def rank_of(level: float, size: int) -> int:
    """Rank of the first of `size` ascending values that a fraction of them does not exceed."""
    return math.ceil(level * size - 1e-9)  # 0.9 * 10 is a little more than 9


def _simultaneous(bootstrap: BandBootstrap) -> BandEdges:
    """A band as wide, at each line, as the curve varies there; one multiplier for all lines."""
    slope, curve = bootstrap.slope, bootstrap.curve
    deviation, floor, drawn = _crossing_deviation(bootstrap)
    bootstrap = replace(bootstrap, n_resamples=drawn)
    reference = kernels.reference_index(*curve, slope, deviation)
    draw = _from_reference(bootstrap, reference)
    multiplier = _distance_quantile(draw, bootstrap, "studentized band", floor, again=True)
    left, right = polylines.monotone_displacement(curve, slope, multiplier * deviation)
    return BandEdges(
        polylines.displaced(curve, Shift(right, slope * right), Shift(left, slope * left))
    )


def _crossing_deviation(bootstrap: BandBootstrap) -> tuple[Floats, float, int]:
    """Standard deviation of crossings at each vertex, a floor of its multiple, curves drawn."""
    curve, slope, sample = bootstrap.curve, bootstrap.slope, bootstrap.sample
    line = curve.y + slope * curve.x
    blocks = isinstance(sample, kernels.RowSample) and sample.blocks
    chosen = chosen_lines(len(line), few=blocks)
    distances = bootstrap.replicates(
        lambda first, last: kernels.resample_crossings(sample, first, last, slope, line[chosen]),
        "standard deviation of the curve",
    )
    distances = np.abs(distances - curve.x[chosen])
    if distances.max() <= NEAR:
        raise InputError(NO_WIDTH)
    deviations = np.interp(line, line[chosen], np.sqrt(np.mean(distances**2, axis=0)))
    deviation = np.maximum(deviations, least_deviation(bootstrap.data, curve, slope))
    multiples = (distances / deviation[chosen]).max(axis=1)
    multiple = order_statistic(multiples, bootstrap.level)
    return deviation, multiple * (1.0 - NEAR), len(distances)


def chosen_lines(n_vertices: int, *, few: bool = False) -> Places:
    """At most `MOST_LINES` vertices: evenly spaced, fewer for many scores; dense at the ends."""
    last = n_vertices - 1
    ends = np.geomspace(1.0, max(last / 2, 1.0), MOST_LINES // 8)
    n_even = MOST_LINES - 2 * len(ends)
    even = np.linspace(0.0, last, n_even // 3 if few else n_even)
    vertices = np.concatenate([even, np.minimum(ends, last), np.maximum(last - ends, 0.0)])
    return np.unique(vertices.round().astype(np.intp))


def least_deviation(data: Tally, curve: Polyline, slope: float) -> Floats:
    """A lower bound of the standard deviation of a crossing, for any slope g of the curve.

    A crossing has variance (g^2 A + B) / (g + s)^2, at least A B / (A s^2 + B), with A and B the
    variances of FPR and TPR, two cases of each outcome added as Agresti and Coull do.
    """
    n_pos, n_neg = data.effective_sizes
    variances = []
    for rate, size in ((curve.x, n_neg), (curve.y, n_pos)):
        adjusted = (size * rate + 2.0) / (size + 4.0)
        variances.append(adjusted * (1.0 - adjusted) / size)
    of_fpr, of_tpr = variances
    return np.sqrt(of_fpr * of_tpr / (of_fpr * slope * slope + of_tpr))


def _pointwise(bootstrap: BandBootstrap) -> BandEdges:
    """Quantiles of the TPR of resampled curves at each FPR of a grid (F6.14)."""
    sample = bootstrap.sample
    tpr = bootstrap.replicates(
        lambda first, last: kernels.resample_tpr(sample, first, last, POINTWISE_GRID),
        "pointwise band",
    )
    lower, upper = percentile_limits(tpr, bootstrap.level)
    if np.array_equal(lower, upper):
        raise InputError(NO_WIDTH)
    return BandEdges(Edges(POINTWISE_GRID, lower, upper))
