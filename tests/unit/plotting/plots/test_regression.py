"""Plots of regression models."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.errors import InputError
from rocwise.plotting import compose
from rocwise.plotting.spec import Band, Label, Line, Points, Tick
from rocwise.regression.filters import KalmanFilter, fit_noise
from unit.plotting.drawn_results import layers, recorded
from unit.regression.forecast_vectors import C1, C2


def models(vector, **options):
    return {
        name: rw.regression.rec(vector.y, y_pred, **options)
        for name, y_pred in vector.models.items()
    }


def test_steps_begin_at_zero_and_go_on_at_one():
    curve = rw.regression.rec(C2.y, C2.a)
    (line,) = recorded(curve).layers(Line)
    for place in (0.1, 0.25, 0.3, 0.99, 1.0, 50.0):
        height = line.y[np.flatnonzero(line.x <= place)[-1]]
        assert height == curve.hits_at(place) / 8
    assert (line.x[0], line.y[0], line.y[-1]) == (0.0, 0.0, 1.0)


def test_legend_has_the_areas_and_the_null_model_once():
    recording = recorded(models(C1, null="mean", y_train=[2, 3, 7]))
    assert recording.legend == [
        "null model, AOC 1.5",
        "a, AOC 0.3 (0.2 of null)",
        "b, AOC 0.35 (0.23 of null)",
    ]
    assert "Dashed: null model, mean of the training targets." in recording.caption
    assert recording.spec.x.limits[1] == pytest.approx(3.0, rel=0.02)
    assert recording.spec.x.title == "Tolerance (absolute error)"


def test_without_a_null_model_the_largest_error_ends_the_axis():
    recording = recorded(models(C2))
    assert recording.legend == ["a, AOC 0.469", "b, AOC 0.594"]
    assert recording.spec.x.limits[1] == pytest.approx(2.0, rel=0.02)


def test_errors_beyond_the_axis_are_counted():
    assert (
        "1 error is larger than the axis shows."
        in recorded(rw.regression.rec(C2.y, C2.a), limit=0.8).caption
    )
    assert "2 errors are larger" in recorded(rw.regression.rec(C2.y, C2.b), limit=0.8).caption


def test_absolute_and_squared_errors_do_not_share_an_axis():
    both = {"a": rw.regression.rec(C1.y, C1.a), "b": rw.regression.rec(C1.y, C1.b, loss="squared")}
    with pytest.raises(rw.InputError, match="cannot share one plot"):
        recorded(both)


def test_band_follows_the_edges():
    band = rw.regression.band(rw.regression.rec(C2.y, C2.a))
    recording = recorded(band)
    (shaded,) = recording.layers(Band)
    assert shaded.upper[0] == pytest.approx(band.half_width)
    assert set(band.lower).union([0.0]) == set(shaded.lower)
    assert "95% DKW band for the whole curve, for independent errors." in recording.caption


def test_band_warns_of_dependence():
    slow = np.abs(np.sin(np.arange(200) / 20))
    assert (
        "Successive losses are correlated"
        in recorded(rw.regression.band(rw.regression.rec(np.zeros(200), slow))).caption
    )


def test_order_marks_the_crossing():
    curves = models(C2)
    recording = recorded(curves["a"].order(curves["b"], names=("a", "b")))
    (dots,) = recording.layers(Points)
    assert (dots.x.tolist(), dots.y.tolist()) == ([0.75], [7 / 8])
    (label,) = recording.layers(Label)
    assert label.text == "0.75"
    assert recording.legend == ["a, AOC 0.469", "b, AOC 0.594"]
    clear = models(C1)
    assert not recorded(clear["a"].order(clear["b"])).layers(Points)


def test_rroc_has_a_dot_at_the_present_forecasts():
    recording = recorded({"m": rw.regression.rroc([1, 2, 3], [2, 2, 5])})
    (dot,) = recording.layers(Points)
    assert (dot.x.tolist(), dot.y.tolist()) == ([3.0], [0.0])
    assert recording.legend == ["m"]
    assert "Error variance of m: 0.667." in recording.caption


FOLLOWER = KalmanFilter(
    [[1.0, 0.1], [0.0, 1.0]],
    np.eye(2),
    process_noise=0.1 * np.eye(2),
    observation_noise=np.eye(2),
    initial_mean=[0, 0],
    initial_covariance=np.eye(2),
)


Y = np.random.default_rng(0).normal(size=(40, 2))


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
    assert spec.caption[0].startswith("Kalman filter. 90% of observations")


def test_of_a_long_series_the_latest_are_shown():
    found = FOLLOWER.filter(np.tile(Y, (20, 1)))
    spec = compose(found)
    assert len(layers(spec, Line)[0].x) == 300
    assert "the latest 300 of 800 times" in spec.caption[0]
    assert len(layers(compose(found, last=800), Line)[0].x) == 800


def test_dates_are_on_the_axis_up_to_the_forecast():
    dates = np.datetime64("2024-01-01") + np.arange(40)
    found = FOLLOWER.filter(Y)
    texts = [tick.text for tick in compose(found, dates=dates).x.ticks]
    assert (texts[0], texts[-1]) == ("2024-01-01", "2024-02-09")
    ahead = compose(FOLLOWER.forecast(found, steps=3), dates=dates)
    assert ahead.x.ticks[-1] == Tick(42.0, "2024-02-12")
    with pytest.raises(InputError, match="`dates` must contain one date for each of 40"):
        compose(found, dates=dates[:7])
    with pytest.raises(InputError, match="`dates` must contain dates"):
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
