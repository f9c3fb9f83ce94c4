"""Counting by hand: thresholds, areas and hulls from their definitions, in exact arithmetic."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np


def classes(y, s):
    """Scores of the negatives and of the positives."""
    return [v for label, v in zip(y, s, strict=True) if not label], [
        v for label, v in zip(y, s, strict=True) if label
    ]


def exact_area(y, s):
    """The area as a fraction: pairs in order count one, ties one half."""
    negatives, positives = classes(y, s)
    doubled = sum((a < b) + (a <= b) for a, b in product(negatives, positives))
    return Fraction(doubled, 2 * len(negatives) * len(positives))


def counted(y, s, threshold, direction="higher"):
    """(tp, fp, fn, tn) of calling a case positive at or beyond the threshold."""
    called = [v >= threshold if direction == "higher" else v <= threshold for v in s]
    pairs = list(zip(y, called, strict=True))
    return tuple(
        sum(bool(label) == truth and bool(call) == decision for label, call in pairs)
        for truth, decision in ((True, True), (False, True), (True, False), (False, False))
    )


def curve_points(y, s):
    """(fp, tp) at every distinct score from the highest down, the origin first."""
    points = [(0, 0)]
    for threshold in sorted(set(s), reverse=True):
        tp, fp, _, _ = counted(y, s, threshold)
        points.append((fp, tp))
    return points


def hull_corners(points):
    """Those of the points that lie above every chord between an earlier and a later one."""
    corners = []
    for k, (x, y) in enumerate(points):
        chords = product(points[:k], points[k + 1 :])
        if all((y - a[1]) * (b[0] - a[0]) > (b[1] - a[1]) * (x - a[0]) for a, b in chords):
            corners.append((x, y))
    return corners


def polyline_area(points, axis, low, high):
    """F1.6 and F1.7 by adding trapezoids (or what is to their right) in fractions."""
    if axis == "tpr":
        points = [(y, 1 - x) for x, y in points]
    area = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(points):
        a, b = max(x0, low), min(x1, high)
        if b > a:
            slope = (y1 - y0) / (x1 - x0)
            area += (b - a) * (y0 + slope * ((a + b) / 2 - x0))
    return area


def rates(y, s):
    """The vertices of the curve as fractions."""
    negatives, positives = classes(y, s)
    return [
        (Fraction(fp, len(negatives)), Fraction(tp, len(positives)))
        for fp, tp in curve_points(y, s)
    ]


def weighted_area(y, s, w):
    """F1.3 with weights, over all pairs."""
    y, s, w = np.asarray(y, bool), np.asarray(s, float), np.asarray(w, float)
    credit = (s[~y][:, None] < s[y]) + 0.5 * (s[~y][:, None] == s[y])
    pairs = w[~y][:, None] * w[y]
    return float((credit * pairs).sum() / pairs.sum())
