"""Random concave hulls, points on them, and metrics from counts."""

import numpy as np
from hypothesis import strategies as st


def random_hull(rng, corners=5):
    """A concave path from (0, 0) to (1, 1) above the diagonal."""
    while True:
        x, y = rng.random(corners), rng.random(corners)
        steep = np.argsort(-y / x)
        fpr = np.r_[0, np.cumsum(x[steep]) / x.sum()]
        tpr = np.r_[0, np.cumsum(y[steep]) / y.sum()]
        fpr[-1] = tpr[-1] = 1.0
        if np.all(np.diff(fpr) > 0.01) and np.all(np.diff(tpr) > 0.01):
            return fpr, tpr


def along(fpr, tpr, place):
    """The point at a proportion of the way from (0, 0) to (1, 1), counted in corners."""
    at = place * (len(fpr) - 1)
    return float(np.interp(at, range(len(fpr)), fpr)), float(np.interp(at, range(len(fpr)), tpr))


@st.composite
def abstentions(draw):
    """(hull, a, b, skew, alpha, m) with a to the left of b."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    hull = random_hull(rng, draw(st.integers(2, 7)))
    left, right = sorted([draw(st.floats(0.02, 0.97)), draw(st.floats(0.02, 0.97))])
    skew = draw(st.sampled_from([0.2, 0.5, 1.0, 2.0, 7.0]))
    alpha = draw(st.sampled_from([0.5, 1.0, 2.0]))
    m = draw(st.sampled_from([0.0, 0.05, 0.3]))
    return hull, along(*hull, left), along(*hull, right + 0.01), skew, alpha, m


def counted(metric, tp, fp, fn, tn, alpha, m):
    """A metric from counts; `m` is a number of cases."""
    pos, neg = tp + fn, fp + tn
    if metric.endswith("-"):
        tp, fp, fn, tn, pos, neg = tn, fn, fp, tp, neg, pos
    if metric.startswith("precision"):
        return tp / (tp + fp)
    if metric.startswith("f"):
        return (1 + alpha**2) * tp / ((1 + alpha**2) * tp + alpha**2 * fn + fp)
    return (tp + m * pos / (pos + neg)) / (tp + fp + m)
