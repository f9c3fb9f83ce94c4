"""From estimates of any kind and their covariance matrix to a comparison of models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

import numpy as np

from rocwise import printing
from rocwise.arrays import Floats
from rocwise.inference.effective_sizes import (
    AreaDifference,
    SizedArea,
    symmetric_limits_hold,
    wilson_interval,
)
from rocwise.inference.intervals import (
    LIMIT_NAMES,
    hoeffding_limits,
    logit_interval,
    newcombe_limits,
    wald_interval,
)
from rocwise.inference.significance import (
    Decision,
    Reference,
    decide,
    error_of_difference,
    holm,
)
from rocwise.inference.variance import CovarianceByClass, VarianceByClass
from rocwise.kernels.threads import chosen_threads, limited_to
from rocwise.progress import Report
from rocwise.results import ASIDE, Interval, Origin, Result, Table, result


@result
class ModelComparison(Result):
    """Two or more models compared, by whatever measure; subclasses say how.

    `difference` is the first minus the second. For more than two models it is None, and `pairwise`
    has one row for each pair. `intervals` are those of the estimates, where they are made.
    """

    estimates: dict[str, float]
    difference: float | None
    standard_error: float | None
    interval: Interval | None
    statistic: float | None
    p_value: float | None
    method: str
    quantity: str
    pairwise: Table | None = None
    intervals: dict[str, Interval] | None = None
    seed: int | None = None

    def _columns(self) -> dict[str, Any]:
        """All pairs; two models are one pair."""
        if self.pairwise is not None:
            return dict(self.pairwise)
        first, second = self.estimates
        return {
            "first": [first],
            "second": [second],
            "difference": [self.difference],
            "standard_error": [self.standard_error],
            "low": [self.interval.low if self.interval else None],
            "high": [self.interval.high if self.interval else None],
            "statistic": [self.statistic],
            "p_value": [self.p_value],
        }


@result
class Comparison(ModelComparison):
    """Two or more models compared: estimates, difference with interval, statistic and p value.

    For more than two models `statistic`, `df` (and `df_denominator` of an F) and `p_value` are of
    the joint test that all are equal. `pairwise` then has one row per pair: `low` and `high` hold
    for that pair alone, `p_adjusted` (Holm's), `low_adjusted` and `high_adjusted` (Bonferroni's)
    for all pairs at once.
    """

    statistic: float
    p_value: float
    quantity: str = "AUC"
    alternative: str = "two-sided"
    df: float | None = None
    df_denominator: float | None = None
    level: float = 0.95
    margin: float | None = None

    @property
    def digits(self) -> int:
        """Decimals of the estimates: three, and for small ones (parts of areas) as many digits."""
        largest = max(map(abs, self.estimates.values()))
        return 3 if not 0 < largest < 0.1 else 2 - math.floor(math.log10(largest))

    def _sentence(self) -> str:
        digits = self.digits
        shown = [f"{name} {value:.{digits}f}" for name, value in self.estimates.items()]
        p = printing.p_value(self.p_value)
        if self.difference is None:
            return f"{self.quantity} of {', '.join(shown)}; all equal: {p} ({self.method})"
        interval = ""
        if self.interval is not None:
            level = printing.percent(self.interval.level)
            low, high = (f"{limit:.{digits}f}" for limit in self.interval)
            interval = f" ({level} CI {low} to {high})"
        remark = ""
        known = self.interval is not None and self.interval.low < self.interval.high
        if self.standard_error == 0.0 and not known:
            remark = (
                "; this sample shows no variance of the difference, so p and interval say little"
            )
        claim = "" if self.alternative == "two-sided" else f" for {self._claim()}"
        return (
            f"{self.quantity} {shown[0]} against {shown[1]}: difference "
            f"{self.difference:.{digits}f}{interval}, {p}{claim} ({self.method}){remark}"
        )

    def _claim(self) -> str:
        margin = "" if self.margin is None else f" within {self.margin:g}"
        return f"'{self.alternative}'{margin}"


NO_VARIATION = 1e-12  # standard errors below this are rounding of shares


@dataclass(frozen=True, slots=True)
class IntervalPlan:
    """How standard error and interval are computed on access."""

    method: str
    level: float
    n_resamples: int
    seed: int | None
    progress: bool | Report | None = None
    threads: int | None = field(default_factory=chosen_threads)  # as at the time of the call


@result
class DeferredEstimate(Result):
    """A measure that may have no standard error; subclasses say what it is of."""

    value: float
    level: float
    _plan: IntervalPlan = field(metadata=ASIDE)

    def __float__(self) -> float:
        return self.value

    def _made(self) -> tuple[float, Interval]:
        """Standard error and interval, by the plan."""
        raise NotImplementedError

    @cached_property
    def _error_and_interval(self) -> tuple[float, Interval]:
        with limited_to(self._plan.threads):
            made = self._made()
        self._note_interruption()
        return made

    @property
    def standard_error(self) -> float:
        """Standard error; an error when a class has one row."""
        return self._error_and_interval[0]

    @property
    def interval(self) -> Interval:
        """Confidence interval; an error when a class has one row."""
        return self._error_and_interval[1]

    @property
    def has_interval(self) -> bool:
        """Whether every class has the two rows that a standard error needs."""
        raise NotImplementedError

    def _spread_words(self, n: int) -> str:
        """The interval of a measure of `n` rows, for a sentence."""
        if not self.has_interval:
            return "no interval: a class has one row"
        return (
            f"{printing.percent(self.level)} CI {printing.rate(self.interval.low, n)} to "
            f"{printing.rate(self.interval.high, n)}, {self.interval.method}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON-safe values; standard error and interval are null where undefined."""
        known = self.has_interval
        own = {  # first: it may note an interruption in `origin`
            "standard_error": self.standard_error if known else None,
            "interval": self.interval.to_dict() if known else None,
        }
        return super().to_dict() | own


def with_limits(
    value: float, variance: VarianceByClass, plan: IntervalPlan, name: str, *, clustered: bool
) -> tuple[float, Interval]:
    """Standard error and interval; that of clustered rows says that it is robust."""
    error = math.sqrt(variance.variance) if variance.variance > NO_VARIATION**2 else 0.0
    interval = _limits(value, error, variance, plan, name)
    if clustered:
        interval = replace(interval, method=f"cluster-robust {interval.method}")
    return error, interval


def _limits(
    value: float, error: float, variance: VarianceByClass, plan: IntervalPlan, name: str
) -> Interval:
    """Limits by the normal distribution, plain or on the logit scale.

    "auto" is plain where that holds, else Wilson's interval with an effective size, see
    `VarianceByClass.as_share`. For two classes that is what `auc` does.
    Where the sample shows no variance another bound is used, see `_without_variance`.
    """
    level, smallest = plan.level, variance.smallest
    if plan.method == "auto" and not symmetric_limits_hold(value, smallest):
        return wilson_interval(variance._replace(variance=error**2).as_share(value), level)
    if error == 0.0:
        return _without_variance(value, variance, level)
    if plan.method == "logit" and 0.0 < value < 1.0:
        return logit_interval(value, error, level)
    return wald_interval(value, error, level, name, (0.0, 1.0))


def _without_variance(value: float, variance: VarianceByClass, level: float) -> Interval:
    """Newcombe's score limits for two classes, and for more Hoeffding's bound.

    A measure is an average of means of as many independent chains as the smallest class has rows.
    """
    if len(variance.sizes) == 2:
        limits = newcombe_limits(value, variance.sizes[0], variance.sizes[1], level)
        return Interval(*limits, level, LIMIT_NAMES["score"])
    limits = hoeffding_limits(value, variance.smallest, level)
    return Interval(*limits, level, LIMIT_NAMES["hoeffding"])


ROUNDING = 1e-24  # variances below this are rounding of areas
TIED = 1e-9  # of a statistic: of two pairs that differ by less the first one is named
FEWEST = 3  # cases of the smaller class below which no estimated matrix is to be trusted


@dataclass(frozen=True, slots=True)
class JointTest:
    """Statistic, degrees of freedom (of an F also those of its denominator) and p value."""

    statistic: float
    df: float | None
    p_value: float
    df_denominator: float | None = None
    name: str = ""  # what it is called when it is not the chi-square of DeLong


def chi_square(differences: Floats, covariance: Floats) -> JointTest:
    """Chi-square, degrees of freedom (the rank) and upper tail; singular variances are allowed."""
    from scipy.special import chdtrc

    inverse, rank = _inverse(covariance)
    if rank == 0:
        equal = bool(np.all(np.abs(differences) < 1e-15))
        return JointTest(0.0, 0.0, 1.0) if equal else JointTest(math.inf, 0.0, 0.0)
    statistic = float(differences @ inverse @ differences)
    return JointTest(statistic, float(rank), float(chdtrc(rank, statistic)))


def hotelling(differences: Floats, by_class: CovarianceByClass) -> JointTest | None:
    """Hotelling's F for classes of unequal covariance (Krishnamoorthy and Yu 2004, for two).

    The matrix is a sum of estimated ones, one for each class, so its degrees of freedom are
    Satterthwaite's for matrices. None where too few cases are left for so many models.
    """
    from scipy.special import fdtrc

    inverse, rank = _inverse(by_class.total)
    if min(by_class.sizes) < FEWEST or rank == 0:
        return None
    used = 0.0
    for part, n in zip(by_class.parts, by_class.sizes, strict=True):
        share = part @ inverse
        used += (np.trace(share @ share) + np.trace(share) ** 2) / (n - 1)
    nu = (rank + rank**2) / float(used)
    left = nu - rank + 1
    if left < 1:
        return None
    statistic = float(differences @ inverse @ differences) * left / (nu * rank)
    p = float(fdtrc(rank, left, statistic))
    return JointTest(statistic, float(rank), p, left, "Hotelling's F")


def smallest_adjusted(p_adjusted: Sequence[float], statistics: Sequence[float]) -> JointTest:
    """The joint test that the tests of all pairs are: the smallest of their adjusted p values."""
    nearly_largest = max(map(abs, statistics)) * (1 - TIED)
    largest = next(z for z in statistics if not abs(z) < nearly_largest)
    return JointTest(largest, None, min(p_adjusted), name="smallest of Holm's p values")


def _inverse(covariance: Floats) -> tuple[Floats, int]:
    """Pseudo-inverse and rank; entries that are rounding of areas only count as 0."""
    if np.abs(covariance).max() <= ROUNDING:
        return np.zeros_like(covariance), 0
    values, vectors = np.linalg.eigh(covariance)
    sizes = np.abs(values)
    kept = sizes > 1e-12 * sizes.max()
    inverse = np.asarray((vectors[:, kept] / values[kept]) @ vectors[:, kept].T)
    tolerance = 1e-12 * max(np.abs(covariance).max(), 1e-300)
    return inverse, int(np.count_nonzero(sizes > tolerance))


NORMAL = Reference()
# Cases on the wrong side from which on the normal limits of a difference hold: zero lies well
# inside the scale of differences, a margin is judged at the very limit.
ENOUGH_FOR_A_DIFFERENCE = 7.0
ENOUGH_FOR_A_MARGIN = 15.0


@dataclass(frozen=True, eq=False, slots=True)
class FewCases:
    """What holds where normal limits do not.

    `areas` judge each pair by the limits of both; None leaves pairs to the normal distribution.
    `by_class` refers the joint test of several models to an F; None leaves it to chi-square.
    """

    areas: Sequence[SizedArea] | None = None
    by_class: CovarianceByClass | None = None


MANY_CASES = FewCases()


def compared(
    estimates: dict[str, float],
    covariance: Floats,
    *,
    quantity: str,
    method: str,
    description: str,
    level: float,
    alternative: str,
    margin: float | None,
    reference: Reference = NORMAL,
    few: FewCases = MANY_CASES,
    intervals: Mapping[str, Interval] | None = None,
    seed: int | None = None,
    origin: Origin | None = None,
) -> Comparison:
    """One difference with its interval and test; for more models the joint test and all pairs.

    `margin` has gone through `checked_margin`, together with the alternative; `intervals` are
    those of the estimates.
    """
    tests = _Tests(
        list(estimates.values()), covariance, method, alternative, margin, reference, few
    )
    single = len(estimates) == 2
    pairwise = None
    if single:
        difference, error, decision = tests.pair(0, 1, level)
        joint = JointTest(decision.statistic, reference.df, decision.p_value)
    else:
        pairwise = tests.all_pairs(list(estimates), level)
        joint = tests.jointly(pairwise)
    return Comparison(
        estimates=estimates,
        intervals=None if intervals is None else dict(intervals),
        difference=difference if single else None,
        standard_error=error if single else None,
        interval=Interval(decision.low, decision.high, level, description) if single else None,
        statistic=joint.statistic,
        p_value=joint.p_value,
        df=joint.df,
        df_denominator=joint.df_denominator,
        level=level,
        method=f"{description}, {joint.name}" if joint.name else description,
        alternative=alternative,
        quantity=quantity,
        margin=margin,
        pairwise=pairwise,
        seed=seed,
        origin=origin or Origin(),
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Tests:
    """Estimates with their covariance matrix, and what their differences are tested for."""

    values: list[float]
    covariance: Floats
    method: str
    alternative: str
    margin: float | None
    reference: Reference
    few: FewCases

    def pair(self, a: int, b: int, level: float) -> tuple[float, float, Decision]:
        """Difference of two estimates, its standard error, test and interval."""
        difference = self.values[a] - self.values[b]
        error = error_of_difference(self.covariance, a, b, self.method)
        if self.few.areas is not None:
            correlation = correlation_of(self.covariance, a, b)
            both = AreaDifference(self.few.areas[a], self.few.areas[b], correlation)
            return (
                difference,
                error,
                both.decide(alternative=self.alternative, margin=self.margin, level=level),
            )
        decision = decide(
            difference,
            error,
            alternative=self.alternative,
            margin=self.margin,
            level=level,
            reference=self.reference,
        )
        return difference, error, decision

    def all_pairs(self, names: list[str], level: float) -> Table:
        """One row for each pair; adjusted limits (Bonferroni's) hold for all of them at once."""
        pairs = list(combinations(range(len(names)), 2))
        for_all = 1 - (1 - level) / len(pairs)
        found = [self.pair(a, b, level) for a, b in pairs]
        adjusted = [self.pair(a, b, for_all)[2] for a, b in pairs]
        decisions = [decision for _, _, decision in found]
        return Table(
            first=np.array([names[a] for a, _ in pairs]),
            second=np.array([names[b] for _, b in pairs]),
            difference=np.array([difference for difference, _, _ in found]),
            standard_error=np.array([error for _, error, _ in found]),
            low=np.array([each.low for each in decisions]),
            high=np.array([each.high for each in decisions]),
            statistic=np.array([each.statistic for each in decisions]),
            p_value=np.array([each.p_value for each in decisions]),
            p_adjusted=np.array(holm([each.p_value for each in decisions])),
            low_adjusted=np.array([each.low for each in adjusted]),
            high_adjusted=np.array([each.high for each in adjusted]),
        )

    def jointly(self, pairwise: Table) -> JointTest:
        """The test that all are equal."""
        differences, matrix = -np.diff(self.values), _of_neighbors(self.covariance)
        if self.few.by_class is None:
            return chi_square(differences, matrix)
        parts = tuple(map(_of_neighbors, self.few.by_class.parts))
        found = hotelling(differences, CovarianceByClass(matrix, parts, self.few.by_class.sizes))
        return found or smallest_adjusted(pairwise["p_adjusted"], pairwise["statistic"])


def _of_neighbors(covariance: Floats) -> Floats:
    """Covariance matrix of the differences of each estimate and the next."""
    return np.diff(np.diff(covariance, axis=0), axis=1)


def correlation_of(covariance: Floats, a: int, b: int) -> float:
    """Correlation of two estimates; 0 where one of them shows no variance."""
    first, second = float(covariance[a, a]), float(covariance[b, b])
    if min(first, second) <= ROUNDING:  # few clusters may make a variance negative
        return 0.0
    return min(max(float(covariance[a, b]) / math.sqrt(first * second), -1.0), 1.0)


def settled_method(
    values: Sequence[float], variances: Sequence[VarianceByClass], margin: float | None
) -> Literal["delong", "wilson"]:
    """What "auto" is for these data: DeLong's method where it holds for every model."""
    enough = ENOUGH_FOR_A_DIFFERENCE if margin is None else ENOUGH_FOR_A_MARGIN
    both = zip(values, variances, strict=True)
    holds = all(symmetric_limits_hold(value, own.smallest, enough) for value, own in both)
    return "delong" if holds else "wilson"


def few_cases(
    values: Sequence[float],
    variances: Sequence[VarianceByClass],
    by_class: CovarianceByClass | None,
    settled: str,
) -> FewCases:
    """What to refer the differences to, and the joint test of several models.

    The chi-square of DeLong needs ten cases on the wrong side for every degree of freedom.
    """
    both = list(zip(values, variances, strict=True))
    areas = None
    if settled == "wilson":
        areas = [own.as_share(value) for value, own in both]
    steps = len(both) - 1
    many = all(symmetric_limits_hold(value, own.smallest / steps) for value, own in both)
    return FewCases(areas, None if steps == 1 or many else by_class)


def estimate_intervals(
    estimates: Mapping[str, float],
    variances: Sequence[VarianceByClass],
    *,
    level: float,
    clustered: bool,
) -> dict[str, Interval]:
    """The interval of every model's own measure, as its own function makes it."""
    plan = IntervalPlan("auto", level, 0, None)
    return {
        name: with_limits(value, own, plan, "DeLong", clustered=clustered)[1]
        for (name, value), own in zip(estimates.items(), variances, strict=True)
    }


def compared_by_class(
    estimates: dict[str, float],
    matrices: CovarianceByClass,
    other: Floats | None = None,
    *,
    method: str,
    names: Mapping[str, str],
    clustered: bool,
    level: float,
    margin: float | None,
    **options: Any,
) -> Comparison:
    """A comparison of measures over several classes; `options` are passed to `compared`.

    `matrices` are DeLong's, `other` is the covariance by another method, where one was requested;
    `names` are the methods in words.
    """
    values, variances = list(estimates.values()), matrices.variances
    used = settled_method(values, variances, margin) if method == "auto" else method
    by_limits = method in ("auto", "wilson")
    words = names[used]
    return compared(
        estimates,
        matrices.total if other is None else other,
        method=used,
        description=words.replace("paired ", "paired cluster-robust ", 1) if clustered else words,
        few=few_cases(values, variances, matrices, used) if by_limits else MANY_CASES,
        intervals=estimate_intervals(estimates, variances, level=level, clustered=clustered),
        level=level,
        margin=margin,
        **options,
    )
