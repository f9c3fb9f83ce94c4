"""ROC, DET, the convex hull and lift on small samples; results that keep their data."""

import pickle

import numpy as np
import pytest
from scipy.stats import ks_2samp

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


@pytest.mark.parametrize("function", [rw.roc, rw.det, rw.precision_recall])
def test_a_score_of_infinity_has_a_point_before_it(function):
    curve = function([0, 1, 1, 0], [0.0, INF, 1.0, -INF])
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


def test_hull_of_a_step_curve():
    hull = rw.hull([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert (hull.fpr.tolist(), hull.tpr.tolist()) == ([0, 0, 0.5, 1], [0, 0.5, 1, 1])
    assert hull.thresholds.tolist() == [np.inf, 0.8, 0.35, 0.1]
    assert hull.auc == 0.875
    assert repr(hull) == "ROC convex hull with 4 points, AUC 0.88; 2 positives, 2 negatives"


def test_rounding_of_weights_makes_no_corner():
    """Ten weights of 0.1 in a straight line are one edge, whatever their sums round to."""
    y, s = [1, 0] * 10, np.repeat(np.arange(10), 2)
    hull = rw.hull(y, s, sample_weight=[0.1] * 20)
    assert hull.fpr.tolist() == [0.0, 1.0]


RNG = np.random.default_rng(9)
Y = (RNG.random(300) < 0.2).astype(int)
S = np.round(Y + RNG.normal(size=300), 1)


def test_worked_example():
    curve = rw.lift([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert curve.lift.tolist() == [None, 2.0, 1.0, pytest.approx(4 / 3), 1.0]
    assert curve.thresholds.tolist() == [np.inf, 0.8, 0.4, 0.35, 0.1]
    assert curve.at([0.125, 0.5]).tolist() == [0.25, 0.5]


def test_gain_is_recall_and_lift_is_precision_over_prevalence():
    curve, table = rw.lift(Y, S), rw.thresholds(Y, S)
    assert curve.gain[1:] == pytest.approx(table.sensitivity)
    assert np.asarray(curve.lift[1:]) == pytest.approx(table.ppv / Y.mean())
    assert curve.share[-1] == curve.gain[-1] == curve.lift[-1] == 1


def test_ks_is_scipys():
    curve = rw.lift(Y, S)
    assert curve.ks == pytest.approx(ks_2samp(S[Y == 1], S[Y == 0]).statistic)
    assert curve.ks == pytest.approx(rw.thresholds(Y, S).youden.max())


def test_the_worst_order_and_all_ties():
    assert rw.lift([1, 1, 0, 0], [1, 2, 3, 4]).ks == 1
    assert rw.lift([0, 1], [1, 1]).gain.tolist() == [0, 1]
    with pytest.raises(rw.InputError, match="`share` must contain rates from 0 to 1; got 2"):
        rw.lift(Y, S).at(2)


LABELS, SCORES = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.3, 0.9]


@pytest.mark.parametrize(
    "function", [rw.roc, rw.hull, rw.auc, rw.test_auc, rw.step_area, rw.lift, rw.calibration]
)
def test_the_curve_and_the_area_of_the_same_data(function):
    result = function(LABELS, SCORES)
    fpr, tpr = result.curve()
    wanted = rw.roc(LABELS, SCORES)
    np.testing.assert_array_equal(fpr, wanted.fpr)
    np.testing.assert_array_equal(tpr, wanted.tpr)
    assert result.compute("auc", level=0.9).interval.level == 0.9
    assert "data" not in result.to_dict()
    assert pickle.loads(pickle.dumps(result)).compute("auc").value == rw.auc(LABELS, SCORES).value


def test_equal_errors_are_on_the_curve():
    many = np.random.default_rng(0)
    labels = many.random(5000) < 0.5
    scores = many.normal(size=5000) + labels
    assert rw.det(labels, scores).equal_rate() == pytest.approx(
        rw.equal_error_rate(labels, scores, n_resamples=2, rng=0).value, abs=2e-3
    )
    assert rw.det([0, 1], [0, 1]).equal_rate() == 0.0
    assert rw.det([0, 1], [1, 0]).equal_rate() == 1.0


def test_slopes_of_equal_cost():
    costs = rw.Costs(fp=1, fn=4)
    point = rw.threshold(LABELS, SCORES, costs=costs, prevalence=0.2)
    assert point.iso_cost_slope == pytest.approx(0.8 / (0.2 * 4))
    assert rw.threshold(LABELS, SCORES, rule="youden").iso_cost_slope is None
