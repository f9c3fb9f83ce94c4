"""Clopper and Pearson's limits of many counts out of one n, without inverting for each of them.

Between a count and its double the logarithm of a limit is a very smooth function of that of the
count, so a polynomial through two dozen limits gives all others there, to the digits that the
inversion itself has.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwise.arrays import Floats

MANY = 4_000  # counts, from which the polynomials pay
FIRST = 64.0  # counts below it are inverted one by one
DEGREE = 24


def exact_limits(k: Floats, n: float, tail: float) -> tuple[Floats, Floats]:
    """Lower and upper limits of k out of n that leave `tail` on either side.

    >>> [round(float(limit[0]), 4) for limit in exact_limits(np.array([3.0]), 10.0, 0.025)]
    [0.0667, 0.6525]
    """
    whole = np.rint(k)
    if len(k) < MANY or n < MANY or not np.array_equal(whole, k):
        return _lower(k, n, tail), _upper(k, n, tail)
    # from the nearer end: the limits of k are the complements of those of n - k
    low, high = np.empty(len(k)), np.empty(len(k))
    near = k <= n / 2
    low[near], high[near] = _near_limits(k[near], n, tail)
    above, below = _near_limits(n - k[~near], n, tail)
    low[~near], high[~near] = 1.0 - below, 1.0 - above
    return low, high


def _near_limits(k: Floats, n: float, tail: float) -> tuple[Floats, Floats]:
    """Both limits of counts up to n / 2."""
    return (
        _by_doubling(lambda counts: _lower(counts, n, tail), k, n),
        _by_doubling(lambda counts: _upper(counts, n, tail), k, n),
    )


def _lower(k: Floats, n: float, tail: float) -> Floats:
    from scipy.special import betaincinv

    inner = np.clip(k, 1, None)
    return np.where(k == 0, 0.0, betaincinv(inner, n - inner + 1, tail))


def _upper(k: Floats, n: float, tail: float) -> Floats:
    from scipy.special import betaincinv

    inner = np.clip(k, None, n - 1)
    return np.where(k == n, 1.0, betaincinv(inner + 1, n - inner, 1.0 - tail))


def _by_doubling(limit: Callable[[Floats], Floats], counts: Floats, n: float) -> Floats:
    """The limit of every count up to n / 2, by a polynomial for each range from c to 2 c."""
    from numpy.polynomial import Chebyshev

    found = np.empty(len(counts))
    few = counts < FIRST
    known = limit(np.arange(FIRST))
    found[few] = known[counts[few].astype(np.intp)]
    start = FIRST
    while start <= n / 2:
        here = (counts >= start) & (counts < 2 * start)
        if here.any():
            ends = [np.log(start), np.log(min(2 * start, n / 2 + 1))]
            curve = Chebyshev.interpolate(lambda x: np.log(limit(np.exp(x))), DEGREE, ends)
            found[here] = np.exp(curve(np.log(counts[here])))
        start *= 2
    return found
