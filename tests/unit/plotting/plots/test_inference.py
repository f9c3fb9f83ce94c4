"""Plots of comparisons, tests and intervals."""

import numpy as np
import pytest
from scipy.stats import norm

import rocwise as rw
from rocwise.plotting import compose
from rocwise.plotting.spec import Band, Line, Points, Whiskers


def models(k):
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3 == 0
    return rw.pair(y, {f"m{j}": rng.normal(size=90) + (j + 1) * y for j in range(k)})


def layers(spec, kind):
    return [layer for layer in spec.layers if isinstance(layer, kind)]


def test_every_pair_has_a_row_with_its_interval():
    comparison = rw.compare(models(3))
    spec = compose(comparison)
    (whiskers,) = layers(spec, Whiskers)
    (points,) = layers(spec, Points)
    assert len(whiskers.y) == 3
    np.testing.assert_array_equal(points.x, comparison.pairwise["difference"])
    assert len(spec.y.ticks) == 3
    assert spec.y.ticks[0].text == "m0 − m1"
    assert layers(spec, Line)[0].x[0] == 0.0
    assert spec.rows == 3


def test_a_permutation_test_has_no_interval_to_draw():
    spec = compose(rw.compare(models(2), method="permutation"))
    assert layers(spec, Whiskers) == []
    assert "permutation" in spec.caption[0]


def test_the_trusted_interval_is_marked():
    table = rw.auc_intervals(models(1).tally("m0"), n_resamples=50, rng=0)
    spec = compose(table)
    marked = [tick.text for tick in spec.y.ticks if tick.text.endswith("*")]
    assert marked == [f"{table.recommended} *"]
    assert table.advice in spec.caption[0]


@pytest.mark.parametrize("question", [rw.test_auc, rw.step_area])
def test_one_answer_is_drawn_with_its_curve(question):
    labels, scores = [0, 1, 0, 1, 1], [1, 2, 3, 4, 5]
    line = layers(compose(question(labels, scores)), Line)[-1]
    assert line.y.tolist() == rw.roc(labels, scores).tpr.tolist()


def test_replicates_are_a_histogram_of_all_of_them():
    result = rw.bootstrap(models(1).tally("m0"), n_resamples=60, rng=0)
    (estimate,) = layers(compose(result), Line)
    (bars,) = layers(compose(result), Band)
    assert estimate.x[0] == result.value
    assert bars.upper[::2].sum() == pytest.approx(1.0)
    for left, right, share in zip(bars.x[::2], bars.x[1::2], bars.upper[::2], strict=True):
        inside = (result.replicates >= left) & (result.replicates < right)
        inside |= (result.replicates == right) & (right == bars.x[-1])
        assert share == pytest.approx(inside.mean(), abs=0.02)


def test_features_are_drawn_in_their_order():
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    ranking = rw.rank_features(rng.normal(size=(60, 3)) + np.outer(y, [0.2, 1.5, 0.7]), y)
    spec = compose(ranking, most=2)
    assert [tick.text for tick in spec.y.ticks] == list(ranking.feature[:2])
    assert "2 of 3 features" in spec.caption[0]


def test_an_operating_point_is_drawn_where_it_is():
    (point,) = layers(compose(rw.signal_detection(0.1, 0.7)), Points)
    assert (point.x[0], point.y[0]) == (0.1, 0.7)
    curve = layers(compose(rw.signal_detection(0.1, 0.7)), Line)[-1]
    assert np.interp(0.1, curve.x, curve.y) == pytest.approx(0.7, abs=2e-3)
    area = norm.cdf(rw.signal_detection(0.1, 0.7).d_prime / np.sqrt(2))
    assert np.trapezoid(curve.y, curve.x) == pytest.approx(area, abs=1e-3)
