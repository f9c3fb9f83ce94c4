"""The engine for a source: a DataFrame, text, or Parquet."""

import io
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from importlib.util import find_spec
from os import PathLike
from typing import TYPE_CHECKING, Any

from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.frames import counted_frame, few_in_frame, n_rows_of, read_frame
from rocwise.engines.interrupts import interruptible
from rocwise.engines.out_of_core.large_sources import BYTES_PER_ROW
from rocwise.engines.paths import Files, files_of
from rocwise.engines.text_files import first_text_rows, read_files, read_plain, read_text
from rocwise.engines.text_formats import TextFile

if TYPE_CHECKING:
    from rocwise.engines.out_of_core.large_sources import LargeSource

SMALL_FILE_BYTES = 2_000_000  # smaller files are parsed sooner than DuckDB is imported
PACKED_FACTOR = 8  # usual bytes of text in a compressed byte
LARGEST_PACKED_FACTOR = 1_000
BYTES_PER_LETTER = 4  # of text


@interruptible()
def columns_of(source: Any, wanted: list[str]) -> tuple[dict[str, Any], str | None]:
    """The wanted columns by name, row by row, and the library of the frame (None for files)."""
    if isinstance(source, (str, PathLike, io.IOBase)):
        return _read(source, wanted, None, count=False).columns, None
    return read_frame(source, wanted)


@interruptible()
def counted_rows(source: Any, wanted: list[str], weight: str | None = None) -> CountedRows:
    """The wanted columns, `weight` among them, with equal rows counted if the engine can count."""
    if isinstance(source, (str, PathLike, io.IOBase)):
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


def _read(
    source: "str | PathLike[str] | io.IOBase",
    wanted: list[str],
    weight: str | None,
    *,
    count: bool,
) -> CountedRows:
    if isinstance(source, io.IOBase):
        asked = getattr(source, "asked", None) or TextFile(str(getattr(source, "name", "the text")))
        return CountedRows(read_text(source, wanted, asked), None, None)
    files = _files(source)
    if not files.is_text:
        from rocwise.engines.parquet_files import read_parquet

        return read_parquet(files, wanted, weight, count=count)
    found = None
    if _is_large(files) and find_spec("duckdb") is not None:
        found = read_plain(files, wanted, weight, count=count)
    return found or CountedRows(read_files(files, wanted), None, None)


def _files(path: str | PathLike[str]) -> Files:
    """The files of a path, with what was requested of their text."""
    files = files_of(path)
    return replace(files, asked=path) if isinstance(path, TextFile) else files


def _is_large(files: Files) -> bool:
    factor = LARGEST_PACKED_FACTOR if files.packed else 1
    return files.seekable and files.size() * factor > SMALL_FILE_BYTES


def large_source(
    source: Any, wanted: list[str], memory: int, *, counting: bool = False
) -> "AbstractContextManager[LargeSource | None]":
    """A source with more rows than `memory` (bytes) holds, opened; None if rows, or counts, fit."""
    if isinstance(source, (str, PathLike)):
        return _large_files(_files(source), wanted, memory)
    if is_spark_frame(source):
        from rocwise.engines.spark import SparkSource

        return nullcontext(SparkSource(source))
    from rocwise.engines.out_of_core import parquet_rows

    if parquet_rows.lazy_kind(source) is None:
        return nullcontext()
    source = parquet_rows.unwrapped(source)
    n_rows = n_rows_of(source)
    fits = n_rows * BYTES_PER_ROW <= memory
    if fits or (counting and few_in_frame(source, wanted, n_rows)):
        return nullcontext()
    return parquet_rows.converted(source, wanted, memory)


def is_spark_frame(source: Any) -> bool:
    """Whether this is a DataFrame of Spark, classic or Connect; imports nothing."""
    return any(
        kind.__module__.startswith("pyspark.sql.") and kind.__name__ == "DataFrame"
        for kind in type(source).__mro__
    )


def _large_files(
    files: Files, wanted: list[str], memory: int
) -> "AbstractContextManager[LargeSource | None]":
    if not files.seekable or find_spec("duckdb") is None:
        return nullcontext()
    if files.is_text:
        size = files.size() * (PACKED_FACTOR if files.packed else 1)
        fits = size * BYTES_PER_LETTER <= memory
    else:
        from rocwise.engines.parquet_files import n_rows

        fits = n_rows(files) * BYTES_PER_ROW <= memory
    if fits:
        return nullcontext()
    from rocwise.engines.out_of_core import parquet_rows

    if files.is_text:
        return parquet_rows.text_as_table(files, wanted, memory)
    return parquet_rows.opened(files, memory)
