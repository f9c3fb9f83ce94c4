"""Clopper and Pearson's limits of many counts out of one n, without inverting for each of them.

Between a count and its double the logarithm of a limit is a very smooth function of that of the
count, so a polynomial through two dozen limits gives all others there, to the digits that the
inversion itself has.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import row_by_row

Limit = Callable[[Floats], Floats]
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
    lower, upper = _polynomials(n, tail)

    # from the nearer end: the limits of k are the complements of those of n - k
    def from_nearer(limit: Limit, other: Limit) -> Limit:
        def limits(some: Floats) -> Floats:
            found, near = np.empty(len(some)), some <= n / 2
            found[near], found[~near] = limit(some[near]), 1.0 - other(n - some[~near])
            return found

        return limits

    return row_by_row(from_nearer(lower, upper), k), row_by_row(from_nearer(upper, lower), k)


def limits_of_all_counts(n: int, tail: float) -> tuple[Floats, Floats]:
    """The same of every count from 0 to n; of many, half are complements of the others.

    >>> limits_of_all_counts(2, 0.025)[1].round(4).tolist()
    [0.8419, 0.9874, 1.0]
    """
    if n < MANY:
        every = np.arange(n + 1.0)
        return _lower(every, float(n), tail), _upper(every, float(n), tail)
    counts = np.arange(n // 2 + 1.0)
    lower, upper = on_large_pages(n + 1), on_large_pages(n + 1)
    for found, limit in zip((lower, upper), _polynomials(float(n), tail), strict=True):
        row_by_row(limit, counts, out=found[: len(counts)])
    others = n + 1 - len(counts)  # counts that are nearer to n
    for found, near in ((lower, upper), (upper, lower)):
        row_by_row(lambda some: 1.0 - some, near[:others][::-1], out=found[len(counts) :])
    return lower, upper


def _polynomials(n: float, tail: float) -> tuple[Limit, Limit]:
    return (
        _by_doubling(lambda counts: _lower(counts, n, tail), n),
        _by_doubling(lambda counts: _upper(counts, n, tail), n),
    )


def _lower(k: Floats, n: float, tail: float) -> Floats:
    from scipy.special import betaincinv

    inner = np.clip(k, 1, None)
    return np.where(k == 0, 0.0, betaincinv(inner, n - inner + 1, tail))


def _upper(k: Floats, n: float, tail: float) -> Floats:
    from scipy.special import betainccinv

    # from what lies above, since 1 - tail has few digits of a small tail
    inner = np.clip(k, None, n - 1)
    return np.where(k == n, 1.0, betainccinv(inner + 1, n - inner, tail))


def _by_doubling(limit: Limit, n: float) -> Limit:
    """The limit of counts up to n / 2, by a polynomial for each range from c to 2 c."""
    from numpy.polynomial import Chebyshev

    known = limit(np.arange(FIRST))
    starts = FIRST * 2.0 ** np.arange(max(0, 1 + int(np.log2(n / 2 / FIRST))))
    curves = []
    for start in starts:
        ends = [np.log(start), np.log(min(2 * start, n / 2 + 1))]
        curve = Chebyshev.interpolate(lambda x: np.log(limit(np.exp(x))), DEGREE, ends)
        terms = np.asarray(curve.coef, np.float64)
        curves.append((start, (terms, *curve.mapparms())))

    def of(counts: Floats) -> Floats:
        found, few = np.empty(len(counts)), counts < FIRST
        found[few] = known[counts[few].astype(np.intp)]
        most = counts.max(initial=0.0)
        least = counts.min(initial=most)
        for start, curve in curves:
            if start <= most and least < 2 * start:
                here = (counts >= start) & (counts < 2 * start)
                found[here] = np.exp(kernels.chebyshev(np.log(counts[here]), *curve))
        return found

    return of
