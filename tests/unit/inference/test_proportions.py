"""Shares and their intervals, against scipy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import rocwise as rw
from rocwise.inference import proportion_interval
from rocwise.inference.proportions import square_and_add, wilson_limits

SHARES = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(SHARES, st.sampled_from([0.5, 0.9, 0.99]))
@pytest.mark.parametrize(
    ("method", "name"), [("wilson", "wilson"), ("clopper-pearson", "exact")], ids=str
)
def test_limits_are_those_of_scipy(method, name, share, level):
    k, n = share
    expected = binomtest(k, n).proportion_ci(level, method=name)
    found = proportion_interval(k, n, level=level, method=method)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert found.method == method


@given(st.integers(1, 10**6))
def test_no_limit_leaves_a_share_of_zero_or_one(n):
    low, high = wilson_limits(np.array([0.0, 1.0]), n, 0.95)
    assert low[0] == 0.0
    assert high[1] == 1.0
    assert high[0] == pytest.approx(1 - low[1])


def test_the_mean_of_two_shares_adds_the_squared_distances():
    (low_1, high_1), (low_2, high_2) = proportion_interval(7, 20), proportion_interval(9, 10)
    found = square_and_add(((0.35, 20), (0.9, 10)), 0.95)
    assert found.value == pytest.approx(0.625)
    assert found.low == pytest.approx(0.625 - np.hypot(0.35 - low_1, 0.9 - low_2) / 2)
    assert found.high == pytest.approx(0.625 + np.hypot(high_1 - 0.35, high_2 - 0.9) / 2)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ((3, 2), {}, "`k` must not exceed `n`"),
        ((-1, 2), {}, "`k`"),
        ((1, 2), {"level": 1}, "`level`"),
        ((1, 2), {"method": "wald"}, "`method` must be one of 'wilson', 'clopper-pearson'"),
    ],
)
def test_what_is_no_share_is_refused(arguments, options, words):
    with pytest.raises(rw.InputError, match=words):
        proportion_interval(*arguments, **options)
