"""The largest area of a concave curve through a point, found without the paper's formulas."""

from __future__ import annotations

import numpy as np


def largest_area(fpr: float, tpr: float, steps: int = 20_001) -> float:
    """Try every supporting line of the point.

    A concave curve through the point lies below some line through it, below 1 and right of 0; the
    largest such curve is that line cut by the square, so that the slope alone is searched. Slopes
    from the chord to (1, 1) to the chord to (0, 0) are allowed; the area is summed, not derived.
    """
    angles = np.linspace(np.arctan((1 - tpr) / (1 - fpr)), np.arctan2(tpr, fpr), steps)
    slopes = np.tan(angles)
    start = tpr - slopes * fpr  # height at 0
    reaches = np.minimum(fpr + (1 - tpr) / slopes, 1.0)  # where the line meets the height 1
    return float(np.max((start + 1) / 2 * reaches + (1 - reaches)))
