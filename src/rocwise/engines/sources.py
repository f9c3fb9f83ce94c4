"""Which engine reads a source: a frame, text, or the columns of a file that has types."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.frames import counted_frame, read_frame
from rocwise.engines.paths import Files, files_of
from rocwise.engines.text_files import read_files, read_text

# importing DuckDB costs more than reading a text file up to this size without it
SMALL_FILE_BYTES = 2_000_000
PACKED_SHARE = 8  # compressed bytes count for more


def columns_of(source: Any, wanted: list[str]) -> tuple[dict[str, Any], str | None]:
    """The wanted columns by name, row by row, and the library of the frame (None for files)."""
    if isinstance(source, (str, Path, io.TextIOBase)):
        return _read(source, wanted, None, count=False).columns, None
    return read_frame(source, wanted)


def counted_rows(source: Any, wanted: list[str], weight: str | None = None) -> CountedRows:
    """The wanted columns with equal rows counted once, where the source can count.

    `weight` is the one among them that holds weights, if any does.
    """
    if isinstance(source, (str, Path, io.TextIOBase)):
        return _read(source, wanted, weight, count=True)
    return counted_frame(source, wanted, weight)


def _read(
    source: str | Path | io.TextIOBase, wanted: list[str], weight: str | None, *, count: bool
) -> CountedRows:
    if isinstance(source, io.TextIOBase):
        name = str(getattr(source, "name", "the text"))
        return CountedRows(read_text(source, wanted, ",", name), None, None)
    files = files_of(source)
    if not files.is_text:
        from rocwise.engines.parquet_files import read_parquet

        return read_parquet(files, wanted, weight, count=count)
    found = None
    if _is_large(files) and find_spec("duckdb") is not None:
        from rocwise.engines.duckdb_text import read_plain

        found = read_plain(files, wanted, weight, count=count)
    return found or CountedRows(read_files(files, wanted), None, None)


def _is_large(files: Files) -> bool:
    """Whether haste pays; DuckDB alone unpacks .zst, so that nobody can look at it beforehand."""
    if files.once or files.ending.endswith(".zst"):
        return False
    return files.size() * (PACKED_SHARE if files.packed else 1) > SMALL_FILE_BYTES
