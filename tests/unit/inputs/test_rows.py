"""Rows made ready: weights and missing values together."""

import numpy as np
import pytest

import rocwise as rw

NAN = float("nan")


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float16", "float32", ">f8", "bool"])
def test_weights_of_every_type(dtype):
    weights = np.array([1, 1, 1, 0], dtype)
    tally = rw.tally([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=weights)
    assert (tally.n_pos, tally.n_neg) == (1.0, 2.0)
    assert tally.pos.dtype == np.float64


def test_scores_without_weight_are_not_thresholds():
    tally = rw.tally([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 1, 0, 1])
    assert tally.scores.tolist() == [4.0, 2.0, 1.0]


def test_missing_weights_drop_their_rows():
    tally = rw.tally([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, NAN, 2, 3], missing="drop")
    assert (tally.n_pos, tally.n_neg, tally.n_dropped) == (3.0, 3.0, 1)


def test_weights_and_rows_stay_together_when_rows_are_dropped():
    y, s, w = [0, 1, 0, 1, 1], [1, NAN, 3, 4, 2], [10, 20, 30, 40, 50]
    dropped = rw.tally(y, s, sample_weight=w, missing="drop")
    kept = rw.tally([0, 0, 1, 1], [1, 3, 4, 2], sample_weight=[10, 30, 40, 50])
    assert dropped.scores.tolist() == kept.scores.tolist()
    assert dropped.pos.tolist() == kept.pos.tolist()
    assert dropped.neg.tolist() == kept.neg.tolist()


def test_nothing_is_dropped_when_nothing_is_missing():
    tally = rw.tally([0, 1], [1, 2], missing="drop")
    assert tally.n_dropped == 0
    assert "left out" not in repr(tally)


@pytest.mark.parametrize("top", [1e-139, 1e140])
def test_weights_of_extreme_size_that_still_work(top):
    y, s = [0, 1, 0, 1, 1], [1, 2, 3, 4, 3]
    plain = rw.auc(y, s, sample_weight=[1, 2, 3, 4, 5])
    extreme = rw.auc(y, s, sample_weight=[top * w / 5 for w in (1, 2, 3, 4, 5)])
    assert extreme.value == pytest.approx(plain.value, rel=1e-12)
    assert extreme.standard_error == pytest.approx(plain.standard_error, rel=1e-9)
