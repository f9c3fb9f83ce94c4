"""Tango's score interval for the difference of two paired proportions (F7.1)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.inference.intervals.interval_limits import normal_quantile
from rocwise.results import Interval

HALVINGS = 200
CLOSE = 1e-15


def tango_interval(b: float, c: float, n: float, *, level: float = 0.95) -> Interval:
    """Tango's score interval for (b - c) / n, where b and c are the two kinds of disagreement.

    In a confusion matrix b counts the missed positives (FN) and c the false alarms (FP) among n
    cases. The interval holds every difference that the score test with the constrained maximum
    likelihood estimate does not reject; it exists for b = c = 0 as well.

    Parameters
    ----------
    b, c : float
        Discordant counts, not negative, together at most n.
    n : float
        All cases.
    level : float, default 0.95
        Confidence level.

    Returns
    -------
    Interval

    Examples
    --------
    >>> import rocwise as rw
    >>> rw.tango_interval(6, 16, 161)
    -0.124 to -0.005 (95 % CI, Tango)
    """
    b, c = checks.not_negative(b, "b"), checks.not_negative(c, "c")
    n = checks.real(n, "n")
    if n <= 0:
        raise InputError(f"`n` must be positive; got {n:g}.")
    n = checks.within(n, "n", 1e-100, 2.0**53)
    if b + c > n:
        raise InputError(f"`b` and `c` must not exceed `n` together; got {b:g} + {c:g} > {n:g}.")
    z = normal_quantile(checks.level(level))
    low = -1.0 if c == n else _root_of_one(b, c, n, z, -1.0, (b - c) / n)
    high = 1.0 if b == n else _root_of_one(b, c, n, -z, (b - c) / n, 1.0)
    return Interval(low, high, level, "Tango")


def tango_limits(b: Floats, c: Floats, n: float, z: float) -> tuple[Floats, Floats]:
    """Both limits for arrays of counts, by halving: the statistic falls as delta grows."""
    middle = (b - c) / n
    low = _root(b, c, n, z, np.full_like(middle, -1.0), middle)
    high = _root(b, c, n, -z, middle, np.ones_like(middle))
    return np.where(c == n, -1.0, low), np.where(b == n, 1.0, high)


def _root(b: Floats, c: Floats, n: float, value: float, left: Floats, right: Floats) -> Floats:
    """Where the statistic has a value, between places left (above it) and right (below it)."""
    for _ in range(HALVINGS):
        middle = (left + right) / 2
        above = tango_statistic(b, c, n, middle) > value
        left, right = np.where(above, middle, left), np.where(above, right, middle)
        if np.all(right - left <= CLOSE):
            break
    return np.asarray((left + right) / 2, np.float64)


def _root_of_one(b: float, c: float, n: float, value: float, left: float, right: float) -> float:
    """The same for one pair of counts, digit by digit: numpy takes fifty times as long for one."""
    for _ in range(HALVINGS):
        middle = (left + right) / 2
        if _statistic_of_one(b, c, n, middle) > value:
            left = middle
        else:
            right = middle
        if right - left <= CLOSE:
            break
    return (left + right) / 2


def _statistic_of_one(b: float, c: float, n: float, delta: float) -> float:
    """`tango_statistic` of numbers."""
    numerator = b - c - n * delta
    if numerator == 0:
        return 0.0
    w = -b - c + (2 * n - b + c) * delta
    root = math.sqrt(max(w * w + 8 * n * c * delta * (1 - delta), 0.0))
    kept = w > 0 and root + w > 0
    q21 = 2 * c * delta * (1 - delta) / (root + w) if kept else (root - w) / (4 * n)
    spread = math.sqrt(max(n * (2 * q21 + delta * (1 - delta)), 0.0))
    return numerator / spread if spread > 0 else math.copysign(math.inf, numerator)


def tango_statistic(b: Any, c: Any, n: float, delta: Any) -> Floats:
    """The score statistic T(delta): 0 / 0 counts as 0, anything else / 0 as infinite.

    Examples
    --------
    >>> round(float(tango_statistic(3, 5, 20, 0.1)), 6)
    -1.384369
    """
    numerator = np.asarray(b - c - n * delta, np.float64)
    q21 = constrained_estimate(b, c, n, delta)
    variance = np.maximum(n * (2 * q21 + delta * (1 - delta)), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = numerator / np.sqrt(variance)
    return np.where(numerator == 0, 0.0, ratio)


def constrained_estimate(b: Any, c: Any, n: float, delta: Any) -> Floats:
    """Share of the second kind of disagreement that is most likely when the difference is delta."""
    w = -b - c + (2 * n - b + c) * delta
    root = np.sqrt(np.maximum(w * w + 8 * n * c * delta * (1 - delta), 0.0))
    # the root is subtracted from its equal when w > 0; this form keeps the digits
    with np.errstate(divide="ignore", invalid="ignore"):
        kept = 2 * c * delta * (1 - delta) / (root + w)
    return np.asarray(np.where((w > 0) & (root + w > 0), kept, (root - w) / (4 * n)), np.float64)
