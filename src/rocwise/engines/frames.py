"""Columns of any data frame that narwhals knows, eager or lazy."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from rocwise.arrays import Array, Places
from rocwise.engines.counted_rows import (
    FEW,
    SAMPLE_ROWS,
    CountedRows,
    counting_pays,
    few_distinct,
    sums_are_exact,
)
from rocwise.errors import InputError, did_you_mean, listed, shown


def read_frame(frame: Any, wanted: list[str]) -> tuple[dict[str, Any], str]:
    """Narwhals series by name, and the name of the library that can build such a frame."""
    return _series(_chosen(frame, wanted), wanted)


def counted_frame(frame: Any, wanted: list[str], weight: str | None) -> CountedRows:
    """The same; a lazy frame counts equal rows itself, if a sample says that this pays."""
    chosen = _chosen(frame, wanted)
    if _can_count(chosen) and _repeats(chosen, wanted):
        columns, counts, library = _counted(chosen, wanted)
        if weight is None or sums_are_exact(columns[weight].to_list(), counts):
            return CountedRows(columns, counts, library)
    columns, library = _series(chosen, wanted)
    return CountedRows(columns, None, library)


def _chosen(frame: Any, wanted: list[str]) -> Any:
    """The wanted columns as a narwhals frame, not yet computed if it is lazy."""
    import narwhals as nw

    try:
        native = nw.from_native(frame)
        check_columns(wanted, native.collect_schema().names())
        return native.select(nw.col(*wanted))
    except TypeError:
        raise InputError(
            f"`frame_or_path` must be a data frame or a path; got a {type(frame).__name__}."
        ) from None
    except nw.exceptions.NarwhalsError as problem:  # e.g. two columns of one name
        raise InputError(f"`frame_or_path` cannot be read: {problem}.") from None


def _series(chosen: Any, wanted: list[str]) -> tuple[dict[str, Any], str]:
    import narwhals as nw

    eager = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    return {name: eager.get_column(name) for name in wanted}, eager.implementation.value


def _can_count(chosen: Any) -> bool:
    """Lazy frames whose engine keeps missing keys and takes every nan for the same."""
    import narwhals as nw

    engine = chosen.implementation
    return isinstance(chosen, nw.LazyFrame) and (engine.is_polars() or engine.is_duckdb())


def few_in_frame(frame: Any, wanted: list[str], n_rows: int) -> bool:
    """Whether rows from all over a lazy frame say that it can count all of them in little memory.

    Rows next to each other may be alike because they were sorted, and tell nothing of the others.
    """
    chosen = _chosen(frame, wanted)
    return _can_count(chosen) and few_distinct(_counted(_spread(chosen, n_rows), wanted)[1])


def _spread(chosen: Any, n_rows: int) -> Any:
    """Some rows of a lazy frame, from all over it."""
    import narwhals as nw

    native = nw.to_native(chosen)
    step = max(1, n_rows // SAMPLE_ROWS)
    if chosen.implementation.is_polars():
        return nw.from_native(native.gather_every(step))
    share = min(100.0, 100 / step)
    return nw.from_native(native.query("rows", f"from rows using sample {share}% (bernoulli, 0)"))


def _repeats(chosen: Any, wanted: list[str]) -> bool:
    """Whether the first rows hold few distinct ones; of many rows, some from all over them."""
    import narwhals as nw

    _, counts, _ = _counted(chosen.head(SAMPLE_ROWS), wanted)
    n_sampled = int(counts.sum())
    if counting_pays(n_sampled, len(counts)) or n_sampled < SAMPLE_ROWS:
        return counting_pays(n_sampled, len(counts))
    n_rows = int(chosen.select(nw.len()).collect().item())
    pays = counting_pays(n_sampled, len(counts), n_rows)
    return pays or (
        n_rows > 10 * FEW and few_distinct(_counted(_spread(chosen, n_rows), wanted)[1])
    )


def _counted(chosen: Any, wanted: list[str]) -> tuple[dict[str, Any], Any, str]:
    """Distinct rows of a lazy frame as series, and how often each occurs."""
    import narwhals as nw

    rows = "n_" + "_".join(wanted)  # longer than any of them, so that it is none of them
    distinct = chosen.group_by(*wanted).agg(nw.len().alias(rows))
    columns, library = _series(distinct, [*wanted, rows])
    counts = np.asarray(columns.pop(rows).to_numpy(), dtype=np.int64)
    return columns, counts, library


def check_columns(wanted: list[str], present: list[str]) -> None:
    """Refuse names of columns that are not there, listing those that are."""
    for name in wanted:
        if name not in present:
            raise InputError(
                f"no column is called {shown(name)}; the columns are {listed(present, 12)}."
                f"{did_you_mean(name, present)}"
            )


def encoded_text(series: Any, library: str | None) -> tuple[Places, Array] | None:
    """Codes of the rows (-1 where missing) and what they stand for, as the frame itself has them.

    For text and categories of pandas, polars and Arrow, of which no row becomes a Python object;
    None for all other columns.
    """
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
    return _arrow_text(native) if library == "pyarrow" else None


def _arrow_text(column: Any) -> tuple[Places, Array]:
    pyarrow: Any = sys.modules["pyarrow"]
    if not pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pyarrow.ChunkedArray):
        whole = whole.chunk(0)
    codes = whole.indices.cast(pyarrow.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return codes.astype(np.intp), np.array(whole.dictionary.to_pylist(), dtype=object)
