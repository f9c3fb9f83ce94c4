"""Segments of a curve with the compiled loops, which read rates that lie next to each other."""

import numpy as np

from rocwise.arrays import Amounts, Counts, Floats
from rocwise.kernels.compiled import _parts
from rocwise.kernels.parts import plain
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.threads import heard, run_parts, steps_between_signals


def segment_areas(
    x0: Floats, x1: Floats, y0: Floats, y1: Floats, low: float, high: float
) -> Floats:
    """Compiled twin of `plain.segment_areas`."""
    x0, x1, y0, y1 = _readable(x0, x1, y0, y1)
    return _parts.segment_areas(x0, x1, y0, y1, low, high)


def positive_influences(
    before: Floats, after: Floats, low: float, high: float, area: float, noise: float
) -> Floats:
    """Compiled twin of `plain.positive_influences`."""
    before, after = _readable(before, after)
    return _parts.positive_influences(before, after, low, high, area, noise)


def negative_influences(
    x0: Floats,
    x1: Floats,
    y0: Floats,
    y1: Floats,
    low: float,
    high: float,
    at_low: float,
    at_high: float,
    shift: float,
    noise: float,
) -> Floats:
    """Compiled twin of `plain.negative_influences`."""
    x0, x1, y0, y1 = _readable(x0, x1, y0, y1)
    return _parts.negative_influences(x0, x1, y0, y1, low, high, at_low, at_high, shift, noise)


def precision_steps(
    tp: Amounts,
    fp: Amounts,
    pos: Amounts,
    n_pos: float,
    n_neg: float,
    odds: float,
    columns: tuple[Floats, ...],
) -> tuple[float, float, float]:
    """Compiled twin of `plain.precision_steps`."""
    plain.check_steps(tp, fp, pos, *columns)
    kind = np.float64 if "f" in (tp.dtype.kind, fp.dtype.kind, pos.dtype.kind) else np.int64
    tp, fp, pos = (np.ascontiguousarray(each, kind) for each in (tp, fp, pos))
    precision, gained, by_hits, by_alarms = columns
    filled = precision, gained, by_hits, by_alarms
    return _parts.precision_steps(tp, fp, pos, n_pos, n_neg, odds, *filled)


def summed_upwards(column: Floats) -> Floats:
    """Compiled twin of `plain.summed_upwards`."""
    if column.dtype != np.float64 or not column.flags.c_contiguous:
        return plain.summed_upwards(column)
    heard(_parts.sum_upwards, column, rows=len(column))
    return column


def doubled_area(tp: Counts, fp: Counts) -> int:
    """Compiled twin of `plain.doubled_area`."""
    plain.check_steps(tp, fp)
    if not plain.fits_in_64_bits(tp, fp):
        return plain.doubled_area(tp, fp)
    tp, fp = np.ascontiguousarray(tp, np.int64), np.ascontiguousarray(fp, np.int64)

    def add(start: int, stop: int) -> int:
        return sum(
            _parts.doubled_area(tp, fp, *rows) for rows in steps_between_signals(start, stop)
        )

    return sum(run_parts(add, parts_of_rows(len(tp))))


def _readable(*columns: Floats) -> list[Floats]:
    """The columns as the loops read them, all of one length."""
    if len({len(column) for column in columns}) > 1:
        raise ValueError("the columns must be of one length.")
    return [np.ascontiguousarray(column, np.float64) for column in columns]
