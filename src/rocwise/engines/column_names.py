"""What a file holds, from its first rows: names of the columns and a few of their values."""

from __future__ import annotations

import csv
import gzip
import zlib
from itertools import islice
from os import PathLike
from typing import Any

from rocwise.engines.cells import typed
from rocwise.engines.paths import Files, files_of
from rocwise.engines.text_files import cell_reader, text_lines
from rocwise.errors import InputError

Sample = dict[str, Any]


def first_rows(path: str | PathLike[str], rows: int) -> Sample:
    """The columns by name, each with its first values; of columns with one name, the first."""
    files = files_of(path)
    return _of_text(files, rows) if files.is_text else _of_parquet(files, rows)


def _of_text(files: Files, rows: int) -> Sample:
    path = files.paths[0]
    try:
        with text_lines(path) as lines:
            table = list(islice(cell_reader(lines, files.delimiter), rows + 1))
    except (UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"{path} cannot be read as text with commas or tabs: {problem}.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
        raise InputError(f"{path} cannot be read: {str(problem).rstrip('.')}.") from None
    if not table or not any(table[0]):
        raise InputError(f"{path} is empty: a header line with column names is needed.")
    header, *body = table
    found: Sample = {}
    for place, name in enumerate(header):
        found.setdefault(name, typed([row[place] for row in body if len(row) > place]))
    return found


def _of_parquet(files: Files, rows: int) -> Sample:
    from rocwise.engines.duckdb_access import connected, literal_path

    path = files.paths[0]
    with connected(files.paths, f"reading {path}") as connection:
        import duckdb

        try:
            relation = connection.sql(
                "select * from read_parquet(?, hive_partitioning = false)",
                params=[literal_path(path)],
            )
            return dict(relation.limit(rows).fetchnumpy())
        except duckdb.Error as problem:
            reason = " ".join(str(problem).partition("\n\n")[0].split())
            raise InputError(f"{path} cannot be read: {reason}") from None
