"""A file that was dropped, taken in piece by piece and never beyond the limit."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

from rocwise.serving.guards import too_large

ENDING = re.compile(r"(\.(?:csv|tsv)(?:\.(?:gz|zst))?|\.parquet|\.pq)$", re.IGNORECASE)
LONGEST_NAME = 120


class TooLargeError(ValueError):
    """More came than the studio takes."""


def shown_name(given: str) -> str:
    r"""The last part of a file's name, without signs that steer a terminal or a path.

    >>> shown_name("../../etc/pass\nwd.csv")
    'passwd.csv'
    """
    last = re.split(r"[/\\]", given)[-1]
    plain = "".join(sign for sign in last if sign.isprintable()).strip()
    return plain[-LONGEST_NAME:] or "file"


def place_for(folder: Path, number: int, name: str) -> Path:
    """Where a file is kept: a name of our own, with only the ending taken from what was given.

    >>> place_for(Path("/s"), 3, "../x.CSV.gz").as_posix()
    '/s/file-3.csv.gz'
    """
    ending = ENDING.search(name)
    return folder / f"file-{number}{ending[0].lower() if ending else '.unknown'}"


async def received(pieces: AsyncIterator[bytes], target: Path, largest: int) -> int:
    """Write what comes, and say how much it was; nothing stays of a file that is too large."""
    size = 0
    try:
        with target.open("wb") as file:
            async for piece in pieces:
                size += len(piece)
                _refuse_beyond(largest, size)
                file.write(piece)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    return size


def _refuse_beyond(largest: int, size: int) -> None:
    if size > largest:
        raise TooLargeError(too_large(largest))
