"""The threshold classifier: the threshold of `rocwise.threshold` on held-out scores, applied."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import rocwise as rw
from rocwise.errors import InputError
from rocwise.estimators import ThresholdClassifier


@parametrize_with_checks(
    [
        ThresholdClassifier(),
        ThresholdClassifier(GaussianNB(), rule="youden", cv=2),
    ]
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def problem(n=300, seed=0, prevalence=0.3):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < prevalence).astype(int)
    return rng.normal(size=(n, 3)) + 0.7 * y[:, None], y


RULES = [
    {},
    {"costs": rw.Costs(fp=1, fn=7)},
    {"costs": rw.Costs(fp=1, fn=7), "prevalence": 0.05},
    {"rule": "youden"},
    {"rule": "min-sensitivity", "constraint": 0.9},
    {"rule": "f-beta", "beta": 2.0},
]


@pytest.mark.parametrize("options", RULES, ids=str)
def test_the_threshold_is_that_of_the_question_on_out_of_fold_scores(options):
    X, y = problem()
    model = ThresholdClassifier(LogisticRegression(), **options).fit(X, y)
    scores = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")[:, 1]
    asked = options if options else {"costs": rw.Costs(fp=1, fn=1)}
    point = rw.threshold(y, scores, **asked)
    assert model.threshold_ == point.threshold
    assert (model.point_.tp, model.point_.fp) == (point.tp, point.fp)
    fitted = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    assert np.array_equal(model.predict(X), (fitted >= point.threshold).astype(int))
    assert "out-of-fold scores (5 folds) by predict_proba" in model.how_


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([0.05, 0.5, 1.0, 3.0, 20.0]))
def test_no_other_threshold_is_cheaper_on_the_held_out_scores(seed, dearness):
    X, y = problem(60, seed, prevalence=0.5)
    costs = rw.Costs(fp=1, fn=dearness)
    model = ThresholdClassifier(GaussianNB(), costs=costs).fit(X, y)
    scores = cross_val_predict(GaussianNB(), X, y, method="predict_proba")[:, 1]
    every = [
        np.mean(np.where(y == 1, dearness * (scores < cut), scores >= cut))
        for cut in [*scores, np.inf]
    ]
    assert model.point_.expected_cost == pytest.approx(min(every), abs=1e-12)


def test_the_sign_of_the_decision_function_is_the_prediction():
    X, y = problem()
    fitted = LogisticRegression().fit(X, y)
    model = ThresholdClassifier(fitted, costs=rw.Costs(fp=1, fn=4), cv="prefit").fit(X, y)
    decision = model.decision_function(X)
    assert (fitted.predict_proba(X)[:, 1] == model.threshold_).sum() == 1  # a row is exactly there
    assert np.array_equal(decision > 0, model.predict(X) == 1)
    assert roc_auc_score(y, decision) == roc_auc_score(y, fitted.predict_proba(X)[:, 1])


@pytest.mark.parametrize("labels", [["well", "ill"], [False, True], [-1, 1], [2.0, 5.0]], ids=str)
def test_any_two_labels(labels):
    X, y = problem()
    named = np.array(labels)[y]
    costs = rw.Costs(fp=1, fn=3)
    model = ThresholdClassifier(costs=costs, pos_label=labels[1]).fit(X, named)
    plain = ThresholdClassifier(costs=costs).fit(X, y)
    assert model.classes_.tolist() == sorted(labels)
    assert model.pos_label_ == labels[1]
    assert np.array_equal(model.predict(X) == labels[1], plain.predict(X) == 1)
    assert model.mean_cost(X, named) == plain.mean_cost(X, y)
    sign = np.sign(model.decision_function(X))
    assert np.array_equal(model.classes_[(sign > 0).astype(int)], model.predict(X))


def test_weights_reach_the_model_and_the_rule():
    X, y = problem()
    weights = np.where(y == 1, 1.0, 3.0)
    weighted = ThresholdClassifier(GaussianNB()).fit(X, y, sample_weight=weights)
    assert weighted.point_.n_neg == 3 * (y == 0).sum()
    model = GaussianNB().fit(X, y, sample_weight=weights)
    assert np.array_equal(weighted.estimator_.class_prior_, model.class_prior_)
    assert weighted.threshold_ != ThresholdClassifier(GaussianNB()).fit(X, y).threshold_


def test_mean_cost_on_new_rows():
    X, y = problem()
    new_X, new_y = problem(seed=1)
    model = ThresholdClassifier(costs=rw.Costs(fp=2, fn=7, tp=1, tn=-1)).fit(X, y)
    said = model.predict(new_X)
    each = np.array([[-1, 2], [7, 1]])[new_y, said]
    assert model.mean_cost(new_X, new_y) == pytest.approx(each.mean())
    assert ThresholdClassifier().fit(X, y).mean_cost(X, y) == pytest.approx(
        1 - ThresholdClassifier().fit(X, y).score(X, y)
    )


def test_cheaper_than_the_plain_model_where_costs_are_unequal():
    X, y = problem(2000)
    new_X, new_y = problem(4000, seed=1)
    costs = rw.Costs(fp=1, fn=10)
    model = ThresholdClassifier(costs=costs).fit(X, y)
    plain = LogisticRegression().fit(X, y).predict(new_X)
    plain_cost = np.array([[0, 1], [10, 0]])[new_y, plain].mean()
    assert model.mean_cost(new_X, new_y) < 0.5 * plain_cost


def test_refusals():
    X, y = problem()
    with pytest.raises(InputError, match=r"`costs` must be a Costs"):
        ThresholdClassifier(costs=[[0, 1], [2, 0]]).fit(X, y)
    with pytest.raises(InputError, match="`constraint`"):
        ThresholdClassifier(rule="min-sensitivity").fit(X, y)
    with pytest.raises(InputError, match=r"Only binary classification.*0, 1, 2"):
        ThresholdClassifier().fit(X, np.arange(len(y)) % 3)
    with pytest.raises(InputError, match="needs two classes in y; got one class only: 4"):
        ThresholdClassifier().fit(X, np.full(len(y), 4))
    with pytest.raises(InputError, match="not taken by the estimator KNeighborsClassifier"):
        ThresholdClassifier(KNeighborsClassifier()).fit(X, y, sample_weight=np.ones(len(y)))
    with pytest.raises(AttributeError):
        ThresholdClassifier().fit(X, y).predict_proba(X)
