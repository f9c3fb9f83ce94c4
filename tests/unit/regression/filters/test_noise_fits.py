"""Noises by maximum likelihood."""

import numpy as np
import pytest

from rocwise.errors import InputError
from rocwise.regression.filters import KalmanFilter, fit_noise


def level(process=1.0, observation=1.0, initial_covariance=10.0):
    return KalmanFilter(
        1.0,
        1.0,
        process_noise=process,
        observation_noise=observation,
        initial_mean=0.0,
        initial_covariance=initial_covariance,
    )


def walk(n=300, process=0.2, observation=0.7, seed=3):
    rng = np.random.default_rng(seed)
    steps = np.cumsum(rng.normal(0, process**0.5, n))
    return steps + rng.normal(0, observation**0.5, n)


def test_search_finds_a_maximum():
    y = walk()
    found = fit_noise(level(), y)
    assert found.log_likelihood == pytest.approx(found.filter.filter(y).log_likelihood, abs=1e-9)
    for q in (0.98, 1.02):
        for r in (0.98, 1.02):
            near = found.filter.with_noise(q * found.process_noise, r * found.observation_noise)
            assert near.filter(y).log_likelihood < found.log_likelihood
    assert 0.1 < found.process_noise.item() < 0.4
    assert 0.5 < found.observation_noise.item() < 0.9
    assert repr(found).startswith("Noises by maximum likelihood: process (0.")
    assert found.negligible == ()


def test_grid_takes_the_best_of_all_pairs():
    y = walk(60)
    found = fit_noise(level(), y, method="grid")
    tried = {
        (q, r): level(q, r).filter(y).log_likelihood
        for q in (0.25, 0.5, 1.0)
        for r in (1e-3, 1e-2, 0.1, 0.5)
    }
    best = max(tried, key=tried.get)
    assert (found.process_noise.item(), found.observation_noise.item()) == pytest.approx(best)
    assert found.log_likelihood == pytest.approx(tried[best], abs=1e-10)
    assert found.n_evaluations == 12 + 1 + 2 * len(found.factors)
    assert "best of a grid" in repr(found)


def test_separate_factors_find_the_noisier_of_two_instruments():
    rng = np.random.default_rng(1)
    truth = np.cumsum(rng.normal(size=200))
    y = np.column_stack([truth + rng.normal(0, 0.3, 200), truth + rng.normal(0, 2.0, 200)])
    model = KalmanFilter(
        1.0,
        [[1.0], [1.0]],
        process_noise=1.0,
        observation_noise=np.eye(2),
        initial_mean=0.0,
        initial_covariance=10.0,
    )
    found = fit_noise(model, y, separate=True)
    first, second = np.sqrt(np.diag(found.observation_noise))
    assert 0.15 < first < 0.6
    assert 1.7 < second < 2.3
    assert found.log_likelihood > fit_noise(model, y).log_likelihood + 10


def test_a_noise_that_is_not_there_becomes_negligible():
    y = (-1.0) ** np.arange(80)  # a level that wandered would make it less likely, not more
    found = fit_noise(level(), y)
    assert found.process_noise.item() < 1e-6
    assert found.observation_noise.item() == pytest.approx(1.0, rel=0.02)
    assert found.negligible == ("process_noise",)


def test_nile(data_folder):
    """Durbin and Koopman (2012), section 2.10: variances 15099 and 1469.1."""
    path = data_folder / "nile.csv.gz"
    flow = np.loadtxt(path, delimiter=",", skiprows=1, usecols=1)
    found = fit_noise(level(1e3, 1e4, 1e9), flow)
    assert found.observation_noise.item() == pytest.approx(15099, rel=2e-3)
    assert found.process_noise.item() == pytest.approx(1469.1, rel=5e-3)


def test_missing_values_are_passed_over():
    y = walk(80)
    y[10:20] = np.nan
    with pytest.raises(InputError, match="10 missing values"):
        fit_noise(level(), y)
    assert np.isfinite(fit_noise(level(), y, method="grid", missing="skip").log_likelihood)


def test_profiles_have_their_top_at_the_noises_found():
    y = walk(120)
    found = fit_noise(level(), y)
    middle = len(found.factors) // 2
    assert found.factors[middle] == pytest.approx(1.0)
    for profile in (found.process_profile, found.observation_profile):
        assert profile[middle] == pytest.approx(found.log_likelihood, abs=1e-9)
        assert np.argmax(profile) == middle
    doubled = found.filter.with_noise(
        found.factors[-1] * found.process_noise, found.observation_noise
    )
    assert found.process_profile[-1] == pytest.approx(doubled.filter(y).log_likelihood, abs=1e-8)
