"""Is A better than B? Tests and intervals for the difference of two or more curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Unpack, get_args

from rocwise import checks, printing
from rocwise.binary.comparisons.cross_validated import (
    POOLED,
    FoldMethod,
    compare_by_folds,
    warn_of_pooled_folds,
)
from rocwise.binary.comparisons.few_cases import estimate_intervals, few_cases, settled_method
from rocwise.binary.comparisons.moments import Moments, moments
from rocwise.binary.comparisons.permutation import Transform
from rocwise.binary.comparisons.plans import ComparisonMethod, ComparisonPlan, plan_comparison
from rocwise.binary.comparisons.rank_tests import areas_permuted, curves_permuted
from rocwise.binary.comparisons.venkatraman import TieRanking
from rocwise.binary.resampling.binned import (
    BinnedInterval,
    InBins,
    error_of_difference,
    percent_of,
)
from rocwise.binary.resampling.forms_of_statistics import AnyStatistic, StatisticName
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.comparison_results import Comparison
from rocwise.inference.comparisons import compared
from rocwise.inference.significance import Alternative, Reference
from rocwise.inputs.coercion import ComparisonOptions, as_pairs_or_samples, options_shown
from rocwise.progress import Report


@options_shown(ComparisonOptions)
def compare(
    data: Any = None,
    other: Any = None,
    *,
    method: ComparisonMethod | FoldMethod | None = None,
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
    names: tuple[str, str] | None = None,
    folds: Any = None,
    exact: bool = False,
    **given: Unpack[ComparisonOptions],
) -> Comparison:
    """Compare models on the same rows (`Pairs`), or two models on different rows (two tallies).

    Parameters
    ----------
    data, other
        Pairs; y_true and a dict of scores; a frame or path with `label=` and `scores=`; or two
        tallies, of independent samples.
    method : str, optional
        By default "auto": whole areas by "delong" where the smaller class times 1 - AUC (or AUC)
        is 7 or more for every model (15 with a `margin`), else by "wilson", from the limits of
        both areas; parts, points and "smooth-auc" by "influence" from 1,000 cases there on, else
        by the "bootstrap". Others: "jackknife", "exact-bootstrap", "unbiased", "permutation" or
        with "-exact", "-asymptotic", "-monte-carlo", "venkatraman".
    level, alternative, margin
        Level of the two-sided interval; "two-sided", "greater", "less", or with `margin`
        "non-inferior" and "equivalent", all for first minus second.
    max_fpr, fpr_range, tpr_range, at_sensitivity, at_specificity : optional
        Compare partial areas, specificities at this sensitivity, or the other way round.
    statistic : optional
        Another number: "average-precision", an object of `rw.statistics`, "smooth-auc", ...
    transform, ties
        Scale on which "permutation" swaps scores: "rank", "none"; of ties: "random", "midrank".
    n_resamples, rng, progress, exact, names
        As in `bootstrap`, which draws two tallies in bins where it can; what these are called.
    folds : optional
        Of cross-validated models: the fold of each row, or the splits. `method` then is
        "corrected-t" (default), "influence", or "delong", which pools the folds.
    **given
        More about rows, a frame or a file (`label`, `groups`, `pos_label`, ...): see `pair`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import rocwise as rw
    >>> pairs = rw.pair([0, 0, 0, 1, 1, 1], {"a": [1, 2, 3, 2, 4, 5], "b": [2, 1, 4, 3, 5, 6]})
    >>> rw.compare(pairs).method
    'paired effective-size Wilson'
    """
    level = checks.level(level)
    part, point = (max_fpr, fpr_range, tpr_range), (at_sensitivity, at_specificity)
    if folds is not None and method != "delong":
        _refuse_beside_folds(*part, *point, statistic)
        tested: dict[str, Any] = {"method": method, "alternative": alternative, "margin": margin}
        return compare_by_folds(data, other, folds, given=given, level=level, **tested)
    if folds is not None:
        warn_of_pooled_folds(data, other, folds, given)
    rows, second = as_pairs_or_samples("compare", data, other, given)
    n_resamples = checks.draws(n_resamples, rng, progress)
    checks.one_of(transform, "transform", get_args(Transform))
    checks.one_of(ties, "ties", get_args(TieRanking))
    plan = plan_comparison(
        rows,
        second,
        method=method,
        alternative=alternative,
        margin=margin,
        part=part,
        point=point,
        level=level,
        statistic=statistic,
        names=names,
        exact=exact,
    )
    seed = checks.seed(rng)
    if plan.method == "venkatraman":
        return curves_permuted(rows, second, plan, ties, n_resamples, seed, progress)
    if plan.method.startswith("permutation"):
        assert isinstance(rows, Pairs)
        return areas_permuted(rows, plan, transform, n_resamples, seed, progress)
    found = moments(rows, second, plan, n_resamples, seed, progress)
    return _settled(rows, second, plan, found, seed, pooled=folds is not None)


def _settled(
    rows: Pairs | Tally,
    second: Tally | None,
    plan: ComparisonPlan,
    found: Moments,
    seed: int,
    *,
    pooled: bool,
) -> Comparison:
    """The comparison from estimates and their covariance, by the method that suits the cases."""
    settled = settled_method(plan, found)
    answer = compared(
        found.estimates,
        found.covariance,
        quantity=plan.statistic.name,
        method=settled,
        description=plan.described(settled) + (f", {POOLED}" if pooled else ""),
        level=plan.level,
        alternative=plan.alternative,
        margin=plan.margin,
        reference=Reference(found.df),
        few=few_cases(plan, found, settled),
        intervals=estimate_intervals(rows, second, plan, found),
        seed=seed if plan.method == "bootstrap" else None,
        origin=rows.origin,
    )
    return _with_bins(answer, found.bins) if found.bins else answer


def _with_bins(answer: Comparison, bins: tuple[InBins, ...]) -> Comparison:
    """The comparison, which says in how many bins its samples were drawn."""
    assert answer.interval is not None
    assert answer.standard_error is not None
    n_bins, bound = sum(each.n_bins for each in bins), error_of_difference(bins)
    words = (
        f"{answer.method} in {printing.count(n_bins)} bins, which change the standard error by at "
        f"most {percent_of(answer.standard_error, bound)}"
    )
    known = answer.interval
    interval = BinnedInterval(known.low, known.high, known.level, words, None, n_bins, bound)
    return replace(answer, method=words, interval=interval)


def _refuse_beside_folds(*options: Any) -> None:
    """Folds compare whole areas."""
    if any(option is not None for option in options):
        raise InputError(
            "`folds` compares whole areas; for parts, points and other statistics subtract the "
            "values of the folds and use cv_interval(differences, corrected=True)."
        )
