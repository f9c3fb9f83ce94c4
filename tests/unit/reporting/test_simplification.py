"""Lines with fewer points stay where they were."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import rocwise as rw
from rocwise.plotting import compose
from rocwise.reporting.payload import needed_points, plain_line, simplified


@given(st.integers(0, 10_000), st.sampled_from([1e-3, 1e-2, 0.1]))
def test_every_point_left_out_is_near_the_line(seed, tolerance):
    rng = np.random.default_rng(seed)
    x, y = np.sort(rng.random(80)), np.sort(rng.random(80))
    places = needed_points(x, y, tolerance)
    assert places[0] == 0
    assert places[-1] == 79
    for first, last in pairwise(places):
        along, up = x[last] - x[first], y[last] - y[first]
        length = np.hypot(along, up)
        inside = slice(first + 1, last)
        across = np.abs((x[inside] - x[first]) * up - (y[inside] - y[first]) * along)
        assert np.all(across <= tolerance * length + 1e-12)


def test_a_long_curve_becomes_short_and_keeps_its_area():
    rng = np.random.default_rng(0)
    y = np.arange(50_000) % 2
    curve = rw.roc(y, rng.normal(size=50_000) + y)
    line = plain_line(curve.fpr, curve.tpr)
    assert len(line["x"]) < 1500
    assert_allclose(np.trapezoid(line["y"], line["x"]), curve.auc, atol=2e-4)


def test_plots_keep_their_layers():
    rng = np.random.default_rng(0)
    y = np.arange(5000) % 2
    plot = compose(rw.precision_recall(y, rng.normal(size=5000) + y))
    shorter = simplified(plot)
    assert [type(layer) for layer in shorter.layers] == [type(layer) for layer in plot.layers]
    assert sum(len(layer.x) for layer in shorter.layers) < 2000
    assert shorter.caption == plot.caption
