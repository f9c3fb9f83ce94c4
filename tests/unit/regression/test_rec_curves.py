"""REC curves: the worked examples, null models, custom losses, and errors."""

import math
from fractions import Fraction

import numpy as np
import pytest

import rocwise as rw
from unit.regression.forecast_vectors import C1, C2

TINY = {"abs": 1e-10, "rel": 0}


@pytest.mark.parametrize("vector", [C1, C2])
def test_worked_examples(vector):
    for place, predictions in enumerate((vector.a, vector.b)):
        curve = rw.regression.rec(vector.y, predictions)
        assert curve.aoc == pytest.approx(vector.aoc[place], **TINY)
        assert curve.trapezoid_aoc() == pytest.approx(vector.trapezoid[place], **TINY)
        assert curve.aoc_up_to(0.5) == pytest.approx(vector.up_to_half[place], **TINY)
        squared = rw.regression.rec(vector.y, predictions, loss="squared")
        assert squared.aoc == pytest.approx(vector.mean_square[place], **TINY)


def test_vertices_are_the_distinct_losses():
    curve = rw.regression.rec(C1.y, C1.b)
    np.testing.assert_allclose(curve.tolerance, [0, 0.1, 0.2, 0.3, 0.6, 0.9], atol=1e-12)
    np.testing.assert_allclose(curve.accuracy, np.arange(1, 7) / 6)
    ties = rw.regression.rec(C2.y, C2.a)
    assert ties.tolerance.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert ties.accuracy.tolist() == [1 / 8, 3 / 8, 6 / 8, 7 / 8, 1]


def test_rounding_makes_one_vertex_of_equal_errors():
    """|4.2 - 4| and |1.2 - 1| are equal numbers but not equal floats."""
    assert abs(4.2 - 4) != abs(1.2 - 1)
    assert len(rw.regression.rec([4, 1], [4.2, 1.2]).tolerance) == 1
    far = rw.regression.rec([1e6, 1.0], [1e6 + 0.2, 1.2])
    assert abs(1e6 + 0.2 - 1e6 - 0.2) > 1e-12
    assert len(far.tolerance) == 1


@pytest.mark.parametrize("unit", [1e-9, 1e-30, 1.0, 1e9, 1e100])
def test_units_do_not_change_the_curve(unit):
    """A fixed gap of 1e-12 would merge all errors of data in small units."""
    y, a = np.array(C1.y), np.array(C1.a)
    curve = rw.regression.rec(y * unit, a * unit)
    np.testing.assert_allclose(
        curve.tolerance, rw.regression.rec(y, a).tolerance * unit, atol=1e-12 * unit
    )


def test_small_squared_errors_stay_distinct():
    curve = rw.regression.rec([1.0, 2.0, 3.0], [1 + 1e-7, 2 + 2e-7, 3 + 3e-7], loss="squared")
    np.testing.assert_allclose(curve.tolerance, [1e-14, 4e-14, 9e-14], rtol=1e-6)


def test_area_is_the_mean_and_only_cut_or_straightened_curves_fall_short():
    """The area over the steps estimates the mean error without bias.

    "Always underestimates" holds for the polygon through the vertices and for a truncated axis.
    """
    curve = rw.regression.rec(C2.y, C2.b)
    assert curve.aoc == math.fsum(C2.b) / 8
    steps = np.diff(curve.tolerance, prepend=0.0)
    area = float(steps @ (1 - np.concatenate([[0.0], curve.accuracy[:-1]])))
    assert area == pytest.approx(curve.aoc, abs=1e-15)
    assert curve.trapezoid_aoc() < curve.aoc
    assert curve.aoc_up_to(0.5) < curve.aoc
    assert curve.aoc_up_to(2) == curve.aoc


def test_the_mean_is_a_correctly_rounded_sum():
    values = [1e16, 1.0, 1.0, 1.0, 0.1] * 7
    exact = sum(map(Fraction, values))
    assert rw.regression.rec(np.zeros(35), values).aoc == float(exact) / 35
    assert rw.regression.rec(np.zeros(35), sorted(values)).aoc == float(exact) / 35


def test_accuracy_never_falls_and_may_be_constant():
    """The curve is not strictly increasing: between 0.5 and 0.75 nothing happens."""
    curve = rw.regression.rec(C2.y, C2.a)
    assert curve.hits_at([0.5, 0.6, 0.7]).tolist() == [6, 6, 6]


@pytest.mark.parametrize(
    ("null", "forecast"), [("mean", 4.0), ("median", 3.0), ("last", 7.0), (2.5, 2.5)]
)
def test_null_models(null, forecast):
    curve = rw.regression.rec(C1.y, C1.a, null=null, y_train=[2, 3, 7])
    expected = np.abs(np.array(C1.y) - forecast).mean()
    assert curve.null_aoc == pytest.approx(expected)
    assert curve.relative_aoc == pytest.approx(0.3 / expected)
    assert curve.null_curve is not None
    assert curve.null_curve.aoc == curve.null_aoc


def test_null_forecasts_row_by_row():
    curve = rw.regression.rec(C1.y, C1.a, null=C1.b)
    assert curve.null_aoc == pytest.approx(0.35)
    assert "0.857 of the null model's 0.35" in repr(curve)
    assert rw.regression.rec(C1.y, C1.a).null_aoc is None
    assert rw.regression.rec(C1.y, C1.a).relative_aoc is None


def test_the_median_is_the_best_constant_for_absolute_errors():
    train = np.array([0.0, 0.0, 1.0, 9.0, 10.0])
    median, mean = (
        rw.regression.rec(train, train, null=n, y_train=train).null_aoc for n in ("median", "mean")
    )
    assert median is not None
    assert mean is not None
    assert median < mean


def test_a_loss_of_ones_own():
    def pinball(truth, forecast):
        return np.maximum(0.9 * (truth - forecast), 0.1 * (forecast - truth))

    curve = rw.regression.rec([1, 2, 3], [2, 2, 1], loss=pinball)
    np.testing.assert_allclose(curve.tolerance, [0, 0.1, 1.8])
    assert "(mean pinball; 95% CI " in repr(curve)


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        ([1.0, -1.0], "got -1.0 at row 1"),
        ([np.nan, 1.0], "got nan at row 0"),
        ([1.0], "one loss for each of the 2 rows"),
        ("many", "must return numbers"),
    ],
)
def test_losses_that_cannot_be_used(losses, message):
    with pytest.raises(rw.InputError, match=message):
        rw.regression.rec([1, 2], [1, 3], loss=lambda _y, _p: losses)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1, 2], [1]), {}, "`y_true` has 2 values but `y_pred` has 1"),
        (([], []), {}, "`y_true` is empty; at least one value"),
        (([1, np.nan], [1, 2]), {}, "`y_true` has 1 missing value .first at row 1"),
        (([1, 2], [1, np.inf]), {}, "`y_pred` has 1 infinite value .first at row 1"),
        (([1, 2], ["a", "b"]), {}, "`y_pred` must contain numbers; got 'a' at row 0"),
        (([1, 2], [1, 2]), {"loss": "cubic"}, "`loss` must be one of"),
        (([1, 2], [1, 2]), {"null": "mean"}, "needs `y_train`"),
        (([1, 2], [1, 2]), {"null": "mode"}, "`null` must be one of 'mean', 'median', 'last'"),
        (([1, 2], [1, 2]), {"null": [1, 2]}, "makes no error at all"),
        (([1, 2], [1, 2]), {"null": [1, 2, 3]}, "`null` has 3"),
        (([1, 2], [1, 2]), {"null": "mean", "y_train": [np.nan]}, "`y_train` has 1 missing"),
        (([1e308], [-1e308]), {}, "too large for a floating-point number"),
        (([1e200], [-1e200]), {"loss": "squared"}, "The squared error at row 0"),
        (([1, 2], [[1, 2], [3, 4]]), {}, "`y_pred` must be one-dimensional"),
        (([1, 2], np.ones((2, 2))), {}, "`y_pred` must be one column"),
        (([2**60, 1], [1, 2]), {}, "above 2..53"),
    ],
)
def test_errors(arguments, options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.regression.rec(*arguments, **options)


@pytest.mark.parametrize(("y_pred", "aoc", "tolerance"), [([5.0], 0.0, [0.0]), ([7.0], 2.0, [2.0])])
def test_one_case(y_pred, aoc, tolerance):
    curve = rw.regression.rec([5.0], y_pred, null=1.0)
    assert (curve.aoc, curve.tolerance.tolist(), curve.accuracy.tolist()) == (aoc, tolerance, [1.0])
    assert curve.trapezoid_aoc() == aoc / 2


def test_squares_that_underflow_raise_only_where_they_matter():
    tiny = np.array([1.0, 2.0, 3.0]) * 1e-170
    with pytest.raises(
        rw.InputError, match=r"largest squared error, at row 2 \(3e-170 against 0\)"
    ):
        rw.regression.rec(tiny, [0, 0, 0], loss="squared")
    assert rw.regression.rec(tiny, [0, 0, 0]).aoc == pytest.approx(2e-170)
    assert rw.regression.rec([1.0, 1e-170], [0, 0], loss="squared").aoc == 0.5
