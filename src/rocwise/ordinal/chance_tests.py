"""Tests whether a score knows anything of the order of the classes."""

from __future__ import annotations

import math
from typing import Any

from rocwise import checks, printing
from rocwise.errors import InputError
from rocwise.inference.significance import PLAIN_ALTERNATIVES, PlainAlternative, Reference, decide
from rocwise.inputs.coercion import Direction, Missing, as_ranking
from rocwise.ordinal.measure_kinds import Measure, MeasureKind, measure_kind
from rocwise.ordinal.results import OrderedResult, Ties
from rocwise.results import result


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

    @property
    def chance_range(self) -> tuple[float, float]:
        """Where the measure of a worthless score lies in 95 % of samples like this one."""
        reach = 1.96 * self.standard_error
        return self.chance - reach, self.chance + reach

    def _sentence(self) -> str:
        name = MeasureKind(self.measure, self.ties).name
        return (
            f"{name} {self.value:.3f} against {self.chance:.3g} by chance: z = "
            f"{self.statistic:.2f}, {printing.p_value(self.p_value)} ({self.alternative})"
        )


def ordinal_test(
    y_true: Any,
    y_score: Any = None,
    *,
    measure: Measure = "volume",
    ties: Ties = "credit",
    alternative: PlainAlternative = "two-sided",
    order: Any = None,
    decimals: int | None = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
) -> OrdinalTest:
    """Test whether the score knows anything of the order of the classes.

    The exact variance of the measure when all classes have one continuous distribution is the
    yardstick, so one row in a class is enough. With ties the test is cautious: credits vary less.

    Parameters
    ----------
    y_true, y_score, order, decimals, direction, missing
        The data, as in `ordinal_auc`.
    measure, ties
        As in `ordinal_auc`. With ties="strict" tied scores are refused, since ties then lower
        the value that chance would give.
    alternative : {"two-sided", "greater", "less"}
        "greater": the score ranks the classes better than chance.

    Returns
    -------
    OrdinalTest
        With `value`, `chance`, `standard_error` (under chance), `statistic`, `p_value`.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.ordinal_test([1, 1, 2, 2, 3, 3], [1, 2, 3, 4, 5, 6])
    VUS 1.000 against 0.167 by chance: z = 3.95, p < 0.001 (two-sided)
    """
    ranking = as_ranking(
        y_true, y_score, order=order, decimals=decimals, direction=direction, missing=missing
    )
    wanted = measure_kind(measure, ties)
    checks.one_of(alternative, "alternative", PLAIN_ALTERNATIVES)
    if ties == "strict" and ranking.has_mixed_ties:
        raise InputError(
            "ties='strict' has no fixed level by chance when classes share scores; "
            "use ties='credit'."
        )
    value, chance = wanted.value(ranking), wanted.chance(ranking.n_classes)
    error = math.sqrt(wanted.chance_variance(ranking.sizes))
    found = decide(
        value - chance,
        error,
        alternative=alternative,
        margin=None,
        level=0.95,
        reference=Reference(),
    )
    return OrdinalTest(
        value=value,
        chance=chance,
        standard_error=error,
        statistic=found.statistic,
        p_value=found.p_value,
        alternative=alternative,
        measure=measure,
        ties=ties,
        origin=ranking.origin,
    )
