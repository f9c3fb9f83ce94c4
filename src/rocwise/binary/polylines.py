"""Geometry of bands: curves as polylines with jumps, moved both ways, and edges on one grid."""

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Flags, Floats

NEAR = 1e-12  # heights closer than this count as equal
SAME = 4e-15  # so do x: 1 - 0.8 is not 0.2; few roundings, as smooth curves are steep at FPR 0


class Polyline(NamedTuple):
    """Vertices of a curve that never turns back; a repeated x is a vertical step."""

    x: Floats
    y: Floats


class Edges(NamedTuple):
    """Both edges of a band over one grid of x, with an x twice where an edge jumps."""

    x: Floats
    lower: Floats
    upper: Floats


class Sides(NamedTuple):
    """Heights just left and just right of some x."""

    left: Floats
    right: Floats


def heights(line: Polyline, at: Floats) -> Sides:
    """Lower and upper end of the polyline at each x; beyond its ends it stays level."""
    x, y = line
    after = np.minimum(np.searchsorted(x, at - SAME, side="left"), len(x) - 1)
    at_vertex = x[after] - at <= SAME  # or beyond the last one
    left = np.where(at_vertex, y[after], np.interp(at, x, y))
    right = left.copy()
    right[at_vertex] = y[np.searchsorted(x, at[at_vertex] + SAME, side="right") - 1]
    return Sides(left, right)


class Shift(NamedTuple):
    """How far a curve is moved along the axes: all of it, or each of its vertices."""

    dx: Floats | float
    dy: Floats | float


def displaced(curve: Polyline, down: Shift, up: Shift) -> Edges:
    """The band between the curve moved by (+dx, -dy) and by (-dx, +dy), cropped (F6.2)."""
    upper = _cropped(Polyline(curve.x - up.dx, curve.y + up.dy))
    # rotated by half a turn, a lower edge is an upper one
    rotated = _cropped(_rotated(Polyline(curve.x + down.dx, curve.y - down.dy)))
    return on_one_grid(_rotated(rotated), upper)


def on_one_grid(lower: Polyline, upper: Polyline) -> Edges:
    """Two edges over all x where either bends or jumps; x that differ by rounding are one."""
    x = np.unique(np.concatenate([lower.x, upper.x]))
    x = x[np.append(True, np.diff(x) > SAME)]
    below, above = heights(lower, x), heights(upper, x)
    jumps = (below.left != below.right) | (above.left != above.right)
    # interpolation may end a rounding below where it began
    edges = [np.maximum.accumulate(_with_jumps(*sides, jumps)) for sides in (below, above)]
    return Edges(_with_jumps(x, x, jumps), *edges)


def _with_jumps(left: Floats, right: Floats, jumps: Flags) -> Floats:
    """One height for each x, and both where an edge jumps."""
    column = np.repeat(right, 1 + jumps)
    ends = np.arange(len(jumps)) + np.cumsum(jumps)  # where the right side of each x is
    column[ends[jumps] - 1] = left[jumps]
    return column


def _rotated(line: Polyline) -> Polyline:
    """The polyline rotated by half a turn about the middle of the unit square."""
    return Polyline(1.0 - line.x[::-1], 1.0 - line.y[::-1])


def _cropped(edge: Polyline) -> Polyline:
    """The part of an upper edge within the unit square, level once it has reached the top."""
    x, y = np.maximum.accumulate(edge.x), edge.y  # rounding may set a vertex before the last
    first = int(np.searchsorted(y, 1.0))
    if first == 0:
        return Polyline(np.array([0.0, 1.0]), np.ones(2))
    if first < len(y):
        fraction = (1.0 - y[first - 1]) / (y[first] - y[first - 1])
        x = np.append(x[:first], x[first - 1] + (x[first] - x[first - 1]) * fraction)
        y = np.append(y[:first], 1.0)
    start = heights(Polyline(x, y), np.zeros(1)).right
    inside = slice(np.searchsorted(x, 0.0, side="right"), np.searchsorted(x, 1.0))
    return Polyline(
        np.concatenate([[0.0], x[inside], [1.0]]), np.concatenate([start, y[inside], [1.0]])
    )


def monotone_displacement(curve: Polyline, slope: float, shift: Floats) -> tuple[Floats, Floats]:
    """Shifts in x of both edges along lines of slope -`slope`, drawn in where they turn back."""
    lower = _drawn_in(_rotated(curve), slope, shift[::-1])[::-1]
    return _drawn_in(curve, slope, shift), lower


def _drawn_in(curve: Polyline, slope: float, shift: Floats) -> Floats:
    line = slope * curve.x + curve.y
    x = curve.x - shift
    for _ in range(len(x)):
        x = np.maximum.accumulate(x)
        y = np.minimum.accumulate((line - x * slope)[::-1])[::-1]
        drawn = (line - y) / slope
        if np.all(drawn <= x + NEAR):
            break
        x = drawn
    return np.maximum(curve.x - x, 0.0)
