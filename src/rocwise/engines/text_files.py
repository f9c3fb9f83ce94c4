"""Columns of small `.csv` and `.tsv` files, read with the standard library."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np

from rocwise.engines.frames import check_columns
from rocwise.errors import InputError, listed

MISSING_CELLS = ("NA", "NaN", "nan", "null")  # beside empty cells; what R and pandas write
TEXT_SUFFIXES = {".csv": ",", ".tsv": "\t"}


def read_text(lines: Any, wanted: list[str], delimiter: str, name: str) -> dict[str, Any]:
    """The wanted columns of an open text file with a header line."""
    try:
        reader = csv.reader(lines, delimiter=delimiter)
        header = next(reader, None)
        if not header:
            raise InputError(f"{name} is empty: a header line with column names is needed.")
        check_columns(wanted, header)
        repeated = [column for column in wanted if header.count(column) > 1]
        if repeated:
            raise InputError(f"{name}: more than one column is called {listed(repeated)}.")
        places = [header.index(column) for column in wanted]
        cells: list[list[str]] = [[] for _ in wanted]
        for number, row in enumerate(reader):
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(
                    f"{name}: row {number} has {len(row)} cells but the header has {len(header)}."
                )
            for column, place in zip(cells, places, strict=True):
                column.append(row[place])
    except (UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"{name} cannot be read as text with commas or tabs: {problem}.") from None
    return {column: typed(values) for column, values in zip(wanted, cells, strict=True)}


def typed(cells: list[str]) -> Any:
    """Numbers if every cell that is not missing is a number, booleans likewise, else text."""
    cells = ["" if cell in MISSING_CELLS else cell for cell in cells]
    numbers = _numbers(cells)
    if numbers is not None:
        return numbers
    flags = {"true": True, "false": False, "": None}
    if all(cell.lower() in flags for cell in cells):
        return np.array([flags[cell.lower()] for cell in cells], dtype=object)
    return np.array([cell or None for cell in cells], dtype=object)


def _numbers(cells: list[str]) -> Any:
    """Integers where all are (floats would merge those above 2**53), else floats, else None."""
    if any("_" in cell for cell in cells):  # Python would read 1_000 as a number
        return None
    try:
        integers = [int(cell) if cell else None for cell in cells]
        if all(item is None or -(2**63) <= item < 2**63 for item in integers):
            return np.array(integers, dtype=object if None in integers else np.int64)
    except ValueError:
        pass
    try:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return None
