"""Numbers as text, and tables of text as numbers, in plain Python."""

import re

import numpy as np

from rocwise.arrays import Array, Floats

MISSING = frozenset(["", "NA", "NaN", "nan", "null"])
WHOLE = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
LONGEST_CELL = 400  # signs of a number; longer ones are words
EXACT = 2.0**53  # whole numbers below it are floats


def joined_numbers(values: Array, between: str = ", ", absent: str = "null") -> str:
    """Numbers (float64 or int64) in the fewest digits that stand for them, as Python has them.

    Examples
    --------
    >>> joined_numbers(np.array([0.5, np.nan, 1e-05])), joined_numbers(np.array([1, 2]), ",")
    ('0.5, null, 1e-05', '1,2')
    """
    if values.dtype.kind == "i":
        return between.join(map(str, values.tolist()))
    texts = list(map(repr, values.tolist()))
    for place in np.flatnonzero(np.isnan(values)).tolist():
        texts[place] = absent
    return between.join(texts)


def cell_columns(
    text: bytes, n_columns: int, places: list[int], delimiter: str
) -> list[Array | list[str]] | None:
    r"""Columns of a table of text in UTF-8 without quotes: numbers, or cells as they are written.

    Whole numbers are int64, other numbers, and numbers of which some are missing, are float64.
    Cells are left as they are where one of them is no number, or 2**53 and more. None where
    lines have other than `n_columns` cells, or there are none.

    Examples
    --------
    >>> cell_columns(b"1,a,0.5\n2,b,NA", 3, [0, 1, 2], ",")
    [array([1, 2]), ['a', 'b'], array([0.5, nan])]
    """
    lines = text.decode().replace("\r\n", "\n").split("\n")
    rows = [line.split(delimiter) for line in lines if line]
    if not rows or any(len(row) != n_columns for row in rows):
        return None
    if any("\r" in cell for row in rows for cell in row):
        return None
    return [_numbers([row[place] for row in rows]) for place in places]


def _numbers(cells: list[str]) -> Array | list[str]:
    """Cells as numbers where all of them are, or are missing."""
    present = [cell for cell in cells if cell not in MISSING]
    if not present or any(len(c) > LONGEST_CELL or not NUMBER.fullmatch(c) for c in present):
        return cells
    numbers: Floats = np.array([np.nan if cell in MISSING else float(cell) for cell in cells])
    if bool((np.abs(numbers) >= EXACT).any()):
        return cells
    if not all(map(WHOLE.fullmatch, present)):
        return numbers
    return numbers.astype(np.int64) if len(present) == len(cells) else cells
