"""Laws of REC curves and of comparisons of regression models."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rocwise as rw

# eighths, so that sums and squares are exact and equal errors are equal floats
eighths = st.integers(-400, 400).map(lambda k: k / 8)
rows = st.lists(st.tuples(eighths, eighths, eighths), min_size=1, max_size=25)
floats = st.floats(-1e6, 1e6, allow_nan=False)


def columns(cases: list[tuple[float, float, float]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    y, a, b = (np.array(column) for column in zip(*cases, strict=True))
    return y, a, b


@given(st.lists(st.tuples(floats, floats), min_size=1, max_size=40))
def test_area_is_the_mean_loss(cases: list[tuple[float, float]]) -> None:
    y, p = (np.array(column) for column in zip(*cases, strict=True))
    for loss, errors in (("absolute", np.abs(y - p)), ("squared", (y - p) ** 2)):
        if loss == "squared" and y.tolist() != p.tolist() and errors.max() < 1e-290:
            with pytest.raises(rw.InputError, match="is too small for a floating-point number"):
                rw.regression.rec(y, p, loss=loss)
            continue
        curve = rw.regression.rec(y, p, loss=loss)
        assert curve.aoc == math.fsum(errors) / len(y)
        heights = 1 - np.concatenate([[0.0], curve.accuracy[:-1]])
        area = float(np.diff(curve.tolerance, prepend=0.0) @ heights)
        assert area == pytest.approx(curve.aoc, rel=1e-9, abs=1e-9)
        assert curve.trapezoid_aoc() <= curve.aoc


@given(rows, st.integers(0, 800).map(lambda k: k / 8))
def test_cut_area_is_the_mean_of_cut_losses(
    cases: list[tuple[float, float, float]], limit: float
) -> None:
    y, a, _ = columns(cases)
    curve = rw.regression.rec(y, a)
    assert curve.aoc_up_to(limit) == math.fsum(np.minimum(np.abs(y - a), limit)) / len(y)
    assert curve.aoc_up_to(limit) <= curve.aoc


@given(rows)
def test_dominance_implies_the_order_of_areas(cases: list[tuple[float, float, float]]) -> None:
    y, a, b = columns(cases)
    for loss in ("absolute", "squared"):
        first, second = rw.regression.rec(y, a, loss=loss), rw.regression.rec(y, b, loss=loss)
        if first.dominates(second):
            assert first.aoc < second.aoc
            assert not second.dominates(first)
            assert first.crossings(second) == []


@given(rows)
def test_order_is_that_of_sorted_errors(cases: list[tuple[float, float, float]]) -> None:
    """With the same number of cases, dominance means: the k-th smallest error is never larger."""
    y, a, b = columns(cases)
    ours, theirs = np.sort(np.abs(y - a)), np.sort(np.abs(y - b))
    expected = bool(np.all(ours <= theirs) and np.any(ours < theirs))
    first, second = rw.regression.rec(y, a), rw.regression.rec(y, b)
    assert first.dominates(second) == expected
    order = first.order(second)
    assert (order.verdict == "equal") == bool(np.all(ours == theirs))
    assert (order.verdict == "crossing") == (
        bool(np.any(ours < theirs)) and bool(np.any(ours > theirs))
    )


@given(rows)
def test_order_is_invariant_to_increasing_losses(cases: list[tuple[float, float, float]]) -> None:
    y, a, b = columns(cases)
    plain = rw.regression.rec(y, a).order(rw.regression.rec(y, b))
    squared = rw.regression.rec(y, a, loss="squared").order(rw.regression.rec(y, b, loss="squared"))

    def cubic(truth: np.ndarray, forecast: np.ndarray) -> np.ndarray:
        return np.abs(truth - forecast) ** 3

    cubed = rw.regression.rec(y, a, loss=cubic).order(rw.regression.rec(y, b, loss=cubic))
    assert plain.winner == squared.winner == cubed.winner
    assert (plain.crossings**2).tolist() == squared.crossings.tolist()


@given(rows, st.randoms(use_true_random=False), eighths, st.sampled_from([-2.0, -1.0, 0.5, 4.0]))
def test_order_of_rows_and_units_do_not_matter(
    cases: list[tuple[float, float, float]], random: object, shift: float, scale: float
) -> None:
    y, a, b = columns(cases)
    before = rw.regression.rec(y, a, null=b) if np.any(y != b) else rw.regression.rec(y, a)
    random.shuffle(cases)
    y, a, b = columns(cases)
    y, a, b = (scale * column + shift for column in (y, a, b))
    after = rw.regression.rec(y, a, null=b) if np.any(y != b) else rw.regression.rec(y, a)
    np.testing.assert_array_equal(after.tolerance, abs(scale) * before.tolerance)
    np.testing.assert_array_equal(after.accuracy, before.accuracy)
    assert after.relative_aoc == before.relative_aoc


@settings(max_examples=40)
@given(rows)
def test_comparisons_are_antisymmetric(cases: list[tuple[float, float, float]]) -> None:
    y, a, b = columns(cases)
    for method in ("permutation", "permutation-sup", "wilcoxon", "diebold-mariano"):
        if method == "diebold-mariano" and len(y) < 2:
            continue
        # above 20 rows the swaps may be random: the same ones for both
        one = rw.regression.compare(y, {"a": a, "b": b}, method=method, rng=0)
        other = rw.regression.compare(y, {"b": b, "a": a}, method=method, rng=0)
        assert one.difference == -other.difference
        if one.p_value is None:
            assert other.p_value is None
        else:
            assert one.p_value == pytest.approx(other.p_value, abs=1e-12)
            assert 0 < one.p_value <= 1


@settings(max_examples=40)
@given(rows)
def test_a_swap_test_needs_several_rows_to_decide(
    cases: list[tuple[float, float, float]],
) -> None:
    y, a, b = columns(cases)
    result = rw.regression.compare(y, {"a": a, "b": b})
    assume(result.n_resamples is None)
    differing = int(np.count_nonzero(np.abs(y - a) != np.abs(y - b)))
    assert result.p_value >= 2.0 ** (1 - max(differing, 1)) * (1 - 1e-9)


@settings(max_examples=50)
@given(rows)
def test_rroc_is_convex_and_its_area_is_the_variance(
    cases: list[tuple[float, float, float]],
) -> None:
    y, a, _ = columns(cases)
    curve = rw.regression.rroc(y, a)
    assert np.all(np.diff(curve.over) >= -1e-9)
    assert np.all(np.diff(curve.under) >= -1e-9)
    polygon = -float(np.trapezoid(curve.under, curve.over))
    assert curve.aoc == pytest.approx(polygon, rel=1e-9, abs=1e-6)
    # costs at the curve are those of absolute errors: the best shift makes the median error 0
    best = curve.best_shift(over=1, under=1)
    assert np.abs(a + best - y).sum() <= np.abs(a - y).sum() + 1e-9
