"""Tables of thresholds as plots: the drawn steps against a recount at any threshold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.plotting import compose, plot
from rocwise.plotting.spec import Line
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
    lines = plot(table, metrics=["sensitivity", "specificity", "npv"], backend="none").layers(Line)
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
    (line,) = plot(table, metrics="sensitivity", backend="none").layers(Line)
    assert np.all(np.isfinite(line.x))
    assert (line.y[0], line.y[-1]) == (1.0, 0.5)
    assert line.x[-1] > 3.0


def test_a_table_without_finite_thresholds_is_refused():
    with pytest.raises(rw.InputError, match="no finite threshold"):
        compose(rw.thresholds([0, 1], [-np.inf, np.inf]))


def test_one_metric_names_the_axis_and_several_the_legend():
    table = rw.thresholds(LABELS, TIED_SCORES)
    one = plot(table, metrics="youden", backend="none")
    assert (one.spec.y.title, one.legend) == ("Youden index", [])
    assert plot(table, metrics="youden", name="m", backend="none").legend == ["m"]
    several = plot(table, name="m", backend="none")
    assert several.spec.y.title == "Value"
    assert several.legend == [
        "m: Sensitivity",
        "m: Specificity",
        "m: Positive predictive value",
        "m: Negative predictive value",
    ]


@pytest.mark.parametrize("metrics", ["auc", ["f1", "threshold"], "expected_cost", []])
def test_other_columns_are_refused_with_the_list(metrics):
    table = rw.thresholds(LABELS, TIED_SCORES)
    with pytest.raises(rw.InputError, match=r"`metrics` .*Choose from: sensitivity"):
        compose(table, metrics=metrics)
