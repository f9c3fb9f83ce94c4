"""Corners of the least concave curve above a monotone one, in linear time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def concave_corners(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.intp]:
    """Positions of the corners of the upper convex hull of points with x and y both rising.

    The hull's slopes are the isotonic regression of the curve's slopes; regressing on x + y
    rather than x keeps vertical steps finite and changes no corner, since
    (x, y) -> (x + y, y) is linear. Points inside a straight edge are not corners.

    Examples
    --------
    >>> concave_corners(np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 2, 2])).tolist()
    [0, 1, 3, 4]
    """
    if len(x) <= 2000:
        return _exact_chain(x, y, range(len(x)))
    from scipy.optimize import isotonic_regression

    # a weight too small to move its cumulated sum leaves two points in one place: keep the last
    moves = np.append((np.diff(x) > 0) | (np.diff(y) > 0), True)
    places = np.flatnonzero(moves)
    up = np.diff(y[places]).astype(np.float64)
    steps = up + np.diff(x[places])
    blocks = isotonic_regression(up / steps, weights=steps, increasing=False).blocks
    return _exact_chain(x, y, places[blocks].tolist())


def _exact_chain(x: NDArray[Any], y: NDArray[Any], candidates: Any) -> NDArray[np.intp]:
    """Monotone chain over candidate positions; exact for integer counts."""
    chain: list[tuple[Any, Any, int]] = []
    for place in candidates:
        px, py = x[place].item(), y[place].item()
        while len(chain) >= 2:
            ax, ay, _ = chain[-2]
            bx, by, _ = chain[-1]
            if (by - ay) * (px - bx) > (py - by) * (bx - ax):
                break
            chain.pop()
        chain.append((px, py, place))
    return np.array([place for _, _, place in chain], dtype=np.intp)
