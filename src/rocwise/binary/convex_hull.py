"""The upper convex hull of points that rise from the origin; its slopes are the isotonic fit."""

from typing import Any

import numpy as np

from rocwise.arrays import Counts, Places, Weights

FEW = 2000  # points up to which the hull is found directly
SPACING = 64  # of the points whose hull is found first; few others are above it
SLACK = 1 + 1e-12  # a corner of sums of weights must stand out by more than their rounding
LARGEST_COUNT = 2**63 - 1


def upper_hull(x: Weights, y: Weights) -> Places:
    """Corners of the upper convex hull of points rising from the origin, which is number 0."""
    counted = x.dtype.kind != "f" and y.dtype.kind != "f"
    dtype = np.int64 if counted else np.float64
    x, y = (np.concatenate([[0], column]).astype(dtype) for column in (x, y))
    slack: Any = 1 if counted else SLACK
    positions = np.arange(len(x))
    if len(x) > FEW and (not counted or int(x[-1]) * int(y[-1]) <= LARGEST_COUNT):
        sample = np.append(np.arange(0, len(x) - 1, SPACING), len(x) - 1)
        positions = _above_chords(x, y, _monotone_chain(x, y, sample, slack))
    return _monotone_chain(x, y, positions, slack).astype(np.intp)


def _above_chords(x: Weights, y: Weights, knots: Counts) -> Counts:
    """Positions above the chords between the knots, and those at the knots."""
    starts, sizes = knots[:-1], np.diff(knots)  # points of each chord from its start on
    dx, dy = (column[:-1] - np.repeat(column[starts], sizes) for column in (x, y))
    up = dy * np.repeat(np.diff(x[knots]), sizes)
    right = dx * np.repeat(np.diff(y[knots]), sizes)
    return np.flatnonzero(np.append((up > right) | ((dx == 0) & (dy == 0)), True))


def _monotone_chain(x: Weights, y: Weights, positions: Counts, slack: Any) -> Counts:
    """Those of the positions that are corners of their own hull, in Python numbers."""
    points = zip(x[positions].tolist(), y[positions].tolist(), positions.tolist(), strict=True)
    chain: list[tuple[Any, Any, int]] = []
    for px, py, position in points:
        while len(chain) >= 2:
            ax, ay, _ = chain[-2]
            bx, by, _ = chain[-1]
            if (by - ay) * (px - bx) > (py - by) * (bx - ax) * slack:
                break
            chain.pop()
        chain.append((px, py, position))
    return np.array([position for _, _, position in chain], dtype=np.int64)
