"""The interval of an area over a REC curve, and several forecasters at once."""

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import rocwise as rw

Y, P = [1, 2, 3, 4, 5, 6], [1.2, 1.7, 3.1, 4.8, 4.6, 6.0]


def test_by_hand():
    """Losses 0.2, 0.3, 0.1, 0.8, 0.4, 0: mean 0.3, squared deviations 0.4, t of 5 df 2.5706."""
    error = math.sqrt(0.4 / 5 / 6)
    reach = stats.t.ppf(0.975, 5) * error / 0.3
    found = rw.regression.rec(Y, P).interval
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.3 * math.exp(-reach), 0.3 * math.exp(reach)))
    assert found.method == "t on the log scale, for independent errors"


def test_equal_weights_change_nothing_and_others_follow_the_ratio_estimator():
    plain = rw.regression.rec(Y, P).aoc_interval()
    equal = rw.regression.rec(Y, P, sample_weight=[2.0] * 6).aoc_interval()
    assert plain is not None
    assert equal is not None
    assert (equal.low, equal.high) == pytest.approx((plain.low, plain.high))
    weights = np.array([1.0, 2, 3, 1, 2, 3])
    losses = np.abs(np.subtract(Y, P))
    mean = np.average(losses, weights=weights)
    error = math.sqrt(6 / 5 * np.sum((weights * (losses - mean)) ** 2)) / weights.sum()
    found = rw.regression.rec(Y, P, sample_weight=weights).aoc_interval()
    assert found is not None
    assert math.log(found.high / mean) == pytest.approx(stats.t.ppf(0.975, 5) * error / mean)


def test_blocks_by_brute_force():
    rng = np.random.default_rng(0)
    losses, block = np.abs(rng.normal(size=40)), 4
    means = [losses[k : k + block].mean() for k in range(40 - block + 1)]
    variance = block / (37 * 36) * sum((m - losses.mean()) ** 2 for m in means)
    found = rw.regression.rec(np.zeros(40), losses).aoc_interval(block=block)
    assert found is not None
    reach = stats.t.ppf(0.975, 1.5 * (40 / block - 1)) * math.sqrt(variance) / losses.mean()
    assert found.high == pytest.approx(losses.mean() * math.exp(reach))
    assert "blocks of 4" in found.method


def test_no_spread_no_interval():
    for truth, said in (([1], [2]), ([1, 2], [1, 2]), ([1, 2], [2, 3])):
        assert rw.regression.rec(truth, said).interval is None
    with pytest.raises(rw.InputError, match="`block` must be at most 3"):
        rw.regression.rec(Y, P).aoc_interval(block=4)
    with pytest.raises(rw.InputError, match="does not go with weights"):
        rw.regression.rec(Y, P, sample_weight=[1, 2, 3, 4, 5, 6]).aoc_interval(block=2)


@pytest.mark.parametrize("library", [dict, pd.DataFrame, pl.DataFrame])
def test_several_forecasters_are_one_row_each(library):
    said = library({"a": P, "b": [2.0] * 6})
    found: Any = rw.regression.rec(Y, said, null="mean", y_train=[2, 3, 7])
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


def test_rows_are_the_same_for_all_and_refusals_name_the_model():
    said = {"a": [1.2, None, 3.1, 4.8, 4.6, 6.0], "b": [2.0] * 6}
    found: Any = rw.regression.rec(Y, said, missing="drop")
    assert found["a"].n == found["b"].n == 5
    with pytest.raises(rw.InputError, match=r"y_pred\['a'\]"):
        rw.regression.rec(Y, said)
    with pytest.raises(rw.InputError, match="`y_pred` must hold at least one model"):
        rw.regression.rec(Y, {})
