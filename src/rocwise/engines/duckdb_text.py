"""Large text files in a hurry: DuckDB splits their lines and counts equal rows.

Only plain files are split here, those without a quote, in which every line has all its cells: of
these there is one reading. Everything else, refusals too, is left to `text_files`.
"""

from __future__ import annotations

import codecs
import csv
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rocwise.engines.cells import MISSING_CELLS, typed
from rocwise.engines.counted_rows import SAMPLE_ROWS, CountedRows, counting_pays, sums_are_exact
from rocwise.engines.duckdb_access import answered, connected, literal_path, quoted
from rocwise.engines.parquet_files import unwritten
from rocwise.engines.paths import Files
from rocwise.engines.plain_text import LONGEST_HEADER, plain_header
from rocwise.engines.text_files import column_places, raw_bytes
from rocwise.errors import InputError

MOST_COLUMNS = 1_000  # DuckDB is slow with more
CHUNK = 1 << 20
# What DuckDB casts exactly as `cells` does; all other spellings are left to `cells`.
INTEGERS = r"[+-]?[0-9]{1,18}"
FLOATS = r"[+-]?([0-9]{1,15}|[0-9]{1,15}\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?"
CASTS = {"BIGINT": INTEGERS, "DOUBLE": FLOATS}
# Where Python cannot look at every cell, DuckDB is trusted with floats of any length too.
WIDE_FLOATS = r"\s*[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?|(?i)inf(inity)?)\s*"
# Integers of more digits stay exact.
LONG, ANY_FLOAT = "DECIMAL(38,0)", "DOUBLE "
WIDE_CASTS = CASTS | {LONG: r"[+-]?[0-9]{1,38}", ANY_FLOAT: WIDE_FLOATS}
NEVER = "\x01\x02\x03\x04"  # no cell has this, so that a line is one cell


@dataclass(frozen=True, slots=True)
class PlainText:
    """A file of which every line has as many delimiters as its header, as far as counts tell."""

    path: str
    n_columns: int
    places: list[int]
    n_delimiters: int


def read_plain(
    files: Files, wanted: list[str], weight: str | None, *, count: bool
) -> CountedRows | None:
    """The wanted columns of plain files, equal rows counted if that is wanted and pays.

    None where the files are not plain.
    """
    import duckdb

    plain = []
    for path in files.paths:
        surveyed = _surveyed(path, wanted, files.delimiter)
        if surveyed is None:
            return None
        plain.append(surveyed)
    try:
        with connected(files.paths, "reading large text files") as connection:
            if not _filled(connection, plain, files.delimiter):
                return None
            return _answer(connection, wanted, weight, count=count)
    except duckdb.Error:  # lines that are no rows: let `text_files` say which
        return None


def written_as_table(files: Files, wanted: list[str], folder: Path, memory: int) -> Path | None:
    """The wanted columns of plain files as one Parquet file, with the types of `read_plain`.

    For files beyond memory: cells go from one file to the other. None where files are not plain.
    Columns are called c0, c1, ...
    """
    import duckdb

    plain = [_surveyed(path, wanted, files.delimiter) for path in files.paths]
    if None in plain:
        return None
    written = folder / "table.parquet"
    purpose = "reading large text files"
    try:
        with connected(files.paths, purpose, memory, str(folder)) as connection:
            if not _filled(connection, [file for file in plain if file], files.delimiter):
                return None
            casts = _casts(connection, len(wanted), WIDE_CASTS)
            chosen = [
                f"cast({_present(k)} as {_kind_of(connection, k, kind, name)}) as c{k}"
                for k, (kind, name) in enumerate(zip(casts, wanted, strict=True))
            ]
            target = quoted(str(written))
            answered(
                connection,
                f"copy (select {', '.join(chosen)} from cells) to {target} (format parquet)",
            )
    except (duckdb.ConversionException, duckdb.InvalidInputException):
        return None  # lines that are no rows: let `text_files` say which
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as problem:
        raise unwritten(files, problem, str(folder)) from None
    return written


def _kind_of(connection: Any, k: int, kind: str | None, name: str) -> str:
    """The type of a column as it is written, where `kind` is what its cells look like."""
    if kind is None:
        return _flags_or_text(connection, k)
    cell = f"trim({_present(k)})"
    if kind == LONG:
        query = f"select max(abs(cast({cell} as {LONG}))) < {2**63} from cells"
        return "BIGINT" if answered(connection, query)[0][0] else LONG
    if kind == ANY_FLOAT:
        beyond = (
            f"(regexp_full_match({cell}, '[+-]?[0-9]+') and abs({cell}::DOUBLE) >= {2**53}) or "
            f"(isinf({cell}::DOUBLE) and not regexp_matches(lower({cell}), 'n'))"
        )
        if answered(connection, f"select bool_or({beyond}) from cells")[0][0]:
            raise InputError(
                f"`{name}` holds numbers that a float64 does not hold (too large, or of too many "
                "digits), and more rows than fit into `memory_limit`. Raise `memory_limit`, or "
                "round the column."
            )
    return kind


def _present(k: int) -> str:
    return f"if(c{k} in {_missing()}, null, c{k})"


def _flags_or_text(connection: Any, k: int) -> str:
    """Booleans where all cells are ``true`` or ``false``, else text."""
    told = answered(
        connection,
        f"select bool_and(lower(c{k}) in ('true', 'false')) from cells "
        f"where c{k} not in {_missing()}",
    )
    return "BOOLEAN" if told[0][0] else "VARCHAR"


def _surveyed(path: str, wanted: list[str], delimiter: str) -> PlainText | None:
    """Look at all bytes of a file: whether it is plain, and how many delimiters there are."""
    sign, decoder = delimiter.encode(), codecs.getincrementaldecoder("utf-8")()
    n_delimiters = 0
    try:
        with raw_bytes(path) as raw:
            header = plain_header(raw.readline(LONGEST_HEADER), delimiter)
            if header is None or not 2 <= len(header) <= MOST_COLUMNS:
                return None
            places = column_places(header, wanted, path)
            while chunk := raw.read(CHUNK):
                if b'"' in chunk or b"\0" in chunk:
                    return None
                n_delimiters += chunk.count(sign)
                decoder.decode(chunk)
            decoder.decode(b"", final=True)
    except (OSError, ValueError, EOFError, csv.Error, zlib.error):
        return None  # refused, in words for files of every size, by `text_files`
    return PlainText(path, len(header), places, n_delimiters)


def _filled(connection: Any, plain: list[PlainText], delimiter: str) -> bool:
    """Put the wanted cells of all files into one table; whether every row was whole."""
    n_wanted = len(plain[0].places)
    columns = ", ".join(f"c{k} varchar" for k in range(n_wanted))
    answered(connection, f"create temp table cells ({columns})")
    n_before = 0
    for file in plain:
        chosen = ", ".join(f"coalesce(k{place}, '')" for place in file.places)
        declared = ", ".join(f"'k{place}': 'VARCHAR'" for place in range(file.n_columns))
        answered(
            connection,
            f"insert into cells select {chosen} from read_csv(?, auto_detect = false, "
            f"header = false, skip = 1, columns = {{{declared}}}, delim = {quoted(delimiter)}, "
            "quote = '', escape = '', nullstr = '', comment = '')",
            literal_path(file.path),
        )
        n_rows = _n_rows(connection)
        if (n_rows - n_before) * (file.n_columns - 1) != file.n_delimiters:
            return False
        n_before = n_rows
    return True


def _answer(connection: Any, wanted: list[str], weight: str | None, *, count: bool) -> CountedRows:
    casts = _casts(connection, len(wanted))
    if count and _repeats(connection):
        counted = _fetched(connection, casts, counting=True)
        counts = np.asarray(counted.pop(), dtype=np.int64)
        columns = dict(zip(wanted, counted, strict=True))
        if weight is None or sums_are_exact(columns[weight], counts):
            return CountedRows(columns, counts, None)
    rows = _fetched(connection, casts, counting=False)
    return CountedRows(dict(zip(wanted, rows, strict=True)), None, None)


def _repeats(connection: Any) -> bool:
    sample = connection.sql(f"from cells limit {SAMPLE_ROWS}")
    n_rows = _n_rows(connection)
    return counting_pays(len(sample), len(sample.distinct()), n_rows)


def _n_rows(connection: Any) -> int:
    return int(answered(connection, "select count(*) from cells")[0][0])


def _casts(connection: Any, n_columns: int, casts: dict[str, str] = CASTS) -> list[str | None]:
    """To what DuckDB may cast each column, looking at every cell; None where it may not."""
    found: list[str | None] = [None] * n_columns
    for kind, pattern in casts.items():
        open_ = [k for k in range(n_columns) if found[k] is None]
        tests = ", ".join(
            f"bool_and(c{k} in {_missing()} or regexp_full_match(c{k}, {quoted(pattern)})), "
            f"bool_or(c{k} not in {_missing()})"
            for k in open_
        )
        if open_:
            told = answered(connection, f"select {tests} from cells")[0]
            for place, k in enumerate(open_):
                found[k] = kind if told[2 * place] and told[2 * place + 1] else None
    return found


def _fetched(connection: Any, casts: list[str | None], *, counting: bool) -> list[Any]:
    """The columns of the table, or of its distinct rows with their counts as the last one."""
    chosen = [
        f"c{k}" if kind is None else f"cast({_present(k)} as {kind}) as c{k}"
        for k, kind in enumerate(casts)
    ]
    names = ", ".join(f"c{k}" for k in range(len(casts)))
    source = f"(select {names}, count(*) as n from cells group by all)" if counting else "cells"
    more = ["n"] if counting else []
    relation = connection.sql(f"select {', '.join(chosen + more)} from {source}")
    columns = list(relation.fetchnumpy().values())
    for k, kind in enumerate(casts):
        if kind is None:
            columns[k] = typed(columns[k].tolist())
    return columns


def _missing() -> str:
    return f"({', '.join(quoted(word) for word in sorted(MISSING_CELLS))})"


@contextmanager
def unpacked_lines(path: str) -> Iterator[Iterator[str]]:
    """The lines of a compressed text, which DuckDB unpacks and does not split."""
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
