"""Rows of the information of the binormal model, and scoring steps."""

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import norm

import rocwise as rw
from rocwise.kernels.binormal import compiled, plain
from rocwise.kernels.binormal.steps import PER_BLOCK

RNG = np.random.default_rng(6)


def parameters(cuts, a, b):
    """Shares and densities of both classes."""
    sides = np.stack([cuts, b * cuts - a])
    bounds = np.pad(sides, ((0, 0), (1, 1)), constant_values=((0, 0), (-np.inf, np.inf)))
    return np.diff(ndtr(bounds), axis=1), norm.pdf(sides)


def dense_step(counts, a, b, cuts):
    """Gradient, step and covariance by the whole information matrix of (a, b, cut points)."""
    shares, densities = parameters(cuts, a, b)
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
    counts = RNG.integers(0, 12, (2, size + 1)).astype(float)
    gradient, expected, covariance = dense_step(counts, 0.8, 1.3, cuts)
    rows = kernels.binormal_rows(counts, 0.8, 1.3, cuts)
    shares = parameters(cuts, 0.8, 1.3)[0]
    assert rows.log_likelihood == pytest.approx(float((counts * np.log(shares)).sum()), rel=1e-12)
    assert rows.least == pytest.approx(shares.min(), rel=1e-10)
    step = kernels.binormal_step(rows)
    np.testing.assert_allclose([step.a, step.b, *step.cuts], expected, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(step.covariance, covariance, rtol=1e-8)
    assert step.farthest == np.abs(step.cuts).max()
    assert step.gain == pytest.approx(gradient @ expected, rel=1e-8)
    assert step.steepest == pytest.approx(np.abs(gradient).max(), rel=1e-10)
    alone = kernels.binormal_step(kernels.binormal_rows(counts, 0.8, 1.3, cuts), cuts=False)
    assert (alone.a, alone.b, alone.cuts, alone.gain) == (step.a, step.b, None, step.gain)


def cases(size, most=3):
    """Counts of both classes."""
    return RNG.integers(0, most, (2, size)).astype(float)


@pytest.mark.parametrize("size", [PER_BLOCK - 1, PER_BLOCK, PER_BLOCK + 1, 3 * PER_BLOCK + 129])
@pytest.mark.parametrize("most", [2, 20])  # products of shares, and their logarithms
def test_both_kinds_find_the_same(kernels, size, most):
    cuts = np.linspace(-3.0, 3.0, size) + RNG.uniform(0.0, 4.0 / size, size)
    counts = cases(size + 1, most)
    told = counts, 1.0, 0.9, cuts
    found, expected = kernels.binormal_rows(*told), plain.binormal_rows(*told)
    for ours, theirs in zip(found[1:], expected[1:], strict=True):
        assert ours == pytest.approx(theirs, rel=1e-8, abs=1e-7)
    largest = np.abs(expected.table).max(axis=1, keepdims=True)
    np.testing.assert_allclose(found.table / largest, expected.table / largest, atol=1e-9)
    step, other = kernels.binormal_step(found), plain.binormal_step(expected)
    for ours, theirs in zip(step, other, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("shift", [-9.0, -3.0, 0.0, 9.0])
@pytest.mark.parametrize("gap", [1e-9, 1e-5, 2e-3, 0.5])
def test_shares_keep_their_digits_in_both_tails_and_where_they_are_narrow(kernels, shift, gap):
    """One case of one class: the likelihood is the share of its category."""
    cuts = shift + np.array([-gap, 0.0, 2.0**-30])
    for side, slope in ((0, 1.0), (1, 0.5)):
        counts = np.zeros((2, 4))
        counts[side, 1] = 1.0
        counts[1 - side, 0] = 1.0  # a class has to have cases
        ends = cuts[:2] * (slope if side else 1.0)
        found = kernels.binormal_rows(counts, 0.0, slope, cuts).log_likelihood
        other = ndtr(cuts[0] * (1.0 if side else slope))
        assert found - np.log(other) == pytest.approx(np.log(integral(*ends)), rel=1e-13)


def integral(x, y):
    """Gauss's formula for the normal probability from x to y."""
    places, weights = np.polynomial.legendre.leggauss(20)
    half = (y - x) / 2
    return half * float(weights @ norm.pdf(x + half + half * places))


def test_densities_are_those_of_a_library(kernels):
    """The diagonal has their squares: of two categories, over shares that are known."""
    for t in (*np.linspace(-26.0, 26.0, 300).tolist(), 0.0, 1e-300):
        rows = kernels.binormal_rows(np.ones((2, 2)), 0.0, 1.0, np.array([t]))
        expected = 2 * norm.pdf(t) ** 2 * 2 * (1 / ndtr(t) + 1 / ndtr(-t))
        assert rows.table[0, 0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "cuts", [[0.0, 0.0, 1.0], [0.0, -1e-9, 1.0], [0.0, np.nan, 1.0], [0.0, 1.0, 39.0]]
)
def test_a_category_without_a_share_is_told(kernels, cuts):
    rows = kernels.binormal_rows(np.ones((2, 4)), 0.0, 1.0, np.array(cuts))
    assert rows.least == 0.0
    assert rows.log_likelihood == -np.inf


def test_nothing_depends_on_threads_nor_on_room(kernels):
    size = 30 * PER_BLOCK + 17
    told = cases(size + 1), 0.7, 1.1, np.sort(RNG.normal(size=size))
    found = []
    for number in (1, 3):
        with rw.threads(number):
            rows = kernels.binormal_rows(*told)
            rows = kernels.binormal_rows(*told, rows.table)
            table = rows.table.copy()
            found.append((table, *rows[1:], *kernels.binormal_step(rows)))
    for one, three in zip(*found, strict=True):
        assert np.array_equal(one, three)


def test_there_is_no_step_without_information(kernels):
    told = np.ones((2, 4)), 1.0, 1.0, np.array([-0.5, 0.5, 0.6])
    assert kernels.binormal_step(kernels.binormal_rows(*told)) is not None
    for spoiled in (0.0, np.nan, -1.0):
        rows = kernels.binormal_rows(*told)
        rows.table[0] *= spoiled
        assert kernels.binormal_step(rows) is None


def test_blocks_are_as_long_in_both_languages():
    assert compiled.PER_BLOCK == PER_BLOCK
    sums = np.full((3, 8), np.nan)
    size = 2 * PER_BLOCK + 1
    compiled._likelihoods.fill_rows(
        np.ones((2, size)), np.full(2, float(size)), 0.0, 1.0, np.linspace(-3, 3, size - 1),
        np.empty((5, size - 1)), sums, 0, 3,
    )  # fmt: skip
    assert np.isfinite(sums).all()
    assert sums[2, 0] == pytest.approx(2 * np.log(ndtr(-3.0)), rel=1e-12)
