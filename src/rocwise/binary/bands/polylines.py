"""Where a band lies: its edges as polylines, curves displaced by a distance, and what is inside.

A polyline here is two arrays, both non-decreasing; a repeated x is a vertical step, at which the
polyline has a lower end (seen from the left) and an upper end (seen from the right).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.binary.curves.empirical import rates_from_zero
from rocwise.data.tally import Tally
from rocwise.kernels.edges.plain import heights as heights_at
from rocwise.kernels.long_arrays import give_back
from rocwise.kernels.row_formulas import steps_of_rows
from rocwise.kernels.threads import run_parts

NEAR = 1e-12
"""Heights closer than this count as equal."""

FEW = 10_000  # vertices: fewer are done before a second thread has started


class Polyline(NamedTuple):
    """Vertices of a curve that never turns back."""

    x: Floats
    y: Floats


class Edges(NamedTuple):
    """Both edges of a band over one list of places, with a place twice where an edge jumps."""

    x: Floats
    lower: Floats
    upper: Floats


class Sides(NamedTuple):
    """Heights just left and just right of some places."""

    left: Floats
    right: Floats


def roc_polyline(tally: Tally) -> Polyline:
    """The empirical ROC curve."""
    return Polyline(*rates_from_zero(tally))


def heights(line: Polyline, at: Floats) -> Sides:
    """Lower and upper end of the polyline at each place; beyond its ends it stays level.

    Examples
    --------
    >>> step = Polyline(np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0]))
    >>> [side.tolist() for side in heights(step, np.array([0.0, 0.5]))]
    [[0.0, 0.75], [0.5, 0.75]]
    """
    return Sides(*heights_at(line.x, line.y, at))


class Shift(NamedTuple):
    """How far a curve is moved along the axes: all of it, or each of its vertices."""

    dx: Floats | float
    dy: Floats | float


def displaced(curve: Polyline, down: Shift, up: Shift) -> Edges:
    """The band between the curve moved by (+dx, -dy) and by (-dx, +dy), cropped (F6.2)."""
    return edges_between(kernels.moved_lines(*curve, *down, *up), even=not np.ndim(up.dx))


def edges_between(lines: Floats, *, even: bool) -> Edges:
    """The same for what `kernels.moved_lines` made of the curve, which is changed in its place.

    `even` is whether all vertices were moved by one distance.
    """
    give_back(lines.shape[1])  # what curves were drawn and moved in, before the edges are made
    turned, upper = Polyline(*lines[:2, ::-1]), Polyline(*lines[2:])
    if not even:  # rounding may set a vertex before the last
        for line in (turned, upper):
            np.maximum.accumulate(line.x[1:-1], out=line.x[1:-1])
    turned = _cropped(turned)  # turned by half a circle, a lower edge is an upper one
    for column in turned:
        np.subtract(1.0, column, out=column)
    return on_one_grid(Polyline(turned.x[::-1], turned.y[::-1]), _cropped(upper))


def on_one_grid(lower: Polyline, upper: Polyline) -> Edges:
    """Two edges over the places where either bends or jumps."""
    return Edges(*kernels.band_edges(*lower, *upper))


def _turned(line: Polyline) -> Polyline:
    """The polyline turned by half a circle about the middle of the unit square."""
    return Polyline(1.0 - line.x[::-1], 1.0 - line.y[::-1])


def _cropped(room: Polyline) -> Polyline:
    """The part of an upper edge within the unit square, level once it has reached the top.

    The edge has room for one more vertex at either end, and is changed in its place.
    """
    x, y = room.x[1:-1], room.y[1:-1]
    first = bisect_left(y, 1.0)
    if first == 0:
        return Polyline(np.array([0.0, 1.0]), np.ones(2))
    if first < len(y):
        x[first] = x[first - 1] + (x[first] - x[first - 1]) * (1.0 - y[first - 1]) / (
            y[first] - y[first - 1]
        )
        y[first] = 1.0
        x, y = x[: first + 1], y[: first + 1]
    near = slice(max(bisect_left(x, -NEAR) - 1, 0), bisect_right(x, NEAR) + 1)
    start = heights(Polyline(x[near], y[near]), np.zeros(1)).right[0]
    before, after = bisect_right(x, 0.0), bisect_left(x, 1.0) + 1
    room.x[before], room.y[before] = 0.0, start
    room.x[after], room.y[after] = 1.0, 1.0
    return Polyline(room.x[before : after + 1], room.y[before : after + 1])


def monotone_displacement(curve: Polyline, slope: float, shift: Floats) -> tuple[Floats, Floats]:
    """The shifts of the upper and of the lower edge that no monotone curve can tell from `shift`.

    Vertex k moves along its line of slope -`slope` by `shift[k]` in x. Where the edge would turn
    back, a curve inside the band cannot follow it, so the edge is drawn in until it no longer does.
    """
    edges = [(curve, slope, shift), (_turned(curve), slope, shift[::-1])]
    if len(shift) < FEW:
        left, right = (_drawn_in(*edge) for edge in edges)
    else:
        left, right = run_parts(_drawn_in, edges)
    return left, right[::-1]


def _drawn_in(curve: Polyline, slope: float, shift: Floats) -> Floats:
    x = curve.x - shift
    line = slope * curve.x
    line += curve.y
    drawn = np.empty_like(x)
    for _ in range(len(x)):
        np.maximum.accumulate(x, out=x)
        np.subtract(line, np.multiply(x, slope, out=drawn), out=drawn)
        np.minimum.accumulate(drawn[::-1], out=drawn[::-1])
        np.divide(np.subtract(line, drawn, out=drawn), slope, out=drawn)
        if _nowhere_beyond(drawn, x):
            break
        x, drawn = drawn, x
    return np.maximum(np.subtract(curve.x, x, out=x), 0.0, out=x)


def _nowhere_beyond(drawn: Floats, x: Floats) -> bool:
    steps = steps_of_rows(0, len(x), 0)
    return all(bool(np.all(drawn[some] <= x[some] + NEAR)) for some in steps)


def distance(first: Polyline, second: Polyline, slope: float) -> float:
    """The largest distance of two ROC curves along lines of slope -`slope` (F6.5).

    It is the smallest width for which the fixed-width band of one contains the other.

    Examples
    --------
    >>> diagonal = Polyline(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    >>> corner = Polyline(np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]))
    >>> round(distance(diagonal, corner, 1.0), 6)
    0.707107
    """
    c1, c2 = (line.y + slope * line.x for line in (first, second))
    lines = np.concatenate([c1, c2])
    gaps = np.abs(np.interp(lines, c1, first.x) - np.interp(lines, c2, second.x))
    return float(np.sqrt(1.0 + slope * slope) * gaps.max())
