"""The probability estimating tree: Laplace's rule, weights as cases, scikit-learn's own checks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from rocwise.errors import InputError
from rocwise.estimators import ProbabilityEstimatingTree


def problem(rng, n=120, n_classes=2):
    X = np.round(rng.normal(size=(n, 3)), 2)
    y = np.clip(np.round(X[:, 0] + rng.normal(size=n)), 0, n_classes - 1).astype(int)
    return X, y


@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities_follow_laplace_in_the_leaves_of_an_unpruned_tree(n_classes):
    X, y = problem(np.random.default_rng(1), n_classes=n_classes)
    grown = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    grown.fit(X, y)
    leaves = grown.apply(X)
    probabilities = ProbabilityEstimatingTree(random_state=0).fit(X, y).predict_proba(X)
    for leaf in np.unique(leaves):
        members = y[leaves == leaf]
        expected = [
            (np.sum(members == c) + 1) / (len(members) + n_classes) for c in range(n_classes)
        ]
        assert probabilities[leaves == leaf] == pytest.approx(np.tile(expected, (len(members), 1)))


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 8))
def test_every_leaf_holds_enough_cases(seed, min_samples_leaf):
    rng = np.random.default_rng(seed)
    X, y = problem(rng, n=40)
    tree = ProbabilityEstimatingTree(min_samples_leaf=min_samples_leaf).fit(X, y)
    in_leaf = tree.leaf_counts_.sum(axis=1)
    assert in_leaf[in_leaf > 0].min() >= min_samples_leaf
    assert in_leaf.sum() == len(y)


def test_too_few_cases_for_a_split_give_one_leaf():
    tree = ProbabilityEstimatingTree(min_samples_leaf=2).fit([[0], [1], [2]], ["n", "n", "p"])
    assert tree.predict_proba([[5]]).tolist() == [[0.6, 0.4]]
    assert "1 leaf" in tree.how_


def test_a_single_class_is_certain_but_for_the_correction():
    tree = ProbabilityEstimatingTree().fit([[0], [1], [2]], [7, 7, 7])
    assert tree.predict([[9]]).tolist() == [7]
    assert tree.predict_proba([[9]]).tolist() == [[1.0]]


def test_errors():
    with pytest.raises(InputError, match="`min_samples_leaf`"):
        ProbabilityEstimatingTree(min_samples_leaf=0).fit([[0], [1]], [0, 1])
    with pytest.raises(InputError, match="`ccp_alpha`"):
        ProbabilityEstimatingTree(ccp_alpha=-1).fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="`sample_weight` is zero for every row"):
        ProbabilityEstimatingTree().fit([[0], [1]], [0, 1], sample_weight=[0, 0])


def test_a_weight_counts_cases():
    tree = ProbabilityEstimatingTree().fit([[0], [1], [2]], [0, 1, 2], sample_weight=[1, 1, 0])
    assert tree.classes_.tolist() == [0, 1]
    rng = np.random.default_rng(0)
    X, y = problem(rng, n=30)
    weights = np.r_[1, 1, rng.integers(0, 4, 28)]
    weighted, repeated = (ProbabilityEstimatingTree(random_state=3) for _ in range(2))
    weighted.fit(X, y, sample_weight=weights)
    repeated.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert np.array_equal(weighted.predict_proba(X), repeated.predict_proba(X))
