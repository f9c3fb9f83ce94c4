"""Splits and models of many nodes at once are those of each node by itself."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocwise.regression import model_trees
from rocwise.regression.model_trees import fitted, fitted_models

seeds = st.integers(0, 2**32 - 1)


@st.composite
def nodes(draw, most=60):
    """Rows of any kind, and nodes of any size among them."""
    rng = np.random.default_rng(draw(seeds))
    n, p = draw(st.integers(2, 60)), draw(st.integers(1, 7))
    X = rng.normal(size=(n, p))
    kind = draw(st.sampled_from(["continuous", "whole", "constant", "twins", "far away"]))
    if kind == "whole":
        X = rng.integers(0, 4, size=(n, p)).astype(float)
    elif kind == "constant":
        X[:, 0] = 2.0
    elif kind == "twins" and p > 1:
        X[:, 1] = 2 * X[:, 0] - 1
    elif kind == "far away":
        X = 1e4 + X * 10.0 ** rng.integers(-3, 4, p)
    y = X @ rng.normal(size=p) + draw(st.sampled_from([0.0, 1.0])) * rng.normal(size=n)
    members = [np.arange(n)]
    members += [np.sort(rng.choice(n, rng.integers(1, n + 1), replace=False)) for _ in range(8)]
    return X, y, members


def level_of(X, members):
    """Orders and bounds of nodes with these rows, the same row more than once if need be."""
    orders = [
        np.concatenate([rows[np.argsort(column[rows], kind="stable")] for rows in members])
        for column in X.T
    ]
    bounds = np.cumsum([0, *(len(rows) for rows in members)])
    return np.stack([*orders, np.concatenate(members)]), bounds


def best_splits(X, y, members, flat, least):
    """Feature and cut of each node, or None."""
    features, cuts = model_trees.best_splits(
        np.ascontiguousarray(X.T), y, *level_of(X, members), flat, least
    )
    return [
        None if feature < 0 else (feature, cut)
        for feature, cut in zip(features.tolist(), cuts.tolist(), strict=True)
    ]


def reductions(X, y, least):
    """What every feature and every cut between two values takes from the standard deviation."""
    found = {}
    for feature in range(X.shape[1]):
        for low, high in pairwise(np.unique(X[:, feature])):
            left = X[:, feature] <= low
            if min(left.sum(), (~left).sum()) >= least:
                parts = left.mean() * y[left].std() + (~left).mean() * y[~left].std()
                found[feature, low / 2 + high / 2] = y.std() - parts
    return found


@settings(max_examples=40)
@given(nodes(most=25), st.integers(1, 4))
def test_splits_are_the_best_of_all(problem, least):
    X, y, members = problem
    for rows, split in zip(members, best_splits(X, y, members, 5e-11, least), strict=True):
        tried = reductions(X[rows], y[rows], least) if len(rows) >= max(4, 2 * least) else {}
        if split is None:
            assert not tried or np.std(y[rows]) < 1e-10 * np.abs(y[rows]).max()
        else:  # roots of differences, of one row even, are good to half the digits
            assert tried[split] >= max(tried.values()) - 1e-7 * np.std(y[rows])


def test_flat_nodes_stay_leaves():
    X, y = np.arange(20.0)[:, None], np.r_[np.zeros(10), np.linspace(0, 1, 10)]
    members = [np.arange(10), np.arange(10, 20), np.arange(20)]
    small, large = (best_splits(X, y, members, sd, 2) for sd in (0.05, 0.5))
    assert [split is None for split in small] == [True, False, False]
    assert [split is None for split in large] == [True, True, True]


@settings(max_examples=80)
@given(nodes())
def test_models_are_those_of_each_node_alone(problem):
    X, y, members = problem
    orders, bounds = level_of(X, members)
    models = fitted_models(X, y, orders[-1], bounds)
    for rows, intercept, coefficients, error in zip(members, *models, strict=True):
        alone = fitted(X[rows], y[rows])
        size = np.abs(y[rows]).max()
        assert error == pytest.approx(alone.error, rel=1e-9, abs=1e-11 * size)
        found = intercept + X[rows] @ coefficients
        wanted = alone.intercept + X[rows] @ alone.coefficients
        np.testing.assert_allclose(found, wanted, atol=1e-9 * size)
