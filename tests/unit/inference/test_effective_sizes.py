"""Wilson's interval with an effective size, and the difference of two such areas."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rocwise.inference.effective_sizes import (
    SizedArea,
    decide_by_limits,
    difference_limits,
    sized_area,
)

TAIL = 0.025
values = st.floats(0.0, 1.0)


def proportion(x, n):
    return SizedArea(x / n, n, math.inf, 1.0)


@pytest.mark.parametrize(("x", "n"), [(3, 20), (10, 20), (48, 80), (97, 100)])
def test_with_two_failures_or_more_it_is_wilsons(x, n):
    expected = stats.binomtest(x, n).proportion_ci(method="wilson")
    assert proportion(x, n).limits(TAIL) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("n", [5, 15, 100])
def test_with_one_failure_the_near_limit_is_clopper_and_pearsons(n):
    exact = stats.binomtest(n - 1, n).proportion_ci(method="exact")
    wilson = stats.binomtest(n - 1, n).proportion_ci(method="wilson")
    low, high = proportion(n - 1, n).limits(TAIL)
    assert high == pytest.approx(exact.high, abs=1e-12)
    assert low == pytest.approx(wilson.low, abs=1e-12)
    assert proportion(n, n).limits(TAIL)[1] == 1.0


def test_student_widens_by_the_ratio_of_quantiles():
    """With q for z, Wilson's interval of n is that of n (z/q)**2."""
    q, z = stats.t.ppf(0.975, 7), stats.norm.ppf(0.975)
    narrow = SizedArea(0.7, 30 * (z / q) ** 2, math.inf, 1.0).limits(TAIL)
    assert SizedArea(0.7, 30, 7, 1.0).limits(TAIL) == pytest.approx(narrow, abs=1e-12)


def test_effective_size_by_hand():
    """k = 4, A = 3/4: a = 0.7, 1.2 cases on the wrong side, e = 1.2/1.3."""
    e = 1.2 / 1.3
    trust = e**2.5 / (1 + e**2.5)
    mixed = trust * 0.02 + (1 - trust) * 0.21 / 4
    found = sized_area(0.75, 0.02, [(0.015, 4), (0.005, 9)], 4)
    assert found.trust == pytest.approx(trust, abs=1e-15)
    assert found.size == pytest.approx(0.21 / mixed, abs=1e-12)
    satterthwaite = 0.02**2 / (0.015**2 / 3 + 0.005**2 / 8)
    assert found.df == pytest.approx(satterthwaite * (mixed / (trust * 0.02)) ** 2, rel=1e-12)


def test_many_cases_trust_their_own_variance():
    found = sized_area(0.8, 1e-4, [(5e-5, 5000), (5e-5, 5000)], 5000)
    assert found.limits(TAIL) == pytest.approx(proportion(1280, 1600).limits(TAIL), abs=1e-5)


def test_a_constant_score_shows_no_variance_but_separated_classes_do():
    """Half of 50 comparisons, not certainty; and at 1 the limits of the usual weights."""
    constant = sized_area(0.5, 0.0, [(0.0, 50), (0.0, 50)], 50)
    assert constant.limits(TAIL) == pytest.approx(proportion(25, 50).limits(TAIL), abs=1e-12)
    assert sized_area(1.0, 0.0, [(0.0, 50), (0.0, 50)], 50).limits(TAIL)[0] > 0.85


@given(values, st.floats(0.0, 0.25), st.floats(0.0, 0.25), st.integers(2, 40), st.integers(2, 40))
def test_limits_are_a_valid_mirrored_and_nested_interval(value, one, other, m, n):
    parts = [(one / m, m), (other / n, n)]
    area = sized_area(value, one / m + other / n, parts, min(m, n))
    low, high = area.limits(TAIL)
    assert 0.0 <= low <= value + 1e-12
    assert value - 1e-12 <= high <= 1.0
    assert high > low
    turned = sized_area(1 - value, one / m + other / n, parts, min(m, n)).limits(TAIL)
    assert turned == pytest.approx((1 - high, 1 - low), abs=1e-9)
    wider = area.limits(0.005)
    assert wider[0] <= low + 1e-12
    assert wider[1] >= high - 1e-12


def decided(first, second, correlation=0.0, alternative="two-sided", margin=None):
    limits = partial(difference_limits, first, second, correlation)
    options = {"alternative": alternative, "margin": margin, "level": 0.95}
    return decide_by_limits(first.value - second.value, limits, **options)


def test_difference_of_two_independent_proportions_as_published():
    """Newcombe (Stat. Med. 17, 1998, 873-890), Table II, method 10: 56/70 - 48/80."""
    found = difference_limits(proportion(56, 70), proportion(48, 80), 0.0, TAIL)
    assert found == pytest.approx((0.0524, 0.3339), abs=5e-5)


@given(values, values, st.floats(-1, 1), st.integers(2, 30), st.integers(2, 30))
def test_p_value_and_interval_agree(one, other, correlation, m, n):
    first, second = (sized_area(v, 0.05 / m, [(0.05 / m, m)], m) for v in (one, other))
    difference = first.value - second.value
    decision = decided(first, second, correlation)
    assert -1 <= decision.low <= difference + 1e-12
    assert difference - 1e-12 <= decision.high <= 1
    if abs(decision.p_value - 0.05) > 1e-9:
        assert (decision.p_value < 0.05) == (not decision.low <= 0 <= decision.high)
    swapped = decided(second, first, correlation)
    assert swapped.p_value == pytest.approx(decision.p_value, abs=1e-9)
    tails = [decided(first, second, correlation, side).p_value for side in ("greater", "less")]
    assert sum(tails) == pytest.approx(1.0, abs=1e-12)


def test_claims_within_a_margin_are_one_sided_limits():
    areas = proportion(56, 70), proportion(48, 80)
    low, high = difference_limits(*areas, 0.0, 0.05)
    for margin in (0.05, 0.2, 0.4):
        claim = decided(*areas, alternative="non-inferior", margin=margin)
        assert (claim.p_value <= 0.05) == (low >= -margin)
        both = decided(*areas, alternative="equivalent", margin=margin)
        assert (both.p_value <= 0.05) == (low >= -margin and high <= margin)


def test_correlation_shortens_the_interval():
    areas = proportion(56, 70), proportion(48, 80)
    limits = [difference_limits(*areas, correlation, TAIL) for correlation in (-0.5, 0, 0.5, 0.9)]
    assert np.all(np.diff([high - low for low, high in limits]) < 0)
