"""Limits of the area for many samples at once, written out for arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from .populations import Array

LEVEL = 0.95
TAIL = (1 - LEVEL) / 2
Z = float(stats.norm.ppf(1 - TAIL))
ENOUGH = 10.0


@dataclass(frozen=True)
class Sample:
    """Areas of many samples, and the variance of the placements of either class."""

    area: Array
    spread_pos: Array
    spread_neg: Array
    n_pos: int
    n_neg: int

    @property
    def smaller(self) -> int:
        """Cases of the smaller class."""
        return min(self.n_pos, self.n_neg)

    @property
    def variance(self) -> Array:
        """DeLong's."""
        return self.spread_pos / self.n_pos + self.spread_neg / self.n_neg

    @property
    def df(self) -> Array:
        """Degrees of freedom of Brunner and Munzel, 1 at least."""
        parts = (self.spread_pos / self.n_pos) ** 2 / (self.n_pos - 1)
        parts = parts + (self.spread_neg / self.n_neg) ** 2 / (self.n_neg - 1)
        none = parts <= 0
        return np.where(none, 1e9, np.maximum(self.variance**2 / np.where(none, 1, parts), 1.0))


def delong(sample: Sample) -> tuple[Array, Array]:
    """Symmetric; the score interval where there is no variance."""
    reach = Z * np.sqrt(sample.variance)
    return _or_score(sample, sample.variance <= 0, sample.area - reach, sample.area + reach)


def logit(sample: Sample, *, student: bool = False) -> tuple[Array, Array]:
    """Symmetric on the logit scale, by the normal distribution or by Student's."""
    inside = (sample.area > 0) & (sample.area < 1) & (sample.variance > 0)
    a = np.where(inside, sample.area, 0.5)
    quantile = stats.t.ppf(1 - TAIL, sample.df) if student else Z
    reach = quantile * np.sqrt(sample.variance) / (a * (1 - a))
    low, high = (special.expit(special.logit(a) + side * reach) for side in (-1, 1))
    return _or_score(sample, ~inside, low, high)


def score(sample: Sample) -> tuple[Array, Array]:
    """Newcombe's, which depends on the area and the sizes alone."""
    return _or_score(sample, np.ones(len(sample.area), dtype=bool), sample.area, sample.area)


def _or_score(sample: Sample, where: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Newcombe's limits (2006, method 5) in some samples."""
    A = sample.area[where]
    low, high = np.array(low), np.array(high)
    low[where] = _newcombe(A, np.zeros_like(A), sample)
    high[where] = _newcombe(A, np.ones_like(A), sample)
    return low, high


def _newcombe(A: Array, outside: Array, sample: Sample) -> Array:
    """By halving: the area whose own variance puts the estimate z standard errors away."""
    inside, average = A.copy(), (sample.n_pos + sample.n_neg) / 2 - 1
    for _ in range(40):
        T = (outside + inside) / 2
        spread = 1 + average * (1 - T) / (2 - T) + average * T / (1 + T)
        far = Z * Z * T * (1 - T) * spread / (sample.n_pos * sample.n_neg) < (A - T) ** 2
        outside, inside = np.where(far, T, outside), np.where(far, inside, T)
    return inside


def wilson(sample: Sample) -> tuple[Array, Array]:
    """Wilson's, with the effective size."""
    k, A = sample.smaller, sample.area
    a = (k * A + 0.5) / (k + 1)
    trust = 1 - 1 / (1 + (k * a * (1 - a)) ** 1.5)
    mixed = trust * sample.variance + (1 - trust) * a * (1 - a) / k
    size = a * (1 - a) / mixed
    df = sample.df * (mixed / np.maximum(trust * sample.variance, 1e-12)) ** 2
    q = stats.t.ppf(1 - TAIL, np.minimum(df, 1e9))
    spread = q * q / size
    centre = (A + spread / 2) / (1 + spread)
    reach = np.sqrt(A * (1 - A) * spread + spread**2 / 4) / (1 + spread)
    n = size * (Z / q) ** 2
    return 1 - _beyond(1 - A, 1 - centre + reach, n), _beyond(A, centre + reach, n)


def _beyond(A: Array, limit: Array, n: Array) -> Array:
    failures = (1 - A) * n
    exact = 1 - special.betaincinv(np.maximum(failures, 1e-9), A * n + 1, TAIL)
    exact = np.where(failures <= 0, 1.0, exact)
    return np.minimum(limit + np.clip(2 - failures, 0, 1) * np.maximum(exact - limit, 0), 1.0)


def auto(sample: Sample) -> tuple[Array, Array]:
    """DeLong's where ten cases or more are on the wrong side, else Wilson's."""
    enough = sample.smaller * np.minimum(sample.area, 1 - sample.area) >= ENOUGH
    both = zip(delong(sample), wilson(sample), strict=True)
    low, high = (np.where(enough, one, other) for one, other in both)
    return low, high


LIMITS: dict[str, Callable[[Sample], tuple[Array, Array]]] = {
    "delong": delong,
    "logit": logit,
    "logit_t": lambda sample: logit(sample, student=True),
    "score": score,
    "wilson": wilson,
    "auto": auto,
}
