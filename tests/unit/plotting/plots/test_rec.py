"""Plots of REC curves, bands, orders, comparisons and RROC curves."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.plotting import plot
from rocwise.plotting.spec import Band, Label, Line, Points
from unit.regression.forecast_vectors import C1, C2


def recorded(result, **options):
    return plot(result, backend="none", **options)


def models(vector, **options):
    return {
        name: rw.regression.rec(vector.y, said, **options) for name, said in vector.models.items()
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
    assert "95 % DKW band for the whole curve, for independent errors." in recording.caption


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
    assert recording.legend == ["m, error variance 0.667"]
