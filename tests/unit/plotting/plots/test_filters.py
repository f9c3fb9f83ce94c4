"""Plots of filtered series, as plain data."""

import numpy as np
import pytest

from rocwise.errors import InputError
from rocwise.plotting import compose
from rocwise.plotting.spec import Band, Line, Points, Tick
from rocwise.regression.filters import KalmanFilter, fit_noise

FOLLOWER = KalmanFilter(
    [[1.0, 0.1], [0.0, 1.0]],
    np.eye(2),
    process_noise=0.1 * np.eye(2),
    observation_noise=np.eye(2),
    initial_mean=[0, 0],
    initial_covariance=np.eye(2),
)
Y = np.random.default_rng(0).normal(size=(40, 2))


def layers(spec, kind):
    return [layer for layer in spec.layers if isinstance(layer, kind)]


def test_filtered_series():
    y = Y.copy()
    y[7] = np.nan
    found = FOLLOWER.filter(y, missing="skip")
    spec = compose(found, column=1, level=0.9, name="kf")
    (band,), (line,), (points,) = (layers(spec, kind) for kind in (Band, Line, Points))
    assert line.y.tolist() == found.forecast[:, 1].tolist()
    assert line.label == "kf, one-step forecast"
    np.testing.assert_allclose(band.upper - band.lower, 2 * 1.6448536 * found.standard_error[:, 1])
    assert points.x.tolist() == [t for t in range(40) if t != 7]
    assert spec.caption[0].startswith("Kalman filter. 90 % of observations")


def test_of_a_long_series_the_latest_are_shown():
    found = FOLLOWER.filter(np.tile(Y, (20, 1)))
    spec = compose(found)
    assert len(layers(spec, Line)[0].x) == 300
    assert "the latest 300 of 800 times" in spec.caption[0]
    assert len(layers(compose(found, last=800), Line)[0].x) == 800


def test_dates_stand_at_the_axis_and_go_on_into_the_forecast():
    dates = np.datetime64("2024-01-01") + np.arange(40)
    found = FOLLOWER.filter(Y)
    texts = [tick.text for tick in compose(found, dates=dates).x.ticks]
    assert (texts[0], texts[-1]) == ("2024-01-01", "2024-02-09")
    ahead = compose(FOLLOWER.forecast(found, steps=3), dates=dates)
    assert ahead.x.ticks[-1] == Tick(42.0, "2024-02-12")
    with pytest.raises(InputError, match="`dates` must hold one date for each of 40"):
        compose(found, dates=dates[:7])
    with pytest.raises(InputError, match="`dates` must hold dates"):
        compose(found, dates=["yesterday"] * 40)


def test_forecasts():
    found = FOLLOWER.filter(Y)
    spec = compose(FOLLOWER.forecast(found, steps=3))
    assert layers(spec, Line)[0].x.tolist() == [40, 41, 42]
    history = next(points for points in layers(spec, Points) if points.label == "observed")
    np.testing.assert_array_equal(history.y, np.asarray(found.observed)[:, 0])
    assert not any(
        points.label
        for points in layers(compose(FOLLOWER.forecast(found, steps=3), last=0), Points)
        if len(points.x) > 3
    )


def test_smoothed_states():
    smooth = FOLLOWER.smooth(Y)
    spec = compose(smooth, column=1)
    known, line = layers(spec, Line)
    assert known.label == "filtered"
    assert line.y.tolist() == smooth.mean[:, 1].tolist()
    assert spec.y.title == "State 1"


def test_likelihood_around_the_noises():
    found = fit_noise(FOLLOWER, Y, method="grid")
    spec = compose(found)
    reference, process, observation = layers(spec, Line)
    assert reference.role == "reference"
    assert (process.label, observation.label) == ("process noise", "observation noise")
    np.testing.assert_allclose(process.y, found.process_profile - found.log_likelihood)
    np.testing.assert_allclose(observation.y, found.observation_profile - found.log_likelihood)
