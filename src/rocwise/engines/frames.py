"""Columns of any DataFrame that narwhals supports, eager or lazy."""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from rocwise.arrays import Array, Places
from rocwise.engines import counted_rows
from rocwise.errors import InputError, did_you_mean, listed, missing_package, shown


def read_frame(frame: Any, wanted: list[str]) -> tuple[dict[str, Any], str]:
    """Narwhals series by name, and the name of the library that can build such a frame."""
    return _series(_chosen(frame, wanted), wanted)


def counted_frame(frame: Any, wanted: list[str], weight: str | None) -> counted_rows.CountedRows:
    """The same; a lazy frame counts equal rows itself, if they repeat in a sample."""
    chosen = _chosen(frame, wanted)
    if _can_count(chosen) and _repeats(chosen, wanted):
        columns, library, counts = _counted(chosen, wanted)
        if weight is None or counted_rows.sums_are_exact(columns[weight].to_list(), counts):
            return counted_rows.CountedRows(columns, counts, library)
    columns, library = _series(chosen, wanted)
    return counted_rows.CountedRows(columns, None, library)


def _chosen(frame: Any, wanted: list[str]) -> Any:
    """The wanted columns as c0, c1, ... of a narwhals frame, not yet computed if it is lazy."""
    import narwhals as nw

    try:
        native = nw.from_native(unwrapped(frame))
        present = native.collect_schema().names()
        check_columns(wanted, present)
        return _by_position(native, wanted, present)
    except TypeError:
        raise InputError(
            f"`frame_or_path` must be a data frame or a path; got a {type(frame).__name__}."
        ) from None
    except nw.exceptions.NarwhalsError as problem:  # e.g. two columns of one name
        raise InputError(f"`frame_or_path` cannot be read: {problem}.") from None


def _by_position(frame: Any, wanted: list[str], present: list[str]) -> Any:
    """The columns as c0, c1, ...; to polars and DuckDB, names such as ^a$ and * are patterns."""
    import narwhals as nw

    native, names = frame.to_native(), short_names(wanted)
    if frame.implementation.is_polars():
        others = [name for name in present if name not in names]
        literal = native.rename(names | {name: f"other{k}" for k, name in enumerate(others)})
        return nw.from_native(literal).select(*names.values())
    if frame.implementation.is_duckdb():
        columns = (f"{_identifier(name)} as {short}" for name, short in names.items())
        return nw.from_native(native.project(", ".join(columns)))
    return frame.select(nw.col(*names)).rename(names)


def short_names(wanted: list[str]) -> dict[str, str]:
    """Names of columns that mean nothing to any engine."""
    return {name: f"c{k}" for k, name in enumerate(dict.fromkeys(wanted))}


def _identifier(name: str) -> str:
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def unwrapped(source: Any) -> Any:
    """Tables of ibis and datasets of pyarrow as relations of DuckDB, batches as one table."""
    library, kind = type(source).__module__.partition(".")[0].lstrip("_"), type(source).__name__
    if library == "ibis" and kind == "Table":
        backend = source.get_backend()
        if backend.name != "duckdb":
            return source
        import duckdb

        try:
            return backend.con.sql(str(backend.compile(source)))
        except duckdb.CatalogException:  # tables in memory are registered by execution only
            return source.to_pyarrow()
    if library == "pyarrow" and (kind.endswith("Dataset") or kind == "Scanner"):
        try:
            import duckdb
        except ImportError:
            raise missing_package("duckdb", "files", f"A {kind} of pyarrow") from None
        return duckdb.from_arrow(source)
    if library == "pyarrow" and kind == "RecordBatchReader":
        return source.read_all()  # there is no second reading
    if library == "pyarrow" and kind == "RecordBatch":
        return sys.modules["pyarrow"].Table.from_batches([source])
    if library == "duckdb" and kind == "DuckDBPyConnection":
        raise InputError(
            "`frame_or_path` is a connection of DuckDB; pass a relation of it, such as "
            "connection.sql('select ...') or connection.table('name')."
        )
    return source


def first_non_numeric(frame: Any, wanted: list[str], rows: int) -> tuple[dict[str, Any], str]:
    """The first values of those columns of a lazy frame that have no type of numbers."""
    import narwhals as nw

    chosen, kinds = _chosen(frame, wanted), (nw.Categorical, nw.Enum, nw.Boolean, nw.Unknown)
    schema = chosen.collect_schema()
    names = short_names(wanted)
    others = {
        name: short
        for name, short in names.items()
        if not (schema[short].is_numeric() or isinstance(schema[short], kinds))
    }
    if not others:
        return {}, ""
    eager = chosen.select(*others.values()).head(rows).collect()
    columns = {name: eager.get_column(short) for name, short in others.items()}
    return columns, eager.implementation.value


def _series(chosen: Any, wanted: list[str]) -> tuple[dict[str, Any], str]:
    import narwhals as nw

    eager = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    columns = {name: eager.get_column(short) for name, short in short_names(wanted).items()}
    return columns, eager.implementation.value


def _can_count(chosen: Any) -> bool:
    """Lazy frames whose engine keeps missing keys and takes every nan for the same."""
    import narwhals as nw

    engine = chosen.implementation
    return isinstance(chosen, nw.LazyFrame) and (engine.is_polars() or engine.is_duckdb())


def n_rows_of(frame: Any) -> int:
    """The number of rows of a lazy frame, counted by its own engine."""
    import narwhals as nw

    return int(nw.from_native(frame).select(nw.len()).collect().item())


def write_parquet(frame: Any, wanted: list[str], path: Path) -> None:
    """Write the wanted columns of a lazy frame as c0, c1, ... by its own engine."""
    _chosen(frame, wanted).sink_parquet(path)


def few_in_frame(frame: Any, wanted: list[str], n_rows: int) -> bool:
    """Whether a systematic sample of a lazy frame has few distinct rows."""
    chosen = _chosen(frame, wanted)
    return _can_count(chosen) and counted_rows.few_distinct(
        _counted(_systematic_sample(chosen, n_rows), wanted)[2]
    )


def _systematic_sample(chosen: Any, n_rows: int) -> Any:
    """Rows from all parts of a lazy frame: neighbors may be equal because rows are sorted."""
    import narwhals as nw

    native = nw.to_native(chosen)
    step = max(1, n_rows // counted_rows.SAMPLE_ROWS)
    if chosen.implementation.is_polars():
        return nw.from_native(native.gather_every(step))
    percent = min(100.0, 100 / step)
    return nw.from_native(native.query("rows", f"from rows using sample {percent}% (bernoulli, 0)"))


def _repeats(chosen: Any, wanted: list[str]) -> bool:
    """Whether rows repeat among the first ones or, of very many rows, in a systematic sample."""
    import narwhals as nw

    counts = _counted(chosen.head(counted_rows.SAMPLE_ROWS), wanted)[2]
    n_sampled = int(counts.sum())
    if counted_rows.counting_pays(n_sampled, len(counts)) or n_sampled < counted_rows.SAMPLE_ROWS:
        return counted_rows.counting_pays(n_sampled, len(counts))
    n_rows = int(chosen.select(nw.len()).collect().item())
    pays = counted_rows.counting_pays(n_sampled, len(counts), n_rows)
    return pays or (
        n_rows > 10 * counted_rows.FEW
        and counted_rows.few_distinct(_counted(_systematic_sample(chosen, n_rows), wanted)[2])
    )


def _counted(chosen: Any, wanted: list[str]) -> tuple[dict[str, Any], str, Any]:
    """Distinct rows of a lazy frame as series, the library, and how often each occurs."""
    import narwhals as nw

    distinct = chosen.group_by(*short_names(wanted).values()).agg(nw.len().alias("n"))
    eager = distinct.collect()
    counts = np.asarray(eager.get_column("n").to_numpy(), dtype=np.int64)
    return *_series(eager, wanted), counts


def check_columns(wanted: list[str], present: list[str], where: str = "") -> None:
    """Raise an error for absent columns, listing those that are present, and for equal names."""
    for name in wanted:
        if name not in present:
            raise InputError(
                f"no column is called {shown(name)}; the columns are {listed(present, 12)}."
                f"{did_you_mean(name, present)}"
            )
    repeated = [name for name in wanted if present.count(name) > 1]
    if repeated:
        raise InputError(f"{where}more than one column is called {listed(repeated)}.")


def encoded_text(series: Any, library: str | None) -> tuple[Places, Array] | None:
    """Codes (-1 where missing) and values of text of pandas, polars and Arrow; None for others."""
    import narwhals as nw

    if not isinstance(series.dtype, (nw.String, nw.Categorical)):
        return None
    native, is_text = series.to_native(), isinstance(series.dtype, nw.String)
    if library == "pandas":
        pandas: Any = sys.modules["pandas"]
        if is_text:
            codes, names = pandas.factorize(native)
        else:
            codes, names = native.cat.codes.to_numpy(), native.cat.categories
        return codes.astype(np.intp), np.asarray(names, dtype=object)
    if library == "polars":
        polars: Any = sys.modules["polars"]
        text = native.cast(polars.String)
        names = text.drop_nulls().unique(maintain_order=True)
        codes = text.cast(polars.Enum(names)).to_physical().cast(polars.Int64).fill_null(-1)
        return codes.to_numpy().astype(np.intp), np.array(names.to_list(), dtype=object)
    return arrow_codes(native) if library == "pyarrow" else None


def arrow_codes(column: Any) -> tuple[Places, Array]:
    """Codes of the rows of a column of Arrow (-1 where missing), and its distinct values."""
    pyarrow: Any = sys.modules["pyarrow"]
    if not pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pyarrow.ChunkedArray):
        whole = whole.chunk(0)
    codes = whole.indices.cast(pyarrow.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return codes.astype(np.intp), np.array(whole.dictionary.to_pylist(), dtype=object)
