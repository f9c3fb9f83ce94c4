"""Newton's sums of a logistic line, and scoring steps of the binormal model."""

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import norm

import rocwise as rw
from rocwise.kernels.plain import smoothing

RNG = np.random.default_rng(6)


@pytest.mark.parametrize("rows", [1, 2, 40_000])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_are_those_of_the_formula_and_its_differences(kernels, rows, weighted):
    x = 3 * RNG.normal(size=rows)
    pos, neg = RNG.integers(0, 3, (2, rows))
    if weighted:
        pos, neg = pos * RNG.random(rows), neg * RNG.random(rows)

    def log_likelihood(intercept, slope):
        eta = intercept + slope * x
        return -(pos @ np.logaddexp(0, -eta) + neg @ np.logaddexp(0, eta))

    found = kernels.logistic_sums(x, pos, neg, 0.3, -0.7)
    np.testing.assert_allclose(found[0], log_likelihood(0.3, -0.7), rtol=1e-12)
    shift, size = 1e-6, 1 + (pos + neg).sum()
    for place, (a, b) in enumerate([(shift, 0), (0, shift)], start=1):
        rise = log_likelihood(0.3 + a, -0.7 + b) - log_likelihood(0.3 - a, -0.7 - b)
        assert found[place] == pytest.approx(rise / (2 * shift), abs=1e-6 * size)
    probability = 1 / (1 + np.exp(-0.3 + 0.7 * x))
    spread = (pos + neg) * probability * (1 - probability)
    expected = spread.sum(), spread @ x, spread @ (x * x)
    np.testing.assert_allclose(found[3:], expected, rtol=1e-10, atol=1e-12)


def test_sums_do_not_depend_on_threads_nor_overflow(kernels):
    x, ones = np.linspace(-900, 900, 200_000), np.ones(200_000, np.int64)
    found = []
    for number in (1, 3):
        with rw.threads(number):
            found.append(kernels.logistic_sums(x, ones, 2 * ones, 0.0, 2.0))
    assert found[0] == found[1]
    assert np.isfinite(found[0]).all()


def test_derivatives_do_not_vanish_before_the_information(kernels):
    """Separated classes: where chances round to 1 the likelihood still rises."""
    x, up = np.array([-40.0, 40.0]), np.array([0, 1])
    _, _, by_slope, _, _, curved = kernels.logistic_sums(x, up, 1 - up, 0.0, 1.0)
    assert by_slope == pytest.approx(80 * np.exp(-40), rel=1e-12)
    assert curved / by_slope == pytest.approx(40)


def parameters(cuts, a, b):
    """Shares and densities of both classes."""
    sides = np.stack([cuts, b * cuts - a])
    bounds = np.pad(sides, ((0, 0), (1, 1)), constant_values=((0, 0), (-np.inf, np.inf)))
    return np.diff(ndtr(bounds), axis=1), norm.pdf(sides)


def dense_step(counts, shares, densities, cuts, b):
    """The same by the whole information matrix of (a, b, cut points)."""
    size = len(cuts)
    slopes = np.zeros((2, size + 2, size + 1))  # class, parameter, category
    for k in range(size):
        slopes[0, 2 + k, k : k + 2] = densities[0, k], -densities[0, k]
        slopes[1, 2 + k, k : k + 2] = b * densities[1, k], -b * densities[1, k]
    edges = np.pad(densities[1], 1)
    slopes[1, 0] = -np.diff(edges)
    slopes[1, 1] = np.diff(np.pad(cuts * densities[1], 1))
    totals = counts.sum(axis=1)
    information = sum(
        totals[side] * (slopes[side] / shares[side]) @ slopes[side].T for side in (0, 1)
    )
    gradient = sum(slopes[side] @ (counts[side] / shares[side]) for side in (0, 1))
    return gradient, np.linalg.solve(information, gradient), np.linalg.inv(information)[:2, :2]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 60])
def test_a_step_is_that_of_the_whole_information(kernels, size):
    cuts = np.sort(RNG.normal(size=size))
    counts = RNG.integers(0, 5, (2, size + 1)).astype(float)
    shares, densities = parameters(cuts, 0.8, 1.3)
    gradient, expected, covariance = dense_step(counts, shares, densities, cuts, 1.3)
    step = kernels.binormal_step(counts, shares, densities, cuts, 1.3)
    np.testing.assert_allclose([step.a, step.b, *step.cuts], expected, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(step.covariance, covariance, rtol=1e-8)
    assert step.gain == pytest.approx(gradient @ expected, rel=1e-8)
    assert step.steepest == pytest.approx(np.abs(gradient).max(), rel=1e-10)


@pytest.mark.parametrize("size", [5_000, 5_001])  # with and without a cut point in the middle
def test_both_kinds_take_the_same_step(kernels, size):
    cuts = np.sort(RNG.normal(size=size))
    counts = RNG.integers(0, 3, (2, size + 1)).astype(float)
    told = counts, *parameters(cuts, 1.0, 0.9), cuts, 0.9
    found, plain = kernels.binormal_step(*told), smoothing.binormal_step(*told)
    for ours, theirs in zip(found, plain, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-9)


def test_there_is_no_step_without_information(kernels):
    cuts = np.array([-0.5, 0.5, 0.6])
    shares, densities = parameters(cuts, 1.0, 1.0)
    counts = np.ones((2, 4))
    assert kernels.binormal_step(counts, shares, densities, cuts, 1.0) is not None
    for spoiled in (0.0 * densities, np.nan * densities):
        assert kernels.binormal_step(counts, shares, spoiled, cuts, 1.0) is None
