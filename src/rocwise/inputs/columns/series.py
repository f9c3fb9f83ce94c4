"""Columns of frames, by way of narwhals, as vectors."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np

from rocwise.arrays import Array, Places
from rocwise.engines.frames import encoded_text
from rocwise.errors import InputError
from rocwise.inputs.columns.vectors import Vector, from_array, texts_of, with_gaps


def from_series(data: Any, argument: str, library: str) -> Vector:
    """A series of any library narwhals knows."""
    import narwhals as nw

    if library == "pyarrow" and type(data).__name__.endswith("Array"):
        pyarrow: Any = sys.modules["pyarrow"]
        data = data if isinstance(data, pyarrow.ChunkedArray) else pyarrow.chunked_array([data])
    index = None
    if library == "pandas":
        pandas: Any = sys.modules["pandas"]
        if isinstance(data, (pandas.Index, pandas.api.extensions.ExtensionArray)):
            data = pandas.Series(data)
        elif isinstance(data, pandas.Series):
            index = data.index
            texts = texts_of(data.to_numpy()) if _of_objects(data.dtype) else None
            if texts is not None:
                return replace(texts, frame=library, name=_name(data), index=index)
    try:
        series = nw.from_native(data, series_only=True)
    except TypeError:
        raise InputError(
            f"`{argument}` must be one column; got a {type(data).__name__}. "
            "Pick a column, or use tally_frame(frame, label=..., score=...)."
        ) from None
    return replace(from_narwhals(series, argument, library), index=index)


def _of_objects(dtype: Any) -> bool:
    """Whether a column of pandas is Python's objects inside, as texts are without Arrow."""
    held_by_numpy = isinstance(dtype, np.dtype) and dtype.kind == "O"
    return held_by_numpy or getattr(dtype, "storage", None) == "python"


def _name(series: Any) -> str | None:
    """What a series is called; None, empty text and pandas' NA, equal to nothing, are no names."""
    name = series.name
    nameless = name is None or name is getattr(sys.modules.get("pandas"), "NA", None)
    return None if nameless else str(name) or None


def from_narwhals(series: Any, argument: str, library: str | None) -> Vector:
    """A narwhals series as a vector; ordered categoricals become positions."""
    import narwhals as nw

    if len(series) == 0:
        raise InputError(
            f"`{argument}` is empty; at least one positive and one negative are needed."
        )
    try:
        nulls = series.is_null()
        missing = np.asarray(nulls.to_numpy(), dtype=np.bool_) if nulls.any() else None
    except ArithmeticError:
        raise InputError(f"`{argument}` holds a signalling nan; make it nan or None.") from None
    name = _name(series)
    if isinstance(series.dtype, nw.Enum):
        categories = tuple(series.dtype.categories)
        positions = _positions(series, categories, library)
        return Vector(positions, missing, categories, library, name)
    ordered = _ordered_dictionary(series.to_native()) if library == "pyarrow" else None
    if ordered is not None:
        return Vector(ordered[0], missing, ordered[1], library, name)
    encoded = encoded_text(series, library)
    if encoded is not None and (missing is None or not missing.all()):
        codes, names = _used(*encoded, argument)
        return Vector(names.take(codes), missing, (), library, name, encoded=(codes, names))
    if missing is None:
        vector = from_array(_as_numpy(series), argument)
    elif missing.all():
        vector = Vector(np.zeros(len(missing)), missing)
    else:
        present = from_array(_as_numpy(series.drop_nulls()), argument)
        vector = with_gaps(present, missing)
    return replace(vector, frame=library, name=name)


def _positions(series: Any, categories: tuple[Any, ...], library: str | None) -> Places:
    """Positions of ordered categories, any one where a row is missing."""
    native = series.to_native()
    if library == "pandas":
        return np.asarray(np.maximum(native.cat.codes.to_numpy(), 0), np.int64)
    if library == "polars":
        return np.asarray(native.to_physical().fill_null(0).to_numpy(), np.int64)
    place = {category: position for position, category in enumerate(categories)}
    return np.asarray([place.get(item, 0) for item in series.to_list()])


def _used(codes: Places, names: Array, argument: str) -> tuple[Places, Array]:
    """Codes, and what they stand for, of the values that occur; -1 becomes any of them."""
    gaps = codes.min() < 0
    used = np.flatnonzero(np.bincount(codes[codes >= 0] if gaps else codes, minlength=len(names)))
    if len(used) == len(names) and not gaps:
        return codes, from_array(names, argument).values
    place = np.zeros(len(names) + 1, np.intp)  # the last is that of -1
    place[used] = np.arange(len(used))
    return place[codes], from_array(names[used], argument).values


def _as_numpy(series: Any) -> Array:
    """The values of a series; as Python's own integers where numpy has no such type."""
    import narwhals as nw

    if isinstance(series.dtype, (nw.Int128, nw.UInt128)):
        return np.array(series.to_list(), dtype=object)
    return np.asarray(series.to_numpy())


def _ordered_dictionary(column: Any) -> tuple[Array, tuple[Any, ...]] | None:
    """Positions and categories of Arrow's ordered dictionaries; None for all other columns."""
    pyarrow: Any = sys.modules["pyarrow"]
    if not (pyarrow.types.is_dictionary(column.type) and column.type.ordered):
        return None
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pyarrow.ChunkedArray):
        whole = whole.chunk(0)
    positions = whole.indices.fill_null(0).to_numpy(zero_copy_only=False)
    return np.asarray(positions, dtype=np.int64), tuple(whole.dictionary.to_pylist())
