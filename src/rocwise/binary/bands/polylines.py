"""Where a band lies: its edges as polylines, curves displaced by a distance, and what is inside.

A polyline here is two arrays, both non-decreasing; a repeated x is a vertical step, at which the
polyline has a lower end (seen from the left) and an upper end (seen from the right).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocwise.arrays import Flags, Floats, Places
from rocwise.binary.curves.empirical import rates_from_zero
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.threads import run_parts
from rocwise.primitives.tallies import Tally

NEAR = 1e-12
"""Heights closer than this count as equal."""
SAME = 4e-15
"""Places closer than this count as one: 1 - 0.8 is not exactly 0.2. It is a few roundings only,
since smooth curves rise by much within 1e-12 of FPR 0."""

AT_ONCE = 2**14
"""Places whose heights are read together."""


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
    if len(at) <= AT_ONCE:
        return _sides(line, at)
    sides = Sides(np.empty(len(at)), np.empty(len(at)))

    def fill(start: int, stop: int) -> None:  # in pieces: what is needed on the way is little
        for first in range(start, stop, AT_ONCE):
            piece = slice(first, min(first + AT_ONCE, stop))
            sides.left[piece], sides.right[piece] = _sides(line, at[piece])

    run_parts(fill, parts_of_rows(len(at)))
    return sides


def _sides(line: Polyline, at: Floats) -> Sides:
    """`heights` at a few places."""
    last = len(line.x) - 1
    after = np.minimum(np.searchsorted(line.x, at - SAME, side="left"), last)
    left = np.where(
        line.x[after] - at <= SAME, line.y[after], _between(line, np.maximum(after - 1, 0), at)
    )
    before = np.maximum(np.searchsorted(line.x, at + SAME, side="right") - 1, 0)
    right = np.where(at - line.x[before] <= SAME, line.y[before], _between(line, before, at))
    return Sides(left, right)


def _between(line: Polyline, start: Places, at: Floats) -> Floats:
    """Heights on the segments that begin at the vertices `start`, not beyond their ends."""
    end = np.minimum(start + 1, len(line.x) - 1)
    run = line.x[end] - line.x[start]
    share = np.divide(at - line.x[start], run, out=np.zeros_like(run), where=run > 0)
    return np.asarray(
        line.y[start] + np.clip(share, 0.0, 1.0) * (line.y[end] - line.y[start]), np.float64
    )


def displaced(curve: Polyline, dx: float, dy: float) -> Edges:
    """The band between the curve moved by (-dx, +dy) and by (+dx, -dy), cropped (F6.2)."""
    return between(Polyline(curve.x + dx, curve.y - dy), Polyline(curve.x - dx, curve.y + dy))


def between(lower: Polyline, upper: Polyline) -> Edges:
    """The part of the unit square between two displaced curves."""
    lower = _turned(_cropped(_turned(lower)))
    upper = _cropped(upper)
    return on_one_grid(lower, upper)


def on_one_grid(lower: Polyline, upper: Polyline) -> Edges:
    """Two edges over the places where either bends or jumps.

    Places that rounding set apart are one; else an edge would have its upper end at one of them
    and its lower end at the next.
    """
    x = _apart(np.unique(np.concatenate([lower.x, upper.x])))
    below, above = heights(lower, x), heights(upper, x)
    jumps = (below.left != below.right) | (above.left != above.right)
    lower_edge = _with_jumps(below, jumps)
    del below
    upper_edge = _with_jumps(above, jumps)
    del above
    # interpolation may still end a rounding below where it began
    for edge in (lower_edge, upper_edge):
        np.maximum.accumulate(edge, out=edge)
    return Edges(_with_jumps(Sides(x, x), jumps), lower_edge, upper_edge)


def _with_jumps(sides: Sides, jumps: Flags) -> Floats:
    """One height for each place, and both where an edge jumps.

    >>> sides = Sides(np.array([0.0, 1.0]), np.array([0.0, 2.0]))
    >>> _with_jumps(sides, np.array([False, True])).tolist()
    [0.0, 1.0, 2.0]
    """
    ends = np.arange(len(jumps))
    ends += np.cumsum(jumps, dtype=ends.dtype)  # where the right side of each place goes
    column = np.empty(len(jumps) + int(np.count_nonzero(jumps)))
    column[ends] = sides.right
    column[ends[jumps] - 1] = sides.left[jumps]
    return column


def _apart(x: Floats) -> Floats:
    """Ascending places without those that are the same as the one kept before them.

    >>> _apart(np.array([0.0, 0.2, 0.2 + 5e-17, 1 - 0.8, 1.0])).tolist()
    [0.0, 0.2, 1.0]
    """
    close = np.flatnonzero(np.diff(x) <= SAME) + 1
    if not len(close):
        return x
    kept = np.ones(len(x), dtype=bool)
    kept[close] = False
    runs = close[1:][np.diff(close) == 1]  # the third and later ones may be apart from the first
    for place, before in zip(runs.tolist(), (runs - 1).tolist(), strict=True):
        while not kept[before]:
            before -= 1
        kept[place] = x[place] - x[before] > SAME
    return x[kept]


def _turned(line: Polyline) -> Polyline:
    """The polyline turned by half a circle about the middle of the unit square."""
    return Polyline(1.0 - line.x[::-1], 1.0 - line.y[::-1])


def _cropped(line: Polyline) -> Polyline:
    """The part of an upper edge within the unit square, level once it has reached the top."""
    high = np.flatnonzero(line.y >= 1.0)
    if len(high):
        first = int(high[0])
        if first == 0:
            return Polyline(np.array([0.0, 1.0]), np.ones(2))
        x0, x1 = line.x[first - 1], line.x[first]
        y0, y1 = line.y[first - 1], line.y[first]
        top = x0 + (x1 - x0) * (1.0 - y0) / (y1 - y0)
        line = Polyline(np.append(line.x[:first], top), np.append(line.y[:first], 1.0))
    start = heights(line, np.zeros(1)).right
    inside = (line.x > 0.0) & (line.x < 1.0)
    return Polyline(
        np.concatenate([[0.0], line.x[inside], [1.0]]),
        np.concatenate([start, line.y[inside], [1.0]]),
    )


def monotone_displacement(curve: Polyline, slope: float, shift: Floats) -> tuple[Floats, Floats]:
    """The shifts of the upper and of the lower edge that no monotone curve can tell from `shift`.

    Vertex k moves along its line of slope -`slope` by `shift[k]` in x. Where the edge would turn
    back, a curve inside the band cannot follow it, so the edge is drawn in until it no longer does.
    """
    left = _drawn_in(curve, slope, shift)
    turned = _turned(curve)
    right = _drawn_in(turned, slope, shift[::-1])[::-1]
    return left, right


def _drawn_in(curve: Polyline, slope: float, shift: Floats) -> Floats:
    x, y = curve.x - shift, curve.y + slope * shift
    line = curve.y + slope * curve.x
    for _ in range(len(x)):
        x = np.maximum.accumulate(x)
        y = np.minimum.accumulate((line - slope * x)[::-1])[::-1]
        drawn = (line - y) / slope
        if np.all(drawn <= x + NEAR):
            break
        x = drawn
    return np.maximum(curve.x - x, 0.0)


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
