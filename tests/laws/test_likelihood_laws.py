"""Laws of fitted distributions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocwise as rw
from rocwise.binary.distributions import FAMILIES, POSITIVE_ONLY

positive = st.lists(st.floats(0.01, 100), min_size=3, max_size=40, unique=True)
signed = st.lists(st.floats(-100, 100), min_size=3, max_size=40, unique=True)


def fitted(family, values):
    """The fit, or None where the likelihood has no maximum."""
    value_range = np.ptp(values)
    if value_range < 1e-6 * np.abs(values).max():
        return None
    try:
        return rw.fit_distribution(values, families=family)
    except rw.InputError:
        return None


@pytest.mark.parametrize("family", FAMILIES)
@given(data=st.data(), seed=st.integers(0, 2**31))
def test_parameters_nearby_are_no_likelier(family, data, seed):
    values = np.array(data.draw(positive if family in POSITIVE_ONLY else signed))
    fit = fitted(family, values)
    if fit is None:
        return
    kind, scale = getattr(stats, family), fit.parameters[-1]
    rng = np.random.default_rng(seed)
    allowed = 1e-9 * (1 + abs(fit.log_likelihood))
    for size in (1e-4, 1e-2, 0.1):
        by = size * rng.uniform(-1, 1, len(fit.parameters))
        nearby = np.array(fit.parameters) * np.exp(by)
        fixed = family in POSITIVE_ONLY
        nearby[-2] = 0.0 if fixed else fit.parameters[-2] + scale * by[-2]
        with np.errstate(all="ignore"):
            assert kind.logpdf(values, *nearby).sum() <= fit.log_likelihood + allowed


@pytest.mark.parametrize("family", sorted({*FAMILIES} - {*POSITIVE_ONLY}))
@given(values=signed, scale=st.floats(0.1, 10), shift=st.floats(-5, 5))
def test_fits_follow_the_unit(family, values, scale, shift):
    fit = fitted(family, np.array(values))
    other = fitted(family, scale * np.array(values) + shift)
    if fit is None or other is None:
        return
    expected = fit.log_likelihood - len(values) * np.log(scale)
    assert other.log_likelihood == pytest.approx(expected, rel=1e-6, abs=1e-6)


@given(values=signed)
def test_largest_values_mirror_smallest(values):
    sample = np.array(values)
    right, left = fitted("gumbel_r", sample), fitted("gumbel_l", -sample)
    if right is None or left is None:
        return
    assert left.parameters[0] == pytest.approx(-right.parameters[0], rel=1e-12)
    assert left.parameters[1] == pytest.approx(right.parameters[1], rel=1e-12)


@given(values=positive)
def test_weibull_is_gumbel_of_logarithms(values):
    sample = np.array(values)
    fit, logs = fitted("weibull_min", sample), fitted("gumbel_l", np.log(sample))
    if fit is None or logs is None:
        return
    assert fit.parameters[0] == pytest.approx(1 / logs.parameters[1], rel=1e-7)
    assert np.log(fit.parameters[2]) == pytest.approx(logs.parameters[0], abs=1e-7)
