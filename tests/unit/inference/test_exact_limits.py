from decimal import Decimal, localcontext
from math import comb

import numpy as np
import pytest
from scipy.special import betainccinv, betaincinv

from rocwise.inference.proportions import MANY, exact_limits, limits_of_all_counts


def upper_in_decimals(k, n, tail):
    """The p at which so few as k of n have the probability `tail`, halved to 50 digits."""
    with localcontext(prec=60):
        low, high = Decimal(0), Decimal(1)
        while high - low > Decimal("1e-50"):
            p = (low + high) / 2
            few = sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1))
            low, high = (p, high) if few > Decimal(tail) else (low, p)
        return low


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12])
@pytest.mark.parametrize(("k", "n"), [(0, 1), (0, 60), (2, 15), (7, 14), (13, 15), (59, 60)])
def test_both_limits_have_all_digits_however_small_the_tail(k, n, level):
    tail = (1 - level) / 2
    low, high = (limit[0] for limit in exact_limits(np.array([float(k)]), float(n), tail))
    expected = upper_in_decimals(k, n, tail)
    assert high == pytest.approx(float(expected), rel=2e-14)
    mirrored, _ = exact_limits(np.array([float(n - k)]), float(n), tail)
    assert mirrored[0] == pytest.approx(float(1 - expected), rel=2e-14)
    assert low < k / n < high or k in (0, n)


COUNTS_AND_TAILS = [
    *((n, tail) for n in (MANY, 12_345, 200_001) for tail in (0.025, 0.0005, 0.2)),
    *((n, 5e-10) for n in (MANY, 12_345)),  # of 200,001 the inversion itself has fewer digits
]


@pytest.mark.parametrize(("n", "tail"), COUNTS_AND_TAILS)
def test_polynomials_have_the_digits_of_the_inversion(n, tail):
    low, high = exact_limits(np.arange(n + 1.0), float(n), tail)
    some = np.unique(np.concatenate([np.arange(130), np.arange(0, n + 1, 997), [n // 2, n - 1, n]]))
    k = some.astype(float)
    below = np.where(k == 0, 0.0, betaincinv(np.maximum(k, 1), n - np.maximum(k, 1) + 1, tail))
    inner = np.minimum(k, n - 1)
    above = np.where(k == n, 1.0, betainccinv(inner + 1, n - inner, tail))
    np.testing.assert_allclose(low[some], below, rtol=2e-13)
    np.testing.assert_allclose(high[some], above, rtol=2e-13)
    assert (np.diff(low) > 0).all()
    assert (np.diff(high) > 0).all()


def test_few_counts_and_fractions_of_counts_are_inverted_one_by_one():
    k = np.linspace(0.5, 9_999.5, 20_000)  # of weighted cases
    low, _ = exact_limits(k, 10_000.0, 0.025)
    assert (
        low[:5].tolist()
        == betaincinv(np.maximum(k[:5], 1), 10_001 - np.maximum(k[:5], 1), 0.025).tolist()
    )


@pytest.mark.parametrize("n", [1, 2, 7, 8, MANY, 100_001])
@pytest.mark.parametrize("tail", [0.005, 0.025])
def test_limits_of_all_counts_are_those_of_each(n, tail):
    every = limits_of_all_counts(n, tail)
    each = exact_limits(np.arange(n + 1.0), float(n), tail)
    for one, other in zip(every, each, strict=True):
        assert one.tolist() == other.tolist()
