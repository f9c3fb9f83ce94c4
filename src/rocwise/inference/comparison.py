"""Comparisons of models by estimates of any kind and their covariances, and of groups of rows."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np

from rocwise import printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.inference import significance
from rocwise.inference.effective_sizes import SizedArea, decide_by_limits, difference_limits
from rocwise.inference.variance import CovarianceByClass, VarianceByClass
from rocwise.results import GroupResults, Interval, Origin, Resampled, Table, json_safe, result


@result
class ModelComparison(Resampled):
    """Comparison of two or more models; subclasses define the measure.

    `difference` is the first minus the second. For more than two models it is None, and `pairwise`
    has one row for each pair. `intervals` are those of the estimates, where they are made.
    """

    estimates: dict[str, float]
    difference: float | None = None
    standard_error: float | None = None
    interval: Interval | None = None
    statistic: float | None = None
    p_value: float | None = None
    method: str
    quantity: str
    pairwise: Table | None = None
    intervals: dict[str, Interval] | None = None

    def _metric(self) -> str:
        return "difference"

    def _method_words(self) -> list[str]:
        return [] if self.pairwise is None else ["Holm"]

    def _number(self, value: float) -> str:
        return f"{value:.4g}"

    def _claim(self) -> str:
        """What the p value is about, where that is not two-sided."""
        return ""

    def _remarks(self) -> str:
        return ""

    def _sentence(self) -> str:
        shown = [f"{name} {self._number(value)}" for name, value in self.estimates.items()]
        p = None if self.p_value is None else printing.p_value(self.p_value) + self._claim()
        end = f"({self.method}){self._remarks()}{self._draw_words()}"
        if self.difference is None:
            joint = f"; all equal: {p}" if p else ""
            return f"{self.quantity} of {', '.join(shown)}{joint} {end}"
        return (
            f"{self.quantity} {shown[0]} against {shown[1]}: difference "
            f"{self._number(self.difference)}{self.interval_words()}{f', {p}' if p else ''} {end}"
        )

    def interval_words(self) -> str:
        """The interval in brackets, or nothing."""
        if self.interval is None:
            return ""
        low, high = map(self._number, self.interval)
        return f" ({printing.percent(self.interval.level)} CI {low} to {high})"

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
    """Comparison of models: estimates, difference with interval, statistic and p value.

    For more than two models `statistic`, `df` (and `df_denominator` of an F) and `p_value` are of
    the joint test that all are equal; `estimand` describes the compared points. `n_pos` and `n_neg`
    are the sizes of the classes, of independent samples by their names. `pairwise` then has one
    row per pair: `low` and `high` are for that pair alone, `p_adjusted` (Holm's), `low_adjusted`
    and `high_adjusted` (Bonferroni's) for all pairs at once.
    """

    statistic: float
    p_value: float
    quantity: str = "AUC"
    alternative: str = "two-sided"
    df: float | None = None
    df_denominator: float | None = None
    level: float = 0.95
    margin: float | None = None
    estimand: str | None = None
    n_pos: float | dict[str, float] | None = None
    n_neg: float | dict[str, float] | None = None

    @property
    def digits(self) -> int:
        """Decimals of the estimates: three, and for small ones (parts of areas) as many digits."""
        largest = max(map(abs, self.estimates.values()))
        return 3 if not 0 < largest < 0.1 else 2 - math.floor(math.log10(largest))

    def _number(self, value: float) -> str:
        return f"{value:.{self.digits}f}"

    def _claim(self) -> str:
        margin = "" if self.margin is None else f" within {self.margin:g}"
        return "" if self.alternative == "two-sided" else f" for '{self.alternative}'{margin}"

    def _remarks(self) -> str:
        known = self.interval is not None and self.interval.low < self.interval.high
        if self.standard_error != 0.0 or known:
            return ""
        return "; this sample shows no variance of the difference: p and interval are unreliable"


ROUNDING = 1e-24  # variances below this are rounding of areas
TIED = 1e-9  # of a statistic: of two pairs that differ by less the first one is named
LEFT_OUT = 1e-9  # of a difference by the inverse of a matrix, up to rounding
FEWEST = 3  # cases of the smaller class below which estimated matrices are unreliable


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
    """Hotelling's F for unequal covariances (Krishnamoorthy and Yu 2004); None for few cases."""
    from scipy.special import fdtrc

    inverse, rank = _inverse(by_class.total)
    if min(by_class.sizes) < FEWEST or rank == 0:
        return None
    used = 0.0
    for part, n in zip(by_class.parts, by_class.sizes, strict=True):
        ratio = part @ inverse
        used += (np.trace(ratio @ ratio) + np.trace(ratio) ** 2) / (n - 1)
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


def leaves_out(covariance: Floats, differences: Floats) -> bool:
    """Whether the inverse of a singular matrix leaves out a difference that shows no variance.

    Such is that of an ideal and a constant model.
    """
    left_out = differences - covariance @ _inverse(covariance)[0] @ differences
    return bool(np.abs(left_out).max() > LEFT_OUT * max(1.0, np.abs(differences).max()))


def _inverse(covariance: Floats) -> tuple[Floats, int]:
    """Pseudo-inverse and rank; entries that are rounding of areas only count as 0."""
    if np.abs(covariance).max() <= ROUNDING:
        return np.zeros_like(covariance), 0
    tolerance = 1e-12 * float(np.abs(covariance).max())
    rank = np.linalg.matrix_rank(covariance, tol=tolerance, hermitian=True)
    inverse = np.linalg.pinv(covariance, rcond=1e-12, hermitian=True)
    return np.asarray(inverse, np.float64), int(rank)


@dataclass(frozen=True, eq=False, slots=True)
class Estimates:
    """Estimates by name, their covariance matrix, and degrees of freedom (None: normal)."""

    values: dict[str, float]
    covariance: Floats
    df: float | None = None
    variances: Sequence[VarianceByClass] | None = None
    by_class: CovarianceByClass | None = None
    largest: float = math.inf

    @classmethod
    def on_same_rows(
        cls, values: dict[str, float], matrices: CovarianceByClass, other: Floats | None = None
    ) -> "Estimates":
        """From DeLong's covariance matrices; `other` is the matrix by another method, if any."""
        if other is not None:
            return cls(values, other, variances=matrices.variances)
        return cls(values, matrices.total, variances=matrices.variances, by_class=matrices)

    def parts_of_difference(self, a: int, b: int) -> list[tuple[float, float]]:
        """Variance and number of rows of every class, for the difference of two models."""
        assert self.by_class is not None
        step = np.zeros(len(self.values))
        step[[a, b]] = 1.0, -1.0
        parts = [float(step @ part @ step) for part in self.by_class.parts]
        return list(zip(parts, self.by_class.sizes, strict=True))

    def areas(self) -> list[SizedArea] | None:
        """The estimates as areas of effective sizes, None where variances are unknown."""
        if self.variances is None:
            return None
        both = zip(self.values.values(), self.variances, strict=True)
        return [own.as_share(value) for value, own in both]

    def intervals(self, level: float, *, clustered: bool) -> dict[str, Interval] | None:
        """The interval of every estimate by its own variance, None where that is unknown."""
        if self.variances is None:
            return None
        both = zip(self.values.items(), self.variances, strict=True)
        return {
            name: own.interval(value, level, clustered=clustered)[1] for (name, value), own in both
        }


def compared(
    found: Estimates,
    *,
    quantity: str,
    method: str,
    described: Callable[[str], str],
    level: float,
    alternative: str,
    margin: float | None,
    clustered: bool = False,
    intervals: dict[str, Interval] | None = None,
    drawn: Mapping[str, int] | None = None,
    origin: Origin | None = None,
    estimand: str | None = None,
    sizes: Mapping[str, Any] | None = None,
) -> Comparison:
    """One difference with its interval and test; for more models the joint test and all pairs.

    `margin` has gone through `checked_margin`, together with the alternative. "auto" is DeLong's
    test with Student's t for models on the same rows; "wilson" for independent samples, whose
    skewness does not cancel, and with a margin, whose null hypothesis is not a difference of zero.
    `described` names a method. `intervals` are those of the estimates, by default those of
    their variances.
    """
    skewed = margin is not None or found.by_class is None
    used = "wilson" if method == "auto" and skewed else method
    areas = found.areas() if used in ("auto", "wilson") else None
    df = partial(_df, found, areas, used, clustered)
    test = partial(_pair, found, areas, used, df, alternative, margin)
    single = len(found.values) == 2
    pairwise = None
    if single:
        difference, error, decision = test(0, 1, level)
        joint = JointTest(decision.statistic, df(0, 1), decision.p_value)
    else:
        pairwise = all_pairs(list(found.values), level, test)
        joint = _joint(found, method, pairwise)
    description = described(used)
    rows = pairwise or {"standard_error": error, "difference": difference}
    unanimous = np.equal(rows["standard_error"], 0.0) & np.not_equal(rows["difference"], 0.0)
    if found.df is not None and areas is None and unanimous.any():
        description += ", sign test where no variance is seen"
    return Comparison(
        estimates=found.values,
        intervals=intervals or found.intervals(level, clustered=clustered),
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
        **(drawn or {}),
        **(sizes or {}),
        origin=origin or Origin(),
        estimand=estimand,
    )


def _pair(
    found: Estimates,
    areas: list[SizedArea] | None,
    method: str,
    df: Callable[[int, int], float | None],
    alternative: str,
    margin: float | None,
    a: int,
    b: int,
    level: float,
) -> tuple[float, float, significance.Decision]:
    """Difference of two estimates, its standard error, test and interval.

    By Student's t or the normal distribution; "wilson", and "auto" without variance, by the limits
    of both areas with their effective sizes. These also are the outer limits of "auto".
    """
    values = list(found.values.values())
    difference = values[a] - values[b]
    error = significance.error_of_difference(found.covariance, a, b, method)
    tested: Any = {"alternative": alternative, "margin": margin, "level": level}
    if areas is not None:
        correlation = correlation_of(found.covariance, a, b)
        limits = partial(difference_limits, areas[a], areas[b], correlation)
        if method == "wilson" or error == 0.0:
            between = areas[a].value - areas[b].value
            return difference, error, decide_by_limits(between, limits, **tested)
    elif error == 0.0 and found.df is not None:
        limits = partial(_unanimous_limits, difference, found.df + 1, found.largest)
        return difference, error, decide_by_limits(difference, limits, **tested)
    decision = significance.decide(
        difference, error, reference=significance.Reference(df(a, b)), **tested
    )
    if areas is None:
        ends = max(decision.low, -found.largest), min(decision.high, found.largest)
        decision = replace(decision, low=ends[0], high=ends[1])
    else:
        decision = _skewed(difference, decision, limits((1 - level) / 2))
    return difference, error, decision


def _unanimous_limits(
    difference: float, cases: float, largest: float, tail: float
) -> tuple[float, float]:
    """Limits of a difference that shows no variance: those of the sign test of its cases."""
    reach = float(significance.sign_reach(difference, cases, tail, largest))
    return max(difference - reach, -largest), min(difference + reach, largest)


def _df(
    found: Estimates, areas: list[SizedArea] | None, method: str, clustered: bool, a: int, b: int
) -> float | None:
    """Degrees of freedom of the t distribution of a difference; None of the normal one."""
    if areas is None or method != "auto":
        return found.df if areas is None else None
    mean = (areas[a].value + areas[b].value) / 2
    return difference_df(mean, found.parts_of_difference(a, b), clustered=clustered)


def all_pairs(
    names: list[str],
    level: float,
    test: Callable[[int, int, float], tuple[float, float, significance.Decision]],
) -> Table:
    """One row for each pair; adjusted limits (Bonferroni's) are simultaneous."""
    pairs = list(combinations(range(len(names)), 2))
    differences, errors, decisions = zip(*(test(a, b, level) for a, b in pairs), strict=True)
    adjusted = [test(a, b, 1 - (1 - level) / len(pairs))[2] for a, b in pairs]
    fields = ("low", "high", "statistic", "p_value")
    return Table(
        first=np.array([names[a] for a, _ in pairs]),
        second=np.array([names[b] for _, b in pairs]),
        difference=np.array(differences),
        standard_error=np.array(errors),
        **{name: np.array([getattr(each, name) for each in decisions]) for name in fields},
        p_adjusted=np.array(significance.holm([each.p_value for each in decisions])),
        low_adjusted=np.array([each.low for each in adjusted]),
        high_adjusted=np.array([each.high for each in adjusted]),
    )


def _joint(found: Estimates, method: str, pairwise: Table) -> JointTest:
    """The test that all are equal: chi-square or Hotelling's F, else the tests of all pairs."""
    differences = -np.diff(list(found.values.values()))
    matrix, by_class = _of_neighbors(found.covariance), found.by_class
    if leaves_out(matrix, differences):
        return smallest_adjusted(pairwise["p_adjusted"], pairwise["statistic"])
    if by_class is None or method == "delong":
        return chi_square(differences, matrix)
    parts = tuple(map(_of_neighbors, by_class.parts))
    by_f = hotelling(differences, CovarianceByClass(matrix, parts, by_class.sizes))
    return by_f or smallest_adjusted(pairwise["p_adjusted"], pairwise["statistic"])


def difference_df(mean: float, parts: Sequence[tuple[float, float]], *, clustered: bool) -> float:
    """Degrees of freedom of the t distribution for the difference of two areas.

    Satterthwaite's for the variances of both classes, over 4 a (1 - a) with the mean area a: near
    0 and 1 the test of areas is conservative already, and a normal quantile keeps the level. Not
    more than there are pairs of cases in the smallest class, which estimate its variance; with
    clusters one less than the clusters with rows of that class.
    """
    smallest = max(min(n for _, n in parts), 1.0 + ROUNDING)
    a = (smallest * min(max(mean, 0.0), 1.0) + 0.5) / (smallest + 1)
    parts = [(max(part, 0.0), max(n, 1.0 + ROUNDING)) for part, n in parts]
    df = significance.satterthwaite(parts) or math.inf
    most = smallest - 1 if clustered else smallest * (smallest - 1) / 2
    return min(df / (4 * a * (1 - a)), most)


def _skewed(
    difference: float, found: significance.Decision, outer: tuple[float, float]
) -> significance.Decision:
    """The limit away from zero, which decides nothing, moved out to Newcombe's."""
    low = min(found.low, outer[0]) if difference < 0 else found.low
    high = max(found.high, outer[1]) if difference > 0 else found.high
    return replace(found, low=max(low, -1.0), high=min(high, 1.0))


def _of_neighbors(covariance: Floats) -> Floats:
    """Covariance matrix of the differences of each estimate and the next."""
    return np.diff(np.diff(covariance, axis=0), axis=1)


def correlation_of(covariance: Floats, a: int, b: int) -> float:
    """Correlation of two estimates; 0 where one of them shows no variance."""
    first, second = float(covariance[a, a]), float(covariance[b, b])
    if min(first, second) <= ROUNDING:  # few clusters may make a variance negative
        return 0.0
    return min(max(float(covariance[a, b]) / math.sqrt(first * second), -1.0), 1.0)


@result
class ComparableGroups(GroupResults[Any]):
    """The results of independent groups, each with a value and its error, and a test of equality.

    `statistic` is Welch's F of the groups' values, on the scale of the arcsine of their root and
    with the effective sizes that Wilson's interval of an area rests on: `p_value` refers it to F
    with `df` and `df_denominator` degrees of freedom.
    """

    @cached_property
    def _test(self) -> JointTest:
        return equality_test([result.as_share for result in self.defined.values()])

    @property
    def statistic(self) -> float:
        """Welch's F."""
        return self._test.statistic

    @property
    def df(self) -> float | None:
        """Degrees of freedom: one less than there are groups."""
        return self._test.df

    @property
    def df_denominator(self) -> float | None:
        """Degrees of freedom of the errors; infinite where they are as good as known."""
        return self._test.df_denominator

    @property
    def p_value(self) -> float:
        """The p value of "all groups have the same value"."""
        return self._test.p_value

    def to_dict(self) -> dict[str, Any]:
        """The results as plain JSON-safe values, with the test of two or more."""
        if len(self.defined) < 2:
            return super().to_dict()
        names = ("statistic", "df", "df_denominator", "p_value", "reference")
        return super().to_dict() | {name: json_safe(getattr(self, name)) for name in names}

    def _sentence(self) -> str:
        return "\n".join([super()._sentence(), *self._test_in_words()])

    def _notes(self) -> str:
        return "\n".join([*self.origin.remarks(), *self._test_in_words()])

    def _test_in_words(self) -> list[str]:
        if len(self.defined) < 2:
            return []
        return [f"all equal: {printing.p_value(self.p_value)} ({self.reference})"]

    @property
    def reference(self) -> str:
        """What the p value is read from, in words."""
        errors = self._test.df_denominator or math.inf
        second = f"{errors:.0f}" if errors < significance.NEARLY_NORMAL else "infinite"
        return f"Welch's F, {self.df} and {second} df"


def equality_test(areas: Sequence[SizedArea]) -> JointTest:
    """Welch's test that independent values are equal (Biometrika 38, 1951, 330-336).

    The variance of the arcsine of a proportion's root is 1 / (4 size) for every proportion, so that
    a group near 1 has no more weight than its cases give it.
    """
    from scipy.special import chdtrc, fdtrc

    if len(areas) < 2:
        raise InputError("`by` has one group; a test of equality needs two or more.")
    k = len(areas)
    angles = np.arcsin(np.sqrt([area.value for area in areas]))
    weights = 4 * np.array([area.size for area in areas])
    total = float(weights.sum())
    between = float(weights @ (angles - weights @ angles / total) ** 2) / (k - 1)
    unsure = float(((1 - weights / total) ** 2 / [area.df for area in areas]).sum())
    statistic = between / (1 + 2 * (k - 2) / (k * k - 1) * unsure)
    errors = (k * k - 1) / (3 * unsure) if unsure > 0 else math.inf
    if errors < significance.NEARLY_NORMAL:
        p = float(fdtrc(k - 1, errors, statistic))
    else:
        p = float(chdtrc(k - 1, (k - 1) * statistic))
    return JointTest(statistic, k - 1, p, errors)
