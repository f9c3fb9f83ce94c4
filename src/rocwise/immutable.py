"""Read-only values and objects, and values as JSON has them."""

import dataclasses
import functools
import inspect
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeVar

import numpy as np

from rocwise.arrays import Array
from rocwise.tables import ReadOnlyDict

PLAIN: set[type[Any]] = {float, int, str, bool, type(None)}  # immutable types
Kind = TypeVar("Kind", bound=type[Any])
Value = TypeVar("Value")


def never_written(kind: Kind) -> Kind:
    """Mark a class of immutable objects, which `locked` returns unchanged."""
    PLAIN.add(kind)
    return kind


def read_only(array: Array) -> Array:
    """The same numbers, read-only, masks included."""
    if type(array) is np.ndarray and not array.flags.writeable:
        return array
    values = (array if type(array) is np.ndarray else np.asarray(array)).view()
    values.setflags(write=False)
    if type(array) is np.ndarray or not isinstance(array, np.ma.MaskedArray):
        return values
    mask = np.ma.getmaskarray(array).copy()
    mask.flags.writeable = False
    return np.ma.MaskedArray(values, mask=mask, copy=False)


def locked(value: Any) -> Any:
    """The same value, of which arrays, dicts and lists cannot be written to."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is np.ndarray or isinstance(value, np.ndarray):
        return read_only(value)
    if kind is tuple or kind is list:
        return tuple([locked(item) for item in value])
    if isinstance(value, dict):
        made = kind if isinstance(value, ReadOnlyDict) else ReadOnlyDict
        return made({name: locked(item) for name, item in value.items()})
    return value


def json_safe(value: Any) -> Any:
    """Arrays to lists, numpy scalars to numbers, infinities and nan to None, records to dicts."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, (np.integer, np.bool_)):
        return value.item()
    if isinstance(value, np.ndarray):
        return _column(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        if hasattr(value, "to_dict"):  # references are listed once, by the result itself
            return {k: v for k, v in value.to_dict().items() if k != "references"}
        return {f.name: json_safe(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): json_safe(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_safe(item) for item in value]
    return str(value)


def _column(array: Array) -> Any:
    """An array as lists: all numbers at once, and none of them looked at twice."""
    kind = array.dtype.kind
    if kind in "biu" or (kind == "f" and bool(np.isfinite(np.asarray(array)).all())):
        return array.tolist()  # what is masked becomes None
    if kind != "f":
        return json_safe(array.tolist())
    absent = ~np.isfinite(np.asarray(array))
    if isinstance(array, np.ma.MaskedArray):
        absent |= np.ma.getmaskarray(array)
    items = np.asarray(array).astype(object)
    items[absent] = None
    return items.tolist()


class cached_property(functools.cached_property[Value]):  # noqa: N801  # used like property
    """`functools.cached_property` without the lock that it has before Python 3.12.

    Two threads may both compute a value; the values are equal.
    """

    if not TYPE_CHECKING:

        def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
            """The value; found in the object itself from the second time on."""
            if instance is None:
                return self
            found = instance.__dict__[self.attrname] = self.func(instance)
            return found


class Immutable:
    """Base of objects whose attributes are set by `__init__`, or cached, and never changed."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        never_written(cls)

    def _set(self, **attributes: Any) -> None:
        """Set attributes; for `__init__` alone."""
        self.__dict__.update(attributes)

    def __setattr__(self, name: str, value: Any = None) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; make a new one.")

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name)

    def _made_of(self) -> dict[str, Any]:
        """The arguments of `__init__` that make the same object again: attributes named so."""
        own = self.__dict__
        kind: Any = type(self)
        return {
            name: own[f"_{name}"] if f"_{name}" in own else own[name] for name in _arguments(kind)
        }

    def _with(self, **changes: Any) -> Self:
        """The same object, made with some other arguments."""
        return type(self)(**self._made_of() | changes)

    def __reduce__(self) -> Any:
        return _remade, (type(self), self._made_of())


@functools.cache
def _arguments(kind: type[Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(kind).parameters)


def _remade(kind: type[Any], made_of: dict[str, Any]) -> Any:
    return kind(**made_of)
