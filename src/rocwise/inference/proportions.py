"""Intervals of shares: Wilson's, that of Clopper and Pearson, and Newcombe's for a mean of two."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.inference.interval_limits import normal_quantile
from rocwise.results import Interval

ProportionMethod = Literal["wilson", "clopper-pearson"]
METHODS: tuple[str, ...] = get_args(ProportionMethod)


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
    method : {"wilson", "clopper-pearson"}
        Wilson's score interval; or the exact one, never below its level and wider.

    Examples
    --------
    >>> from rocwise.inference import proportion_interval
    >>> proportion_interval(7, 20)
    0.181 to 0.567 (95 % CI, wilson)
    """
    checks.one_of(method, "method", METHODS)
    level = checks.level(level)
    n = checks.whole(n, "n")
    k = checks.whole(k, "k", at_least=0)
    if k > n:
        raise InputError(f"`k` must not exceed `n`; got {k} of {n}.")
    low, high = proportion_limits(np.array([float(k)]), float(n), level, method)
    return Interval(low[0], high[0], level, method)


def proportion_limits(k: Floats, n: float, level: float, method: str) -> tuple[Floats, Floats]:
    """Limits of the shares k / n."""
    if method == "wilson":
        return wilson_limits(k / n, n, level)
    from scipy.special import betaincinv

    tail = (1.0 - level) / 2
    inner = np.clip(k, 1, None), np.clip(k, None, n - 1)
    low = np.where(k == 0, 0.0, betaincinv(inner[0], n - inner[0] + 1, tail))
    high = np.where(k == n, 1.0, betaincinv(inner[1] + 1, n - inner[1], 1.0 - tail))
    return low, high


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
