"""Large sources of every kind as one Parquet file of the wanted columns, written piece by piece.

Their own engine writes it, with the memory that it takes by itself; what is read from the file
afterwards is bounded here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rocwise.engines.duckdb_access import disk_full, temporary_folder
from rocwise.engines.frames import check_columns
from rocwise.engines.paths import Files
from rocwise.engines.ranges.parquet_rows import ParquetRows, opened
from rocwise.errors import InputError

KINDS = {
    "duckdb": "relation of DuckDB",
    "polars": "lazy frame of Polars",
    "ibis": "table of ibis",
}


def lazy_kind(source: Any) -> str | None:
    """Which library's lazy table this is: "duckdb", "polars" or "ibis"; None for all others."""
    library = type(source).__module__.partition(".")[0].lstrip("_")
    kind = type(source).__name__
    known = {"duckdb": "DuckDBPyRelation", "polars": "LazyFrame", "ibis": "Table"}
    return library if known.get(library) == kind else None


def unwrapped(source: Any) -> Any:
    """An ibis table that DuckDB holds, as DuckDB's own relation; all else as it is."""
    if lazy_kind(source) != "ibis":
        return source
    backend = source.get_backend()
    return backend.con.sql(str(backend.compile(source))) if backend.name == "duckdb" else source


def rows_of_lazy(source: Any) -> int:
    """How many rows a lazy table has; its engine counts."""
    kind = lazy_kind(source)
    if kind == "duckdb":
        return int(source.aggregate("count(*)").fetchall()[0][0])
    if kind == "polars":
        import polars as pl

        return int(source.select(pl.len()).collect().item())
    return int(source.count().to_pyarrow().as_py())


@contextmanager
def converted(source: Any, wanted: list[str], memory: int) -> Iterator[ParquetRows]:
    """A lazy table, open for questions."""
    with temporary_folder() as folder:
        path = folder / "table.parquet"
        try:
            _write(source, wanted, path)
        except Exception as problem:
            if "No space left" in str(problem):
                raise disk_full(str(folder)) from None
            if isinstance(problem, InputError):
                raise
            reason = " ".join(str(problem).split())
            raise InputError(f"`frame_or_path` cannot be read: {reason}") from problem
        with opened(Files([str(path)], ".parquet"), memory) as rows:
            rows.names = {name: f"c{k}" for k, name in enumerate(wanted)}
            rows.called = "the table"
            rows.read_by = f"{KINDS[lazy_kind(source) or '']} read from a temporary file"
            yield rows


def _write(source: Any, wanted: list[str], path: Path) -> None:
    kind = lazy_kind(source)
    if kind == "duckdb":
        check_columns(wanted, source.columns)
        chosen = ", ".join(f"{_identifier(name)} as c{k}" for k, name in enumerate(wanted))
        source.project(chosen).write_parquet(str(path))
    elif kind == "polars":
        import polars as pl

        check_columns(wanted, source.collect_schema().names())
        columns = [pl.col(name).alias(f"c{k}") for k, name in enumerate(wanted)]
        source.select(columns).sink_parquet(path)
    else:
        check_columns(wanted, list(source.columns))
        source.select(**{f"c{k}": source[name] for k, name in enumerate(wanted)}).to_parquet(path)


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def text_as_table(files: Files, wanted: list[str], memory: int) -> Iterator[ParquetRows | None]:
    """Large plain text, open for questions; None where it is not plain."""
    from rocwise.engines.text_files import plain_as_parquet

    with temporary_folder() as folder:
        path = plain_as_parquet(files, wanted, folder, memory // 4)
        if path is None:
            yield None
            return
        with opened(Files([str(path)], ".parquet"), memory) as rows:
            rows.names = {name: f"c{k}" for k, name in enumerate(wanted)}
            rows.called = files.paths[0]
            yield rows
