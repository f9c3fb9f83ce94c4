"""Long columns of numbers as JSON text.

Python writes a number in half a microsecond. DuckDB, which is loaded where it has read the file,
takes a tenth of that for the same digits: the fewest that stand for the number. Nothing is loaded
for it, and without it columns are lists.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise.plain_values import columns_written_by

MANY = 10_000  # numbers; for fewer a connection is not worth it
QUERY = "select to_json(list(number))::varchar from numbers"
CLOSED = {
    **{"threads": 1, "enable_external_access": False},
    **{"autoinstall_known_extensions": False, "autoload_known_extensions": False},
}


@dataclass(frozen=True)
class JsonText:
    """A value that is JSON already."""

    text: str


@contextmanager
def long_columns() -> Iterator[None]:
    """Within it, answers as plain values have long columns of numbers as `JsonText`."""
    duckdb: Any = sys.modules.get("duckdb")
    if duckdb is None:
        yield
        return
    writer = _Writer(duckdb)
    try:
        with columns_written_by(writer.text_of):
            yield
    finally:
        writer.close()


class _Writer:
    """A connection that is opened when the first long column comes."""

    def __init__(self, duckdb: Any) -> None:
        self._duckdb = duckdb
        self._connection: Any = None

    def text_of(self, column: Any) -> JsonText | None:
        """The column as JSON, null where it is masked or not finite; None for Python to write."""
        plain = column.ndim == 1 and column.dtype.kind in "fi" and column.dtype.itemsize == 8
        if not plain or len(column) < MANY:
            return None
        numbers = np.ma.getdata(column)
        if column.dtype.kind == "f":
            absent = np.ma.getmaskarray(column) | ~np.isfinite(numbers)
            numbers = np.where(absent, np.nan, numbers) if bool(absent.any()) else numbers
        elif np.ma.is_masked(column):
            return None
        try:
            if self._connection is None:
                self._connection = self._duckdb.connect(config=dict(CLOSED))
            self._connection.register("numbers", {"number": np.ascontiguousarray(numbers)})
            ((text,),) = self._connection.execute(QUERY).fetchall()
            self._connection.unregister("numbers")
        except self._duckdb.Error:  # built without JSON: Python can do it, too
            return None
        return JsonText(text.replace(",", ", "))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
