"""Intervals of shares by all usual methods, and Newcombe's for a mean of two."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Array, Counts, Floats
from rocwise.errors import InputError
from rocwise.inference.intervals.exact_limits import exact_limits, limits_of_all_counts
from rocwise.inference.intervals.interval_limits import normal_quantile
from rocwise.kernels.long_arrays import far_apart, give_back, on_large_pages
from rocwise.kernels.row_formulas import parts_of_rows, steps_of_rows
from rocwise.kernels.threads import run_parts
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
HALVINGS = 60


class Limits(NamedTuple):
    """A value and the interval around it."""

    value: float
    low: float
    high: float


def proportion_interval(
    k: int, n: int, *, level: float = 0.95, method: ProportionMethod = "wilson"
) -> Interval:
    """Interval of a share of k among n.

    Parameters
    ----------
    k, n : int
        How many there are, of how many.
    level : float, default 0.95
        Confidence level.
    method : str, default "wilson"
        "wilson", the score interval, "wilson-continuity" with a continuity correction;
        "clopper-pearson", the exact one, never below its level and wider; "mid-p", which halves
        its caution; "jeffreys", the equal tails of Beta(k + 1/2, n - k + 1/2); "agresti-coull";
        "arcsine" (Anscombe); "logit". Wald's, share plus and minus, is too poor to be here.

    Examples
    --------
    >>> from rocwise.inference import proportion_interval
    >>> proportion_interval(7, 20)
    0.181 to 0.567 (95 % CI, wilson)
    """
    checks.one_of(method, "method", METHODS)
    level = checks.level(level)
    n = checks.whole(n, "n", at_most=2**53)
    k = checks.whole(k, "k", at_least=0, at_most=2**53)
    if k > n:
        raise InputError(f"`k` must not exceed `n`; got {k} of {n}.")
    low, high = proportion_limits(np.array([float(k)]), float(n), level, method)
    return Interval(low[0], high[0], level, method)


def proportion_limits(
    k: Floats | Counts, n: float, level: float, method: str
) -> tuple[Floats, Floats]:
    """Limits of the shares k / n, which always hold the share itself.

    Of more counts than there can be different ones, each is looked up.
    """
    if k.dtype.kind == "f" or len(k) <= n:
        return _limits(k.astype(np.float64, copy=False), n, level, method)
    give_back(len(k))
    low, high = _limits_of_all(int(n), level, method)
    low = _looked_up(low, k)
    give_back(len(k))  # the first table, before the second column is made
    return low, _looked_up(high, k)


def _looked_up(table: Floats, places: Array) -> Floats:
    """The numbers at these places of a table, taken without a copy in between."""
    found = on_large_pages(len(places))

    def fill(first: int, last: int) -> None:
        some = slice(first, last)
        table.take(places[some], out=found[some], mode="clip")  # else it takes into a copy first

    run_parts(fill, far_apart(parts_of_rows(len(places))))
    return found


def _limits_of_all(n: int, level: float, method: str) -> tuple[Floats, Floats]:
    """Limits of every count from 0 to n, some on each thread."""
    if method == "clopper-pearson":
        low, high = limits_of_all_counts(n, (1.0 - level) / 2)
    else:
        low, high = np.empty((2, n + 1))

    def fill(first: int, last: int) -> None:
        if method == "clopper-pearson":
            for some in steps_of_rows(first, last, n + 1):
                shares = np.arange(float(some.start), float(some.stop)) / n
                _held(shares, low[some], high[some])
        else:
            counts = np.arange(float(first), float(last))
            low[first:last], high[first:last] = _limits(counts, float(n), level, method)

    run_parts(fill, parts_of_rows(n + 1))
    return low, high


def _limits(k: Floats, n: float, level: float, method: str) -> tuple[Floats, Floats]:
    if method == "wilson":
        return wilson_limits(k / n, n, level)
    makers = {
        "wilson-continuity": _continuity_limits,
        "clopper-pearson": _exact_limits,
        "mid-p": _mid_p_limits,
        "jeffreys": _jeffreys_limits,
        "agresti-coull": _agresti_coull_limits,
        "arcsine": _arcsine_limits,
        "logit": _logit_limits,
    }
    return _held(k / n, *makers[method](k, n, level))


def _held(share: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Limits on either side of the share."""
    return np.clip(low, 0.0, share, out=low), np.clip(high, share, 1.0, out=high)


def _exact_limits(k: Floats, n: float, level: float) -> tuple[Floats, Floats]:
    return exact_limits(k, n, (1.0 - level) / 2)


def _mid_p_limits(k: Floats, n: float, level: float) -> tuple[Floats, Floats]:
    """Where P(X > k) + P(X = k) / 2 is a tail of the error, found by halving."""
    from scipy.special import betainc

    def upper_tail(share: Floats) -> Floats:
        at_least = np.where(k == 0, 1.0, betainc(np.maximum(k, 0.5), n - k + 1, share))
        more = np.where(k == n, 0.0, betainc(k + 1, np.maximum(n - k, 0.5), share))
        return np.asarray((at_least + more) / 2)

    tail = (1.0 - level) / 2
    return _where_rising(upper_tail, tail, len(k)), _where_rising(upper_tail, 1 - tail, len(k))


def _where_rising(function: Callable[[Floats], Floats], value: float, size: int) -> Floats:
    low, high = np.zeros(size), np.ones(size)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        below = function(middle) < value
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return (low + high) / 2


def _jeffreys_limits(k: Floats, n: float, level: float) -> tuple[Floats, Floats]:
    from scipy.special import betainccinv, betaincinv

    tail = (1.0 - level) / 2
    low, high = (inverse(k + 0.5, n - k + 0.5, tail) for inverse in (betaincinv, betainccinv))
    return np.where(k == 0, 0.0, low), np.where(k == n, 1.0, high)


def _agresti_coull_limits(k: Floats, n: float, level: float) -> tuple[Floats, Floats]:
    z = normal_quantile(level)
    return _normal_limits(k + z * z / 2, n + z * z, level)


def _arcsine_limits(k: Floats, n: float, level: float) -> tuple[Floats, Floats]:
    centre = np.arcsin(np.sqrt((k + 0.375) / (n + 0.75)))
    reach = normal_quantile(level) / (2 * math.sqrt(n))
    angles = (np.clip(centre + side * reach, 0.0, np.pi / 2) for side in (-1, 1))
    low, high = (np.sin(angle) ** 2 for angle in angles)
    return low, high


def _logit_limits(k: Floats, n: float, level: float) -> tuple[Floats, Floats]:
    """On the logit scale; the exact limits at shares of 0 and 1, which have no logit."""
    inside = (k > 0) & (k < n)
    hits = np.where(inside, k, n / 2)
    centre = np.log(hits / (n - hits))
    reach = normal_quantile(level) * np.sqrt(n / (hits * (n - hits)))
    exact = _exact_limits(k, n, level)
    low, high = (1 / (1 + np.exp(-(centre + side * reach))) for side in (-1, 1))
    return np.where(inside, low, exact[0]), np.where(inside, high, exact[1])


def _normal_limits(k: Floats, n: float, level: float) -> tuple[Floats, Floats]:
    share = k / n
    reach = normal_quantile(level) * np.sqrt(share * (1 - share) / n)
    return share - reach, share + reach


def _continuity_limits(k: Floats, n: float, level: float) -> tuple[Floats, Floats]:
    """Wilson's limits with half a case added on either side (Newcombe 1998, method 4)."""
    z = normal_quantile(level)
    share = k / n
    ends = []
    for side in (-1, 1):
        inner = z * z + side * 2 - 1 / n + 4 * share * (n * (1 - share) - side)
        root = z * np.sqrt(np.maximum(inner, 0.0))
        ends.append((2 * n * share + z * z + side * (1 + root)) / (2 * (n + z * z)))
    return np.where(k == 0, 0.0, ends[0]), np.where(k == n, 1.0, ends[1])


def wilson_limits(share: Floats, n: Floats | float, level: float) -> tuple[Floats, Floats]:
    """Wilson's score limits of shares among n cases.

    >>> [round(float(limit[0]), 4) for limit in wilson_limits(np.array([0.9]), 10, 0.95)]
    [0.5958, 0.9821]
    """
    z = normal_quantile(level)
    scale = 1.0 + z * z / n
    middle = (share + z * z / (2 * n)) / scale
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    # rounding must not move the limit off a share of 0 or 1
    return np.where(share == 0, 0.0, middle - half), np.where(share == 1, 1.0, middle + half)


def square_and_add(rates: tuple[tuple[float, float], ...], level: float) -> Limits:
    """The mean of two independent proportions (rate, n) with Newcombe's limits from Wilson's."""
    shares, sizes = np.array(rates, np.float64).T
    low, high = wilson_limits(shares, sizes, level)
    value = float(shares.sum()) / 2
    down, up = float(((shares - low) ** 2).sum()), float(((high - shares) ** 2).sum())
    return Limits(value, value - math.sqrt(down) / 2, value + math.sqrt(up) / 2)
