"""Pairs and chains of rows: both implementations, brute force, weights, odd floats."""

import numpy as np
import pytest

import rocwise as rw
from oracles.ordered_chains import tensor
from rocwise.data.rankings import rank_classes
from rocwise.kernels import chains

CASES = [
    ([0, 1], [1.0, 2.0]),
    ([0, 1], [2.0, 2.0]),
    ([1, 0, 1, 0], [0.0, -0.0, 1.0, np.inf]),
    ([0, 0, 1, 1, 2, 2], [1, 2, 2, 3, 3, 3]),
    ([0, 1, 2, 3, 0, 1, 2, 3], [1, 1, 1, 1, 1, 1, 1, 1]),
    ([2, 1, 0, 2, 1, 0, 2], [5, 4, 3, 3, 4, 4, 9]),
    ([0] * 3 + [1] * 2 + [2] * 2 + [3] * 2, [1, 2, 2, 2, 3, 2, 3, 3, 1]),
]


def ranked(codes, scores):
    codes = np.asarray(codes, np.uint8)
    return *rank_classes(codes, np.asarray(scores, float)), np.bincount(codes).astype(float)


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("codes", "scores"), CASES)
def test_every_chain_counted_once(codes, scores, strict):
    order, names, starts, sizes = ranked(codes, scores)
    expected = tensor(codes, scores, strict=strict)
    volume = chains.chain_volume(names, starts, sizes, strict=strict)
    assert volume == pytest.approx(expected.mean(), abs=1e-14)
    parts = np.empty(len(codes))
    parts[order] = chains.chain_parts(names, starts, sizes, strict=strict)
    for k in range(len(sizes)):
        others = tuple(axis for axis in range(len(sizes)) if axis != k)
        mean = expected.mean(axis=others)
        np.testing.assert_allclose(parts[np.asarray(codes) == k], mean, atol=1e-14)


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("credit", [False, True])
@pytest.mark.parametrize(("codes", "scores"), CASES)
def test_every_pair_counted_once(codes, scores, credit):
    order, names, starts, sizes = ranked(codes, scores)
    codes, scores, m = np.asarray(codes), np.asarray(scores, float), len(sizes)
    weights = np.random.default_rng(1).integers(1, 4, len(codes)).astype(float)
    below = np.less.outer(scores, scores) * 2.0 + np.equal.outer(scores, scores) * credit
    products = np.outer(weights, weights) * below
    expected = [[products[codes == i][:, codes == j].sum() for j in range(m)] for i in range(m)]
    rows = names, starts, weights[order], m
    np.testing.assert_array_equal(chains.pair_wins(*rows, credit=credit), expected)
    for i in range(m):
        line = chains.pair_wins(*rows, own=i, credit=credit)
        np.testing.assert_array_equal(line, expected[i : i + 1])


ONE = np.ones(2, np.uint8)


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ((np.array([0, 2], np.uint8), ONE, np.ones(2)), "classes below 2"),
        ((np.array([0, 1], np.uint8), np.array([0, 1], np.uint8), np.ones(2)), "start a score"),
        ((np.array([0, 1], np.uint8), np.ones(3, np.uint8), np.ones(2)), "shape"),
        ((np.array([0, 1], np.uint8), ONE, np.array([1.0, np.nan])), "nan"),
        ((np.array([0, 1], np.uint8), ONE, np.ones(2), np.array([1.0, np.nan])), "nan"),
    ],
)
def test_rows_that_do_not_fit_raise(wrong, words):
    for kernel in (chains.chain_volume, chains.chain_parts):
        with pytest.raises((ValueError, rw.InputError), match=words):
            kernel(*wrong, strict=False)
