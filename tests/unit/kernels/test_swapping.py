"""Swapped scores of two models, ranked again by brute force."""

import numpy as np
import pytest


def gap(coins, first, second, signs):
    """E of one line of coins, by putting entries into two lists."""
    n = len(signs)
    lists = [], []
    for rank, (a, b) in enumerate(zip(first, second, strict=True)):
        entries = [(signs[a], coins[a]), (signs[b], 1 - coins[b])]
        for sign, side in entries[::-1] if coins[n + rank] else entries:
            lists[side].append(sign)
    return int(np.abs(np.cumsum(np.subtract(*lists))).sum())


@pytest.mark.parametrize("n", [1, 2, 7, 60])
def test_gaps_are_those_of_lists(kernels, n):
    rng = np.random.default_rng(n)
    coins = rng.integers(0, 2, (9, 2 * n)).astype(np.uint8)
    first, second = (rng.permutation(n).astype(np.int32) for _ in range(2))
    signs = rng.choice([-1, 1], n).astype(np.int8)
    expected = [gap(line.tolist(), first, second, signs.tolist()) for line in coins]
    assert kernels.swapped_gaps(coins, first, second, signs).tolist() == expected


def test_wrong_input_is_refused():
    swapping = pytest.importorskip("rocwise.kernels.compiled.swapping")
    order, signs = np.array([0, 1], np.int32), np.array([1, -1], np.int8)
    for coins, orders in (
        (np.zeros((1, 3), np.uint8), (order, order)),
        (np.full((1, 4), 2, np.uint8), (order, order)),
        (np.zeros((1, 4), np.uint8), (order + 1, order)),
    ):
        with pytest.raises(ValueError, match="must"):
            swapping.swapped_gaps(coins, *orders, signs)
