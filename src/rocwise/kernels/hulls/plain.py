"""Numpy twins of the kernels that find the least concave curve above a rising one: its corners.

Its slopes are the isotonic fit of the labels.
"""

from typing import Any

import numpy as np

from rocwise.arrays import Amounts, Counts, Floats, Places
from rocwise.kernels import resampling_tables as tables
from rocwise.kernels.hulls.isotonic import fit_at, fits_of_counts
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.plain.resampling import POSITIVE, row_counts

FEW = 2000  # points that are looked at one by one
SPREAD = 64  # every so many points: their hull is above all but about one of a hundred
SLACK = 1 + 1e-12  # a corner of sums of weights must stand out by more than their rounding
LARGEST_COUNT = 2**63 - 1


def concave_corners(x: Amounts, y: Amounts) -> Places:
    """Places of the corners of the upper convex hull of points with x and y both rising from 0.

    Place 0 is the origin, and place i the point i - 1; the origin and the last point always are
    corners, points inside a straight edge are not. Where a weight too small to move its sum leaves
    points in one place, the last of them is the corner. Counts are compared exactly. Of many
    points, those on or below a chord of the hull of a sample are put aside first: they are none.

    Examples
    --------
    >>> concave_corners(np.array([0, 1, 1, 2]), np.array([1, 1, 2, 2])).tolist()
    [0, 1, 3, 4]
    """
    x, y, slack = as_points(x, y)
    refuse_nan(x, y, what="the points")
    x, y = (np.concatenate([np.zeros(1, values.dtype), values]) for values in (x, y))
    places = np.arange(len(x))
    if len(x) > FEW and (slack > 1 or int(x[-1]) * int(y[-1]) <= LARGEST_COUNT):
        places = _above_chords(x, y, _chain(x, y, spread_out(len(x)), slack))
    return _chain(x, y, places, slack).astype(np.intp)


def resample_isotonic(
    pos: Counts, neg: Counts, seed: int, first: int, last: int, places: Places
) -> Floats:
    """The isotonic fit at places of the highest-first table: (replicate, place).

    Rows of both classes are drawn together, since the share of positives is what is estimated.

    Examples
    --------
    >>> pos, neg = np.array([2, 1, 0]), np.array([0, 2, 3])
    >>> resample_isotonic(pos, neg, 7, 0, 2, np.array([0, 2])).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    """
    tables.check_replicates(pos, neg, seed, first, last)
    if tables.draws_counts(pos, neg):
        return fits_of_counts(pos, neg, seed, first, last, places, concave_corners)
    ranks = tables.cumulative(np.concatenate([pos, neg]))  # rows: positives, then negatives
    fits = np.empty((last - first, len(places)))
    for start, stop in tables.chunks(first, last, int(ranks[-1])):
        above = tables.cumulative(row_counts(seed, start, stop, POSITIVE, int(ranks[-1])))
        for line, drawn in enumerate(np.diff(above[:, ranks], axis=1), start - first):
            fits[line] = fit_at(places, drawn[: len(pos)], drawn[len(pos) :], concave_corners)
    return fits


def as_points(x: Amounts, y: Amounts) -> tuple[Amounts, Amounts, float]:
    """Both columns as one kind of number, and the slack that it needs."""
    if len(x) != len(y):
        raise ValueError(f"`x` has {len(x)} numbers, `y` {len(y)}.")
    counted = x.dtype.kind != "f" and y.dtype.kind != "f"
    dtype = np.int64 if counted else np.float64
    columns = np.ascontiguousarray(x, dtype), np.ascontiguousarray(y, dtype)
    return *columns, 1.0 if counted else SLACK


def spread_out(points: int) -> Counts:
    """A sample of places from the origin to the last point, both included.

    Examples
    --------
    >>> spread_out(130).tolist()
    [0, 64, 128, 129]
    """
    return np.append(np.arange(0, points - 1, SPREAD, dtype=np.int64), points - 1)


def _above_chords(x: Amounts, y: Amounts, knots: Counts) -> Counts:
    """Places above the chords between the knots, and those at the knots."""
    starts, under = knots[:-1], np.diff(knots)  # how many points each chord has from its start on
    dx, dy = (values[:-1] - np.repeat(values[starts], under) for values in (x, y))
    up = dy * np.repeat(np.diff(x[knots]), under)
    right = dx * np.repeat(np.diff(y[knots]), under)
    return np.flatnonzero(np.append((up > right) | ((dx == 0) & (dy == 0)), True))


def _chain(x: Amounts, y: Amounts, places: Counts, slack: float) -> Counts:
    """Those of the places that are corners of their own hull: a monotone chain."""
    factor: Any = slack if slack > 1 else 1  # whole numbers stay whole
    chain: list[tuple[Any, Any, int]] = []
    for px, py, place in zip(x[places].tolist(), y[places].tolist(), places.tolist(), strict=True):
        while len(chain) >= 2:
            ax, ay, _ = chain[-2]
            bx, by, _ = chain[-1]
            if (by - ay) * (px - bx) > (py - by) * (bx - ax) * factor:
                break
            chain.pop()
        chain.append((px, py, place))
    return np.array([place for _, _, place in chain], dtype=np.int64)
