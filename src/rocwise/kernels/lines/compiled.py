"""Curves of drawn rows along lines of one slope, with the compiled loops."""

import numpy as np

from rocwise.arrays import Counts, Floats
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.compiled import _bands
from rocwise.kernels.lines import plain
from rocwise.kernels.lines.plain import Laid
from rocwise.kernels.long_arrays import far_apart, on_large_pages
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.threads import run_parts


def laid_curve(fpr: Floats, tpr: Floats, slope: float, scale: Floats | None = None) -> Laid:
    """Compiled twin of `lines.plain.laid_curve`; vertices and places are shared out.

    Examples
    --------
    >>> rates = np.array([0.0, 0.5, 1.0])
    >>> laid_curve(rates, rates, 1.0).places.tolist()
    [0, 0, 1, 2]
    """
    plain.check_curve(fpr, tpr, slope, scale)
    along, up = (np.ascontiguousarray(rates, np.float64) for rates in (fpr, tpr))
    scales = np.ones(1) if scale is None else np.ascontiguousarray(scale, np.float64)
    points = on_large_pages((len(along), 3))

    def lay_points(first: int, last: int) -> None:
        _bands.lay_points(along, up, slope, scales, points, first, last)

    run_parts(lay_points, far_apart(parts_of_rows(len(along))))
    evenly = plain.even_places(float(points[-1, 0]), len(along))
    places, fprs = np.empty(len(evenly), np.int32), np.empty(len(evenly))

    def lay_places(first: int, last: int) -> None:
        _bands.lay_places(points, evenly, places, fprs, first, last)

    run_parts(
        lay_places,
        [  # a vertex is walked past for every place, at least
            tuple(end * len(evenly) // len(along) for end in part)
            for part in parts_of_rows(len(along))
        ],
    )
    least = np.empty((0, 0)) if scale is None else plain.least_scales(scales)
    return Laid(slope, points, least, places, fprs)


def row_gaps(rows: tables.SignedRows, times: Counts, laid: Laid, *, floor: float = 0.0) -> Floats:
    """Compiled twin of `lines.plain.row_gaps`.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> diagonal = laid_curve(np.array([0.0, 1.0]), np.array([0.0, 1.0]), 1.0)
    >>> row_gaps(rows, np.array([[1, 3]]), diagonal).tolist()
    [0.5]
    """
    result = np.empty(len(times))
    drawn, (points, least, places, fprs) = _checked(rows, times, floor), laid.arrays
    _bands.held_gaps(drawn, *rows, laid.slope, floor, points, least, places, fprs, result)
    return result


def row_pair_gaps(
    rows: tables.SignedRows, times: Counts, slope: float, *, floor: float = 0.0
) -> Floats:
    """Compiled twin of `lines.plain.row_pair_gaps`.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> row_pair_gaps(rows, np.array([[1, 3], [2, 2]]), 1.0).tolist()
    [0.0]
    """
    result = np.empty(len(times) // 2)
    _bands.held_pair_gaps(_checked(rows, times, slope, floor), *rows, slope, floor, result)
    return result


def row_crossings(rows: tables.SignedRows, times: Counts, slope: float, lines: Floats) -> Floats:
    """Compiled twin of `lines.plain.row_crossings`.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> row_crossings(rows, np.array([[1, 3]]), 1.0, np.array([0.5, 1.5])).tolist()
    [[0.0, 0.5]]
    """
    wanted = np.ascontiguousarray(lines, np.float64)
    result = np.empty((len(times), len(wanted)))
    _bands.held_crossings(_checked(rows, times, slope, wanted), *rows, slope, wanted, result)
    return result


def _checked(rows: tables.SignedRows, times: Counts, *numbers: Floats | float) -> Counts:
    plain.check_drawn(rows, times, *numbers)
    return np.ascontiguousarray(times, np.int64)
