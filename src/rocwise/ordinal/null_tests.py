"""Tests whether a score knows anything of the order of the classes."""

from __future__ import annotations

import math
from typing import Any, Unpack

from rocwise import checks, printing
from rocwise.data.rankings import Ranking
from rocwise.errors import InputError
from rocwise.inference.effective_sizes import WILSON, decide_by_limits, symmetric_limits_hold
from rocwise.inference.significance import (
    PLAIN_ALTERNATIVES,
    Decision,
    PlainAlternative,
    Reference,
    decide,
)
from rocwise.inputs.coercion import ClusteredRankingOptions, as_ranking, options_shown
from rocwise.ordinal.measures import Measure, MeasureKind, OrderedResult, Ties, measure_kind
from rocwise.results import result

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
