import numpy as np
import pytest
from scipy.special import betaincinv

from rocwise.inference.intervals.exact_limits import MANY, exact_limits, limits_of_all_counts


@pytest.mark.parametrize("n", [MANY, 12_345, 200_001])
@pytest.mark.parametrize("tail", [0.025, 0.0005, 0.2])
def test_polynomials_have_the_digits_of_the_inversion(n, tail):
    low, high = exact_limits(np.arange(n + 1.0), float(n), tail)
    some = np.unique(np.concatenate([np.arange(130), np.arange(0, n + 1, 997), [n // 2, n - 1, n]]))
    k = some.astype(float)
    below = np.where(k == 0, 0.0, betaincinv(np.maximum(k, 1), n - np.maximum(k, 1) + 1, tail))
    inner = np.minimum(k, n - 1)
    above = np.where(k == n, 1.0, betaincinv(inner + 1, n - inner, 1 - tail))
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
