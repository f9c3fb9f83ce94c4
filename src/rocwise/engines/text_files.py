"""Columns of `.csv`, `.tsv` and `.parquet` files: DuckDB, or the standard library when small.

A small plain text file is read without DuckDB because importing that costs more than the reading.
"""

from __future__ import annotations

import csv
import os
from typing import Any

import numpy as np

from rocwise.engines.frames import check_columns
from rocwise.errors import InputError, listed, missing_package

MISSING_CELLS = ("NA", "NaN", "nan", "null")  # beside empty cells; what R and pandas write
SMALL_FILE_BYTES = 2_000_000
TEXT_SUFFIXES = {".csv": ",", ".tsv": "\t"}
# no other types: DuckDB would take the labels yes and no for booleans, and text for dates
DUCKDB_CSV = "read_csv(?, header = true, auto_type_candidates = ['BIGINT', 'DOUBLE', 'VARCHAR'])"
DUCKDB_SUFFIXES = (".csv", ".tsv", ".parquet", ".csv.gz", ".tsv.gz", ".csv.zst", ".pq")


def read_file(path: str, wanted: list[str]) -> dict[str, Any]:
    """The wanted columns as arrays; empty cells are missing."""
    suffix = next((known for known in DUCKDB_SUFFIXES[::-1] if path.lower().endswith(known)), None)
    if suffix is None:
        raise InputError(
            f"`frame_or_path` {path!r} has an unknown ending; "
            f"known are {', '.join(DUCKDB_SUFFIXES)}."
        )
    is_glob = any(sign in path for sign in "*?[") and not os.path.exists(path)
    if not is_glob and not os.path.exists(path):
        raise FileNotFoundError(f"no such file: {path}")
    if suffix in TEXT_SUFFIXES and not is_glob and os.path.getsize(path) <= SMALL_FILE_BYTES:
        with open(path, newline="", encoding="utf-8-sig") as lines:
            return read_text(lines, wanted, TEXT_SUFFIXES[suffix], path)
    return _read_with_duckdb(path, wanted)


def read_text(lines: Any, wanted: list[str], delimiter: str, name: str) -> dict[str, Any]:
    """The wanted columns of an open text file with a header line."""
    try:
        reader = csv.reader(lines, delimiter=delimiter)
        header = next(reader, None)
        if not header:
            raise InputError(f"{name} is empty: a header line with column names is needed.")
        check_columns(wanted, header)
        repeated = [column for column in wanted if header.count(column) > 1]
        if repeated:
            raise InputError(f"{name}: more than one column is called {listed(repeated)}.")
        places = [header.index(column) for column in wanted]
        cells: list[list[str]] = [[] for _ in wanted]
        for number, row in enumerate(reader):
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(
                    f"{name}: row {number} has {len(row)} cells but the header has {len(header)}."
                )
            for column, place in zip(cells, places, strict=True):
                column.append(row[place])
    except (UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"{name} cannot be read as text with commas or tabs: {problem}.") from None
    return {column: _typed(values) for column, values in zip(wanted, cells, strict=True)}


def _typed(cells: list[str]) -> Any:
    """Numbers if every cell that is not missing is a number, booleans likewise, else text."""
    cells = ["" if cell in MISSING_CELLS else cell for cell in cells]
    numbers = _numbers(cells)
    if numbers is not None:
        return numbers
    flags = {"true": True, "false": False, "": None}
    if all(cell.lower() in flags for cell in cells):
        return np.array([flags[cell.lower()] for cell in cells], dtype=object)
    return np.array([cell or None for cell in cells], dtype=object)


def _numbers(cells: list[str]) -> Any:
    """Integers where all are (floats would merge those above 2**53), else floats, else None."""
    if any("_" in cell for cell in cells):  # Python would read 1_000 as a number
        return None
    try:
        integers = [int(cell) if cell else None for cell in cells]
        if all(item is None or -(2**63) <= item < 2**63 for item in integers):
            return np.array(integers, dtype=object if None in integers else np.int64)
    except ValueError:
        pass
    try:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return None


def _read_with_duckdb(path: str, wanted: list[str]) -> dict[str, Any]:
    try:
        import duckdb
    except ImportError:
        raise missing_package("duckdb", "files", f"reading {path}") from None
    is_parquet = path.lower().endswith((".parquet", ".pq"))
    source = "read_parquet(?)" if is_parquet else DUCKDB_CSV
    connection = duckdb.connect()
    try:
        relation = connection.sql(f"select * from {source}", params=[path])
        check_columns(wanted, list(relation.columns))
        quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in wanted)
        columns = relation.project(quoted).fetchnumpy()
    except duckdb.Error as problem:
        reason = " ".join(str(problem).partition("\n\n")[0].split())  # the rest is DuckDB's advice
        raise InputError(f"{path} cannot be read: {reason}") from None
    finally:
        connection.close()
    return {name: columns[name] if is_parquet else _like_text(columns[name]) for name in wanted}


def _like_text(column: Any) -> Any:
    """A column of a large text file, typed by the rules for small ones."""
    if column.dtype.kind != "O":
        return column
    return _typed(["" if cell is None else cell for cell in column.tolist()])
