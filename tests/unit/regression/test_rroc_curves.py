"""RROC curves."""

import numpy as np
import pytest

import rocwise as rw


def test_worked_example():
    curve = rw.regression.rroc([1, 2, 3], [2, 2, 5])
    assert curve.shift.tolist() == [-2.0, -1.0, 0.0]
    assert curve.over.tolist() == [0.0, 1.0, 3.0]
    assert curve.under.tolist() == [-3.0, -1.0, 0.0]
    assert (curve.over_now, curve.under_now, curve.bias) == (3.0, 0.0, 1.0)
    assert curve.aoc == pytest.approx(9 * (2 / 3) / 2)
    assert repr(curve).startswith("RROC: over 3, under 0, bias 1; area over the curve 3")


@pytest.mark.parametrize("seed", range(5))
def test_area_is_half_the_squared_number_of_cases_times_the_variance(seed):
    rng = np.random.default_rng(seed)
    y, p = rng.normal(size=(2, 25))
    curve = rw.regression.rroc(y, p)
    errors = p - y
    for shift, over, under in zip(curve.shift, curve.over, curve.under, strict=True):
        moved = errors + shift
        assert over == pytest.approx(moved[moved > 0].sum(), abs=1e-12)
        assert under == pytest.approx(moved[moved < 0].sum(), abs=1e-12)
    polygon = -float(np.trapezoid(curve.under, curve.over))
    assert polygon == pytest.approx(25**2 * errors.var() / 2, rel=1e-12)
    assert curve.aoc == pytest.approx(polygon, rel=1e-12)


def test_a_shift_moves_along_the_curve():
    rng = np.random.default_rng(8)
    y, p = rng.normal(size=(2, 20))
    here, there = rw.regression.rroc(y, p), rw.regression.rroc(y, p + 3)
    np.testing.assert_allclose(here.over, there.over, atol=1e-12)
    np.testing.assert_allclose(here.under, there.under, atol=1e-12)
    np.testing.assert_allclose(here.shift, there.shift + 3, atol=1e-12)
    assert here.aoc == pytest.approx(there.aoc)


@pytest.mark.parametrize(("over", "under"), [(1, 1), (1, 4), (3, 1), (1, 19)])
def test_best_shift_is_a_quantile(over, under):
    rng = np.random.default_rng(9)
    y, p = rng.normal(size=(2, 41))
    curve = rw.regression.rroc(y, p)

    def cost(shift):
        moved = p + shift - y
        return over * moved[moved > 0].sum() - under * moved[moved < 0].sum()

    best = curve.best_shift(over=over, under=under)
    assert cost(best) <= min(map(cost, np.linspace(-5, 5, 2001))) + 1e-12
    assert best == pytest.approx(
        np.quantile(y - p, under / (over + under), method="inverted_cdf"), abs=1e-12
    )


def test_errors_and_extremes():
    assert rw.regression.rroc([1.0], [4.0]).aoc == 0.0
    assert rw.regression.rroc([1.0, 1.0], [1.0, 1.0]).over.tolist() == [0.0, 0.0]
    with pytest.raises(rw.InputError, match="both be greater than 0"):
        rw.regression.rroc([1, 2], [2, 1]).best_shift(over=0, under=1)
    with pytest.raises(rw.InputError, match="too large"):
        rw.regression.rroc([1e200], [-1e200])
    with pytest.raises(rw.InputError, match="`y_pred` has 1 missing"):
        rw.regression.rroc([1.0], [np.nan])
