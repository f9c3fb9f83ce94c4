"""Curves of drawn rows with weights, or of whole clusters, by the formulas of numpy."""

import numpy as np

from rocwise.arrays import Counts, Floats, Places
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.plain.resampling import row_amounts
from rocwise.kernels.readers import Choice, Formula, Reader


def read_rows(
    rows: tables.SignedRows,
    times: Counts,
    held: Floats | None,  # noqa: ARG001 - as the compiled twin
    formula: Formula,
    reader: Reader | None,  # noqa: ARG001
) -> Floats:
    """A statistic of rows whose unit u is there times[b, u] times, one line per resample.

    `held` has the cumulative amounts of the data, from 0: (2, scores + 1), for readers that ask.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> read_rows(rows, np.array([[2, 3]]), np.zeros((2, 3)), lambda p, n: p[:, 0], None).tolist()
    [2.0]
    """
    return formula(*row_amounts(rows, times))


def left_out_rows(rows: tables.SignedRows, times: Counts, places: Places) -> Floats:
    """Amounts of rows whose units are there 0 times, a line for each of the resamples.

    Positives above each of its places, (resample, place), and all of them; then the negatives.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> left_out_rows(rows, np.array([[1, 0]]), np.array([[1]])).tolist()
    [[0.0, 0.0, 0.0, 1.0]]
    """
    tables.check_places(rows, times, places)
    parts = [
        tables.cumulative(part, np.float64)
        for part in row_amounts(rows, (times == 0).astype(np.int64))
    ]
    above = [(np.take_along_axis(part, places, 1), part[:, -1:]) for part in parts]
    return np.concatenate([*above[0], *above[1]], axis=1)


def choose_rows(
    rows: tables.SignedRows,
    times: Counts,
    chosen: Choice,
    told: Floats | None,  # noqa: ARG001 - as the compiled twin
) -> tuple[Counts, Floats]:
    """Places that are chosen on curves of rows, and what was left out of each.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> choose_rows(rows, np.array([[1, 0]]), lambda tp, fp: np.array([1]), None)
    (array([1]), array([[0., 0., 0., 1.]]))
    """
    places = chosen(*(tables.cumulative(part, np.float64) for part in row_amounts(rows, times)))
    return places, left_out_rows(rows, times, np.maximum(places, 0)[:, None])
