"""Columns of a table by name, as they are, for callers that have more to say about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocwise.engines import columns_of
from rocwise.engines.sources import first_rows

__all__ = ["first_rows", "named_columns"]


def named_columns(frame_or_path: Any, names: Sequence[str]) -> dict[str, Any]:
    r"""The columns of a frame, a file or an open text file with a header line.

    >>> import io
    >>> named_columns(io.StringIO("ill,score\n0,0.5\n1,0.7\n"), ["ill"])["ill"].tolist()
    [0, 1]
    """
    return columns_of(frame_or_path, list(dict.fromkeys(names)))[0]
