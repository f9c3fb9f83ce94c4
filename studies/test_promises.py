"""Tests of the study of promises: the truth it compares with, and its counts."""

import numpy as np
import pytest

import rocwise as rw

from . import promises
from .study import Cell


def test_the_truth_is_that_of_many_cases():
    y, s = promises.sample(400_000, np.random.default_rng(3))
    of_negatives, of_positives = promises.true_precisions(0.2, 1.7)
    assert np.mean(y[s >= 1.7]) == pytest.approx(of_positives, abs=0.005)
    assert np.mean(1 - y[s <= 0.2]) == pytest.approx(of_negatives, abs=0.005)
    paid = np.where(s >= 1.7, 1 - y, np.where(s <= 0.2, 5 * y, 0.4))
    assert paid.mean() == pytest.approx(promises.true_cost(0.2, 1.7), abs=0.005)


def test_counts():
    (row,) = promises.promises(Cell((200,), 20))
    assert 0 <= row.refused < 20
    assert 0 <= row.below_positive <= 1
    assert 0 <= row.below_negative <= 1
    (paid,) = promises.costs(Cell((200,), 10))
    best = rw.abstain(*promises.sample(100_000, np.random.default_rng(0)), costs=promises.COSTS)
    assert paid.apparent < paid.true
    assert paid.true >= best.expected_cost - 0.01
    assert paid.unseen == pytest.approx(paid.true, abs=0.06)
