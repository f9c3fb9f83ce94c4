"""Bounds on the AUC from operating points."""

import numpy as np
import pytest

import rocwise as rw
from oracles.area_bounds import bounds_by_programme, printed_upper, upper_by_slopes

ONE = {  # lower, upper, A, b, A'
    (0.2, 0.8): (0.8, 0.92, 0.86, 1.0, 0.875),
    (0.1, 0.3): (0.6, 0.8333333333, 0.7166666667, 2.052631579, 0.7222222222),
    (0.6, 0.9): (0.65, 0.875, 0.7625, 0.4642857143, 0.7708333333),
    (0.8, 0.2): (0.08, 0.2, 0.14, 1.0, 0.125),
    (0.3, 0.3): (0.5, 0.5, 0.5, 1.0, 0.5),
    (0, 0.4): (0.7, 1.0, 0.85, 3.5, 0.85),
    (0.25, 1): (0.875, 1.0, 0.9375, 0.5, 0.9375),
}
SEVERAL = {
    ((0.1, 0.45), (0.35, 0.8)): (0.76375, 0.83),
    ((0.05, 0.3), (0.2, 0.6), (0.5, 0.9)): (0.775, 0.81),
    ((0, 0.2), (0.3, 0.7)): (0.73, 0.82),
    ((0.1, 0.4), (0.3, 0.7)): (0.725, 0.8125),
}


@pytest.mark.parametrize("point", ONE)
def test_one_point(point):
    found = rw.auc_bounds(*point)
    lower, upper, a, b, a_prime = ONE[point]
    assert (found.lower, found.upper) == pytest.approx((lower, upper), abs=1e-9)
    assert (found.a, found.b) == pytest.approx((a, b), abs=1e-9)
    assert rw.signal_detection(*point).a_prime == pytest.approx(a_prime, abs=1e-9)
    assert found.informative


@pytest.mark.parametrize("points", SEVERAL)
def test_several_points(points):
    found = rw.auc_bounds(*zip(*points, strict=True))
    assert (found.lower, found.upper) == pytest.approx(SEVERAL[points], abs=1e-9)
    assert found.b is None


def test_the_printed_upper_bounds_are_wrong():
    rng = np.random.default_rng(9)
    checked = 0
    while checked < 60:
        f, h = np.sort(rng.uniform(0.02, 0.98, 2))
        if f > 0.5:
            continue
        checked += 1
        exact = upper_by_slopes(f, h)
        assert rw.auc_bounds(f, h).upper == pytest.approx(exact, abs=1e-7)
        assert abs(printed_upper(f, h) - exact) > 1e-4


def test_the_third_region_by_slopes():
    rng = np.random.default_rng(10)
    for _ in range(20):
        f, h = np.sort(rng.uniform(0.51, 0.99, 2))
        assert rw.auc_bounds(f, h).upper == pytest.approx(upper_by_slopes(f, h), abs=1e-7)


@pytest.mark.parametrize("points", list(SEVERAL)[:3])
def test_several_points_by_linear_programmes(points):
    found = rw.auc_bounds(*zip(*points, strict=True))
    lower, upper = bounds_by_programme(points)
    assert found.lower == pytest.approx(lower, abs=1e-9)
    assert found.upper - 2e-3 < upper <= found.upper + 1e-9  # from below, finer with more knots


def test_the_bias_is_the_slope_of_the_contour_not_orthogonal_to_it():
    for f, h in ((0.2, 0.7), (0.1, 0.3), (0.6, 0.85)):
        step = 1e-6
        by_f = rw.auc_bounds(f + step, h).a - rw.auc_bounds(f - step, h).a
        by_h = rw.auc_bounds(f, h + step).a - rw.auc_bounds(f, h - step).a
        slope = -by_f / by_h
        assert rw.auc_bounds(f, h).b == pytest.approx(slope, abs=1e-6)
        assert abs(rw.auc_bounds(f, h).b + 1 / slope) > 0.5


@pytest.mark.parametrize("point", [(0, 0), (1, 1)])
def test_corners_raise(point):
    found = rw.auc_bounds(*point)
    assert (found.lower, found.upper, found.a, found.b) == (0.5, 1.0, 0.75, None)
    assert not found.informative
    assert "no informative point" in repr(found)


def test_points_below_the_diagonal_are_mirrored():
    below = rw.auc_bounds([0.45, 0.8], [0.1, 0.35])
    above = rw.auc_bounds([0.1, 0.35], [0.45, 0.8])
    assert below.lower == pytest.approx(1 - above.upper, abs=1e-12)
    assert below.upper == pytest.approx(1 - above.lower, abs=1e-12)


def test_points_on_no_concave_curve():
    fpr, tpr = [0.1, 0.2, 0.4], [0.4, 0.42, 0.9]
    with pytest.raises(rw.InputError, match=r"`fpr` 0.2, `tpr` 0.42 is below.*policy='hull'"):
        rw.auc_bounds(fpr, tpr)
    hulled = rw.auc_bounds(fpr, tpr, policy="hull")
    assert hulled.fpr.tolist() == [0.1, 0.4]
    assert hulled.upper == rw.auc_bounds([0.1, 0.4], [0.4, 0.9]).upper
    with pytest.raises(rw.InputError, match="no concave curve"):
        rw.auc_bounds([0.1, 0.9], [0.3, 0.8])  # both sides of the diagonal
    with pytest.raises(rw.InputError, match="no concave curve"):
        rw.auc_bounds([0.1, 0.3], [0.5, 0.4])


def test_collinear_and_repeated_points_change_nothing():
    once = rw.auc_bounds([0.1, 0.35], [0.45, 0.8])
    twice = rw.auc_bounds([0.1, 0.1, 0.35, 0, 1], [0.45, 0.45, 0.8, 0, 1])
    assert (twice.lower, twice.upper) == (once.lower, once.upper)
    line = rw.auc_bounds([0.1, 0.2, 0.3], [0.4, 0.55, 0.7])  # a straight run is followed exactly
    ends = rw.auc_bounds([0.1, 0.3], [0.4, 0.7])
    assert line.lower == pytest.approx(ends.lower, abs=1e-12)
    assert line.upper == pytest.approx(0.725 + _end_triangles(), abs=1e-9)


def _end_triangles():
    """Over (0.1, 0.4) to (0.3, 0.7) no triangle; the outer ones are cut by that line."""
    first = 0.1**2 / 2 * (4 - 1.5)
    u, v = 1.5 - 0.3 / 0.7, 0.3 / 0.7
    return first + 0.7**2 / 2 * u * v / (u + v)


@pytest.mark.parametrize(
    ("fpr", "tpr", "options", "message"),
    [
        (1.2, 0.5, {}, "`fpr` must lie between 0 and 1; got 1.2"),
        (0.2, np.nan, {}, "`tpr` must be a finite number"),
        ([0.2, 0.3], [0.5], {}, "one length; got 2 and 1"),
        ([], [], {}, "empty"),
        ([[0.1]], [[0.2]], {}, "sequence of rates"),
        (0.2, 0.5, {"policy": "drop"}, "`policy` must be one of"),
    ],
)
def test_errors(fpr, tpr, options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.auc_bounds(fpr, tpr, **options)


@pytest.mark.parametrize("value", [0.55, 0.7, 0.9])
def test_contours_of_a(value):
    lines = rw.auc_contours("a", values=[value])
    f, h = lines.fpr[0], lines.tpr[0]
    kept = np.isfinite(f)
    assert kept.sum() > 100
    found = [rw.auc_bounds(*point).a for point in zip(f[kept][::9], h[kept][::9], strict=True)]
    np.testing.assert_allclose(found, value, atol=1e-9)


@pytest.mark.parametrize("value", [0.02, 0.1, 0.124, 0.2, 0.4])
def test_contours_of_the_gap(value):
    lines = rw.auc_contours("gap", values=[value])
    f, h = lines.fpr[0], lines.tpr[0]
    kept = np.flatnonzero(np.isfinite(f))
    assert len(kept) > 20
    for k in kept[:: max(1, len(kept) // 25)]:
        found = rw.auc_bounds(f[k], h[k])
        assert found.upper - found.lower == pytest.approx(value, abs=1e-9)
    assert list(lines.to_frame()) == ["value", "fpr", "tpr"]


def test_contours_are_checked():
    with pytest.raises(rw.InputError, match=r"`values` must lie between 0\.5 and 1"):
        rw.auc_contours("a", values=[0.4])
    with pytest.raises(rw.InputError, match="`quantity`"):
        rw.auc_contours("b")
    assert "difference between the bounds" in repr(rw.auc_contours("gap"))


def test_contours_need_a_value():
    with pytest.raises(rw.InputError, match="`values` is empty"):
        rw.auc_contours("a", values=[])
    assert repr(rw.auc_contours("a", values=0.8)) == "contours of the index A at 0.8"
