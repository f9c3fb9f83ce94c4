"""The one rule by which cells of text become numbers, booleans or text, for files of every size.

All cells of a column decide together: integers if all are, else floats if all are numbers, else
booleans if all are ``true`` or ``false``, else text. Integers that a float cannot hold stay exact.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

MISSING_CELLS = frozenset(["", "NA", "NaN", "nan", "null"])  # what R and pandas write
FLAGS = {"true": True, "false": False}
LARGEST_EXACT_INTEGER = 2**53
INTEGER = re.compile(r"\s*[+-]?[0-9]+\s*")


def typed(cells: Sequence[str]) -> Any:
    """The column that the cells make, with None (nan among floats) where a cell is missing.

    >>> typed(["1", "2"]), typed(["1", "NA", "2.5"])
    (array([1, 2]), array([1. , nan, 2.5]))
    >>> typed(["TRUE", "", "false"]), typed(["001", "x"])
    (array([True, None, False], dtype=object), array(['001', 'x'], dtype=object))
    """
    present = [cell for cell in cells if cell not in MISSING_CELLS]
    values = _values(present)
    if len(present) == len(cells):
        return values
    is_float = isinstance(values, np.ndarray) and values.dtype.kind == "f"
    column = np.full(len(cells), np.nan if is_float else None, None if is_float else object)
    column[[cell not in MISSING_CELLS for cell in cells]] = values
    return column


def _values(present: list[str]) -> Any:
    """Cells none of which is missing."""
    numbers = _numbers(present) if present else None
    if numbers is not None:
        return numbers
    flags = [FLAGS.get(cell.lower()) for cell in present]
    return _objects(present if None in flags else flags)


def _numbers(cells: list[str]) -> Any:
    """Integers where all are, else floats; None where a cell is no number."""
    try:
        if "_" in "".join(cells):  # Python would read 1_000 as a number
            return None
        integers = list(map(int, cells))
    except ValueError:
        return _floats(cells)
    if all(-(2**63) <= item < 2**63 for item in integers):
        return np.array(integers, dtype=np.int64)
    return _objects(integers)


def _floats(cells: list[str]) -> Any:
    try:
        values = list(map(float, cells))
    except ValueError:
        return None
    for value, cell in zip(values, cells, strict=True):
        if abs(value) >= LARGEST_EXACT_INTEGER and _is_inexact(value, cell):
            return _objects([Decimal(cell.strip()) for cell in cells])
    return np.array(values)


def _is_inexact(value: float, cell: str) -> bool:
    """Whether a number is beyond all floats, or an integer that may share a float with others."""
    if math.isinf(value):
        return "n" not in cell.lower()  # not written as inf
    return INTEGER.fullmatch(cell) is not None


def _objects(values: Sequence[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
