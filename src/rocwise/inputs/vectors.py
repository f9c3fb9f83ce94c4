"""One column of values from lists, arrays, tensors, series and frames, with its missing rows."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Flags, Places
from rocwise.errors import InputError, listed, row_number, shown

LARGEST_EXACT_INTEGER = 2**53
MOST_TEXTS = 4096  # distinct texts; more of them are hardly classes
LOSSLESS_TYPES = ({str}, {int}, {bool})
SMALL_FLOATS = ("bfloat16", "float8_", "float6_", "float4_")  # not supported by numpy
HOST_DEVICES = (1, 3, 11, 13)  # of DLPack: memory that the processor can read
FRAME_LIBRARIES = ("pandas", "polars", "pyarrow", "modin", "cudf")


@dataclass(frozen=True, slots=True)
class Vector:
    """One column: its values, which rows are missing (None: none are), and its source."""

    values: Array  # one-dimensional; numbers, booleans, text or objects. Missing rows hold anything
    missing: Flags | None = None  # True at missing rows
    categories: tuple[Any, ...] = ()  # of an ordered categorical, rising; `values` are positions
    frame: str | None = None  # library of the frame or series
    name: str | None = None  # name of the series
    rows: Places | None = None  # row numbers in the user's data, if some were left out
    counts: Counts | None = None  # equal rows behind each value; None: one each
    index: Any = None  # index of a pandas Series
    encoded: tuple[Places, Array] | None = None  # codes, and the distinct values
    file: Any = None  # `FileRows` of a column of a file

    def __len__(self) -> int:
        return len(self.values)

    def kept(self, rows: Flags) -> "Vector":
        """Only the rows marked True, with their row numbers in the user's data."""
        counts = None if self.counts is None else self.counts[rows]
        numbers = np.flatnonzero(rows) if self.rows is None else self.rows[rows]
        encoded = None if self.encoded is None else (self.encoded[0][rows], self.encoded[1])
        values = self.values[rows]
        about = self.categories, self.frame, self.name, numbers, counts
        return Vector(values, None, *about, None, encoded, self.file)

    @property
    def named(self) -> Array:
        """The values, with the names of categories in place of their positions."""
        return np.asarray(self.categories)[self.values] if self.categories else self.values

    def distinct(self) -> tuple[Array, Places]:
        """Distinct values, and the place of each row's; sorted where they have an order."""
        if self.encoded is None:
            try:
                return kernels.distinct(self.named)
            except TypeError:
                values = self.values.tolist()
                order = {value: k for k, value in enumerate(dict.fromkeys(values))}
                places = np.array([order[value] for value in values], np.intp)
                return np.fromiter(order, object, len(order)), places
        codes, names = self.encoded
        found, place = kernels.distinct(names)
        places = place[codes]
        used = np.bincount(places, minlength=len(found)) > 0
        if used.all():
            return found, places
        return found[used], (np.cumsum(used) - 1)[places]

    def n_rows(self, marked: Flags | None = None) -> int:
        """How many of the user's rows are marked, or how many there are in all."""
        if self.counts is not None:
            return int(self.counts[slice(None) if marked is None else marked].sum())
        return len(self) if marked is None else int(np.count_nonzero(marked))

    def row(self, place: int) -> int | str:
        """Number of a row in the user's data; of a file, as spreadsheets count."""
        number = place if self.rows is None else int(self.rows[place])
        return row_number(self, number)  # type: ignore[no-any-return]

    @property
    def row_numbers(self) -> Places | None:
        """Numbers of all rows in the user's data; None if they are 0, 1, 2, ..."""
        if self.file is None or self.file.parts:
            return self.rows
        places = np.arange(len(self)) if self.rows is None else self.rows
        numbers = self.file.numbers
        return np.asarray(self.file.first + places if numbers is None else numbers[places])

    def at(self, place: int) -> str:
        """Where a value is, as the end of a phrase; nothing where only counts are known."""
        return "" if self.counts is not None else f" at row {self.row(place)}"


def as_vector(data: Any, argument: str) -> Vector:
    """One-dimensional values from a list, array, tensor or series; an error for anything else."""
    if type(data) is np.ndarray and data.ndim == 1 and data.size and data.dtype.kind in "biuf":
        return Vector(data, _missing_rows(data))
    if isinstance(data, Vector):
        return data
    if data is None or isinstance(data, (str, bytes, dict, type)) or callable(data):
        raise InputError(f"`{argument}` must be a sequence of values; got {shown(data, 60)}.")
    _check_ordered_collection(data, argument)
    library = type(data).__module__.partition(".")[0]
    if library in FRAME_LIBRARIES and library in sys.modules:
        return from_series(data, argument, library)
    vector = from_array(host_array(data, argument), argument)
    file = getattr(data, "file", None)
    return replace(vector, file=file) if isinstance(data, np.ndarray) and file else vector


def _check_ordered_collection(data: Any, argument: str) -> None:
    """An error for collections that numpy takes for one object, with an alternative."""
    kind = type(data).__name__
    if isinstance(data, (set, frozenset)):
        raise InputError(f"`{argument}` is a {kind}, whose values have no order; pass a list.")
    if isinstance(data, Iterator):
        raise InputError(f"`{argument}` is a {kind}, which can be read once only; pass list(...).")
    if hasattr(data, "toarray") and hasattr(data, "nnz"):
        raise InputError(
            f"`{argument}` is a sparse matrix ({kind}); pass {argument}.toarray().ravel()."
        )


def host_array(data: Any, argument: str) -> Array:
    """A numpy view of lists, tensors and DLPack holders; a copy of those on another device."""
    if _is_masked(data):
        return data  # type: ignore[no-any-return]  # np.asarray would forget the mask
    try:
        array = _numpy_of(data)
    except (TypeError, ValueError, BufferError, RuntimeError) as problem:
        reason = str(problem).rstrip(".")
        raise InputError(f"`{argument}` cannot be read as an array: {reason}.") from None
    if array.dtype.name.startswith(SMALL_FLOATS):  # types of ml_dtypes, which numpy cannot sort
        array = array.astype(np.float32)
    if array.ndim == 1 and isinstance(data, (list, tuple)) and _lost_something(array):
        all_text = array.dtype.kind == "U" and set(map(type, data)) == {str}
        return array if all_text else np.array(data, dtype=object)
    return array


def _numpy_of(data: Any) -> Array:
    """The values on this machine's processor, from the protocol that their library has."""
    if hasattr(data, "detach") and hasattr(data, "cpu"):  # torch
        tensor = data.detach().cpu().resolve_neg().resolve_conj()
        if str(tensor.dtype).removeprefix("torch.").startswith(SMALL_FLOATS):
            tensor = tensor.float()  # which represents them exactly
        return np.asarray(tensor)
    if hasattr(data, "__cuda_array_interface__") and hasattr(data, "get"):  # cupy
        return np.asarray(data.get())
    if hasattr(data, "__array__") or not hasattr(data, "__dlpack__"):
        return np.asarray(data)
    if data.__dlpack_device__()[0] in HOST_DEVICES or np.lib.NumpyVersion(np.__version__) < "2.1.0":
        return np.from_dlpack(data)
    return np.from_dlpack(data, device="cpu", copy=True)


def _lost_something(array: Array) -> bool:
    """Whether numpy may have made a list one kind at a loss: nan "nan", or 2**53 + 1 2**53."""
    if array.dtype.kind != "f" or not len(array):
        return array.dtype.kind in "US"
    with np.errstate(invalid="ignore"):
        return bool(np.any(np.abs(array) >= LARGEST_EXACT_INTEGER))


def _is_masked(data: Any) -> bool:
    """Whether rows may be masked; `numpy.ma` is not imported for it."""
    return "numpy.ma" in sys.modules and isinstance(data, np.ma.MaskedArray)


def from_array(array: Any, argument: str) -> Vector:
    """One-dimensional values of a numpy array, masked or not; an error for other shapes."""
    if _is_masked(array):
        flags = np.ma.getmaskarray(array)
        vector = from_array(np.asarray(array.data), argument)
        missing = flags if vector.missing is None else flags | vector.missing
        return replace(vector, missing=missing if missing.any() else None)
    if array.ndim != 1:
        raise InputError(_shape_sentence(array, argument))
    if len(array) == 0:
        raise InputError(
            f"`{argument}` is empty; at least one positive and one negative are needed."
        )
    if array.dtype.kind == "O":
        return _from_objects(array, argument)
    if array.dtype.kind == "V":
        raise InputError(
            f"`{argument}` must contain numbers, text or truth values; got records ({array.dtype})."
        )
    return Vector(array, _missing_rows(array))


def _shape_sentence(array: Array, argument: str) -> str:
    hint = ""
    if array.ndim == 2 and array.shape[1] == 2 and argument != "y_true":
        hint = f" For predicted probabilities of two classes pass {argument}[:, 1]."
    elif array.ndim == 2 and 1 in array.shape:
        hint = f" Pass {argument}.ravel()."
    return f"`{argument}` must be one-dimensional; got an array of shape {array.shape}.{hint}"


def _missing_rows(array: Array) -> Flags | None:
    """Rows with nan, or None when there are none."""
    if array.dtype.kind != "f" or not np.isnan(array.max()):  # nan is the largest
        return None
    return np.isnan(array)


def _from_objects(array: Array, argument: str) -> Vector:
    """Python objects: None, nan and pandas' NA are missing; the rest finds its natural type."""
    texts = texts_of(array)
    if texts is not None:
        return texts
    items = array.tolist()
    if set(map(type, items)) in LOSSLESS_TYPES:  # nothing is missing, and nothing is lost
        values = np.array(items)
        if values.ndim == 1 and values.dtype.kind in "Uib":
            return Vector(values)
    missing = np.fromiter((_is_missing(item) for item in array), np.bool_, len(array))
    if missing.all():
        return Vector(array, missing)
    present = _of_one_kind(array[~missing], argument)
    if present.ndim != 1:
        return Vector(array, missing if missing.any() else None)
    return with_gaps(Vector(present), missing) if missing.any() else Vector(present)


def texts_of(array: Array) -> Vector | None:
    """Objects that are text, or None for a missing one; None for others, and for many texts."""
    items = array.tolist()
    if not set(map(type, items)) <= {str, type(None)}:
        return None
    distinct = dict.fromkeys(items)
    distinct.pop(None, None)
    if not 0 < len(distinct) <= MOST_TEXTS:
        return None
    code_of = {text: code for code, text in enumerate(distinct)} | {None: -1}
    codes, names = np.array([code_of[item] for item in items]), np.array(list(distinct))
    missing = codes < 0 if codes.min() < 0 else None
    codes = np.maximum(codes, 0)
    return Vector(names.take(codes), missing, encoded=(codes, names))


def _of_one_kind(items: Array, argument: str) -> Array:
    """Objects as an array of their type; those that no type represents exactly stay objects."""
    try:
        values = np.array(items.tolist())
    except (TypeError, ValueError):  # sequences of different lengths
        return items
    if values.ndim != 1:
        return values
    if values.dtype.kind in "US":
        is_text = [isinstance(item, (str, bytes)) for item in items]
        if not all(is_text):
            first = is_text.index(not is_text[0])
            raise InputError(
                f"`{argument}` mixes text and other values ({shown(items[0], 40)} and "
                f"{shown(items[first], 40)}), which would all become text; make them one kind."
            )
    elif values.dtype.kind == "f" and any(
        isinstance(item, (int, np.integer)) and abs(int(item)) > LARGEST_EXACT_INTEGER
        for item in items
    ):
        return items
    return values


def _is_missing(item: Any) -> bool:
    if item is None or type(item).__name__ in {"NAType", "NaTType"}:
        return True
    if isinstance(item, Decimal):
        return item.is_nan()  # a signalling nan cannot even be compared
    return isinstance(item, (float, np.floating)) and bool(item != item)


def series_by_name(frame: Any, argument: str) -> dict[str, Any]:
    """The columns of a data frame supported by narwhals, by name."""
    import narwhals as nw

    try:
        eager = nw.from_native(frame, eager_only=True)
        return {name: eager.get_column(name).to_native() for name in eager.columns}
    except (TypeError, ValueError) as problem:
        raise InputError(f"`{argument}` cannot be read as a frame: {problem}.") from None


def columns_by_name(
    table: Any, argument: str, must_be: str, numbered: Callable[[int], str]
) -> dict[str, Any]:
    """The columns of a dict, a data frame or a 2-D array, whose columns are `numbered`."""
    if hasattr(table, "columns") and not isinstance(table, Mapping):
        table = series_by_name(table, argument)
    if isinstance(table, Mapping):
        check_names_differ([str(name) for name in table], argument)
        return {str(name): values for name, values in table.items()}
    array = host_array(table, argument)
    if array.ndim != 2:
        raise InputError(f"`{argument}` must be {must_be}; got an array of shape {array.shape}.")
    return {numbered(k): array[:, k] for k in range(array.shape[1])}


def one_or_several(
    table: Any, argument: str, name: str, numbered: Callable[[int], str]
) -> dict[str, tuple[str, Any]]:
    """Names and values of one column or several, by what error messages call them."""
    if isinstance(table, Mapping) or hasattr(table, "columns") or getattr(table, "ndim", 1) == 2:
        must_be = "one column, a dict of columns, or a 2-D array with one column each"
        found = columns_by_name(table, argument, must_be, numbered)
        return {f"{argument}[{own!r}]": (own, values) for own, values in found.items()}
    own = getattr(table, "name", None)
    return {name: (own if isinstance(own, str) and own else name, table)}


def model_number(k: int) -> str:
    """The name of a model in column k of an array."""
    return f"model {k + 1}"


def check_names_differ(names: Sequence[str], argument: str = "scores") -> None:
    """An error for two columns of one name."""
    repeated = [name for name in dict.fromkeys(names) if list(names).count(name) > 1]
    if repeated:
        raise InputError(
            f"`{argument}` names {listed(repeated)} more than once; names must differ."
        )


def with_gaps(present: Vector, missing: Flags) -> Vector:
    """The column of which `present` are the rows that are not missing; keeps their type."""
    values = np.full(len(missing), present.values[0], dtype=present.values.dtype)
    values[~missing] = present.values
    if present.missing is not None:
        missing = missing.copy()
        missing[~missing] = present.missing
    return Vector(values, missing)


def from_series(data: Any, argument: str, library: str) -> Vector:
    """A series supported by narwhals."""
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
            "Pick a column, or use tally(frame, label=..., score=...)."
        ) from None
    return replace(from_narwhals(series, argument, library), index=index)


def _of_objects(dtype: Any) -> bool:
    """Whether a column of pandas consists of Python objects, as text does without Arrow."""
    of_numpy = isinstance(dtype, np.dtype) and dtype.kind == "O"
    return of_numpy or getattr(dtype, "storage", None) == "python"


def _name(series: Any) -> str | None:
    """What a series is called; None, empty text and pandas' NA, equal to nothing, are no names."""
    name = series.name
    nameless = name is None or name is getattr(sys.modules.get("pandas"), "NA", None)
    return None if nameless else str(name) or None


def from_narwhals(series: Any, argument: str, library: str | None) -> Vector:
    """A narwhals series as a vector; ordered categoricals become positions."""
    import narwhals as nw

    from rocwise.engines.frames import encoded_text

    if len(series) == 0:
        raise InputError(
            f"`{argument}` is empty; at least one positive and one negative are needed."
        )
    try:
        nulls = series.is_null()
        missing = np.asarray(nulls.to_numpy(), dtype=np.bool_) if nulls.any() else None
    except ArithmeticError:
        raise InputError(f"`{argument}` contains a signalling nan; make it nan or None.") from None
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
    """Codes and categories of the values that occur; -1 becomes any of them."""
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
    from rocwise.engines.frames import arrow_codes

    if not getattr(column.type, "ordered", False):
        return None
    codes, names = arrow_codes(column)
    return np.maximum(codes, 0), tuple(names.tolist())


def named_columns(frame_or_path: Any, names: Sequence[str]) -> dict[str, Any]:
    """The columns of a frame, a file or an open text file with a header line."""
    from rocwise.engines import columns_of

    return columns_of(frame_or_path, list(dict.fromkeys(names)))[0]
