"""Displays: the conventions of scikit-learn around the results of rocwise."""

import matplotlib
import numpy as np
import pytest
from sklearn.datasets import make_classification, make_regression
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import RocCurveDisplay, roc_auc_score
from sklearn.model_selection import cross_validate
from sklearn.svm import LinearSVC

import rocwise as rw
from rocwise.estimators import AbstentionDisplay, CostDisplay, RecDisplay, RocDisplay

matplotlib.use("Agg")
from matplotlib import pyplot

X, Y = make_classification(300, 5, n_informative=3, random_state=0)
WORDS = np.where(Y == 1, "bad", "good")
MODEL = LogisticRegression().fit(X, Y)


@pytest.fixture(autouse=True)
def no_figure_is_left():
    yield
    pyplot.close("all")


@pytest.mark.parametrize("model", [MODEL, LinearSVC(random_state=0).fit(X, Y)])
def test_an_estimator_gives_the_curve_that_scikit_learn_draws(model):
    display = RocDisplay.from_estimator(model, X, Y)
    theirs = RocCurveDisplay.from_estimator(model, X, Y)
    assert display.result.auc == pytest.approx(theirs.roc_auc)
    assert display.ax_ is display.figure_.axes[0]
    entry = display.ax_.get_legend().get_texts()[0].get_text()
    assert entry.startswith(f"{type(model).__name__}, AUC")


def test_a_display_is_drawn_again_on_axes_of_ones_own():
    _, ax = pyplot.subplots()
    display = RocDisplay.from_predictions(Y, MODEL.predict_proba(X)[:, 1], name="risk", ax=ax)
    assert display.ax_ is ax
    assert display.plot(name="again", chance=False) is display
    assert display.ax_ is not ax
    assert repr(display).startswith("RocDisplay: ROC curve")


@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
@pytest.mark.parametrize("positive", ["bad", "good"])
def test_words_as_labels_need_the_positive_one(method, positive):
    model = LogisticRegression().fit(X, WORDS)
    display = RocDisplay.from_estimator(model, X, WORDS, pos_label=positive, response_method=method)
    place = list(model.classes_).index(positive)
    assert display.result.auc == pytest.approx(
        roc_auc_score(positive == WORDS, model.predict_proba(X)[:, place])
    )
    with pytest.raises(rw.InputError, match="pos_label"):
        RocDisplay.from_estimator(model, X, WORDS)


def test_folds_are_averaged():
    folds = cross_validate(MODEL, X, Y, cv=4, return_estimator=True, return_indices=True)
    display = RocDisplay.from_cv_results(folds, X, Y, name="logit")
    areas = [
        roc_auc_score(Y[rows], model.decision_function(X[rows]))
        for model, rows in zip(folds["estimator"], folds["indices"]["test"], strict=True)
    ]
    assert len(display.result.curves) == 4
    assert np.mean(areas) == pytest.approx(display.result.areas().mean(), abs=0.01)
    assert "±" in display.ax_.get_legend().get_texts()[0].get_text()
    together = CostDisplay.from_cv_results(folds, X, Y)
    assert together.result.n_pos + together.result.n_neg == len(Y)
    with pytest.raises(rw.InputError, match="return_indices=True"):
        RocDisplay.from_cv_results(cross_validate(MODEL, X, Y), X, Y)


def test_costs_and_abstention():
    curve = CostDisplay.from_estimator(MODEL, X, Y).result
    assert curve.area == pytest.approx(rw.cost_curve(Y, MODEL.predict_proba(X)[:, 1]).area)
    costs = rw.Costs(fp=1, fn=2, abstain=0.2)
    window = AbstentionDisplay.from_estimator(MODEL, X, Y, costs=costs).result
    assert window.upper == rw.abstain(Y, MODEL.predict_proba(X)[:, 1], costs=costs).upper
    surface = AbstentionDisplay.from_predictions(Y, MODEL.predict_proba(X)[:, 1])
    assert surface.ax_.get_xlabel().startswith("Cost of a false positive")
    with pytest.raises(rw.InputError, match="RocDisplay shows all costs"):
        RocDisplay.from_estimator(MODEL, X, Y, costs=costs)


def test_forecasts():
    rows, values = make_regression(120, 4, noise=10, random_state=0)
    model = LinearRegression().fit(rows, values)
    wanted = rw.regression.rec(values, model.predict(rows)).aoc
    assert RecDisplay.from_estimator(model, rows, values).result.aoc == pytest.approx(wanted)
    assert RecDisplay.from_predictions(values, model.predict(rows)).result.aoc == wanted
    folds = cross_validate(model, rows, values, return_estimator=True, return_indices=True)
    assert RecDisplay.from_cv_results(folds, rows, values).result.n == 120


def test_a_model_without_scores_raises():
    class Oracle:
        classes_ = np.array([0, 1])

        def predict(self, rows):
            return np.zeros(len(rows))

    with pytest.raises(rw.InputError, match="`estimator` must have one of predict_proba"):
        RocDisplay.from_estimator(Oracle(), X, Y)
