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
from rocwise.engines.cells import typed
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
        if len({_kind(piece) for piece in pieces}) > 1:  # all cells of a column decide together
            return None
        if isinstance(pieces[0], list):
            columns[name] = typed([cell for piece in pieces for cell in piece])
        else:
            columns[name] = np.concatenate(pieces) if len(pieces) > 1 else pieces[0]
    return columns


def _kind(column: Any) -> str:
    return "text" if isinstance(column, list) else str(column.dtype.kind)


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
