"""Convex hulls of small curves."""

import subprocess
import sys

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.curves.convex_hulls import _exact_chain, concave_corners


def test_hull_of_a_step_curve():
    hull = rw.hull([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert (hull.fpr.tolist(), hull.tpr.tolist()) == ([0, 0, 0.5, 1], [0, 0.5, 1, 1])
    assert hull.thresholds.tolist() == [np.inf, 0.8, 0.35, 0.1]
    assert hull.auc == 0.875
    assert repr(hull) == "ROC convex hull with 4 points, AUC 0.88; 2 positives, 2 negatives"


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@pytest.mark.parametrize(
    ("y", "s", "area"),
    [
        ([0, 1], [0, 1], 1.0),
        ([0, 1], [1, 0], 0.5),  # the worst curve has the diagonal above it
        ([0, 1], [1, 1], 0.5),
        ([0, 1, 0, 1], [1, 1, 2, 2], 0.5),
    ],
)
def test_hulls_of_the_simplest_curves(y, s, area):
    assert rw.hull(y, s).auc == area


def test_points_inside_an_edge_are_no_corners():
    x, y = np.array([0, 1, 2, 4, 5]), np.array([0, 2, 4, 8, 8])
    assert concave_corners(x, y).tolist() == [0, 3, 4]


def test_two_points_are_both_corners():
    assert concave_corners(np.array([0, 3]), np.array([0, 2])).tolist() == [0, 1]


def test_vertical_and_level_runs():
    x, y = np.array([0, 0, 0, 1, 2, 2]), np.array([0, 1, 2, 2, 2, 3])
    assert concave_corners(x, y).tolist() == [0, 2, 5]


@pytest.mark.parametrize("n", [1999, 2001, 5000])  # both ways of finding corners
def test_a_circle_is_all_corners(n):
    angle = np.linspace(0, np.pi / 2, n)
    x, y = 1 - np.cos(angle), np.sin(angle)
    assert concave_corners(x, y).tolist() == list(range(n))


@pytest.mark.parametrize("n", [1999, 2001, 5000])
def test_a_line_has_two_corners(n):
    assert concave_corners(np.arange(n), 3 * np.arange(n)).tolist() == [0, n - 1]


@pytest.mark.parametrize("n", [1999, 2001, 5000])
def test_points_in_one_place_count_once(n):
    x = np.repeat(np.arange(n // 2), 2)
    corners = concave_corners(x, np.minimum(x, 7))
    assert x[corners].tolist() == [0, 7, n // 2 - 1]


def test_steps_too_small_to_move_the_curve():
    """Neighbouring points may coincide after rounding; the corners are those of the rest."""
    n = 3000
    steps = np.where(np.arange(n) >= 2, 1e-30, 1.0)
    x = np.concatenate([[0.0], np.cumsum(steps * (np.arange(n) % 2))])
    y = np.concatenate([[0.0], np.cumsum(steps * (np.arange(n) % 2 == 0))])
    corners = concave_corners(x, y)
    assert (x[corners][-1], y[corners][-1]) == (x[-1], y[-1])
    assert len(corners) < 10


def test_rounding_of_weights_makes_no_corner():
    """Ten weights of 0.1 in a straight line are one edge, whatever their sums round to."""
    y, s = [1, 0] * 10, np.repeat(np.arange(10), 2)
    hull = rw.hull(y, s, sample_weight=[0.1] * 20)
    assert hull.fpr.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("kind", ["counts", "weights", "sorted counts"])
def test_putting_points_aside_loses_no_corner(kind):
    rng = np.random.default_rng(8)
    for n in (2500, 30_000):
        if kind == "weights":
            right, up = rng.random(n), rng.random(n)
        else:
            right, up = rng.integers(0, 3, n), rng.integers(0, 3, n)
        if kind == "sorted counts":
            right = np.sort(right)
        x, y = (np.concatenate([[0], np.cumsum(part)]) for part in (right, up))
        assert concave_corners(x, y).tolist() == _exact_chain(x, y, range(n + 1)).tolist()


def test_hulls_of_many_points_load_no_optimiser():
    code = (
        "import sys, numpy as np, rocwise as rw;"
        "rw.hull(np.arange(9000) % 2, np.arange(9000) % 4441);"
        "print('scipy.optimize' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
