"""What must contain for every model tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocwise.regression.model_trees import grow

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=30)


def data(seed, n=40, p=3):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, p)).round(2)
    return rows, np.where(rows[:, 0] > 0, rows[:, 1], 2 - rows[:, 2]) + rng.normal(0, 0.2, n)


def tree_of(rows, target, **options):
    return grow(rows, target, **{"min_samples_leaf": 2, "prune": True, **options})


@few
@given(seeds, st.floats(-1e6, 1e6), st.integers(1, 30))
def test_a_constant_target_is_one_leaf(seed, value, n):
    tree = tree_of(data(seed, n)[0], np.full(n, value))
    assert tree.is_leaf
    found = tree.predict(data(seed + 1, 5)[0], 15.0)
    np.testing.assert_allclose(found, value, rtol=1e-12, atol=1e-12)


@few
@given(seeds, st.floats(-2, 2), st.floats(-3, 3), st.floats(-3, 3))
def test_two_lines_are_found(seed, height, first, second):
    """A jump so high that the first split is there; both sides are then lines."""
    x = np.sort(np.random.default_rng(seed).uniform(-1, 1, 40))
    target = np.where(x > 0, 50 + first * x, height + second * x)
    if (x > 0).sum() < 3 or (x <= 0).sum() < 3:
        return
    found = tree_of(x[:, None], target).predict(x[:, None], 0.0)
    np.testing.assert_allclose(found, target, atol=1e-8)


@few
@given(seeds, st.floats(-100, 100), st.floats(0.01, 100))
def test_units_of_the_target_do_not_matter(seed, shift, scale):
    rows, target = data(seed)
    plain = tree_of(rows, target).predict(rows, 15.0)
    other = tree_of(rows, shift + scale * target).predict(rows, 15.0)
    np.testing.assert_allclose((other - shift) / scale, plain, atol=1e-6)


@few
@given(seeds)
def test_order_of_the_rows_does_not_matter(seed):
    rows, target = data(seed)
    order = np.random.default_rng(seed).permutation(len(rows))
    plain = tree_of(rows, target).predict(rows, 15.0)
    np.testing.assert_allclose(
        tree_of(rows[order], target[order]).predict(rows, 15.0), plain, atol=1e-8
    )


@few
@given(seeds, st.integers(1, 8))
def test_leaves_hold_all_cases_and_enough_of_them(seed, min_samples_leaf):
    rows, target = data(seed)
    leaves = tree_of(rows, target, min_samples_leaf=min_samples_leaf, prune=False).leaves()
    assert sum(leaf.n for leaf in leaves) == len(rows)
    assert min(leaf.n for leaf in leaves) >= min_samples_leaf


@few
@given(seeds, st.floats(0, 100))
def test_smoothing_mixes_along_the_path(seed, strength):
    rows, target = data(seed)
    tree = tree_of(rows, target, prune=False)
    for row in rows[:5]:
        path, node = [tree], tree
        while not node.is_leaf:
            node = node.below if row[node.feature] <= node.cut else node.above
            path.append(node)
        wanted = path[-1].model(row[None]).item()
        for child, parent in zip(path[:0:-1], path[-2::-1], strict=True):
            above = parent.model(row[None]).item()
            wanted = (child.n * wanted + strength * above) / (child.n + strength)
        assert tree.predict(row[None], strength).item() == pytest.approx(wanted, abs=1e-9)
