"""Columns of data frames, eager and lazy."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocwise as rw

COLUMNS = {"ill": [0, 0, 1, 1], "risk": [0.1, 0.4, 0.35, 0.8], "other": list("abcd")}


OPEN = []  # before version 2 a relation of DuckDB does not keep its connection alive


def duckdb_relation():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    OPEN.append(connection)
    # numbers like 0.1 are decimals there
    rows = ", ".join(str(row) for row in zip(*COLUMNS.values(), strict=True))
    return connection.sql(f"select * from (values {rows}) as t({', '.join(COLUMNS)})")


FRAMES = {
    "pandas": (lambda: pd.DataFrame(COLUMNS), "pandas"),
    "pandas on arrow": (
        lambda: pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"),
        "pandas",
    ),
    "polars": (lambda: pl.DataFrame(COLUMNS), "polars"),
    "polars lazy": (lambda: pl.LazyFrame(COLUMNS), "polars"),
    "pyarrow": (lambda: pa.table(COLUMNS), "pyarrow"),
    "DuckDB": (duckdb_relation, "pyarrow"),
}


@pytest.mark.parametrize(("make", "kind"), FRAMES.values(), ids=FRAMES)
def test_every_kind_of_frame(make, kind):
    tally = rw.tally(make(), label="ill", score="risk")
    assert [float(v) for v in tally.scores] == [0.8, 0.4, 0.35, 0.1]
    assert tally.pos.tolist() == [1, 0, 1, 0]
    assert tally.origin.frame == kind
    assert tally.origin.name == "risk"
    pairs = rw.pair(make(), label="ill", scores=["risk"])
    assert pairs.tally("risk").pos.tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize(("make", "kind"), FRAMES.values(), ids=FRAMES)
def test_columns_that_are_not_there_are_named(make, kind):
    with pytest.raises(rw.InputError) as caught:
        rw.tally(make(), label="ill", score="marker")
    assert str(caught.value) == (
        "no column is called 'marker'; the columns are 'ill', 'risk', 'other'."
    )


@pytest.mark.parametrize("source", [5, [1, 2], {"ill": [0, 1]}, pd.Series([1]), b"a.csv"])
def test_what_is_no_frame_raises(source):
    with pytest.raises(rw.InputError) as caught:
        rw.tally(source, label="ill", score="risk")
    assert str(caught.value) == (
        f"`frame_or_path` must be a data frame or a path; got a {type(source).__name__}."
    )


def test_two_columns_of_one_name_raise():
    frame = pd.DataFrame([[0, 1, 2], [1, 2, 3]], columns=["ill", "risk", "risk"])
    with pytest.raises(rw.InputError, match="`frame_or_path` cannot be read: Expected unique"):
        rw.tally(frame, label="ill", score="risk")


def test_only_the_columns_that_are_needed_are_looked_at():
    frame = pl.LazyFrame(COLUMNS).with_columns(
        boom=pl.col("other").map_elements(lambda _: 1 / 0, return_dtype=pl.Float64)
    )
    assert rw.tally(frame, label="ill", score="risk").n_pos == 2
