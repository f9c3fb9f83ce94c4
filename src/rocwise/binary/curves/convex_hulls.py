"""Corners of the least concave curve above a monotone one, in linear time."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise.arrays import Array, Places
from rocwise.primitives.tallies import Tally

ROUNDING = 1e-12  # of products of sums of weights
FEW = 2000  # points that are looked at one by one


def concave_corners(x: Array, y: Array) -> Places:
    """Positions of the corners of the upper convex hull of points with x and y both rising.

    Of many points, those on or below a chord of the hull of a sample are put aside first: they
    cannot be corners. Points inside a straight edge are not corners.

    Examples
    --------
    >>> concave_corners(np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 2, 2])).tolist()
    [0, 1, 3, 4]
    """
    places = np.arange(len(x))
    if len(x) > FEW:
        # a weight too small to move its cumulated sum leaves two points in one place: keep the last
        places = places[np.append((x[1:] > x[:-1]) | (y[1:] > y[:-1]), True)]
    while len(places) > FEW:
        fewer = _above_chords(x, y, places)
        if len(fewer) > 0.8 * len(places):
            break  # nearly all of them are corners
        places = fewer
    return _exact_chain(x, y, places.tolist())


def _above_chords(x: Array, y: Array, places: Places) -> Places:
    """Points above the hull of a sample of them, and the corners of that hull."""
    spread = np.linspace(0, len(places) - 1, FEW // 2).astype(np.intp)
    knots = _exact_chain(x, y, places[spread].tolist())
    starts = np.searchsorted(places, knots)
    under = np.diff(starts)  # how many points each chord has from its start on
    px, py = x[places[:-1]], y[places[:-1]]
    for values, of_knots in ((px, x[knots[:-1]]), (py, y[knots[:-1]])):
        values -= np.repeat(of_knots, under)
    py *= np.repeat(np.diff(x[knots]), under)
    px *= np.repeat(np.diff(y[knots]), under)
    kept = np.append(py > px, True)
    kept[starts] = True
    return np.asarray(places[kept])


def _exact_chain(x: Array, y: Array, candidates: Any) -> Places:
    """Monotone chain over candidate positions; exact for integer counts.

    Of sums of weights a corner must stand out by more than their rounding.
    """
    slack = 1 + ROUNDING if x.dtype.kind == "f" or y.dtype.kind == "f" else 1
    chain: list[tuple[Any, Any, int]] = []
    for place in candidates:
        px, py = x[place].item(), y[place].item()
        while len(chain) >= 2:
            ax, ay, _ = chain[-2]
            bx, by, _ = chain[-1]
            if (by - ay) * (px - bx) > (py - by) * (bx - ax) * slack:
                break
            chain.pop()
        chain.append((px, py, place))
    return np.array([place for _, _, place in chain], dtype=np.intp)


def hull_counts(data: Tally) -> tuple[Places, Array, Array]:
    """Corners of the ROC convex hull, from (0, 0): scores above it, true and false positives."""
    _, tp, fp = data.curve_counts()
    tp, fp = np.concatenate([[0], tp]), np.concatenate([[0], fp])
    corners = concave_corners(fp, tp)
    return corners, tp[corners], fp[corners]
