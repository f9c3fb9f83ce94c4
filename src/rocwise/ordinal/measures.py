"""How well scores rank ordered classes: measures, comparisons, and tests against chance."""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Floats
from rocwise.data.rankings import Ranking, placements
from rocwise.errors import DirectionWarning, InputError, warn
from rocwise.inference import class_measures, significance
from rocwise.inference.comparison import Comparison
from rocwise.inference.effective_sizes import WILSON, decide_by_limits
from rocwise.inference.variance import VarianceByClass
from rocwise.inputs.coercion import ClusteredRankingOptions, as_ranking, as_rankings, options_shown
from rocwise.ordinal import variances
from rocwise.progress import Report
from rocwise.results import Result, result

Ties = Literal["credit", "strict"]
TIES: tuple[str, ...] = get_args(Ties)


class OrderedResult(Result):
    """A result about ordered classes."""

    _larger = "a higher class"


Measure = Literal["volume", "consecutive", "pairwise", "pairs"]
MEASURES: dict[str, str] = {
    "volume": "VUS",
    "consecutive": "mean AUC of consecutive cuts",
    "pairwise": "mean pairwise AUC",
    "pairs": "proportion of pairs in order",
}


@dataclass(frozen=True)
class OrdinalMeasure(class_measures.ClassMeasure):
    """A measure of ordered classes and its rule for ties."""

    names = MEASURES
    ties: str

    def value(
        self, sample: Ranking, weights: Floats | None = None, sizes: Floats | None = None
    ) -> float:
        """The measure of a ranking: of the volume, the proportion of the chains in order."""
        weights = sample.weights if weights is None else weights
        sizes = sample.sizes if sizes is None else sizes
        order, ranked, starts = sample.in_order
        rows = None if weights is None else weights[order]
        averaged = self.pair_weights(sample.sizes)
        if averaged is None:
            value = kernels.chain_volume(ranked, starts, sizes, rows, strict=self.ties == "strict")
        else:
            credit = self.ties == "credit"
            doubled = kernels.pair_wins(ranked, starts, rows, len(sizes), credit=credit)
            value = float((averaged * (doubled / (2 * np.outer(sizes, sizes)))).sum())
        return min(max(value, 0.0), 1.0)  # rounding may leave the range

    def parts(self, sample: Ranking) -> Floats:
        """For each row the chains through it in order, or its pairs' mean credit: V of DeLong."""
        averaged = self.pair_weights(sample.sizes)
        if averaged is not None:
            below, above = placements(sample, self.ties)
            # column k: what a row of class k would see at each score
            seen = below @ averaged + above @ averaged.T
            return np.asarray(seen[sample.group, sample.codes])
        order, ranked, starts = sample.in_order
        weights = None if sample.weights is None else sample.weights[order]
        parts = np.empty(len(sample))
        parts[order] = kernels.chain_parts(
            ranked, starts, sample.sizes, weights, strict=self.ties == "strict"
        )
        return parts

    def pair_weights(self, sizes: Floats) -> Floats | None:
        """Weight of each pair (lower, higher) of classes; they sum to 1 (B4, B5, B7)."""
        if self.kind == "volume":
            return None
        r = len(sizes)
        weights = np.ones((r, r)) if self.kind == "pairwise" else np.outer(sizes, sizes)
        if self.kind == "consecutive":
            # cut after each class; the pairs on both sides share one area
            below = np.cumsum(sizes)[:-1]
            reach = np.cumsum(np.append(0.0, 1 / (below * (sizes.sum() - below))))
            return np.asarray(np.triu(weights / (r - 1) * (reach - reach[:, None]), 1))
        upper = np.triu(weights, 1)
        return np.asarray(upper / upper.sum())

    def variance(self, sample: Ranking, method: str) -> VarianceByClass:
        """The variance by DeLong, or one without components by class."""
        if method not in OF_VOLUMES:
            return super().variance(sample, method)
        variance = variances.subset_variance(sample, self.ties, method)
        if variance < -1e-15:
            raise InputError(
                f"method={method!r} estimates a negative variance ({variance:.3g}) here, so it "
                "gives no standard error; use method='delong'."
            )
        sizes = tuple(sample.independent_units.tolist())
        return VarianceByClass(max(variance, 0.0), (0.0,) * len(sizes), sizes)

    def other_covariance(
        self, samples: list[Ranking], plan: class_measures.IntervalPlan
    ) -> Floats | None:
        """The covariance matrix by another method than DeLong's."""
        if plan.method in OF_VOLUMES:
            return variances.subset_covariance(samples, self.ties, plan.method)
        return super().other_covariance(samples, plan)

    def chance(self, n_classes: int) -> float:
        """Expected value of an uninformative score."""
        return 1 / math.factorial(n_classes) if self.kind == "volume" else 0.5


def checked_measure(measure: str, ties: str) -> OrdinalMeasure:
    """The measure by its name, checked."""
    return OrdinalMeasure(
        checks.one_of(measure, "measure", get_args(Measure)), checks.one_of(ties, "ties", TIES)
    )


OrdinalMethod = Literal["auto", "wilson", "delong", "logit", "plug-in", "unbiased", "bootstrap"]
OF_VOLUMES = ("plug-in", "unbiased")
CLEARLY = 1.96  # standard errors by chance, below which a warning is due


@result
class OrdinalAuc(class_measures.DeferredEstimate, OrderedResult):
    """AUC of ordered classes; standard error and interval are computed on access."""

    measure: str
    ties: str
    chance: float
    labels: tuple[Any, ...]
    sizes: tuple[int, ...]

    def _sentence(self) -> str:
        n = sum(self.sizes)
        strict = ", ties count nothing" if self.ties == "strict" else ""
        return (
            f"{self.quantity} {printing.rate(self.value, n)} ({self._interval_words(n)}{strict}); "
            f"chance {self.chance:.3g}; {self._classes()}, {printing.count(n)} rows"
        )

    def _classes(self) -> str:
        """How many classes; any but rising numbers are listed, for their order may be wrong."""
        if any(isinstance(label, str) for label in self.labels) or list(self.labels) != sorted(
            self.labels
        ):
            return f"classes {' < '.join(map(str, self.labels))}"
        return f"{len(self.labels)} classes"

    def _columns(self) -> dict[str, Any]:
        known = self.has_interval
        return {
            "measure": [self.measure],
            "value": [self.value],
            "standard_error": [self.standard_error if known else None],
            "low": [self.interval.low if known else None],
            "high": [self.interval.high if known else None],
            "level": [self.level],
            "method": [self.interval.method if known else None],
            "ties": [self.ties],
            "chance": [self.chance],
        }


@options_shown(ClusteredRankingOptions)
def auc(
    y_true: Any,
    y_score: Any = None,
    *,
    measure: Measure = "volume",
    ties: Ties = "credit",
    level: float = 0.95,
    method: OrdinalMethod = "auto",
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[ClusteredRankingOptions],
) -> OrdinalAuc:
    """Compute the volume under the ROC surface (VUS), or another AUC of ordered classes.

    Parameters
    ----------
    measure : {"volume", "consecutive", "pairwise", "pairs"}, default "volume"
        Probability that one case of each class is ranked in order (VUS) [1]_; mean AUC of the
        splits between adjacent classes; mean AUC of all pairs of classes; or proportion of pairs of
        cases of different classes that are in order [2]_.
    ties : {"credit", "strict"}, default "credit"
        Whether t tied cases count 1/t! (one half for two) or 0.
    level : float, default 0.95
        Confidence level.
    method : str, default "auto"
        One of {"auto", "wilson", "delong", "logit", "plug-in", "unbiased", "bootstrap"}: method of
        standard error and interval, computed on first access; "plug-in" and "unbiased" are
        for the volume. "auto" is "wilson": Wilson score interval with an effective sample size.
    n_resamples : int, default 2000
        Number of resamples of "bootstrap".
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.

    Returns
    -------
    OrdinalAuc
        Result with `value`, `standard_error`, `interval` and `chance`. With a single case in a
        class, `standard_error` and `interval` raise an error.

    See Also
    --------
    ordinal.compare : Comparison of ordinal scores.
    ordinal.null_test : Test of an ordinal score against chance.
    ordinal.surface : ROC surface of three ordered classes.
    ordinal.thresholds : Optimal thresholds between ordered classes.
    multiclass.hum : Hypervolume under the manifold.

    References
    ----------
    .. [1] C. T. Nakas and C. T. Yiannoutsos, "Ordered multiple-class ROC analysis with continuous
           measurements", Stat. Med. 23, 2004. doi:10.1002/sim.1917
    .. [2] W. Waegeman, B. De Baets and L. Boullart, "ROC analysis in ordinal regression learning",
           Pattern Recognit. Lett. 29, 2008. doi:10.1016/j.patrec.2007.07.019

    Examples
    --------
    >>> import rocwise as rw
    >>> y, f = [1, 1, 2, 2, 2, 3, 3, 3, 3, 1], [1, 3, 2, 5, 4, 6, 2.5, 7, 8, 5.5]
    >>> result = rw.ordinal.auc(y, f)
    >>> round(result.value, 3), round(result.chance, 3), round(result.standard_error, 3)
    (0.444, 0.167, 0.272)
    """
    ranking = as_ranking(y_true, y_score, **given)
    wanted = checked_measure(measure, ties)
    plan = class_measures.interval_plan(method, level, n_resamples, rng, progress)
    checks.one_of(method, "method", get_args(OrdinalMethod))
    if method in OF_VOLUMES and measure != "volume":
        raise InputError(
            f"method={method!r} is for measure='volume'; for measure={measure!r} use "
            "method='delong' or method='bootstrap'."
        )
    value = wanted.value(ranking)
    warn_below_chance(wanted, value, ranking)
    return OrdinalAuc(
        value=value,
        measure=measure,
        ties=ties,
        chance=wanted.chance(ranking.n_classes),
        labels=ranking.labels,
        sizes=tuple(int(size) for size in ranking.class_rows),
        method=method,
        level=plan.level,
        **plan.drawn,
        origin=ranking.origin,
        _measure=wanted,
        _sample=ranking,
        _plan=plan,
    )


def warn_below_chance(wanted: OrdinalMeasure, value: float, ranking: Ranking) -> None:
    """Warn where the measure is clearly below chance: scores or classes run the other way."""
    chance, sizes = wanted.chance(ranking.n_classes), ranking.independent_units
    if value >= chance or ranking.n_classes > variances.MOST_CLASSES_BY_CHANCE:
        return
    if wanted.ties == "strict" and ranking.has_mixed_ties:
        return  # ties alone bring it below
    sizes = np.maximum(sizes, 1.0)
    variance = variances.chance_variance(sizes, wanted.pair_weights(sizes))
    if variance <= 0 or value >= chance - CLEARLY * math.sqrt(variance):
        return
    warn(
        f"{wanted.name} is {value:.3f}, clearly below its level by chance, {chance:.3g}: scores or "
        f"classes may run the other way ({' < '.join(map(str, ranking.labels))}, and "
        f"{ranking.column.origin.direction} scores mean a higher class). Nothing was flipped; "
        "see `order` and `direction`.",
        DirectionWarning,
    )


CompareMethod = Literal["auto", "delong", "wilson", "plug-in", "unbiased", "bootstrap"]


@options_shown(ClusteredRankingOptions)
def compare(
    y_true: Any,
    scores: Any = None,
    *,
    measure: Measure = "volume",
    ties: Ties = "credit",
    method: CompareMethod = "auto",
    level: float = 0.95,
    alternative: significance.Alternative = "two-sided",
    margin: float | None = None,
    n_resamples: int = 2000,
    rng: Any = None,
    progress: bool | Report | None = None,
    **given: Unpack[ClusteredRankingOptions],
) -> Comparison:
    """Compare several scores of ordered classes on the same rows.

    Parameters
    ----------
    y_true : array-like
        Labels, as in `ordinal.auc`.
    scores : dict of str to array-like, or DataFrame
        Scores of each model or marker.
    measure : {"volume", "consecutive", "pairwise", "pairs"}, default "volume"
        Measure to compare, as in `ordinal.auc`.
    ties : {"credit", "strict"}, default "credit"
        Treatment of tied scores, as in `ordinal.auc`.
    method : {"auto", "delong", "wilson", "plug-in", "unbiased", "bootstrap"}, default "auto"
        Method of test and interval: DeLong's test with Student's t, which "auto" is without a
        `margin`; Wilson limits of both values; plug-in or unbiased variance of volumes, quadratic
        in the number of rows; or the bootstrap.
    level : float, default 0.95
        Confidence level of the two-sided interval.
    alternative : str, default "two-sided"
        One of {"two-sided", "greater", "less", "non-inferior", "equivalent"}, about the
        difference, first minus second. The last two need `margin`.
    margin : float, optional
        Largest difference that counts as equal, for non-inferiority and equivalence tests.
    n_resamples : int, default 2000
        Number of resamples of "bootstrap", drawn within each class.
    rng : int, numpy.random.Generator or None, optional
        Seed or random generator; None draws a seed, which the result reports.
    progress : bool or callable, optional
        Whether to show progress, or a function that receives the completed fraction. By default
        a line is shown in a terminal.

    Returns
    -------
    Comparison
        Result with `estimates`, `difference`, `standard_error`, `interval`, `statistic` and
        `p_value`; for more than two scores the joint test and `pairwise`.

    See Also
    --------
    ordinal.auc : Volume under the ROC surface and other ordinal AUCs.
    compare : Test and interval for the difference of AUCs.

    Examples
    --------
    >>> import rocwise as rw
    >>> y = [1, 1, 2, 2, 2, 3, 3, 3, 3, 1]
    >>> a, b = [1, 3, 2, 5, 4, 6, 2.5, 7, 8, 5.5], [2, 1, 3, 4, 6, 5, 7, 8, 9, 0]
    >>> result = rw.ordinal.compare(y, {"a": a, "b": b})
    >>> round(result.difference, 3), round(result.p_value, 3)
    (-0.472, 0.23)
    >>> ax = result.plot()
    """
    rankings = as_rankings(y_true, scores, **given)
    wanted = checked_measure(measure, ties)
    plan = class_measures.interval_plan(method, level, n_resamples, rng, progress, len(rankings))
    margin = significance.checked_margin(alternative, margin, len(rankings))
    checks.one_of(method, "method", get_args(CompareMethod))
    if method in OF_VOLUMES and measure != "volume":
        raise InputError(
            f"method={method!r} compares volumes; for measure={measure!r} use method='delong'."
        )
    # the remark on the direction is about two classes
    origin = replace(next(iter(rankings.values())).origin, direction="higher")
    return wanted.compared(rankings, plan, alternative, margin, origin)


BY_CHANCE = "variance under H0"


@result
class OrdinalTest(OrderedResult):
    """Test of an ordinal measure against its value under H0."""

    value: float
    chance: float
    standard_error: float
    statistic: float
    p_value: float
    alternative: str
    measure: str
    ties: str
    method: str = BY_CHANCE

    @property
    def chance_range(self) -> tuple[float, float]:
        """Range of the measure of an uninformative score in 95% of samples of this size.

        With weights or groups the standard error is that of the measure itself.
        """
        reach = 1.96 * self.standard_error
        return self.chance - reach, self.chance + reach

    def _sentence(self) -> str:
        how = "" if self.method == BY_CHANCE else f", {self.method}"
        return (
            f"{MEASURES[self.measure]} {self.value:.3f} against {self.chance:.3g} by chance: z = "
            f"{self.statistic:.2f}, {printing.p_value(self.p_value)} ({self.alternative}{how})"
        )


@options_shown(ClusteredRankingOptions)
def null_test(
    y_true: Any,
    y_score: Any = None,
    *,
    measure: Measure = "volume",
    ties: Ties = "credit",
    alternative: significance.PlainAlternative = "two-sided",
    **given: Unpack[ClusteredRankingOptions],
) -> OrdinalTest:
    """Test whether a score ranks ordered classes better than chance.

    The null hypothesis is that all classes have the same continuous distribution of scores; the
    exact variance under it is used, so that one row per class suffices. The test is conservative
    with ties. With weights or groups, the interval of the measure is inverted instead.

    Parameters
    ----------
    measure : {"volume", "consecutive", "pairwise", "pairs"}, default "volume"
        Measure to test, as in `ordinal.auc`.
    ties : {"credit", "strict"}, default "credit"
        Treatment of tied scores, as in `ordinal.auc`; with "strict", ties raise an error.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Alternative hypothesis; "greater": the score ranks the classes better than chance.

    Returns
    -------
    OrdinalTest
        Result with `value`, `chance`, `standard_error` (under the null hypothesis), `statistic`,
        `p_value` and `method`.

    See Also
    --------
    ordinal.auc : Volume under the ROC surface and other ordinal AUCs.
    ordinal.compare : Comparison of ordinal scores.
    test_auc : Test of one AUC against a null value.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.ordinal.null_test([1, 1, 2, 2, 3, 3], [1, 2, 3, 4, 5, 6])
    VUS 1.000 against 0.167 by chance: z = 3.95, p < 0.001 (two-sided)
    """
    ranking = as_ranking(y_true, y_score, **given)
    wanted = checked_measure(measure, ties)
    checks.one_of(alternative, "alternative", significance.PLAIN_ALTERNATIVES)
    if ties == "strict" and ranking.has_mixed_ties:
        raise InputError(
            "ties='strict' has no fixed level by chance when classes share scores; "
            "use ties='credit'."
        )
    value, chance = wanted.value(ranking), wanted.chance(ranking.n_classes)
    error, found, method = _judged(ranking, wanted, value - chance, alternative)
    return OrdinalTest(
        value=value,
        chance=chance,
        standard_error=error,
        statistic=found.statistic,
        p_value=found.p_value,
        alternative=alternative,
        measure=measure,
        ties=ties,
        method=method,
        origin=ranking.origin,
    )


def _judged(
    ranking: Ranking, wanted: OrdinalMeasure, difference: float, alternative: str
) -> tuple[float, significance.Decision, str]:
    """Standard error, decision and method: by chance, or with weights or groups by DeLong."""
    chance = wanted.chance(ranking.n_classes)
    tested: dict[str, Any] = {"alternative": alternative, "level": 0.95}
    if ranking.is_iid:
        weights = wanted.pair_weights(ranking.sizes)
        error = math.sqrt(variances.chance_variance(ranking.sizes, weights))
        return error, significance.decide(difference, error, **tested), BY_CHANCE
    variance = wanted.covariance([ranking]).variance(0)
    area = variance.as_share(chance + difference)
    found = decide_by_limits(area.value, area.limits, null=chance, **tested)
    robust = "cluster-robust " if ranking.clusters is not None else ""
    return math.sqrt(max(variance.variance, 0.0)), found, f"{robust}{WILSON}"
