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


def pool(n, seed):
    rng = np.random.default_rng(seed)
    labels = np.append(rng.random(n) < 0.4, [False, False, True, True]).astype(np.uint8)
    rng.shuffle(labels)
    tied = (np.arange(len(labels)) % 2 == 1) & (rng.random(len(labels)) < 0.5)
    n_pos = int(labels.sum())
    sizes = max(1, (len(labels) - n_pos) // 3), max(1, n_pos // 2)
    share = labels.mean()
    others = len(labels) - n_pos - sizes[0], n_pos - sizes[1]
    lengths = [(1 - share) / sizes[0], share / sizes[1], (1 - share) / others[0], share / others[1]]
    return labels, tied.astype(np.uint8), sizes, np.array(lengths)


@pytest.mark.parametrize("n", [0, 5, 60, 3000])
def test_dealt_gaps_agree_to_the_last_bit(kernels, n):
    from rocwise.kernels.plain.swapping import dealt_gaps

    told = pool(n, n)
    found = kernels.dealt_gaps(*told, 7, 3, 20, threads=2)
    assert found.tolist() == dealt_gaps(*told, 7, 3, 20).tolist()
    assert found.tolist() == [kernels.dealt_gaps(*told, 7, b, b + 1)[0] for b in range(3, 20)]


def test_every_way_to_deal_is_equally_likely(kernels):
    # two negatives and two positives for two samples: 4 ways, and ties turn neighbours round
    labels, tied = np.array([0, 1, 1, 0], np.uint8), np.array([0, 1, 0, 0], np.uint8)
    lengths = np.full(4, 0.5)
    gaps = kernels.dealt_gaps(labels, tied, (1, 1), lengths, 1, 0, 4000)
    exact = []
    for order in ([0, 1, 1, 0], [1, 0, 1, 0]):
        for neg in range(2):
            for pos in range(2):
                places = [np.flatnonzero(np.array(order) == kind) for kind in (0, 1)]
                mine = {places[0][neg], places[1][pos]}
                lists = [[], []]
                for place, label in enumerate(order):
                    lists[place not in mine].append(2 * label - 1)
                rise = np.cumsum(np.subtract(*lists)) * 0.5
                exact.append(np.trapezoid(np.abs(np.append(0.0, rise)), dx=0.5))
    for value in set(np.round(exact, 9)):
        share = np.mean(np.round(exact, 9) == value)
        seen = np.mean(np.round(gaps, 9) == value)
        assert seen == pytest.approx(share, abs=5 * np.sqrt(0.25 / len(gaps)))


def test_pools_that_cannot_be_dealt_are_refused(kernels):
    labels, tied, sizes, lengths = pool(10, 1)
    for wrong in (
        (labels, tied, (0, 1), lengths),
        (labels, tied, (1, 99), lengths),
        (labels, np.ones_like(tied), sizes, lengths),
        (labels, tied, sizes, lengths[:3]),
    ):
        with pytest.raises(ValueError, match="must"):
            kernels.dealt_gaps(*wrong, 1, 0, 1)
