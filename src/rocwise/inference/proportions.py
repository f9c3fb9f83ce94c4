"""Proportions."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.inference.interval_limits import normal_quantile
from rocwise.results import Interval


class Limits(NamedTuple):
    """A value and the interval around it."""

    value: float
    low: float
    high: float


def square_and_add(rates: tuple[tuple[float, float], ...], level: float) -> Limits:
    """The mean of two independent proportions (rate, n) with Newcombe's limits from Wilson's."""
    value = sum(rate for rate, _ in rates) / 2
    down = up = 0.0
    for rate, n in rates:
        low, high = wilson(rate, n, level)
        down += (rate - low) ** 2
        up += (high - rate) ** 2
    return Limits(value, value - math.sqrt(down) / 2, value + math.sqrt(up) / 2)


def wilson(rate: float, n: float, level: float) -> tuple[float, float]:
    """Wilson's score interval of a proportion.

    >>> [round(limit, 4) for limit in wilson(0.9, 10, 0.95)]
    [0.5958, 0.9821]
    """
    z = normal_quantile(level)
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return max(0.0, centre - reach), min(1.0, centre + reach)


METHODS = ("wilson", "clopper-pearson")


def proportion_interval(k: int, n: int, *, level: float = 0.95, method: str = "wilson") -> Interval:
    """Interval of a share of k among n.

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.proportion_interval(7, 20)
    0.181 to 0.567 (95 % CI, wilson)
    """
    checks.one_of(method, "method", METHODS)
    checks.fraction(level, "level")
    n = checks.whole(n, "n")
    k = checks.whole(k, "k", at_least=0)
    if k > n:
        raise InputError(f"`k` must not exceed `n`; got {k} of {n}.")
    low, high = proportion_limits(np.array([float(k)]), float(n), level, method)
    return Interval(low[0], high[0], level, method)


def proportion_limits(k: Floats, n: float, level: float, method: str) -> tuple[Floats, Floats]:
    """Limits of the shares k / n."""
    from scipy.special import betaincinv, ndtri

    tail = (1.0 - level) / 2
    if method == "clopper-pearson":
        inner = np.clip(k, 1, None), np.clip(k, None, n - 1)
        low = np.where(k == 0, 0.0, betaincinv(inner[0], n - inner[0] + 1, tail))
        high = np.where(k == n, 1.0, betaincinv(inner[1] + 1, n - inner[1], 1.0 - tail))
        return low, high
    z = float(ndtri(1.0 - tail))
    share = k / n
    scale = 1.0 + z * z / n
    middle = (share + z * z / (2 * n)) / scale
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    # rounding must not move the limit off a share of 0 or 1
    return np.where(k == 0, 0.0, middle - half), np.where(k == n, 1.0, middle + half)
