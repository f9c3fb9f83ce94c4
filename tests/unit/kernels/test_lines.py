"""Curves of drawn rows with weights against lines: both implementations, and the definition."""

import numpy as np
import pytest

from rocwise.kernels.lines import plain
from rocwise.kernels.resampling_tables import signed_rows
from unit.kernels.test_bands import slow_gap


def drawn_rows(kind, n=400, seed=3):
    """Rows, how often their units are there, and the rates of the rows themselves."""
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 1 / (1 + np.exp(np.linspace(-3, 3, n)))
    starts = np.arange(n)
    weights, units = rng.gamma(0.7, size=n), None
    if kind == "tied":
        weights = np.ceil(8 * weights) / 8  # whose sums are exact, in whatever order they are added
        starts = np.unique(np.concatenate([[0], rng.integers(0, n, n // 4)]))
    elif kind == "clusters":
        units, weights = rng.integers(0, 60, n), None
    elif kind == "separated":
        positive = np.arange(n) < n // 3
    rows = signed_rows(positive, starts, weights, units)
    times = rng.poisson(1.0, (12, int(rows.units.max()) + 1))
    times[:, rows.units[0]] = times[:, rows.units[-1]] = 1  # both classes are there
    held = np.ones(times.shape[1], np.int64)[None]
    return rows, times, tuple(next(curves_of(rows, held)))


def curves_of(rows, times):
    """FPR and TPR, row by row: the definition, written out."""
    for line in times:
        held = line[rows.units] * rows.weights
        at_scores = np.add.reduceat(np.maximum([-held, held], 0.0), rows.starts[:-1], axis=1)
        sums = np.concatenate([np.zeros((2, 1)), np.cumsum(at_scores, axis=1)], axis=1)
        yield sums / sums[:, -1:]


@pytest.mark.parametrize("kind", ["weights", "tied", "clusters", "separated"])
@pytest.mark.parametrize("slope", [0.3, 1.0, 4.0])
class TestDrawnRows:
    def test_gaps_are_the_definition_and_those_of_the_twin(self, kernels, kind, slope):
        rows, times, curve = drawn_rows(kind)
        found = kernels.row_gaps(rows, times, kernels.laid_curve(*curve, slope))
        expected = [slow_gap(curve, tuple(one), slope) for one in curves_of(rows, times)]
        np.testing.assert_allclose(found, expected, atol=1e-13)
        twin = plain.row_gaps(rows, times, plain.laid_curve(*curve, slope))
        assert found.tolist() == twin.tolist()

    def test_gaps_of_a_scale_and_above_a_floor(self, kernels, kind, slope):
        rows, times, curve = drawn_rows(kind)
        scale = 0.01 + np.random.default_rng(3).random(len(curve[0])) ** 4
        laid = kernels.laid_curve(*curve, slope, scale)
        every = kernels.row_gaps(rows, times, laid)
        assert every.tolist() == plain.row_gaps(rows, times, laid).tolist()
        floor = float(np.median(every))
        found = kernels.row_gaps(rows, times, laid, floor=floor)
        assert found.tolist() == np.maximum(every, floor).tolist()

    def test_pairs_are_neighbours(self, kernels, kind, slope):
        rows, times, _ = drawn_rows(kind)
        drawn = [tuple(one) for one in curves_of(rows, times)]
        found = kernels.row_pair_gaps(rows, times, slope)
        expected = [slow_gap(drawn[k], drawn[k + 1], slope) for k in range(0, len(drawn), 2)]
        np.testing.assert_allclose(found, expected, atol=1e-13)
        for floor in (0.0, float(np.median(found))):
            mine = kernels.row_pair_gaps(rows, times, slope, floor=floor)
            assert mine.tolist() == plain.row_pair_gaps(rows, times, slope, floor=floor).tolist()

    def test_crossings_are_interpolated(self, kernels, kind, slope):
        rows, times, _ = drawn_rows(kind)
        lines = np.linspace(0, 1 + slope, 50)
        found = kernels.row_crossings(rows, times, slope, lines)
        assert found.tolist() == plain.row_crossings(rows, times, slope, lines).tolist()
        for row, (fpr, tpr) in zip(found, curves_of(rows, times), strict=True):
            np.testing.assert_allclose(row, np.interp(lines, tpr + slope * fpr, fpr), atol=1e-12)


@pytest.mark.parametrize("n", [2, 100, 250_000])
@pytest.mark.parametrize("scaled", [False, True])
def test_curves_are_laid_as_by_the_twin(kernels, n, scaled):
    """Many vertices are laid by several threads, more of them than there are places."""
    steps = np.random.default_rng(n).random((2, n - 1)) ** 8
    fpr, tpr = np.concatenate([np.zeros((2, 1)), np.cumsum(steps, axis=1)], axis=1)
    curve = fpr / fpr[-1], tpr / tpr[-1], 0.7, (1.0 + fpr if scaled else None)
    mine, twin = kernels.laid_curve(*curve), plain.laid_curve(*curve)
    assert mine.slope == twin.slope == 0.7
    for own, other in zip(mine[1:], twin[1:], strict=True):
        np.testing.assert_array_equal(own, other)


def test_places_are_those_of_the_last_vertex_that_is_not_beyond():
    fpr, tpr = np.array([0.0, 0.0, 0.0, 0.4, 1.0]), np.array([0.0, 0.5, 0.5, 0.5, 1.0])
    laid = plain.laid_curve(fpr, tpr, 1.0)
    assert np.linspace(0, 2, 6).tolist() == plain.even_places(2.0, 5).tolist()
    assert laid.places.tolist() == [0, 0, 2, 3, 3, 4]  # lines 0, 0.5, 0.5, 0.9, 2
    np.testing.assert_allclose(laid.fprs, np.interp(np.linspace(0, 2, 6), tpr + fpr, fpr))


@pytest.mark.parametrize(
    "curve", [([0.0], [0.0]), ([0.0, 1.0], [0.0]), ([0.0, 1.0], [0.0, 1.0], 1.0, np.ones(3))]
)
def test_what_is_no_curve_is_refused(kernels, curve):
    fpr, tpr, slope, scale = (*map(np.array, curve[:2]), *(curve[2:] or (1.0, None)))
    with pytest.raises(ValueError, match="a curve needs two vertices"):
        kernels.laid_curve(fpr, tpr, slope, scale)


def test_units_that_are_not_in_the_table_are_refused(kernels):
    rows, times, curve = drawn_rows("weights")
    with pytest.raises(ValueError, match="each unit needs a column"):
        kernels.row_gaps(rows, times[:, :-1], kernels.laid_curve(*curve, 1.0))
