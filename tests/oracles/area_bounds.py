"""Bounds on areas from slow definitions: all slopes, and linear programs over concave curves."""

import numpy as np
from scipy.optimize import linprog


def upper_by_slopes(f, h, n=200_001):
    """The least area lost above a line through (f, h), over all slopes it may have."""
    low, high = (1 - h) / (1 - f), h / f
    s = np.concatenate([np.linspace(low, high, n), np.geomspace(low, high, n)])
    return 1 - ((1 - h + s * f) * (f + (1 - h) / s) / 2).min()


def bounds_by_programme(points, knots=150):
    """The least and the largest area of concave polylines with the points among their knots."""
    fixed = dict(points)
    x = np.unique(np.concatenate([np.linspace(0, 1, knots), list(fixed), [0.0, 1.0]]))
    n = len(x)
    widths = np.diff(x)
    area = np.zeros(n)
    area[:-1] += widths / 2
    area[1:] += widths / 2
    rows = np.zeros((n - 2, n))
    for i in range(1, n - 1):  # slopes fall: (y2 - y1) / w2 <= (y1 - y0) / w1
        rows[i - 1, i - 1 : i + 2] = widths[i], -(widths[i - 1] + widths[i]), widths[i - 1]
    limits = [(0.0, 1.0)] * n
    for place, value in fixed.items():
        limits[int(np.flatnonzero(x == place)[0])] = (value, value)
    limits[-1] = (1.0, 1.0)
    found = [
        linprog(sign * area, A_ub=rows, b_ub=np.zeros(n - 2), bounds=limits, method="highs")
        for sign in (1, -1)
    ]
    return found[0].fun, -found[1].fun


def printed_upper(f, h):
    """Proposition 5.1 as printed, for the two regions where it is wrong."""
    return 1 - 2 * h * (1 - f) if h >= 0.5 else (1 - f) / (2 * h)
