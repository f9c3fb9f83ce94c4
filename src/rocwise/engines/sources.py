"""The engine for a source: a DataFrame, text, or Parquet."""

import io
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from importlib.util import find_spec
from os import PathLike
from typing import TYPE_CHECKING, Any

from rocwise.engines import frames
from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.frames import counted_frame, few_in_frame, n_rows_of, read_frame, unwrapped
from rocwise.engines.interrupts import interruptible
from rocwise.engines.out_of_core.large_sources import (
    BYTES_PER_KEY,
    BYTES_PER_ROW,
    BYTES_PER_TEXT,
)
from rocwise.engines.paths import TABLES, Files, files_of, files_of_all
from rocwise.engines.text_files import first_text_rows, read_files, read_plain, read_text
from rocwise.engines.text_formats import TextFile

if TYPE_CHECKING:
    from rocwise.engines.out_of_core.large_sources import LargeSource

SMALL_FILE_BYTES = 2_000_000  # smaller files are parsed sooner than DuckDB is imported
PACKED_FACTOR = 8  # usual bytes of text in a compressed byte
LARGEST_PACKED_FACTOR = 1_000
BYTES_PER_LETTER = 4  # of text
TYPED_ROWS = 100  # that show whether a column that is not of numbers can be one of scores


@interruptible()
def columns_of(source: Any, wanted: list[str]) -> tuple[dict[str, Any], str | None]:
    """The wanted columns by name, row by row, and the library of the frame (None for files)."""
    if isinstance(source, io.IOBase) or is_path(source):
        return _read(source, wanted, None, count=False).columns, None
    return read_frame(source, wanted)


@interruptible()
def counted_rows(source: Any, wanted: list[str], weight: str | None = None) -> CountedRows:
    """The wanted columns, `weight` among them, with equal rows counted if the engine can count."""
    if isinstance(source, io.IOBase) or is_path(source):
        return _read(source, wanted, weight, count=True)
    return counted_frame(source, wanted, weight)


@interruptible()
def first_rows(path: str | PathLike[str], rows: int, wanted: Sequence[str] = ()) -> dict[str, Any]:
    """The first values of all columns of a file, by name; those `wanted` show its header."""
    files = _files(path)
    if files.is_text:
        return first_text_rows(files, rows, wanted)
    from rocwise.engines.parquet_files import first_parquet_rows

    return first_parquet_rows(files, rows)


@interruptible()
def first_non_numeric(source: Any, wanted: list[str]) -> tuple[dict[str, Any], str | None]:
    """First values of the columns with types other than numbers, and the library of the frame.

    Of text, which has no types, of small files and of frames in memory there are none.
    """
    if is_path(source):
        files = _files(source)
        if files.ending not in TABLES or files.size() <= SMALL_FILE_BYTES:
            return {}, None
        from rocwise.engines import parquet_files

        return parquet_files.first_non_numeric(files, wanted, TYPED_ROWS), None
    if is_lazy(source):
        return frames.first_non_numeric(source, wanted, TYPED_ROWS)
    return {}, None


def _read(
    source: "str | PathLike[str] | io.IOBase",
    wanted: list[str],
    weight: str | None,
    *,
    count: bool,
) -> CountedRows:
    if isinstance(source, io.IOBase):
        requested = getattr(source, "requested", None) or TextFile(
            str(getattr(source, "name", "the text"))
        )
        return CountedRows(read_text(source, wanted, requested), None, None)
    files = _files(source)
    if not files.is_text:
        from rocwise.engines.parquet_files import read_parquet

        return read_parquet(files, wanted, weight, count=count)
    found = None
    if _is_large(files) and find_spec("duckdb") is not None:
        found = read_plain(files, wanted, weight, count=count)
    return found or CountedRows(read_files(files, wanted), None, None)


def is_path(source: Any) -> bool:
    """Whether this is a path, or a list of paths."""
    if isinstance(source, (list, tuple)):
        return bool(source) and all(isinstance(each, (str, PathLike)) for each in source)
    return isinstance(source, (str, PathLike))


def _files(path: Any) -> Files:
    """The files of a path or of several, with what was requested of their text."""
    files = files_of_all(path) if isinstance(path, (list, tuple)) else files_of(path)
    return replace(files, requested=path) if isinstance(path, TextFile) else files


def _is_large(files: Files) -> bool:
    factor = LARGEST_PACKED_FACTOR if files.packed else 1
    return files.seekable and files.size() * factor > SMALL_FILE_BYTES


def large_source(
    source: Any,
    wanted: list[str],
    memory: int,
    *,
    keys: Sequence[str] = (),
    counting: bool = False,
) -> "AbstractContextManager[LargeSource | None]":
    """A source with more rows than fit into `memory` (bytes), opened; None if rows, or counts, fit.

    `keys` are those of the wanted columns that have clusters or groups.
    """
    if is_path(source):
        return _large_files(_files(source), wanted, memory, _row_bytes(source, keys))
    if is_spark_frame(source):
        from rocwise.engines.spark import SparkSource

        return nullcontext(SparkSource(source))
    from rocwise.engines.out_of_core import parquet_rows

    if type(source).__name__ == "RecordBatchReader":
        return nullcontext()
    source = unwrapped(source)
    if parquet_rows.lazy_kind(source) is None:
        return nullcontext()
    n_rows = n_rows_of(source)
    fits = n_rows * _row_bytes(source, keys) <= memory
    if fits or (counting and few_in_frame(source, wanted, n_rows)):
        return nullcontext()
    return parquet_rows.converted(source, wanted, memory)


def _row_bytes(source: Any, keys: Sequence[str]) -> int:
    """Memory of a row of columns with types."""
    texts, _ = first_non_numeric(source, list(keys)) if keys else ({}, None)
    return BYTES_PER_ROW + BYTES_PER_KEY * len(keys) + BYTES_PER_TEXT * len(texts)


def is_lazy(source: Any) -> bool:
    """Whether this is a lazy frame of Polars or a relation of DuckDB, or is read as one."""
    if type(source).__module__.partition(".")[0] == "pyarrow":
        return type(source).__name__.endswith("Dataset")
    from rocwise.engines.out_of_core.parquet_rows import lazy_kind

    return lazy_kind(source) is not None


def is_spark_frame(source: Any) -> bool:
    """Whether this is a DataFrame of Spark, classic or Connect; imports nothing."""
    return any(
        kind.__module__.startswith("pyspark.sql.") and kind.__name__ == "DataFrame"
        for kind in type(source).__mro__
    )


def _large_files(
    files: Files, wanted: list[str], memory: int, row_bytes: int
) -> "AbstractContextManager[LargeSource | None]":
    if not files.seekable or find_spec("duckdb") is None:
        return nullcontext()
    if files.is_text:
        size = files.size() * (PACKED_FACTOR if files.packed else 1)
        fits = size * BYTES_PER_LETTER <= memory
    else:
        from rocwise.engines.parquet_files import n_rows

        fits = n_rows(files) * row_bytes <= memory
    if fits:
        return nullcontext()
    from rocwise.engines.out_of_core import parquet_rows

    if files.is_text:
        return parquet_rows.text_as_table(files, wanted, memory)
    return parquet_rows.opened(files, memory)
