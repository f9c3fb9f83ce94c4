"""Autoregressions as transitions, and their filters."""

import numpy as np
import pytest

from rocwise.errors import InputError
from rocwise.regression.filters import CentralDifferenceKalmanFilter, KalmanFilter
from rocwise.regression.forecasting import (
    KINDS,
    Companion,
    LinearAutoregression,
    NeuralAutoregression,
    fit_linear,
    fit_neural,
    lag_rows,
    scaled_differences,
    series_filter,
    window_forecasts,
    window_start,
)


def series(n=150, seed=0):
    rng = np.random.default_rng(seed)
    values = [0.1, 0.3]
    for _ in range(n):
        values.append(0.1 + 1.2 * np.tanh(values[-1]) - 0.5 * np.sin(values[-2]))
        values[-1] += rng.normal(0, 0.2)
    return np.array(values)


NETWORK = NeuralAutoregression(
    np.array([[0.4, -0.7, 0.2], [1.1, 0.3, -0.5]]),
    np.array([0.1, -0.2]),
    np.array([0.8, -0.6]),
    0.05,
    centre=0.3,
    scale=1.7,
)


@pytest.mark.parametrize("model", [LinearAutoregression(0.2, np.array([0.5, -0.1, 0.3])), NETWORK])
def test_jacobian_is_the_derivative(model):
    step = Companion(model)
    x = np.random.default_rng(1).normal(size=(4, 3))
    moved = np.array([step(x + 1e-6 * e) - step(x - 1e-6 * e) for e in np.eye(3)]) / 2e-6
    np.testing.assert_allclose(step.jacobian(x), moved.transpose(1, 2, 0), atol=1e-9)
    np.testing.assert_array_equal(step(x)[:, 1:], x[:, :-1])
    np.testing.assert_allclose(step(x)[:, 0], model.predict(x))


def test_network_by_hand():
    x = np.array([[0.3, 2.0, -1.4]])
    inner = np.tanh(NETWORK.input_weights @ ((x[0] - 0.3) / 1.7) + NETWORK.input_bias)
    wanted = 0.3 + 1.7 * (0.8 * inner[0] - 0.6 * inner[1] + 0.05)
    assert NETWORK.predict(x).item() == pytest.approx(wanted, abs=1e-14)


def test_least_squares_recovers_a_noiseless_recursion():
    values = [1.0, 0.4]
    for _ in range(20):
        values.append(0.3 + 0.9 * values[-1] - 0.5 * values[-2])
    model = fit_linear(*lag_rows(values, 2))
    np.testing.assert_allclose(model.coefficients, [0.9, -0.5], atol=1e-8)
    assert model.intercept == pytest.approx(0.3, abs=1e-8)
    assert 0 < model.residual_variance < 1e-10


def test_network_beats_the_line_in_any_units():
    rows, target = lag_rows(series(80), 2)
    network, line = fit_neural(rows, target, random_state=0), fit_linear(rows, target)
    assert network.residual_variance < line.residual_variance
    stretched = fit_neural(1024 * rows, 1024 * target, random_state=0)  # in other units
    np.testing.assert_allclose(stretched.predict(1024 * rows) / 1024, network.predict(rows))


def test_published_form_of_the_autoregression_filters():
    line = LinearAutoregression(0.1, np.array([0.6, -0.3]))
    noises = {"initial_mean": [0, 0], "initial_covariance": np.eye(2)}
    exact = KalmanFilter(
        [[0.6, -0.3], [1, 0]],
        [[1, 0]],
        offset=[0.1, 0],
        process_noise=np.diag([0.05, 0]),
        observation_noise=0.02,
        **noises,
    ).filter([0.3, -0.1, 0.4, 0.2, -0.3])
    for kind in KINDS:
        follower = series_filter(
            line, kind=kind, process_variance=0.05, observation_variance=0.02, **noises
        )
        found = follower.filter([0.3, -0.1, 0.4, 0.2, -0.3])
        np.testing.assert_allclose(found.forecast, exact.forecast, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_windows_at_once_are_windows_one_by_one(kind):
    rows, target = lag_rows(series(), 3)
    model = fit_neural(rows, target, random_state=0)
    mean, covariance = window_start(rows, model.residual_variance)
    follower = series_filter(
        model,
        kind=kind,
        process_variance=0.03,
        observation_variance=0.01,
        initial_mean=mean,
        initial_covariance=covariance,
    )
    forecast, deviation = window_forecasts(follower, rows[:7, ::-1])
    for i in range(7):
        alone = follower.filter(rows[i, ::-1])
        ahead = follower.forecast(alone, steps=1)
        assert forecast[i] == pytest.approx(ahead.forecast.item(), abs=1e-10)
        assert deviation[i] == pytest.approx(ahead.standard_error.item(), abs=1e-10)


def test_scaled_differences():
    found, intercept, slope = scaled_differences([3, 5, 4, 8, 6, 7, 12], 4)
    wanted = [0.6333333333, 0.2333333333, 0.9, 0.1, 0.5, 1.0333333333]
    np.testing.assert_allclose(found, wanted, atol=1e-10)
    again = intercept + slope * np.diff([3, 5, 4, 8, 6, 7, 12])
    np.testing.assert_allclose(again, wanted, atol=1e-10)


def test_scaling_by_the_whole_series_would_use_the_future():
    calm, wild = [3, 5, 4, 8, 6, 7, 12], [3, 5, 4, 8, 6, 7, 120]
    np.testing.assert_array_equal(
        scaled_differences(calm, 4)[0][:5], scaled_differences(wild, 4)[0][:5]
    )


@pytest.mark.parametrize(
    ("values", "n_fit", "message"),
    [
        ([1, 2, 3, 4, 9], 3, "first 3 differences of `series` are all the same"),
        ([1, 2], 2, "more than n_fit = 2 values"),
        ([1, np.nan, 2], 1, "`series` must be finite"),
        ([1, 2, 3], 0, "`n_fit` must be an integer"),
    ],
)
def test_unusable_differences(values, n_fit, message):
    with pytest.raises(InputError, match=message):
        scaled_differences(values, n_fit)


@pytest.mark.parametrize(
    ("values", "order", "message"),
    [
        (np.arange(9.0), 4, "`series` must have at least 10 values for order 4; got 9"),
        (np.arange(9.0), 0, "`order` must be an integer of at least 1"),
        (np.ones((9, 2)), 1, "`series` must have one dimension"),
        ([1, 2, np.inf, 3, 4, 5], 1, "infinity in row 2"),
    ],
)
def test_unusable_series(values, order, message):
    with pytest.raises(InputError, match=message):
        lag_rows(values, order)


def test_unknown_kind():
    with pytest.raises(InputError, match="`kind` must be one of 'ekf'"):
        series_filter(
            NETWORK,
            kind="pf",
            process_variance=1.0,
            observation_variance=1.0,
            initial_mean=np.zeros(3),
            initial_covariance=np.eye(3),
        )
    assert KINDS["cdkf"] is CentralDifferenceKalmanFilter
