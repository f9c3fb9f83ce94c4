"""Sums of Gaussian kernels by cells: the same as center by center, also far out in the tails."""

import numpy as np
import pytest
from scipy.special import ndtr

import rocwise as rw
from rocwise.binary import predicted_roc as predicted_curves
from rocwise.binary.densities import GaussianMixture, KernelSums, silverman

RNG = np.random.default_rng(7)
SAMPLES = {
    "normal": RNG.normal(size=1500),
    "two clusters of different spread": np.r_[
        RNG.normal(size=1000), 50 + RNG.normal(size=500) / 99
    ],
    "far outliers": RNG.standard_cauchy(1500),
    "ties": RNG.normal(size=1500).round(1),
    "far from zero": 1e9 + RNG.normal(size=1500),
    "two values": np.repeat([0.0, 1e6], [1499, 1]),
}
samples = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES.keys())


@samples
def test_cells_agree_with_single_centers(sample):
    estimate = GaussianMixture(np.sort(sample), silverman(sample), "")
    t = np.r_[-np.inf, RNG.choice(estimate.grid(), 400), np.inf]
    z = (t[:, None] - estimate.centers) / estimate.width
    with np.errstate(under="ignore"):
        density = np.exp(-z * z / 2).mean(axis=1) / estimate.width / np.sqrt(2 * np.pi)
        below, above = ndtr(z).mean(axis=1), ndtr(-z).mean(axis=1)
    for ours, expected in (
        (estimate.pdf(t), density),
        (estimate.cdf(t), below),
        (estimate.sf(t), above),
    ):
        np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-200)


@pytest.mark.parametrize("spread", [0.01, 1.0, 30.0])
def test_any_spread_of_few_centers(spread):
    for n in (1, 2, 9):
        centers = np.sort(RNG.normal(0, spread, n))
        t = np.linspace(-4 * spread - 9, 4 * spread + 9, 301)
        z = (t[:, None] - centers) / 0.7
        sums = KernelSums(centers, 0.7)
        np.testing.assert_allclose(sums.below(t), ndtr(z).sum(axis=1), rtol=1e-12, atol=1e-200)
        expected = np.exp(-z * z / 2).sum(axis=1) / np.sqrt(2 * np.pi)
        np.testing.assert_allclose(sums.density(t), expected, rtol=1e-12, atol=1e-200)


def test_far_places_are_summed_in_pieces(monkeypatch):
    centers = np.sort(np.r_[np.zeros(400), np.full(400, 20.0)])
    t = np.linspace(7, 13, 50)
    expected = KernelSums(centers, 1.0).density(t)
    monkeypatch.setattr("rocwise.binary.densities.PAIRS_AT_ONCE", 1000)
    np.testing.assert_allclose(KernelSums(centers, 1.0).density(t), expected, rtol=1e-14)
    assert expected.min() > 0


def test_many_values_are_no_work_for_every_pair(monkeypatch):
    """20,000 values of each class: single centers are visited for a small share of the pairs."""
    negative, positive = RNG.normal(size=20_000), RNG.normal(1, 1, size=20_000)
    visited = []
    plain = GaussianMixture._mean

    def counted(self, t, function):
        visited.append(np.size(t) * len(self.centers))
        return plain(self, t, function)

    monkeypatch.setattr(GaussianMixture, "_mean", counted)
    found = rw.predict_roc(negative.tolist(), positive.tolist())
    grid = len(found.thresholds)
    assert sum(visited) < 0.2 * grid * 20_000
    some = predicted_curves.GaussianMixture(np.sort(negative), silverman(negative), "")
    z = (found.thresholds[1:-1:997][:, None] - some.centers) / some.width
    np.testing.assert_allclose(found.fpr[1:-1:997], ndtr(-z).mean(axis=1), atol=1e-12)
    rows = np.r_[np.zeros(20_000), np.ones(20_000)]
    assert found.auc == pytest.approx(rw.auc(rows, np.r_[negative, positive]).value, abs=0.01)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("width", [0.05, 0.4, 30.0])
def test_sums_over_many_places_are_those_of_each(name, width):
    sums = KernelSums(np.sort(SAMPLES[name]), width)
    rng = np.random.default_rng(3)
    some = rng.choice(SAMPLES[name], 60_000) + width * rng.normal(size=60_000)
    for places in (np.sort(some), np.full(5000, some[0]), np.sort(some[:2])):
        expected = sums.below(places).sum()
        assert sums.total_below(places) == pytest.approx(expected, rel=1e-13)
