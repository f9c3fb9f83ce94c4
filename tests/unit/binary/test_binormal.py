"""The binormal fit: the specification's values, errors, and independent optimisation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from oracles.spec_samples import SAMPLES, tally_of


@pytest.mark.parametrize(
    ("name", "a", "b", "log_likelihood", "covariance"),
    [
        ("C", 0.7908356078, 0.911339619, -54.64971723,
         [[0.2117613834, 0.05227738934], [0.05227738934, 0.1168496954]]),
        ("B", 1.079475712, 0.9690081544, -12.61236483,
         [[0.7129230102, 0.2591358863], [0.2591358863, 0.4195941258]]),
    ],
)  # fmt: skip
def test_published_fits(name, a, b, log_likelihood, covariance):
    fit = rw.binormal(tally_of(SAMPLES[name]))
    assert (fit.a, fit.b) == pytest.approx((a, b), abs=1e-7)
    assert fit.log_likelihood == pytest.approx(log_likelihood, abs=1e-7)
    np.testing.assert_allclose(fit.covariance, covariance, atol=1e-6)


def test_area_of_c():
    assert rw.binormal(tally_of(SAMPLES["C"])).auc == pytest.approx(0.720563494, abs=1e-7)


def test_small_regular_fits():
    fit = rw.binormal(tally_of(SAMPLES["A"]))
    assert (fit.a, fit.b) == pytest.approx((2.197316103, 1.132857463), abs=1e-7)
    saturated = rw.binormal(tally_of(([0, 0, 1, 2], [2, 1, 2, 0])))
    assert (saturated.a, saturated.b) == pytest.approx((0.6744897502, 1.0), abs=1e-7)


@pytest.mark.parametrize(
    "sample",
    [
        ([1, 2, 9], [4, 5, 6]),
        ([4, 5, 6], [1, 2, 9]),
        ([0] * 6 + [1], [1, 1, 1, 1, 2, 2]),
    ],
)
def test_degenerate_data_raise(sample):
    with pytest.raises(rw.InputError, match="degenerate"):
        rw.binormal(tally_of(sample))


@pytest.mark.parametrize(
    "sample", [([1, 2], [3, 4]), ([3, 4], [1, 2]), ([1, 1], [1, 1]), ([0, 1], [0, 1])]
)
def test_too_few_categories_raise(sample):
    with pytest.raises(rw.InputError, match="no interior maximum"):
        rw.binormal(tally_of(sample))


def random_tally(seed, n, decimals=6, shift=1.0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rw.tally(y, (rng.normal(size=n) * (1 + 0.3 * y) + shift * y).round(decimals))


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), power=st.sampled_from([0.5, 3.0]))
def test_any_increasing_function_of_the_scores_gives_the_same_fit(seed, power):
    rng = np.random.default_rng(seed)
    y = np.arange(60) % 2
    x = np.exp(rng.normal(size=60) + y)
    first, second = rw.binormal(y, x), rw.binormal(y, x**power)
    assert (first.a, first.b) == pytest.approx((second.a, second.b), abs=1e-9)


def test_curve_has_the_area():
    fit = rw.binormal(tally_of(SAMPLES["C"]))
    fpr, tpr = fit.curve()
    assert np.trapezoid(tpr, fpr) == pytest.approx(fit.auc, abs=1e-4)
    assert "AUC 0.72" in repr(fit)


def test_classes_that_differ_by_rounding_have_no_negative_distance():
    fit = rw.binormal(tally_of(SAMPLES["C"]))
    assert "a = 0.000, b" in repr(replace(fit, a=-1e-16))
    assert "a = -0.001, b" in repr(replace(fit, a=-1e-3))


def test_weights_raise():
    with pytest.raises(rw.InputError, match="weights"):
        rw.binormal([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 1, 2, 1])
