"""Results of filters: attributes, printed form, forecasts and missing values."""

import copy
import pickle

import numpy as np
import pytest

from rocwise.regression.filters import KalmanFilter, SquareRootUnscentedKalmanFilter
from unit.regression.filters.filter_cases import NOISES, NONLINEAR, SERIES, bent, newest


def model(kind=SquareRootUnscentedKalmanFilter):
    return kind(bent, newest, **NOISES)


def test_plain_filters_have_no_factor():
    line = KalmanFilter([[1, 1], [0, 1]], np.eye(2), **{**NOISES, "observation_noise": np.eye(2)})
    found = line.filter(np.ones((3, 2)))
    assert found.covariance_factor is None
    assert "forecast_1" in found.to_frame()


@pytest.mark.parametrize("kind", NONLINEAR)
def test_a_missing_value_is_predicted_and_costs_nothing(kind):
    gap = [0.3, np.nan, 0.4, 0.2, -0.3]
    found = model(kind).filter(gap, missing="skip")
    start = model(kind).filter(SERIES[:1])
    np.testing.assert_allclose(found.mean[0], start.mean[0])
    ahead = model(kind).forecast(start, steps=1)
    np.testing.assert_allclose(found.mean[1], ahead.mean[0], atol=1e-13)
    np.testing.assert_allclose(found.covariance[1], ahead.covariance[0], atol=1e-13)
    assert found.n_missing == 1
    assert "(1 missing)" in repr(found)
    assert found.to_dict()["observed"][1] == [None]
    nothing = model(kind).filter([np.nan] * 3, missing="skip")
    assert nothing.log_likelihood == 0
    assert "absolute error" not in repr(nothing)


def test_forecasts_from_every_time():
    follower = model()
    found = follower.filter(SERIES)
    every = follower.forecast(found, steps=2, every=True)
    assert every.origin_time.tolist() == [0, 1, 2, 3, 4]
    for t in range(5):
        alone = follower.forecast(follower.filter(SERIES[: t + 1]), steps=2)
        np.testing.assert_allclose(every.forecast[t], alone.forecast[1], atol=1e-12)
        np.testing.assert_allclose(every.covariance[t], alone.covariance[1], atol=1e-12)
    assert "the last 2 steps ahead" in repr(every)
    assert list(every.to_frame()) == ["origin_time", "steps", "forecast", "standard_error"]


def test_one_step_ahead_from_every_time_is_what_the_filter_foresaw():
    follower = model()
    found = follower.filter(SERIES)
    every = follower.forecast(found, steps=1, every=True)
    np.testing.assert_allclose(every.forecast[:-1], found.forecast[1:], atol=1e-12)


def test_smoothed_states():
    smooth = model().smooth(SERIES)
    assert "smoothed: 5 times, 2 states; mean absolute change" in repr(smooth)
    np.testing.assert_allclose(smooth.mean[-1], smooth.filtered_mean[-1])
    # the second state is the first of one step before, and smoothing knows
    np.testing.assert_allclose(smooth.mean[1:, 1], smooth.mean[:-1, 0], atol=1e-9)
    assert list(smooth.to_frame()) == [
        "time", "mean_0", "mean_1", "standard_error_0", "standard_error_1",
    ]  # fmt: skip


def test_filters_copy_and_pickle():
    line = KalmanFilter([[1, 1], [0, 1]], [[1, 0]], **NOISES)
    for other in (copy.deepcopy(line), pickle.loads(pickle.dumps(line))):
        assert other.filter(SERIES).log_likelihood == line.filter(SERIES).log_likelihood
    assert repr(line) == "Kalman filter: 2 states, 1 observed, additive noise"
