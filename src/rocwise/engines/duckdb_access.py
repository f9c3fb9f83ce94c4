"""DuckDB connections that read the given files and nothing else, and columns of their results."""

import errno
import glob
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from rocwise.engines.counted_rows import SAMPLE_ROWS, CountedRows, counting_pays, sums_are_exact
from rocwise.engines.interrupts import cleaned_up
from rocwise.engines.paths import Files
from rocwise.errors import InputError, MemoryLimitError, missing_package
from rocwise.kernels.threads import thread_limit

# no code from the internet, whatever a path looks like
CLOSED = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
EXACT = re.compile(r"DECIMAL|U?HUGEINT")  # types that Python has and numpy has not
DURATION = "DURATION"  # not a type of DuckDB: Arrow stores durations in Parquet as integers


@contextmanager
def connected(
    paths: Sequence[str], purpose: str, memory: int | None = None, folder: str | None = None
) -> Iterator[Any]:
    """A connection that may open these files only; beyond `memory` bytes it writes to `folder`."""
    try:
        import duckdb
    except ImportError:
        raise missing_package("duckdb", "files", purpose) from None
    with cleaned_up() as interruptible_part:
        connection = duckdb.connect(config=dict(CLOSED))
        try:
            _configure(connection, paths, memory, folder)
            with interruptible_part():
                yield connection
        finally:
            connection.close()


def _configure(
    connection: Any, paths: Sequence[str], memory: int | None, folder: str | None
) -> None:
    """Limit a connection to some files and so much memory."""
    spellings = {os.path.abspath(path) for path in paths} | set(map(literal_path, paths))
    allowed = ", ".join(map(quoted, sorted(spellings)))
    connection.execute(f"set allowed_paths = [{allowed}]")
    if memory is not None:
        connection.execute(f"set memory_limit = '{memory}B'")
        connection.execute("set preserve_insertion_order = false")
    if folder is not None:
        connection.execute(f"set temp_directory = {quoted(folder)}")
        connection.execute(f"set allowed_directories = [{quoted(folder)}]")
    connection.execute(f"set threads = {thread_limit()}")
    connection.execute("set enable_progress_bar = false")  # it would write to standard output
    connection.execute("set enable_external_access = false")
    # statistics of a damaged file may contradict its values; a join in place of a long IN loses
    # the order of the rows
    connection.execute("set disabled_optimizers = 'statistics_propagation,in_clause'")


def literal_path(path: str) -> str:
    """The path with all characters escaped that DuckDB would read as a pattern."""
    return glob.escape(os.path.abspath(path))


def quoted(text: str) -> str:
    """Text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def fetch_all(connection: Any, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """All rows of a result; DuckDB runs nothing else while some are left."""
    return list(connection.execute(query, list(values)).fetchall())


def read_relation(
    relation: Any, kinds: list[str], wanted: list[str], weight: str | None, *, count: bool
) -> CountedRows:
    """The columns; with `count`, equal rows counted if they repeat and weights add up exactly."""
    if count and _repeats(relation):
        grouped = relation.aggregate("*, count(*) as n", ", ".join(relation.columns))
        *columns, counts = fetch_columns(grouped, [*kinds, ""])
        counts = np.asarray(counts, dtype=np.int64)
        found = dict(zip(wanted, columns, strict=True))
        if weight is None or sums_are_exact(found[weight], counts):
            return CountedRows(found, counts, None)
    columns = fetch_columns(relation, kinds)
    return CountedRows(dict(zip(wanted, columns, strict=True)), None, None)


def _repeats(relation: Any) -> bool:
    sample = relation.limit(SAMPLE_ROWS)
    return counting_pays(len(sample), len(sample.distinct()), len(relation))


def fetch_columns(relation: Any, kinds: list[str]) -> list[Any]:
    """The columns of a relation, in their order, as numpy arrays."""
    columns = list(relation.fetchnumpy().values())
    return [as_numpy(column, kind) for column, kind in zip(columns, kinds, strict=True)]


def as_numpy(column: Any, kind: str) -> Any:
    """A fetched column, with Python objects for types that numpy lacks."""
    if kind == DURATION:
        return column.astype("timedelta64[s]")  # an invalid score, as in a DataFrame
    if kind == "DATE":
        return column.astype("datetime64[D]")
    if kind == "BLOB":
        return objects([None if cell is None else bytes(cell) for cell in column.tolist()])
    if not EXACT.match(kind):
        return column
    number = Decimal if kind.startswith("DECIMAL") else int
    return objects([None if cell is None else number(cell) for cell in column.tolist()])


def objects(cells: Sequence[Any]) -> Any:
    """An object array of one dimension."""
    array = np.empty(len(cells), dtype=object)
    array[:] = cells
    return array


def read_error(files: Files, problem: Exception) -> InputError:
    """An error of DuckDB with the file that it concerns."""
    reason = " ".join(str(problem).partition("\n\n")[0].split())  # the rest is advice
    path = next((path for path in files.paths if path in reason), files.paths[0])
    if reason.startswith("Out of Memory"):
        return MemoryLimitError(f"{path} takes more memory to read than there is ({reason}).")
    return InputError(f"{path} cannot be read: {reason}")


def write_error(files: Files, problem: Exception, folder: str) -> Exception:
    """The same where DuckDB writes temporary files: the disk may be full."""
    words = str(problem)
    if "No space left" in words or "max_temp_directory_size" in words:
        return disk_full(folder)
    if "Option file_row_number" in words:
        return InputError(
            f"{files.paths[0]} has a column file_row_number, a name that DuckDB gives to a column "
            "of its own when it reads slices. Rename it, or raise `memory_limit`."
        )
    if words.startswith("Out of Memory"):
        return MemoryLimitError(
            f"`memory_limit` is too small for reading {files.paths[0]}, of which DuckDB may take a "
            "part only. Raise `memory_limit`, or write the file with smaller row groups."
        )
    return read_error(files, problem)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A temporary folder, removed in the end; an error is raised if the disk is full."""
    import tempfile

    with (
        cleaned_up() as interruptible_part,
        tempfile.TemporaryDirectory(prefix="rocwise-") as name,
    ):
        try:
            with interruptible_part():
                yield Path(name)
        except OSError as problem:
            if problem.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise disk_full(name) from None


def disk_full(folder: str) -> OSError:
    """The error where the disk has no room for temporary files."""
    return OSError(
        errno.ENOSPC,
        "no space is left for temporary files; let the environment variable TMPDIR name a folder "
        "with more room, or raise `memory_limit`",
        str(Path(folder).parent),
    )
