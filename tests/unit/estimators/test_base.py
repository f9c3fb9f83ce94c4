"""Held-out scores: no model scores a row it was trained on, and every row is scored once."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from rocwise.costs import Costs
from rocwise.errors import InputError
from rocwise.estimators import AbstainingClassifier, ReliableClassifier, ThresholdClassifier
from rocwise.estimators.base import score_rows


class Memory(ClassifierMixin, BaseEstimator):
    """Memorizes the training rows, and predicts 0.5 for every other row."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        truth = (y == self.classes_[1]).astype(float)
        self.known_ = dict(zip(map(tuple, X), truth, strict=True))
        return self

    def predict_proba(self, X):
        p = np.array([self.known_.get(tuple(row), 0.5) for row in X])
        return np.column_stack([1 - p, p])


def problem(n=200, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 3)) + 0.7 * y[:, None], y


def held_out(estimator, X, y, cv=5, **fit_params):
    rule = ThresholdClassifier(estimator, cv=cv)
    scores, how = rule._fit_model(X, y, fit_params, score_rows)
    return SimpleNamespace(model=rule.estimator_, scores=scores, how=how)


def test_scores_are_those_of_cross_val_predict():
    X, y = problem()
    expected = cross_val_predict(LogisticRegression(), X, y, cv=5, method="predict_proba")[:, 1]
    assert np.array_equal(held_out(LogisticRegression(), X, y).scores, expected)
    decided = cross_val_predict(RidgeClassifier(), X, y, cv=4, method="decision_function")
    assert np.array_equal(held_out(RidgeClassifier(), X, y, cv=4).scores, decided)


def test_a_model_that_memorizes_has_no_information_on_held_out_rows():
    X, y = problem()
    assert (held_out(Memory(), X, y).scores == 0.5).all()


@pytest.mark.parametrize(
    ("estimator", "rate"),
    [
        (ThresholdClassifier(Memory()), lambda m: m.point_.expected_cost),
        (
            AbstainingClassifier(Memory(), costs=Costs(fp=1, fn=1, abstain=0.9)),
            lambda m: m.window_.expected_cost,
        ),
    ],
    ids=["threshold", "abstaining"],
)
def test_reported_costs_are_not_those_of_training_rows(estimator, rate):
    X, y = problem()
    fitted = estimator.fit(X, y)
    assert rate(fitted) == min(y.mean(), 1 - y.mean())  # no better than always one class
    assert fitted.estimator_.predict_proba(X)[:, 1].tolist() == y.tolist()  # though it knows all


def test_scores_are_not_those_of_training_rows():
    X, y = problem()
    fitted = ReliableClassifier(Memory(), reject_label="?").fit(X, y)
    assert fitted.rule_ is None
    assert set(fitted.predict(X)) == {"?"}


def test_a_fitted_model_is_used_as_it_is():
    X, y = problem()
    model = LogisticRegression().fit(X[:50], y[:50])
    before = model.coef_.copy()
    found = held_out(model, X[50:], y[50:], cv="prefit")
    assert found.model is model
    assert np.array_equal(model.coef_, before)
    assert np.array_equal(found.scores, model.predict_proba(X[50:])[:, 1])
    assert "as it was fitted" in ThresholdClassifier(model, cv="prefit").fit(X, y).how_


def test_weights_of_a_fitted_model_are_for_the_rule_alone():
    X, y = problem()
    model = KNeighborsClassifier().fit(X[:50], y[:50])  # its fit takes no weights
    fitted = ThresholdClassifier(model, cv="prefit").fit(X, y, sample_weight=2 * np.ones(len(y)))
    assert fitted.point_.n_pos == 2 * y.sum()


def test_fit_arguments_are_cut_to_the_rows_of_a_fold():
    X, y = problem()
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y))
    expected = np.empty(len(y))
    for train, test in StratifiedKFold(5).split(X, y):
        model = LogisticRegression().fit(X[train], y[train], sample_weight=weights[train])
        expected[test] = model.predict_proba(X[test])[:, 1]
    found = held_out(LogisticRegression(), X, y, sample_weight=weights)
    assert np.array_equal(found.scores, expected)


def test_the_error_of_a_failing_model_has_its_reason():
    class Failing(GaussianNB):
        def fit(self, X, y):
            raise RuntimeError("out of ideas")

    with pytest.raises(RuntimeError, match="out of ideas"):
        held_out(Failing(), *problem())


def test_no_more_folds_than_the_rarer_class_has_rows():
    X, y = problem()
    y = np.where(np.arange(len(y)) < 3, 1, 0)
    assert "(3 folds)" in held_out(LogisticRegression(), X, y).how


def test_one_case_of_a_class_cannot_be_held_out():
    X, y = problem()
    y = np.where(np.arange(len(y)) < 1, "ill", "well")
    with pytest.raises(InputError, match="class 'ill' has 1 row: it cannot be both"):
        held_out(LogisticRegression(), X, y)


def test_errors():
    X, y = problem()
    with pytest.raises(InputError, match="`cv` must be a number of folds, splits or 'prefit'"):
        held_out(LogisticRegression(), X, y, cv="five")
    with pytest.raises(InputError, match="`cv` must test every row once; row"):
        held_out(LogisticRegression(), X, y, cv=ShuffleSplit(3, random_state=0))
    with pytest.raises(InputError, match="fold 1 leaves no row of class 0 to train on"):
        held_out(LogisticRegression(), X, np.sort(y)[::-1], cv=KFold(2))
    with pytest.raises(InputError, match="fitted for the classes 0, 1, but y has 0, 2"):
        held_out(LogisticRegression().fit(X, y), X, 2 * y, cv="prefit")
    with pytest.raises(InputError, match="`flavor` has no use with cv='prefit'"):
        ThresholdClassifier(LogisticRegression().fit(X, y), cv="prefit").fit(X, y, flavor=y)
    with pytest.raises(InputError, match="`estimator` is None; cv='prefit' needs a fitted one"):
        ThresholdClassifier(cv="prefit").fit(X, y)


def test_a_model_without_scores_raises():
    class Silent(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            return self

    X, y = problem()
    with pytest.raises(InputError, match="Silent has neither"):
        held_out(Silent(), X, y)


def test_a_frozen_model_is_one_that_is_fitted_already():
    X, y = problem()
    frozen = FrozenEstimator(LogisticRegression().fit(X[:50], y[:50]))
    assert np.array_equal(held_out(frozen, X, y).scores, frozen.predict_proba(X)[:, 1])


def test_models_see_the_labels_as_they_were_given():
    X, y = problem()
    named = LogisticRegression(class_weight={"ill": 5.0, "well": 1.0})
    found = held_out(named, X, np.where(y == 1, "well", "ill"))
    numbered = LogisticRegression(class_weight={0: 5.0, 1: 1.0})
    assert np.array_equal(found.scores, held_out(numbered, X, y).scores)
