"""Columns of `.parquet` files by DuckDB, with the types that they have there.

Where rows repeat, DuckDB counts equal ones, and only the distinct rows are fetched.
"""

import base64
import re
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.duckdb_access import (
    DURATION,
    EXACT,
    connected,
    fetch_all,
    fetch_columns,
    literal_path,
    quoted,
    read_error,
    read_relation,
)
from rocwise.engines.frames import check_columns
from rocwise.engines.paths import Files, naming, partitions
from rocwise.errors import InputError

INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
SMALL = ("TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER")  # exact floats
FOLDER_KINDS = (
    ("BIGINT", re.compile(r"[+-]?[0-9]{1,18}")),
    ("DATE", re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")),
)
NUMBERS = (*SMALL, "BIGINT", "UBIGINT", "FLOAT", "DOUBLE", "BOOLEAN")
LARGEST_EXACT_INTEGER = 2**53
SOURCE = "read_parquet(?, hive_partitioning = false)"
ZONED = "TIMESTAMP WITH TIME ZONE"
NESTED = re.compile(r"STRUCT|MAP|UNION|array<|map<|struct<|.*\]$")  # of DuckDB, and of Spark
CONTINUATION = b"\xff" * 4
HEADER, FIELDS, NAME, KIND = 2, 1, 0, 2  # slots of Message, Schema and Field in Arrow's format
DURATION_KIND = 18


@dataclass(frozen=True, slots=True)
class Column:
    """A wanted column in one file: its position, counted from 1, and its type there.

    A column that the names of folders give has a value of SQL instead.
    """

    position: int
    kind: str
    value: str | None = None


def read_parquet(
    files: Files, wanted: list[str], weight: str | None, *, count: bool
) -> CountedRows:
    """The wanted columns; with `count`, equal rows are counted if they repeat in a sample."""
    with _opened(files, wanted) as (relation, kinds):
        return read_relation(relation, kinds, wanted, weight, count=count)


def n_rows(files: Files) -> int:
    """Rows of all files, from their metadata."""
    query = "select coalesce(sum(num_rows), 0) from parquet_file_metadata(?)"
    with _connection(files) as connection:
        return sum(fetch_all(connection, query, literal_path(path))[0][0] for path in files.paths)


def first_parquet_rows(files: Files, rows: int) -> dict[str, Any]:
    """The first values of all columns by name."""
    first = Files(files.paths[:1], files.ending)
    with _connection(first) as connection:
        path = literal_path(first.paths[0])
        described = fetch_all(connection, f"describe select * from {SOURCE}", path)
        chosen = ", ".join(  # a nested column cannot be used, and may unpack to any size
            f"{'null' if NESTED.match(row[1]) else f'#{k}'} as c{k}"
            for k, row in enumerate(described, 1)
        )
        relation = connection.sql(f"select {chosen} from {SOURCE}", params=[path]).limit(rows)
        names = [row[0] for row in described]
        return dict(zip(names, relation.fetchnumpy().values(), strict=True))


def bytes_of_texts(files: Files) -> int:
    """Bytes of all cells of text, of which equal ones are stored once."""
    measures = {"VARCHAR": "strlen", "BLOB": "octet_length"}
    with _connection(files) as connection:
        path = literal_path(files.paths[0])
        described = fetch_all(connection, f"describe select * from {SOURCE}", path)
        kinds = enumerate((str(row[1]) for row in described), 1)
        sums = [f"coalesce(sum({measures[v]}(#{k})), 0)" for k, v in kinds if v in measures]
        row = fetch_all(connection, f"select {' + '.join(sums) or 0} from {SOURCE}", path)[0]
        return int(row[0])


def first_non_numeric(files: Files, wanted: list[str], rows: int) -> dict[str, Any]:
    """The first values of those columns that have no type of numbers."""
    with _opened(files, wanted) as (relation, kinds):
        others = [
            k for k, kind in enumerate(kinds) if kind not in NUMBERS and not EXACT.match(kind)
        ]
        if not others:
            return {}
        first = relation.project(", ".join(f"c{k}" for k in others)).limit(rows)
        columns = fetch_columns(first, [kinds[k] for k in others])
    return dict(zip((wanted[k] for k in others), columns, strict=True))


@contextmanager
def _connection(files: Files) -> Iterator[Any]:
    with connected(files.paths, f"reading {files.paths[0]}") as connection:
        import duckdb

        try:
            yield connection
        except duckdb.Error as problem:
            raise read_error(files, problem) from None


@contextmanager
def _opened(files: Files, wanted: list[str]) -> Iterator[tuple[Any, list[str]]]:
    """The wanted columns of all files as a relation of c0, c1, ..., and their types."""
    with _connection(files) as connection:
        found, kinds = describe(connection, files, wanted)
        check_flat(wanted, kinds, files.paths[0])
        parts = [f"select {select_list(columns, kinds)} from {SOURCE}" for columns in found]
        paths = [literal_path(path) for path in files.paths]
        yield connection.sql(" union all ".join(parts), params=paths), kinds


def describe(
    connection: Any, files: Files, wanted: list[str]
) -> tuple[list[list[Column]], list[str]]:
    """The wanted columns in each file, and the types that represent them in all."""
    found, kinds_of_folders = [], _kinds_of_folders(files)
    for path in files.paths:
        with naming(path, files):
            found.append(_columns(connection, path, wanted, kinds_of_folders))
    kinds = [
        _common_kind(connection, files.paths, name, [columns[k] for columns in found])
        for k, name in enumerate(wanted)
    ]
    return found, kinds


def check_flat(names: Sequence[str], kinds: list[str], path: str) -> None:
    """Raise an error for columns with several values in a row."""
    for name, kind in zip(names, kinds, strict=True):
        if NESTED.match(kind):
            raise InputError(
                f"`{name}` must contain one value in each row; it is {kind} in {path}. Store the "
                "values in a column of their own."
            )


def _kinds_of_folders(files: Files) -> dict[str, str]:
    """The types of columns in names of folders, as DuckDB and Spark choose them."""
    values: dict[str, list[str]] = {}
    for path in files.paths:
        for name, value in partitions(path).items():
            values.setdefault(name, []).extend([] if value is None else [value])
    return {
        name: next(
            (kind for kind, form in FOLDER_KINDS if all(map(form.fullmatch, own))), "VARCHAR"
        )
        for name, own in values.items()
    }


def _columns(
    connection: Any, path: str, wanted: list[str], kinds_of_folders: dict[str, str]
) -> list[Column]:
    """The wanted columns of a file, by position: DuckDB takes `a` and `A` for the same name."""
    exact_path = literal_path(path)
    schema = fetch_all(connection, "select name, num_children from parquet_schema(?)", exact_path)
    names = _top_level(schema)
    folders = {name: value for name, value in partitions(path).items() if name not in names}
    check_columns(wanted, [*names, *folders], f"{path}: ")
    positions = [names.index(name) + 1 if name in names else 0 for name in wanted]
    chosen = ", ".join(f"#{position}" if position else "null" for position in positions)
    described = fetch_all(connection, f"describe select {chosen} from {SOURCE}", exact_path)
    kinds = [str(row[1]) for row in described]
    durations: frozenset[str] = frozenset()
    if "BIGINT" in kinds:  # as which durations are stored
        metadata = "select value from parquet_kv_metadata(?) where key = 'ARROW:schema'::blob"
        stored = fetch_all(connection, metadata, exact_path)
        durations = durations_of(stored[0][0]) if stored else durations
    return [
        Column(position, DURATION if name in durations else kind)
        if position
        else _of_folder(folders[name], kinds_of_folders[name])
        for name, position, kind in zip(wanted, positions, kinds, strict=True)
    ]


def _of_folder(value: str | None, kind: str) -> Column:
    literal = "null" if value is None else quoted(value)
    return Column(0, kind, f"cast({literal} as {kind})")


def _top_level(schema: list[tuple[Any, ...]]) -> list[str]:
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


def _common_kind(connection: Any, paths: list[str], name: str, columns: list[Column]) -> str:
    """The type that represents the column of every file without a loss."""
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
    query = f"select min(#{column.position}), max(#{column.position}) from {SOURCE}"
    ((low, high),) = fetch_all(connection, query, literal_path(path))
    return low is None or max(abs(low), abs(high)) <= LARGEST_EXACT_INTEGER


def select_list(columns: list[Column], kinds: list[str]) -> str:
    """The columns as c0, c1, ... in SQL, all numbers in types that numpy has, or as text."""
    pairs = enumerate(zip(columns, kinds, strict=True))
    return ", ".join(f"{_selected(column, kind)} as c{k}" for k, (column, kind) in pairs)


def _selected(column: Column, kind: str) -> str:
    name = column.value or f"#{column.position}"
    if EXACT.match(kind):
        return f"cast({name} as varchar)"
    if kind == ZONED:  # as numpy has it, also where rows come as Python objects
        return f"make_timestamp(epoch_us({name}))"
    return name if kind in (column.kind, DURATION) else f"cast({name} as {kind})"


def durations_of(encoded: bytes) -> frozenset[str]:
    """Names of the columns that are durations in Arrow's schema, a message of flatbuffers."""
    try:
        data = base64.b64decode(encoded)
        start = 8 if data[:4] == CONTINUATION else 4  # of the message, behind its length
        schema = _reference(data, _slot(data, _reference(data, start), HEADER))
        fields = _reference(data, _slot(data, schema, FIELDS))
        (number,) = struct.unpack_from("<I", data, fields)
        tables = [_reference(data, fields + 4 + 4 * k) for k in range(number)]
        found = [table for table in tables if data[_slot(data, table, KIND)] == DURATION_KIND]
        names = [_reference(data, _slot(data, table, NAME)) for table in found]
        sizes = [struct.unpack_from("<I", data, name)[0] for name in names]
        pairs = zip(names, sizes, strict=True)
        return frozenset(data[name + 4 : name + 4 + size].decode() for name, size in pairs)
    except (LookupError, ValueError, struct.error):
        return frozenset()


def _reference(data: bytes, place: int) -> int:
    """The position to which a flatbuffer refers."""
    return place + int(struct.unpack_from("<I", data, place)[0])


def _slot(data: bytes, table: int, number: int) -> int:
    """The position of a field of a table of a flatbuffer."""
    layout = table - struct.unpack_from("<i", data, table)[0]
    (offset,) = struct.unpack_from("<H", data, layout + 4 + 2 * number)
    if offset == 0 or 4 + 2 * number >= struct.unpack_from("<H", data, layout)[0]:
        raise LookupError(number)
    return int(table + offset)
