"""Corners of the upper hull of points that rise from the origin are exact."""

from fractions import Fraction

import numpy as np
import pytest

from rocwise.binary.convex_hull import upper_hull


def corners_by_hand(x, y):
    """A monotone chain of fractions over all points, with the origin in front."""
    points = [(Fraction(0), Fraction(0))]
    points += [(Fraction(a), Fraction(b)) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    chain = []
    for place, (px, py) in enumerate(points):
        while len(chain) >= 2:
            (ax, ay), (bx, by) = points[chain[-2]], points[chain[-1]]
            if (by - ay) * (px - bx) > (py - by) * (bx - ax):
                break
            chain.pop()
        chain.append(place)
    return chain


def rising(kind, n, rng):
    if kind == "weights":
        return np.cumsum(rng.random(n)), np.cumsum(rng.random(n))
    right, up = rng.integers(0, 3, n), rng.integers(0, 3, n)
    if kind == "standing counts":  # most points in one place with the one before
        moves = rng.random(n) < 0.05
        return np.cumsum(right * moves), np.cumsum(up * moves)
    right[right + up == 0] = 1  # no two points in one place
    if kind == "sorted counts":
        right = np.sort(right)
    if kind == "large counts":  # their products pass 64 bits
        right, up = right * 10**11 + up, up * 10**11 + right
    return np.cumsum(right), np.cumsum(up)


@pytest.mark.parametrize(
    "kind", ["counts", "standing counts", "sorted counts", "large counts", "weights"]
)
@pytest.mark.parametrize("n", [1, 2, 7, 1998, 1999, 2000, 2500, 30_000])
def test_no_corner_is_lost_and_none_is_made(kind, n):
    x, y = rising(kind, n, np.random.default_rng([8, n]))
    assert upper_hull(x, y).tolist() == corners_by_hand(x, y)


def test_points_inside_an_edge_are_no_corners():
    x, y = np.array([1, 2, 4, 5]), np.array([2, 4, 8, 8])
    assert upper_hull(x, y).tolist() == [0, 3, 4]


def test_one_point_and_the_origin_are_both_corners():
    assert upper_hull(np.array([3]), np.array([2])).tolist() == [0, 1]


def test_vertical_and_level_runs():
    x, y = np.array([0, 0, 1, 2, 2]), np.array([1, 2, 2, 2, 3])
    assert upper_hull(x, y).tolist() == [0, 2, 5]


@pytest.mark.parametrize("n", [1998, 2001, 5000])  # both ways of finding corners
def test_a_circle_is_all_corners(n):
    angle = np.linspace(0, np.pi / 2, n + 1)[1:]
    found = upper_hull(1 - np.cos(angle), np.sin(angle))
    assert found.tolist() == list(range(n + 1))


@pytest.mark.parametrize("n", [1998, 2001, 5000])
@pytest.mark.parametrize("step", [1, 10**14])
def test_a_line_has_two_corners(n, step):
    x = step * np.arange(1, n + 1)
    assert upper_hull(x, 3 * x).tolist() == [0, n]


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


def test_columns_of_two_kinds_and_every_other_row():
    x, y = np.array([1, 0, 2, 0, 3, 0]), np.array([2.0, 0.0, 3.0, 0.0, 3.5, 0.0])
    assert upper_hull(x[::2], y[::2]).tolist() == [0, 1, 2, 3]
