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
LARGER = "a higher class"  # what larger scores mean here, in place of "positive"


class OrderedResult(Result):
    """A result about ordered classes."""

    def __repr__(self) -> str:
        return "; ".join([self._sentence(), *self.origin.remarks(LARGER)])


Measure = Literal["volume", "consecutive", "pairwise", "pairs"]
MEASURES: dict[str, str] = {
    "volume": "VUS",
    "consecutive": "mean AUC of consecutive cuts",
    "pairwise": "mean pairwise AUC",
    "pairs": "share of pairs in order",
}


@dataclass(frozen=True)
class OrdinalMeasure(class_measures.ClassMeasure):
    """A measure of ordered classes and its rule for ties."""

    names = MEASURES
    ties: str

    def value(
        self, sample: Ranking, weights: Floats | None = None, sizes: Floats | None = None
    ) -> float:
        """The measure of a ranking: of the volume, the share of the chains in order."""
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
        """The variance by DeLong, or one that says nothing of its classes."""
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
        """Expected value when the score knows nothing of the classes."""
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
    """A measure of ordered classes; standard error and interval are computed on access."""

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
    """How well one score ranks cases of ordered classes.

    Parameters
    ----------
    y_true, y_score : array-like
        Labels and one score per row. Numbers are in their order; text needs `order`, or comes as
        an ordered categorical.
    measure : {"volume", "consecutive", "pairwise", "pairs"}
        "volume": chance that one case of each class is ranked in order (VUS). "consecutive":
        mean AUC of the cuts between classes. "pairwise": mean AUC of all pairs of classes.
        "pairs": share of all pairs of cases of different classes in order.
    ties : {"credit", "strict"}
        A run of t tied cases earns 1/t! (two: one half), or nothing.
    level : float, default 0.95
        Confidence level.
    method : {"auto", "wilson", "delong", "logit", "plug-in", "unbiased", "bootstrap"}
        How standard error and interval are made; "plug-in" and "unbiased" are for the volume.
        They are made when first asked for. "auto" is "wilson": Wilson's interval with an
        effective sample size.
    n_resamples, rng, progress
        Of the bootstrap, as in `bootstrap`.

    Returns
    -------
    OrdinalAuc
        With `value`, `standard_error`, `interval`, `chance`. A class with one case has a value,
        but standard error and interval are refused.

    Examples
    --------
    >>> import rocwise as rw
    >>> y, f = [1, 1, 2, 2, 2, 3, 3, 3, 3, 1], [1, 3, 2, 5, 4, 6, 2.5, 7, 8, 5.5]
    >>> rw.ordinal.auc(y, f)
    VUS 0.44 (95% CI 0.03 to 0.92, Wilson (effective n)); chance 0.167; 3 classes, 10 rows
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
        seed=plan.seed,
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
        f"{ranking.column.origin.direction} scores mean a higher class). Nothing was turned round; "
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
        As in `ordinal.auc`.
    scores : dict of name to array-like, or data frame
        One entry per model or marker.
    measure, ties
        What is compared, as in `ordinal.auc`.
    method : {"auto", "delong", "wilson", "plug-in", "unbiased", "bootstrap"}
        How the difference is judged: "auto" as in `compare`, by DeLong's test with Student's t,
        and with a `margin` by "wilson"; "plug-in" and "unbiased" compare volumes, in time and
        memory that grow with the square of the rows.
    level, alternative, margin
        Level of the two-sided interval; "two-sided", "greater", "less", or with `margin`
        "non-inferior" and "equivalent", all for first minus second.
    n_resamples, rng, progress
        Of the bootstrap, which draws rows within their class.

    Returns
    -------
    Comparison
        With `estimates`, `difference`, `standard_error`, `interval`, `statistic`, `p_value`;
        for more than two scores the joint test and `pairwise`.

    Examples
    --------
    >>> import rocwise as rw
    >>> y = [1, 1, 2, 2, 2, 3, 3, 3, 3, 1]
    >>> a, b = [1, 3, 2, 5, 4, 6, 2.5, 7, 8, 5.5], [2, 1, 3, 4, 6, 5, 7, 8, 9, 0]
    >>> round(rw.ordinal.compare(y, {"a": a, "b": b}).p_value, 3)
    0.23
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


BY_CHANCE = "variance under chance"


@result
class OrdinalTest(OrderedResult):
    """A measure of ordered classes held against chance."""

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
        """Where the measure of a worthless score lies in 95% of samples like this one.

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
    """Test whether the score knows anything of the order of the classes.

    The exact variance of the measure when all classes have one continuous distribution is the
    yardstick, so one row in a class is enough. With ties the test is cautious: credits vary less.
    Weights and groups have no such variance: the measure is then judged by its own interval.

    Parameters
    ----------
    y_true, y_score
        The data, as in `ordinal.auc`.
    measure, ties
        As in `ordinal.auc`. With ties="strict" tied scores are refused, since ties then lower
        the value that chance would give.
    alternative : {"two-sided", "greater", "less"}
        "greater": the score ranks the classes better than chance.

    Returns
    -------
    OrdinalTest
        With `value`, `chance`, `standard_error` (under chance), `statistic`, `p_value`, `method`.

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
    if ranking.alike:
        weights = wanted.pair_weights(ranking.sizes)
        error = math.sqrt(variances.chance_variance(ranking.sizes, weights))
        return error, significance.decide(difference, error, **tested), BY_CHANCE
    variance = wanted.covariance([ranking]).variance(0)
    area = variance.as_share(chance + difference)
    found = decide_by_limits(area.value, area.limits, null=chance, **tested)
    robust = "cluster-robust " if ranking.clusters is not None else ""
    return math.sqrt(max(variance.variance, 0.0)), found, f"{robust}{WILSON}"
