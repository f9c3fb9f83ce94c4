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
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from rocwise.arrays import Places
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
from rocwise.engines.paths import Files, naming, partitions
from rocwise.engines.sheets import sheet_rows
from rocwise.engines.text_formats import (
    CHUNK_BYTES,
    COMMA_NUMBER,
    HEAD_LINES,
    PERCENTAGE,
    UNICODE,
    FileRows,
    TextFile,
    TextFormat,
    cells_of,
    csv_rows,
    encoding_of,
    format_of,
    has_decimal_comma,
    with_rows,
)
from rocwise.errors import InputError

Cells = list[list[str]]
MISSING_CELLS = frozenset(  # what R, pandas and spreadsheets write
    ["", "NA", "NaN", "nan", "null", "n/a", "N/A", "NULL", "<NA>", "#N/A", "#NV", "#NA"]
)
FLAGS = {"true": True, "false": False}
LARGEST_EXACT_INTEGER = 2**53
INTEGER = re.compile(r"\s*[+-]?[0-9]+\s*")
CHUNK_ROWS = 20_000
BROKEN_GZIP = (EOFError, zlib.error, gzip.BadGzipFile)

LONGEST_HEADER = 1_000_000
MOST_COLUMNS = 1_000  # DuckDB is slow with more
BUFFER_BYTES = 1 << 22  # of DuckDB, which takes several
# Cells that DuckDB casts exactly as `typed` does; in memory, `typed` reads all others.
CASTS = {
    "BIGINT": r"[+-]?[0-9]{1,18}",
    "DOUBLE": r"[+-]?([0-9]{1,15}|[0-9]{1,15}\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?",
}
# Beyond memory, DuckDB also casts floats of any length, and longer integers exactly.
LONG, ANY_FLOAT = "DECIMAL(38,0)", "DOUBLE "
WIDE_FLOATS = r"\s*[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?|(?i)inf(inity)?)\s*"
WIDE_CASTS = CASTS | {LONG: r"[+-]?[0-9]{1,38}", ANY_FLOAT: WIDE_FLOATS}
OTHER, OTHER_NUMBERS = "other", COMMA_NUMBER.pattern + "|" + PERCENTAGE.pattern
BLANK_LINE = re.compile(rb"\n\r?\n[^\r\n]")
NULLS = f"({', '.join(quoted(word) for word in sorted(MISSING_CELLS))})"
NEVER = "\x01\x02\x03\x04"  # a delimiter that no line has, so that a line is one cell


@dataclass(frozen=True, slots=True)
class Table:
    """An open table: its rows, the header first, and how it is written."""

    rows: Iterator[list[str]]
    format: TextFormat


def read_text(lines: Iterable[Any], wanted: list[str], requested: TextFile) -> dict[str, Any]:
    """The wanted columns of open text, or of open bytes, with a header line."""
    text = isinstance(lines, io.TextIOBase)
    with _reading(requested.path):
        opened = (
            _table(lines, wanted, requested, ",")
            if text
            else _of_bytes(lines, wanted, requested, ",")
        )
        with opened as table:
            cells, rows = _cells(table, wanted, requested.path, ",")
    return typed_columns(wanted, cells, requested.decimal, rows)


def read_files(files: Files, wanted: list[str]) -> dict[str, Any]:
    """The wanted columns of one text file, or of several, one after the other."""
    cells: Cells = [[] for _ in wanted]
    found = []
    for path in files.paths:
        with naming(path, files), _reading(path), _opened(path, files, wanted) as table:
            parts, rows = _cells(table, wanted, path, files.delimiter)
        for column, part in zip(cells, parts, strict=True):
            column += part
        found.append((path, rows))
    return typed_columns(wanted, cells, files.requested.decimal, _of_files(found))


def _of_files(found: list[tuple[str, FileRows]]) -> FileRows:
    """The rows of one file, or of several by their paths."""
    if len(found) == 1:
        return found[0][1]
    read_as = next((rows.read_as for _, rows in found if rows.read_as), None)
    return FileRows(read_as, parts=tuple(found))


def first_text_rows(files: Files, rows: int, wanted: Sequence[str] = ()) -> dict[str, Any]:
    """The first values of all columns by name; of columns with one name, the first.

    Rows of another length are left out; reading the file raises an error about them.
    """
    path = files.paths[0]
    with _reading(path), _opened(path, files, wanted) as opened:
        table = [row for row in islice(opened.rows, rows + 1) if any(row)]
    if not table:
        raise _empty(path)
    header, *body = table
    places = {name: header.index(name) for name in header}
    whole = [row for row in body if len(row) == len(header)]
    cells = [[row[place] for row in whole] for place in places.values()]
    return typed_columns(list(places), cells, files.requested.decimal)


def _cells(table: Table, wanted: Sequence[str], name: str, usual: str) -> tuple[Cells, FileRows]:
    """The cells of the wanted columns, as they are written, and the numbers of their rows."""
    header = next(table.rows, None) or []
    positions = column_positions(header, wanted, name, table)
    cells: Cells = [[] for _ in wanted]
    first = table.format.n_above + 2
    numbers: list[range] = []  # of rows without a blank one between them
    number = first
    while chunk := list(islice(table.rows, CHUNK_ROWS)):
        rows = [row for row in chunk if row]
        if any(len(row) != len(header) for row in rows):
            raise _ragged(chunk, number, len(header), name)
        for column, place in zip(cells, positions, strict=True):
            column += [row[place] if isinstance(place, int) else place for row in rows]
        if len(rows) < len(chunk):
            numbers += [range(number + k, number + k + 1) for k, row in enumerate(chunk) if row]
        else:
            numbers.append(range(number, number + len(chunk)))
        number += len(chunk)
    words = _read_as(table.format.words(usual))
    return cells, FileRows(words, first, _with_gaps(numbers, first), len(cells[0]))


def _with_gaps(numbers: list[range], first: int) -> Places | None:
    """The numbers of all rows; None where they follow each other."""
    ends = [first, *(each.stop for each in numbers)]
    if all(each.start == end for each, end in zip(numbers, ends, strict=False)):
        return None
    return np.concatenate([np.arange(each.start, each.stop) for each in numbers])


def _read_as(notes: list[str]) -> str | None:
    return f"read with {', '.join(notes)}" if notes else None


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Errors of reading text, with the name of the file."""
    try:
        yield
    except UnicodeError as problem:
        raise InputError(
            f"{name} cannot be read as text with commas or tabs: {problem}. Write it in UTF-8, or "
            "name its encoding, as encoding='windows-1252' does."
        ) from None
    except csv.Error as problem:
        raise InputError(f"{name} cannot be read as text with commas or tabs: {problem}.") from None
    except BROKEN_GZIP as problem:
        raise InputError(f"{name} cannot be read: {str(problem).rstrip('.')}.") from None


def _ragged(rows: Cells, first: int, n_columns: int, name: str) -> InputError:
    """The error for the first row with too many or too few cells."""
    place, n_cells = next(
        (k, len(row)) for k, row in enumerate(rows) if len(row) != n_columns and row
    )
    return InputError(
        f"{name}: row {first + place} has {n_cells} cells but the header has {n_columns}."
    )


def column_positions(
    header: list[str], wanted: Sequence[str], name: str, table: Table | None = None
) -> list[int | str]:
    """The positions of the wanted columns in a header line, or their value by names of folders."""
    if not any(header):
        raise _empty(name)
    folders = {key: value or "" for key, value in partitions(name).items() if key not in header}
    try:
        check_columns(list(wanted), [*header, *folders], f"{name}: ")
    except InputError as problem:
        below = None if table is None else _header_below(table, set(wanted))
        raise InputError(f"{problem}{below or ''}") from None
    return [folders[column] if column in folders else header.index(column) for column in wanted]


def _header_below(table: Table, wanted: set[str]) -> str | None:
    """The remedy where a later line has the wanted columns."""
    for number, row in enumerate(islice(table.rows, HEAD_LINES), table.format.n_above + 2):
        if wanted <= set(row):
            return (
                f" Row {number} has the names: delete the rows above it, or let them start with #."
            )
    return None


def _empty(name: str) -> InputError:
    return InputError(f"{name} is empty: a header line with column names is needed.")


@contextmanager
def _opened(path: str, files: Files, wanted: Sequence[str]) -> Iterator[Table]:
    """The rows of a file and its format."""
    if files.is_sheet:
        yield Table(*sheet_rows(path, wanted))
    elif path.lower().endswith(".zst"):
        with (
            zst_lines(path) as lines,
            _table(lines, wanted, files.requested, files.delimiter) as found,
        ):
            yield found
    else:
        with _open(path) as raw:
            once = io.BytesIO(raw.read()) if files.once else raw
            with _of_bytes(once, wanted, files.requested, files.delimiter) as found:
                yield found


@contextmanager
def _of_bytes(raw: Any, wanted: Sequence[str], requested: TextFile, usual: str) -> Iterator[Table]:
    """The rows of text in any encoding; `raw` can be read again from its beginning."""
    encoding = requested.encoding or encoding_of(raw)
    raw.seek(0)
    # a byte order mark is not part of the first column's name
    usual_one = encoding.lower().replace("_", "-") == "utf-8"
    text = io.TextIOWrapper(raw, "utf-8-sig" if usual_one else encoding, newline="")
    try:
        with _table(text, wanted, requested, usual, encoding) as table:
            yield table
    finally:
        text.detach()


@contextmanager
def _table(
    lines: Iterable[str],
    wanted: Sequence[str],
    requested: TextFile,
    usual: str,
    encoding: str = "utf-8",
) -> Iterator[Table]:
    """The rows of lines of text."""
    lines = iter(lines)
    head = list(islice(lines, HEAD_LINES))
    written = format_of(head, usual, wanted, requested.sep, encoding)
    yield Table(csv_rows(chain(head[written.n_above :], lines), written.delimiter), written)


def _open(path: str) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path)) if path.lower().endswith(".gz") else open(path, "rb")


@contextmanager
def zst_lines(path: str) -> Iterator[Iterator[str]]:
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


def typed_columns(
    wanted: Sequence[str], cells: Cells, decimal: str | None, rows: FileRows | None = None
) -> dict[str, Any]:
    """Columns of cells by name; decimal commas are found by the cells unless `decimal` is given."""
    present = [[cell for cell in column if cell not in MISSING_CELLS] for column in cells]
    columns = [_values(each, decimal or ".") for each in present]
    notes = []
    if decimal is None:
        texts = [k for k, values in enumerate(columns) if values.dtype == object and present[k]]
        comma = texts and has_decimal_comma(present[k] for k in texts)
        for k in texts if comma else ():
            columns[k] = _values(present[k], ",")
        decimal = "," if comma else "."
    if decimal == ",":
        notes.append("decimal comma")
    if any(
        values.dtype.kind == "f" and each[0].rstrip().endswith("%")
        for values, each in zip(columns, present, strict=True)
    ):
        notes.append("percentages as fractions of 1")
    if rows is not None and notes:
        known = [] if rows.read_as is None else [rows.read_as.removeprefix("read with ")]
        rows = replace(rows, read_as=_read_as(known + notes))
    found = {}
    for name, column, values in zip(wanted, cells, columns, strict=True):
        whole = _with_missing(column, values)
        found[name] = whole if rows is None else with_rows(whole, rows)
    return found


def typed(cells: Sequence[str]) -> Any:
    """Cells as integers if all are, else as floats, booleans or text; missing ones nan or None."""
    return typed_columns([""], [list(cells)], None)[""]


def _with_missing(cells: Sequence[str], values: Any) -> Any:
    """The values of the cells that are not missing, and nan or None for the others."""
    if len(values) == len(cells):
        return values
    is_float = values.dtype.kind == "f"
    column = np.full(len(cells), np.nan if is_float else None, None if is_float else object)
    column[[cell not in MISSING_CELLS for cell in cells]] = values
    return column


def _values(present: list[str], decimal: str) -> Any:
    """Cells none of which is missing."""
    numbers = _numbers(present, decimal) if present else None
    if numbers is not None:
        return numbers
    flags = [FLAGS.get(cell.lower()) for cell in present]
    return objects(present if None in flags else flags)


def _numbers(cells: list[str], decimal: str) -> Any:
    """Integers where all are, else floats; None where a cell is no number."""
    if decimal == ",":
        if any("." in cell for cell in cells):
            return None
        cells = [cell.replace(",", ".") for cell in cells]
    if cells[0].rstrip().endswith("%"):  # 5.9% is 0.059, to the last digit
        if not all(cell.rstrip().endswith("%") for cell in cells):
            return None
        cells = [f"{cell.rstrip().removesuffix('%').strip()}e-2" for cell in cells]
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
    positions: list[int | str]  # or values
    n_delimiters: int
    format: TextFormat


def read_plain(
    files: Files, wanted: list[str], weight: str | None, *, count: bool
) -> CountedRows | None:
    """The wanted columns of plain files by DuckDB, equal rows counted; None if not plain."""
    import duckdb

    try:
        with _plain_cells(files, wanted) as (connection, rows):
            if rows is None:
                return None
            point = files.requested.decimal != ","
            casts = _casts(connection, len(wanted), CASTS if point else {})
            chosen = [
                f"c{k}" if kind is None else f"cast({_present(k)} as {kind}) as c{k}"
                for k, kind in enumerate(casts)
            ]
            relation = connection.sql(f"select {', '.join(chosen)} from cells")
            found = read_relation(relation, [""] * len(wanted), wanted, weight, count=count)
    except duckdb.Error:  # a line that is no row: the csv module finds which
        return None
    texts = [name for name, kind in zip(wanted, casts, strict=True) if kind is None]
    cells = [found.columns[name].tolist() for name in texts]
    typed = typed_columns(texts, cells, files.requested.decimal, rows)
    rows = next((column.file for column in typed.values()), rows)
    columns = {name: with_rows(each, rows) for name, each in found.columns.items()}
    return replace(found, columns=columns | typed)


def plain_as_parquet(
    files: Files, wanted: list[str], folder: Path, memory: int
) -> tuple[Path, str | None] | None:
    """A Parquet file of the wanted columns of plain files, c0, c1, ..., and how these were read.

    None if they are not plain.
    """
    import duckdb

    path = folder / "table.parquet"
    try:
        with _plain_cells(files, wanted, memory, str(folder)) as (connection, rows):
            if rows is None or files.requested.decimal == ",":
                return None
            casts = _casts(connection, len(wanted), WIDE_CASTS | {OTHER: OTHER_NUMBERS})
            if OTHER in casts:
                return None
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
    return path, rows.read_as


@contextmanager
def _plain_cells(
    files: Files, wanted: list[str], memory: int | None = None, folder: str | None = None
) -> Iterator[tuple[Any, FileRows | None]]:
    """A connection with the wanted cells of all files in a table; no rows if one is not plain."""
    plain = []
    for path in files.paths:
        scanned = _scanned(path, wanted, files)
        if scanned is None:
            yield None, None
            return
        plain.append(scanned)
    with connected(files.paths, "reading large text files", memory, folder) as connection:
        yield connection, _load_cells(connection, plain, files.delimiter)


def _scanned(path: str, wanted: list[str], files: Files) -> PlainFile | None:
    """Check all bytes of a file for quotes and encoding, and count its delimiters."""
    if (files.requested.encoding or "utf-8").lower() not in UNICODE:
        return None
    decoder = codecs.getincrementaldecoder("utf-8")()
    n_delimiters = 0
    try:
        with _open(path) as raw:
            head = [raw.readline(LONGEST_HEADER) for _ in range(HEAD_LINES)]
            lines = b"".join(head).decode("utf-8-sig").splitlines(keepends=True)
            written = format_of(lines, files.delimiter, wanted, files.requested.sep, "utf-8")
            header = _plain_header(lines[written.n_above], written.delimiter)
            if header is None or not 2 <= len(header) <= MOST_COLUMNS:
                return None
            positions = column_positions(header, wanted, path)
            sign = written.delimiter.encode()
            chunk = b"".join(head[written.n_above + 1 :])
            while chunk := chunk or raw.read(CHUNK_BYTES):
                if b'"' in chunk or b"\0" in chunk or BLANK_LINE.search(chunk):
                    return None
                n_delimiters += chunk.count(sign)
                decoder.decode(chunk)
                chunk = b""
            decoder.decode(b"", final=True)
    except (OSError, ValueError, csv.Error, *BROKEN_GZIP):
        return None  # the csv module raises the error
    return PlainFile(path, len(header), positions, n_delimiters, written)


def _plain_header(text: str, delimiter: str) -> list[str] | None:
    """The cells of the first line, if they end with it."""
    if not text.endswith("\n") or text.count('"') % 2 or "\r" in text.rstrip("\r\n"):
        return None
    cells = cells_of([text], delimiter)[0]
    return None if cells and cells[-1].endswith("\n") else cells  # an open quote


def _load_cells(connection: Any, plain: list[PlainFile], usual: str) -> FileRows | None:
    """Put the wanted cells of all files into one table; None if a row was not complete."""
    columns = ", ".join(f"c{k} varchar" for k in range(len(plain[0].positions)))
    fetch_all(connection, f"create temp table cells ({columns})")
    n_before = 0
    found = []
    for file in plain:
        above, sign = file.format.n_above, quoted(file.format.delimiter)
        chosen = ", ".join(
            f"coalesce(k{place}, '')" if isinstance(place, int) else quoted(place)
            for place in file.positions
        )
        declared = ", ".join(f"'k{position}': 'VARCHAR'" for position in range(file.n_columns))
        fetch_all(
            connection,
            f"insert into cells select {chosen} from read_csv(?, auto_detect = false, "
            f"header = false, skip = {above + 1}, columns = {{{declared}}}, delim = {sign}, "
            f"quote = '', escape = '', nullstr = '', comment = '', buffer_size = {BUFFER_BYTES})",
            literal_path(file.path),
        )
        n_rows = int(fetch_all(connection, "select count(*) from cells")[0][0])
        if (n_rows - n_before) * (file.n_columns - 1) != file.n_delimiters:
            return None
        words = _read_as(file.format.words(usual))
        found.append((file.path, FileRows(words, above + 2, n_rows=n_rows - n_before)))
        n_before = n_rows
    return _of_files(found)


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
                f"`{name}` contains numbers beyond the range of float64 (too large, or of too many "
                "digits), and more rows than fit into `memory_limit`. Raise `memory_limit`, or "
                "round the column."
            )
    return kind
