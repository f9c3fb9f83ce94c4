"""Results that keep their data answer further questions, and say so when they have none."""

import pickle

import numpy as np
import pytest

import rocwise as rw

Y, S = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.3, 0.9]


@pytest.mark.parametrize(
    "question", [rw.roc, rw.hull, rw.auc, rw.test_auc, rw.step_area, rw.lift, rw.calibration]
)
def test_the_curve_and_the_area_of_the_same_data(question):
    answer = question(Y, S)
    fpr, tpr = answer.curve()
    wanted = rw.roc(Y, S)
    np.testing.assert_array_equal(fpr, wanted.fpr)
    np.testing.assert_array_equal(tpr, wanted.tpr)
    assert answer.ask("auc", level=0.9).interval.level == 0.9
    assert "data" not in answer.to_dict()
    assert pickle.loads(pickle.dumps(answer)).ask("auc").value == rw.auc(Y, S).value


def test_equal_errors_lie_on_the_curve():
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
    point = rw.threshold(Y, S, costs=costs, prevalence=0.2)
    assert point.iso_cost_slope == pytest.approx(0.8 / (0.2 * 4))
    assert rw.threshold(Y, S, rule="youden").iso_cost_slope is None
