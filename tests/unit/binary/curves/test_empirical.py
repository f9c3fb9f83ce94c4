"""ROC, precision-recall and DET curves on small samples."""

import numpy as np
import pytest

import rocwise as rw
from oracles.spec_samples import SAMPLES, tally_of

INF = float("inf")


def test_curve_of_sample_b():
    curve = rw.roc(tally_of(SAMPLES["B"]))
    np.testing.assert_allclose(curve.fpr, [0, 0, 0.2, 0.4, 0.8, 1], atol=1e-9)
    np.testing.assert_allclose(curve.tpr, [0, 0.25, 0.5, 0.75, 1, 1], atol=1e-9)
    assert curve.thresholds.tolist() == [INF, 5, 4, 3, 2, 1]
    assert (curve.n_pos, curve.n_neg) == (4, 5)
    assert repr(curve) == "ROC curve with 6 points, AUC 0.75; 4 positives, 5 negatives"


def test_ties_between_the_classes_are_diagonals():
    curve = rw.roc([0, 1, 0, 1], [1, 1, 1, 1])
    assert (curve.fpr.tolist(), curve.tpr.tolist()) == ([0.0, 1.0], [0.0, 1.0])
    assert curve.auc == 0.5


def test_lower_scores_keep_the_users_units():
    curve = rw.roc([1, 1, 0, 0], [0.1, 0.4, 0.35, 0.8], direction="lower")
    assert curve.thresholds.tolist() == [-INF, 0.1, 0.35, 0.4, 0.8]
    assert curve.tpr.tolist() == [0.0, 0.5, 0.5, 1.0, 1.0]
    assert curve.auc == 0.75
    assert repr(curve).endswith("; lower scores mean positive")


def test_collinear_points_are_kept_unless_they_are_to_be_dropped():
    y, s = [1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]
    assert len(rw.roc(y, s).fpr) == 7
    short = rw.roc(y, s, drop_intermediate=True)
    assert (short.fpr.tolist(), short.tpr.tolist()) == ([0, 0, 1], [0, 1, 1])
    assert short.thresholds.tolist() == [INF, 4, 1]


def test_diagonal_steps_of_unequal_length_are_one_line():
    y, s = [1, 0, 1, 1, 0, 0], [3, 3, 2, 2, 2, 2]
    assert rw.roc(y, s, drop_intermediate=True).fpr.tolist() == [0, 1]


def test_weights_move_the_points():
    curve = rw.roc([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[3, 1, 1, 3])
    assert curve.fpr.tolist() == [0, 0, 0.25, 0.25, 1]
    assert curve.tpr.tolist() == [0, 0.75, 0.75, 1, 1]
    assert curve.auc == pytest.approx(0.25 * 0.75 + 0.75 * 1)


@pytest.mark.parametrize("question", [rw.roc, rw.det, rw.precision_recall])
def test_a_score_of_infinity_has_a_point_before_it(question):
    curve = question([0, 1, 1, 0], [0.0, INF, 1.0, -INF])
    assert curve.thresholds.tolist()[:2] == [INF, INF]
    rates = getattr(curve, "fpr", getattr(curve, "recall", None))
    assert rates[0] == 0.0


def test_precision_and_recall_start_at_recall_0():
    curve = rw.precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    np.testing.assert_allclose(curve.precision, [1, 1, 1 / 2, 2 / 3, 1 / 2])
    assert curve.recall.tolist() == [0, 0.5, 0.5, 1, 1]
    assert curve.average_precision == pytest.approx(0.5 + 1 / 3)
    assert curve.prevalence == 0.5
    assert repr(curve) == "precision-recall curve, average precision 0.83 at prevalence 0.50"


def test_the_two_errors_trade():
    curve = rw.det([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert curve.fpr.tolist() == [0, 0, 0.5, 0.5, 1]
    assert curve.fnr.tolist() == [1, 0.5, 0.5, 0, 0]
    assert repr(curve) == "DET curve; the two error rates meet near 0.500"


def test_large_integers_are_thresholds():
    scores = [2**53 + 2, 2**53 + 4, 2**53 + 6, 2**53 + 8]  # even ones are floats
    curve = rw.roc([0, 1, 0, 1], scores)
    assert curve.thresholds[1:].tolist() == scores[::-1]
