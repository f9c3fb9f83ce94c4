"""Plots of estimates with intervals, tests and study plans."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import norm

import rocwise as rw
from rocwise.plotting import compose
from rocwise.plotting.spec import Band, Label, Line, Points, Whiskers
from rocwise.plotting.words import auc_words
from unit.plotting.drawn_results import layers, recorded
from unit.plotting.scored_cases import DISTINCT_SCORES, LABELS, TIED_SCORES, scored


def area(scores=DISTINCT_SCORES, **options):
    return rw.auc(LABELS, scores, **options)


def test_one_area_is_shaded_under_its_curve():
    auc, curve = area(), rw.roc(LABELS, DISTINCT_SCORES)
    recording = recorded(auc, name="m")
    (shade,) = recording.layers(Band)
    assert np.trapezoid(shade.upper - shade.lower, shade.x) == pytest.approx(auc.value)
    line = recording.layers(Line)[-1]
    assert (line.x.tolist(), line.y.tolist()) == (curve.fpr.tolist(), curve.tpr.tolist())
    assert recording.legend == [f"m, {auc_words(auc)}"]


@given(scored(), st.floats(0, 1), st.floats(0, 1), st.sampled_from(["fpr_range", "tpr_range"]))
def test_the_shaded_part_is_the_partial_area(cases, one, other, which):
    low, high = sorted((one, other))
    assume(high - low > 1e-3)
    auc = rw.auc(*cases, **{which: (low, high)})
    (shade,) = recorded(auc).layers(Band)
    shaded = np.trapezoid(shade.upper - shade.lower, shade.x)
    assert shaded == pytest.approx(auc.value, abs=1e-9)


def test_one_area_as_a_row_is_a_point_with_its_interval():
    auc = area()
    recording = recorded(auc, name="m", view="row")
    (points,), (whiskers,) = recording.layers(Points), recording.layers(Whiskers)
    assert points.x.tolist() == [auc.value]
    assert (whiskers.low[0], whiskers.high[0]) == (auc.interval.low, auc.interval.high)
    assert [tick.text for tick in recording.spec.y.ticks] == ["m"]
    low, high = auc.interval
    assert [tick.text for tick in recording.spec.right_ticks] == [
        f"{auc.value:.2f} ({low:.2f} to {high:.2f})"
    ]
    assert recording.caption == f"Interval: {auc.interval.method}."
    assert recording.spec.x.title == "AUC (95% CI)"


def test_several_areas_are_rows_from_the_top():
    areas = {"a": area(), "b": area(TIED_SCORES), "c": area()}
    recording = recorded(areas)
    assert recording.spec.rows == 3
    assert [(tick.position, tick.text) for tick in recording.spec.y.ticks] == [
        (2.0, "a"),
        (1.0, "b"),
        (0.0, "c"),
    ]
    heights = [(float(points.y[0]), float(points.x[0])) for points in recording.layers(Points)]
    assert heights == [(2.0, areas["a"].value), (1.0, areas["b"].value), (0.0, areas["c"].value)]
    assert [float(whiskers.y[0]) for whiskers in recording.layers(Whiskers)] == [2.0, 1.0, 0.0]
    (chance,) = recording.layers(Line)
    assert (chance.x.tolist(), chance.y.tolist()) == ([0.5, 0.5], [-0.5, 2.5])
    assert recording.spec.y.limits == (-0.5, 2.5)


@pytest.mark.parametrize(
    ("options", "title", "chance"),
    [
        ({"max_fpr": 0.4}, "Partial AUC over FPR 0 to 0.4 (95% CI)", 0.08),
        ({"tpr_range": (0.5, 1)}, "Partial AUC over TPR 0.5 to 1 (95% CI)", 0.125),
        (
            {"max_fpr": 0.4, "standardize": True},
            "Standardized partial AUC over FPR 0 to 0.4 (95% CI)",
            0.5,
        ),
    ],
)
def test_partial_areas_are_named_and_have_their_own_chance_level(options, title, chance):
    auc = area(**options)
    recording = recorded(auc, view="row")
    assert recording.spec.x.title == title
    assert recording.layers(Line)[0].x == pytest.approx([chance, chance])
    digits = 2 if auc.standardized else 3
    assert recording.spec.right_ticks[0].text.startswith(f"{auc.value:.{digits}f} (")


def test_whole_and_partial_areas_do_not_share_an_axis():
    partial = area(max_fpr=0.4)
    with pytest.raises(rw.InputError, match="cannot share one plot"):
        compose({"a": area(), "b": partial})


def models(k):
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3 == 0
    return rw.pair(y, {f"m{j}": rng.normal(size=90) + (j + 1) * y for j in range(k)})


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
    marked = [tick.text for tick in spec.y.ticks if tick.text.endswith(")")]
    assert marked == [f"{table.recommended} (recommended)"]
    assert table.advice in spec.caption[0]


@pytest.mark.parametrize("function", [rw.test_auc, rw.step_area])
def test_one_result_is_drawn_with_its_curve(function):
    labels, scores = [0, 1, 0, 1, 1], [1, 2, 3, 4, 5]
    line = layers(compose(function(labels, scores)), Line)[-1]
    assert line.y.tolist() == rw.roc(labels, scores).tpr.tolist()


def test_replicates_are_a_histogram_of_all_of_them():
    result = rw.bootstrap(models(1).tally("m0"), n_resamples=60, rng=0)
    (estimate,) = layers(compose(result), Line)
    (bars,) = layers(compose(result), Band)
    assert estimate.x[0] == result.value
    assert bars.upper[::2].sum() == pytest.approx(1.0)
    for left, right, proportion in zip(bars.x[::2], bars.x[1::2], bars.upper[::2], strict=True):
        inside = (result.replicates >= left) & (result.replicates < right)
        inside |= (result.replicates == right) & (right == bars.x[-1])
        assert proportion == pytest.approx(inside.mean(), abs=0.02)


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


@pytest.mark.parametrize("points", [([0.1, 0.4], [0.5, 0.85]), ([0.2], [0.8]), ([0.0], [0.3])])
def test_the_region_holds_the_extreme_curves(points):
    bounds = rw.auc_bounds(*points)
    recording = recorded(bounds)
    (band,), (marks,) = recording.layers(Band), recording.layers(Points)
    assert marks.x.tolist() == points[0]
    assert np.all(band.lower <= band.upper + 1e-12)
    assert np.trapezoid(band.lower, band.x) == pytest.approx(bounds.lower, abs=2e-3)
    assert np.trapezoid(band.upper, band.x) >= bounds.upper - 2e-3
    assert recording.legend == [f"AUC {bounds.lower:.3f} to {bounds.upper:.3f}"]


def test_points_below_the_diagonal_have_their_region_there():
    (band,) = recorded(rw.auc_bounds(0.8, 0.3)).layers(Band)
    assert np.all(band.upper <= band.x + 1e-9)
    assert np.interp(0.8, band.x, band.lower) == pytest.approx(0.3, abs=0.01)
    assert np.interp(0.8, band.x, band.upper) == pytest.approx(0.3, abs=0.01)


@pytest.mark.parametrize("quantity", ["a", "gap"])
def test_contours_are_labelled(quantity):
    contours = rw.auc_contours(quantity)
    texts = [label.text for label in recorded(contours).layers(Label)]
    assert texts == [f"{value:g}" for value in contours.values]
