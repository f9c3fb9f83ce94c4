"""Lift, cumulative gain and the statistic of Kolmogorov and Smirnov."""

import numpy as np
import pytest
from scipy.stats import ks_2samp

import rocwise as rw

RNG = np.random.default_rng(9)
Y = (RNG.random(300) < 0.2).astype(int)
S = np.round(Y + RNG.normal(size=300), 1)


def test_worked_example():
    curve = rw.lift([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert curve.lift.tolist() == [None, 2.0, 1.0, pytest.approx(4 / 3), 1.0]
    assert curve.thresholds.tolist() == [np.inf, 0.8, 0.4, 0.35, 0.1]
    assert curve.at([0.125, 0.5]).tolist() == [0.25, 0.5]


def test_gain_is_recall_and_lift_is_precision_over_prevalence():
    curve, table = rw.lift(Y, S), rw.thresholds(Y, S)
    assert curve.gain[1:] == pytest.approx(table.sensitivity)
    assert np.asarray(curve.lift[1:]) == pytest.approx(table.ppv / Y.mean())
    assert curve.share[-1] == curve.gain[-1] == curve.lift[-1] == 1


def test_ks_is_scipys():
    curve = rw.lift(Y, S)
    assert curve.ks == pytest.approx(ks_2samp(S[Y == 1], S[Y == 0]).statistic)
    assert curve.ks == pytest.approx(rw.thresholds(Y, S).youden.max())


def test_weights_are_copies():
    w = RNG.integers(1, 4, 300)
    weighted = rw.lift(Y, S, sample_weight=w)
    copies = rw.lift(np.repeat(Y, w), np.repeat(S, w))
    assert weighted.gain == pytest.approx(copies.gain)
    assert weighted.share == pytest.approx(copies.share)


def test_the_worst_order_and_all_ties():
    assert rw.lift([1, 1, 0, 0], [1, 2, 3, 4]).ks == 1
    assert rw.lift([0, 1], [1, 1]).gain.tolist() == [0, 1]
    with pytest.raises(rw.InputError, match="`share` must hold rates from 0 to 1; got 2"):
        rw.lift(Y, S).at(2)
