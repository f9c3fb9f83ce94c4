"""Every engine, with the way from an Arrow table to what a user would give to `rw.*`.

The tests in `unit/engines/conformance` run on all of them. Engines that are `large` are made to
leave the rows where they are, however few there are.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

import spark_sessions


@dataclass(frozen=True)
class Engine:
    """How a table comes to an engine.

    `large`: rows are left where they are. `typed`: the source keeps the types of columns (text
    does not). `whole`: run on every kind of column; else on some. `needs`: a package without
    which the engine is not there.
    """

    source: Callable[[pa.Table, Path], Any]
    large: bool = True
    typed: bool = True
    whole: bool = False
    needs: str = "duckdb"

    @property
    def is_there(self) -> bool:
        return importlib.util.find_spec(self.needs) is not None


def _parquet(table: pa.Table, folder: Path) -> Path:
    path = folder / "table.parquet"
    pq.write_table(table, path, row_group_size=50)
    return path


def _several_files(table: pa.Table, folder: Path) -> str:
    half = len(table) // 2
    pq.write_table(table.slice(0, half), folder / "part1.parquet")
    pq.write_table(table.slice(half), folder / "part2.parquet", row_group_size=7)
    return str(folder / "part*.parquet")


def _csv(table: pa.Table, folder: Path) -> Path:
    path = folder / "table.csv"
    pyarrow.csv.write_csv(
        table, path, pyarrow.csv.WriteOptions(quoting_style="none", quoting_header="none")
    )
    return path


OPEN: list[Any] = []  # before version 2 a relation of DuckDB does not keep its connection alive


def _relation(table: pa.Table, _folder: Path) -> Any:
    import duckdb

    connection = duckdb.connect()
    OPEN[:] = [connection]
    connection.register("given", table)
    return connection.sql("from given")


def _lazy_polars(table: pa.Table, _folder: Path) -> Any:
    import polars as pl

    return pl.from_arrow(table).lazy()


def _ibis(table: pa.Table, _folder: Path) -> Any:
    import ibis

    backend = ibis.duckdb.connect()
    backend.con.register("given", table)
    return backend.table("given")


def _spark(table: pa.Table, _folder: Path) -> Any:
    return spark_sessions.local_session().createDataFrame(table)


def _arrow(table: pa.Table, _folder: Path) -> pa.Table:
    return table


ENGINES = {
    "arrow in memory": Engine(_arrow, large=False, whole=True, needs="pyarrow"),
    "parquet": Engine(_parquet, whole=True),
    "several parquet files": Engine(_several_files),
    "csv": Engine(_csv, typed=False, whole=True),
    "duckdb relation": Engine(_relation),
    "polars lazy frame": Engine(_lazy_polars, needs="polars"),
    "ibis table": Engine(_ibis, needs="ibis"),
    "spark": Engine(_spark, needs="pyspark"),
}


def cases(kinds: Iterable[str], requested: Callable[[Engine, str], bool]) -> list[tuple[str, str]]:
    """Engines with the kinds that are requested of them; others are not tested."""
    return [
        (name, kind)
        for name, engine in ENGINES.items()
        for kind in kinds
        if requested(engine, kind)
    ]
