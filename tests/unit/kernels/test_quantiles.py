"""Quantiles and limits of areas: both implementations alike, and held against scipy."""

import math
import re
from statistics import NormalDist

import numpy as np
import pytest
from scipy import special

from rocwise.kernels.quantiles import plain

TAILS = (0.5, 0.49999, 0.3, 0.05, 0.025, 0.005, 1e-6, 1e-30, 1e-200)
FREEDOM = (1.0, 1.3, 2.0, 3.7, 8.0, 30.5, 200.0, 5_000.0, 999_999.0)


def normal(tail):
    return -NormalDist().inv_cdf(tail)


@pytest.mark.parametrize("df", FREEDOM)
@pytest.mark.parametrize("tail", TAILS[:7])
def test_student_quantiles_are_those_of_scipy(kernels, df, tail):
    found = kernels.student_quantile(df, tail, normal(tail))
    assert found == pytest.approx(-float(special.stdtrit(df, tail)), rel=2e-14)


@pytest.mark.parametrize("df", FREEDOM)
@pytest.mark.parametrize("tail", TAILS[4:])
def test_student_tails_come_back_from_their_quantiles(kernels, df, tail):
    found = kernels.student_quantile(df, tail, normal(tail))
    if math.isinf(found):
        assert df < 2  # its square would be beyond all floats
    else:
        assert float(special.stdtr(df, -found)) == pytest.approx(tail, rel=1e-11)


@pytest.mark.parametrize("df", [-math.inf, -3.0, 0.0, 0.5, math.nextafter(1.0, 0.0)])
@pytest.mark.parametrize("tail", [0.5, 0.025])
def test_less_than_one_degree_of_freedom_is_refused(kernels, df, tail):
    with pytest.raises(ValueError, match=re.escape(f"at least 1 degree of freedom; got {df!r}.")):
        kernels.student_quantile(df, tail, normal(tail))
    with pytest.raises(ValueError, match=re.escape(f"at least 1 degree of freedom; got {df!r}.")):
        kernels.sized_limits(0.8, 20.0, df, tail, normal(tail))
    assert kernels.student_quantile(1.0, 0.25, normal(0.25)) == pytest.approx(1.0, rel=1e-14)


@pytest.mark.parametrize("a", [1e-6, 0.01, 0.5, 1.0, 1.7, 1.9999])
@pytest.mark.parametrize("b", [1.0, 2.5, 30.0, 4_000.0, 1e7])
@pytest.mark.parametrize("tail", [0.499, 0.1, 0.025, 1e-9])
def test_beta_quantiles_are_those_of_scipy(kernels, a, b, tail):
    expected = float(special.betaincinv(a, b, tail))
    assert kernels.beta_quantile(a, b, tail) == pytest.approx(expected, rel=1e-12, abs=1e-280)


def test_limits_without_freedom_are_wilsons(kernels):
    z = normal(0.025)
    n, share = 50.0, 0.7
    low, high = kernels.sized_limits(share, n, math.inf, 0.025, z)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    assert (low, high) == pytest.approx((middle - half, middle + half), rel=1e-14)


def test_limits_with_one_failure_are_those_of_clopper_and_pearson(kernels):
    low, high = kernels.sized_limits(14 / 15, 15.0, math.inf, 0.025, normal(0.025))
    assert high == pytest.approx(1 - float(special.betaincinv(1, 15, 0.025)), rel=1e-14)
    assert 0.0 < low < 14 / 15


def test_limits_of_no_failures_and_of_a_tail_next_to_nothing(kernels):
    assert kernels.sized_limits(1.0, 20.0, 8.0, 0.025, normal(0.025))[1] == 1.0
    assert kernels.sized_limits(0.6, 20.0, 1.0, 1e-200, normal(1e-200)) == (0.0, 1.0)


def test_both_implementations_give_the_same_bits(kernels):
    rng = np.random.default_rng(4)
    for _ in range(500):
        tail = float(rng.choice([rng.uniform(0, 0.5), 10 ** rng.uniform(-290, -1)]))
        value, size = float(rng.random()), float(10 ** rng.uniform(-1, 5))
        df = float(10 ** rng.uniform(0, 6.2))
        asked = (value, size, df, tail, normal(tail))
        assert kernels.sized_limits(*asked) == plain.sized_limits(*asked)
        terms = (2 * value - 0.5, size * 1e-5, size * df * 1e-12, 1 + size, 2 + size)
        assert kernels.sized_share(*terms) == plain.sized_share(*terms)
