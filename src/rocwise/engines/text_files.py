"""Columns of text files with a header line: the csv module, and DuckDB for large plain files."""

import codecs
import csv
import gzip
import io
import math
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from rocwise.engines.counted_rows import SAMPLE_ROWS, CountedRows
from rocwise.engines.duckdb_access import (
    connected,
    fetch_all,
    literal_path,
    objects,
    quoted,
    read_relation,
    write_error,
)
from rocwise.engines.frames import check_columns
from rocwise.engines.paths import Files, naming
from rocwise.errors import InputError, shown

Cells = list[list[str]]
MISSING_CELLS = frozenset(["", "NA", "NaN", "nan", "null"])  # what R and pandas write
FLAGS = {"true": True, "false": False}
LARGEST_EXACT_INTEGER = 2**53
INTEGER = re.compile(r"\s*[+-]?[0-9]+\s*")
CHUNK_ROWS = 20_000
OTHER_DELIMITERS = {
    "\t": "call the file .tsv, or write it with commas",
    ",": "call the file .csv, or write it with tabs",
    ";": "write it with commas, and decimals with points",
    "|": "write it with commas",
}
LONGEST_CELL = 2**31 - 1  # the largest limit of the csv module on every platform
BROKEN_GZIP = (EOFError, zlib.error, gzip.BadGzipFile)

LONGEST_HEADER = 1_000_000
MOST_COLUMNS = 1_000  # DuckDB is slow with more
CHUNK_BYTES = 1 << 20
# Cells that DuckDB casts exactly as `typed` does; in memory, `typed` reads all others.
CASTS = {
    "BIGINT": r"[+-]?[0-9]{1,18}",
    "DOUBLE": r"[+-]?([0-9]{1,15}|[0-9]{1,15}\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?",
}
# Beyond memory, DuckDB also casts floats of any length, and longer integers exactly.
LONG, ANY_FLOAT = "DECIMAL(38,0)", "DOUBLE "
WIDE_FLOATS = r"\s*[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?|(?i)inf(inity)?)\s*"
WIDE_CASTS = CASTS | {LONG: r"[+-]?[0-9]{1,38}", ANY_FLOAT: WIDE_FLOATS}
NULLS = f"({', '.join(quoted(word) for word in sorted(MISSING_CELLS))})"
NEVER = "\x01\x02\x03\x04"  # a delimiter that no line has, so that a line is one cell


def read_text(lines: Iterable[str], wanted: list[str], delimiter: str, name: str) -> dict[str, Any]:
    """The wanted columns of an open text file with a header line."""
    return _typed(wanted, _cells(lines, wanted, delimiter, name))


def read_files(files: Files, wanted: list[str]) -> dict[str, Any]:
    """The wanted columns of one text file, or of several, one after the other."""
    cells: Cells = [[] for _ in wanted]
    for path in files.paths:
        with naming(path, files), text_lines(path) as lines:
            parts = _cells(lines, wanted, files.delimiter, path)
        for column, part in zip(cells, parts, strict=True):
            column += part
    return _typed(wanted, cells)


def first_text_rows(files: Files, rows: int) -> dict[str, Any]:
    """The first values of all columns by name; of columns with one name, the first."""
    path = files.paths[0]
    with _reading(path), text_lines(path) as lines:
        table = list(islice(_reader(lines, files.delimiter), rows + 1))
    if not table or not any(table[0]):
        raise _empty(path)
    header, *body = table
    found: dict[str, Any] = {}
    for place, name in enumerate(header):
        found.setdefault(name, typed([row[place] for row in body if len(row) > place]))
    return found


def _cells(lines: Iterable[str], wanted: list[str], delimiter: str, name: str) -> Cells:
    """The cells of the wanted columns, as they are written."""
    with _reading(name):
        reader = _reader(lines, delimiter)
        header = next(reader, None) or []
        positions = column_positions(header, wanted, name)
        cells: Cells = [[] for _ in wanted]
        while rows := list(islice(reader, CHUNK_ROWS)):
            rows = [row for row in rows if row]
            if any(len(row) != len(header) for row in rows):
                raise _ragged(rows, len(cells[0]), len(header), name)
            for column, position in zip(cells, positions, strict=True):
                column += [row[position] for row in rows]
    return cells


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Errors of reading text, with the name of the file."""
    try:
        yield
    except (UnicodeDecodeError, csv.Error) as problem:
        more = " Write it in UTF-8." if isinstance(problem, UnicodeDecodeError) else ""
        raise InputError(
            f"{name} cannot be read as text with commas or tabs: {problem}.{more}"
        ) from None
    except BROKEN_GZIP as problem:
        raise InputError(f"{name} cannot be read: {str(problem).rstrip('.')}.") from None


def _reader(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """The cells of each line; the limit of the process for their length is raised."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_CELL))
    return csv.reader(lines, delimiter=delimiter)


def _ragged(rows: Cells, n_before: int, n_columns: int, name: str) -> InputError:
    """The error for the first row with too many or too few cells."""
    number, n_cells = next((k, len(row)) for k, row in enumerate(rows) if len(row) != n_columns)
    return InputError(
        f"{name}: row {n_before + number} has {n_cells} cells but the header has {n_columns}."
    )


def column_positions(header: list[str], wanted: list[str], name: str) -> list[int]:
    """The positions of the wanted columns in a header line."""
    if not header:
        raise _empty(name)
    try:
        check_columns(wanted, header, f"{name}: ")
    except InputError as problem:
        raise InputError(f"{problem}{_other_delimiter(header, wanted)}") from None
    return [header.index(column) for column in wanted]


def _empty(name: str) -> InputError:
    return InputError(f"{name} is empty: a header line with column names is needed.")


def _other_delimiter(header: list[str], wanted: list[str]) -> str:
    """The remedy where another delimiter would find the wanted columns."""
    for sign, remedy in OTHER_DELIMITERS.items():
        if len(header) == 1 and set(wanted) <= set(next(_reader(header, sign), [])):
            return f" The delimiter is {shown(sign)}: {remedy}."
    return ""


@contextmanager
def text_lines(path: str) -> Iterator[Iterable[str]]:
    """The lines of a text file, without a byte order mark."""
    if path.lower().endswith(".zst"):
        with _zst_lines(path) as lines:
            yield lines
        return
    with _open(path) as raw, io.TextIOWrapper(raw, "utf-8-sig", newline="") as text:
        yield text


def _open(path: str) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path)) if path.lower().endswith(".gz") else open(path, "rb")


@contextmanager
def _zst_lines(path: str) -> Iterator[Iterator[str]]:
    """The lines of a text file that DuckDB decompresses."""
    with connected([path], f"reading {path}") as connection:
        import duckdb

        def lines() -> Iterator[str]:
            try:
                cursor = connection.execute(
                    "select line from read_csv(?, auto_detect = false, header = false, "
                    "columns = {'line': 'VARCHAR'}, quote = '', escape = '', comment = '', "
                    f"delim = {quoted(NEVER)}, nullstr = {quoted(NEVER[1:])})",
                    [literal_path(path)],
                )
                while batch := cursor.fetchmany(SAMPLE_ROWS):
                    for (line,) in batch:
                        yield f"{line}\n"
            except duckdb.Error as problem:
                reason = " ".join(str(problem).partition("\n")[0].split())
                raise InputError(f"{path} cannot be read: {reason}") from None

        yield lines()


def _typed(wanted: list[str], cells: Cells) -> dict[str, Any]:
    return {name: typed(column) for name, column in zip(wanted, cells, strict=True)}


def typed(cells: Sequence[str]) -> Any:
    """Cells as integers if all are, else as floats, booleans or text; missing ones nan or None."""
    present = [cell for cell in cells if cell not in MISSING_CELLS]
    values = _values(present)
    if len(present) == len(cells):
        return values
    is_float = values.dtype.kind == "f"
    column = np.full(len(cells), np.nan if is_float else None, None if is_float else object)
    column[[cell not in MISSING_CELLS for cell in cells]] = values
    return column


def _values(present: list[str]) -> Any:
    """Cells none of which is missing."""
    numbers = _numbers(present) if present else None
    if numbers is not None:
        return numbers
    flags = [FLAGS.get(cell.lower()) for cell in present]
    return objects(present if None in flags else flags)


def _numbers(cells: list[str]) -> Any:
    """Integers where all are, else floats; None where a cell is no number."""
    try:
        if "_" in "".join(cells):  # Python would read 1_000 as a number
            return None
        integers = list(map(int, cells))
    except ValueError:
        return _floats(cells)
    if all(-(2**63) <= item < 2**63 for item in integers):
        return np.array(integers, dtype=np.int64)
    return objects(integers)


def _floats(cells: list[str]) -> Any:
    try:
        values = list(map(float, cells))
    except ValueError:
        return None
    for value, cell in zip(values, cells, strict=True):
        if abs(value) >= LARGEST_EXACT_INTEGER and _is_inexact(value, cell):
            return objects([Decimal(cell.strip()) for cell in cells])
    return np.array(values)


def _is_inexact(value: float, cell: str) -> bool:
    """Whether a number is beyond all floats, or an integer that may share a float with others."""
    if math.isinf(value):
        return "n" not in cell.lower()  # not written as inf
    return INTEGER.fullmatch(cell) is not None


@dataclass(frozen=True, slots=True)
class PlainFile:
    """A file without quotes, and the number of its delimiters below the header."""

    path: str
    n_columns: int
    positions: list[int]
    n_delimiters: int


def read_plain(
    files: Files, wanted: list[str], weight: str | None, *, count: bool
) -> CountedRows | None:
    """The wanted columns of plain files by DuckDB, equal rows counted; None if not plain."""
    import duckdb

    try:
        with _plain_cells(files, wanted) as connection:
            if connection is None:
                return None
            casts = _casts(connection, len(wanted), CASTS)
            chosen = [
                f"c{k}" if kind is None else f"cast({_present(k)} as {kind}) as c{k}"
                for k, kind in enumerate(casts)
            ]
            relation = connection.sql(f"select {', '.join(chosen)} from cells")
            found = read_relation(relation, [""] * len(wanted), wanted, weight, count=count)
    except duckdb.Error:  # a line that is no row: the csv module finds which
        return None
    for name, kind in zip(wanted, casts, strict=True):
        if kind is None:
            found.columns[name] = typed(found.columns[name].tolist())
    return found


def plain_as_parquet(files: Files, wanted: list[str], folder: Path, memory: int) -> Path | None:
    """The wanted columns of plain files as a Parquet file of c0, c1, ...; None if not plain."""
    import duckdb

    path = folder / "table.parquet"
    try:
        with _plain_cells(files, wanted, memory, str(folder)) as connection:
            if connection is None:
                return None
            casts = _casts(connection, len(wanted), WIDE_CASTS)
            chosen = ", ".join(
                f"cast({_present(k)} as {_stored_kind(connection, k, kind, name)}) as c{k}"
                for k, (kind, name) in enumerate(zip(casts, wanted, strict=True))
            )
            target = quoted(str(path))
            fetch_all(connection, f"copy (select {chosen} from cells) to {target} (format parquet)")
    except (duckdb.ConversionException, duckdb.InvalidInputException):
        return None  # a line that is no row: the csv module finds which
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as problem:
        raise write_error(files, problem, str(folder)) from None
    return path


@contextmanager
def _plain_cells(
    files: Files, wanted: list[str], memory: int | None = None, folder: str | None = None
) -> Iterator[Any]:
    """A connection with the wanted cells of all files in a table; None if one is not plain."""
    plain = []
    for path in files.paths:
        scanned = _scanned(path, wanted, files.delimiter)
        if scanned is None:
            yield None
            return
        plain.append(scanned)
    with connected(files.paths, "reading large text files", memory, folder) as connection:
        yield connection if _load_cells(connection, plain, files.delimiter) else None


def _scanned(path: str, wanted: list[str], delimiter: str) -> PlainFile | None:
    """Check all bytes of a file for quotes and encoding, and count its delimiters."""
    sign, decoder = delimiter.encode(), codecs.getincrementaldecoder("utf-8")()
    n_delimiters = 0
    try:
        with _open(path) as raw:
            header = _plain_header(raw.readline(LONGEST_HEADER), delimiter)
            if header is None or not 2 <= len(header) <= MOST_COLUMNS:
                return None
            positions = column_positions(header, wanted, path)
            while chunk := raw.read(CHUNK_BYTES):
                if b'"' in chunk or b"\0" in chunk:
                    return None
                n_delimiters += chunk.count(sign)
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
    except (OSError, ValueError, csv.Error, *BROKEN_GZIP):
        return None  # the csv module raises the error
    return PlainFile(path, len(header), positions, n_delimiters)


def _plain_header(line: bytes, delimiter: str) -> list[str] | None:
    """The cells of the first line, if they end with it."""
    text = line.decode("utf-8-sig")
    if not text.endswith("\n") or text.count('"') % 2 or "\r" in text.rstrip("\r\n"):
        return None
    cells = next(_reader([text], delimiter), None)
    return None if cells and cells[-1].endswith("\n") else cells  # an open quote


def _load_cells(connection: Any, plain: list[PlainFile], delimiter: str) -> bool:
    """Put the wanted cells of all files into one table; whether every row was complete."""
    columns = ", ".join(f"c{k} varchar" for k in range(len(plain[0].positions)))
    fetch_all(connection, f"create temp table cells ({columns})")
    n_before = 0
    for file in plain:
        chosen = ", ".join(f"coalesce(k{position}, '')" for position in file.positions)
        declared = ", ".join(f"'k{position}': 'VARCHAR'" for position in range(file.n_columns))
        fetch_all(
            connection,
            f"insert into cells select {chosen} from read_csv(?, auto_detect = false, "
            f"header = false, skip = 1, columns = {{{declared}}}, delim = {quoted(delimiter)}, "
            "quote = '', escape = '', nullstr = '', comment = '')",
            literal_path(file.path),
        )
        n_rows = int(fetch_all(connection, "select count(*) from cells")[0][0])
        if (n_rows - n_before) * (file.n_columns - 1) != file.n_delimiters:
            return False
        n_before = n_rows
    return True


def _casts(connection: Any, n_columns: int, casts: dict[str, str]) -> list[str | None]:
    """The type to which all cells of a column can be cast, or None."""
    found: list[str | None] = [None] * n_columns
    for kind, pattern in casts.items():
        open_ = [k for k in range(n_columns) if found[k] is None]
        tests = ", ".join(
            f"bool_and(c{k} in {NULLS} or regexp_full_match(c{k}, {quoted(pattern)})), "
            f"bool_or(c{k} not in {NULLS})"
            for k in open_
        )
        if open_:
            row = fetch_all(connection, f"select {tests} from cells")[0]
            for place, k in enumerate(open_):
                found[k] = kind if row[2 * place] and row[2 * place + 1] else None
    return found


def _present(k: int) -> str:
    return f"if(c{k} in {NULLS}, null, c{k})"


def _stored_kind(connection: Any, k: int, kind: str | None, name: str) -> str:
    """The type in which a column is written."""
    cell = f"trim({_present(k)})"
    if kind is None:
        flags = f"select bool_and(lower(c{k}) in ('true', 'false')) from cells"
        row = fetch_all(connection, f"{flags} where c{k} not in {NULLS}")[0]
        return "BOOLEAN" if row[0] else "VARCHAR"
    if kind == LONG:
        query = f"select max(abs(cast({cell} as {LONG}))) < {2**63} from cells"
        return "BIGINT" if fetch_all(connection, query)[0][0] else LONG
    if kind == ANY_FLOAT:
        beyond = (
            f"(regexp_full_match({cell}, '[+-]?[0-9]+') and abs({cell}::DOUBLE) >= {2**53}) or "
            f"(isinf({cell}::DOUBLE) and not regexp_matches(lower({cell}), 'n'))"
        )
        if fetch_all(connection, f"select bool_or({beyond}) from cells")[0][0]:
            raise InputError(
                f"`{name}` holds numbers that a float64 does not hold (too large, or of too many "
                "digits), and more rows than fit into `memory_limit`. Raise `memory_limit`, or "
                "round the column."
            )
    return kind
