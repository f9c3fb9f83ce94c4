"""Corners of the upper hull of points that rise from the origin are exact."""

import numpy as np
import pytest

from rocwise.binary.convex_hull import upper_hull


@pytest.mark.parametrize("step", [2**31, 2**61])
def test_a_corner_that_only_whole_numbers_show(step):
    """Products that floats would round to the same number."""
    x, y = np.array([step, 2 * step]), np.array([2**31 + 1, 2**32 + 1])
    assert upper_hull(x, y).tolist() == [0, 1, 2]
    assert upper_hull(x, y - np.array([1, 0])).tolist() == [0, 2]


@pytest.mark.parametrize("n", [1998, 2001, 5000])
def test_points_in_one_place_count_once(n):
    x = np.repeat(np.arange(n // 2), 2)
    corners = upper_hull(x, np.minimum(x, 7))
    assert x[corners[1:] - 1].tolist() == [7, n // 2 - 1]


def test_steps_too_small_to_move_the_curve():
    """Neighbouring points may coincide after rounding; the corners are those of the rest."""
    n = 3000
    steps = np.where(np.arange(n) >= 2, 1e-30, 1.0)
    x = np.cumsum(steps * (np.arange(n) % 2))
    y = np.cumsum(steps * (np.arange(n) % 2 == 0))
    corners = upper_hull(x, y)
    assert corners[-1] == n
    assert len(corners) < 10
