"""Micro-averages, partial areas and Brier's score of several classes."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score

import rocwise as rw
from rocwise.multiclass import micro_auc, multiclass_brier, partial_class_areas

X, Y = load_iris(return_X_y=True)
P = LogisticRegression(max_iter=1000).fit(X[:, :2], Y).predict_proba(X[:, :2])
NAMES = ["a", "b", "c"]


def test_the_micro_average_is_that_of_scikit_learn():
    found = micro_auc(Y, P)
    one_hot = np.eye(3)[Y]
    assert found.value == pytest.approx(roc_auc_score(one_hot, P, average="micro"))
    assert found.interval.low < found.value < found.interval.high
    assert "cluster-robust" in found.interval.method  # the scores of a row belong together
    part = micro_auc(Y, P, max_fpr=0.2, n_resamples=50, rng=1)
    assert part.value == pytest.approx(
        rw.auc(one_hot.ravel().astype(int), P.ravel(), max_fpr=0.2).value
    )
    assert part.interval.low < part.value < part.interval.high


def test_partial_areas_are_those_of_every_class_against_the_rest():
    found = partial_class_areas(np.array(NAMES)[Y], P, classes=NAMES, max_fpr=0.3, standardize=True)
    for k, name in enumerate(NAMES):
        expected = rw.auc(k == Y, P[:, k], max_fpr=0.3, standardize=True)
        assert found[name].value == expected.value
        assert tuple(found[name].interval) == tuple(expected.interval)
    assert found.value == pytest.approx(np.mean([found[name].value for name in NAMES]))
    assert next(iter(found.to_frame())) == "class"
    with pytest.raises(rw.InputError, match="needs one of `max_fpr`"):
        partial_class_areas(Y, P)


def test_brier_and_its_parts():
    found = multiclass_brier(Y, P)
    assert found.value == pytest.approx(((P - np.eye(3)[Y]) ** 2).sum(axis=1).mean())
    total = found.miscalibration - found.discrimination + found.uncertainty
    assert found.value == pytest.approx(total)
    assert found.log_loss == pytest.approx(log_loss(Y, P))
    assert found.uncertainty == pytest.approx(3 * (1 / 3) * (2 / 3))
    two = np.column_stack([1 - P[:, 0], P[:, 0]])
    y = (Y == 0).astype(int)
    assert multiclass_brier(y, two).value == pytest.approx(2 * rw.brier(y, P[:, 0]))
    with pytest.raises(rw.InputError, match=r"add up to 1 in every row; 150 rows .* row 0"):
        multiclass_brier(Y, 2 * P)
