"""Thinning: of curves with many points only those that show at the resolution of print."""

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri as probit

from rocwise.arrays import Floats
from rocwise.plotting.spec import Axis

COLUMNS = 2400  # columns along an axis: two for every dot at 300 dots per inch in 90 mm
FEW = 4 * COLUMNS  # up to this number of points all are drawn

Indices = npt.NDArray[np.intp]


def thinned(axis: Axis, x: Floats, *heights: Floats) -> tuple[Floats, ...]:
    """The points of a line or band that show: its ends, and the extremes of columns of dots."""
    if len(x) <= FEW or not np.isfinite((x, *heights)).all() or np.any(x[1:] < x[:-1]):
        return (x, *heights)
    columns = _columns(x, axis)
    starts = np.flatnonzero(np.diff(columns, prepend=columns[0] - 1))
    ends = np.append(starts[1:], len(x)) - 1
    extremes = (
        _first_equal(values, extreme.reduceat(values, starts), starts)
        for values in heights
        for extreme in (np.minimum, np.maximum)
    )
    kept = np.unique(np.concatenate([starts, ends, *extremes]))
    return (x[kept], *(each[kept] for each in heights))


def _columns(x: Floats, axis: Axis) -> Indices:
    """The column of each x; what lies outside the axis is in the outermost ones."""
    low, high = axis.limits
    if axis.scale == "log":
        x, low, high = np.log(np.maximum(x, low / 10)), np.log(low), np.log(high)
    elif axis.scale == "probit":
        x = probit(np.clip(x, low, high))
        low, high = probit(np.array(axis.limits))
    return np.clip((x - low) / (high - low) * COLUMNS, -1, COLUMNS + 1).astype(np.intp)


def _first_equal(values: Floats, wanted: Floats, starts: Indices) -> Indices:
    """The first index in every column at which the value is the one wanted."""
    sizes = np.diff(np.append(starts, len(values)))
    matches = np.flatnonzero(values == np.repeat(wanted, sizes))
    column = np.searchsorted(starts, matches, side="right")
    return matches[np.flatnonzero(np.diff(column, prepend=0))]
