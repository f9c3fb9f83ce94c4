"""Rows of every kind of table, and the weights of rows."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from rocwise.errors import InputError
from rocwise.estimators.base import arguments_of_rows, row_weights, rows_of

TABLE = np.arange(8.0).reshape(4, 2)
ROWS = np.array([3, 1])


@pytest.mark.parametrize(
    ("table", "plain"),
    [
        (TABLE, np.asarray),
        (sp.csr_array(TABLE), lambda t: t.toarray()),
        (pd.DataFrame(TABLE, index=list("abcd")), lambda t: t.to_numpy()),
        (pl.DataFrame(TABLE), lambda t: t.to_numpy()),
        (TABLE.tolist(), np.asarray),
    ],
    ids=["array", "sparse", "pandas", "polars", "list"],
)
def test_rows_by_their_numbers(table, plain):
    assert plain(rows_of(table, ROWS)).tolist() == [[6, 7], [2, 3]]


def test_only_arguments_with_a_value_for_each_row_are_cut():
    given = {"w": [1, 2, 3, 4], "s": np.arange(4), "n": 4, "text": "four", "pair": (1, 2)}
    cut = arguments_of_rows(given, 4, ROWS)
    assert cut.pop("s").tolist() == [3, 1]
    assert cut == {"w": [4, 2], "n": 4, "text": "four", "pair": (1, 2)}


def test_weights():
    assert row_weights(2, 3).tolist() == [2, 2, 2]
    assert row_weights([0, 1, 2], 3).dtype == np.float64
    for wrong, sentence in [
        ([1, -1, 1], "must not be negative; got -1 at row 1"),
        ([0, 0, 0], "is zero for every row"),
        ([[1], [1], [1]], "one number for each row"),
    ]:
        with pytest.raises(InputError, match=sentence):
            row_weights(wrong, 3)
    for wrong in ([1, 2], [1, np.nan, 1]):
        with pytest.raises(ValueError, match=r"inconsistent|NaN"):
            row_weights(wrong, 3)
