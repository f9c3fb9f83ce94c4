"""Laws of bounds on areas."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rocwise as rw

rates = st.integers(0, 256).map(lambda k: k / 256)  # 1 - rate without rounding
inner = st.floats(0.001, 0.999)
point_sets = st.lists(st.tuples(inner, inner), min_size=1, max_size=6)


def above(points):
    return [tuple(sorted(point)) for point in points]


@given(rates, rates)
def test_reflections(f, h):
    found = rw.auc_bounds(f, h)
    other = rw.auc_bounds(1 - h, 1 - f)
    assert (found.lower, found.upper) == pytest.approx((other.lower, other.upper), abs=1e-9)
    if f != h:
        turned = rw.auc_bounds(h, f)
        assert found.lower == pytest.approx(1 - turned.upper, abs=1e-12)
        assert found.b == pytest.approx(1 / turned.b)
    assert 0 <= found.lower <= found.upper <= 1


@example([(0.5, 0.75), (0.5, 0.0010000000000000002)], (0.5, 0.001))
@given(point_sets, st.tuples(inner, inner))
def test_another_point_of_a_concave_curve_never_widens_the_bounds(points, extra):
    hull = rw.auc_bounds(*zip(*above([*points, extra]), strict=True), policy="hull")
    corners = list(zip(hull.fpr.tolist(), hull.tpr.tolist(), strict=True))
    assert hull.lower <= hull.upper + 1e-9
    for left_out in corners:
        fewer = [point for point in corners if point != left_out]
        if fewer:
            wider = rw.auc_bounds(*zip(*fewer, strict=True), policy="hull")
            assert wider.lower <= hull.lower + 1e-9
            assert wider.upper >= hull.upper - 1e-9


@given(st.lists(st.floats(0.05, 20), min_size=2, max_size=5), st.integers(0, 2**32 - 1))
def test_no_choice_of_slopes_does_better(slopes, seed):
    """Any concave curve through the points has an area within the bounds."""
    rng = np.random.default_rng(seed)
    ordered = np.sort(np.unique(slopes))[::-1]
    widths = rng.dirichlet(np.ones(len(ordered)))
    heights = ordered * widths
    x = np.concatenate([[0], np.cumsum(widths)])
    y = np.concatenate([[0], np.cumsum(heights)]) / heights.sum()
    x, y = x / x[-1], np.minimum(y / y[-1], 1)
    chosen = np.sort(rng.choice(np.arange(1, len(x)), size=max(1, len(x) // 2), replace=False))
    found = rw.auc_bounds(x[chosen], y[chosen], policy="hull")
    area = np.trapezoid(y, x)
    assert found.lower - 1e-9 <= area <= found.upper + 1e-9


@given(point_sets)
def test_largest_curve_is_concave_through_the_points_with_the_upper_area(points):
    found = rw.auc_bounds(*zip(*above(points), strict=True), policy="hull")
    x, y = found.largest_curve()
    assert np.trapezoid(y, x) == pytest.approx(found.upper, abs=1e-6)
    turn = np.diff(y)[:-1] * np.diff(x)[1:] - np.diff(y)[1:] * np.diff(x)[:-1]
    assert turn.min(initial=0) >= -1e-6
    heights = np.interp(found.fpr, x, y)
    rising = np.diff(x) == 0  # a vertical rise at the left edge contains the points there
    inside = (found.fpr > 0) | ~rising.any()
    assert heights[inside] == pytest.approx(found.tpr[inside], abs=1e-5)


def test_largest_curve_of_one_point_has_three_segments():
    x, y = rw.auc_bounds(0.2, 0.8).largest_curve()  # the point halves the middle one
    assert (x.tolist(), y.tolist()) == (
        [0, 0, pytest.approx(0.4), 1],
        [0, pytest.approx(0.6), 1, 1],
    )
    below = rw.auc_bounds(0.8, 0.2)
    x, y = below.largest_curve()
    assert np.trapezoid(y, x) == pytest.approx(below.upper)
