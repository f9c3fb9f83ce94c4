"""Numbers as text, and tables of text as numbers, with the compiled loops."""

import numpy as np

from rocwise.arrays import Array, Codes, Flags, Floats, Integers
from rocwise.kernels.compiled import _spelling

WHOLE, WORDS = 0, 2  # what columns hold
BLANK = ord(" ")


def joined_numbers(values: Array, between: str = ", ", absent: str = "null") -> str:
    """Compiled twin of `plain.joined_numbers`.

    Examples
    --------
    >>> joined_numbers(np.array([0.5, np.nan, 1e-05])), joined_numbers(np.array([1, 2]), ",")
    ('0.5, null, 1e-05', '1,2')
    """
    if values.dtype.kind == "i":
        return _spelling.join_integers(np.ascontiguousarray(values, np.int64), between.encode())
    numbers = np.ascontiguousarray(values, np.float64)
    return _spelling.join_floats(numbers, between.encode(), absent.encode())


def cell_columns(
    text: bytes, n_columns: int, places: list[int], delimiter: str
) -> list[Array | list[str]] | None:
    r"""Compiled twin of `plain.cell_columns`.

    Examples
    --------
    >>> cell_columns(b"1,a,0.5\n2,b,NA", 3, [0, 1, 2], ",")
    [array([1, 2]), ['a', 'b'], array([0.5, nan])]
    """
    wanted = np.full(n_columns, -1, np.int64)
    wanted[places] = np.arange(len(places))
    values = np.empty((len(places), text.count(b"\n") + 1))
    kinds, missing = np.zeros((2, len(places)), np.uint8)
    n = _spelling.cell_columns(text, n_columns, wanted, ord(delimiter), values, kinds, missing)
    if n <= 0:
        return None
    columns: list[Array | list[str]] = []
    for place, numbers, kind, holes in zip(places, values, kinds, missing, strict=True):
        if kind == WORDS or (kind == WHOLE and holes):  # also a column of nothing
            columns.append(_spelling.word_cells(text, n_columns, place, ord(delimiter)))
        else:
            columns.append(numbers[:n].astype(np.int64) if kind == WHOLE else numbers[:n])
    return columns


def digits_between(low: Floats, high: Floats, *, single: bool) -> tuple[Integers, Integers, Flags]:
    """Compiled twin of `plain.digits_between`.

    Examples
    --------
    >>> digits_between(np.array([0.19]), np.array([0.22]), single=False)
    (array([22]), array([2]), array([ True]))
    """
    low, high = (np.ascontiguousarray(limits, np.float64) for limits in (low, high))
    whole, places = np.zeros((2, len(high)), np.int64)
    found = np.zeros(len(high), bool)
    _spelling.digits_between(low, high, single, whole, places, found)
    return whole, places, found


def aligned_decimals(whole: Integers, places: Integers, longest: int) -> Codes:
    """Compiled twin of `plain.aligned_decimals`.

    Examples
    --------
    >>> signs = aligned_decimals(np.array([5, -1234]), np.array([1, 2]), 3)
    >>> [bytes(number) for number in signs.T]
    [b'  0.5 ', b'-12.34']
    """
    whole, places = (np.ascontiguousarray(each, np.int64) for each in (whole, places))
    front = _spelling.digits_before_point(whole, places)
    signs = np.full((front + longest, len(whole)), BLANK, np.uint8)
    _spelling.align_decimals(whole, places, front, signs)
    return signs
