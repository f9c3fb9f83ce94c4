"""The estimators among scikit-learn's tools: pipelines, searches, clones, pickles, routing."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import rocwise as rw
from rocwise.estimators import (
    AbstainingClassifier,
    ClassWeightClassifier,
    FilterRegressor,
    MetaClassClassifier,
    MimeticClassifier,
    ModelTreeRegressor,
    NaiveBayesRegressor,
    ProbabilityEstimatingTree,
    ReliableClassifier,
    StackedFilterRegressor,
    ThresholdClassifier,
)

ESTIMATORS = [
    ThresholdClassifier(GaussianNB(), costs=rw.Costs(fp=1, fn=3)),
    AbstainingClassifier(
        GaussianNB(), costs=rw.Costs(fp=1, fn=1, abstain=0.2), reject_label="?", second=GaussianNB()
    ),
    ReliableClassifier(GaussianNB(), positive=0.8, negative=0.8),
    ProbabilityEstimatingTree(random_state=0),
    MimeticClassifier("Mim1Ordb", n_samples=200, random_state=0),
]
each_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)


CHECKED = [
    ThresholdClassifier(),
    ThresholdClassifier(GaussianNB(), rule="youden", cv=2),
    AbstainingClassifier(),
    ReliableClassifier(),
    ClassWeightClassifier(),
    MetaClassClassifier(),
    MimeticClassifier(),
    ProbabilityEstimatingTree(),
    ProbabilityEstimatingTree(ccp_alpha=0.01),
    FilterRegressor(),
    StackedFilterRegressor(),
    ModelTreeRegressor(),
    NaiveBayesRegressor(),
]


@parametrize_with_checks(CHECKED)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.filterwarnings("ignore:no row is predicted positive")  # of random scores
def test_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    return rng.normal(size=(200, 3)) + 0.9 * y[:, None], y


@each_estimator
def test_clone_and_pickle(estimator, data):
    X, y = data
    fitted = clone(estimator).fit(X, y)
    assert clone(fitted).get_params().keys() == estimator.get_params().keys()
    again = pickle.loads(pickle.dumps(fitted))
    assert again.predict(X).tolist() == fitted.predict(X).tolist()
    assert again.how_ == fitted.how_


@each_estimator
def test_in_a_pipeline_with_feature_names(estimator, data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    scaler = StandardScaler().set_output(transform="pandas")
    pipe = make_pipeline(scaler, clone(estimator)).fit(frame, y)
    assert pipe[-1].feature_names_in_.tolist() == ["a", "b", "c"]
    assert len(pipe.predict(frame)) == len(y)
    pipe[-1].fit(X, y)  # without names, the names of the earlier fit are gone
    assert not hasattr(pipe[-1], "feature_names_in_")


@pytest.mark.parametrize(
    ("estimator", "changed"),
    [
        (AbstainingClassifier(costs=rw.Costs(fp=1, fn=1, abstain=0.2)), {"second": GaussianNB()}),
        (MimeticClassifier("Mim1Ordb", n_samples=200), {"configuration": "Mim0b"}),
        (ReliableClassifier(GaussianNB()), {"positive": 0.5, "unattainable": "raise"}),
    ],
    ids=["abstaining", "mimetic", "reliable"],
)
def test_a_fitted_model_predicts_as_it_was_fitted(estimator, changed, data):
    X, y = data
    fitted = clone(estimator).fit(X, y)
    before = fitted.predict(X).tolist()
    assert fitted.set_params(**changed).predict(X).tolist() == before


SEARCHES = [
    (ThresholdClassifier(LogisticRegression(), rule="f1", cv=3), "estimator__C", [0.01, 1.0]),
    (AbstainingClassifier(LogisticRegression(), cv=3), "estimator__C", [0.01, 1.0]),
    (ReliableClassifier(GaussianNB(), cv=3), "positive", [0.7, 0.9]),
    (ProbabilityEstimatingTree(random_state=0), "min_samples_leaf", [2, 10]),
    (
        MimeticClassifier(oracle=GaussianNB(), n_samples=200, random_state=0),
        "configuration",
        ["Mim0b", "Mim2Dirb"],
    ),
]


@pytest.mark.parametrize(
    ("estimator", "name", "values"), SEARCHES, ids=lambda v: type(v).__name__ * hasattr(v, "fit")
)
def test_in_a_grid_search(estimator, name, values, data):
    search = GridSearchCV(estimator, {name: values}, cv=3).fit(*data)
    assert search.best_params_[name] in values
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def cost(model, X, y):
    return -model.mean_cost(X, y)


def test_a_search_may_minimise_cost(data):
    X, y = data
    costs = rw.Costs(fp=1, fn=5, abstain=0.3)
    found = {}
    for model in (ThresholdClassifier(costs=costs), AbstainingClassifier(costs=costs)):
        search = GridSearchCV(model, {"cv": [3, 5]}, scoring=cost, cv=3).fit(X, y)
        found[type(model).__name__] = -search.best_score_
    assert 0 < found["AbstainingClassifier"] < found["ThresholdClassifier"]


@pytest.mark.parametrize(
    ("estimator", "inner"),
    [
        (ThresholdClassifier(), "estimator"),
        (MimeticClassifier("Mim0a", n_samples=100, random_state=0), "oracle"),
    ],
    ids=["threshold", "mimetic"],
)
def test_weights_are_routed_when_routing_is_on(estimator, inner, data):
    X, y = data
    weights = np.where(y == 1, 4.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = GaussianNB().set_fit_request(sample_weight=True)
        model = clone(estimator.set_params(**{inner: asking}))
        model.fit(X, y, sample_weight=weights)
        silent = clone(estimator.set_params(**{inner: GaussianNB()}))
        with pytest.raises(ValueError, match="sample_weight"):
            silent.fit(X, y, sample_weight=weights)
    fitted = getattr(model, f"{inner}_")
    expected = GaussianNB().fit(X, y, sample_weight=weights)
    assert fitted.class_prior_ == pytest.approx(expected.class_prior_)


@each_estimator
def test_unfitted_raises(estimator, data):
    with pytest.raises(sklearn.exceptions.NotFittedError, match="not fitted"):
        clone(estimator).predict(data[0])


@pytest.mark.parametrize("estimator", ESTIMATORS[:3], ids=lambda e: type(e).__name__)
def test_text_rows_reach_the_model_as_they_are(estimator):
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import BernoulliNB

    texts = ["good day", "bad night", "good night", "bad day", "fine", "awful"] * 10
    model = clone(estimator).set_params(estimator=make_pipeline(CountVectorizer(), BernoulliNB()))
    if hasattr(model, "second"):
        model.set_params(second=None)
    model.fit(texts, np.tile([1, 0], 30))
    assert model.predict(["good fine day", "bad awful night"]).tolist() == [1, 0]
