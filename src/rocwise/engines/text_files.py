"""Columns of text with a header line, read with the standard library: odd files and streams.

How it reads is how every text is read; `plain_text` and, where files are large, `duckdb_text` only
make haste with plain ones.
"""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import IO, Any, cast

from rocwise.engines.cells import typed
from rocwise.engines.frames import check_columns
from rocwise.engines.paths import Files
from rocwise.errors import InputError, listed, shown

Cells = list[list[str]]
CHUNK_ROWS = 20_000
OTHER_SIGNS = {
    "\t": "call the file .tsv, or write it with commas",
    ",": "call the file .csv, or write it with tabs",
    ";": "write it with commas, and decimals with points",
    "|": "write it with commas",
}
LONGEST_CELL = 2**31 - 1  # the most that every platform's csv module can be told


def read_text(lines: Iterable[str], wanted: list[str], delimiter: str, name: str) -> dict[str, Any]:
    """The wanted columns of an open text file with a header line."""
    return _typed(wanted, text_cells(lines, wanted, delimiter, name))


def read_files(files: Files, wanted: list[str]) -> dict[str, Any]:
    """The wanted columns of one text file, or of several, one after the other."""
    cells: Cells = [[] for _ in wanted]
    for path in files.paths:
        with naming(path, files), text_lines(path) as lines:
            for column, further in zip(
                cells, text_cells(lines, wanted, files.delimiter, path), strict=True
            ):
                column += further
    return _typed(wanted, cells)


def _typed(wanted: list[str], cells: Cells) -> dict[str, Any]:
    return {name: typed(column) for name, column in zip(wanted, cells, strict=True)}


def text_cells(lines: Iterable[str], wanted: list[str], delimiter: str, name: str) -> Cells:
    """The cells of the wanted columns, as they are written."""
    try:
        reader = cell_reader(lines, delimiter)
        header = next(reader, None) or []
        places = column_places(header, wanted, name)
        cells: Cells = [[] for _ in wanted]
        while rows := list(islice(reader, CHUNK_ROWS)):
            rows = [row for row in rows if row]
            if any(len(row) != len(header) for row in rows):
                raise _ragged(rows, len(cells[0]), len(header), name)
            for column, place in zip(cells, places, strict=True):
                column += [row[place] for row in rows]
    except (UnicodeDecodeError, csv.Error) as problem:
        more = " Write it in UTF-8." if isinstance(problem, UnicodeDecodeError) else ""
        raise InputError(
            f"{name} cannot be read as text with commas or tabs: {problem}.{more}"
        ) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
        reason = str(problem).rstrip(".")
        raise InputError(f"{name} cannot be read: {reason}.") from None
    return cells


def cell_reader(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """The cells of each line, as long as they may be: other formats have no limit either.

    Python's limit, 131,072 characters, is one of the process; it is only ever raised.
    """
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))
    return csv.reader(lines, delimiter=delimiter)


def _ragged(rows: list[list[str]], n_before: int, n_columns: int, name: str) -> InputError:
    """The refusal of the first row that has too many cells, or too few."""
    number, n_cells = next((k, len(row)) for k, row in enumerate(rows) if len(row) != n_columns)
    return InputError(
        f"{name}: row {n_before + number} has {n_cells} cells but the header has {n_columns}."
    )


def column_places(header: list[str], wanted: list[str], name: str) -> list[int]:
    """Where the wanted columns are among those of a header line."""
    if not header:
        raise InputError(f"{name} is empty: a header line with column names is needed.")
    try:
        check_columns(wanted, header)
    except InputError as problem:
        raise InputError(f"{problem}{_other_sign(header, wanted)}") from None
    repeated = [column for column in wanted if header.count(column) > 1]
    if repeated:
        raise InputError(f"{name}: more than one column is called {listed(repeated)}.")
    return [header.index(column) for column in wanted]


def _other_sign(header: list[str], wanted: list[str]) -> str:
    """What to add to a refusal where the names would be there if another sign parted them."""
    for sign, remedy in OTHER_SIGNS.items():
        if len(header) == 1 and set(wanted) <= set(next(cell_reader(header, sign), [])):
            return f" Its names are parted by {shown(sign)}: {remedy}."
    return ""


@contextmanager
def naming(path: str, files: Files) -> Iterator[None]:
    """Say which of several files a refusal is about."""
    try:
        yield
    except InputError as problem:
        if len(files.paths) == 1 or path in str(problem):
            raise
        raise InputError(f"{path}: {problem}") from None


@contextmanager
def text_lines(path: str) -> Iterator[Iterable[str]]:
    """The lines of a text file; a byte order mark is no part of the first column's name."""
    if path.lower().endswith(".zst"):
        from rocwise.engines.duckdb_text import unpacked_lines

        with unpacked_lines(path) as unpacked:
            yield unpacked
        return
    with raw_bytes(path) as raw, io.TextIOWrapper(raw, "utf-8-sig", newline="") as lines:
        yield lines


def raw_bytes(path: str) -> IO[bytes]:
    """The bytes of the text, unpacked."""
    packed = path.lower().endswith(".gz")
    return cast(IO[bytes], gzip.open(path)) if packed else open(path, "rb")
