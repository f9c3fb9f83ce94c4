"""Scores swapped and cases relabeled, ranked again by brute force, on both implementations."""

import numpy as np
import pytest

from oracles.rearrangements import area_between
from rocwise.kernels.permute import (
    coin_sums,
    pooled,
    relabeled_cases,
    relabeled_distances,
    swapped_distances,
)

pytestmark = pytest.mark.usefixtures("implementation")


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
def test_gaps_are_those_of_lists(n):
    rng = np.random.default_rng(n)
    coins = rng.integers(0, 2, (9, 2 * n)).astype(np.uint8)
    first, second = (rng.permutation(n).astype(np.int32) for _ in range(2))
    signs = rng.choice([-1, 1], n).astype(np.int8)
    expected = [gap(line.tolist(), first, second, signs.tolist()) for line in coins]
    packed = np.packbits(coins, axis=1)
    assert swapped_distances(packed, first, second, signs).tolist() == expected
    longer = np.hstack([packed, np.full((9, 3), 255, np.uint8)])  # further bits are not used
    assert swapped_distances(longer, first, second, signs).tolist() == expected


def test_wrong_input_raises():
    order, signs = np.arange(5, dtype=np.int32), np.array([1, -1, 1, 1, 1], np.int8)
    for coins, orders in (
        (np.zeros((1, 1), np.uint8), (order, order)),
        (np.zeros(2, np.uint8), (order, order)),
        (np.zeros((1, 2), np.uint8), (order + 1, order)),
    ):
        with pytest.raises(ValueError, match="must"):
            swapped_distances(coins, *orders, signs)
    with pytest.raises(ValueError, match="9 bits"):
        coin_sums(np.zeros((1, 1), np.uint8), np.arange(9))


def cases(n, seed, prob=0.4):
    """Labels of a pool, which cases are tied with the one before, and the first sample's sizes."""
    rng = np.random.default_rng(seed)
    labels = np.append(rng.random(n) < prob, [False, False, True, True]).astype(np.uint8)
    rng.shuffle(labels)
    tied = (np.arange(len(labels)) % 2 == 1) & (rng.random(len(labels)) < 0.5)
    n_pos = int(labels.sum())
    sizes = max(1, (len(labels) - n_pos) // 3), max(1, n_pos // 2)
    return labels, tied.astype(np.uint8), sizes


@pytest.mark.parametrize(("n", "prob"), [(0, 0.4), (5, 0.4), (60, 0.7), (3000, 0.4), (3000, 0.99)])
def test_replicates_depend_on_their_number_alone(n, prob):
    pool = pooled(*cases(n, n, prob))
    found = relabeled_distances(pool, 7, 3, 20)
    assert found.tolist() == [relabeled_distances(pool, 7, b, b + 1)[0] for b in range(3, 20)]


def classes_of(pool, labels, tied, replicate):
    """Scores of the classes of both samples of a replicate, put together case by case."""
    own, others, coins = relabeled_cases(pool, 7, replicate)
    scores = np.arange(len(labels), dtype=float)
    order = np.flatnonzero(labels == pool.axis)
    for place in np.flatnonzero(tied):  # by a coin the higher of two is the axis' case
        at = [place - 1, place]
        if labels[at[0]] != labels[at[1]]:
            case = at[int(labels[at[1]] == pool.axis)]
            higher = coins[np.searchsorted(order, case)]
            scores[case], scores[sum(at) - case] = at[int(higher)], at[int(not higher)]
    flags = np.empty(len(labels), bool)
    flags[labels == pool.axis], flags[labels != pool.axis] = own, others
    return [
        tuple(scores[(flags == side) & (labels == kind)] for kind in (0, 1))
        for side in (True, False)
    ]


@pytest.mark.parametrize(("n", "prob"), [(0, 0.4), (9, 0.4), (40, 0.3), (40, 0.7), (150, 0.5)])
def test_gaps_are_integrals_of_the_difference_of_errors(n, prob):
    labels, tied, sizes = cases(n, n + 1, prob)
    pool = pooled(labels, tied, sizes)
    found = relabeled_distances(pool, 7, 0, 6)
    for replicate, gap_found in enumerate(found.tolist()):
        samples = classes_of(pool, labels, tied, replicate)
        assert tuple(map(len, samples[0])) == sizes
        assert gap_found == pytest.approx(area_between(*samples, labels.mean()), abs=1e-14)


@pytest.mark.parametrize(("total", "size"), [(6, 1), (6, 3), (6, 5), (700, 1), (700, 350)])
def test_every_case_is_dealt_as_often_as_every_other(total, size):
    """And every pair of cases: of 4,000 deals, within 5 standard errors."""
    labels = np.append(np.zeros(total, np.uint8), [1, 1]).astype(np.uint8)
    pool = pooled(labels, np.zeros_like(labels), (size, 1))
    marked = np.array([relabeled_cases(pool, 3, replicate)[1] for replicate in range(4000)])
    assert (marked.sum(axis=1) == size).all()
    prob, both = size / total, size * (size - 1) / (total * (total - 1))
    error = np.sqrt(prob * (1 - prob) / 4000)
    assert np.abs(marked.mean(axis=0) - prob).max() < 5 * error
    together = np.mean(marked[:, 1:] & marked[:, :-1], axis=0)
    assert np.abs(together - both).max() <= 5 * np.sqrt(both * (1 - both) / 4000)


def test_every_way_to_deal_is_equally_likely():
    # two negatives and two positives for two samples: 4 ways, and ties turn neighbors round
    labels, tied = np.array([0, 1, 1, 0], np.uint8), np.array([0, 1, 0, 0], np.uint8)
    gaps = relabeled_distances(pooled(labels, tied, (1, 1)), 1, 0, 4000)
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
        prob = np.mean(np.round(exact, 9) == value)
        seen = np.mean(np.round(gaps, 9) == value)
        assert seen == pytest.approx(prob, abs=5 * np.sqrt(0.25 / len(gaps)))


def test_pools_that_cannot_be_dealt_raise():
    labels, tied, sizes = cases(10, 1)
    for wrong in (
        (labels, tied, (0, 1)),
        (labels, tied, (1, 99)),
        (labels, np.ones_like(tied), sizes),
        (labels + 1, tied, sizes),
        (labels, tied[1:], sizes),
    ):
        with pytest.raises(ValueError, match="must"):
            pooled(*wrong)


@pytest.mark.parametrize("n", [0, 1, 8, 63, 64, 200])
def test_coin_sums_are_those_of_unpacked_coins(n):
    rng = np.random.default_rng(n)
    coins = rng.integers(0, 2, (9, n))
    values = rng.integers(-(2**40), 2**40, n)
    packed = np.packbits(coins.astype(np.uint8), axis=1)
    longer = np.hstack([packed, np.full((9, 3), 255, np.uint8)])  # further bits are not used
    assert coin_sums(longer, values).tolist() == (coins @ values).tolist()
