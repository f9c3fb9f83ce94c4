"""Bands of decision curves with very many scores: bins between the thresholds change nothing."""

import numpy as np
import pytest

import rocwise as rw
from rocwise import kernels
from rocwise.binary.curve_bands import benefit_statistic
from rocwise.binary.resampling import binned
from rocwise.binary.resampling.forms_of_statistics import of_counts


def risks(n, direction="higher", seed=3):
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 3, n)
    y = (rng.random(n) < p).astype(np.int64)
    return rw.tally(y, p if direction == "higher" else 1 - p, direction=direction)


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("thresholds", [None, [0.0, 0.31, 0.32], [0.9999]])
def test_the_same_drawn_rows_have_the_same_net_benefits_in_bins(monkeypatch, thresholds, direction):
    monkeypatch.setattr(binned, "MOST_SCORES", 1000)
    data = risks(20_000, direction)
    statistic = benefit_statistic(thresholds, 0.2)
    coarse = statistic.drawn_from(data)
    assert len(coarse) <= len(statistic.x) + 1
    ends = np.searchsorted(data.tp + data.fp, coarse.tp + coarse.fp)
    drawn = kernels.resample_counts(data.pos, data.neg, 1, 0, 20)
    summed = [np.diff(np.cumsum(counts, axis=1)[:, ends], prepend=0) for counts in drawn]
    every = of_counts(data, statistic.statistic)(*drawn)
    assert np.array_equal(of_counts(coarse, statistic.statistic)(*summed), every)
    assert np.array_equal(statistic.of(coarse), statistic.of(data))


def test_bands_of_very_many_risks_are_those_of_every_row_but_for_chance(monkeypatch):
    curve = rw.decision_curve(risks(140_000), thresholds=[0.1, 0.3, 0.5])
    told = {"n_resamples": 1000, "rng": 1}
    quick = curve.band(**told)
    with rw.threads(1):
        again = curve.band(**told)
    monkeypatch.setattr(binned, "MOST_SCORES", 10**9)
    exact = curve.band(**told)
    assert np.array_equal(quick.lower, again.lower)
    assert np.array_equal(quick.net_benefit, exact.net_benefit)
    width = exact.upper - exact.lower
    assert np.all(np.abs(quick.upper - exact.upper) < 0.12 * width)
    assert np.all(np.abs(quick.lower - exact.lower) < 0.12 * width)
    assert not np.array_equal(quick.lower, exact.lower)


def test_many_thresholds_and_few_scores_are_drawn_row_by_row():
    few = risks(3000)
    assert benefit_statistic(None, None).drawn_from(few) is few
    data = risks(140_000)
    every = benefit_statistic(np.arange(1, 9999) / 10_000, None)
    assert every.drawn_from(data) is data
