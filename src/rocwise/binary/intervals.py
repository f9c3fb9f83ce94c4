"""Confidence intervals of one area: Wald, logit, bootstrap and BCa (F4.1 to F4.5), score, bound."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks
from rocwise.binary.curves import rates_from_zero
from rocwise.binary.partial import Part, partial_influence
from rocwise.binary.resampling import percentile_limits, refuse_weighted_resampling, replicates
from rocwise.binary.statistics import Area
from rocwise.binary.variances import (
    effective_sizes,
    exact_variance,
    influence_variance,
)
from rocwise.errors import InputError
from rocwise.results import Interval
from rocwise.tallies import Tally

Floats = NDArray[np.float64]

METHOD_NAMES = {
    "delong": "DeLong",
    "logit": "logit DeLong",
    "bootstrap": "bootstrap percentile",
    "bca": "bootstrap BCa",
    "hanley-mcneil": "Hanley-McNeil",
    "jackknife": "jackknife",
    "exact-bootstrap": "exact bootstrap",
    "unbiased": "unbiased variance",
    "score": "Newcombe score",
    "hoeffding": "Hoeffding bound",
}
METHODS = tuple(METHOD_NAMES)
OF_PARTS = ("delong", "logit", "bootstrap", "bca")
OF_WEIGHTS = ("delong", "logit", "score")


def area_interval(
    data: Tally,
    part: Part,
    value: float,
    *,
    method: str,
    level: float,
    n_resamples: int,
    rng: Any,
    variance: float | None = None,
    sizes: tuple[float, float] | None = None,
) -> tuple[float | None, Interval]:
    """Standard error (None where undefined) and interval of an area on the raw scale.

    `variance` and `sizes` (independent positives and negatives) replace the sample's own;
    clustered data bring theirs.
    """
    sizes = sizes or effective_sizes(data)
    _check_method(data, part, method)
    top = part.limits[1]
    alone = _class_of_one(data)
    if method in ("bootstrap", "bca") and not alone:
        return _bootstrap_interval(data, part, value, method, level, n_resamples, rng)
    if variance is None:
        variance = _variance(data, part, method)
    error = None if variance is None else math.sqrt(max(variance, 0.0))
    if method == "hoeffding" or (alone and method != "score"):
        return error, hoeffding_interval(sizes, part, value, level)
    if method == "score" or not error or (method == "logit" and not 0 < value < top):
        return error, score_interval(sizes, part, value, level)
    if method == "logit":
        return error, logit_interval(value, error, level, top)
    return error, wald_interval(value, error, level, METHOD_NAMES[method], (0.0, top))


def _check_method(data: Tally, part: Part, method: str) -> None:
    """Refuse what is not defined and name what is."""
    checks.one_of(method, "method", METHODS)
    if not part.is_whole and method not in OF_PARTS:
        raise InputError(
            f"method={method!r} is defined for the whole area only; "
            f"for a part use one of {', '.join(map(repr, OF_PARTS))}."
        )
    if data.weighted and method not in OF_WEIGHTS:
        raise InputError(
            f"weights are not supported by method={method!r}; "
            "use method='delong', whose influence functions take them."
        )


def _variance(data: Tally, part: Part, method: str) -> float | None:
    """The variance a method rests on; None with one case in a class, which shows no spread."""
    if _class_of_one(data) and method != "hanley-mcneil":
        return None
    if method in ("delong", "logit", "score", "hoeffding"):
        return influence_variance(data, part)
    return float(exact_variance(data.state, method))


def _class_of_one(data: Tally) -> bool:
    return min(effective_sizes(data)) <= 1.0


def wald_interval(
    value: float, error: float, level: float, method: str, limits: tuple[float, float]
) -> Interval:
    """Estimate plus and minus z standard errors, cut at the limits of the scale (F4.1)."""
    reach = normal_quantile(level) * error
    low, high = max(value - reach, limits[0]), min(value + reach, limits[1])
    return Interval(low, high, level, method)


def logit_interval(value: float, error: float, level: float, top: float = 1.0) -> Interval:
    """Wald interval on the logit scale, transformed back (F4.2); `top` is the largest area."""
    share = value / top
    centre = math.log(share / (1 - share))
    reach = normal_quantile(level) * error / (top * share * (1 - share))
    low, high = (top * _logistic(centre + side * reach) for side in (-1, 1))
    return Interval(low, high, level, METHOD_NAMES["logit"])


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def score_interval(sizes: tuple[float, float], part: Part, value: float, level: float) -> Interval:
    """Newcombe's score interval, which needs only the area and the two sizes.

    It stands in where the sample gives no variance although both classes have two cases or more:
    all pairs in order. For a part of the area it is taken of the share of the part's width that
    lies under the curve.
    """
    width = part.limits[1]
    low, high = newcombe_limits(value / width, *sizes, level)
    return Interval(low * width, high * width, level, METHOD_NAMES["score"])


def newcombe_variance(T: float, n_pos: float, n_neg: float) -> float:
    """Newcombe's model variance of an area estimate when the true area is T."""
    average = (n_pos + n_neg) / 2 - 1
    spread = 1 + average * (1 - T) / (2 - T) + average * T / (1 + T)
    return T * (1 - T) * spread / (n_pos * n_neg)


def newcombe_limits(A: float, n_pos: float, n_neg: float, level: float) -> tuple[float, float]:
    """Newcombe's score limits of an area (Stat. Med. 25, 2006, 559-573, method 5).

    The areas T with |A - T| <= z sqrt(V(T)), where
    V(T) = T(1-T) [1 + N*(1-T)/(2-T) + N* T/(1+T)] / (n_pos n_neg) and N* = (n_pos + n_neg)/2 - 1.
    """
    z = normal_quantile(level)

    def excess(T: float) -> float:
        return (A - T) ** 2 - z * z * newcombe_variance(T, n_pos, n_neg)

    low = 0.0 if A <= 0.0 else _crossing(excess, outside=0.0, inside=A)
    high = 1.0 if A >= 1.0 else _crossing(excess, outside=1.0, inside=A)
    return low, high


def hoeffding_interval(
    sizes: tuple[float, float], part: Part, value: float, level: float
) -> Interval:
    """Hoeffding's limits, which hold whatever the distribution of the scores.

    They stand in with one case in a class, where any narrower interval rests on assumptions.
    For a part of the area they are taken, as the score limits are, of the share of its width.
    """
    smaller = max(1.0, min(sizes))
    width = part.limits[1]
    low, high = hoeffding_limits(value / width, smaller, level)
    return Interval(low * width, high * width, level, METHOD_NAMES["hoeffding"])


def hoeffding_limits(A: float, smaller: float, level: float) -> tuple[float, float]:
    """Limits of an area that cover it at least at `level` (Hoeffding 1963, Theorem 1 and 5b).

    The area is an average of means of `smaller` independent comparisons, one per case of the
    smaller class, so its tails are no heavier than Hoeffding's bound for such a mean: the limits
    are the areas T with smaller * K(A, T) <= log(2 / (1 - level)), where
    K(A, T) = A log(A/T) + (1-A) log((1-A)/(1-T)). At A = 1 the lower one is
    ((1 - level)/2) ** (1/smaller), that of Clopper and Pearson for as many successes in a row.

    >>> round(hoeffding_limits(1.0, 1, 0.95)[0], 6)
    0.025
    """
    most = math.log(2 / (1 - level)) / smaller

    def excess(T: float) -> float:
        return divergence(A, T) - most

    low = 0.0 if A <= 0.0 else _crossing(excess, outside=0.0, inside=A)
    high = 1.0 if A >= 1.0 else _crossing(excess, outside=1.0, inside=A)
    return low, high


def divergence(A: float, T: float) -> float:
    """K(A, T) of Hoeffding's bound: the Kullback-Leibler divergence of two coins."""
    above = A * math.log(A / T) if A > 0 else 0.0
    below = (1 - A) * math.log((1 - A) / (1 - T)) if A < 1 else 0.0
    return above + below


def _crossing(excess: Any, *, outside: float, inside: float) -> float:
    """Where `excess` changes sign between a point outside the interval and the estimate."""
    if inside in (0.0, 1.0):  # excess is 0 at the estimate itself: step off it, towards outside
        inside += (outside - inside) * 1e-12
    for _ in range(200):
        middle = (outside + inside) / 2
        if middle in (outside, inside):
            break
        if excess(middle) > 0:
            outside = middle
        else:
            inside = middle
    return inside


def _bootstrap_interval(
    data: Tally,
    part: Part,
    value: float,
    method: str,
    level: float,
    n_resamples: int,
    rng: Any,
) -> tuple[float, Interval]:
    """Percentile or BCa interval; the score interval where all resamples agree."""
    refuse_weighted_resampling(data, f"method={method!r}")
    values = replicates(data, Area(part), n_resamples=n_resamples, seed=checks.seed(rng))
    error = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    if values.min() == values.max():
        return error, score_interval(effective_sizes(data), part, value, level)
    if method == "bca":
        low, high = bca_limits(values, value, acceleration(data, part), level)
    else:
        low, high = percentile_limits(values, level)
    return error, Interval(low, high, level, METHOD_NAMES[method])


def bca_limits(
    values: Floats, estimate: float, acceleration: float, level: float
) -> tuple[float, float]:
    """Bias-corrected and accelerated quantiles (F4.4); ties with the estimate count one half."""
    normal = NormalDist()
    tied = np.abs(values - estimate) <= 1e-12
    below = np.count_nonzero((values < estimate) & ~tied) + np.count_nonzero(tied) / 2
    p0 = below / len(values)
    if not 0.0 < p0 < 1.0:
        raise InputError(
            "method='bca' is undefined here: all resamples lie on one side of the estimate. "
            "Use method='bootstrap' or 'score'."
        )
    z0 = normal.inv_cdf(p0)

    def corrected(q: float) -> float:
        shifted = z0 + normal.inv_cdf(q)
        return normal.cdf(z0 + shifted / (1 - acceleration * shifted))

    tail = (1 - level) / 2
    low, high = np.quantile(values, [corrected(tail), corrected(1 - tail)])
    return float(low), float(high)


def acceleration(data: Tally, part: Part) -> float:
    """BCa's acceleration from the influence of every case, both classes (F4.5)."""
    v, u = partial_influence(*rates_from_zero(data), part)
    N, M = data.n_neg, data.n_pos
    cubes = float(data.neg @ u**3) / N**3 + float(data.pos @ v**3) / M**3
    squares = float(data.neg @ u**2) / N**2 + float(data.pos @ v**2) / M**2
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0


def normal_quantile(level: float) -> float:
    """The z with P(|Z| <= z) = level."""
    return NormalDist().inv_cdf((1 + level) / 2)
