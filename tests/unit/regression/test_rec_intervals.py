"""The interval of an area over a REC curve, and several models at once."""

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from scipy.optimize import brentq

import rocwise as rw

Y, P = [1, 2, 3, 4, 5, 6], [1.2, 1.7, 3.1, 4.8, 4.6, 6.0]


def hall_limits(mean, error, skewness, df, level=0.95):
    """Where Hall's polynomial of (mean - m) / error passes the quantiles of t."""

    def polynomial(t):
        return t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6

    reach = stats.t.ppf((1 + level) / 2, df)
    places = [brentq(lambda t, u=u: polynomial(t) - u, -50, 50) for u in (reach, -reach)]
    return max(mean - error * places[0], 0), mean - error * places[1]


def test_by_its_definition():
    losses = np.abs(np.subtract(Y, P))
    skewness = stats.skew(losses, bias=False) / math.sqrt(6)
    found = rw.regression.rec(Y, P).interval
    assert found is not None
    expected = hall_limits(0.3, stats.sem(losses), skewness, 5)
    assert (found.low, found.high) == pytest.approx(expected)
    assert found.method == "t corrected for skewness (Hall 1992), for independent errors"


def test_without_skewness_it_is_students():
    losses = np.array([1.0, 2, 3, 4, 5])
    found = rw.regression.rec(np.zeros(5), losses).aoc_interval(level=0.9)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(
        stats.t.interval(0.9, 4, losses.mean(), stats.sem(losses))
    )


def test_equal_weights_change_nothing_and_others_follow_the_ratio_estimator():
    plain = rw.regression.rec(Y, P).aoc_interval()
    equal = rw.regression.rec(Y, P, sample_weight=[2.0] * 6).aoc_interval()
    assert plain is not None
    assert equal is not None
    assert (equal.low, equal.high) == pytest.approx((plain.low, plain.high))
    weights = np.array([1.0, 2, 3, 1, 2, 3])
    losses = np.abs(np.subtract(Y, P))
    mean = np.average(losses, weights=weights)
    parts = weights * (losses - mean) / weights.sum()
    error = math.sqrt(6 / 5 * np.sum(parts**2))
    skewness = math.sqrt(30) / 4 * np.sum(parts**3) / np.sum(parts**2) ** 1.5
    found = rw.regression.rec(Y, P, sample_weight=weights).aoc_interval()
    assert found is not None
    assert (found.low, found.high) == pytest.approx(hall_limits(mean, error, skewness, 5))


def test_blocks_by_brute_force():
    rng = np.random.default_rng(0)
    losses, block = np.abs(rng.normal(size=40)), 4
    gaps = np.array([losses[k : k + block].mean() for k in range(37)]) - losses.mean()
    variance = block / (37 * 36) * np.sum(gaps**2)
    skewness = np.mean(gaps**3) / np.mean(gaps**2) ** 1.5 / math.sqrt(37 / block)
    skewness *= math.sqrt(40 * 39) / 38
    found = rw.regression.rec(np.zeros(40), losses).aoc_interval(block=block)
    assert found is not None
    expected = hall_limits(losses.mean(), math.sqrt(variance), skewness, 1.5 * (40 / block - 1))
    assert (found.low, found.high) == pytest.approx(expected)
    assert "blocks of 4" in found.method


def test_skewed_losses_are_covered_or_warned_of():
    rng = np.random.default_rng(12)
    covered, n = 0, 600
    for losses in rng.lognormal(size=(n, 30)):
        limits, _ = rw.regression.rec(np.zeros(30), losses)._limits(0.95, 1)
        assert limits is not None
        covered += limits.low <= math.exp(0.5) <= limits.high
    assert covered / n > 0.92 - 3 * math.sqrt(0.92 * 0.08 / n)
    heavy = rw.regression.rec(np.zeros(30), [0.1] * 28 + [5.0, 20.0])
    with pytest.warns(rw.errors.MisuseWarning, match="may not be reached: the losses are skewed"):
        limits = heavy.interval
    assert limits is not None
    assert limits.low >= 0
    assert "for losses less skewed" in str(heavy)


def test_no_variance_no_interval():
    for truth, predictions in (([1], [2]), ([1, 2], [1, 2]), ([1, 2], [2, 3])):
        assert rw.regression.rec(truth, predictions).interval is None
    with pytest.raises(rw.InputError, match="`block` must be at most 3"):
        rw.regression.rec(Y, P).aoc_interval(block=4)
    with pytest.raises(rw.InputError, match="does not go with weights"):
        rw.regression.rec(Y, P, sample_weight=[1, 2, 3, 4, 5, 6]).aoc_interval(block=2)


@pytest.mark.parametrize("library", [dict, pd.DataFrame, pl.DataFrame])
def test_several_models_are_one_row_each(library):
    predictions = library({"a": P, "b": [2.0] * 6})
    found: Any = rw.regression.rec(Y, predictions, null="mean", y_train=[2, 3, 7])
    assert found.names == ("a", "b")
    assert found["a"].aoc == rw.regression.rec(Y, P).aoc
    assert found["b"].origin.name == "b"
    columns = found._columns()
    assert columns["aoc"].tolist() == [found[name].aoc for name in "ab"]
    assert columns["low"].tolist() == [found[name].interval.low for name in "ab"]
    assert columns["relative_aoc"].tolist() == [found[name].relative_aoc for name in "ab"]
    assert repr(found).splitlines() == [f"{name}: {found[name]}" for name in "ab"]
    one: Any = rw.regression.rec(Y, {"only": P})
    assert len(one.to_frame()["aoc"]) == 1


def test_rows_are_the_same_for_all_and_errors_name_the_model():
    predictions = {"a": [1.2, None, 3.1, 4.8, 4.6, 6.0], "b": [2.0] * 6}
    found: Any = rw.regression.rec(Y, predictions, missing="drop")
    assert found["a"].n == found["b"].n == 5
    with pytest.raises(rw.InputError, match=r"y_pred\['a'\]"):
        rw.regression.rec(Y, predictions)
    with pytest.raises(rw.InputError, match="`y_pred` must contain at least one model"):
        rw.regression.rec(Y, {})
