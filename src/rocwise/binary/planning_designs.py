"""Designs of planned studies: expected curves, their variances, pilots, and checks of options.

Variances are of an AUC in a study not yet made, times its number of positives (F5.1 to F5.6).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from numbers import Real
from statistics import NormalDist
from typing import Any, Literal, NamedTuple, TypeAlias, cast, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.binary.influence import sums_of_products
from rocwise.data.pairs import Pairs
from rocwise.data.tally import ScoreColumn, Tally
from rocwise.errors import InputError, shown

Variance = Literal["obuchowski", "hanley-mcneil", "binormal", "delong"]
Sides = Literal[1, 2]
Expected: TypeAlias = float | tuple[float, float]
"""An AUC, or the intercept and slope (a, b) of a binormal curve."""
Pilot: TypeAlias = Tally | Pairs
"""Data of a small study: one model, or two on the same cases."""
Correlation: TypeAlias = float | tuple[float, float]
"""Of the two AUC estimates, or (among negatives, among positives) of the two scores."""
OF_SCORE_CORRELATIONS = ("binormal", "delong")  # variances with a covariance for them
NORMAL = NormalDist()
NEGLIGIBLE = 1e-100
STEEPEST, FLATTEST = 1e3, 1e-3
SMALLEST_DISTANCE = 1e-12  # of planned areas from 0, 1 and each other
SMALLEST_ALPHA = 1e-300


class PlannedCurve(NamedTuple):
    """The ROC curve expected of a score: TPR = Phi(a + b Phi^-1(FPR))."""

    auc: float
    a: float
    b: float

    @classmethod
    def of_area(cls, auc: float, b: float = 1.0) -> PlannedCurve:
        """The curve with this area; without more knowledge both classes spread alike (b = 1)."""
        return cls(auc, NORMAL.inv_cdf(auc) * math.sqrt(1 + b * b), b)

    @classmethod
    def of_line(cls, a: float, b: float) -> PlannedCurve:
        """The curve with this intercept and slope on normal-deviate axes."""
        return cls(NORMAL.cdf(a / math.sqrt(1 + b * b)), a, b)

    def with_area(self, auc: float) -> PlannedCurve:
        """A curve of the same slope with another area."""
        return self.of_area(auc, self.b)


def planned_variance(method: str, curve: PlannedCurve, kappa: float) -> float:
    """Number of positives times the variance of the AUC."""
    formula = {
        "obuchowski": _obuchowski,
        "hanley-mcneil": _hanley_mcneil,
        "binormal": _binormal,
        "delong": _delong,
    }[method]
    return formula(curve, kappa)


def planned_covariance(
    method: str,
    first: PlannedCurve,
    second: PlannedCurve,
    kappa: float,
    correlations: tuple[float, float],
) -> float:
    """Number of positives times the covariance of two AUCs on the same cases.

    `correlations` are those of the two scores among the negatives and among the positives.
    """
    formula = {"binormal": _binormal_covariance, "delong": _delong_covariance}[method]
    return formula(first, second, kappa, correlations)


def _obuchowski(curve: PlannedCurve, kappa: float) -> float:
    """F5.1. It is F5.5 at slope 1 with 1/(32 pi) rounded, and sqrt(2) where others round too."""
    a = math.sqrt(2) * NORMAL.inv_cdf(curve.auc)
    return 0.0099 * math.exp(-a * a / 2) * ((5 * a * a + 8) + (a * a + 8) / kappa)


def _hanley_mcneil(curve: PlannedCurve, kappa: float) -> float:
    """F5.2: exact for exponential scores."""
    A = curve.auc
    Q1, Q2 = A / (2 - A), 2 * A * A / (1 + A)
    return (Q1 - A * A) / kappa + (Q2 - A * A)


def _slopes(curve: PlannedCurve) -> tuple[float, float]:
    """Derivatives f and g of the area by a and by b."""
    spread = 1 + curve.b**2
    E = math.exp(-(curve.a**2) / (2 * spread))
    f = E / math.sqrt(2 * math.pi * spread)
    g = -E * curve.a * curve.b / math.sqrt(2 * math.pi * spread**3)
    return f, g


def _binormal(curve: PlannedCurve, kappa: float) -> float:
    """F5.5 (Obuchowski & McClish 1997): f^2 Var(a) + g^2 Var(b), their covariance left out."""
    A, B = curve.a, curve.b
    f, g = _slopes(curve)
    return f * f * (1 + B * B / kappa + A * A / 2) + g * g * B * B * (1 + kappa) / (2 * kappa)


def _binormal_covariance(
    first: PlannedCurve, second: PlannedCurve, kappa: float, correlations: tuple[float, float]
) -> float:
    """F5.6 (Obuchowski & McClish 1997)."""
    (_, A1, B1), (_, A2, B2) = first, second
    (f1, g1), (f2, g2) = _slopes(first), _slopes(second)
    rn, ra = correlations
    return (
        f1 * f2 * (ra + rn * B1 * B2 / kappa + ra**2 * A1 * A2 / 2)
        + g1 * g2 * B1 * B2 * (rn**2 + kappa * ra**2) / (2 * kappa)
        + f1 * g2 * ra**2 * A1 * B2 / 2
        + f2 * g1 * ra**2 * A2 * B1 / 2
    )


def _delong(curve: PlannedCurve, kappa: float) -> float:
    """The variance that DeLong's test estimates: a covariance of the AUC with itself."""
    return _delong_covariance(curve, curve, kappa, (1.0, 1.0))


def _delong_covariance(
    first: PlannedCurve, second: PlannedCurve, kappa: float, correlations: tuple[float, float]
) -> float:
    """Covariance of two empirical AUCs of normal scores, up to terms in 1/n.

    A case contributes the share of the other class on its right side. Two such shares of one
    positive have the mean product P(X1 < Y1, X2' < Y2) with X1, X2' from different negatives, a
    bivariate normal probability: the positives' variance is 1/(1 + b^2) of that of a difference.
    """
    between = math.sqrt((1 + first.b**2) * (1 + second.b**2))
    rn, ra = correlations
    h, k = (curve.a / math.sqrt(1 + curve.b**2) for curve in (first, second))
    chance = first.auc * second.auc
    of_positives = bivariate_normal(h, k, ra / between) - chance
    of_negatives = bivariate_normal(h, k, rn * first.b * second.b / between) - chance
    return of_positives + of_negatives / kappa


def bivariate_normal(h: float, k: float, rho: float) -> float:
    """P(X <= h, Y <= k) for standard normal X, Y with correlation `rho`, by Owen's T function."""
    from scipy.special import owens_t

    h, k = (0.0 if abs(x) < NEGLIGIBLE else x for x in (h, k))  # products must not underflow
    if h == 0 and k == 0:
        return 0.25 + math.asin(rho) / (2 * math.pi)
    root = math.sqrt((1 - rho) * (1 + rho))
    towards = [
        float(owens_t(x, (y - rho * x) / (x * root))) if x != 0 else math.copysign(0.25, y)
        for x, y in ((h, k), (k, h))
    ]
    # Owen (1956): a half is taken off where the two limits lie on different sides of 0
    apart = (h < 0) != (k < 0)
    return (NORMAL.cdf(h) + NORMAL.cdf(k)) / 2 - sum(towards) - (0.5 if apart else 0.0)


@dataclass(frozen=True, slots=True)
class PilotVariance:
    """AUCs of a pilot, and what each class adds to the variance of the AUC or the difference.

    With M positives and N negatives the variance is `of_positives` / M + `of_negatives` / N: that
    of DeLong, whose two parts shrink with the two classes.
    """

    areas: tuple[float, ...]
    of_positives: float
    of_negatives: float
    correlation: float | None
    n_pos: int
    n_neg: int

    def variance(self, kappa: float) -> float:
        """Number of positives times the variance, with `kappa` negatives per positive."""
        return self.of_positives + self.of_negatives / kappa


def pilot_variance(data: Tally | Pairs) -> PilotVariance:
    """Of one model, or of the difference of two on the same cases."""
    pairs = data if isinstance(data, Pairs) else _as_pairs(data)
    if len(pairs.names) > 2:
        raise InputError(
            f"`auc` as a pilot needs one or two models; got {len(pairs.names)}. Pass "
            "pairs.select([first, second])."
        )
    if pairs.weights is not None or pairs.groups is not None:
        raise InputError("`auc` as a pilot needs rows without weights and clusters.")
    M, N = pairs.n_pos, pairs.n_neg
    if min(M, N) < 2:
        raise InputError("`auc` as a pilot needs at least two cases in each class.")
    areas, SM, SN = sums_of_products(pairs)
    of_positives, of_negatives = SM / (M - 1), SN / (N - 1)
    correlation = None
    if len(pairs.names) == 2:
        products = of_positives / M + of_negatives / N  # DeLong's covariance matrix
        scale = math.sqrt(products[0, 0] * products[1, 1])
        correlation = float(products[0, 1] / scale) if scale > 0 else 0.0
    found_variance = PilotVariance(
        tuple(map(float, areas)),
        _of_difference(of_positives),
        _of_difference(of_negatives),
        correlation,
        M,
        N,
    )
    if found_variance.variance(1.0) <= 0 or not all(0 < area < 1 for area in found_variance.areas):
        raise InputError(
            "`auc` as a pilot has no variance (an AUC of 0 or 1, or models that rank alike); give "
            "the areas you expect instead."
        )
    return found_variance


def _of_difference(matrix: Floats) -> float:
    """The variance of one estimate, or of the difference of two, where rounding is none."""
    if len(matrix) == 1:
        return float(matrix[0, 0])
    scale = matrix[0, 0] + matrix[1, 1]
    variance = float(scale - 2 * matrix[0, 1])
    return variance if variance > 1e-13 * scale else 0.0


def _as_pairs(data: Tally) -> Pairs:
    if data.weighted or data.clustered:
        raise InputError("`auc` as a pilot needs rows without weights and clusters.")
    ranks = np.arange(len(data), 0, -1, dtype=np.float64)
    mask = np.repeat(np.array([1, 0], np.uint8), [int(data.n_pos), int(data.n_neg)])
    scores = np.concatenate([np.repeat(ranks, data.pos), np.repeat(ranks, data.neg)])
    return Pairs(mask, {"score": ScoreColumn(scores, None, data.origin)}, origin=data.origin)


@dataclass(frozen=True)
class Design:
    """What a study is to tell apart, and by which test: every option of a plan, checked once."""

    first: PlannedCurve
    second: PlannedCurve | None  # None where one AUC is compared with `null`
    null: float
    correlation: Correlation | None  # None for different cases
    variance: Variance
    difference: float  # to detect
    alpha: float
    sides: Sides
    pilot: PilotVariance | None = None  # whose variance takes the place of a formula

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
                f"the difference would be {min(V0, VA):.3g} under the "
                f"{'null hypothesis' if V0 <= 0 else 'alternative'}. Lower it, or give the AUC "
                "with the larger variance (as a rule the lower AUC) first."
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


def planned_design(
    auc: Expected | Pilot,
    other: Expected | None = None,
    null: float = 0.5,
    alpha: float = 0.05,
    sides: Sides = 2,
    correlation: Correlation | None = None,
    variance: Variance | None = None,
    difference: float | None = None,
) -> Design:
    """The design that the arguments describe, checked against each other."""
    pilot = None
    chosen: Variance
    if isinstance(auc, (Tally, Pairs)):
        for name, value in (("other", other), ("correlation", correlation), ("variance", variance)):
            if value is not None:
                raise InputError(f"`{name}` comes from the pilot given as `auc`; leave it out.")
        pilot = pilot_variance(auc)
        curves = [PlannedCurve.of_area(area) for area in pilot.areas]
        chosen, correlation = "delong", pilot.correlation
    else:
        curves = [_curve(auc, "auc")] + ([] if other is None else [_curve(other, "other")])
        chosen = _variance_of(variance, auc, other, correlation)
        correlation = _checked_correlation(correlation, chosen, paired=len(curves) == 2)
    first, second = curves[0], curves[1] if len(curves) == 2 else None
    null = planned_area(null, "null")
    if second is not None and null != 0.5:
        raise InputError(f"`null` is for one AUC, but two are compared; got {null:g}.")
    if second is None and difference is not None and pilot is None:
        raise InputError("`difference` is between two AUCs, but `other` was not given.")
    apart = first.auc - (null if second is None else second.auc)
    return Design(
        first=first,
        second=second,
        null=null,
        correlation=correlation,
        variance=chosen,
        difference=apart if difference is None else _checked_difference(difference),
        alpha=checks.within(checks.fraction(alpha, "alpha"), "alpha", SMALLEST_ALPHA, 1),
        sides=_checked_sides(sides),
        pilot=pilot,
    )


def planned_area(value: Any, argument: str) -> float:
    """An AUC inside 0 to 1, and not so close to them that its variance vanishes in rounding."""
    number = checks.fraction(value, argument)
    return checks.within(number, argument, SMALLEST_DISTANCE, 1 - SMALLEST_DISTANCE)


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
        return cast(Variance, checks.one_of(variance, "variance", get_args(Variance)))
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


def _checked_sides(sides: Any) -> Sides:
    number = isinstance(sides, Real) and not isinstance(sides, bool)
    if not number or sides not in (1, 2):
        raise InputError(f"`sides` must be 1 or 2; got {shown(sides)}.")
    return 1 if sides == 1 else 2
