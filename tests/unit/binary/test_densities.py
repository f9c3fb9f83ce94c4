"""Sums of Gaussian kernels by cells: the same as center by center, also far out in the tails."""

import numpy as np
import pytest
from scipy.special import ndtr

from rocwise.binary.densities import GaussianMixture, silverman

RNG = np.random.default_rng(7)
SAMPLES = {
    "normal": RNG.normal(size=1500),
    "two clusters of different variance": np.r_[
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
