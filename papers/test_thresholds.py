"""Copies of oracles: trees that are shared are those of the estimator, and claims are counted."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator

import rocwise as rw
from papers.shared.paper import paper
from papers.thresholds.claims import COST_AWARE, Fold, Means, sentences
from papers.thresholds.copies import ALWAYS, CONFIGURATIONS, SKEWS, Copies, fitted, results
from papers.thresholds.experiments import (
    EXPERIMENTS,
    NaiveBayes,
    filled,
    known,
    one_hot,
    oracle,
    rows_of,
)
from papers.thresholds.reproduce import of_model
from papers.thresholds.synthetic import PROBLEMS, oracles
from rocwise.estimators import MimeticClassifier


@pytest.fixture(scope="module")
def copies():
    """Copies of naive Bayes on the problem with nominal columns."""
    problem, rng = PROBLEMS[-1], np.random.default_rng(1)
    (table, label), (new, _) = problem.draw(300, rng), problem.draw(500, rng)
    model = fitted(oracles(0)["naive Bayes"], one_hot(table, table), label)
    return Copies(table, label, new, model, 300, 7)


@pytest.mark.parametrize(
    ("name", "skew"), [*((name, 5) for name in CONFIGURATIONS), ("Mim2Dirb", 1), ("Mim3", 1)]
)
def test_a_tree_grown_once_is_that_of_the_estimator(copies, name, skew):
    one = copies.result(name, skew)
    model = MimeticClassifier(
        name,
        oracle=FrozenEstimator(copies.oracle),
        costs=rw.Costs(fp=1, fn=skew),
        n_samples=copies.n_samples,
        random_state=copies.seed,
    ).fit(copies.table, copies.label)
    assert one.chance == pytest.approx(model.predict_proba(copies.new)[:, 1], abs=0)
    assert one.called.tolist() == (model.predict(copies.new) == 1).tolist()


@pytest.fixture(scope="module")
def dear_misses():
    """Cost and AUC on the balanced problem, a miss being ten times a false alarm."""
    problem, rng = PROBLEMS[0], np.random.default_rng([0, 0])
    (table, label), (new, truth) = problem.draw(300, rng), problem.draw(3000, rng)
    found = {}
    for model in oracles(0).values():
        of = Copies(table, label, new, fitted(model, one_hot(table, table), label), 1000, 0)
        for name in CONFIGURATIONS:
            one = of.result(name, 10)
            cost = np.where(truth, 10 * ~one.called, one.called).mean()
            found.setdefault(name, []).append((cost, rw.auc(truth, one.chance).value))
    return {name: np.mean(values, axis=0) for name, values in found.items()}


def test_all_19_configurations_that_know_the_costs_beat_those_that_do_not(dear_misses):
    assert len(COST_AWARE) == 19
    for name in COST_AWARE:
        data_type = "b" if name == "Mim3" else name[-1]
        assert dear_misses[name][0] < dear_misses[f"Mim0{data_type}"][0], name


def test_relabelling_beats_changing_the_class_shares(dear_misses):
    for name in CONFIGURATIONS:
        if name.startswith("Mim2"):
            assert dear_misses[name][0] < dear_misses["Mim3"][0], name


def test_scheme_1_ranks_better_than_scheme_2(dear_misses):
    for name in CONFIGURATIONS:
        if name.startswith("Mim1"):
            assert dear_misses[name][1] > dear_misses[name.replace("Mim1", "Mim2")][1], name


def test_rows_that_cannot_be_invented_are_taken_as_they_come(copies):
    class Never(ClassifierMixin, BaseEstimator):
        """An oracle that knows one class."""

        classes_ = np.array([0, 1])

        def fit(self, *_):
            return self

        def __sklearn_is_fitted__(self):
            return True

        def predict_proba(self, rows):
            return np.tile([0.9, 0.1], (len(rows), 1))

        def predict(self, rows):
            return np.zeros(len(rows), int)

    never = Copies(copies.table, copies.label, copies.new, Never(), 50, 1)
    assert not never.result("Mim2Dirb", 2).called.any()
    assert never.fallen_back == {"b"}
    for name in CONFIGURATIONS:
        assert never.result(name, 2).chance.shape == (len(copies.new),)


def test_naive_bayes_of_words_counts_one_case_more():
    rows = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    model = NaiveBayes((3,)).fit(rows, np.array([0, 0, 0, 1]))
    likely = np.array([3 / 4 * 3 / 6, 1 / 4 * 1 / 4])  # prior times share of the first word
    assert model.predict_proba(rows[:1])[0] == pytest.approx(likely / likely.sum())


def test_words_unknown_to_the_training_rows_are_replaced():
    import pandas as pd

    table = pd.DataFrame({"x": ["a", "a", "b"], "y": [1.0, 2.0, None]})
    assert known(filled(table), pd.DataFrame({"x": ["c", "b"], "y": [9.0, 8.0]})).x.tolist() == [
        "a",
        "b",
    ]
    assert filled(table).y.tolist() == [1.0, 2.0, 1.5]


def test_cost_is_that_of_a_tenth_of_the_rows(copies):
    label = np.array([0, 1] * 250)
    said, _ = results(
        copies.table, copies.label, copies.new, oracle("naive Bayes", copies.table), 50, 1
    )
    costs = of_model({skew: said[ALWAYS, skew] for skew in SKEWS}, label, len(label) / 10)
    assert costs == pytest.approx((25.0,) * 5 + (0.5, 0.5))


@pytest.mark.usefixtures("data")
def test_experiments_have_the_published_sizes():
    sizes = paper("thresholds").expected["table-1"]
    for one in EXPERIMENTS:
        if one.kind != "minority":
            _, label = rows_of(one)
            assert [int((label == 0).sum()), int(label.sum())] == sizes[str(one)], one


def test_claims_count_published_numbers_too():
    expected = paper("thresholds").expected
    kinds = ("balanced", "majority", "minority")
    folds = [
        Fold("c", "d", kind, "o", 0, name, *costs[:5], 0.7, expected["table-4"][name][place], False)
        for name, costs in expected["table-2"].items()
        for place, kind in enumerate(kinds)
    ]
    for one in sentences(Means(folds), expected)[5:]:
        assert one.published == one.here
