"""Which engine reads a source: a frame, text that is open or small, or a file for DuckDB."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from rocwise.engines import duckdb_files
from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.frames import counted_frame, read_frame
from rocwise.engines.text_files import TEXT_SUFFIXES, read_text
from rocwise.errors import InputError

# importing DuckDB costs more than reading a text file up to this size without it
SMALL_FILE_BYTES = 2_000_000
SUFFIXES = (".csv", ".tsv", ".parquet", ".csv.gz", ".tsv.gz", ".csv.zst", ".pq")


def columns_of(source: Any, wanted: list[str]) -> tuple[dict[str, Any], str | None]:
    """The wanted columns by name, row by row, and the library of the frame (None for files)."""
    if isinstance(source, io.TextIOBase):
        return _open_text(source, wanted), None
    if not isinstance(source, (str, Path)):
        return read_frame(source, wanted)
    path = str(source)
    return (_small_file if _is_small_text(path) else duckdb_files.read_rows)(path, wanted), None


def counted_rows(source: Any, wanted: list[str], weight: str | None = None) -> CountedRows:
    """The wanted columns with equal rows counted once, where the source can count.

    `weight` is the one among them that holds weights, if any does.
    """
    if isinstance(source, io.TextIOBase):
        return CountedRows(_open_text(source, wanted), None, None)
    if not isinstance(source, (str, Path)):
        return counted_frame(source, wanted, weight)
    path = str(source)
    if _is_small_text(path):
        return CountedRows(_small_file(path, wanted), None, None)
    return duckdb_files.read_counts(path, wanted, weight)


def _is_small_text(path: str) -> bool:
    """Whether the file is text and small; refuses what is not there or of an unknown kind."""
    suffix = _suffix(path)
    is_glob = any(sign in path for sign in "*?[") and not os.path.exists(path)
    if not is_glob and not os.path.exists(path):
        raise FileNotFoundError(f"no such file: {path}")
    plain_text = suffix in TEXT_SUFFIXES and not is_glob
    return plain_text and os.path.getsize(path) <= SMALL_FILE_BYTES


def _suffix(path: str) -> str:
    for suffix in SUFFIXES[::-1]:
        if path.lower().endswith(suffix):
            return suffix
    raise InputError(
        f"`frame_or_path` {path!r} has an unknown ending; known are {', '.join(SUFFIXES)}."
    )


def _open_text(lines: io.TextIOBase, wanted: list[str]) -> dict[str, Any]:
    return read_text(lines, wanted, ",", str(getattr(lines, "name", "the text")))


def _small_file(path: str, wanted: list[str]) -> dict[str, Any]:
    with open(path, newline="", encoding="utf-8-sig") as lines:
        return read_text(lines, wanted, TEXT_SUFFIXES[_suffix(path)], path)
