"""How well scores rank ordered classes: measures, comparisons, and tests against chance."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Unpack, get_args

import numpy as np

from rocwise import checks, kernels, printing
from rocwise.arrays import Floats
from rocwise.data.rankings import Ranking, placements
from rocwise.errors import DirectionWarning, InputError, warn
from rocwise.inference.comparison import (
    Comparison,
    DeferredEstimate,
    Estimates,
    IntervalPlan,
    compared,
    described_by,
)
from rocwise.inference.effective_sizes import WILSON, decide_by_limits, symmetric_limits_hold
from rocwise.inference.resampling import (
    ROWS_PER_CELL,
    drawn_words,
    percentile_limits,
    stratified_draws,
)
from rocwise.inference.significance import (
    PLAIN_ALTERNATIVES,
    Alternative,
    Decision,
    PlainAlternative,
    Reference,
    checked_margin,
    decide,
)
from rocwise.inference.variance import CovarianceByClass, VarianceByClass, covariance_of_parts
from rocwise.inputs.coercion import ClusteredRankingOptions, as_ranking, as_rankings, options_shown
from rocwise.ordinal.variances import (
    MOST_CLASSES_BY_CHANCE,
    chance_variance,
    subset_covariance,
    subset_variance,
)
from rocwise.progress import Report
from rocwise.results import ASIDE, Interval, Result, result

Ties = Literal["credit", "strict"]
TIES: tuple[str, ...] = get_args(Ties)
LARGER = "a higher class"  # what larger scores mean here, in place of "positive"


class OrderedResult(Result):
    """An answer about ordered classes."""

    def __repr__(self) -> str:
        return "; ".join([self._sentence(), *self.origin.remarks(LARGER)])


def volume(ranking: Ranking, ties: str) -> float:
    """Share of the chains in order; ties earn credit 1/t! for a run of t, or nothing (strict)."""
    # sums of shares may pass 1 by rounding
    return min(_chain_volume(ranking, ranking.weights, ranking.sizes, ties), 1.0)


def _chain_volume(ranking: Ranking, weights: Floats | None, sizes: Floats, ties: str) -> float:
    order, ranked, starts = ranking.in_order
    rows = ranked, starts, sizes, None if weights is None else weights[order]
    return kernels.chain_volume(*rows, strict=ties == "strict")


def volume_parts(ranking: Ranking, ties: str) -> Floats:
    """For each row, in row order, the share of the chains through it that are in order."""
    order, ranked, starts = ranking.in_order
    weights = None if ranking.weights is None else ranking.weights[order]
    parts = np.empty(len(ranking))
    parts[order] = kernels.chain_parts(
        ranked, starts, ranking.sizes, weights, strict=ties == "strict"
    )
    return parts


def pair_weights(measure: str, sizes: Floats) -> Floats:
    """Weight of each pair (lower, higher) of classes; they sum to 1 (B4, B5, B7)."""
    r = len(sizes)
    weights = np.zeros((r, r))
    upper = np.triu_indices(r, 1)
    if measure == "pairwise":
        weights[upper] = 2 / (r * (r - 1))
        return weights
    products = np.outer(sizes, sizes)
    if measure == "pairs":
        weights[upper] = products[upper] / products[upper].sum()
        return weights
    # consecutive: cut after each class; the pairs on both sides share one area
    below = np.cumsum(sizes)[:-1]
    per_cut = 1 / (below * (sizes.sum() - below))
    reach = np.concatenate([[0.0], np.cumsum(per_cut)])
    for i, j in zip(*upper, strict=True):
        weights[i, j] = products[i, j] / (r - 1) * (reach[j] - reach[i])
    return weights


def average_area(ranking: Ranking, measure: str, ties: str) -> float:
    """The measure."""
    weights = pair_weights(measure, ranking.sizes)
    areas = pair_areas(ranking, ranking.weights, ranking.sizes, ties)
    return min(max(float((weights * areas).sum()), 0.0), 1.0)  # rounding may leave the range


def pair_areas(ranking: Ranking, weights: Floats | None, sizes: Floats, ties: str) -> Floats:
    """Area of every pair: entry (i, j), i < j, is P(score of i < score of j), ties by credit."""
    order, ranked, starts = ranking.in_order
    rows = ranked, starts, None if weights is None else weights[order]
    doubled = kernels.pair_wins(*rows, len(sizes), credit=ties == "credit")
    return doubled / (2 * np.outer(sizes, sizes))


def row_parts(ranking: Ranking, measure: str, ties: str) -> Floats:
    """For each row the weighted mean credit of its pairs: V of DeLong, weights taken as fixed.

    Rows of class k see lower classes below them and higher ones above; the mean of V over a class
    is the part of the measure that its pairs carry.
    """
    weights = pair_weights(measure, ranking.sizes)
    below, above = placements(ranking, ties)
    # column k: what a row of class k would see at each score
    seen = below @ weights + above @ weights.T
    return np.asarray(seen[ranking.group, ranking.codes])


Measure = Literal["volume", "consecutive", "pairwise", "pairs"]
MEASURES: dict[str, str] = {
    "volume": "VUS",
    "consecutive": "mean AUC of consecutive cuts",
    "pairwise": "mean pairwise AUC",
    "pairs": "share of pairs in order",
}


@dataclass(frozen=True, slots=True)
class MeasureKind:
    """A measure of ordered classes and its rule for ties."""

    measure: str
    ties: str

    @property
    def name(self) -> str:
        """How answers call it."""
        return MEASURES[self.measure]

    def value(self, ranking: Ranking) -> float:
        """The measure of a ranking."""
        if self.measure == "volume":
            return volume(ranking, self.ties)
        return average_area(ranking, self.measure, self.ties)

    def parts(self, ranking: Ranking) -> Floats:
        """What each row contributes, in row order."""
        if self.measure == "volume":
            return volume_parts(ranking, self.ties)
        return row_parts(ranking, self.measure, self.ties)

    def covariance(self, rankings: list[Ranking]) -> CovarianceByClass:
        """DeLong-style covariance matrix of the measure of several scores of the same rows."""
        first = rankings[0]
        first.check_two_rows("the standard error")
        parts = np.stack([self.parts(each) for each in rankings])
        weights = None if self.measure == "volume" else pair_weights(self.measure, first.sizes)
        return covariance_of_parts(
            parts, first.codes, first.weights, first.clusters, averaged=weights
        )

    def chance(self, n_classes: int) -> float:
        """Expected value when the score knows nothing of the classes."""
        return 1 / math.factorial(n_classes) if self.measure == "volume" else 0.5

    def chance_variance(self, sizes: Floats) -> float:
        """Variance of the measure when the score knows nothing of the classes."""
        if self.measure == "volume":
            return chance_variance("volume", sizes)
        return chance_variance(self.measure, sizes, pair_weights(self.measure, sizes))


def measure_kind(measure: str, ties: str) -> MeasureKind:
    """The measure by its name, checked."""
    return MeasureKind(
        checks.one_of(measure, "measure", get_args(Measure)), checks.one_of(ties, "ties", TIES)
    )


def resampled(rankings: list[Ranking], kind: MeasureKind, plan: IntervalPlan) -> Floats:
    """The measure of every score in stratified resamples, (resamples, scores)."""
    assert plan.seed is not None
    first = rankings[0]

    def measured(times: Floats) -> list[float]:
        amounts = times if first.weights is None else times * first.weights
        sizes = first.sizes
        if not first.alike:  # weights and clusters change the sizes of the classes
            sizes = np.bincount(first.codes, amounts, first.n_classes).astype(np.float64)
        return [_resampled_value(ranking, kind, amounts, sizes) for ranking in rankings]

    return stratified_draws(
        measured,
        first.codes,
        n_resamples=plan.n_resamples,
        seed=plan.seed,
        cells=1 + len(first) * len(rankings) // ROWS_PER_CELL,
        progress=plan.progress,
        title=f"bootstrap of {kind.name}",
        clusters=first.clusters,
    )


def _resampled_value(ranking: Ranking, kind: MeasureKind, amounts: Floats, sizes: Floats) -> float:
    """The measure when there is this much of each row."""
    if kind.measure == "volume":
        value = _chain_volume(ranking, amounts, sizes, kind.ties)
        return value if ranking.alike else min(value, 1.0)
    areas = pair_areas(ranking, amounts, sizes, kind.ties)
    return float((pair_weights(kind.measure, ranking.sizes) * areas).sum())


OrdinalMethod = Literal["auto", "delong", "logit", "plug-in", "unbiased", "bootstrap"]
CLEARLY = 1.96  # standard errors by chance, below which a warning is due
METHODS: dict[str, str] = {
    "auto": "DeLong",
    "delong": "DeLong",
    "logit": "logit DeLong",
    "plug-in": "plug-in variance",
    "unbiased": "unbiased variance",
    "bootstrap": "bootstrap percentile",
}


@result
class OrdinalAuc(DeferredEstimate, OrderedResult):
    """A measure of ordered classes; standard error and interval are computed when asked for."""

    value: float
    measure: str
    ties: str
    chance: float
    labels: tuple[Any, ...]
    sizes: tuple[int, ...]
    method: str
    level: float
    seed: int | None = None
    _ranking: Ranking = field(metadata=ASIDE)

    def _made(self) -> tuple[float, Interval]:
        return error_and_interval(
            self._ranking, MeasureKind(self.measure, self.ties), self.value, self._plan
        )

    @property
    def has_interval(self) -> bool:
        """Whether every class has the two rows that a standard error needs."""
        return self._ranking.has_spread

    @property
    def quantity(self) -> str:
        """What the value is, in words: ``VUS``."""
        return MeasureKind(self.measure, self.ties).name

    def _sentence(self) -> str:
        n = sum(self.sizes)
        strict = ", ties count nothing" if self.ties == "strict" else ""
        return (
            f"{self.quantity} {printing.rate(self.value, n)} ({self._spread_words(n)}{strict}); "
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
    method : {"auto", "delong", "logit", "plug-in", "unbiased", "bootstrap"}
        How standard error and interval are made; "plug-in" and "unbiased" are for the volume.
        They are made when first asked for. "auto" is "delong", or with few rows Wilson's
        interval with an effective size.
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
    VUS 0.44 (95 % CI 0.04 to 0.90, effective-size Wilson); chance 0.167; 3 classes, 10 rows
    """
    ranking = as_ranking(y_true, y_score, **given)
    wanted = measure_kind(measure, ties)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2)
    checks.one_of(method, "method", get_args(OrdinalMethod))
    if method in ("plug-in", "unbiased") and measure != "volume":
        raise InputError(
            f"method={method!r} is for measure='volume'; for measure={measure!r} use "
            "method='delong' or method='bootstrap'."
        )
    seed = checks.seed(rng) if method == "bootstrap" else None
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
        level=level,
        seed=seed,
        origin=ranking.origin,
        _ranking=ranking,
        _plan=IntervalPlan(method, level, n_resamples, seed, progress),
    )


def error_and_interval(
    ranking: Ranking, wanted: MeasureKind, value: float, plan: IntervalPlan
) -> tuple[float, Interval]:
    """Standard error and interval of a measure by the planned method."""
    ranking.check_two_rows("the standard error")
    level, method = plan.level, plan.method
    if method == "bootstrap":
        draws = resampled([ranking], wanted, plan)[:, 0]
        error = float(draws.std(ddof=1))
        if error > 1e-12:  # rounding of shares is no spread
            words = METHODS[method] + drawn_words(ranking.weights, ranking.clusters)
            return error, Interval(*percentile_limits(draws, level), level, words)
        spread = _unparted(ranking, 0.0)
    elif method in ("plug-in", "unbiased"):
        variance = subset_variance(ranking, wanted.ties, method)
        if variance < -1e-15:
            raise InputError(
                f"method={method!r} estimates a negative variance ({variance:.3g}) here, so it "
                "gives no standard error; use method='delong'."
            )
        spread = _unparted(ranking, max(variance, 0.0))
    else:
        spread = wanted.covariance([ranking]).variance(0)
    clustered = ranking.clusters is not None
    return spread.interval(value, level, method, METHODS[method], clustered=clustered)


def _unparted(ranking: Ranking, variance: float) -> VarianceByClass:
    """A variance that says nothing of its classes."""
    sizes = tuple(ranking.independent_units.tolist())
    return VarianceByClass(variance, (0.0,) * len(sizes), sizes)


def warn_below_chance(wanted: MeasureKind, value: float, ranking: Ranking) -> None:
    """Warn where the measure is clearly below chance: scores or classes run the other way."""
    chance, sizes = wanted.chance(ranking.n_classes), ranking.independent_units
    if value >= chance or ranking.n_classes > MOST_CLASSES_BY_CHANCE:
        return
    if wanted.ties == "strict" and ranking.has_mixed_ties:
        return  # ties alone bring it below
    variance = wanted.chance_variance(np.maximum(sizes, 1.0))
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
COMPARE_METHODS: dict[str, str] = {
    "delong": "paired DeLong",
    "wilson": f"paired {WILSON}",
    "plug-in": "paired plug-in variance",
    "unbiased": "paired unbiased variance",
    "bootstrap": "paired bootstrap",
}


@options_shown(ClusteredRankingOptions)
def compare(
    y_true: Any,
    scores: Any = None,
    *,
    measure: Measure = "volume",
    ties: Ties = "credit",
    method: CompareMethod = "auto",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
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
        How the difference is judged: "auto" as in `compare`, "delong" where the rows of the
        smallest class times 1 - measure (or measure) are 7 or more, else "wilson"; "plug-in" and
        "unbiased" compare volumes, in time and memory that grow with the square of the rows.
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
    wanted = measure_kind(measure, ties)
    level = checks.level(level)
    n_resamples = checks.draws(n_resamples, rng, progress, at_least=2, cells=len(rankings))
    margin = checked_margin(alternative, margin, len(rankings))
    checks.one_of(method, "method", get_args(CompareMethod))
    if method in ("plug-in", "unbiased") and measure != "volume":
        raise InputError(
            f"method={method!r} compares volumes; for measure={measure!r} use method='delong'."
        )
    seed = checks.seed(rng) if method == "bootstrap" else None
    plan = IntervalPlan(method, level, n_resamples, seed, progress)
    samples = list(rankings.values())
    estimates = {name: wanted.value(each) for name, each in rankings.items()}
    samples[0].check_two_rows("a comparison")
    other = _other_covariance(samples, wanted, plan)
    clustered = samples[0].clusters is not None
    return compared(
        Estimates.on_same_rows(estimates, wanted.covariance(samples), other),
        method=method,
        described=described_by(COMPARE_METHODS, clustered=clustered),
        clustered=clustered,
        quantity=wanted.name,
        level=level,
        alternative=alternative,
        margin=margin,
        seed=seed,
        origin=replace(samples[0].origin, direction="higher"),  # its remark is about two classes
    )


def _other_covariance(
    samples: list[Ranking], wanted: MeasureKind, plan: IntervalPlan
) -> Floats | None:
    """The covariance matrix by another method than DeLong's."""
    if plan.method == "bootstrap":
        return np.cov(resampled(samples, wanted, plan), rowvar=False)
    if plan.method in ("plug-in", "unbiased"):
        return subset_covariance(samples, wanted.ties, plan.method)
    return None


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
        """Where the measure of a worthless score lies in 95 % of samples like this one.

        With weights or groups the standard error is that of the measure itself.
        """
        reach = 1.96 * self.standard_error
        return self.chance - reach, self.chance + reach

    def _sentence(self) -> str:
        name = MeasureKind(self.measure, self.ties).name
        how = "" if self.method == BY_CHANCE else f", {self.method}"
        return (
            f"{name} {self.value:.3f} against {self.chance:.3g} by chance: z = "
            f"{self.statistic:.2f}, {printing.p_value(self.p_value)} ({self.alternative}{how})"
        )


@options_shown(ClusteredRankingOptions)
def null_test(
    y_true: Any,
    y_score: Any = None,
    *,
    measure: Measure = "volume",
    ties: Ties = "credit",
    alternative: PlainAlternative = "two-sided",
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
    wanted = measure_kind(measure, ties)
    checks.one_of(alternative, "alternative", PLAIN_ALTERNATIVES)
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
    ranking: Ranking, wanted: MeasureKind, difference: float, alternative: str
) -> tuple[float, Decision, str]:
    """Standard error, decision and method: by chance, or by the spread of unlike rows."""
    chance = wanted.chance(ranking.n_classes)
    tested: dict[str, Any] = {"alternative": alternative, "level": 0.95}
    method = BY_CHANCE
    if ranking.alike:
        error = math.sqrt(wanted.chance_variance(ranking.sizes))
    else:
        spread = wanted.covariance([ranking]).variance(0)
        error, value = math.sqrt(max(spread.variance, 0.0)), chance + difference
        robust = "cluster-robust " if ranking.clusters is not None else ""
        method = f"{robust}DeLong"
        if error == 0.0 or not symmetric_limits_hold(value, spread.smallest):
            area = spread.as_share(value)
            by_limits = decide_by_limits(area.value, area.limits, null=chance, **tested)
            return error, by_limits, f"{robust}{WILSON}"
    found = decide(difference, error, margin=None, reference=Reference(), **tested)
    return error, found, method
