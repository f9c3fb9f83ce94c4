"""Polylines with jumps, displaced edges, and distances along a slope."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from oracles.curve_distances import curve_distance
from oracles.spec_samples import SAMPLES, tally_of
from rocwise.binary.bands import observed_curve
from rocwise.binary.polylines import (
    Polyline,
    Shift,
    displaced,
    heights,
    monotone_displacement,
)

DIAGONAL = Polyline(np.array([0.0, 1.0]), np.array([0.0, 1.0]))


@st.composite
def curves(draw, most=12):
    steps = draw(
        st.lists(st.sampled_from([(0, 1), (1, 0), (1, 1), (2, 1)]), min_size=2, max_size=most)
    )
    steps = [(1, 0), *steps, (0, 1)]
    x, y = np.cumsum([(0, 0), *steps], axis=0).T
    return Polyline(x / x[-1], y / y[-1])


def slow_heights(line, f):
    """All heights of the polyline at one place, from its segments."""
    found = []
    for (x0, y0), (x1, y1) in zip(
        zip(line.x[:-1], line.y[:-1], strict=True),
        zip(line.x[1:], line.y[1:], strict=True),
        strict=True,
    ):
        if x0 - 4e-15 <= f <= x1 + 4e-15:
            found += (
                [y0, y1]
                if x1 - x0 < 1e-12
                else [y0 + (y1 - y0) * min(max((f - x0) / (x1 - x0), 0), 1)]
            )
    return min(found), max(found)


@given(curves(), st.floats(0, 1))
def test_heights_are_the_ends_of_what_the_segments_reach(line, f):
    for place in (f, *line.x):
        sides = heights(line, np.array([place]))
        assert (sides.left[0], sides.right[0]) == pytest.approx(slow_heights(line, place), abs=1e-9)


@given(curves(), st.floats(0.001, 0.6), st.floats(0.001, 0.6), st.floats(0, 1))
def test_displaced_edges_are_the_formula(line, dx, dy, f):
    """F6.2, written out place by place."""
    edges = displaced(line, Shift(dx, dy), Shift(dx, dy))
    upper = 1.0 if f + dx > 1 else min(1.0, slow_heights(line, f + dx)[1] + dy)
    lower = 0.0 if f - dx < 0 else max(0.0, slow_heights(line, f - dx)[0] - dy)
    assert heights(Polyline(edges.x, edges.upper), np.array([f])).right[0] == pytest.approx(
        upper, abs=1e-9
    )
    assert heights(Polyline(edges.x, edges.lower), np.array([f])).left[0] == pytest.approx(
        lower, abs=1e-9
    )
    assert np.all(edges.lower <= edges.upper)
    assert (edges.x[0], edges.x[-1]) == (0.0, 1.0)


SECOND = ([1, 2, 3, 4], [2, 5, 6])


@pytest.mark.parametrize(
    ("slope", "expected"), [(1.0, 0.4040610178), (0.5, 0.4065578141), (2.0, 0.3726779962)]
)
def test_distance_of_two_samples(slope, expected):
    first, second = (observed_curve(tally_of(sample)) for sample in (SAMPLES["A"], SECOND))
    assert curve_distance(first, second, slope) == pytest.approx(expected, abs=1e-9)
    assert curve_distance(second, first, slope) == pytest.approx(expected, abs=1e-9)


def test_distance_to_the_diagonal():
    curve = observed_curve(tally_of(SAMPLES["B"]))
    assert curve_distance(curve, DIAGONAL, 1.0) == pytest.approx(0.2474873734, abs=1e-9)


@given(curves(), st.lists(st.floats(0, 0.3), min_size=14, max_size=14))
def test_monotone_displacement_only_draws_in_and_never_turns_back(line, shifts):
    shift = np.resize(np.array(shifts), len(line.x))
    slope = 1.3
    left, right = monotone_displacement(line, slope, shift)
    for drawn, sign in ((left, -1), (right, 1)):
        assert np.all(drawn <= shift + 1e-12)
        assert np.all(drawn >= 0)
        assert np.all(np.diff(line.x + sign * drawn) >= -1e-9)
        assert np.all(np.diff(line.y - sign * slope * drawn) >= -1e-9)


@given(curves(), curves(), st.lists(st.floats(0.02, 0.4), min_size=14, max_size=14))
def test_drawing_in_excludes_no_monotone_curve(line, other, shifts):
    """A curve within `shift` of the vertices' lines is within the drawn-in shift too."""
    slope = 0.8
    shift = np.resize(np.array(shifts), len(line.x))
    left, right = monotone_displacement(line, slope, shift)
    gap = np.interp(line.y + slope * line.x, other.y + slope * other.x, other.x) - line.x
    if np.all(np.abs(gap) <= shift):
        assert np.all(gap <= right + 1e-9)
        assert np.all(-gap <= left + 1e-9)


@pytest.mark.parametrize("kind", ["fixed-width", "joint-regions", "simultaneous", "future"])
@pytest.mark.parametrize("seed", [2, 4, 46, 51])
def test_edges_never_go_back(kind, seed):
    """Also where 1 - 0.8 and 0.2 are two places; seeds 46 and 51 went back by 0.1 there."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 120))
    y = np.r_[0, 1, rng.integers(0, 2, n)]
    score = rng.normal(size=n + 2) + y
    if seed % 3 == 0:
        score = np.round(score, 1)
    band = rw.band(y, score, kind=kind, n_resamples=100, rng=1)
    for edge in (band.fpr, band.lower, band.upper):
        assert (np.diff(edge) >= 0).all()
