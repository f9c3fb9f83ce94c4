"""Cells as bytes that are the same on every machine, with a version and a checksum."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from rocwise.data.sketches.score_cells import ScoreCells, are_apart
from rocwise.errors import InputError

MAGIC, VERSION = b"RWTALLY", 1
HEAD = struct.Struct("<7sBIQ")  # magic, version, bytes of what is said, cells
CHECKSUM = 16
KINDS = (("lowest", "<f8"), ("highest", "<f8"), ("shifts", "u1"), ("pos", "<i8"), ("neg", "<i8"))


def packed(cells: ScoreCells, said: dict[str, Any]) -> bytes:
    """Bytes of cells and of what is said about them."""
    import json

    words = json.dumps(said, sort_keys=True).encode()
    parts = [HEAD.pack(MAGIC, VERSION, len(words), len(cells)), words]
    parts += [getattr(cells, name).astype(kind).tobytes() for name, kind in KINDS]
    body = b"".join(parts)
    return body + _checksum(body)


def unpacked(data: Any) -> tuple[ScoreCells, dict[str, Any]]:
    """Cells and what is said about them; refuses bytes that are not whole.

    >>> unpacked(b"RWTALLY")
    Traceback (most recent call last):
    ...
    rocwise.errors.InputError: these are no bytes of a TallySketch: 7 bytes are too few.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise InputError(
            f"a TallySketch is read from bytes, as `to_bytes` gave them; got {type(data).__name__}."
        )
    data = bytes(data)
    if len(data) < HEAD.size + CHECKSUM:
        raise InputError(f"these are no bytes of a TallySketch: {len(data)} bytes are too few.")
    magic, version, n_words, n_cells = HEAD.unpack_from(data)
    if magic != MAGIC:
        raise InputError(f"these are no bytes of a TallySketch: they begin with {data[:7]!r}.")
    if version != VERSION:
        raise InputError(
            f"these bytes are of version {version} of TallySketch, and this rocwise reads version "
            f"{VERSION}. Read them with the rocwise that wrote them, or a newer one."
        )
    size = HEAD.size + n_words + n_cells * sum(np.dtype(kind).itemsize for _, kind in KINDS)
    if len(data) != size + CHECKSUM:
        raise InputError(
            f"the bytes of this TallySketch are not whole: {len(data):,} of {size + CHECKSUM:,}."
        )
    if data[size:] != _checksum(data[:size]):
        raise InputError("the bytes of this TallySketch are damaged: their checksum is another.")
    return _cells(data, HEAD.size + n_words, n_cells), _said(data, n_words)


def _cells(data: bytes, place: int, n_cells: int) -> ScoreCells:
    columns = []
    for _, kind in KINDS:
        dtype = np.dtype(kind)
        columns.append(np.frombuffer(data, dtype, n_cells, place).astype(dtype.newbyteorder("=")))
        place += n_cells * dtype.itemsize
    cells = ScoreCells(*columns)
    if not _are_usable(cells):
        raise InputError("the bytes of this TallySketch hold cells that no scores can make.")
    return cells


def _said(data: bytes, n_words: int) -> dict[str, Any]:
    import json

    try:
        said = json.loads(data[HEAD.size : HEAD.size + n_words])
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise InputError("the bytes of this TallySketch do not say what they are about.")
    return said


def _are_usable(cells: ScoreCells) -> bool:
    """Whether cells are apart and in order, and counts are counts."""
    if not len(cells):
        return True
    right = (
        bool(np.all(cells.lowest <= cells.highest))  # not so for nan
        and bool(np.all(cells.shifts <= 64))
        and bool(np.all(np.minimum(cells.pos, cells.neg) >= 0))
        and bool(np.all(cells.highest[:-1] < cells.lowest[1:]))
    )
    return right and are_apart(cells)


def _checksum(body: bytes) -> bytes:
    import hashlib

    return hashlib.blake2b(body, digest_size=CHECKSUM).digest()
