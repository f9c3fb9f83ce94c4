"""Filters as filterpy and statsmodels compute them (see filter_values.py)."""

import json
from pathlib import Path

import numpy as np
import pytest

from rocwise.regression.filters import (
    KalmanFilter,
    SquareRootUnscentedKalmanFilter,
    UnscentedKalmanFilter,
    fit_noise,
)

VALUES = json.loads(Path(__file__).with_name("filter_values.json").read_text(encoding="utf-8"))
TIMES = np.arange(40)
PAIR = np.column_stack(
    [
        np.sin(0.3 * TIMES) + 0.3 * np.cos(1.7 * TIMES),
        np.cos(0.2 * TIMES) - 0.2 * np.sin(2.3 * TIMES),
    ]
)
SINGLE = np.cumsum(0.4 * np.sin(1.3 * TIMES + 0.05 * TIMES**2)) + 0.5 * np.cos(2.9 * TIMES)
WALK = np.cumsum(np.sin(7.0 * TIMES**2)) + 0.6 * np.cos(5.0 * TIMES**2 + 1.0)


def moved(x):
    return np.array([0.9 * x[0] + 0.4 * np.sin(x[1]), 0.8 * x[1] - 0.3 * np.tanh(x[0])])


def seen(x):
    return np.array([x[0] + 0.2 * x[1] ** 2, np.arctan(x[1])])


@pytest.mark.parametrize("kind", [UnscentedKalmanFilter, SquareRootUnscentedKalmanFilter])
@pytest.mark.parametrize("wanted", VALUES["unscented"], ids=lambda each: str(each["parameters"]))
def test_unscented_filter_and_smoother_as_in_filterpy(kind, wanted):
    alpha, beta, kappa = wanted["parameters"]
    model = kind(
        moved,
        seen,
        process_noise=np.diag([0.05, 0.1]),
        observation_noise=[[0.2, 0.05], [0.05, 0.3]],
        initial_mean=[0.1, -0.2],
        initial_covariance=np.diag([0.5, 0.8]),
        alpha=alpha,
        beta=beta,
        kappa=kappa,
    )
    found, smooth = model.filter(PAIR), model.smooth(PAIR)
    np.testing.assert_allclose(found.mean[-1], wanted["mean"], atol=1e-10)
    np.testing.assert_allclose(found.covariance[-1], wanted["covariance"], atol=1e-10)
    assert found.log_likelihood == pytest.approx(wanted["log_likelihood"], abs=1e-9)
    np.testing.assert_allclose(smooth.mean[0], wanted["smoothed_mean"], atol=1e-9)
    np.testing.assert_allclose(smooth.covariance[0], wanted["smoothed_covariance"], atol=1e-9)


def test_linear_filter_and_smoother_as_in_filterpy():
    wanted = VALUES["linear"]
    model = KalmanFilter(
        [[1, 1], [0, 1]],
        [[1, 0]],
        process_noise=[[0.02, 0.01], [0.01, 0.03]],
        observation_noise=0.4,
        initial_mean=[0, 0.1],
        initial_covariance=np.diag([2, 0.5]),
    )
    found, smooth = model.filter(SINGLE), model.smooth(SINGLE)
    np.testing.assert_allclose(found.mean[-1], wanted["mean"], atol=1e-12)
    np.testing.assert_allclose(found.covariance[-1], wanted["covariance"], atol=1e-12)
    np.testing.assert_allclose(smooth.mean[0], wanted["smoothed_mean"], atol=1e-11)
    np.testing.assert_allclose(smooth.covariance[0], wanted["smoothed_covariance"], atol=1e-11)


def level(process, observation, first_variance):
    """statsmodels describes the state at the first observation, we describe the one before it."""
    return KalmanFilter(
        1.0,
        1.0,
        process_noise=process,
        observation_noise=observation,
        initial_mean=0.3,
        initial_covariance=first_variance - process,
    )


def test_missing_observations_and_forecasts_as_in_statsmodels():
    wanted = VALUES["missing"]
    values = SINGLE.copy()
    values[wanted["gaps"]] = np.nan
    model = level(0.2, 0.5, 2.0)
    found, smooth = model.filter(values, missing="skip"), model.smooth(values, missing="skip")
    assert found.log_likelihood == pytest.approx(wanted["log_likelihood"], abs=1e-9)
    np.testing.assert_allclose(found.mean[:, 0], wanted["filtered"], atol=1e-10)
    np.testing.assert_allclose(smooth.mean[:, 0], wanted["smoothed"], atol=1e-10)
    np.testing.assert_allclose(smooth.covariance[:, 0, 0], wanted["smoothed_variance"], atol=1e-10)
    ahead = model.forecast(found, steps=4)
    np.testing.assert_allclose(ahead.forecast[:, 0], wanted["ahead"], atol=1e-10)
    np.testing.assert_allclose(
        ahead.forecast_covariance[:, 0, 0], wanted["ahead_variance"], atol=1e-10
    )


def test_most_likely_noises_as_in_statsmodels():
    wanted = VALUES["most_likely"]
    observation, process = wanted["variances"]
    at_their_optimum = level(process, observation, 1e6).filter(WALK).log_likelihood
    assert at_their_optimum == pytest.approx(wanted["log_likelihood"], abs=1e-8)
    found = fit_noise(level(1.0, 1.0, 1e6), WALK)
    assert found.log_likelihood == pytest.approx(wanted["log_likelihood"], abs=1e-5)
    np.testing.assert_allclose(found.process_noise, process, rtol=1e-3)
    np.testing.assert_allclose(found.observation_noise, observation, rtol=1e-3)
    assert found.negligible == ()
