"""Curves of drawn rows with weights, or of whole clusters, by the compiled readers."""

import numpy as np

from rocwise.arrays import Counts, Floats, Places
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.compiled import _reading
from rocwise.kernels.compiled.reading import KINDS, as_told
from rocwise.kernels.compiled.resampling import row_amounts
from rocwise.kernels.drawn_rows import plain
from rocwise.kernels.readers import Choice, Formula, Reader


def read_rows(
    rows: tables.SignedRows,
    times: Counts,
    held: Floats | None,
    formula: Formula,
    reader: Reader | None,
) -> Floats:
    """Compiled twin of `plain.read_rows`.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> read_rows(rows, np.array([[2, 3]]), np.zeros((2, 3)), lambda p, n: p[:, 0], None).tolist()
    [2.0]
    """
    if reader is None or times.dtype.kind not in "biu":
        return formula(*row_amounts(rows, times))
    tables.check_times(rows, times)
    read = np.zeros((len(times), reader.width))  # what nobody has told of is read as nothing
    drawn = np.ascontiguousarray(times, np.int64)
    _reading.read_rows(KINDS[reader.kind], drawn, *rows, held, *as_told(reader), read)
    answer = reader.answer(read)
    wrong = np.flatnonzero(np.isnan(read).any(axis=1))
    if len(wrong):
        answer[wrong] = formula(*row_amounts(rows, times[wrong]))
    return answer


def left_out_rows(rows: tables.SignedRows, times: Counts, places: Places) -> Floats:
    """Compiled twin of `plain.left_out_rows`.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> left_out_rows(rows, np.array([[1, 0]]), np.array([[1]])).tolist()
    [[0.0, 0.0, 0.0, 1.0]]
    """
    tables.check_times(rows, times)
    tables.check_places(rows, times, places)
    absent = np.empty((len(times), 2 * places.shape[1] + 2))
    asked = np.ascontiguousarray(places, np.int64)
    _reading.left_out_rows(np.ascontiguousarray(times, np.int64), *rows, asked, absent)
    return absent


def choose_rows(
    rows: tables.SignedRows, times: Counts, chosen: Choice, told: Floats | None
) -> tuple[Counts, Floats]:
    """Compiled twin of `plain.choose_rows`.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> choose_rows(rows, np.array([[1, 0]]), lambda tp, fp: np.array([1]), None)
    (array([1]), array([[0., 0., 0., 1.]]))
    """
    if told is None:
        return plain.choose_rows(rows, times, chosen, None)
    tables.check_times(rows, times)
    places, absent = np.empty(len(times), np.int64), np.empty((len(times), 4))
    _reading.choose_rows(np.ascontiguousarray(times, np.int64), *rows, told, places, absent)
    return places, absent
