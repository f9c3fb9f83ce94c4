"""Rows of several classes: arrays, frames, tensors-like, weights, missing rows."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rocwise.data.class_rows import checked_scores, rescaled
from rocwise.errors import InputError
from rocwise.inputs import class_rows, model_rows

Y = [0, 1, 2, 1]
F = [[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.1, 0.1, 0.8], [0.4, 0.4, 0.2]]


@pytest.mark.parametrize(
    "table",
    [
        F,
        tuple(map(tuple, F)),
        np.array(F),
        np.array(F, order="F"),
        np.array(F, dtype=object),
        pd.DataFrame(F),
        pl.DataFrame(F, schema=["a", "b", "c"], orient="row"),
        dict(zip("abc", np.array(F).T, strict=True)),
        [[Decimal(str(v)) for v in row] for row in F],
    ],
    ids=["list", "tuple", "array", "fortran", "object", "pandas", "polars", "dict", "decimal"],
)
def test_tables_of_any_kind(table):
    rows = class_rows(Y, table)
    assert rows.scores == pytest.approx(np.array(F))
    assert rows.labels.tolist() == Y
    assert rows.n_classes == 3
    assert rows.class_sizes.tolist() == [1, 2, 1]
    assert rows.weights is None


def test_names_and_kind_of_a_frame_are_kept():
    rows = class_rows(pl.Series(Y), pl.DataFrame(F, schema=["a", "b", "c"], orient="row"))
    assert rows.names == ("a", "b", "c")
    assert rows.origin.frame == "polars"
    assert class_rows(Y, F).names == ()


@pytest.mark.parametrize(
    "labels", [[0.0, 1.0, 2.0, 1.0], np.array(Y, dtype=np.uint8), pd.Series(Y)]
)
def test_labels_of_any_number_type(labels):
    assert class_rows(labels, F).labels.tolist() == Y


def test_whole_numbers_and_small_floats_become_floats():
    assert class_rows(Y, np.arange(12).reshape(4, 3)).scores.dtype == np.float64
    assert class_rows(Y, np.array(F, dtype=np.float32)).scores.dtype == np.float64


def test_infinities_rank_unless_scores_must_not_be_negative():
    table = np.array(F)
    table[1, 2] = np.inf
    assert class_rows(Y, table).scores[1, 2] == np.inf
    with pytest.raises(InputError, match=r"1 value not finite \(first inf at row 1, column 2\)"):
        class_rows(Y, table, nonnegative=True)
    assert class_rows(Y, -table).scores[0, 0] == -0.7


def test_missing_rows():
    table = np.array(F)
    table[2, 1] = np.nan
    with pytest.raises(InputError, match=r"`y_score\[:, 1\]` has 1 missing value \(first at row 2"):
        class_rows(Y, table)
    rows = class_rows(Y, table, missing="drop")
    assert rows.labels.tolist() == [0, 1, 1]
    assert rows.origin.n_dropped == 1
    assert [rows.row(k) for k in range(3)] == [0, 1, 3]
    assert class_rows(Y, F).row(2) == 2
    table[3, 0] = -1
    with pytest.raises(InputError, match="first -1 at row 3, column 0"):
        class_rows(Y, table, missing="drop", nonnegative=True)
    with pytest.raises(InputError, match="first 7 at row 3"):
        class_rows([0, 1, 2, 7], table, missing="drop")
    with pytest.raises(InputError, match=r"first -1 at row 3\)"):
        class_rows(Y, np.abs(table), missing="drop", sample_weight=[1, 1, 1, -1])


def test_masked_rows_are_missing():
    table = np.ma.MaskedArray(F, mask=np.zeros((4, 3)))
    table[0, 0] = np.ma.masked
    assert class_rows(Y, table, missing="drop").labels.tolist() == [1, 2, 1]


def test_weights():
    rows = class_rows(Y, F, sample_weight=[1, 2, 0, 0.5])
    assert rows.class_sizes.tolist() == [1, 2.5, 0]
    with pytest.raises(InputError, match="`y_true` has 4 values but `sample_weight` has 3"):
        class_rows(Y, F, sample_weight=[1, 2, 3])


@pytest.mark.parametrize(
    ("y_true", "y_score", "words"),
    [
        (pd.Categorical(["a", "b", "a", "b"], ordered=True), F, "contains 'a', 'b'"),
        (np.array(["0", "1", "2", "1"]), F, "column numbers 0..2"),
        ([0, 1, -1, 1], F, r"outside 0\.\.2 \(first -1 at row 2\)"),
        (Y, np.zeros((0, 3)), "`y_score` is empty"),
        (Y, "scores", "must be a table"),
        (Y, np.zeros((4, 3, 1)), r"shape \(4, 3, 1\)"),
        (Y, {"a": [1, 2, 3, 4]}, "at least two columns, one per class; got 1"),
        (
            Y,
            {"a": [1, 2, 3, 4], "b": list("wxyz")},
            r"`y_score\[:, 1\]` must contain numbers; got 'w'",
        ),
    ],
)
def test_invalid_input(y_true, y_score, words):
    with pytest.raises(InputError, match=words):
        class_rows(y_true, y_score)


def test_scores_of_new_rows():
    assert checked_scores(pd.DataFrame(F), 3).shape == (4, 3)
    with pytest.raises(InputError, match=r"one column for each of 2 classes.*\(4, 3\)"):
        checked_scores(F, 2)
    with pytest.raises(InputError, match="2 values not finite"):
        checked_scores([[np.nan, np.inf]], 2)


def test_extreme_rows_are_brought_near_one_without_losing_a_digit():
    rng = np.random.default_rng(0)
    table = rng.random((6, 3)) * np.array([1, 1e-250, 1e250, 1e-90, 1e300, 0])[:, None]
    found = rescaled(table)
    assert found[[0, 3, 5]].tolist() == table[[0, 3, 5]].tolist()  # as they are
    assert (found[[1, 2, 4]].max(axis=1) >= 0.5).all()
    assert (found[[1, 2, 4]].max(axis=1) < 1).all()
    ratios = table[[1, 2, 4], :2] / table[[1, 2, 4], 1:]
    assert (found[[1, 2, 4], :2] / found[[1, 2, 4], 1:]).tolist() == ratios.tolist()
    assert checked_scores([[1e300, 3e300]], 2).max() < 1


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[0.1, 0.9], [np.nan, 1]], r"`scores\['b'\]\[:, 0\]` has 1 missing value"),
        ([["x", "y"], ["z", "w"]], r"`scores\['b'\]\[:, 0\]` must contain numbers"),
        ([1, 2], r"`scores\['b'\]` must be two-dimensional"),
        ([[1], [2]], r"`scores\['b'\]` must have at least two columns"),
    ],
)
def test_errors_name_the_model(table, words):
    good = [[0.3, 0.7], [0.6, 0.4]]
    with pytest.raises(InputError, match=words):
        model_rows([0, 1], {"a": good, "b": table})


def test_labels_beyond_the_columns_of_a_model():
    with pytest.raises(InputError, match=r"column numbers 0..1 of `scores\['a'\]`"):
        model_rows([0, 2], {"a": [[0.3, 0.7], [0.6, 0.4]], "b": [[0.3, 0.7], [0.6, 0.4]]})
