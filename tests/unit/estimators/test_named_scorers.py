"""Scorers by name: equal to scikit-learn's where it has them, and usable in its searches."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, average_precision_score, make_scorer, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate

import rocwise as rw
from rocwise.estimators import scorer, scorers

X, Y = make_classification(300, 5, n_informative=3, random_state=0)
WORDS = np.where(Y == 1, "bad", "good")
MODEL = LogisticRegression().fit(X, Y)


@pytest.mark.parametrize("max_fpr", [0.05, 0.1, 0.5])
def test_the_partial_area_is_that_of_scikit_learn(max_fpr):
    wanted = roc_auc_score(Y, MODEL.decision_function(X), max_fpr=max_fpr)
    assert scorer("partial_auc", max_fpr=max_fpr)(MODEL, X, Y) == pytest.approx(wanted)


def test_areas_are_those_of_scikit_learn():
    scores = MODEL.decision_function(X)
    assert scorer("auc")(MODEL, X, Y) == pytest.approx(roc_auc_score(Y, scores), rel=1e-12)
    wanted = average_precision_score(Y, scores)
    assert scorer("average_precision")(MODEL, X, Y) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("rate", [0.0, 0.5, 0.9, 1.0])
def test_rates_are_the_best_of_any_threshold(rate):
    scores = MODEL.decision_function(X)
    called = [scores >= t for t in [*scores, np.inf]]
    tpr = [np.mean(each[Y == 1]) for each in called]
    tnr = [np.mean(~each[Y == 0]) for each in called]
    best = max(a for a, b in zip(tpr, tnr, strict=True) if b >= rate)
    found = scorer("sensitivity_at_specificity", specificity=rate)(MODEL, X, Y)
    assert found == pytest.approx(best)
    best = max(b for a, b in zip(tpr, tnr, strict=True) if a >= rate)
    found = scorer("specificity_at_sensitivity", sensitivity=rate)(MODEL, X, Y)
    assert found == pytest.approx(best)
    if 0 < rate < 1:
        table = rw.at(Y, scores, specificity=rate, method="wilson")
        found = scorer("sensitivity_at_specificity", specificity=rate)(MODEL, X, Y)
        assert found == pytest.approx(float(table.sensitivity[0]))


def test_cross_validation_takes_all_of_them_and_make_scorer_takes_auc():
    found = cross_validate(LogisticRegression(), X, Y, scoring=scorers(), cv=3)
    assert all(len(found[f"test_{name}"]) == 3 for name in scorers())
    own = make_scorer(rw.auc, response_method="predict_proba")
    wanted = cross_val_score(LogisticRegression(), X, Y, scoring="roc_auc", cv=3)
    given = cross_val_score(LogisticRegression(), X, Y, scoring=own, cv=3)
    assert given == pytest.approx(wanted)


@pytest.mark.parametrize("name", ["roc_auc", "roc-auc", "roc_auc_score"])
def test_names_of_scikit_learn_are_pointed_to_ours(name):
    with pytest.raises(rw.InputError, match=r"Did you mean 'auc'\?"):
        scorer(name)


def test_words_as_labels():
    model = LogisticRegression().fit(X, WORDS)
    assert scorer("partial_auc", pos_label="bad")(model, X, WORDS) == pytest.approx(
        scorer("partial_auc")(MODEL, X, Y), abs=1e-6
    )
    with pytest.raises(rw.InputError, match="pos_label"):
        scorer("cost", costs=rw.Costs(fp=1, fn=5))(model, X, WORDS)
    prices = rw.Costs(fp=1, fn=5)
    assert scorer("cost", costs=prices, pos_label="bad")(model, X, WORDS) == pytest.approx(
        scorer("cost", costs=prices)(MODEL, X, Y), abs=0.05
    )


def test_the_cost_is_that_of_the_decisions():
    called = MODEL.predict(X)
    misses, alarms = np.mean((Y == 1) & (called == 0)), np.mean((Y == 0) & (called == 1))
    found = scorer("cost", costs=rw.Costs(fp=2, fn=7))(MODEL, X, Y)
    assert found == pytest.approx(-(2 * alarms + 7 * misses))
    assert scorer("cost")(MODEL, X, Y) == pytest.approx(accuracy_score(Y, called) - 1)


def test_the_smooth_area():
    chances, weights = MODEL.predict_proba(X)[:, 1], np.arange(1.0, 301.0)
    assert scorer("smauc")(MODEL, X, Y) == pytest.approx(rw.smooth_roc(Y, chances).auc)
    wanted = rw.smooth_roc(Y, chances, sample_weight=weights).auc
    assert scorer("smauc")(MODEL, X, Y, sample_weight=weights) == pytest.approx(wanted)


def test_a_search_takes_one_or_several_by_name():
    model = LogisticRegression()
    grid = {"C": [1e-4, 1.0]}
    one = GridSearchCV(model, grid, scoring=scorer("partial_auc", max_fpr=0.2), cv=3).fit(X, Y)
    wanted = cross_val_score(
        LogisticRegression(**one.best_params_),
        X,
        Y,
        cv=3,
        scoring=scorer("partial_auc", max_fpr=0.2),
    ).mean()
    assert one.best_score_ == pytest.approx(wanted)
    chosen = scorers(max_fpr=0.2, costs=rw.Costs(fp=1, fn=3))
    several = GridSearchCV(model, grid, scoring=chosen, refit="cost", cv=3).fit(X, Y)
    assert {
        "mean_test_partial_auc",
        "mean_test_cost",
        "mean_test_smauc",
    } <= several.cv_results_.keys()
    assert several.best_score_ == max(several.cv_results_["mean_test_cost"])


def test_unknown_names_and_options_raise():
    with pytest.raises(rw.InputError, match="`name` must be one of"):
        scorer("brier")
    with pytest.raises(rw.InputError, match="`costs` is not an option of the scorer 'smauc'"):
        scorer("smauc", costs=rw.Costs(fp=1, fn=1))
    with pytest.raises(rw.InputError, match="`costs` is not an option of these scorers"):
        scorers("smauc", costs=rw.Costs(fp=1, fn=1))
