"""Distinct values and which of them each row holds, without numpy's sort where there is a way."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocwise.arrays import Array, Counts, Flags, Places
from rocwise.kernels.row_formulas import parts_of_rows, row_by_row, steps_of_rows
from rocwise.kernels.threads import run_parts

Real = TypeVar("Real", bound=np.floating[Any])
WIDEST = 4  # times as many whole numbers in a range as there are rows: still one table of marks
FEW = 1024  # numbers of which a table is short, however few rows there are
LARGEST_EXACT = 2**53  # whole numbers that float64 keeps apart


def distinct(values: Array) -> tuple[Array, Places]:
    """What `np.unique` with ``return_inverse`` gives: sorted distinct values, and codes of rows.

    Whole numbers that are close together are marked in a table, other numbers go through the
    sort of the kernels, and whatever else there is through numpy.

    Examples
    --------
    >>> names, codes = distinct(np.array([7, 3, 7]))
    >>> names.tolist(), codes.tolist()
    ([3, 7], [1, 0, 1])
    """
    if values.ndim == 1 and values.size and values.dtype.kind in "iub":
        low, high = int(values.min()), int(values.max())
        if max(-low, high) <= LARGEST_EXACT:
            close = high - low <= WIDEST * values.size
            return _marked(values, low, high) if close else _sorted_apart(values)
    floats = values.dtype in (np.float32, np.float64)
    if values.ndim == 1 and floats and not np.isnan(values).any():
        return _sorted_apart(values)
    names, codes = np.unique(values, return_inverse=True)
    return names, codes


def ascending(values: NDArray[Real]) -> NDArray[Real]:
    """Floats without nan, sorted; what is smaller comes first.

    Examples
    --------
    >>> ascending(np.array([2.0, 1.0])).tolist()
    [1.0, 2.0]
    """
    from rocwise import kernels

    found: Any = kernels.sort_classes(np.zeros(values.size, np.uint8), values)[0]
    ranked: NDArray[Real] = found
    return ranked


def rising(values: Array) -> Array:
    """What `np.unique` gives: sorted distinct values; floats go through the sort of the kernels.

    Examples
    --------
    >>> rising(np.array([2.0, 1.0, 2.0])).tolist()
    [1.0, 2.0]
    """
    floats = values.dtype in (np.float32, np.float64)
    if values.ndim != 1 or not floats or np.isnan(values).any():
        return np.unique(values)
    ranked = ascending(values)
    return ranked[_first_of_each(ranked)]


def numbers_used(codes: Places) -> int:
    """How many different ones there are among whole numbers from 0 on.

    Examples
    --------
    >>> numbers_used(np.array([0, 5, 5]))
    2
    """
    return int(np.count_nonzero(np.bincount(codes))) if len(codes) else 0


def small_codes(values: Array) -> tuple[Places, int]:
    """Whole numbers from 0 on that are equal where the values are, and what they are below.

    Numbers that are such already stay what they are.

    Examples
    --------
    >>> codes, above = small_codes(np.array([7, 3, 7]))
    >>> codes.tolist(), above
    ([7, 3, 7], 8)
    >>> small_codes(np.array([0.5, 0.1]))[0].tolist()
    [1, 0]
    """
    if values.dtype == np.intp and values.ndim == 1 and values.size:
        highest = int(values.view(np.uintp).max())  # numbers below 0 are the largest of these
        if highest <= max(WIDEST * values.size, FEW):
            return values, highest + 1
    names, codes = distinct(values)
    return codes, len(names)


def _marked(values: Array, low: int, high: int) -> tuple[Array, Places]:
    width, rows = high - low + 1, len(values)

    def mark(start: int, stop: int) -> Flags:
        seen = np.zeros(width, np.bool_)  # threads that write to one table wait for each other
        for some in steps_of_rows(start, stop, rows):
            seen[values[some].astype(np.intp) - low] = True
        return seen

    parts = parts_of_rows(rows)
    tables = run_parts(mark, parts if len(parts) * width <= rows else [(0, rows)])
    seen = np.logical_or.reduce(tables)
    names = (np.flatnonzero(seen) + low).astype(values.dtype)
    codes = np.cumsum(seen) - 1
    return names, row_by_row(lambda some: codes[some.astype(np.intp) - low], values, dtype=np.intp)


def _sorted_apart(values: Array) -> tuple[Array, Places]:
    from rocwise import kernels  # which offers this function too

    order: Counts = kernels.argsort(values.astype(np.float64))
    ranked: Any = values[order]
    new = _first_of_each(ranked)
    codes = np.empty(len(values), np.intp)
    codes[order] = np.cumsum(new) - 1
    return ranked[new], codes


def _first_of_each(ranked: Array) -> Flags:
    """Where a sorted column comes to another value."""
    new = np.ones(len(ranked), np.bool_)
    np.not_equal(ranked[1:], ranked[:-1], out=new[1:])
    return new
