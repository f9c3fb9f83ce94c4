"""Is A better than B? Tests and intervals for the difference of two or more curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.binary.areas.covariances import areas_and_covariance
from rocwise.binary.areas.influences import covariance
from rocwise.binary.areas.variances import area_variance
from rocwise.binary.comparisons.permutation import Transform
from rocwise.binary.comparisons.plans import ComparisonMethod, ComparisonPlan, plan_comparison
from rocwise.binary.comparisons.rank_tests import areas_permuted, curves_permuted
from rocwise.binary.comparisons.venkatraman import TieRanking
from rocwise.binary.precision_recall.influences import (
    precision_influences,
    precision_variance,
    row_influences,
)
from rocwise.binary.resampling.paired import paired_bootstrap, unpaired_bootstrap
from rocwise.binary.resampling.precision_statistics import AveragePrecision
from rocwise.binary.resampling.replicates import AnyStatistic, StatisticName
from rocwise.inference.comparison_results import Comparison
from rocwise.inference.comparisons import compared
from rocwise.inference.significance import Alternative, Reference
from rocwise.inputs.coercion import ComparisonOptions, as_pairs_or_samples, options_shown
from rocwise.primitives.pairs import Pairs
from rocwise.primitives.tallies import Tally
from rocwise.progress import Report


@options_shown(ComparisonOptions)
def compare(
    data: Any = None,
    other: Any = None,
    *,
    method: ComparisonMethod | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    max_fpr: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    tpr_range: tuple[float, float] | None = None,
    at_sensitivity: float | None = None,
    at_specificity: float | None = None,
    statistic: StatisticName | AnyStatistic | Callable[..., float] | None = None,
    transform: Transform = "rank",
    ties: TieRanking = "random",
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[ComparisonOptions],
) -> Comparison:
    """Compare models on the same rows (`Pairs`), or two models on different rows (two tallies).

    Parameters
    ----------
    data, other
        Pairs; or y_true and a dict of scores; or a frame or path with `label=` and `scores=`; or
        two tallies, of independent samples.
    method : str, optional
        "delong" (the default for whole areas), "jackknife", "exact-bootstrap", "unbiased",
        "bootstrap" (the default for parts and points), "permutation" (exact when affordable),
        "permutation-exact", "permutation-asymptotic", "permutation-monte-carlo", or "venkatraman"
        (whole curves). With fewer than ten cases in a class only the last five keep their level.
    level, alternative, margin
        Level of the two-sided interval; "two-sided", "greater", "less", or with `margin`
        "non-inferior" and "equivalent", all for first minus second.
    max_fpr, fpr_range, tpr_range : optional
        Compare partial areas.
    at_sensitivity, at_specificity : float, optional
        Compare specificities at this sensitivity, or sensitivities at this specificity.
    statistic : optional
        Compare another number: "average-precision" (by influence functions), or by the bootstrap
        an object of `rw.statistics`, "smooth-auc", "equal-error-rate", ...
    transform, ties
        Scale on which "permutation" swaps scores, "rank" or "none"; how "venkatraman" ranks ties,
        "random" or "midrank".
    n_resamples, rng, progress
        Of the resampling methods.
    **given
        More about rows, a frame or a file (`label`, `scores`, `groups`, `pos_label`, ...): see
        `pair`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import rocwise as rw
    >>> pairs = rw.pair([0, 0, 0, 1, 1, 1], {"a": [1, 2, 3, 2, 4, 5], "b": [2, 1, 4, 3, 5, 6]})
    >>> rw.compare(pairs).method
    'paired DeLong'
    """
    rows, second = as_pairs_or_samples("compare", data, other, given)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress)
    checks.one_of(transform, "transform", get_args(Transform))
    checks.one_of(ties, "ties", get_args(TieRanking))
    plan = plan_comparison(
        rows,
        second,
        method=method,
        alternative=alternative,
        margin=margin,
        part=(max_fpr, fpr_range, tpr_range),
        point=(at_sensitivity, at_specificity),
        level=level,
        statistic=statistic,
    )
    seed = checks.seed(rng)
    if plan.method == "venkatraman":
        return curves_permuted(rows, second, plan, ties, n_resamples, seed, progress)
    if plan.method.startswith("permutation"):
        assert isinstance(rows, Pairs)
        return areas_permuted(rows, plan, transform, n_resamples, seed, progress)
    estimates, covariance, df = _moments(rows, second, plan, n_resamples, seed, progress)
    return compared(
        estimates,
        covariance,
        quantity=plan.statistic.name,
        method=plan.method,
        description=plan.description,
        level=plan.level,
        alternative=plan.alternative,
        margin=plan.margin,
        reference=Reference(df),
        seed=seed if plan.method == "bootstrap" else None,
        origin=rows.origin,
    )


def _moments(
    data: Pairs | Tally,
    other: Tally | None,
    plan: ComparisonPlan,
    n_resamples: int,
    seed: int,
    progress: bool | Report | None,
) -> tuple[dict[str, float], Floats, float | None]:
    """Estimates by name, their covariance matrix, and degrees of freedom (None: normal)."""
    if isinstance(data, Pairs):
        if plan.method == "bootstrap":
            values, matrix = paired_bootstrap(data, plan.statistic, n_resamples, seed, progress)
        else:
            values, matrix = _paired_moments(data, plan)
        return dict(zip(data.names, map(float, values), strict=True)), matrix, None
    assert other is not None
    if plan.method == "bootstrap":
        found = unpaired_bootstrap((data, other), plan.statistic, n_resamples, seed, progress)
        return dict(zip(plan.names, found[0], strict=True)), np.diag(found[1]), None
    variances, areas = _unpaired_moments((data, other), plan)
    sizes = [float(sample.n_pos + sample.n_neg) for sample in (data, other)]
    return dict(zip(plan.names, areas, strict=True)), np.diag(variances), _welch(variances, sizes)


def _paired_moments(pairs: Pairs, plan: ComparisonPlan) -> tuple[Floats, Floats]:
    """Estimates and their covariance matrix by formula: of areas, or of average precisions."""
    if isinstance(plan.statistic, AveragePrecision):
        found = row_influences(pairs, plan.statistic.prevalence)
        return found.areas, covariance(pairs, found)
    return areas_and_covariance(pairs, plan.method)


def _unpaired_moments(
    samples: tuple[Tally, Tally], plan: ComparisonPlan
) -> tuple[list[float], list[float]]:
    """Variances and estimates of two independent samples."""
    if isinstance(plan.statistic, AveragePrecision):
        found = [precision_influences(each, plan.statistic.prevalence) for each in samples]
        both = zip(samples, found, strict=True)
        variances = [precision_variance(each, own, cohort=False) for each, own in both]
        return variances, [own.value for own in found]
    variances = [area_variance(sample, plan.method) for sample in samples]
    return variances, [plan.area(sample) for sample in samples]


def _welch(variances: list[float], sizes: list[float]) -> float | None:
    """Degrees of freedom of the unpaired test; n counts all subjects of a sample."""
    spread = sum(v * v / (n - 1) for v, n in zip(variances, sizes, strict=True))
    return sum(variances) ** 2 / spread if spread > 0 else None
