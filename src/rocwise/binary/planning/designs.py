"""What a planned study compares: one AUC with a value, or two AUCs, on the same cases or not."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal, TypeAlias, cast

from rocwise import checks
from rocwise.binary.planning.pilots import PilotSpread, pilot_spread
from rocwise.binary.planning.variances import (
    NORMAL,
    OF_SCORE_CORRELATIONS,
    VARIANCES,
    PlannedCurve,
    Variance,
    planned_covariance,
    planned_variance,
)
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally
from rocwise.errors import InputError, shown

Expected: TypeAlias = float | tuple[float, float]
"""An AUC, or the intercept and slope (a, b) of a binormal curve."""

Pilot: TypeAlias = Tally | Pairs
"""Data of a small study: one model, or two on the same cases."""

Correlation: TypeAlias = float | tuple[float, float]
"""Of the two AUC estimates, or (among negatives, among positives) of the two scores."""

Sides = Literal[1, 2]
STEEPEST, FLATTEST = 1e3, 1e-3
SMALLEST_DISTANCE = 1e-12  # of planned areas from 0, 1 and each other
SMALLEST_ALPHA = 1e-300
LARGEST_RATIO = 1e9
NO_DIFFERENCE = 1e-12


@dataclass(frozen=True)
class Design:
    """What a study is to tell apart, and by which test: every option of a plan, checked once.

    Attributes
    ----------
    first, second
        The curves expected; `second` is None when one AUC is compared with `null`.
    null
        The AUC of a worthless test, or whatever one AUC must differ from.
    correlation
        None for different cases.
    variance
        Name of the formula.
    difference
        The difference to detect.
    alpha, sides
        Significance level and number of sides of the test.
    pilot
        Whose variance takes the place of a formula.
    """

    first: PlannedCurve
    second: PlannedCurve | None
    null: float
    correlation: Correlation | None
    variance: Variance
    difference: float
    alpha: float
    sides: Sides
    pilot: PilotSpread | None = None

    @property
    def kind(self) -> str:
        """The name of the design."""
        if self.second is None:
            return "one AUC"
        return "two AUCs, unpaired" if self.correlation is None else "two AUCs, paired"

    @property
    def critical_value(self) -> float:
        """Limit that the test statistic must exceed."""
        # not 1 - alpha/sides, which rounds a tiny alpha off
        return -NORMAL.inv_cdf(self.alpha / self.sides)

    def variances(self, kappa: float) -> tuple[float, float]:
        """Number of positives times the variance of the difference: under H0, and as expected.

        DeLong's test takes the variance from the sample, whatever H0 says: there both are one.
        """
        if self.pilot is not None:
            V = self.pilot.variance(kappa)
            return V, V
        own = self.variance == "delong"
        V1 = planned_variance(self.variance, self.first, kappa)
        if self.second is None:
            null = self.first if own else self.first.with_area(self.null)
            return planned_variance(self.variance, null, kappa), V1
        V2 = planned_variance(self.variance, self.second, kappa)
        C = self._covariance(V1, V2, kappa)
        VA = V1 + V2 - 2 * C
        V0 = VA if own else 2 * V1 - 2 * C
        if min(V0, VA) <= 0:
            raise InputError(
                f"`correlation` {self.correlation} is too high for these AUCs: the variance of "
                f"the difference would be {min(V0, VA):.3g} under {_blamed(V0)}. Lower it, or "
                "give the AUC with the larger variance (as a rule the lower AUC) first."
            )
        return V0, VA

    def _covariance(self, V1: float, V2: float, kappa: float) -> float:
        assert self.second is not None
        if self.correlation is None:
            return 0.0
        if isinstance(self.correlation, tuple):
            return planned_covariance(
                self.variance, self.first, self.second, kappa, self.correlation
            )
        return self.correlation * math.sqrt(V1 * V2)

    def against(self, auc: float) -> Design:
        """The same study if the AUC that is looked for has this value."""
        found = self.first.with_area(auc)
        if self.second is None:
            return replace(self, first=found, difference=auc - self.null)
        return replace(self, second=found, difference=self.first.auc - auc)


def _blamed(V0: float) -> str:
    return "the null hypothesis" if V0 <= 0 else "the alternative"


def planned_design(
    auc: Expected | Pilot,
    other: Expected | None = None,
    *,
    null: float = 0.5,
    alpha: float = 0.05,
    sides: Sides = 2,
    correlation: Correlation | None = None,
    variance: Variance | None = None,
    difference: float | None = None,
) -> Design:
    """The design that the arguments describe; refuses those that contradict each other."""
    if isinstance(auc, (Tally, Pairs)):
        for name, value in (("other", other), ("correlation", correlation), ("variance", variance)):
            if value is not None:
                raise InputError(f"`{name}` comes from the pilot given as `auc`; leave it out.")
        return _piloted(auc, null=null, alpha=alpha, sides=sides, difference=difference)
    first = _curve(auc, "auc")
    second = None if other is None else _curve(other, "other")
    null = planned_area(null, "null")
    if second is not None and null != 0.5:
        raise InputError(
            f"`null` is for one AUC, but two are compared (`other` was given); got {null:g}."
        )
    if second is None and difference is not None:
        raise InputError("`difference` is between two AUCs, but `other` was not given.")
    chosen = _variance_of(variance, auc, other, correlation)
    apart = first.auc - (null if second is None else second.auc)
    return Design(
        first=first,
        second=second,
        null=null,
        correlation=_checked_correlation(correlation, chosen, paired=second is not None),
        variance=chosen,
        difference=apart if difference is None else _checked_difference(difference),
        alpha=_checked_alpha(alpha),
        sides=_checked_sides(sides),
    )


def _piloted(
    data: Pilot, *, null: float, alpha: float, sides: Any, difference: float | None
) -> Design:
    """The design of a study like the pilot: its areas, its variances, its correlation."""
    spread = pilot_spread(data)
    null = planned_area(null, "null")
    paired = len(spread.areas) == 2
    if paired and null != 0.5:
        raise InputError(f"`null` is for one AUC, but the pilot has two models; got {null:g}.")
    apart = spread.areas[0] - (spread.areas[1] if paired else null)
    return Design(
        first=PlannedCurve.of_area(spread.areas[0]),
        second=PlannedCurve.of_area(spread.areas[1]) if paired else None,
        null=null,
        correlation=spread.correlation,
        variance="delong",
        difference=apart if difference is None else _checked_difference(difference),
        alpha=_checked_alpha(alpha),
        sides=_checked_sides(sides),
        pilot=spread,
    )


def planned_area(value: Any, argument: str) -> float:
    """An AUC inside 0 to 1, and not so close to them that its variance vanishes in rounding."""
    number = checks.fraction(value, argument)
    return checks.within(number, argument, SMALLEST_DISTANCE, 1 - SMALLEST_DISTANCE)


def _checked_alpha(alpha: Any) -> float:
    """A significance level whose critical value is a finite number."""
    return checks.within(checks.fraction(alpha, "alpha"), "alpha", SMALLEST_ALPHA, 1)


def _checked_difference(difference: Any) -> float:
    """A difference of two AUCs; 0 is judged where it is divided by."""
    number = checks.within(difference, "difference", -1, 1)
    if 0 < abs(number) < SMALLEST_DISTANCE:
        raise InputError(
            f"`difference` must be 0 or at least {SMALLEST_DISTANCE:g} in size; got "
            f"{shown(difference)}."
        )
    return number


def _curve(value: Any, argument: str) -> PlannedCurve:
    if not isinstance(value, tuple):
        return PlannedCurve.of_area(planned_area(value, argument))
    if len(value) != 2:
        raise InputError(
            f"`{argument}` must be an AUC, or the pair (a, b) of a binormal curve; got "
            f"{shown(value)}."
        )
    a, b = (checks.real(number, argument) for number in value)
    if not FLATTEST <= b <= STEEPEST:
        raise InputError(
            f"`{argument}` is the binormal curve (a, b), whose slope b must lie between "
            f"{FLATTEST:g} and {STEEPEST:g}; got {b:g}."
        )
    curve = PlannedCurve.of_line(a, b)
    if not 0.0 < curve.auc < 1.0:
        raise InputError(
            f"`{argument}` {shown(value)} has an AUC of {curve.auc:g}; it must be inside."
        )
    return curve


def _variance_of(variance: Any, auc: Any, other: Any, correlation: Any) -> Variance:
    """The formula asked for, else the one that is usual for the design."""
    if variance is not None:
        return cast(Variance, checks.one_of(variance, "variance", VARIANCES))
    if isinstance(auc, tuple) or isinstance(other, tuple) or isinstance(correlation, tuple):
        return "binormal"
    return "obuchowski" if other is None or correlation is not None else "hanley-mcneil"


def _checked_correlation(correlation: Any, variance: str, *, paired: bool) -> Correlation | None:
    if correlation is None:
        return None
    if not paired:
        raise InputError("`correlation` is between two AUCs, but `other` was not given.")
    if not isinstance(correlation, tuple):
        return _inside_one(correlation)
    if len(correlation) != 2:
        raise InputError(
            "`correlation` must be a number, or the pair of the scores' correlations among the "
            f"negatives and among the positives; got {shown(correlation)}."
        )
    if variance not in OF_SCORE_CORRELATIONS:
        names = " or ".join(f"variance={name!r}" for name in OF_SCORE_CORRELATIONS)
        raise InputError(
            f"`correlation` as a pair of score correlations needs {names}; got {variance!r}."
        )
    return _inside_one(correlation[0]), _inside_one(correlation[1])


def _inside_one(value: Any) -> float:
    number = checks.real(value, "correlation")
    if not -1.0 < number < 1.0:
        raise InputError(f"`correlation` must lie strictly between -1 and 1; got {shown(value)}.")
    return number


def checked_ratio(ratio: Any) -> float:
    """Negatives per positive, in bounds within which cases can be counted."""
    number = checks.real(ratio, "ratio")
    if number <= 0:
        raise InputError(f"`ratio` (negatives per positive) must be positive; got {shown(ratio)}.")
    return checks.within(number, "ratio", 1 / LARGEST_RATIO, LARGEST_RATIO)


def _checked_sides(sides: Any) -> Sides:
    number = isinstance(sides, Real) and not isinstance(sides, bool)
    if not number or sides not in (1, 2):
        raise InputError(f"`sides` must be 1 or 2; got {shown(sides)}.")
    return 1 if sides == 1 else 2


def needed_positives(design: Design, power: float, kappa: float) -> float:
    """F5.3: the number of positives, as a real number."""
    V0, VA = design.variances(kappa)
    reach = design.critical_value * math.sqrt(V0) + NORMAL.inv_cdf(power) * math.sqrt(VA)
    if design.difference == 0:
        raise InputError(
            "`auc` leaves no difference to detect, so that no number of cases is enough."
        )
    if reach <= 0:
        raise InputError(
            f"`power` {power:g} is reached without any cases at alpha {design.alpha:g}."
        )
    return (reach / design.difference) ** 2


def reached_power(design: Design, n_pos: float, n_neg: float) -> float:
    """F5.4; rejections in the wrong direction are not counted."""
    V0, VA = design.variances(n_neg / n_pos)
    if VA <= 0:
        raise InputError("`auc` is so close to 0 or 1 that its variance vanishes: no power exists.")
    distance = math.sqrt(n_pos) * abs(design.difference)
    return NORMAL.cdf((distance - design.critical_value * math.sqrt(V0)) / math.sqrt(VA))


def reached_alpha(design: Design, n_pos: float, n_neg: float, power: float) -> float:
    """F5.4 solved for alpha, whatever that of the design is."""
    V0, VA = design.variances(n_neg / n_pos)
    distance = math.sqrt(n_pos) * abs(design.difference)
    z = (distance - NORMAL.inv_cdf(power) * math.sqrt(VA)) / math.sqrt(V0)
    return design.sides * NORMAL.cdf(-z)
