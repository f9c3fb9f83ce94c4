"""Numbers as text, and tables of text as numbers, with the compiled loops."""

import numpy as np

from rocwise.arrays import Array
from rocwise.kernels.compiled import _spelling

WHOLE, WORDS = 0, 2  # what columns hold


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
    wanted = np.full(n_columns, -1)
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
