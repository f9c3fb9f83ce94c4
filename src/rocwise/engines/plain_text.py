"""Plain text files that fit into memory, read in one pass by a compiled loop.

Plain are those without a quote below the header, in which every line has all its cells: of these
there is one reading. Everything else, refusals too, is left to `text_files`.
"""

from __future__ import annotations

import csv
import zlib
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.engines.cells import LARGEST_EXACT_INTEGER, typed
from rocwise.engines.paths import Files
from rocwise.engines.text_files import cell_reader, column_places, raw_bytes

LONGEST_HEADER = 1_000_000


def read_at_once(files: Files, wanted: list[str], most: int) -> dict[str, Any] | None:
    """The wanted columns; None where files are not plain, or hold more than `most` bytes."""
    names = list(dict.fromkeys(wanted))
    parts = []
    for path in files.paths:
        part = _columns(path, names, files.delimiter, most)
        if part is None:
            return None
        parts.append(part)
    columns = {}
    for name, pieces in zip(names, zip(*parts, strict=True), strict=True):
        columns[name] = _joined(pieces)
        if columns[name] is None:
            return None
    return columns


def _joined(pieces: tuple[Any, ...]) -> Any:
    """One column of the pieces that files hold of it, as `typed` has it for all their cells.

    None where only the cells as they are written tell: some files hold words, others numbers.
    """
    if len(pieces) == 1 and not isinstance(pieces[0], list):
        return pieces[0]
    if all(isinstance(piece, list) for piece in pieces):
        return typed([cell for piece in pieces for cell in piece])
    numbers = [_whole_or_missing(p) if isinstance(p, list) else p for p in pieces]
    if any(piece is None for piece in numbers):
        return None
    if any(piece.dtype.kind == "f" for piece in numbers):
        return np.concatenate([piece.astype(float) for piece in numbers])  # None becomes nan
    return np.concatenate(numbers)


def _whole_or_missing(cells: list[str]) -> Any:
    """Cells among which there is no fraction, and none that a float does not hold."""
    column = typed(cells)
    present = [value for value in column.tolist() if value is not None]
    exact = all(type(value) is int and abs(value) < LARGEST_EXACT_INTEGER for value in present)
    return column if exact else None


def _columns(path: str, wanted: list[str], delimiter: str, most: int) -> Any:
    """The columns of one file as `kernels.cell_columns` has them."""
    try:
        with raw_bytes(path) as raw:
            header = plain_header(raw.readline(LONGEST_HEADER), delimiter)
            if header is None:
                return None
            places = column_places(header, wanted, path)
            text = raw.read(most + 1)
        if len(text) > most or b'"' in text or b"\0" in text:
            return None
        if not text.isascii():
            text.decode()  # refused where it cannot be
        return kernels.cell_columns(text, len(header), places, delimiter)
    except (OSError, ValueError, EOFError, csv.Error, zlib.error):
        return None  # refused, in words for files of every size, by `text_files`


def plain_header(line: bytes, delimiter: str) -> list[str] | None:
    """The cells of the first line, if they end with it."""
    text = line.decode("utf-8-sig")
    if not text.endswith("\n") or text.count('"') % 2 or "\r" in text.rstrip("\r\n"):
        return None
    cells = next(cell_reader([text], delimiter), None)
    return None if cells and cells[-1].endswith("\n") else cells  # a quote that is still open
