"""Where columns come from: data frames in memory, small text files, and DuckDB for the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rocwise.engines.frames import read_frame
from rocwise.engines.text_files import read_file

__all__ = ["columns_of"]


def columns_of(source: Any, wanted: list[str]) -> tuple[dict[str, Any], str | None]:
    """The wanted columns by name, and the library of the frame (None for files)."""
    if isinstance(source, (str, Path)):
        return read_file(str(source), wanted), None
    return read_frame(source, wanted)
