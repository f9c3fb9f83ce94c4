"""The abstaining classifier: the window of `rocwise.abstain`, the reject label, the cascade."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import rocwise as rw
from rocwise.errors import InputError
from rocwise.estimators import AbstainingClassifier

COSTS = rw.Costs(fp=1, fn=2, abstain=0.2)


@parametrize_with_checks([AbstainingClassifier()])
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def problem(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 3)) + 0.7 * y[:, None], y


def test_the_window_is_that_of_the_question_on_out_of_fold_scores():
    X, y = problem()
    model = AbstainingClassifier(LogisticRegression(), costs=COSTS, prevalence=0.3).fit(X, y)
    scores = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")[:, 1]
    window = rw.abstain(y, scores, costs=COSTS, prevalence=0.3)
    assert (model.window_.lower, model.window_.upper) == (window.lower, window.upper)
    assert 0 < window.abstention_rate < 1
    fitted = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    expected = np.where(fitted >= window.upper, 1, np.where(fitted <= window.lower, 0, -1))
    labels, abstained = model.predict_with_abstention(X)
    assert np.array_equal(labels, expected)
    assert np.array_equal(model.predict(X), expected)
    assert np.array_equal(abstained, expected == -1)
    assert "out-of-fold scores (5 folds)" in model.how_


def test_without_costs_every_case_is_decided():
    X, y = problem()
    model = AbstainingClassifier().fit(X, y)
    assert model.window_.lower == model.window_.upper
    assert not model.predict_with_abstention(X).abstained.any()


@pytest.mark.parametrize(
    ("labels", "reject_label"),
    [([0, 1], "?"), (["no", "yes"], -1), (["a", "b"], "undecided"), ([0, 1], None), ([0, 1], 0.5)],
    ids=str,
)
def test_reject_label_of_the_users_choice(labels, reject_label):
    X, y = problem()
    named = np.array(labels)[y]
    model = AbstainingClassifier(costs=COSTS, reject_label=reject_label, pos_label=labels[1])
    model.fit(X, named)
    predicted, abstained = model.predict_with_abstention(X)
    assert 0 < abstained.sum() < len(y)
    assert set(predicted[abstained].tolist()) == {reject_label}
    assert set(predicted[~abstained].tolist()) <= set(labels)
    right = (predicted == named) & ~abstained
    assert model.score(X, named) == right.mean()


def test_a_reject_label_that_is_a_class_is_refused_once_it_could_be_used():
    X, y = problem()
    with pytest.raises(InputError, match="`reject_label` -1 is one of the classes"):
        AbstainingClassifier(costs=COSTS).fit(X, 2 * y - 1)
    assert AbstainingClassifier().fit(X, 2 * y - 1).predict(X).min() == -1


def test_cascade_to_a_second_model():
    X, y = problem()
    second = KNeighborsClassifier()
    model = AbstainingClassifier(GaussianNB(), costs=COSTS, second=second).fit(X, y)
    first, abstained = model.predict_with_abstention(X)
    settled = model.predict(X)
    asked = KNeighborsClassifier().fit(X, y).predict(X)
    assert abstained.any()
    assert np.array_equal(settled, np.where(abstained, asked, first))
    assert not hasattr(second, "classes_")  # the user's own is not touched


def test_a_second_model_that_abstains_hands_its_label_on():
    X, y = problem()
    nested = AbstainingClassifier(KNeighborsClassifier(), costs=COSTS, reject_label="people")
    model = AbstainingClassifier(GaussianNB(), costs=COSTS, second=nested).fit(X, y)
    left = nested.fit(X, y).predict_with_abstention(X).abstained
    left &= model.predict_with_abstention(X).abstained
    assert left.any()
    assert np.array_equal(model.predict(X) == "people", left)


def test_queue_for_people_lists_the_undecided_most_positive_first():
    X, y = problem()
    model = AbstainingClassifier(costs=COSTS).fit(X, y)
    queue = model.review_queue(X)
    assert np.array_equal(np.sort(queue), np.flatnonzero(model.predict(X) == -1))
    scores = model.estimator_.predict_proba(X)[queue, 1]
    assert (np.diff(scores) <= 0).all()


def test_mean_cost_on_new_rows():
    X, y = problem()
    new_X, new_y = problem(seed=1)
    costs = rw.Costs(fp=1, fn=2, abstain=(0.3, 0.1))
    model = AbstainingClassifier(costs=costs).fit(X, y)
    table = {(0, 0): 0, (0, 1): 1, (0, -1): 0.1, (1, 0): 2, (1, 1): 0, (1, -1): 0.3}
    each = [table[pair] for pair in zip(new_y.tolist(), model.predict(new_X).tolist(), strict=True)]
    assert model.mean_cost(new_X, new_y) == pytest.approx(np.mean(each))


def test_the_mean_cost_of_the_rows_of_a_fitted_model_is_the_expected_cost_of_the_window():
    X, y = problem()
    fitted = LogisticRegression().fit(*problem(seed=5))
    model = AbstainingClassifier(fitted, costs=COSTS, cv="prefit").fit(X, y)
    assert model.mean_cost(X, y) == pytest.approx(model.window_.expected_cost, abs=1e-12)


def test_refusals():
    X, y = problem()
    with pytest.raises(InputError, match=r"`costs.abstain`"):
        AbstainingClassifier(costs=rw.Costs(fp=1, fn=1)).fit(X, y)
    with pytest.raises(InputError, match="Only binary classification"):
        AbstainingClassifier().fit(X, np.arange(len(y)) % 3)


@pytest.mark.parametrize("abstain", [0.05, 0.2, 1.0])
def test_the_sign_of_the_decision_function_is_the_decision(abstain):
    X, y = problem()
    model = AbstainingClassifier(costs=rw.Costs(fp=1, fn=2, abstain=abstain)).fit(X, y)
    distance = model.decision_function(X)
    labels, abstained = model.predict_with_abstention(X)
    assert np.array_equal(np.sign(distance), np.where(abstained, 0, 2 * labels - 1))
    order = np.argsort(model.estimator_.predict_proba(X)[:, 1])
    assert (np.diff(distance[order]) >= 0).all()
    assert len(np.unique(distance[~abstained])) == (~abstained).sum()
