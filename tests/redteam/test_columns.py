"""Columns of frames that once failed in the words of another package."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocwise as rw
from rocwise.plotting import save

Y = [0, 1, 0, 1]
FRAME = pd.DataFrame({"y": Y, "a": [0.1, 0.9, 0.2, 0.8]})


@pytest.mark.parametrize("name", [["y"], {"y"}, {}, 1.5, ("y", ["a"])], ids=repr)
def test_what_is_no_name_of_a_column(name):
    with pytest.raises(rw.InputError, match="name of a column"):
        rw.tally(FRAME, label=name, score="a")
    with pytest.raises(rw.InputError, match="name of a column"):
        rw.tally(FRAME, label="y", score=name)


@pytest.mark.parametrize("kind", ["series", "frame"])
def test_integers_of_128_bits(kind):
    column = pl.Series("a", [1, 2, 3, None, 4], dtype=pl.Int128)
    labels = [0, 1, 0, 1, 1]
    if kind == "series":
        tally = rw.tally(labels, column, missing="drop")
    else:
        frame = pl.DataFrame({"y": labels, "a": column})
        tally = rw.tally(frame, label="y", score="a", missing="drop")
    assert tally.scores.tolist() == [4.0, 3.0, 2.0, 1.0]
    with pytest.raises(rw.InputError, match="are equal in float64 but differ"):
        rw.tally(Y, pl.Series([2**100, 2**100 + 1, 3, 4], dtype=pl.Int128))


@pytest.mark.parametrize("chunked", [False, True])
def test_ordered_dictionaries_of_arrow_are_ratings(chunked):
    words = pa.array(["low", "middle", "high"])
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2]), words, ordered=True)
    if chunked:
        column = pa.chunked_array([column.slice(0, 2), column.slice(2)])
    tally = rw.tally(Y, column, missing="drop")
    assert tally.origin.categories == ("low", "middle", "high")
    assert tally.scores.tolist() == [2.0, 1.0, 0.0]
    assert tally.n_dropped == 1
    plain = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1, 2]), words)
    with pytest.raises(rw.InputError, match="ordered categorical"):
        rw.tally(Y, plain)


def test_labels_in_two_columns_get_no_advice_about_scores():
    with pytest.raises(rw.InputError) as caught:
        rw.tally([(0, 1), (1, 0), (0, 1), (1, 0)], FRAME["a"].to_numpy())
    assert str(caught.value) == "`y_true` must be one-dimensional; got an array of shape (4, 2)."


def test_numbers_beyond_floats():
    with pytest.raises(rw.InputError, match="too large for a float64"):
        rw.tally(Y, [Decimal("1e400"), Decimal(1), Decimal(2), Decimal(3)])
    infinite = rw.tally(Y, [Decimal("inf"), Decimal(1), Decimal(2), Decimal(3)])
    assert infinite.scores.tolist() == [np.inf, 3.0, 2.0, 1.0]


def test_plots_with_odd_options(tmp_path):
    curve = rw.roc(Y, FRAME["a"])
    for options in ({"path": 5}, {"title": "x" * 5000}, {"dpi": 1e9}, {"dpi": 0}):
        given = {"path": tmp_path / "p.png"} | options
        with pytest.raises(rw.InputError, match=f"`{next(iter(options))}`"):
            save(curve, **given)
    assert list(tmp_path.iterdir()) == []
