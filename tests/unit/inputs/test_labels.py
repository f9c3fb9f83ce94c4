"""Which rows are positive."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocwise as rw

S = [1, 2, 3, 4]


def positives(y, **options):
    """Scores of the positive rows."""
    tally = rw.tally(y, S, **options)
    return sorted(score for score, n in zip(tally.scores.tolist(), tally.pos, strict=True) if n)


@pytest.mark.parametrize(
    "dtype", ["int8", "int16", "int32", "int64", "float16", "float32", "float64", ">i4", ">f8"]
)
@pytest.mark.parametrize("negative", [0, -1])
def test_one_is_positive(dtype, negative):
    assert positives(np.array([negative, 1, 1, negative], dtype)) == [2.0, 3.0]


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64", "bool"])
def test_one_is_positive_without_a_sign(dtype):
    assert positives(np.array([0, 1, 1, 0], dtype)) == [2.0, 3.0]


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        (["no", "yes", "yes", "no"], "yes"),
        (np.array(["no", "yes", "yes", "no"]), "yes"),
        (np.array(["no", "yes", "yes", "no"], dtype=object), "yes"),
        (np.array([b"n", b"y", b"y", b"n"]), b"y"),
        ([0, 1, 1, 0], 1),
        ([1, 0, 0, 1], 0),
        ([2, 5, 5, 2], 5),
        ([2, 5, 5, 2], 5.0),
        ([0.5, 1.5, 1.5, 0.5], np.float64(1.5)),
        ([True, False, False, True], False),
        (pd.Series(["no", "yes", "yes", "no"]), "yes"),
        (pd.Series(["no", "yes", "yes", "no"], dtype="string"), "yes"),
        (pd.Series(["no", "yes", "yes", "no"], dtype="category"), "yes"),
        (pd.Series(["no", "yes", "yes", "no"], dtype="string[pyarrow]"), "yes"),
        (pd.Series(pd.Categorical(["no", "yes", "yes", "no"], ordered=True)), "yes"),
        (pl.Series(["no", "yes", "yes", "no"]), "yes"),
        (pl.Series(["no", "yes", "yes", "no"], dtype=pl.Categorical), "yes"),
        (pl.Series(["no", "yes", "yes", "no"], dtype=pl.Enum(["yes", "no", "x"])), "yes"),
        (np.array(["2020-01-01", "2021-01-01", "2021-01-01", "2020-01-01"], "M8[D]"),
         np.datetime64("2021-01-01")),
    ],
)  # fmt: skip
def test_the_declared_label_is_positive(labels, pos_label):
    assert positives(labels, pos_label=pos_label) == [2.0, 3.0]


def test_ordered_categories_of_zeros_and_ones_need_no_declaration():
    labels = pd.Series(pd.Categorical([0, 1, 1, 0], [0, 1], ordered=True))
    assert positives(labels) == [2.0, 3.0]


def test_minus_one_and_one_may_be_turned_around():
    assert positives([1, -1, -1, 1], pos_label=-1) == [2.0, 3.0]


def test_many_labels_are_listed_in_part():
    with pytest.raises(rw.InputError) as caught:
        rw.tally(np.arange(1000), np.arange(1000))
    assert "got 1,000 distinct labels: 0, 1, 2, 3, 4, 5 and 994 more" in str(caught.value)


def test_the_first_strange_label_of_two_types():
    with pytest.raises(rw.InputError, match="`y_true` mixes text and other values"):
        rw.tally([0, 1, "a", 1], S)


@pytest.mark.parametrize("positive", ["Yes", "yes "])
def test_two_labels_that_differ_by_blanks_or_capitals_warn(positive):
    with pytest.warns(rw.errors.MisuseWarning, match="differ only by blanks or capitals"):
        found = rw.tally(["Yes", "yes ", "Yes", "yes "], [1, 2, 3, 4], pos_label=positive)
    assert found.n_pos == 2
