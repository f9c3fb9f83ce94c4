"""Variances that an AUC will have in a study not yet made (F5.1, F5.2, F5.5, F5.6).

Every function gives the variance, or the covariance of two, times the number of positives;
`kappa` is the number of negatives per positive.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Literal, NamedTuple, get_args

Variance = Literal["obuchowski", "hanley-mcneil", "binormal", "delong"]
VARIANCES: tuple[Variance, ...] = get_args(Variance)
OF_SCORE_CORRELATIONS = ("binormal", "delong")
"""The variances that have a covariance to go with correlations of the scores."""

NORMAL = NormalDist()
NEGLIGIBLE = 1e-100


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
    """Number of positives times the variance of the AUC.

    Examples
    --------
    >>> round(planned_variance("obuchowski", PlannedCurve.of_area(0.8), kappa=2), 10)
    0.0964925228
    """
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
    """P(X <= h, Y <= k) for standard normal X, Y with correlation `rho`, by Owen's T function.

    Examples
    --------
    >>> round(bivariate_normal(0.0, 0.0, 0.5), 12)  # 1/4 + asin(rho) / (2 pi) = 1/3
    0.333333333333
    """
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
