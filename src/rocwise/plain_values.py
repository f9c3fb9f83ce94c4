"""Values that cannot be written to, and values as JSON has them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from rocwise.arrays import Array
from rocwise.tables import ReadOnlyDict

PLAIN: set[type[Any]] = {float, int, str, bool, type(None)}  # most fields of answers
Kind = TypeVar("Kind", bound=type[Any])


def never_written(kind: Kind) -> Kind:
    """Mark a class whose objects `locked` gives back anyway: known by one look at their type."""
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
    """The same value, of which arrays, dicts and lists cannot be written to.

    >>> locked({"a": [1, 2]})
    {'a': (1, 2)}
    """
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
    """Arrays to lists, numpy scalars to numbers, infinities and nan to None, records to dicts.

    >>> json_safe({"a": np.array([0.5, np.inf]), "b": (np.int64(1), None)})
    {'a': [0.5, None], 'b': [1, None]}
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, (np.integer, np.bool_)):
        return value.item()
    if isinstance(value, np.ndarray):
        return _column(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        if hasattr(value, "to_dict"):
            return value.to_dict()
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
