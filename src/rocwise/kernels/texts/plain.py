"""Numbers as text, and tables of text as numbers, in plain Python."""

import re

import numpy as np

from rocwise.arrays import Array, Codes, Flags, Floats, Integers
from rocwise.printing import digits_between as _digits_between

MISSING = frozenset(["", "NA", "NaN", "nan", "null"])
WHOLE = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
LONGEST_CELL = 400  # signs of a number; longer ones are words
EXACT = 2.0**53  # whole numbers below it are floats
BLANK, ZERO, POINT, MINUS = (ord(sign) for sign in " 0.-")


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


def digits_between(low: Floats, high: Floats, *, single: bool) -> tuple[Integers, Integers, Flags]:
    """Numbers in the fewest digits, at least four, that are above `low` and at most `high`.

    As whole numbers, how many of their digits are behind the point, and whether floats could
    tell; of `single` ones the nearest float32 lies there, too.

    Examples
    --------
    >>> digits_between(np.array([0.19]), np.array([0.22]), single=False)
    (array([22]), array([2]), array([ True]))
    """
    return _digits_between(low, high, np.float32 if single else np.float64)


def aligned_decimals(whole: Integers, places: Integers, longest: int) -> Codes:
    """The signs of numbers `whole` / 10**`places`, (place, number), points below each other.

    `longest` are the signs from the point on, none where there is no point.

    Examples
    --------
    >>> signs = aligned_decimals(np.array([5, -1234]), np.array([1, 2]), 3)
    >>> [bytes(number) for number in signs.T]
    [b'  0.5 ', b'-12.34']
    """
    units = 10**places
    before = np.abs(whole) // units
    after = np.abs(whole) - before * units
    front = _digits(before)
    if bool((whole < 0).any()):
        front = np.concatenate([np.full((1, len(whole)), BLANK, np.uint8), front])
        last_blank = (front == BLANK).sum(axis=0) - 1
        below = np.flatnonzero(whole < 0)
        front[last_blank[below], below] = MINUS
    if not longest:
        return front
    behind = np.full((longest, len(whole)), BLANK, np.uint8)
    behind[0][places > 0] = POINT
    for k in range(1, longest):
        after = after * 10  # below ten times 10**places
        digit = after // units
        after = after - digit * units
        behind[k] = np.where(places >= k, digit + ZERO, BLANK)
    return np.concatenate([front, behind])


def _digits(numbers: Integers) -> Codes:
    """Whole numbers, at the right and without leading zeros."""
    rest = numbers
    signs = np.empty((len(str(int(numbers.max(initial=0)))), len(rest)), np.uint8)
    for k in range(len(signs)):
        tenth = rest // 10
        digit = (rest - 10 * tenth + ZERO).astype(np.uint8)
        signs[-1 - k] = digit if k == 0 else np.where(rest == 0, BLANK, digit)
        rest = tenth
    return signs
