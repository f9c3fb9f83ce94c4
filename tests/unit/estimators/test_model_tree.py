"""The model tree."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from rocwise.errors import InputError
from rocwise.estimators import ModelTreeRegressor

X = np.arange(10.0)[:, None]
ROOF = np.array([0, 1, 2, 3, 4, 10, 9, 8, 7, 6.0])


@parametrize_with_checks([ModelTreeRegressor()])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


def test_worked_example():
    plain = ModelTreeRegressor(smoothing=0).fit(X, ROOF)
    np.testing.assert_allclose(plain.predict([[2.5], [7.5]]), [2.5, 7.5], atol=1e-9)
    smooth = ModelTreeRegressor().fit(X, ROOF)
    wanted = [3.0113636364, 7.6704545455]
    np.testing.assert_allclose(smooth.predict([[2.5], [7.5]]), wanted, atol=1e-9)
    assert smooth.tree_.cut == 4.5
    assert smooth.get_n_leaves() == 2
    np.testing.assert_allclose([leaf.error for leaf in smooth.tree_.leaves()], [0, 0])


def brute_split(X, y, min_leaf):
    """Best reduction of the standard deviation over all features and midpoints."""
    best = (-1.0, None, None)
    for feature in range(X.shape[1]):
        values = np.unique(X[:, feature])
        for cut in (values[:-1] + values[1:]) / 2:
            left = X[:, feature] <= cut
            if min(left.sum(), (~left).sum()) < min_leaf:
                continue
            parts = left.mean() * y[left].std() + (~left).mean() * y[~left].std()
            if y.std() - parts > best[0] + 1e-12:
                best = (y.std() - parts, feature, cut)
    return best


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("min_leaf", [1, 2, 6])
def test_first_split_is_the_best(seed, min_leaf):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 6, size=(25, 3)).astype(float)  # many ties
    target = rows[:, 1] ** 2 + rng.integers(0, 4, 25)
    tree = ModelTreeRegressor(min_samples_leaf=min_leaf, prune=False).fit(rows, target).tree_
    _, feature, cut = brute_split(rows, target, min_leaf)
    assert (tree.feature, tree.cut) == (feature, cut)


def brute_model(rows, target):
    """Backward elimination, each model fitted on its own."""
    n, kept = len(target), list(range(rows.shape[1]))

    def fit(columns):
        design = np.column_stack([np.ones(n), rows[:, columns]])
        found = np.linalg.lstsq(design, target)[0]
        v = len(columns) + 1
        size = np.abs(target - design @ found).mean()
        return (size * (n + v) / (n - v) if n > v else np.inf), found

    error, found = fit(kept)
    while kept:
        tried = [fit([c for c in kept if c != drop]) for drop in kept]
        best = int(np.argmin([each[0] for each in tried]))
        if tried[best][0] > error:
            break
        error, found = tried[best]
        del kept[best]
    return error, kept, found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("twins", [False, True])
def test_models_by_backward_elimination(seed, twins):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(40, 5))
    target = 2 + rows[:, 1] - 0.7 * rows[:, 3] + rng.normal(0, 0.8, 40)
    if twins:  # columns that depend on each other
        rows[:, 4] = 2 * rows[:, 1] - 1
    root = ModelTreeRegressor().fit(rows, target).tree_
    error, kept, found = brute_model(rows, target)
    assert root.error == pytest.approx(error, abs=1e-9)
    wanted = found[0] + rows[:, kept] @ found[1:]
    np.testing.assert_allclose(root.model(rows), wanted, atol=1e-8)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n_columns", [1, 2, 4, 6])
def test_as_many_cases_as_coefficients_and_one(seed, n_columns):
    """One elimination is defined there, and is taken by its estimated error."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n_columns + 1, n_columns))
    target = rows[:, 0] + rng.normal(size=n_columns + 1)
    options = {"min_samples_leaf": len(rows)}  # one leaf
    root = ModelTreeRegressor(**options).fit(rows, target).tree_
    error, kept, found = brute_model(rows, target)
    assert len(kept) < n_columns
    assert root.error == pytest.approx(error, abs=1e-9)
    assert np.flatnonzero(root.coefficients).tolist() == kept
    np.testing.assert_allclose(root.model(rows), found[0] + rows[:, kept] @ found[1:], atol=1e-8)


def test_pruning_keeps_a_split_only_where_it_lowers_the_error():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(200, 2))
    line = rows @ [1.0, -2.0]
    assert ModelTreeRegressor().fit(rows, line).get_n_leaves() == 1
    assert ModelTreeRegressor(prune=False).fit(rows, line).get_n_leaves() > 20
    kinked = np.abs(rows[:, 0]) * 3 + rng.normal(0, 0.1, 200)
    assert 2 <= ModelTreeRegressor().fit(rows, kinked).get_n_leaves() < 30


def test_error_of_every_kept_split_is_lower_than_without_it():
    rng = np.random.default_rng(1)
    rows = rng.uniform(size=(150, 2))
    tree = ModelTreeRegressor().fit(rows, np.sin(9 * rows[:, 0]) + rng.normal(0, 0.1, 150)).tree_

    def subtree_error(node):
        if node.is_leaf:
            return node.error
        below, above = subtree_error(node.below), subtree_error(node.above)
        kept = (node.below.n * below + node.above.n * above) / node.n
        assert kept < node.error
        return kept

    assert subtree_error(tree) < tree.error


def test_few_cases():
    one = ModelTreeRegressor().fit([[1.0, 2.0]], [3.0])
    assert one.predict([[9.0, 9.0]]).tolist() == [3.0]
    two = ModelTreeRegressor().fit([[1.0], [2.0]], [3.0, 5.0])
    assert two.predict([[9.0]]).tolist() == [4.0]  # the mean: a line has no estimated error
    three = ModelTreeRegressor().fit([[1.0], [2.0], [3.0]], [3.0, 5.0, 7.0])
    assert three.predict([[9.0]]) == pytest.approx([19.0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_samples_leaf": 0}, "`min_samples_leaf` must be a whole number"),
        ({"smoothing": -1}, "`smoothing` must not be negative"),
    ],
)
def test_unusable_options(options, message):
    with pytest.raises(InputError, match=message):
        ModelTreeRegressor(**options).fit(X, ROOF)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_that_are_not_finite(bad):
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        ModelTreeRegressor().fit(X, np.where(ROOF == 3, bad, ROOF))
    with pytest.raises(ValueError, match="0 sample"):
        ModelTreeRegressor().fit(np.empty((0, 1)), [])


def test_columns_that_are_the_same_but_for_rounding_are_one():
    """Forecasts of two filters agree to the last digits; no slope is fitted to those."""
    rng = np.random.default_rng(0)
    first = rng.normal(size=40)
    second = first * (1 + 1e-13 * rng.normal(size=40))
    y = first + rng.normal(scale=0.1, size=40)
    tree = ModelTreeRegressor().fit(np.column_stack([first, second]), y)
    new = rng.normal(size=50)
    apart = tree.predict(np.column_stack([new, new * (1 + 1e-9)])) - new
    assert np.abs(apart).max() < 2


def test_units_of_columns_do_not_matter():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    y = X[:, 0] + 2 * X[:, 1] + rng.normal(scale=0.1, size=60)
    small = X * [1.0, 2.0**-40]
    plain, scaled = ModelTreeRegressor().fit(X, y), ModelTreeRegressor().fit(small, y)
    np.testing.assert_allclose(scaled.predict(small), plain.predict(X), rtol=1e-9)
