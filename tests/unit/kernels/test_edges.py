"""Curves without straight runs, moved both ways, and edges over one list of places."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.kernels.edges import plain


def line(size, digits, seed):
    """A polyline within the unit square; with few digits it has vertical and level steps."""
    rng = np.random.default_rng([size, digits, seed])
    return tuple(np.sort(rng.random(size).round(digits)) for _ in range(2))


@pytest.mark.parametrize("sizes", [(1, 1), (2, 1), (1, 7), (30, 40), (3000, 500), (20, 4000)])
@pytest.mark.parametrize("digits", [1, 3, 12])
def test_edges_are_those_of_numpy(kernels, sizes, digits):
    lines = *line(sizes[0], digits, 0), *line(sizes[1], digits, 1)
    for found, expected in zip(kernels.band_edges(*lines), plain.band_edges(*lines), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("steps", [0.3, 0.9, 1.1, 4.0])
def test_places_next_to_each_other_are_told_apart_alike(kernels, steps):
    """Places some roundings apart, around the distance at which they count as one."""
    rng = np.random.default_rng(7)
    away = plain.SAME * steps * rng.random((2, 400)).cumsum(axis=1)
    lower, upper = 0.25 + away[0], 0.25 + away[1]
    lines = lower, np.linspace(0, 0.5, 400), upper, np.linspace(0.25, 1, 400)
    for found, expected in zip(kernels.band_edges(*lines), plain.band_edges(*lines), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("digits", [4, 5, 12])
def test_edges_do_not_depend_on_the_threads(kernels, digits):
    lines = *line(130_000, digits, 0), *line(220_000, digits, 1)
    with rw.threads(1):
        alone = kernels.band_edges(*lines)
    for number in (2, 3):
        with rw.threads(number):
            for found, expected in zip(kernels.band_edges(*lines), alone, strict=True):
                np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("size", [1, 5, 250_000])
def test_lines_are_moved_by_one_distance_or_by_one_for_each_vertex(kernels, size):
    x, y = line(size, 12, 0)
    for moves in ((0.1, 0.2, 0.3, 0.4), (y, x, x / 3, y / 7), (0.1, x, y, 0.4)):
        found, expected = kernels.moved_lines(x, y, *moves), plain.moved_lines(x, y, *moves)
        np.testing.assert_array_equal(found[:, 1:-1], expected[:, 1:-1])


@pytest.mark.parametrize("size", [2, 9, 300_000])
def test_area_is_that_of_trapezoids(kernels, size):
    x, lower = line(size, 12, 0)
    upper = lower + line(size, 12, 1)[0]
    assert kernels.edges_area(x, lower, upper) == np.trapezoid(upper - lower, x)


def runs_one_by_one(pos, neg):
    found = []
    for row, (p, n) in enumerate(zip(pos.tolist(), neg.tolist(), strict=True)):
        if found and not (p and n) and bool(p) == bool(found[-1][1]) != bool(found[-1][2]):
            found[-1] = [row, found[-1][1] + p, found[-1][2] + n]
        else:
            found.append([row, p, n])
    return np.array(found).T.tolist()


@pytest.mark.parametrize("size", [1, 2, 40, 250_000])
@pytest.mark.parametrize("kinds", [(1,), (2,), (3,), (1, 2), (1, 2, 3), (1, 1, 1, 1, 1, 2)])
def test_runs_are_those_of_one_class(kernels, size, kinds):
    rng = np.random.default_rng([size, *kinds])
    kind = rng.choice(kinds, size)
    pos, neg = (rng.integers(1, 4, size) * (kind & bit > 0) for bit in (1, 2))
    expected = runs_one_by_one(pos, neg)
    for number in (1, 3):
        with rw.threads(number):
            found = kernels.straight_runs(np.cumsum(pos), np.cumsum(neg))
        assert [column.tolist() for column in found] == expected


@pytest.mark.parametrize(
    ("lower_x", "said"),
    [([], "0 places"), ([0.0, 0.5, 1.0], "3 places"), ([0.0, np.inf], "from 0.0 to inf")],
)
def test_lines_without_an_end_are_refused(kernels, lower_x, said):
    two = np.array([0.0, 1.0])
    with pytest.raises(ValueError, match=said):
        kernels.band_edges(np.array(lower_x), two, two, two)
