"""Numpy twins of the kernels that measure curves of drawn rows along lines of one slope.

A monotone curve meets each line tpr + slope * fpr = c once; two curves are compared by their FPR
on the same lines.
"""

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Counts, Floats, Ranks
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.resampling import row_amounts

NO_GAP = 2e-12  # curves that coincide, but for rounding; `_bands.pyx` has it too
BLOCK = 16  # vertices whose least scale is kept; `_bands.pyx` has it too
MOST_PLACES = 2**16


class Laid(NamedTuple):
    """A curve as the search for the largest gap reads it.

    Of each vertex its line, its FPR and the scale there; the least scale of 1, 2, 4, ... blocks
    from each on, if there is a scale; and for even places along the lines the last vertex that is
    not beyond, and the FPR there.
    """

    slope: float
    points: Floats
    least: Floats
    places: Ranks
    fprs: Floats

    @property
    def arrays(self) -> tuple[Floats, Floats, Ranks, Floats]:
        """All but the slope."""
        return self.points, self.least, self.places, self.fprs

    @property
    def curve(self) -> tuple[Floats, Floats]:
        """FPR of the vertices, and the lines through them."""
        return self.points[:, 1], self.points[:, 0]

    @property
    def scale(self) -> Floats | None:
        """The scale at each vertex, if there is one."""
        return self.points[:, 2] if self.least.size else None


def laid_curve(fpr: Floats, tpr: Floats, slope: float, scale: Floats | None = None) -> Laid:
    """The curve to which others are compared, with the scale at each of its vertices, if any.

    Examples
    --------
    >>> rates = np.array([0.0, 0.5, 1.0])
    >>> laid_curve(rates, rates, 1.0).places.tolist()
    [0, 0, 1, 2]
    """
    check_curve(fpr, tpr, slope, scale)
    line = tpr + slope * fpr
    evenly = even_places(float(line[-1]), len(line))
    places = np.searchsorted(line, evenly, side="right") - 1
    return Laid(
        slope,
        np.stack([line, fpr, np.ones(len(line)) if scale is None else scale], axis=1),
        least=np.empty((0, 0)) if scale is None else least_scales(scale),
        places=np.maximum(places, 0).astype(np.int32),
        fprs=crossings(fpr, line, evenly),
    )


def check_curve(fpr: Floats, tpr: Floats, slope: float, scale: Floats | None) -> None:
    """Refuse what is no curve, or has no scale at each of its vertices.

    Examples
    --------
    >>> check_curve(np.array([0.0, 1.0]), np.array([0.0, 1.0]), 1.0, None)
    """
    refuse_nan(fpr, tpr, slope, 1.0 if scale is None else scale, what="the curve or its scale")
    if not 1 < len(fpr) == len(tpr) == (len(tpr) if scale is None else len(scale)):
        raise ValueError("a curve needs two vertices, and a scale one number for each.")


def even_places(end: float, vertices: int) -> Floats:
    """Lines from 0 to the last one: as many as there are vertices, but not very many.

    Examples
    --------
    >>> even_places(2.0, 2).tolist()
    [0.0, 1.0, 2.0]
    """
    return np.linspace(0.0, end, 1 + min(vertices, MOST_PLACES))


def least_scales(scale: Floats) -> Floats:
    """The least scale of 1, 2, 4, ... blocks from each block on: a row for each number of blocks.

    Examples
    --------
    >>> least_scales(np.arange(40.0)[::-1])[:, 0].tolist()
    [24.0, 8.0]
    """
    rows = [np.minimum.reduceat(scale, np.arange(0, len(scale), BLOCK))]
    run = 1
    while 2 * run <= len(rows[0]):
        wider = rows[-1].copy()
        np.minimum(wider[:-run], rows[-1][run:], out=wider[:-run])
        rows.append(wider)
        run *= 2
    return np.array(rows)


def row_gaps(rows: tables.SignedRows, times: Counts, laid: Laid, *, floor: float = 0.0) -> Floats:
    """Largest difference in FPR, over all lines, between curves of drawn rows and a laid one.

    Curve b has unit u `times[b, u]` times. Differences are multiples of the scale of the laid
    curve. Those below `floor`, and those that rounding makes of none, are told as that, which
    spares compiled code the search for them.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> diagonal = laid_curve(np.array([0.0, 1.0]), np.array([0.0, 1.0]), 1.0)
    >>> row_gaps(rows, np.array([[1, 3]]), diagonal).tolist()
    [0.5]
    """
    check_drawn(rows, times, floor)
    curves = _curves(rows, times, laid.slope)
    return np.array([gap_above(floor, *laid.curve, *one, laid.scale) for one in curves])


def row_pair_gaps(
    rows: tables.SignedRows, times: Counts, slope: float, *, floor: float = 0.0
) -> Floats:
    """The same between the curves of two lines of `times`: 0 and 1, 2 and 3, and so on.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> row_pair_gaps(rows, np.array([[1, 3], [2, 2]]), 1.0).tolist()
    [0.0]
    """
    check_drawn(rows, times, slope, floor)
    curves = iter(_curves(rows, times, slope))
    return np.array([gap_above(floor, *one, *next(curves)) for one in curves])


def row_crossings(rows: tables.SignedRows, times: Counts, slope: float, lines: Floats) -> Floats:
    """FPR at which the curve of each line of `times` meets each of the ascending lines.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> row_crossings(rows, np.array([[1, 3]]), 1.0, np.array([0.5, 1.5])).tolist()
    [[0.0, 0.5]]
    """
    check_drawn(rows, times, slope, lines)
    return np.array([crossings(*one, lines) for one in _curves(rows, times, slope)])


def check_drawn(rows: tables.SignedRows, times: Counts, *numbers: Floats | float) -> None:
    """Refuse a table without all units, and lines, slopes or floors that are no numbers.

    Examples
    --------
    >>> rows = tables.signed_rows(np.array([True, False]), np.array([0, 1]), None, None)
    >>> check_drawn(rows, np.array([[1, 3]]), 1.0)
    """
    refuse_nan(*numbers, what="the slope, the floor or the lines")
    tables.check_times(rows, times)


def _curves(rows: tables.SignedRows, times: Counts, slope: float) -> list[tuple[Floats, Floats]]:
    """FPR of the vertices of each curve, from (0, 0), and the lines through them."""
    sums = (np.cumsum(part, axis=1) for part in row_amounts(rows, times))
    tpr, fpr = (np.pad(part / part[:, -1:], ((0, 0), (1, 0))) for part in sums)
    return list(zip(fpr, tpr + slope * fpr, strict=True))


def gap_above(
    floor: float,
    fpr: Floats,
    line: Floats,
    other_fpr: Floats,
    other_line: Floats,
    scale: Floats | None = None,
) -> float:
    """Largest difference in FPR of two curves on a common line; it is at a vertex of either.

    With a scale, which the first curve has at its vertices and between them in proportion: a
    quotient of linear functions has no peak inside a stretch, so the same places suffice. The
    floor where it is no larger than that, or only what rounding makes of none.

    Examples
    --------
    >>> diagonal, corner = np.array([0.0, 1.0]), np.array([0.0, 0.0, 1.0])
    >>> gap_above(0.0, diagonal, np.array([0.0, 2.0]), corner, np.array([0.0, 1.0, 2.0]))
    0.5
    """
    at_own = np.abs(crossings(other_fpr, other_line, line) - fpr)
    at_other = np.abs(crossings(fpr, line, other_line) - other_fpr)
    if scale is not None:
        at_own /= scale
        at_other /= crossings(scale, line, other_line)
    found = float(max(at_own.max(), at_other.max()))
    return found if found > max(floor, NO_GAP) else floor


def crossings(fpr: Floats, line: Floats, wanted: Floats) -> Floats:
    """FPR where a curve, given by the lines through its vertices, meets the wanted lines.

    Examples
    --------
    >>> crossings(np.array([0.0, 1.0]), np.array([0.0, 2.0]), np.array([0.5])).tolist()
    [0.25]
    """
    start = np.minimum(np.searchsorted(line, wanted, side="right") - 1, line.size - 1)
    end = np.minimum(start + 1, line.size - 1)
    width = line[end] - line[start]
    width[width == 0.0] = 1.0  # the last vertex stands for itself
    reached: Floats = fpr[start] + (fpr[end] - fpr[start]) * ((wanted - line[start]) / width)
    return reached
