"""What must contain for the ROC, precision-recall and DET curves of any rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    average_precision_score,
    det_curve,
    precision_recall_curve,
    roc_curve,
)

import rocwise as rw
from oracles.recounts import counted, curve_points
from oracles.scored_rows import any_float32, few_values, mixed, plain_floats, rows, weighted_rows

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
any_weights = st.floats(1e-3, 1e3)


@given(rows(mixed))
def test_the_curve_is_counted_by_hand(data):
    y, s = data
    curve = rw.roc(y, s)
    n_pos, n_neg = sum(y), len(y) - sum(y)
    points = curve_points(y, s)
    assert curve.fpr.tolist() == [fp / n_neg for fp, _ in points]
    assert curve.tpr.tolist() == [tp / n_pos for _, tp in points]


@pytest.mark.parametrize("direction", ["higher", "lower"])
@given(data=rows(any_float32))
def test_every_threshold_recounts_to_its_point(direction, data):
    y, s = data
    curve = rw.roc(y, np.array(s, np.float32), direction=direction)
    n_pos, n_neg = sum(y), len(y) - sum(y)
    assert np.isinf(curve.thresholds[0])
    assert curve.thresholds.dtype == np.float32
    for k, threshold in enumerate(curve.thresholds.tolist()[1:], start=1):
        tp, fp, _, _ = counted(y, s, threshold, direction)
        assert (curve.fpr[k], curve.tpr[k]) == (fp / n_neg, tp / n_pos)


@pytest.mark.parametrize("drop", [False, True])
@given(data=weighted_rows(mixed, any_weights))
def test_curves_rise_from_corner_to_corner(drop, data):
    y, s, w = data
    for weights in (None, w):
        curve = rw.roc(y, s, sample_weight=weights, drop_intermediate=drop)
        assert (curve.fpr[0], curve.tpr[0]) == (0.0, 0.0)
        assert (curve.fpr[-1], curve.tpr[-1]) == (1.0, 1.0)
        assert (np.diff(curve.fpr) >= 0).all()
        assert (np.diff(curve.tpr) >= 0).all()


@given(rows(plain_floats))
def test_the_curve_is_that_of_scikit_learn(data):
    y, s = data
    fpr, tpr, thresholds = roc_curve(y, s, drop_intermediate=False)
    curve = rw.roc(y, s)
    np.testing.assert_allclose(curve.fpr, fpr, rtol=1e-15)
    np.testing.assert_allclose(curve.tpr, tpr, rtol=1e-15)
    np.testing.assert_array_equal(curve.thresholds, thresholds)


@given(weighted_rows(few_values, any_weights))
def test_the_weighted_curve_is_that_of_scikit_learn(data):
    y, s, w = data
    fpr, tpr, thresholds = roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    curve = rw.roc(y, s, sample_weight=w)
    np.testing.assert_allclose(curve.fpr, fpr, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(curve.tpr, tpr, rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(curve.thresholds, thresholds)


@given(rows(few_values, max_size=40))
def test_only_points_on_straight_lines_are_dropped(data):
    y, s = data
    full, short = rw.roc(y, s), rw.roc(y, s, drop_intermediate=True)
    points = curve_points(y, s)
    bends = [
        b
        for a, b, c in zip(points, points[1:], points[2:], strict=False)
        if (b[1] - a[1]) * (c[0] - b[0]) != (c[1] - b[1]) * (b[0] - a[0])
    ]
    n_pos, n_neg = sum(y), len(y) - sum(y)
    expected = [points[0], *bends, points[-1]]
    assert short.fpr.tolist() == [fp / n_neg for fp, _ in expected]
    assert short.tpr.tolist() == [tp / n_pos for _, tp in expected]
    assert short.auc == full.auc
    kept = set(zip(full.thresholds.tolist(), full.fpr.tolist(), full.tpr.tolist(), strict=True))
    assert kept.issuperset(
        zip(short.thresholds.tolist(), short.fpr.tolist(), short.tpr.tolist(), strict=True)
    )


@given(rows(plain_floats, max_size=40))
def test_what_scikit_learn_drops_is_dropped(data):
    y, s = data
    fpr, tpr, _ = roc_curve(y, s, drop_intermediate=True)
    short = rw.roc(y, s, drop_intermediate=True)
    theirs = set(zip(fpr.round(12).tolist(), tpr.round(12).tolist(), strict=True))
    ours = set(zip(short.fpr.round(12).tolist(), short.tpr.round(12).tolist(), strict=True))
    assert ours <= theirs  # theirs keeps points of unequal steps on one line


@given(weighted_rows(few_values, any_weights))
def test_precision_and_recall_are_those_of_scikit_learn(data):
    y, s, w = data
    for weights in (None, w):
        precision, recall, thresholds = precision_recall_curve(y, s, sample_weight=weights)
        curve = rw.precision_recall(y, s, sample_weight=weights)
        np.testing.assert_allclose(curve.precision[::-1], precision, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(curve.recall[::-1], recall, rtol=1e-12, atol=1e-14)
        np.testing.assert_array_equal(curve.thresholds[:0:-1], thresholds)
        assert curve.average_precision == pytest.approx(
            average_precision_score(y, s, sample_weight=weights), rel=1e-12
        )


@given(rows(plain_floats))
def test_the_error_tradeoff_is_that_of_scikit_learn(data):
    y, s = data
    fpr, fnr, thresholds = det_curve(y, s)
    curve = rw.det(y, s)
    theirs = dict(zip(thresholds.tolist(), zip(fpr, fnr, strict=True), strict=True))
    ours = dict(zip(curve.thresholds.tolist(), zip(curve.fpr, curve.fnr, strict=True), strict=True))
    assert set(theirs) <= set(ours)  # theirs leaves out the flat ends
    for threshold, point in theirs.items():
        np.testing.assert_allclose(ours[threshold], point, rtol=1e-12, atol=1e-15)


@given(rows(mixed))
def test_the_error_tradeoff_is_the_curve_upside_down(data):
    y, s = data
    curve, errors = rw.roc(y, s), rw.det(y, s)
    assert errors.fpr.tolist() == curve.fpr.tolist()
    np.testing.assert_allclose(errors.fnr, 1 - curve.tpr, atol=1e-15)
    assert errors.fnr[0] == 1.0
    assert errors.fnr[-1] == 0.0
