"""What must contain for the convex hull of any curve."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from oracles.recounts import curve_points, hull_corners
from oracles.scored_rows import few_values, mixed, rows
from rocwise.binary.convex_hull import upper_hull

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")


@given(rows(mixed, max_size=25))
def test_corners_are_those_of_all_chords(data):
    y, s = data
    points = curve_points(y, s)
    n_pos, n_neg = sum(y), len(y) - sum(y)
    hull = rw.hull(y, s)
    corners = hull_corners(points)
    assert hull.fpr.tolist() == [fp / n_neg for fp, _ in corners]
    assert hull.tpr.tolist() == [tp / n_pos for _, tp in corners]


@given(rows(few_values, max_size=40))
def test_the_hull_is_concave_and_above_the_curve(data):
    y, s = data
    curve, hull = rw.roc(y, s), rw.hull(y, s)
    run, rise = np.diff(hull.fpr), np.diff(hull.tpr)
    assert (rise[:-1] * run[1:] >= rise[1:] * run[:-1] - 1e-15).all()
    over = np.interp(curve.fpr, hull.fpr, hull.tpr)
    # where the hull is vertical, np.interp gives one of its two heights
    flat = curve.fpr > hull.fpr[1] if hull.fpr[1] == 0 else curve.fpr > -1
    assert (over[flat] >= curve.tpr[flat] - 1e-12).all()
    assert hull.auc >= curve.auc - 1e-15
    assert hull.auc == pytest.approx(np.trapezoid(hull.tpr, hull.fpr), abs=1e-14)


@given(rows(mixed))
def test_corners_are_points_of_the_curve_with_their_thresholds(data):
    y, s = data
    curve, hull = rw.roc(y, s), rw.hull(y, s)
    points = set(zip(curve.thresholds, curve.fpr, curve.tpr, strict=True))
    assert points.issuperset(zip(hull.thresholds, hull.fpr, hull.tpr, strict=True))


@given(rows(mixed))
def test_the_hull_of_the_hull_is_itself(data):
    y, s = data
    hull = rw.hull(y, s)
    counts = (hull.fpr * hull.n_neg).round()[1:], (hull.tpr * hull.n_pos).round()[1:]
    assert upper_hull(*counts).tolist() == list(range(len(hull.fpr)))


@settings(max_examples=20)
@given(
    st.integers(0, 2**32 - 1), st.sampled_from([2, 40, 10**6]), st.sampled_from(["any", "concave"])
)
def test_long_curves_have_the_only_concave_hull(seed, largest_step, shape):
    # concave, above every point, and corners that are points: only the hull is all three
    rng = np.random.default_rng(seed)
    rise, run = rng.integers(0, largest_step, size=(2, 3000))
    if shape == "concave":
        order = np.argsort(-rise / (rise + run + 1e-9))
        rise, run = rise[order], run[order]
    run[-1] = rise[0] = 1
    x, y = np.cumsum([np.append(0, run), np.append(0, rise)], axis=1)
    corners = upper_hull(x[1:], y[1:])  # the origin goes without saying
    assert exactly_concave(x[corners], y[corners])
    assert is_above(x[corners], y[corners], x, y)
    assert (x[corners][[0, -1]].tolist(), y[corners][[0, -1]].tolist()) == (
        [0, x[-1]],
        [0, y[-1]],
    )


def exactly_concave(x, y):
    run, rise = np.diff(x).astype(object), np.diff(y).astype(object)
    return all(rise[:-1] * run[1:] > rise[1:] * run[:-1])


def is_above(hull_x, hull_y, x, y):
    """Every point on or below the hull, in integers of any size."""
    edge = np.clip(np.searchsorted(hull_x, x, side="left"), 1, len(hull_x) - 1)
    hull_x, hull_y, x, y = (values.astype(object) for values in (hull_x, hull_y, x, y))
    run, rise = np.diff(hull_x)[edge - 1], np.diff(hull_y)[edge - 1]
    return bool(((y - hull_y[edge - 1]) * run <= rise * (x - hull_x[edge - 1])).all())
