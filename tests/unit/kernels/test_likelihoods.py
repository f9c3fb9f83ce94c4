"""Newton's sums of a logistic line."""

import numpy as np
import pytest

import rocwise as rw

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
