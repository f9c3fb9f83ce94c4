"""Which engine reads a source: a frame, text, or the columns of a file that has types."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from os import PathLike
from typing import TYPE_CHECKING, Any

from rocwise import kernels
from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.frames import counted_frame, few_in_frame, read_frame
from rocwise.engines.paths import Files, files_of
from rocwise.engines.plain_text import read_at_once
from rocwise.engines.ranges.memory_shares import BYTES_PER_ROW
from rocwise.engines.text_files import read_files, read_text

if TYPE_CHECKING:
    from rocwise.engines.requests import LargeSource

# Text files up to this size are read whole: with compiled loops sooner than DuckDB does it, and
# without them sooner than it is imported.
SMALL_FILE_BYTES = 100_000_000 if kernels.ACTIVE == "compiled" else 2_000_000
PACKED_SHARE = 8  # compressed bytes count for more
MOST_PACKED = 1_000  # bytes that one of a compressed file can stand for
BYTES_PER_LETTER = 4  # of text


def columns_of(source: Any, wanted: list[str]) -> tuple[dict[str, Any], str | None]:
    """The wanted columns by name, row by row, and the library of the frame (None for files)."""
    if isinstance(source, (str, PathLike, io.TextIOBase)):
        return _read(source, wanted, None, count=False).columns, None
    return read_frame(source, wanted)


def counted_rows(source: Any, wanted: list[str], weight: str | None = None) -> CountedRows:
    """The wanted columns with equal rows counted once, where the source can count.

    `weight` is the one among them that holds weights, if any does.
    """
    if isinstance(source, (str, PathLike, io.TextIOBase)):
        return _read(source, wanted, weight, count=True)
    return counted_frame(source, wanted, weight)


@contextmanager
def large_source(
    source: Any, wanted: list[str], memory: int, *, counting: bool = False
) -> Iterator[LargeSource | None]:
    """A source with more rows than `memory` (bytes) holds, open for questions; else None.

    Questions may be about the `wanted` columns. With `counting` it is also None where the engine
    of a lazy frame finds so few distinct rows that these fit, whatever the number of rows.
    """
    large = _large(source, wanted, memory, counting=counting)
    with large or nullcontext() as rows:
        yield rows


def _large(
    source: Any, wanted: list[str], memory: int, *, counting: bool
) -> AbstractContextManager[LargeSource | None] | None:
    if isinstance(source, (str, PathLike)):
        return _large_files(files_of(source), wanted, memory)
    from rocwise.engines.spark import is_spark_frame, spark_source

    if is_spark_frame(source):
        return spark_source(source)
    from rocwise.engines.ranges import conversions

    if conversions.lazy_kind(source) is None:
        return None
    source = conversions.unwrapped(source)
    n_rows = conversions.rows_of_lazy(source)
    if n_rows * BYTES_PER_ROW <= memory:
        return None
    if counting and few_in_frame(source, wanted, n_rows):  # its own engine counts them
        return None
    return conversions.converted(source, wanted, memory)


def _large_files(
    files: Files, wanted: list[str], memory: int
) -> AbstractContextManager[LargeSource | None] | None:
    if files.once or files.ending.endswith(".zst") or find_spec("duckdb") is None:
        return None
    from rocwise.engines.ranges import conversions, parquet_rows

    if not files.is_text:
        from rocwise.engines.parquet_files import n_rows

        fits = n_rows(files) * BYTES_PER_ROW <= memory
        return None if fits else parquet_rows.opened(files, memory)
    size = files.size() * (PACKED_SHARE if files.packed else 1)
    fits = size * BYTES_PER_LETTER <= memory
    return None if fits else conversions.text_as_table(files, wanted, memory)


def _read(
    source: str | PathLike[str] | io.TextIOBase,
    wanted: list[str],
    weight: str | None,
    *,
    count: bool,
) -> CountedRows:
    if isinstance(source, io.TextIOBase):
        name = str(getattr(source, "name", "the text"))
        return CountedRows(read_text(source, wanted, ",", name), None, None)
    files = files_of(source)
    if not files.is_text:
        from rocwise.engines.parquet_files import read_parquet

        return read_parquet(files, wanted, weight, count=count)
    found = None
    haste = not (files.once or files.ending.endswith(".zst"))  # nobody can look at these beforehand
    size = files.size() if haste else 0
    if haste and size * (PACKED_SHARE if files.packed else 1) <= SMALL_FILE_BYTES:
        columns = read_at_once(files, wanted, 2 * SMALL_FILE_BYTES)
        found = columns and CountedRows(columns, None, None)
    large = haste and size * (MOST_PACKED if files.packed else 1) > SMALL_FILE_BYTES
    if large and not found and find_spec("duckdb") is not None:
        from rocwise.engines.duckdb_text import read_plain

        found = read_plain(files, wanted, weight, count=count)
    return found or CountedRows(read_files(files, wanted), None, None)
