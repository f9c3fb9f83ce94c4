"""From estimates of any kind and their covariance matrix to a comparison of models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Literal

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.inference.class_spreads import CovarianceByClass, SpreadByClass
from rocwise.inference.comparison_results import Comparison
from rocwise.inference.deferred_estimates import IntervalPlan, with_limits
from rocwise.inference.intervals.effective_sizes import (
    AreaDifference,
    SizedArea,
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
    decide_all,
    error_of_difference,
    errors_of_differences,
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
    judge = _Judge(
        list(estimates.values()), covariance, method, alternative, margin, reference, few
    )
    single = len(estimates) == 2
    pairwise = None
    if single:
        difference, error, decision = judge.pair(0, 1, level)
        joint = JointTest(decision.statistic, reference.df, decision.p_value)
    else:
        pairwise = judge.all_pairs(list(estimates), level)
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
        if self.few.areas is not None:
            return difference, error, self._by_limits(self.few.areas, a, b, level)
        decision = decide(
            difference,
            error,
            alternative=self.alternative,
            margin=self.margin,
            level=level,
            reference=self.reference,
        )
        return difference, error, decision

    def _by_limits(self, areas: Sequence[SizedArea], a: int, b: int, level: float) -> Decision:
        """What the limits of both estimates say of their difference."""
        both = AreaDifference(areas[a], areas[b], correlation_of(self.covariance, a, b))
        return both.decide(alternative=self.alternative, margin=self.margin, level=level)

    def _all_by_limits(
        self, areas: Sequence[SizedArea], first: Places, second: Places, levels: tuple[float, float]
    ) -> list[Floats]:
        """Statistics, p values and limits at the first level, and limits at the second."""
        lines = []
        for a, b in zip(first.tolist(), second.tolist(), strict=True):
            one, other = (self._by_limits(areas, a, b, level) for level in levels)
            lines.append((*astuple(one), other.low, other.high))
        return list(np.array(lines).T)

    def all_pairs(self, names: list[str], level: float) -> Table:
        """One row for each pair; adjusted limits (Bonferroni's) hold for all of them at once."""
        first, second = np.triu_indices(len(names), 1)
        values, named = np.array(self.values), np.array(names)
        differences = values[first] - values[second]
        errors = errors_of_differences(self.covariance, first, second, self.method)
        for_all = 1 - (1 - level) / len(first)
        if self.few.areas is not None:
            levels = level, for_all
            statistic, p_value, low, high, *adjusted = self._all_by_limits(
                self.few.areas, first, second, levels
            )
        else:
            statistic, p_value, low, high = decide_all(
                differences, errors, level=level, reference=self.reference
            )
            reach = self.reference.quantile(for_all) * errors
            adjusted = [differences - reach, differences + reach]
        return Table(
            first=named[first],
            second=named[second],
            difference=differences,
            standard_error=errors,
            low=low,
            high=high,
            statistic=statistic,
            p_value=p_value,
            p_adjusted=np.array(holm(p_value.tolist())),
            low_adjusted=adjusted[0],
            high_adjusted=adjusted[1],
        )

    def jointly(self, pairwise: Table) -> JointTest:
        """The test that all are equal."""
        differences, spread = -np.diff(self.values), _of_neighbours(self.covariance)
        if self.few.by_class is None:
            return chi_square(differences, spread)
        parts = tuple(map(_of_neighbours, self.few.by_class.parts))
        found = hotelling(differences, CovarianceByClass(spread, parts, self.few.by_class.sizes))
        return found or smallest_adjusted(pairwise["p_adjusted"], pairwise["statistic"])


def _of_neighbours(covariance: Floats) -> Floats:
    """Covariance matrix of the differences of each estimate and the next."""
    return np.diff(np.diff(covariance, axis=0), axis=1)


def correlation_of(covariance: Floats, a: int, b: int) -> float:
    """Correlation of two estimates; 0 where one of them shows no spread."""
    first, second = float(covariance[a, a]), float(covariance[b, b])
    if min(first, second) <= ROUNDING:  # few clusters may make a variance negative
        return 0.0
    return min(max(float(covariance[a, b]) / math.sqrt(first * second), -1.0), 1.0)


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
        areas = [spread.as_share(value) for value, spread in both]
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
