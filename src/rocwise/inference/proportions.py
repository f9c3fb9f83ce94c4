"""Intervals of proportions by the usual methods, Newcombe's for a mean of two, and Tango's."""

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Counts, Floats
from rocwise.errors import InputError
from rocwise.inference.intervals import normal_quantile
from rocwise.results import Interval

ProportionMethod = Literal[
    "wilson",
    "wilson-continuity",
    "clopper-pearson",
    "mid-p",
    "jeffreys",
    "agresti-coull",
    "arcsine",
    "logit",
]
METHODS: tuple[str, ...] = get_args(ProportionMethod)
PROPORTION_NAMES = {  # in results; the others are called as the argument
    "wilson": "Wilson",
    "wilson-continuity": "Wilson with continuity correction",
    "clopper-pearson": "Clopper-Pearson",
    "jeffreys": "Jeffreys",
    "agresti-coull": "Agresti-Coull",
}
HALVINGS = 53  # of a range of at most 2


class Limits(NamedTuple):
    """A value and the interval around it."""

    value: float
    low: float
    high: float


def proportion_interval(
    k: int, n: int, *, level: float = 0.95, method: ProportionMethod = "wilson"
) -> Interval:
    """Compute a confidence interval for a proportion.

    Parameters
    ----------
    k : int
        Number of successes.
    n : int
        Number of trials.
    level : float, default 0.95
        Confidence level.
    method : str, default "wilson"
        One of {"wilson", "wilson-continuity", "clopper-pearson", "mid-p", "jeffreys",
        "agresti-coull", "arcsine", "logit"}: Wilson score interval, also with continuity
        correction; exact interval, conservative; mid-p; equal tails of Beta(k + 1/2, n - k + 1/2);
        Agresti-Coull; Anscombe's arcsine; logit. The Wald interval is not offered: its coverage is
        too low [1]_.

    Returns
    -------
    Interval
        Interval with `low`, `high`, `level` and `method`.

    See Also
    --------
    inference.tango_interval : Interval for a difference of paired proportions.
    at : Sensitivity, specificity, PPV and NPV at an operating point.

    References
    ----------
    .. [1] L. D. Brown, T. T. Cai and A. DasGupta, "Interval estimation for a binomial proportion",
           Stat. Sci. 16, 2001. doi:10.1214/ss/1009213286

    Examples
    --------
    >>> from rocwise.inference import proportion_interval
    >>> proportion_interval(7, 20)
    0.181 to 0.567 (95% CI, Wilson)
    """
    checks.one_of(method, "method", METHODS)
    level = checks.level(level)
    n = checks.whole(n, "n", at_most=2**53)
    k = checks.whole(k, "k", at_least=0, at_most=2**53)
    if k > n:
        raise InputError(f"`k` must not exceed `n`; got {k} of {n}.")
    low, high = proportion_limits(np.array([float(k)]), float(n), level, method)
    return Interval(low[0], high[0], level, PROPORTION_NAMES.get(method, method))


def proportion_limits(
    k: Floats | Counts, n: Floats | float, level: float, method: str
) -> tuple[Floats, Floats]:
    """Confidence limits of the proportions k / n, which include the proportion itself."""
    k = k.astype(np.float64, copy=False)
    if method == "wilson":
        return wilson_limits(k / n, n, level)
    makers = {
        "wilson-continuity": _continuity_limits,
        "clopper-pearson": lambda k, n, level: exact_limits(k, n, (1.0 - level) / 2),
        "mid-p": _mid_p_limits,
        "jeffreys": _jeffreys_limits,
        "agresti-coull": _agresti_coull_limits,
        "arcsine": _arcsine_limits,
        "logit": _logit_limits,
    }
    low, high = makers[method](k, n, level)
    return np.clip(low, 0.0, k / n), np.clip(high, k / n, 1.0)


def exact_limits(k: Floats, n: Any, tail: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's limits of k out of n, which leave `tail` on either side."""
    # (F6.13)
    from scipy.special import betainccinv, betaincinv

    low, high = np.clip(k, 1, None), np.clip(k, None, n - 1)
    # the upper one from what lies above, since 1 - tail has few digits of a small tail
    return (
        np.where(k == 0, 0.0, betaincinv(low, n - low + 1, tail)),
        np.where(k == n, 1.0, betainccinv(high + 1, n - high, tail)),
    )


def _mid_p_limits(k: Floats, n: Any, level: float) -> tuple[Floats, Floats]:
    """Where P(X > k) + P(X = k) / 2 is a tail of the error, found by halving."""
    from scipy.special import betainc

    def upper_tail(p: Floats) -> Floats:
        at_least = np.where(k == 0, 1.0, betainc(np.maximum(k, 0.5), n - k + 1, p))
        more = np.where(k == n, 0.0, betainc(k + 1, np.maximum(n - k, 0.5), p))
        return np.asarray((at_least + more) / 2)

    tail, ends = (1.0 - level) / 2, (np.zeros(len(k)), np.ones(len(k)))
    return _crossing(upper_tail, tail, *ends), _crossing(upper_tail, 1 - tail, *ends)


def _crossing(
    rising: Callable[[Floats], Floats], value: float, low: Floats, high: Floats
) -> Floats:
    """Where a function that rises from low to high has a value, by halving."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        below = rising(middle) < value
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return (low + high) / 2


def _jeffreys_limits(k: Floats, n: Any, level: float) -> tuple[Floats, Floats]:
    from scipy.special import betainccinv, betaincinv

    tail = (1.0 - level) / 2
    low, high = (inverse(k + 0.5, n - k + 0.5, tail) for inverse in (betaincinv, betainccinv))
    return np.where(k == 0, 0.0, low), np.where(k == n, 1.0, high)


def _agresti_coull_limits(k: Floats, n: Any, level: float) -> tuple[Floats, Floats]:
    z = normal_quantile(level)
    size = n + z * z
    p = (k + z * z / 2) / size
    reach = z * np.sqrt(p * (1 - p) / size)
    return p - reach, p + reach


def _arcsine_limits(k: Floats, n: Any, level: float) -> tuple[Floats, Floats]:
    center = np.arcsin(np.sqrt((k + 0.375) / (n + 0.75)))
    reach = normal_quantile(level) / (2 * np.sqrt(n))
    angles = (np.clip(center + side * reach, 0.0, np.pi / 2) for side in (-1, 1))
    low, high = (np.sin(angle) ** 2 for angle in angles)
    return low, high


def _logit_limits(k: Floats, n: Any, level: float) -> tuple[Floats, Floats]:
    """On the logit scale; the exact limits at proportions of 0 and 1, which have no logit."""
    inside = (k > 0) & (k < n)
    hits = np.where(inside, k, n / 2)
    center = np.log(hits / (n - hits))
    reach = normal_quantile(level) * np.sqrt(n / (hits * (n - hits)))
    exact = exact_limits(k, n, (1.0 - level) / 2)
    low, high = (1 / (1 + np.exp(-(center + side * reach))) for side in (-1, 1))
    return np.where(inside, low, exact[0]), np.where(inside, high, exact[1])


def _continuity_limits(k: Floats, n: Any, level: float) -> tuple[Floats, Floats]:
    """Wilson's limits with half a case added on either side (Newcombe 1998, method 4)."""
    z = normal_quantile(level)
    p = k / n
    ends = []
    for side in (-1, 1):
        inner = z * z + side * 2 - 1 / n + 4 * p * (n * (1 - p) - side)
        root = z * np.sqrt(np.maximum(inner, 0.0))
        ends.append((2 * n * p + z * z + side * (1 + root)) / (2 * (n + z * z)))
    return np.where(k == 0, 0.0, ends[0]), np.where(k == n, 1.0, ends[1])


def wilson_limits(p: Floats, n: Floats | float, level: float) -> tuple[Floats, Floats]:
    """Wilson's score limits of proportions of n cases."""
    # (F6.12)
    z = normal_quantile(level)
    scale = 1.0 + z * z / n
    middle = (p + z * z / (2 * n)) / scale
    half = z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale
    # rounding must not move the limit off a proportion of 0 or 1
    return np.where(p == 0, 0.0, middle - half), np.where(p == 1, 1.0, middle + half)


def square_and_add(rates: tuple[tuple[float, float], ...], level: float) -> Limits:
    """The mean of two independent proportions (rate, n) with Newcombe's limits from Wilson's."""
    values, sizes = np.array(rates, np.float64).T
    low, high = wilson_limits(values, sizes, level)
    value = float(values.sum()) / 2
    down, up = float(((values - low) ** 2).sum()), float(((high - values) ** 2).sum())
    return Limits(value, value - math.sqrt(down) / 2, value + math.sqrt(up) / 2)


def tango_interval(b: float, c: float, n: float, *, level: float = 0.95) -> Interval:
    """Compute Tango's score interval for a difference of paired proportions.

    The interval is for (b - c) / n and contains the differences that are not rejected by the score
    test with the constrained maximum likelihood estimate [1]_; it exists for b = c = 0.

    Parameters
    ----------
    b : float
        First discordant count, such as the false negatives of a confusion matrix.
    c : float
        Second discordant count, such as the false positives.
    n : float
        Number of pairs (cases).
    level : float, default 0.95
        Confidence level.

    Returns
    -------
    Interval
        Interval with `low`, `high`, `level` and `method`.

    See Also
    --------
    compare_at : Comparison of two models at an operating point.
    confident_segment : Thresholds where FN and FP do not differ significantly.
    inference.proportion_interval : Confidence interval for a proportion.

    References
    ----------
    .. [1] T. Tango, "Equivalence test and confidence interval for the difference in proportions
           for the paired-sample design", Stat. Med. 17, 1998, 891-908.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.inference.tango_interval(6, 16, 161)
    -0.124 to -0.005 (95% CI, Tango)
    """
    b, c = checks.not_negative(b, "b"), checks.not_negative(c, "c")
    n = checks.real(n, "n")
    if n <= 0:
        raise InputError(f"`n` must be positive; got {n:g}.")
    n = checks.within(n, "n", 1e-100, 2.0**53)
    if b + c > n:
        raise InputError(f"`b` and `c` must not exceed `n` together; got {b:g} + {c:g} > {n:g}.")
    z = normal_quantile(checks.level(level))
    low, high = tango_limits(np.array([b]), np.array([c]), n, z)
    return Interval(float(low[0]), float(high[0]), level, "Tango")


def tango_limits(b: Floats, c: Floats, n: float, z: float) -> tuple[Floats, Floats]:
    """Both limits for arrays of counts, by halving (F7.1): the statistic falls as delta grows."""
    middle = (b - c) / n

    def rising(delta: Floats) -> Floats:
        return -tango_statistic(b, c, n, delta)

    low = _crossing(rising, -z, np.full_like(middle, -1.0), middle)
    high = _crossing(rising, z, middle, np.ones_like(middle))
    return np.where(c == n, -1.0, low), np.where(b == n, 1.0, high)


def tango_statistic(b: Any, c: Any, n: float, delta: Any) -> Floats:
    """The score statistic T(delta): 0 / 0 counts as 0, anything else / 0 as infinite."""
    numerator = np.asarray(b - c - n * delta, np.float64)
    q21 = constrained_estimate(b, c, n, delta)
    variance = np.maximum(n * (2 * q21 + delta * (1 - delta)), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = numerator / np.sqrt(variance)
    return np.where(numerator == 0, 0.0, ratio)


def constrained_estimate(b: Any, c: Any, n: float, delta: Any) -> Floats:
    """Maximum likelihood proportion of the second kind of disagreement, given the difference."""
    w = -b - c + (2 * n - b + c) * delta
    root = np.sqrt(np.maximum(w * w + 8 * n * c * delta * (1 - delta), 0.0))
    # the root is subtracted from its equal when w > 0; this form keeps the digits
    with np.errstate(divide="ignore", invalid="ignore"):
        kept = 2 * c * delta * (1 - delta) / (root + w)
    return np.asarray(np.where((w > 0) & (root + w > 0), kept, (root - w) / (4 * n)), np.float64)
