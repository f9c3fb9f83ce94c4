"""Convex hulls of small curves."""

import subprocess
import sys

import numpy as np
import pytest

import rocwise as rw


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


def test_rounding_of_weights_makes_no_corner():
    """Ten weights of 0.1 in a straight line are one edge, whatever their sums round to."""
    y, s = [1, 0] * 10, np.repeat(np.arange(10), 2)
    hull = rw.hull(y, s, sample_weight=[0.1] * 20)
    assert hull.fpr.tolist() == [0.0, 1.0]


def test_hulls_of_many_points_load_no_optimiser():
    code = (
        "import sys, numpy as np, rocwise as rw;"
        "rw.hull(np.arange(9000) % 2, np.arange(9000) % 4441);"
        "print('scipy.optimize' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
