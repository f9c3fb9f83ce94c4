"""Tables as columns and back: arrays, and data frames of any kind that narwhals knows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Array
from rocwise.errors import InputError, shown
from rocwise.estimators.mimetic.attributes import Columns


@dataclass(frozen=True, slots=True, eq=False)
class TableForm:
    """How the user's table looks: names, kinds of columns, and what kind of table it is."""

    names: tuple[str, ...]
    nominal: frozenset[int]
    schema: Any = None  # of a data frame
    backend: Any = None

    @property
    def is_frame(self) -> bool:
        """Whether it is a data frame."""
        return self.backend is not None

    def rebuild(self, columns: Columns) -> Any:
        """Columns as a table of the same form."""
        if not self.is_frame:
            return np.column_stack(columns)
        import narwhals as nw

        values = {name: list(column) for name, column in zip(self.names, columns, strict=True)}
        kept = {self.names[place]: self.schema[self.names[place]] for place in self.nominal}
        schema = {name: kept.get(name, nw.Float64()) for name in self.names}
        return nw.from_dict(values, schema=schema, backend=self.backend).to_native()


def is_frame(X: Any) -> bool:
    """Whether `X` is a data frame rather than an array."""
    return hasattr(X, "columns") and not isinstance(X, np.ndarray)


def form_of(X: Any, nominal: Iterable[int | str] | None) -> TableForm:
    """The form of a table; in frames, text, categories and booleans are nominal of themselves."""
    if not is_frame(X):
        shape = np.shape(X)
        if len(shape) != 2:
            raise InputError(f"`X` must be a table of rows and columns; got the shape {shape}.")
        names = tuple(f"x{place}" for place in range(shape[1]))
        return TableForm(names, frozenset(_places(nominal, names)))
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True)
    names = tuple(frame.columns)
    kinds = (nw.Categorical, nw.Enum, nw.String, nw.Boolean, nw.Object)
    found = {place for place, name in enumerate(names) if isinstance(frame.schema[name], kinds)}
    chosen = frozenset(found | _places(nominal, names))
    return TableForm(names, chosen, dict(frame.schema), frame.implementation)


def columns_of(X: Any) -> Columns:
    """The columns of a table, nominal ones as plain values."""
    if not is_frame(X):
        table = np.asarray(X)
        return [table[:, place] for place in range(table.shape[1])]
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True)
    return [_plain(frame.get_column(name), nw) for name in frame.columns]


def _plain(series: Any, nw: Any) -> Array:
    if isinstance(series.dtype, (nw.Categorical, nw.Enum, nw.String, nw.Object)):
        return np.array(series.to_list(), dtype=object)
    values: Array = series.to_numpy()
    return values


def _places(nominal: Iterable[int | str] | None, names: tuple[str, ...]) -> set[int]:
    """Positions of the columns that the user calls nominal, by name or by number."""
    places = set()
    for each in [] if nominal is None else checks.members(nominal, "nominal", "columns"):
        if not isinstance(each, (str, int, np.integer)) or isinstance(each, bool):
            raise InputError(
                f"`nominal` must hold names or numbers of columns; got {shown(each)} in it."
            )
        if isinstance(each, str):
            if each not in names:
                raise InputError(f"`nominal` names the column {each!r}, which `X` does not have.")
            places.add(names.index(each))
        elif not 0 <= each < len(names):
            raise InputError(
                f"`nominal` names column {each}, but `X` has the columns 0 to {len(names) - 1}."
            )
        else:
            places.add(int(each))
    return places
