"""Curves of a million points, thinned to what paper can show.

An axis is cut into narrow columns; of every column the first, the last, the lowest and the
highest point stay, so that a drawing at this resolution is the same to the pixel.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rocwise.arrays import Floats
from rocwise.plotting.layers import Axis, Band, Line
from rocwise.plotting.scales import probit

COLUMNS = 2400
"""Columns along an axis: two for every dot of a journal's 300 per inch in 90 mm."""
FEW = 4 * COLUMNS
"""So many points are left as they are."""

Places = npt.NDArray[np.intp]


def thinned_line(line: Line, x: Axis) -> tuple[Floats, Floats]:
    """Return the points to draw: all of few, and of many those that show."""
    kept = shown_places(line.x, (line.y,), x)
    return (line.x, line.y) if kept is None else (line.x[kept], line.y[kept])


def thinned_band(band: Band, x: Axis) -> tuple[Floats, Floats, Floats]:
    """Return the places and edges to draw: all of few, and of many those that show."""
    kept = shown_places(band.x, (band.lower, band.upper), x)
    if kept is None:
        return band.x, band.lower, band.upper
    return band.x[kept], band.lower[kept], band.upper[kept]


def shown_places(x: Floats, heights: tuple[Floats, ...], axis: Axis) -> Places | None:
    """Return which points show, or None where all are to be drawn.

    That is so for few points, and for lines that turn back or have gaps.

    Examples
    --------
    >>> x = np.linspace(0, 1, 100_001)
    >>> kept = shown_places(x, (x**2,), Axis("x", (0.0, 1.0)))
    >>> len(kept) < 10_000, int(kept[0]), int(kept[-1])
    (True, 0, 100000)
    """
    if len(x) <= FEW or not _rises(x) or not all(np.isfinite(each).all() for each in heights):
        return None
    columns = _columns(x, axis)
    starts = np.flatnonzero(np.diff(columns, prepend=columns[0] - 1))
    ends = np.append(starts[1:], len(x)) - 1
    kept = [starts, ends]
    kept += [
        _first_equal(values, extreme.reduceat(values, starts), starts)
        for values in heights
        for extreme in (np.minimum, np.maximum)
    ]
    return np.unique(np.concatenate(kept))


def _rises(x: Floats) -> bool:
    return bool(np.isfinite(x).all() and np.all(x[1:] >= x[:-1]))


def _columns(x: Floats, axis: Axis) -> Places:
    """Return the column of each place; what lies outside the axis is in the outermost ones."""
    low, high = axis.limits
    if axis.scale == "log":
        tiny = low / 10
        x, low, high = np.log(np.maximum(x, tiny)), np.log(low), np.log(high)
    elif axis.scale == "probit":
        x = probit(np.clip(x, low, high))
        low, high = probit(np.array(axis.limits))
    share = (x - low) / (high - low)
    return np.clip(share * COLUMNS, -1, COLUMNS + 1).astype(np.intp)


def _first_equal(values: Floats, wanted: Floats, starts: Places) -> Places:
    """Return the first place in every column where the value is the one wanted."""
    sizes = np.diff(np.append(starts, len(values)))
    matches = np.flatnonzero(values == np.repeat(wanted, sizes))
    column = np.searchsorted(starts, matches, side="right")
    first = np.flatnonzero(np.diff(column, prepend=0))
    return matches[first]
