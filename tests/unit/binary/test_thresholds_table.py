"""The table of thresholds on small samples."""

import numpy as np
import pandas as pd
import pytest

import rocwise as rw

Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
COLUMNS = [
    "threshold", "tp", "fp", "fn", "tn", "sensitivity", "specificity", "ppv", "npv", "accuracy",
    "balanced_accuracy", "f1", "mcc", "youden", "lr_positive", "lr_negative",
]  # fmt: skip


def test_metrics_by_hand():
    table = rw.thresholds(Y, S)
    assert table.sensitivity.tolist() == [0.5, 0.5, 1, 1]
    assert table.specificity.tolist() == [1, 0.5, 0.5, 0]
    np.testing.assert_allclose(table.ppv, [1, 1 / 2, 2 / 3, 1 / 2])
    assert table.npv.tolist() == [pytest.approx(2 / 3), 0.5, 1, None]
    assert table.accuracy.tolist() == [0.75, 0.5, 0.75, 0.5]
    np.testing.assert_allclose(table.f1, [2 / 3, 1 / 2, 4 / 5, 2 / 3])
    np.testing.assert_allclose(table.mcc, [1 / np.sqrt(3), 0, 1 / np.sqrt(3), 0])
    assert table.lr_positive.tolist() == [np.inf, 1, 2, 1]
    assert table.lr_negative.tolist() == [0.5, 1, 0, None]


def test_the_columns_of_the_frame():
    assert list(rw.thresholds(Y, S).to_frame()) == COLUMNS
    costs = rw.Costs(fp=1, fn=2)
    assert list(rw.thresholds(Y, S, costs=costs).to_frame()) == [*COLUMNS, "expected_cost"]
    frame = rw.thresholds(pd.Series(Y), S).to_frame()
    assert frame["npv"].isna().tolist() == [False, False, False, True]


def test_costs_are_per_case():
    table = rw.thresholds(Y, S, costs=rw.Costs(fp=1, fn=10, tp=0.5, tn=-1))
    assert table.expected_cost[0] == pytest.approx((0 * 1 + 1 * 10 + 1 * 0.5 + 2 * -1) / 4)


def test_huge_counts_do_not_overflow():
    tally = rw.Tally.from_counts(
        np.array([2.0, 1.0]), np.array([3 * 10**9, 10**9]), np.array([10**9, 3 * 10**9])
    )
    table = rw.thresholds(tally, costs=rw.Costs(fp=1, fn=1))
    assert table.mcc[0] == pytest.approx(0.5)
    assert table.accuracy[0] == 0.75
    assert table.expected_cost[0] == 0.25
    assert table.fn.tolist() == [10**9, 0]


def test_weights_end_at_nothing_left():
    rng = np.random.default_rng(5)
    y, s, w = np.arange(1000) % 2, rng.normal(size=1000), rng.random(1000)
    table = rw.thresholds(y, s, sample_weight=w)
    assert (table.fn[-1], table.tn[-1]) == (0.0, 0.0)
    assert table.npv.mask.tolist() == [False] * 999 + [True]
    assert (table.sensitivity[-1], table.specificity[-1]) == (1.0, 0.0)
    assert (table.fn >= 0).all()
    assert (table.tn >= 0).all()
