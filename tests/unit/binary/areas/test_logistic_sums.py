"""The sum of a logistic step over all pairs: every way to it gives the same number."""

import math

import numpy as np
import pytest
from scipy.special import expit

import rocwise as rw
from rocwise.binary import scored_auc as logistic_sums


def two_sets(seed, sizes=(300, 400)):
    rng = np.random.default_rng(seed)
    upper, lower = (np.sort(np.r_[0.0, 1.0, 0.5, rng.random(n - 3).round(3)]) for n in sizes)
    times, weight = (rng.integers(1, 5, n).astype(float) for n in sizes)
    return upper, times, lower, weight


@pytest.mark.parametrize("beta", [1e-6, 0.5, 1.0, 3.3, 77.7, 3000.0, 20_000.5, 1e9])
def test_all_ways_agree_with_all_pairs(beta):
    upper, times, lower, weight = two_sets(1)
    expected = times @ expit(beta * (upper[:, None] - lower)) @ weight
    near = logistic_sums._of_near_pairs(upper, times, lower, weight, beta)
    assert near == pytest.approx(expected, rel=1e-13)
    if beta < logistic_sums.MOST_CELLS:
        cells = math.ceil(beta)
        gathered = logistic_sums._of_cells(upper, times, lower, weight, beta, cells)
        assert gathered == pytest.approx(expected, rel=1e-13)


def test_the_weights_move_to_the_nodes_without_loss():
    values, weights, *_ = two_sets(2)
    nodes = np.cos((2 * np.arange(16) + 1) * np.pi / 32)
    gathered = logistic_sums._on_nodes(
        np.r_[values, (1 + nodes[3]) / 2 / 7], np.r_[weights, 1], 7, nodes
    )
    places = (np.arange(7)[:, None] + (1 + nodes) / 2) / 7
    for power in (0, 1, 5, 15):
        moved = float((gathered * places**power).sum())
        exact = weights @ values**power + ((1 + nodes[3]) / 14) ** power
        assert moved == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("beta", [2.0, 20.0])
def test_many_pairs_are_gathered(monkeypatch, beta):
    rng = np.random.default_rng(3)
    y, s = np.arange(6000) % 2, rng.random(6000)
    neg, pos = np.sort(s[y == 0]), s[y == 1]
    expected = expit(beta * (pos[:, None] - neg)).mean()
    monkeypatch.setattr(logistic_sums, "_of_near_pairs", None)  # 9 million pairs: not one by one
    assert rw.soft_auc(y, s, beta=beta) == pytest.approx(expected, abs=1e-13)


def test_a_steep_step_is_the_area():
    rng = np.random.default_rng(4)
    y, s = np.arange(5000) % 2, np.sort(rng.random(5000).round(3))
    assert rw.soft_auc(y, s, beta=1e12) == pytest.approx(rw.auc(y, s).value, abs=1e-13)
