"""From estimates of any kind and their covariance matrix to a comparison of models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from rocwise.arrays import Floats
from rocwise.inference.class_spreads import CovarianceByClass, SpreadByClass
from rocwise.inference.comparison_results import Comparison
from rocwise.inference.deferred_estimates import IntervalPlan, with_limits
from rocwise.inference.intervals.effective_sizes import (
    AreaDifference,
    SizedArea,
    sized_area,
    symmetric_limits_hold,
)
from rocwise.inference.joint_tests import (
    ROUNDING,
    JointTest,
    chi_square,
    hotelling,
    smallest_adjusted,
)
from rocwise.inference.significance import (
    Decision,
    Reference,
    decide,
    error_of_difference,
    holm,
)
from rocwise.results import Interval, Origin, Table

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
    pairs = list(combinations(range(len(estimates)), 2))
    judge = _Judge(
        list(estimates.values()), covariance, method, alternative, margin, reference, few
    )
    found = [judge.pair(*pair, level) for pair in pairs]
    single = len(found) == 1
    difference, error, decision = found[0]
    joint = JointTest(decision.statistic, reference.df, decision.p_value)
    pairwise = None
    if not single:
        adjusted = [judge.limits(*pair, 1 - (1 - level) / len(pairs)) for pair in pairs]
        pairwise = _all_pairs(estimates, found, adjusted)
        joint = judge.jointly(pairwise)
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
class _Judge:
    """Estimates with their covariance matrix, and what their differences are tested for."""

    values: list[float]
    covariance: Floats
    method: str
    alternative: str
    margin: float | None
    reference: Reference
    few: FewCases

    def pair(self, a: int, b: int, level: float) -> tuple[float, float, Decision]:
        """Difference of two estimates, its standard error, and what follows."""
        difference = self.values[a] - self.values[b]
        error = error_of_difference(self.covariance, a, b, self.method)
        areas = self._of_limits(a, b)
        if areas is not None:
            decision = areas.decide(alternative=self.alternative, margin=self.margin, level=level)
            return difference, error, decision
        decision = decide(
            difference,
            error,
            alternative=self.alternative,
            margin=self.margin,
            level=level,
            reference=self.reference,
        )
        return difference, error, decision

    def _of_limits(self, a: int, b: int) -> AreaDifference | None:
        if self.few.areas is None:
            return None
        correlation = correlation_of(self.covariance, a, b)
        return AreaDifference(self.few.areas[a], self.few.areas[b], correlation)

    def limits(self, a: int, b: int, level: float) -> tuple[float, float]:
        """Limits of a difference at another level."""
        areas = self._of_limits(a, b)
        if areas is not None:
            return areas.limits((1 - level) / 2)
        difference = self.values[a] - self.values[b]
        error = error_of_difference(self.covariance, a, b, self.method)
        reach = self.reference.quantile(level) * error
        return difference - reach, difference + reach

    def jointly(self, pairwise: Table) -> JointTest:
        """The test that all are equal."""
        steps = np.eye(len(self.values))[:-1] - np.eye(len(self.values))[1:]
        differences, spread = steps @ np.array(self.values), steps @ self.covariance @ steps.T
        if self.few.by_class is None:
            return chi_square(differences, spread)
        parts = tuple(steps @ part @ steps.T for part in self.few.by_class.parts)
        found = hotelling(differences, CovarianceByClass(spread, parts, self.few.by_class.sizes))
        return found or smallest_adjusted(pairwise["p_adjusted"], pairwise["statistic"])


def correlation_of(covariance: Floats, a: int, b: int) -> float:
    """Correlation of two estimates; 0 where one of them shows no spread."""
    first, second = float(covariance[a, a]), float(covariance[b, b])
    if min(first, second) <= ROUNDING:  # few clusters may make a variance negative
        return 0.0
    return min(max(float(covariance[a, b]) / math.sqrt(first * second), -1.0), 1.0)


def _all_pairs(
    estimates: dict[str, float],
    found: list[tuple[float, float, Decision]],
    adjusted: list[tuple[float, float]],
) -> Table:
    """One row for each pair; adjusted limits (Bonferroni's) hold for all of them at once."""
    pairs = list(combinations(estimates, 2))
    decisions = [decision for _, _, decision in found]
    return Table(
        first=np.array([first for first, _ in pairs]),
        second=np.array([second for _, second in pairs]),
        difference=np.array([difference for difference, _, _ in found]),
        standard_error=np.array([error for _, error, _ in found]),
        low=np.array([each.low for each in decisions]),
        high=np.array([each.high for each in decisions]),
        statistic=np.array([each.statistic for each in decisions]),
        p_value=np.array([each.p_value for each in decisions]),
        p_adjusted=np.array(holm([each.p_value for each in decisions])),
        low_adjusted=np.array([low for low, _ in adjusted]),
        high_adjusted=np.array([high for _, high in adjusted]),
    )


def settled_method(
    values: Sequence[float], spreads: Sequence[SpreadByClass], margin: float | None
) -> Literal["delong", "wilson"]:
    """What "auto" is for these data: DeLong's method where it holds for every model."""
    enough = ENOUGH_FOR_A_DIFFERENCE if margin is None else ENOUGH_FOR_A_MARGIN
    both = zip(values, spreads, strict=True)
    holds = all(symmetric_limits_hold(value, spread.smallest, enough) for value, spread in both)
    return "delong" if holds else "wilson"


def few_cases(
    values: Sequence[float],
    spreads: Sequence[SpreadByClass],
    by_class: CovarianceByClass | None,
    settled: str,
) -> FewCases:
    """What to refer the differences to, and the joint test of several models.

    The chi-square of DeLong needs ten cases on the wrong side for every degree of freedom.
    """
    both = list(zip(values, spreads, strict=True))
    areas = None
    if settled == "wilson":
        areas = [
            sized_area(value, spread.variance, spread.by_class(), spread.smallest)
            for value, spread in both
        ]
    steps = len(both) - 1
    many = all(symmetric_limits_hold(value, spread.smallest / steps) for value, spread in both)
    return FewCases(areas, None if steps == 1 or many else by_class)


def estimate_intervals(
    estimates: Mapping[str, float],
    spreads: Sequence[SpreadByClass],
    *,
    level: float,
    clustered: bool,
) -> dict[str, Interval]:
    """The interval of every model's own measure, as its own question makes it."""
    plan = IntervalPlan("auto", level, 0, None)
    return {
        name: with_limits(value, spread, plan, "DeLong", clustered=clustered)[1]
        for (name, value), spread in zip(estimates.items(), spreads, strict=True)
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
    **said: Any,
) -> Comparison:
    """A comparison of measures over several classes; `said` goes on to `compared`.

    `matrices` are DeLong's, `other` is the covariance by another method, where one was asked for;
    `names` are the methods in words.
    """
    values, spreads = list(estimates.values()), matrices.spreads
    used = settled_method(values, spreads, margin) if method == "auto" else method
    by_limits = method in ("auto", "wilson")
    words = names[used]
    return compared(
        estimates,
        matrices.total if other is None else other,
        method=used,
        description=words.replace("paired ", "paired cluster-robust ", 1) if clustered else words,
        few=few_cases(values, spreads, matrices, used) if by_limits else MANY_CASES,
        intervals=estimate_intervals(estimates, spreads, level=level, clustered=clustered),
        level=level,
        margin=margin,
        **said,
    )
