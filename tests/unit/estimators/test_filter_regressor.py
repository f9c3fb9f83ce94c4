"""Forecasts by one filter."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from rocwise.errors import InputError
from rocwise.estimators import FilterRegressor
from rocwise.regression.forecasting import KINDS, lag_rows, noise_grid


def noisy_swing(n=160, noise=0.3, seed=0):
    rng = np.random.default_rng(seed)
    return np.sin(np.arange(n) / 2.5) + rng.normal(0, noise, n)


@parametrize_with_checks([FilterRegressor()])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


def test_all_filters_agree_on_a_linear_transition():
    X, y = lag_rows(noisy_swing(), 4)
    found = [
        FilterRegressor(name).fit(X[:100], y[:100]).predict(X[100:])
        for name in ("ekf", "ukf", "cdkf", "sr-ukf", "sr-cdkf")
    ]
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], atol=1e-8)


@pytest.mark.parametrize("kind", ["sr-ukf", "cdkf"])
@pytest.mark.parametrize("noise", [0.3, 1e-4])
def test_noises_are_the_most_likely_ones_of_the_filter_itself(kind, noise):
    """Whichever filter tried them: on a linear model all have the same likelihood."""
    X, y = lag_rows(noisy_swing(noise=noise), 4)
    found = FilterRegressor(kind).fit(X, y)
    variance = found.model_.residual_variance
    best, likelihood = noise_grid(found.filter_, X[:, ::-1], variance)
    assert type(found.filter_) is type(best) is KINDS[kind]
    np.testing.assert_array_equal(found.filter_.process_noise, best.process_noise)
    np.testing.assert_array_equal(found.filter_.observation_noise, best.observation_noise)
    assert found.log_likelihood_ == pytest.approx(likelihood, rel=1e-9)


def test_without_noise_the_forecast_is_the_autoregression():
    values = [0.2, 0.5]
    for _ in range(60):
        values.append(0.1 + 1.5 * values[-1] - 0.9 * values[-2])
    X, y = lag_rows(values, 2)
    model = FilterRegressor().fit(X[:40], y[:40])
    np.testing.assert_allclose(model.predict(X[40:]), y[40:], atol=1e-5)


def test_a_row_is_forecast_on_its_own():
    X, y = lag_rows(noisy_swing(), 3)
    model = FilterRegressor("sr-cdkf", transition="mlp", random_state=0).fit(X[:100], y[:100])
    together = model.predict(X[100:])
    np.testing.assert_allclose([model.predict(X[[t]])[0] for t in range(100, 110)], together[:10])
    np.testing.assert_allclose(model.predict(X[:99:-1]), together[::-1], atol=1e-12)


def test_standard_deviations_are_those_of_the_errors():
    X, y = lag_rows(noisy_swing(600), 4)
    model = FilterRegressor().fit(X[:400], y[:400])
    forecast, deviation = model.predict(X[400:], return_std=True)
    assert 0.8 < np.std((y[400:] - forecast) / deviation) < 1.25


def test_following_a_whole_series():
    series = noisy_swing()
    X, y = lag_rows(series, 4)
    model = FilterRegressor().fit(X[:100], y[:100])
    found = model.filter_series(series)
    assert found.forecast.shape == (160, 1)
    gap = series.copy()
    gap[50] = np.nan
    with pytest.raises(InputError, match="1 missing value"):
        model.filter_series(gap)
    assert model.filter_series(gap, missing="skip").n_missing == 1


@pytest.mark.parametrize("transition", ["mlp", "mlp-filter"])
def test_networks_are_repeatable_and_follow_a_bent_series(transition):
    values = [0.3]
    rng = np.random.default_rng(0)
    for _ in range(150):
        values.append(1 - 1.6 * values[-1] ** 2 + rng.normal(0, 0.02))
    X, y = lag_rows(values, 1)

    def forecasts(kind):
        model = FilterRegressor("sr-ukf", transition=kind, random_state=0)
        return model.fit(X[:100], y[:100]).predict(X[100:])

    first = forecasts(transition)
    np.testing.assert_array_equal(first, forecasts(transition))
    assert np.abs(first - y[100:]).mean() < 0.5 * np.abs(forecasts("linear") - y[100:]).mean()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"filter": "kf"}, "`filter` must be one of 'ekf'"),
        ({"transition": "cubic"}, "`transition` must be one of 'linear', 'mlp'"),
        ({"transition": "mlp", "hidden": 0}, "`hidden` must be a whole number"),
    ],
)
def test_unusable_options(options, message):
    X, y = lag_rows(noisy_swing(), 3)
    with pytest.raises(InputError, match=message):
        FilterRegressor(**options).fit(X, y)
