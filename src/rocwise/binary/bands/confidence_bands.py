"""Confidence bands: how far the true curve, or the curve of a new sample, may be from this one."""

from __future__ import annotations

import math
from typing import Any, Unpack, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.binary.bands.displaced import (
    NO_WIDTH,
    BandBootstrap,
    BandEdges,
    Kolmogorov,
    Slope,
    calibrated_future,
    cells_of_curve,
    fixed_width,
    joint_regions,
    simultaneous,
)
from rocwise.binary.bands.polylines import Edges, Polyline, roc_polyline
from rocwise.binary.bands.resampled_curves import heights_drawn
from rocwise.binary.bands.results import KINDS, Band, BandKind, BinormalBand
from rocwise.binary.distributions.binormal_fits import binormal, probit_grid
from rocwise.binary.resampling.binned import without_straight_runs
from rocwise.binary.resampling.draws import cells_of_draw
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.chunked_draws import in_chunks
from rocwise.inference.intervals.interval_limits import normal_quantile
from rocwise.inputs.coercion import TallyOptions, as_clustered_tally, by_group
from rocwise.kernels.resampling_tables import draws_counts

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
        area=kernels.edges_area(*found.edges),
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
    alike = data.rows is None
    cells = cells_of_curve(data, bootstrap.by_blocks) if alike else cells_of_draw(data)
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
        area=kernels.edges_area(fpr, lower, upper),
        future=False,
        n_pos=data.n_pos,
        n_neg=data.n_neg,
        curve_fpr=fit.curve_fpr,
        curve_tpr=fit.curve_tpr,
        fit=fit,
        multiplier=multiplier,
        origin=data.origin,
    )
