"""Scores of any type, compared exactly."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocwise as rw

Y = [0, 1, 0, 1]
SMALL = ("int8", "int16", "uint8", "uint16")
WIDE = ("int32", "int64", "uint32", "uint64")


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("dtype", [*SMALL, *WIDE, "float16", "float32", "float64"])
def test_numbers_of_every_type(dtype, order):
    scores = np.array([3, 1, 2, 100], dtype).astype(np.dtype(dtype).newbyteorder(order))
    tally = rw.tally(Y, scores)
    assert tally.scores.tolist() == [100.0, 3.0, 2.0, 1.0]
    assert tally.pos.tolist() == [1, 0, 0, 1]
    assert rw.tally(Y, scores, direction="lower").scores.tolist() == [1.0, 2.0, 3.0, 100.0]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(
    ("dtype", "expected"), [("float32", "float32"), ("float64", "float64"), ("float16", "float32")]
)
def test_floats_keep_their_precision(dtype, expected, order):
    scores = np.array([0.1, 0.2, 0.3, 0.4], np.dtype(dtype).newbyteorder(order))
    tally = rw.tally(Y, scores)
    assert tally.scores.dtype == np.dtype(expected)  # in the machine's own byte order
    assert tally.scores.tolist() == scores[::-1].tolist()
    assert rw.roc(tally).thresholds.dtype == np.dtype(expected)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_the_extremes_of_signed_integers(dtype):
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    scores = np.array([low, low + 1, high - 1, high], dtype)
    for direction in ("higher", "lower"):
        tally = rw.tally(Y, scores, direction=direction)
        ordered = [int(v) for v in tally.scores.tolist()]
        assert ordered == sorted(scores.tolist(), reverse=direction == "higher")


def test_the_extremes_of_unsigned_integers():
    scores = np.array([0, 1, 2**64 - 2, 2**64 - 1], np.uint64)
    tally = rw.tally(Y, scores, direction="lower")
    assert tally.scores.tolist() == [0, 1, 2**64 - 2, 2**64 - 1]
    assert tally.threshold_text(2) == "18446744073709551614"


def test_neighbours_above_2_to_the_53():
    scores = [2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3]
    tally = rw.tally(Y, scores)
    assert tally.scores.dtype == np.int64
    assert tally.scores.tolist() == scores[::-1]
    assert rw.auc(tally).value == 0.75
    table = rw.thresholds(tally)
    for k, text in enumerate(table.threshold_text(k) for k in range(4)):
        assert np.count_nonzero(np.array(scores) >= int(text)) == k + 1


def test_booleans_are_scores():
    tally = rw.tally(Y, [True, False, True, True])
    assert tally.scores.tolist() == [1.0, 0.0]
    assert tally.neg.tolist() == [2, 0]


def test_long_doubles_are_distinguished():
    if np.finfo(np.longdouble).nmant == np.finfo(np.float64).nmant:
        pytest.skip("no longer floats on this machine")
    assert rw.tally(Y, np.array([1, 2, 3, 4], np.longdouble)).scores.dtype == np.float64
    tiny = np.finfo(np.longdouble).eps
    scores = np.array([1, 1 + tiny, 1 + 2 * tiny, 1 + 3 * tiny], np.longdouble)
    assert len(rw.tally(Y, scores)) == 4
    assert rw.auc(Y, scores).value == 0.75
    assert len(rw.tally(Y, np.array([1, 2, 3, "1e4000"], np.longdouble))) == 4


RATINGS = ["low", "high", "middle", "high"]
ORDER = ["low", "middle", "high", "never"]


@pytest.mark.parametrize(
    "scores",
    [
        pd.Series(pd.Categorical(RATINGS, ORDER, ordered=True)),
        pl.Series(RATINGS, dtype=pl.Enum(ORDER)),
    ],
    ids=["pandas", "polars"],
)
def test_ordered_categories_rank_by_their_order(scores):
    tally = rw.tally(Y, scores)
    assert tally.scores.tolist() == [2.0, 1.0, 0.0]
    assert tally.pos.tolist() == [2, 0, 0]
    assert [tally.threshold_text(k) for k in range(3)] == ["high", "middle", "low"]
    table = rw.thresholds(scores_lower := rw.tally(Y, scores, direction="lower"))
    assert table.threshold_text(0) == "low"
    assert scores_lower.scores.tolist() == [0.0, 1.0, 2.0]
    assert "at high" in repr(rw.thresholds(tally))


def test_ordered_categories_that_are_ascending_numbers_are_these_numbers():
    scores = pl.Series(["2.5", "10", "-1", "10"], dtype=pl.Enum(["-1", "2.5", "10"]))
    assert rw.tally(Y, scores).scores.tolist() == [10.0, 2.5, -1.0]
    backwards = pl.Series(["2", "10", "1", "10"], dtype=pl.Enum(["10", "2", "1"]))
    tally = rw.tally(Y, backwards)
    assert tally.scores.tolist() == [2.0, 1.0, 0.0]
    assert [tally.threshold_text(k) for k in range(3)] == ["1", "2", "10"]


@pytest.mark.parametrize(
    "scores",
    [pd.Series(pd.Categorical(RATINGS)), pl.Series(RATINGS, dtype=pl.Categorical), RATINGS],
    ids=["pandas", "polars", "list"],
)
def test_categories_without_an_order_raise(scores):
    with pytest.raises(rw.InputError, match="Use an ordered categorical if the text is a rating"):
        rw.tally(Y, scores)


@pytest.mark.parametrize("zero", [np.float32, np.float64])
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_minus_zero_is_zero(zero, direction):
    scores = np.array([0.0, -0.0, -0.0, 1.0], zero)
    for weights in (None, [1, 1, 1, 1]):
        tally = rw.tally(Y, scores, direction=direction, sample_weight=weights)
        assert sorted(tally.scores.tolist()) == [0.0, 1.0]
        assert not np.signbit(tally.scores).any()


@pytest.mark.parametrize(
    "scores",
    [
        [Decimal("0.10"), Decimal("0.40"), Decimal("0.35"), Decimal("0.80")],
        pl.Series([0.10, 0.40, 0.35, 0.80]).cast(pl.Decimal(10, 2)),
        [Fraction(1, 10), Fraction(2, 5), Fraction(7, 20), Fraction(4, 5)],
    ],
    ids=["decimals", "polars decimals", "fractions"],
)
def test_exact_numbers_become_floats(scores):
    assert rw.tally(Y, scores).scores.tolist() == [0.8, 0.4, 0.35, 0.1]


def test_exact_numbers_that_floats_cannot_distinguish():
    assert rw.tally(Y, [10**30, 1, 2, 3]).scores.tolist() == [1e30, 3.0, 2.0, 1.0]
    with pytest.raises(rw.InputError, match="`y_score` contains numbers that are equal in"):
        rw.tally(Y, [10**30, 10**30 + 1, 2, 3])
    with pytest.raises(rw.InputError, match="`y_score` contains numbers too large for a float64"):
        rw.tally(Y, [10**400, 1, 2, 3])
    with pytest.raises(rw.InputError, match=r"1 missing value \(first at row 1\)"):
        rw.tally(Y, [Decimal(1), Decimal("nan"), Decimal(2), Decimal(3)])


@pytest.mark.parametrize(
    ("scores", "kind"),
    [
        (np.array(["2020-01-01"] * 4, "M8[D]"), r"datetime64\[D\] values"),
        ([{}, 1, 2, 3], "object values"),
        ([Decimal(1), 2, 3, 4j], "object values"),
    ],
    ids=["dates", "dicts", "a complex number among others"],
)
def test_what_is_no_number_raises(scores, kind):
    with pytest.raises(rw.InputError, match=f"`y_score` must contain real numbers; got {kind}"):
        rw.tally(Y, scores)
