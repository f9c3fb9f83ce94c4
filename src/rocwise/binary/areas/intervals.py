"""Confidence intervals of one area: Wald, logit, bootstrap and BCa (F4.1 to F4.5), score, bound."""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

from rocwise import checks
from rocwise.binary.areas.variances import effective_sizes, exact_variance, influence_variance
from rocwise.binary.curves.empirical import rates_from_zero
from rocwise.binary.curves.parts import Part, partial_influence
from rocwise.binary.resampling.curve_statistics import Area
from rocwise.binary.resampling.replicates import refuse_weighted_resampling, replicates
from rocwise.errors import InputError
from rocwise.inference.chunked_draws import percentile_limits
from rocwise.inference.interval_limits import (
    LIMIT_NAMES,
    bca_limits,
    hoeffding_limits,
    logit_interval,
    newcombe_limits,
    wald_interval,
)
from rocwise.primitives.tallies import Tally
from rocwise.results import Interval

AreaMethod = Literal[
    "delong",
    "logit",
    "bootstrap",
    "bca",
    "hanley-mcneil",
    "jackknife",
    "exact-bootstrap",
    "unbiased",
    "score",
    "hoeffding",
]
METHODS: tuple[AreaMethod, ...] = get_args(AreaMethod)
METHOD_NAMES = {
    "delong": "DeLong",
    "hanley-mcneil": "Hanley-McNeil",
    "jackknife": "jackknife",
    "exact-bootstrap": "exact bootstrap",
    "unbiased": "unbiased variance",
    **LIMIT_NAMES,
}
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
    return float(exact_variance(data.placement_sums, method))


def _class_of_one(data: Tally) -> bool:
    return min(effective_sizes(data)) <= 1.0


def score_interval(sizes: tuple[float, float], part: Part, value: float, level: float) -> Interval:
    """Newcombe's score interval, which needs only the area and the two sizes.

    It stands in where the sample gives no variance although both classes have two cases or more:
    all pairs in order. For a part of the area it is taken of the share of the part's width that
    lies under the curve.
    """
    width = part.limits[1]
    low, high = newcombe_limits(value / width, *sizes, level)
    return Interval(low * width, high * width, level, METHOD_NAMES["score"])


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


def acceleration(data: Tally, part: Part) -> float:
    """BCa's acceleration from the influence of every case, both classes (F4.5)."""
    v, u = partial_influence(*rates_from_zero(data), part)
    N, M = data.n_neg, data.n_pos
    cubes = float(data.neg @ u**3) / N**3 + float(data.pos @ v**3) / M**3
    squares = float(data.neg @ u**2) / N**2 + float(data.pos @ v**2) / M**2
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0
