"""A DuckDB that reads the files it is given and nothing else."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rocwise.errors import missing_package
from rocwise.kernels.threads import thread_limit

# no code from the internet, whatever a path looks like
CLOSED = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}


@contextmanager
def connected(
    paths: Sequence[str], purpose: str, memory: int | None = None, folder: str | None = None
) -> Iterator[Any]:
    """A connection in memory that may open these files only, and write to `folder`.

    `memory` is how many bytes DuckDB may hold; what is more goes to `folder`.
    """
    try:
        import duckdb
    except ImportError:
        raise missing_package("duckdb", "files", purpose) from None
    connection = duckdb.connect(config=dict(CLOSED))
    try:
        spelled = {os.path.abspath(path) for path in paths} | set(map(literal_path, paths))
        allowed = ", ".join(map(quoted, sorted(spelled)))
        connection.execute(f"set allowed_paths = [{allowed}]")
        if memory is not None:
            connection.execute(f"set memory_limit = '{memory}B'")
            connection.execute("set preserve_insertion_order = false")
        if folder is not None:
            connection.execute(f"set temp_directory = {quoted(folder)}")
            connection.execute(f"set allowed_directories = [{quoted(folder)}]")
        connection.execute(f"set threads = {thread_limit()}")
        connection.execute("set enable_progress_bar = false")  # it would write among our answers
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
