"""Plots of thresholds: the drawn steps against a recount at any threshold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.binary import rule_without_labels
from rocwise.plotting import compose
from rocwise.plotting.spec import Band, Label, Line, Points, Whiskers
from rocwise.reporting.payload import histogram
from unit.plotting.drawn_results import recorded
from unit.plotting.scored_cases import LABELS, TIED_SCORES, scored


def height_at(line, x):
    """The drawn height at x: the level piece that x lies strictly inside of."""
    low, high = np.minimum(line.x[:-1], line.x[1:]), np.maximum(line.x[:-1], line.x[1:])
    (piece,) = np.flatnonzero((low < x) & (x < high))
    assert line.y[piece] == line.y[piece + 1] or np.isnan(line.y[piece : piece + 2]).all()
    return line.y[piece]


@given(scored(scores=st.integers(-4, 4).map(float)), st.booleans(), st.integers(-5, 4))
def test_the_drawn_steps_agree_with_a_recount_between_scores(cases, lower, whole):
    labels, scores = cases
    table = rw.thresholds(labels, scores, direction="lower" if lower else "higher")
    lines = recorded(table, metrics=["sensitivity", "specificity", "npv"]).layers(Line)
    threshold = whole + 0.5
    left, right = lines[0].x.min(), lines[0].x.max()
    if left < threshold < right:
        called = scores <= threshold if lower else scores >= threshold
        assert height_at(lines[0], threshold) == called[labels == 1].mean()
        assert height_at(lines[1], threshold) == pytest.approx(1 - called[labels == 0].mean())
        expected = 1 - labels[~called].mean()  # some are not called: scores are on both sides
        assert height_at(lines[2], threshold) == pytest.approx(expected)


@given(scored())
def test_everything_drawn_is_inside_the_frame(cases):
    spec = compose(rw.thresholds(*cases), metrics=["f1", "mcc", "youden", "lr_positive"])
    assert len(spec.layers) == 4
    for line in spec.layers:
        drawn = np.isfinite(line.y)
        assert np.all((line.x >= spec.x.limits[0]) & (line.x <= spec.x.limits[1]))
        assert np.all(line.y[drawn] > spec.y.limits[0])
        assert np.all(line.y[drawn] < spec.y.limits[1])


def test_undefined_and_infinite_values_leave_gaps_that_the_caption_counts():
    table = rw.thresholds([0, 0, 1, 1], [1, 2, 3, 4])
    spec = compose(table, metrics=["npv", "lr_positive", "accuracy"])
    assert spec.caption == (
        "Negative predictive value: undefined or infinite at 1 threshold.",
        "Positive likelihood ratio: undefined or infinite at 2 thresholds.",
    )
    assert [int(np.isnan(line.y).sum()) for line in spec.layers] == [2, 4, 0]


def test_an_infinite_score_holds_for_all_thresholds_above_the_finite_ones():
    table = rw.thresholds([1, 0, 1, 0], [np.inf, 3.0, 2.0, -np.inf])
    (line,) = recorded(table, metrics="sensitivity").layers(Line)
    assert np.all(np.isfinite(line.x))
    assert (line.y[0], line.y[-1]) == (1.0, 0.5)
    assert line.x[-1] > 3.0


def test_a_table_without_finite_thresholds_raises():
    with pytest.raises(rw.InputError, match="no finite threshold"):
        compose(rw.thresholds([0, 1], [-np.inf, np.inf]))


def test_one_metric_names_the_axis_and_several_the_legend():
    table = rw.thresholds(LABELS, TIED_SCORES)
    one = recorded(table, metrics="youden")
    assert (one.spec.y.title, one.legend) == ("Youden index", [])
    assert recorded(table, metrics="youden", name="m").legend == ["m"]
    several = recorded(table, name="m")
    assert several.spec.y.title == "Value"
    assert several.legend == [
        "m: Sensitivity",
        "m: Specificity",
        "m: Positive predictive value",
        "m: Negative predictive value",
    ]


@pytest.mark.parametrize("metrics", ["auc", ["f1", "threshold"], "expected_cost", []])
def test_other_columns_raise_with_the_list(metrics):
    table = rw.thresholds(LABELS, TIED_SCORES)
    with pytest.raises(rw.InputError, match=r"`metrics` .*Choose from: sensitivity"):
        compose(table, metrics=metrics)


RNG = np.random.default_rng(2)


Y = RNG.integers(0, 2, 150)


S = np.round(RNG.normal(size=150) + 1.2 * Y, 1)


COSTS = rw.Costs(fp=1, fn=3)


def test_the_point_lies_on_its_curve():
    point = rw.threshold(Y, S, costs=COSTS)
    recording = recorded(point)
    (mark,) = recording.layers(Points)
    assert (mark.x[0], mark.y[0]) == (point.fpr, point.tpr)
    curve = recording.layers(Line)[-1]
    assert (point.fpr, point.tpr) in list(zip(curve.x, curve.y, strict=True))
    (text,) = recording.layers(Label)
    assert text.text.replace("−", "-") == f"≥ {point.threshold_text}"
    assert recording.legend == ["equal cost"]
    assert "smallest expected cost" in recording.caption


@pytest.mark.parametrize("rule", ["cost", "youden", "closest", "predictive-sum", "chi-square"])
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_the_marked_optimum_is_the_extreme_of_what_is_shown(rule, direction):
    s = S if direction == "higher" else -S
    point = rw.threshold(Y, s, rule=rule, costs=COSTS, direction=direction)
    recording = recorded(point, view="measure")
    (mark,) = recording.layers(Points)
    shown = recording.layers(Line)[0].y
    best = np.nanmin(shown) if rule in ("cost", "closest") else np.nanmax(shown)
    assert mark.y[0] == pytest.approx(best)
    assert mark.x[0] == point.threshold
    assert recording.spec.y.title == point.value_name[:1].upper() + point.value_name[1:]


def test_the_interval_of_the_threshold():
    sure = rw.threshold(Y, S, rule="youden").uncertainty(n_resamples=50, rng=1)
    recording = recorded(sure)
    (whisker,) = recording.layers(Whiskers)
    assert (whisker.low[0], whisker.high[0]) == tuple(sure.interval)
    dashed = recording.layers(Line)[0]
    assert dashed.y[0] == pytest.approx(sure.out_of_bag[0])
    assert recording.legend == [f"out-of-bag {sure.out_of_bag[0]:.3g}"]


def test_groups_have_a_curve_and_a_point_each():
    result = rw.threshold(Y, S, by=np.where(np.arange(150) % 2, "x", "y"), rule="f1")
    recording = recorded(result)
    assert [mark.x[0] for mark in recording.layers(Points)] == result.fpr.tolist()
    assert [words.split(",")[0] for words in recording.legend] == ["x", "y"]


@pytest.mark.parametrize(("rate", "lines"), [("fpr", 3), ("fnr", 3), ("fdr", 2)])
def test_the_limit_of_a_guarantee(rate, lines):
    grid = {"thresholds": [0.0, 0.5, 1.0]} if rate == "fdr" else {}
    result = rw.guaranteed_threshold(Y, S, rate=rate, alpha=0.45, delta=0.3, **grid)
    recording = recorded(result)
    assert len(recording.layers(Line)) == lines
    assert "at most 0.45 with confidence 70%" in recording.caption


def test_nroc_and_scores_without_labels():
    risk = RNG.random(60)
    curve = rw.nroc(risk)
    recording = recorded(curve)
    assert recording.spec.x.title == "Expected false positive rate"
    np.testing.assert_array_equal(recording.layers(Line)[-1].y, curve.y)
    rule = rule_without_labels(risk, costs=COSTS)
    recording = recorded(rule)
    (mark,), (line,) = recording.layers(Points), recording.layers(Line)
    assert mark.y[0] == pytest.approx(np.mean(risk >= rule.threshold))
    for k in range(1, len(line.x) - 1, 2):  # the level part to the next score
        middle = (line.x[k] + line.x[k + 1]) / 2
        assert line.y[k] == line.y[k + 1] == pytest.approx(np.mean(risk >= middle))


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
def test_none_positive_can_be_drawn():
    point = rw.threshold([1, 0], [1, 2], costs=rw.Costs(fp=9, fn=1))
    assert "No case is predicted positive" in recorded(point, view="measure").caption
    (mark,) = recorded(point).layers(Points)
    assert (mark.x[0], mark.y[0]) == (0, 0)
    (text,) = recorded(point).layers(Label)
    assert text.side == "above-right"  # not over the numbers of the axis


def test_two_models_share_a_square():
    points = {name: rw.threshold(Y, S + k, rule="youden") for k, name in enumerate("ab")}
    assert len(recorded(points).layers(Points)) == 2
    pytest.importorskip("matplotlib")
    for result in (points["a"], rw.nroc(RNG.random(9)), rw.guaranteed_threshold(Y, S, alpha=0.4)):
        assert result.plot() is not None


@pytest.mark.parametrize(("direction", "side"), [("higher", -0.5), ("lower", 0.5)])
def test_bars_of_whole_numbers_are_those_of_the_report(direction, side):
    y, grade = [0, 0, 0, 1, 0, 1, 1, 1], [1, 1, 2, 2, 3, 4, 5, 5]
    sign = 1 if direction == "higher" else -1
    found = rw.threshold(y, sign * np.array(grade), rule="youden", direction=direction)
    recording = recorded(found, view="scores")
    bars = recording.layers(Band)[0]
    assert np.unique(bars.x).tolist() == histogram(found.data)["edges"]
    (dashed,) = recording.layers(Line)
    assert dashed.x.tolist() == [found.threshold + side] * 2
