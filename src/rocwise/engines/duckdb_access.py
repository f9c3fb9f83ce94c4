"""A DuckDB that reads the files it is given and nothing else."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rocwise.errors import missing_package

# no code from the internet, whatever a path looks like
CLOSED = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}


@contextmanager
def connected(paths: Sequence[str], purpose: str) -> Iterator[Any]:
    """A connection in memory that may open these files only."""
    try:
        import duckdb
    except ImportError:
        raise missing_package("duckdb", "files", purpose) from None
    connection = duckdb.connect(config=dict(CLOSED))
    try:
        spelled = {os.path.abspath(path) for path in paths} | set(map(literal_path, paths))
        allowed = ", ".join(map(quoted, sorted(spelled)))
        connection.execute(f"set allowed_paths = [{allowed}]")
        connection.execute("set enable_external_access = false")
        # a damaged file may say that its values are others than they are
        connection.execute("set disabled_optimizers = 'statistics_propagation'")
        yield connection
    finally:
        connection.close()


def literal_path(path: str) -> str:
    """The path as DuckDB must get it to take every sign literally."""
    return glob.escape(os.path.abspath(path))


def quoted(text: str) -> str:
    """Text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def answered(connection: Any, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """All rows of an answer; DuckDB does nothing else while some are left."""
    return list(connection.execute(query, list(values)).fetchall())
