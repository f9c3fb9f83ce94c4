"""Confidence intervals of one area: Wald, Wilson, logit (F4.1, F4.2), score, bound; the choice."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

from rocwise import checks
from rocwise.binary.areas.variances import (
    area_spread,
    effective_sizes,
    exact_variance,
    refuse_unlike_rows,
)
from rocwise.binary.curves.parts import Part
from rocwise.data.tally import Tally
from rocwise.errors import InputError
from rocwise.inference.class_spreads import SpreadByClass
from rocwise.inference.intervals.effective_sizes import (
    WILSON,
    SizedArea,
    sized_area,
    symmetric_limits_hold,
    wilson_interval,
)
from rocwise.inference.intervals.interval_limits import (
    LIMIT_NAMES,
    hoeffding_limits,
    logit_interval,
    newcombe_limits,
    wald_interval,
)
from rocwise.results import Interval

OneMethod = Literal[
    "delong",
    "wilson",
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
AreaMethod = Literal["auto", OneMethod]
METHODS: tuple[OneMethod, ...] = get_args(OneMethod)
CHOICES = ("auto", *METHODS)
METHOD_NAMES = {
    "delong": "DeLong",
    "wilson": WILSON,
    "hanley-mcneil": "Hanley-McNeil",
    "jackknife": "jackknife",
    "exact-bootstrap": "exact bootstrap",
    "unbiased": "unbiased variance",
    **LIMIT_NAMES,
}
OF_PARTS = ("delong", "wilson", "logit", "bootstrap", "bca")
OF_UNLIKE_ROWS = ("delong", "wilson", "logit", "score", "bootstrap")
BY_DRAWS = ("bootstrap", "bca")
BY_SPREAD = ("delong", "wilson", "logit", "score", "hoeffding")


class Draws(NamedTuple):
    """How areas are resampled: how often, from which seed, and whether always by rows."""

    n_resamples: int
    rng: Any
    exact: bool


def area_interval(
    data: Tally,
    part: Part,
    value: float,
    *,
    method: str,
    level: float,
    n_resamples: int = 0,
    rng: Any = None,
    exact: bool = False,
    spread: SpreadByClass | None = None,
) -> tuple[float | None, Interval]:
    """Standard error (None where undefined) and interval of an area on the raw scale.

    Who knows the spread of the area need not have it made again.
    """
    draws = Draws(n_resamples, rng, exact)
    error, found = _interval(data, part, value, method, level, draws, spread)
    if data.clustered and method not in BY_DRAWS:
        found = replace(found, method=f"cluster-robust {found.method}")
    return error, found


def _interval(
    data: Tally,
    part: Part,
    value: float,
    method: str,
    level: float,
    draws: Draws,
    spread: SpreadByClass | None,
) -> tuple[float | None, Interval]:
    sizes = effective_sizes(data)
    _check_method(data, part, method)
    top = part.width
    alone = min(sizes) <= 1.0
    smaller = _smaller(sizes, part)
    if method == "auto":
        method = "delong" if symmetric_limits_hold(value / top, smaller) else "wilson"
    if method in BY_DRAWS and not alone:
        from rocwise.binary.areas.resampled_intervals import bootstrap_interval  # 20 ms to load

        return bootstrap_interval(data, part, value, method, level, draws)
    if data.clustered or (not alone and method in BY_SPREAD):
        spread = spread or area_spread(data, part)
    error = _error(data, method, spread)
    if method == "hoeffding" or (alone and method != "score"):
        return error, hoeffding_interval(sizes, part, value, level)
    if method == "wilson":
        assert spread is not None
        return error, _wilson(spread, smaller, part, value, level)
    if method == "score" or not error or (method == "logit" and not 0 < value < top):
        return error, score_interval(sizes, part, value, level)
    if method == "logit":
        return error, logit_interval(value, error, level, top)
    return error, wald_interval(value, error, level, METHOD_NAMES[method], (0.0, top))


def _smaller(sizes: tuple[float, float], part: Part) -> float:
    """Cases of the class with fewer of them; of a part those that are expected in its range."""
    n_pos, n_neg = sizes
    width = part.width
    return min(n_pos, n_neg * width) if part.axis == "fpr" else min(n_pos * width, n_neg)


def _wilson(
    spread: SpreadByClass, smaller: float, part: Part, value: float, level: float
) -> Interval:
    """Wilson's interval of the share of the part's width that lies under the curve."""
    return wilson_interval(_sized(spread, smaller, part, value), level, part.width)


def _sized(spread: SpreadByClass, smaller: float, part: Part, value: float) -> SizedArea:
    if part.is_whole:
        return sized_area(value, spread.variance, spread.by_class(), smaller)
    top = part.width
    by_class = [(variance / top**2, n) for variance, n in spread.by_class()]
    return sized_area(value / top, spread.variance / top**2, by_class, smaller)


def area_as_share(data: Tally, part: Part, value: float) -> SizedArea:
    """The share of a part's width that lies under the curve, with its effective size.

    With one case in a class by the largest variance that there can be.
    """
    sizes = effective_sizes(data)
    smaller = max(_smaller(sizes, part), 1.0)
    if min(sizes) <= 1.0:
        return sized_area(value / part.width, 0.0, (), smaller)
    return _sized(area_spread(data, part), smaller, part, value)


def _check_method(data: Tally, part: Part, method: str) -> None:
    """Refuse what is not defined and name what is."""
    checks.one_of(method, "method", CHOICES)
    if method == "auto":
        return
    if not part.is_whole and method not in OF_PARTS:
        raise InputError(
            f"method={method!r} is defined for the whole area only; "
            f"for a part use one of {', '.join(map(repr, OF_PARTS))}."
        )
    refuse_unlike_rows(data, method, OF_UNLIKE_ROWS)


def _error(data: Tally, method: str, spread: SpreadByClass | None) -> float | None:
    """The standard error a method rests on; None with one case in a class, which shows none."""
    if spread is not None:
        variance = spread.variance
    elif _class_of_one(data) and method != "hanley-mcneil":
        return None
    else:
        variance = float(exact_variance(data.placement_sums, method))
    return math.sqrt(max(variance, 0.0))


def _class_of_one(data: Tally) -> bool:
    return min(effective_sizes(data)) <= 1.0


def score_interval(sizes: tuple[float, float], part: Part, value: float, level: float) -> Interval:
    """Newcombe's score interval, which needs only the area and the two sizes.

    It stands in where the sample gives no variance although both classes have two cases or more:
    all pairs in order. For a part of the area it is taken of the share of the part's width that
    lies under the curve.
    """
    width = part.width
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
    width = part.width
    low, high = hoeffding_limits(value / width, smaller, level)
    return Interval(low * width, high * width, level, METHOD_NAMES["hoeffding"])
