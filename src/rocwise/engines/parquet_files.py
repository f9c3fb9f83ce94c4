"""Columns of `.parquet` files, with the types that they have there: DuckDB.

Where the rows repeat, DuckDB counts equal ones, and only the distinct rows leave it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from rocwise.engines.arrow_schemas import durations_of
from rocwise.engines.cells import LARGEST_EXACT_INTEGER
from rocwise.engines.counted_rows import (
    SAMPLE_ROWS,
    CountedRows,
    counting_pays,
    sums_are_exact,
)
from rocwise.engines.duckdb_access import answered, connected, literal_path
from rocwise.engines.frames import check_columns
from rocwise.engines.paths import Files
from rocwise.engines.ranges.sorted_runs import disk_is_full
from rocwise.engines.text_files import naming
from rocwise.errors import InputError, listed

INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
SMALL = ("TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER")  # exact floats
EXACT = re.compile(r"DECIMAL|U?HUGEINT")  # numpy has no such types; Python has
SOURCE = "read_parquet(?, hive_partitioning = false)"
ZONED = "TIMESTAMP WITH TIME ZONE"
NESTED = re.compile(r"STRUCT|MAP|UNION|array<|map<|struct<|.*\]$")  # of DuckDB, and of Spark
DURATION = "DURATION"  # a name of our own: Arrow stores durations as integers


@dataclass(frozen=True, slots=True)
class Column:
    """A wanted column in one file: its place, counted from 1, and its type there."""

    place: int
    kind: str


def read_parquet(
    files: Files, wanted: list[str], weight: str | None, *, count: bool
) -> CountedRows:
    """The wanted columns, equal rows counted if that is wanted and a sample says that it pays.

    Weights are counted only where their sums come out the same as from the rows.
    """
    with _opened(files, wanted) as (relation, kinds):
        if count and _repeats(relation):
            counted = fetched(
                relation.aggregate("*, count(*) as n", ", ".join(relation.columns)), [*kinds, ""]
            )
            counts = np.asarray(counted.pop(), dtype=np.int64)
            columns = dict(zip(wanted, counted, strict=True))
            if weight is None or sums_are_exact(columns[weight], counts):
                return CountedRows(columns, counts, None)
        return CountedRows(dict(zip(wanted, fetched(relation, kinds), strict=True)), None, None)


def _repeats(relation: Any) -> bool:
    """Whether the first rows repeat each other."""
    sample = relation.limit(SAMPLE_ROWS)
    return counting_pays(len(sample), len(sample.distinct()), len(relation))


def n_rows(files: Files) -> int:
    """Rows of all files, from what the files say of themselves."""
    import duckdb

    with connected(files.paths, f"reading {files.paths[0]}") as connection:
        try:
            return sum(
                answered(
                    connection,
                    "select coalesce(sum(num_rows), 0) from parquet_file_metadata(?)",
                    literal_path(path),
                )[0][0]
                for path in files.paths
            )
        except duckdb.Error as problem:
            raise unreadable(files, problem) from None


@contextmanager
def _opened(files: Files, wanted: list[str]) -> Iterator[tuple[Any, list[str]]]:
    """The wanted columns of all files as a relation of c0, c1, ..., and their types."""
    path = files.paths[0]
    with connected(files.paths, f"reading {path}") as connection:
        import duckdb

        try:
            found, kinds = described(connection, files, wanted)
            refuse_nested(wanted, kinds, path)
            yield _joined(connection, files.paths, found, kinds), kinds
        except duckdb.Error as problem:
            raise unreadable(files, problem) from None


def described(
    connection: Any, files: Files, wanted: list[str]
) -> tuple[list[list[Column]], list[str]]:
    """The wanted columns in each file, and the types that hold them in all."""
    found = []
    for path in files.paths:
        with naming(path, files):
            found.append(_columns(connection, path, wanted))
    kinds = [
        _common_kind(connection, files.paths, name, [columns[k] for columns in found])
        for k, name in enumerate(wanted)
    ]
    return found, kinds


def refuse_nested(names: Sequence[str], kinds: list[str], path: str) -> None:
    """Refuse columns whose cells hold several values."""
    for name, kind in zip(names, kinds, strict=True):
        if NESTED.match(kind):
            raise InputError(
                f"`{name}` must hold one value in each row; it is {kind} in {path}. Write what is "
                "meant of it as a column of its own."
            )


def unreadable(files: Files, problem: Exception) -> InputError:
    """What DuckDB says of files that it cannot read, with the name of the one that is meant."""
    reason = " ".join(str(problem).partition("\n\n")[0].split())  # the rest is advice
    path = next((path for path in files.paths if path in reason), files.paths[0])
    return InputError(f"{path} cannot be read: {reason}")


def unwritten(files: Files, problem: Exception, folder: str) -> Exception:
    """The same where temporary files are written to a folder, on a disk that may be full."""
    words = str(problem)
    if "No space left" in words or "max_temp_directory_size" in words:
        return disk_is_full(folder)
    return unreadable(files, problem)


def _columns(connection: Any, path: str, wanted: list[str]) -> list[Column]:
    """Where the wanted columns are in a file; DuckDB itself takes `a` and `A` for the same."""
    exact_path = literal_path(path)
    schema = answered(connection, "select name, num_children from parquet_schema(?)", exact_path)
    names = _top_level(schema)
    check_columns(wanted, names)
    repeated = [name for name in wanted if names.count(name) > 1]
    if repeated:
        raise InputError(f"{path}: more than one column is called {listed(repeated)}.")
    places = [names.index(name) + 1 for name in wanted]
    chosen = ", ".join(f"#{place}" for place in places)
    described = answered(connection, f"describe select {chosen} from {SOURCE}", exact_path)
    durations = _durations(connection, path)
    return [
        Column(place, DURATION if name in durations else str(row[1]))
        for name, place, row in zip(wanted, places, described, strict=True)
    ]


def _top_level(schema: list[tuple[str, int | None]]) -> list[str]:
    """The names of the columns in a list of all elements, parents before their children."""
    names = []
    inside = 0  # elements of nested columns that are still to come
    for name, n_children in schema[1:]:
        if inside == 0:
            names.append(name)
        else:
            inside -= 1
        inside += n_children or 0
    return names


def _durations(connection: Any, path: str) -> frozenset[str]:
    stored = answered(
        connection,
        "select value from parquet_kv_metadata(?) where key = 'ARROW:schema'::blob",
        literal_path(path),
    )
    return durations_of(stored[0][0]) if stored else frozenset()


def _common_kind(connection: Any, paths: list[str], name: str, columns: list[Column]) -> str:
    """The type that holds the column of every file without a loss."""
    kinds = list(dict.fromkeys(column.kind for column in columns))
    if len(kinds) == 1:
        return kinds[0]
    if all(kind in INTEGERS for kind in kinds):
        return "BIGINT"
    if all(kind in (*SMALL, "BIGINT", "FLOAT", "DOUBLE") for kind in kinds) and all(
        _fits_floats(connection, path, column)
        for path, column in zip(paths, columns, strict=True)
        if column.kind == "BIGINT"
    ):
        return "DOUBLE"
    other = next(k for k, column in enumerate(columns) if column.kind != kinds[0])
    raise InputError(
        f"column {name!r} is {kinds[0]} in {paths[0]} but {columns[other].kind} in "
        f"{paths[other]}. Write the files with one type."
    )


def _fits_floats(connection: Any, path: str, column: Column) -> bool:
    ends = f"select min(#{column.place}), max(#{column.place}) from {SOURCE}"
    ((low, high),) = answered(connection, ends, literal_path(path))
    return low is None or max(abs(low), abs(high)) <= LARGEST_EXACT_INTEGER


def _joined(connection: Any, paths: list[str], found: list[list[Column]], kinds: list[str]) -> Any:
    parts = [f"select {selected(columns, kinds)} from {SOURCE}" for columns in found]
    return connection.sql(" union all ".join(parts), params=[literal_path(path) for path in paths])


def selected(columns: list[Column], kinds: list[str]) -> str:
    """The columns as c0, c1, ... in SQL, all numbers in types that numpy has, or as text."""
    pairs = enumerate(zip(columns, kinds, strict=True))
    return ", ".join(_selected(column, kind, k) for k, (column, kind) in pairs)


def _selected(column: Column, kind: str, k: int) -> str:
    name = f"#{column.place}"
    if EXACT.match(kind):
        name = f"cast({name} as varchar)"
    elif kind == ZONED:  # as numpy has it, also where rows come as Python objects
        name = f"make_timestamp(epoch_us({name}))"
    elif kind not in (column.kind, DURATION):
        name = f"cast({name} as {kind})"
    return f"{name} as c{k}"


def fetched(relation: Any, kinds: list[str]) -> list[Any]:
    """The columns of a relation, in their order."""
    columns = list(relation.fetchnumpy().values())
    return [as_typed(column, kind) for column, kind in zip(columns, kinds, strict=True)]


def as_typed(column: Any, kind: str) -> Any:
    """A column as Python has it, where numpy has no such type."""
    if kind == DURATION:
        return column.astype("timedelta64[s]")  # refused as scores, as in a frame
    if kind == "DATE":
        return column.astype("datetime64[D]")
    if kind == "BLOB":
        return _objects([None if cell is None else bytes(cell) for cell in column.tolist()])
    if not EXACT.match(kind):
        return column
    number = Decimal if kind.startswith("DECIMAL") else int
    return _objects([None if cell is None else number(cell) for cell in column.tolist()])


def _objects(cells: list[Any]) -> Any:
    found = np.empty(len(cells), dtype=object)
    found[:] = cells
    return found
