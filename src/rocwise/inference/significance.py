"""From an estimate and its standard error to a statistic, a p value and an interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.inference.intervals import normal_quantile

PlainAlternative = Literal["two-sided", "greater", "less"]
Alternative = Literal[PlainAlternative, "non-inferior", "equivalent"]
PLAIN_ALTERNATIVES: tuple[str, ...] = get_args(PlainAlternative)
ALTERNATIVES: tuple[str, ...] = get_args(Alternative)
NEARLY_NORMAL = 1e6  # degrees of freedom from which on Student's t is normal for every purpose


@dataclass(frozen=True, slots=True)
class Reference:
    """The distribution a statistic is referred to: normal, or t with `df` degrees of freedom."""

    df: float | None = None

    def upper_tail(self, statistic: float) -> float:
        """P(T >= statistic)."""
        if math.isinf(statistic):
            return 0.0 if statistic > 0 else 1.0
        if self.df is None or self.df >= NEARLY_NORMAL:
            return 0.5 * math.erfc(statistic / math.sqrt(2))
        from scipy.special import stdtr

        return float(stdtr(self.df, -statistic))

    def quantile(self, level: float) -> float:
        """The t with P(|T| <= t) = level."""
        if self.df is None or self.df >= NEARLY_NORMAL:
            return normal_quantile(level)
        from scipy.special import stdtrit

        return float(stdtrit(self.df, (1 + level) / 2))

    def normal_equivalent(self, statistic: float) -> float:
        """The normal statistic with the same tail."""
        if self.df is None:
            return statistic
        from scipy.special import ndtri

        return math.copysign(float(ndtri(self.upper_tail(abs(statistic)))), statistic)


NORMAL = Reference()


def satterthwaite(parts: Sequence[tuple[float, float]]) -> float | None:
    """Degrees of freedom of a sum of variances, each from so many cases; None for no variance."""
    total = sum(variance for variance, _ in parts)
    squares = sum(variance * variance / (n - 1) for variance, n in parts)
    return total * total / squares if squares > 0 else None


@dataclass(frozen=True, slots=True)
class Decision:
    """Statistic, p value and two-sided limits of a difference."""

    statistic: float
    p_value: float
    low: float
    high: float


def decide(
    difference: float,
    error: float,
    *,
    alternative: str,
    margin: float | None = None,
    level: float = 0.95,
    reference: Reference = NORMAL,
) -> Decision:
    """Refer a difference to its standard error.

    `margin` moves the null: "non-inferior" tests difference > -margin, "equivalent" tests
    -margin < difference < margin by two one-sided tests, whose larger p value counts.
    """
    if margin is not None and error == 0.0:
        raise InputError(
            f"alternative={alternative!r} needs the variance of the difference, and this "
            "sample shows none (identical ranks, or separated classes); collect more "
            "cases."
        )
    reach = reference.quantile(level) * error
    low, high = difference - reach, difference + reach
    statistic = _ratio(difference + (margin or 0.0), error)
    if alternative == "equivalent":
        assert margin is not None
        statistic = min(statistic, _ratio(margin - difference, error))
    if alternative == "two-sided":
        p = min(1.0, 2 * reference.upper_tail(abs(statistic)))
    else:
        p = reference.upper_tail(-statistic if alternative == "less" else statistic)
    return Decision(statistic, p, low, high)


def sign_reach(difference: Any, cases: float, tail: float, largest: Any = np.inf) -> Any:
    """How far the limits of a difference that is the same for all cases reach on either side.

    As many cases that all point one way leave the probability `tail` for a chance of that way of
    no more than tail**(1/cases) (Clopper and Pearson 1934): zero lies within the limits where the
    sign test's 0.5**cases is not below `tail`. Cases that all agree leave room for as many that
    do not, with the `largest` difference there is, if it is finite.
    """
    most = np.where(np.isinf(largest), 0.0, largest)
    reach = np.where(np.equal(difference, 0), most, 2 * np.abs(difference))
    return reach * (1 - tail ** (1 / cases))


def _ratio(difference: float, error: float) -> float:
    """The difference over its error; without any variance 0 for no difference, else infinite."""
    if error > 0:
        return difference / error
    return 0.0 if difference == 0 else math.copysign(math.inf, difference)


def error_of_difference(covariance: Floats, a: int, b: int, method: str) -> float:
    """Standard error of the difference of two estimates (F2.6)."""
    scale = float(covariance[a, a] + covariance[b, b])
    variance = scale - 2 * float(covariance[a, b])
    if variance < -1e-12 * scale:
        raise InputError(
            f"method={method!r} estimates a negative variance ({variance:.3g}) for this "
            "difference, so it gives no test and no interval; use method='delong'."
        )
    noise = max(1e-14 * scale, 1e-24)  # rounding of estimates between 0 and 1
    return math.sqrt(variance) if variance > noise else 0.0


def checked_margin(alternative: str, margin: float | None, n_models: int) -> float | None:
    """The margin, checked with the alternative that needs it or has no use for it."""
    checks.one_of(alternative, "alternative", ALTERNATIVES)
    if n_models > 2 and alternative != "two-sided":
        raise InputError(
            f"alternative={alternative!r} needs exactly two models; got {n_models}. "
            "Pass two of them, e.g. pairs.select([first, second])."
        )
    needs = alternative in ("non-inferior", "equivalent")
    if needs and margin is None:
        raise InputError(
            f"alternative={alternative!r} needs `margin`, the largest difference that does not "
            "matter, e.g. margin=0.05."
        )
    if not needs and margin is not None:
        raise InputError(
            f"`margin` has no meaning with alternative={alternative!r}; "
            "use alternative='non-inferior' or 'equivalent'."
        )
    if margin is None:
        return None
    checked = checks.real(margin, "margin")
    if checked <= 0:
        raise InputError(f"`margin` must be above 0; got {shown(margin)}.")
    return checked


def holm(p_values: list[float]) -> list[float]:
    """Adjust p values by Holm's step-down method.

    The family-wise error rate is controlled under any dependence [1]_.

    Parameters
    ----------
    p_values : list of float
        Unadjusted p values.

    Returns
    -------
    list of float
        Adjusted p values, in the same order.

    See Also
    --------
    compare : Test and interval for the difference of AUCs.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6,
           1979, 65-70.

    Examples
    --------
    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    given = checks.rates(p_values, "p_values", most=1).reshape(-1)
    order = np.argsort(given, kind="stable")
    steps = np.arange(len(given), 0, -1)
    adjusted = np.empty(len(given))
    adjusted[order] = np.maximum.accumulate(np.minimum(1.0, steps * given[order]))
    return adjusted.tolist()
