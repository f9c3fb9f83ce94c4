"""Numpy twins of what bands are made of: curves without straight runs, moved both ways, and edges.

A polyline here is two arrays, both non-decreasing; a repeated x is a vertical step, at which the
polyline has a lower end (seen from the left) and an upper end (seen from the right).
"""

import numpy as np

from rocwise.arrays import Amounts, Flags, Floats, Places
from rocwise.kernels.no_nan import refuse_nan
from rocwise.kernels.row_formulas import parts_of_rows
from rocwise.kernels.threads import run_parts

SAME = 4e-15
"""Places closer than this count as one: 1 - 0.8 is not exactly 0.2. It is a few roundings only,
since smooth curves rise by much within 1e-12 of FPR 0."""

AT_ONCE = 2**14
"""Places whose heights are read together."""


def band_edges(
    lower_x: Floats, lower_y: Floats, upper_x: Floats, upper_y: Floats
) -> tuple[Floats, Floats, Floats]:
    """Places where either of two polylines bends or jumps, and both heights there.

    A place stands there twice where one of them jumps. Places that rounding set apart are one;
    else an edge would have its upper end at one of them and its lower end at the next.

    Examples
    --------
    >>> one, line = np.array([0.0, 1.0]), np.array([0.0, 0.5])
    >>> [column.tolist() for column in band_edges(one, line, np.array([0.0, 0.5]), one)]
    [[0.0, 0.5, 1.0], [0.0, 0.25, 0.5], [0.0, 1.0, 1.0]]
    """
    refuse_lines(lower_x, lower_y, upper_x, upper_y)
    x = _apart(np.unique(np.concatenate([lower_x, upper_x])))
    below, above = heights(lower_x, lower_y, x), heights(upper_x, upper_y, x)
    jumps = (below[0] != below[1]) | (above[0] != above[1])
    lower, upper = _with_jumps(*below, jumps), _with_jumps(*above, jumps)
    for edge in (lower, upper):  # interpolation may still end a rounding below where it began
        np.maximum.accumulate(edge, out=edge)
    return _with_jumps(x, x, jumps), lower, upper


def refuse_lines(*columns: Floats) -> None:
    """Refuse two lines that no walk comes to the end of.

    Examples
    --------
    >>> refuse_lines(*[np.array([0.0, 1.0])] * 4)
    """
    refuse_nan(*columns, what="the edges")
    for x, y in (columns[:2], columns[2:]):
        if not 0 < len(x) == len(y):
            raise ValueError(f"a line has {len(x)} places and {len(y)} heights.")
        if not np.isfinite(x[[0, -1]]).all():
            raise ValueError(f"a line runs from {x[0]} to {x[-1]}.")


def moved_lines(
    x: Floats,
    y: Floats,
    down_dx: Floats | float,
    down_dy: Floats | float,
    up_dx: Floats | float,
    up_dy: Floats | float,
) -> Floats:
    """A curve moved by (+dx, -dy), then turned by half a circle, and moved by (-dx, +dy).

    A distance is one number, or one for each vertex. The turn is about the middle of the unit
    square, but the order of the vertices stays. There is room for one more vertex at either end
    of the four columns, which are x and y of the first line, then the second.

    Examples
    --------
    >>> rates = np.array([0.0, 0.5])
    >>> moved_lines(rates, rates, 0.25, 0.5, 0.25, 0.5)[:, 1:-1].tolist()
    [[0.75, 0.25], [1.5, 1.0], [-0.25, 0.25], [0.5, 1.0]]
    """
    refuse_nan(x, y, down_dx, down_dy, up_dx, up_dy, what="the curve or its moves")
    lines = np.empty((4, len(x) + 2))
    lines[0, 1:-1] = 1.0 - (x + down_dx)
    lines[1, 1:-1] = 1.0 - (y - down_dy)
    lines[2, 1:-1] = x - up_dx
    lines[3, 1:-1] = y + up_dy
    return lines


def edges_area(x: Floats, lower: Floats, upper: Floats) -> float:
    """The area between two edges that are straight between the places.

    Examples
    --------
    >>> edges_area(np.array([0.0, 1.0]), np.array([0.0, 0.0]), np.array([0.5, 1.0]))
    0.75
    """
    refuse_nan(x, lower, upper, what="the edges")
    return float(np.trapezoid(upper - lower, x))


def straight_runs(tp: Amounts, fp: Amounts) -> tuple[Places, Amounts, Amounts]:
    """Last scores of runs of one class, and the positives and negatives of each run.

    Given what is at or above each score. A score of both classes is a run of its own.

    Examples
    --------
    >>> tp, fp = np.array([1, 2, 2, 2, 3]), np.array([0, 0, 1, 2, 2])
    >>> [column.tolist() for column in straight_runs(tp, fp)]
    [[1, 3, 4], [2, 0, 1], [0, 2, 0]]
    """
    of_pos, of_neg = (np.diff(above, prepend=0) > 0 for above in (tp, fp))
    kind = of_pos + 2 * of_neg.view(np.int8)
    ends = np.append(np.flatnonzero((kind[1:] != kind[:-1]) | (kind[1:] == 3)), len(kind) - 1)
    return ends, np.diff(tp[ends], prepend=0), np.diff(fp[ends], prepend=0)


def heights(x: Floats, y: Floats, at: Floats) -> tuple[Floats, Floats]:
    """Lower and upper end of a polyline at each place; beyond its ends it stays level.

    Examples
    --------
    >>> x, y = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.5, 1.0])
    >>> [side.tolist() for side in heights(x, y, np.array([0.0, 0.5]))]
    [[0.0, 0.75], [0.5, 0.75]]
    """
    if len(at) <= AT_ONCE:
        return _sides(x, y, at)
    left, right = np.empty(len(at)), np.empty(len(at))

    def fill(start: int, stop: int) -> None:  # in pieces: what is needed on the way is little
        for first in range(start, stop, AT_ONCE):
            piece = slice(first, min(first + AT_ONCE, stop))
            left[piece], right[piece] = _sides(x, y, at[piece])

    run_parts(fill, parts_of_rows(len(at)))
    return left, right


def _sides(x: Floats, y: Floats, at: Floats) -> tuple[Floats, Floats]:
    """`heights` at a few places."""
    after = np.minimum(np.searchsorted(x, at - SAME, side="left"), len(x) - 1)
    inside = _between(x, y, np.maximum(after - 1, 0), at)
    left = np.where(x[after] - at <= SAME, y[after], inside)
    before = np.maximum(np.searchsorted(x, at + SAME, side="right") - 1, 0)
    right = np.where(at - x[before] <= SAME, y[before], _between(x, y, before, at))
    return left, right


def _between(x: Floats, y: Floats, start: Places, at: Floats) -> Floats:
    """Heights on the segments that begin at the vertices `start`, not beyond their ends."""
    end = np.minimum(start + 1, len(x) - 1)
    run = x[end] - x[start]
    share = np.divide(at - x[start], run, out=np.zeros_like(run), where=run > 0)
    return np.asarray(y[start] + np.clip(share, 0.0, 1.0) * (y[end] - y[start]), np.float64)


def _with_jumps(left: Floats, right: Floats, jumps: Flags) -> Floats:
    """One height for each place, and both where an edge jumps.

    >>> _with_jumps(np.array([0.0, 1.0]), np.array([0.0, 2.0]), np.array([False, True])).tolist()
    [0.0, 1.0, 2.0]
    """
    ends = np.arange(len(jumps))
    ends += np.cumsum(jumps, dtype=ends.dtype)  # where the right side of each place goes
    column = np.empty(len(jumps) + int(np.count_nonzero(jumps)))
    column[ends] = right
    column[ends[jumps] - 1] = left[jumps]
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
