"""Columns of large text files, compressed ones, patterns, and `.parquet` files: DuckDB.

Where the rows repeat, DuckDB counts equal ones, and only the distinct rows leave it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from rocwise.engines.counted_rows import (
    SAMPLE_ROWS,
    CountedRows,
    counting_pays,
    sums_are_exact,
)
from rocwise.engines.frames import check_columns
from rocwise.engines.text_files import typed
from rocwise.errors import InputError, missing_package

# no other types: DuckDB would take the labels yes and no for booleans, and text for dates
READ_TEXT = "read_csv(?, header = true, auto_type_candidates = ['BIGINT', 'DOUBLE', 'VARCHAR'])"


def read_rows(path: str, wanted: list[str]) -> dict[str, Any]:
    """The wanted columns as arrays, row by row; empty cells are missing."""
    with _opened(path, wanted) as relation:
        return _fetched(relation, path, wanted)


def read_counts(path: str, wanted: list[str], weight: str | None) -> CountedRows:
    """The wanted columns with equal rows counted, if a sample says that this pays.

    Weights are counted only where their sums come out the same as from the rows.
    """
    with _opened(path, wanted) as relation:
        if _repeats(relation, len(relation) if _is_parquet(path) else 0):
            columns = relation.aggregate("*, count(*) as n", ", ".join(relation.columns))
            counted = _fetched(columns, path, [*wanted, None])
            counts = np.asarray(counted.pop(None), dtype=np.int64)
            if weight is None or sums_are_exact(counted[weight], counts):
                return CountedRows(counted, counts, None)
        return CountedRows(_fetched(relation, path, wanted), None, None)


def _repeats(relation: Any, n_rows: int) -> bool:
    """Whether the first rows repeat each other; `n_rows` is 0 where counting them means reading."""
    sample = relation.limit(SAMPLE_ROWS)
    return counting_pays(len(sample), len(sample.distinct()), n_rows)


@contextmanager
def _opened(path: str, wanted: list[str]) -> Iterator[Any]:
    """The wanted columns as a relation whose columns are called c0, c1, ..."""
    try:
        import duckdb
    except ImportError:
        raise missing_package("duckdb", "files", f"reading {path}") from None
    source = "read_parquet(?)" if _is_parquet(path) else READ_TEXT
    connection = duckdb.connect()
    try:
        relation = connection.sql(f"select * from {source}", params=[path])
        check_columns(wanted, list(relation.columns))
        quoted = ('"' + name.replace('"', '""') + '"' for name in wanted)
        yield relation.project(", ".join(f"{name} as c{k}" for k, name in enumerate(quoted)))
    except duckdb.Error as problem:
        reason = " ".join(str(problem).partition("\n\n")[0].split())  # the rest is DuckDB's advice
        raise InputError(f"{path} cannot be read: {reason}") from None
    finally:
        connection.close()


def _fetched(relation: Any, path: str, names: list[Any]) -> dict[Any, Any]:
    """The columns of a relation, in their order, by other names."""
    columns = dict(zip(names, relation.fetchnumpy().values(), strict=True))
    if _is_parquet(path):
        return columns
    return {name: _like_text(column) for name, column in columns.items()}


def _is_parquet(path: str) -> bool:
    return path.lower().endswith((".parquet", ".pq"))


def _like_text(column: Any) -> Any:
    """A column of a large text file, typed by the rules for small ones."""
    if column.dtype.kind != "O":
        return column
    return typed(["" if cell is None else cell for cell in column.tolist()])
