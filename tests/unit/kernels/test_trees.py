"""Questions and linear models of the nodes of a tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocwise.kernels.threads import threads
from rocwise.kernels.trees import plain_models, plain_splits
from rocwise.kernels.trees.batches import batches, padded, runs_of_nodes
from rocwise.kernels.trees.plain_models import MOST_GROWTH

seeds = st.integers(0, 2**32 - 1)


@st.composite
def levels(draw, least_size=1):
    """Columns, a target, orders and bounds of nodes that share out some of the rows."""
    rng = np.random.default_rng(draw(seeds))
    sizes = rng.integers(least_size, draw(st.sampled_from([4, 30, 300])) + least_size, 6)
    n, p = int(sizes.sum()) + 3, draw(st.integers(1, 6))
    columns = rng.normal(size=(p, n))
    if draw(st.booleans()):
        columns = columns.round()
    y = columns[0] ** 2 + rng.normal(size=n)
    if draw(st.booleans()):
        y = 1e3 + y.round()
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    members = np.split(rng.permutation(n)[: bounds[-1]], bounds[1:-1])
    orders = [
        np.concatenate(
            [rows[np.argsort(key[rows], kind="stable")] for rows in map(np.sort, members)]
        )
        for key in (*columns, np.arange(n))
    ]
    return columns, y, np.stack(orders), bounds


@settings(max_examples=60)
@given(problem=levels(), least=st.integers(1, 4), flat=st.sampled_from([0.0, 0.7]))
def test_splits_of_both_are_the_same_to_the_last_bit(kernels, problem, least, flat):
    found = kernels.best_splits(*problem, flat, least)
    wanted = plain_splits.best_splits(*problem, flat, least)
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_of_equal_questions_the_first_is_asked(kernels):
    column = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    y, order = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0]), np.arange(6)
    features, cuts = kernels.best_splits(
        np.stack([-column, column, column]), y, np.stack([order[::-1], order, order, order]),
        np.array([0, 6]), 0.0, 2,
    )  # fmt: skip
    assert (features.tolist(), cuts.tolist()) == ([0], [-3.5])


@pytest.mark.parametrize("value", [0.1, 1e9 / 3, -7e-9])
def test_a_long_constant_target_has_no_deviation(kernels, value):
    n = 100_000
    orders = np.stack([np.arange(n), np.arange(n)])
    column, bounds = np.arange(float(n))[None], np.array([0, n])
    features, _ = kernels.best_splits(column, np.full(n, value), orders, bounds, 0.0, 2)
    assert features.tolist() == [-1]


@settings(max_examples=40)
@given(problem=levels(), seed=seeds)
def test_children_keep_the_order_of_their_parents(kernels, problem, seed):
    columns, _, orders, bounds = problem
    rng = np.random.default_rng(seed)
    features = rng.integers(-1, 2, len(bounds) - 1)
    is_below = rng.random(columns.shape[1]) < 0.4
    found, ends = kernels.divided(orders, bounds, features, is_below)
    for line, rows in zip(orders, found, strict=True):
        wanted, sizes = [], []
        for node in np.flatnonzero(features >= 0):
            own = line[bounds[node] : bounds[node + 1]]
            wanted += [own[is_below[own]], own[~is_below[own]]]
            sizes += [len(wanted[-2]), len(wanted[-1])]
        assert ends.tolist() == [0, *np.cumsum(sizes, dtype=int)]
        assert rows.tolist() == [row for part in wanted for row in part]


@settings(max_examples=60)
@given(problem=levels(least_size=8), far=st.booleans(), still=st.booleans())
def test_models_of_both_are_the_same(kernels, problem, far, still):
    columns, y, orders, bounds = problem
    X = columns.T * 10.0 ** np.arange(len(columns)) + 1e4 * far
    X[:, 0] = 2.0 if still else X[:, 0]
    nodes = np.array([4, 0, 2])
    chosen = np.tile(np.arange(len(columns)), (3, 1))
    found = kernels.eliminated(X, y, orders[-1], bounds, nodes, chosen)
    wanted = plain_models.eliminated(X, y, orders[-1], bounds, nodes, chosen)
    np.testing.assert_array_equal(found.solved, wanted.solved)
    for k in np.flatnonzero(found.solved):
        rows = orders[-1][bounds[nodes[k]] : bounds[nodes[k] + 1]]
        size = np.abs(y[rows]).max()
        assert found.errors[k] == pytest.approx(wanted.errors[k], rel=1e-9, abs=1e-11 * size)
        fits = [m.intercepts[k] + X[rows] @ m.coefficients[k] for m in (found, wanted)]
        np.testing.assert_allclose(*fits, atol=1e-9 * size)


def test_columns_that_depend_on_each_other_are_not_solved(kernels):
    X = np.random.default_rng(3).normal(size=(40, 3))
    y, rows, bounds = X[:, 0] + X[:, 1] ** 2, np.arange(40), np.array([0, 40])
    node, chosen = np.array([0]), np.array([[0, 1, 2]])
    for apart, solved in (
        (10 / MOST_GROWTH**0.5, True),
        (0.1 / MOST_GROWTH**0.5, False),
        (0, False),
    ):
        X[:, 2] = X[:, 0] + apart * np.cos(rows)
        assert kernels.eliminated(X, y, rows, bounds, node, chosen).solved.tolist() == [solved]


def test_no_columns_leave_the_mean(kernels):
    X, y = np.ones((3, 2)), np.array([1.0, 2.0, 6.0])
    none = np.empty((1, 0), np.int64)
    found = kernels.eliminated(X, y, np.arange(3), np.array([0, 3]), np.array([0]), none)
    assert (found.intercepts.tolist(), found.coefficients.tolist()) == ([3.0], [[0.0, 0.0]])
    assert found.errors.tolist() == [pytest.approx(2.0 * 4 / 2)]


@given(st.lists(st.integers(1, 500), min_size=1, max_size=60), st.integers(1, 9))
def test_batches_hold_every_node_once(sizes, width):
    sizes = np.array(sizes)
    found = list(batches(sizes, width))
    assert sorted(np.concatenate(found).tolist()) == list(range(len(sizes)))
    for batch in found:
        low, high = sizes[batch].min(), sizes[batch].max()
        assert high <= (1.25 * low if low > width else low)  # few cells stay empty


def test_padding():
    places, real = padded(np.array([0, 2, 5, 6]), np.array([1, 2]))
    assert places[real].tolist() == [2, 3, 4, 5]
    assert real.tolist() == [[True, True, True], [True, False, False]]


@given(st.lists(st.integers(1, 50), min_size=1, max_size=40), st.integers(1, 4))
def test_runs_hold_every_node_once(sizes, threads):
    runs = runs_of_nodes(np.cumsum([0, *sizes]), threads, 10)
    assert [node for run in runs for node in range(*run)] == list(range(len(sizes)))
    assert len(runs) <= 4 * threads


@pytest.mark.parametrize("number", [2, 3])
def test_threads_change_no_digit(kernels, number):
    rng = np.random.default_rng(9)
    n, bounds = 12_000, np.r_[0, 5_000, 5_100, np.arange(5_200, 12_001, 200)]
    columns, y = rng.normal(size=(4, n)), rng.normal(size=n)
    rows = rng.permutation(n)
    members = [np.sort(own) for own in np.split(rows, bounds[1:-1])]
    orders = np.stack(
        [
            np.concatenate([own[np.argsort(key[own], kind="stable")] for own in members])
            for key in (*columns, np.arange(n))
        ]
    )
    nodes = np.arange(len(members))
    chosen = np.tile(np.arange(4), (len(nodes), 1))
    found = []
    for limit in (1, number):
        with threads(limit):
            splits = kernels.best_splits(columns, y, orders, bounds, 0.0, 2)
            found.append(
                [*splits, *kernels.eliminated(columns.T, y, orders[-1], bounds, nodes, chosen)]
            )
    for one, several in zip(*found, strict=True):
        np.testing.assert_array_equal(one, several)
