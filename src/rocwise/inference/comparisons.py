"""From estimates of any kind and their covariance matrix to a comparison of models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rocwise.arrays import Floats
from rocwise.inference.area_differences import AreaDifference
from rocwise.inference.comparison_results import Comparison
from rocwise.inference.effective_sizes import SizedArea
from rocwise.inference.joint_tests import (
    JointTest,
    MatrixParts,
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


@dataclass(frozen=True, eq=False, slots=True)
class FewCases:
    """What holds where normal limits do not.

    `areas` judge each pair by the limits of both; None leaves pairs to the normal distribution.
    `by_class` refers the joint test of several models to an F; None leaves it to chi-square.
    """

    areas: Sequence[SizedArea] | None = None
    by_class: MatrixParts | None = None


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
        first, second = (steps @ part @ steps.T for part in self.few.by_class.parts)
        by_class = MatrixParts((first, second), self.few.by_class.sizes)
        found = hotelling(differences, spread, by_class)
        return found or smallest_adjusted(pairwise["p_adjusted"], pairwise["statistic"])


def correlation_of(covariance: Floats, a: int, b: int) -> float:
    """Correlation of two estimates; 0 where one of them shows no spread."""
    first, second = float(covariance[a, a]), float(covariance[b, b])
    if min(first, second) <= 0.0:  # few clusters may make a variance negative
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
