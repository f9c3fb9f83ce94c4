"""Estimates of models and how they vary together, on the same rows or on independent samples."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.binary.areas.covariances import areas_and_covariance
from rocwise.binary.areas.influences import (
    Influences,
    covariance_by_class,
    influences,
)
from rocwise.binary.areas.part_influences import part_influences
from rocwise.binary.areas.variances import area_spread, area_variance, effective_sizes
from rocwise.binary.comparisons.plans import BY_DELONG, ComparisonPlan
from rocwise.binary.comparisons.point_rates import PointRate, point_influences, point_spread
from rocwise.binary.comparisons.smooth_areas import smooth_influences, smooth_spread
from rocwise.binary.curves.parts import WHOLE
from rocwise.binary.precision_recall.influences import (
    precision_influences,
    precision_spread,
    row_influences,
)
from rocwise.binary.resampling.binned import InBins
from rocwise.binary.resampling.curve_statistics import Area
from rocwise.binary.resampling.paired import paired_bootstrap, unpaired_bootstrap
from rocwise.binary.resampling.precision_statistics import AveragePrecision
from rocwise.binary.resampling.score_statistics import SmoothArea
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.inference.class_spreads import CovarianceByClass, SpreadByClass
from rocwise.inference.significance import satterthwaite
from rocwise.kernels.placement_sums import PlacementSums
from rocwise.progress import Report


@dataclass(frozen=True, eq=False, slots=True)
class Moments:
    """Estimates by name, their covariance matrix, and degrees of freedom (None: normal).

    Whole areas by DeLong's variances also have the spread of each, and of models on the same rows
    what either class has of the matrix; others may have the sums of each model's placements, or
    the bins in which samples were drawn.
    """

    estimates: dict[str, float]
    covariance: Floats
    df: float | None = None
    spreads: tuple[SpreadByClass, ...] | None = None
    by_class: CovarianceByClass | None = None
    sums: tuple[PlacementSums, ...] | None = None
    bins: tuple[InBins, ...] = ()


def moments(
    data: Pairs | Tally,
    other: Tally | None,
    plan: ComparisonPlan,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> Moments:
    """What a comparison rests on, by the method of its plan."""
    drawn: tuple[Any, ...] = (plan.statistic, n_resamples, seed, progress)
    if isinstance(data, Pairs):
        if plan.method == "bootstrap":
            values, matrix = paired_bootstrap(data, *drawn, exact=plan.exact)
            return Moments(_named(plan, values), matrix)
        return _paired(data, plan)
    assert other is not None
    if plan.method == "bootstrap":
        apart = unpaired_bootstrap((data, other), *drawn, exact=plan.exact)
        named = _named(plan, apart.estimates)
        return Moments(named, np.diag(apart.variances), bins=apart.bins)
    return _unpaired((data, other), plan)


def _named(plan: ComparisonPlan, values: Any) -> dict[str, float]:
    return dict(zip(plan.names, map(float, values), strict=True))


def _paired(pairs: Pairs, plan: ComparisonPlan) -> Moments:
    """By formula: of areas, of parts of them, or of average precisions."""
    if plan.method == "influence":
        found = _influences_of(pairs, plan)
        matrices = covariance_by_class(pairs, found)
        df = _fewest_degrees(matrices)
        return Moments(_named(plan, found.areas), matrices.total, df, by_class=matrices)
    if plan.method not in BY_DELONG:
        areas, matrix, sums = areas_and_covariance(pairs, plan.method)
        return Moments(_named(plan, areas), matrix, sums=sums)
    found = influences(pairs)
    matrices = covariance_by_class(pairs, found)
    return Moments(
        _named(plan, found.areas),
        matrices.total,
        spreads=matrices.spreads,
        by_class=matrices,
    )


def _influences_of(pairs: Pairs, plan: ComparisonPlan) -> Influences:
    if isinstance(plan.statistic, AveragePrecision):
        return row_influences(pairs, plan.statistic.prevalence)
    if isinstance(plan.statistic, SmoothArea):
        return smooth_influences(pairs, plan.statistic)
    if isinstance(plan.statistic, PointRate):
        return point_influences(pairs, plan.statistic)
    assert isinstance(plan.statistic, Area)
    return part_influences(pairs, plan.statistic.part)


def _unpaired(samples: tuple[Tally, Tally], plan: ComparisonPlan) -> Moments:
    sizes = [float(sample.n_pos + sample.n_neg) for sample in samples]
    spreads = None
    if isinstance(plan.statistic, AveragePrecision):
        found = [precision_influences(each, plan.statistic.prevalence) for each in samples]
        asked = zip(samples, found, strict=True)
        parts = [precision_spread(each, own) for each, own in asked]
        variances = [sum(variance for variance, _ in each) for each in parts]
        values = [own.value for own in found]
        df = satterthwaite([one for each in parts for one in each])
    elif isinstance(plan.statistic, (SmoothArea, PointRate)):
        both = [_value_and_spread(each, plan.statistic) for each in samples]
        variances = [spread.variance for _, spread in both]
        values = [value for value, _ in both]
        df = satterthwaite([one for _, spread in both for one in spread.by_class()])
    elif plan.method == "influence":
        assert isinstance(plan.statistic, Area)
        own_spreads = [area_spread(sample, plan.statistic.part) for sample in samples]
        variances = [spread.variance for spread in own_spreads]
        values = [plan.area(sample) for sample in samples]
        df = satterthwaite([one for spread in own_spreads for one in spread.by_class()])
    else:
        by_delong = plan.method in BY_DELONG
        method = "delong" if by_delong else plan.method
        variances = [area_variance(sample, method) for sample in samples]
        values = [plan.area(sample) for sample in samples]
        if by_delong:
            spreads = tuple(area_spread(sample, WHOLE) for sample in samples)
            sizes = [sum(effective_sizes(sample)) for sample in samples]
        df = _welch(variances, sizes)
    return Moments(_named(plan, values), np.diag(variances), df, spreads)


def _value_and_spread(
    data: Tally, statistic: SmoothArea | PointRate
) -> tuple[float, SpreadByClass]:
    if isinstance(statistic, SmoothArea):
        return smooth_spread(data, statistic)
    return point_spread(data, statistic)


def _fewest_degrees(matrices: CovarianceByClass) -> float | None:
    """Degrees of freedom of the difference of two models that has the fewest of all pairs."""
    k = len(matrices.total)
    found = []
    for a, b in combinations(range(k), 2):
        step = np.eye(k)[a] - np.eye(k)[b]
        parts = [
            (float(step @ part @ step), n)
            for part, n in zip(matrices.parts, matrices.sizes, strict=True)
        ]
        found.append(satterthwaite(parts))
    known = [df for df in found if df is not None]
    return min(known, default=None)


def _welch(variances: list[float], sizes: list[float]) -> float | None:
    """Degrees of freedom of the unpaired test; n counts all subjects of a sample."""
    spread = sum(v * v / (n - 1) for v, n in zip(variances, sizes, strict=True))
    return sum(variances) ** 2 / spread if spread > 0 else None
