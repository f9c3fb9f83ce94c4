"""The reliable classifier: promises per class, kept on held-out rows, and silence otherwise."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

import rocwise as rw
from rocwise.errors import InputError, UnattainableError
from rocwise.estimators import ReliableClassifier


@parametrize_with_checks([ReliableClassifier()])
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def problem(n=400, seed=0, distance=0.7):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 3)) + distance * y[:, None], y


def precisions(truth, said):
    """Of those called positive, and of those called negative; None where nobody is."""
    found = []
    for label in (1, 0):
        called = said == label
        found.append(float((truth[called] == label).mean()) if called.any() else None)
    return tuple(found)


def test_the_rule_is_that_of_the_question_on_out_of_fold_scores():
    X, y = problem()
    model = ReliableClassifier(LogisticRegression(), positive=0.9, negative=0.85).fit(X, y)
    scores = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")[:, 1]
    rule = rw.reliable(y, scores, positive=0.9, negative=0.85)
    assert model.rule_.case == rule.case == 3
    assert model.rule_.upper_threshold == rule.upper_threshold
    assert model.rule_.lower_threshold == rule.lower_threshold
    assert "out-of-fold scores (5 folds)" in model.how_
    fitted = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    assert np.array_equal(model.predict(X), rule.decide(fitted))


@settings(max_examples=25)
@given(
    st.integers(0, 10**6), st.floats(0.6, 0.95), st.floats(0.6, 0.95), st.sampled_from([0.3, 1.0])
)
def test_both_promises_are_kept_on_the_rows_that_the_rule_was_learned_on(
    seed, positive, negative, distance
):
    X, y = problem(80, seed, distance)
    assume(0 < y.sum() < len(y))
    known = GaussianNB().fit(*problem(60, seed + 1, distance))
    options = {"positive": positive, "negative": negative, "reject_label": -1}
    model = ReliableClassifier(known, cv="prefit", **options).fit(X, y)
    if model.rule_ is None:
        assert (model.predict(X) == -1).all()
        return
    for reached, target in zip(precisions(y, model.predict(X)), (positive, negative), strict=True):
        assert reached is None or reached >= target - 1e-9


def test_predictions_do_not_depend_on_chance_or_on_the_other_rows():
    X, y = problem()
    model = ReliableClassifier(positive=0.9, negative=0.9).fit(X, y)
    assert any(model.rule_.mixing)  # inside an edge of the hull
    assert "the two rules of the mixture disagree" in model.how_
    whole = model.predict(X)
    one_by_one = [model.predict(X[row : row + 1])[0] for row in range(40)]
    assert whole[:40].tolist() == one_by_one


def test_easy_targets_leave_no_score_undecided():
    X, y = problem(distance=2.0)
    model = ReliableClassifier(positive=0.8, negative=0.8).fit(X, y)
    assert model.rule_.case == 2
    assert set(model.predict(np.random.default_rng(3).normal(1, 2, (2000, 3))).tolist()) == {0, 1}


def test_out_of_reach_decides_nothing_or_raises():
    X, y = problem(distance=0.0)
    model = ReliableClassifier(positive=0.99, negative=0.99, reject_label="ask").fit(X, y)
    assert model.rule_ is None
    assert set(model.predict(X)) == {"ask"}
    assert model.review_queue(X).shape == (len(y),)
    assert model.how_.startswith("no case is decided: `positive` = 0.99 is unattainable")
    with pytest.raises(UnattainableError, match="unattainable"):
        ReliableClassifier(positive=0.99, negative=0.99, unattainable="raise").fit(X, y)


@pytest.mark.parametrize("metric", ["f", "m", ("precision", "m")], ids=str)
def test_other_metrics(metric):
    X, y = problem()
    scores = cross_val_predict(LogisticRegression(), X, y, method="predict_proba")[:, 1]
    model = ReliableClassifier(positive=0.7, negative=0.7, metric=metric).fit(X, y)
    rule = rw.reliable(y, scores, positive=0.7, negative=0.7, metric=metric)
    assert model.rule_.to_dict() == rule.to_dict()


def test_text_labels_and_the_reject_label():
    X, y = problem()
    named = np.array(["well", "xill"])[y]
    model = ReliableClassifier(reject_label="see a doctor").fit(X, named)
    assert set(model.predict(X)) == {"well", "xill", "see a doctor"}
    with pytest.raises(InputError, match="`reject_label` 'well' is one of the classes"):
        ReliableClassifier(reject_label="well").fit(X, named)


def test_refusals():
    X, y = problem()
    with pytest.raises(InputError, match="`unattainable` must be one of"):
        ReliableClassifier(unattainable="warn").fit(X, y)
    with pytest.raises(InputError, match="`positive`"):
        ReliableClassifier(positive=1.5).fit(X, y)


@pytest.mark.parametrize("target", [0.55, 0.8, 0.9, 0.999])
@pytest.mark.parametrize("metric", ["precision", "f"])
def test_the_sign_of_the_decision_function_is_the_decision(target, metric):
    X, y = problem()
    model = ReliableClassifier(positive=target, negative=target, metric=metric).fit(X, y)
    distance = model.decision_function(X)
    labels, abstained = model.predict_with_abstention(X)
    assert np.array_equal(np.sign(distance), np.where(abstained, 0, 2 * labels - 1))
    order = np.argsort(model.estimator_.predict_proba(X)[:, 1])
    assert (np.diff(distance[order]) >= 0).all()
