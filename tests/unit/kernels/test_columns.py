"""Columns made from counts: those of the formulas, whatever the parts and threads."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.kernels import row_formulas
from rocwise.kernels.columns import plain

RNG = np.random.default_rng(8)
BY_HAND = {
    "sensitivity": [0.5, 0.5, 1.0],
    "specificity": [1.0, 0.75, 0.0],
    "ppv": [1.0, 0.5, 1 / 3],
    "npv": [0.8, 0.75, np.nan],
    "accuracy": [5 / 6, 4 / 6, 2 / 6],
    "balanced_accuracy": [0.75, 0.625, 0.5],
    "f1": [2 / 3, 0.5, 0.5],
    "mcc": [4 / np.sqrt(1 * 5 * 2 * 4), 2 / np.sqrt(2 * 4 * 2 * 4), 0.0],
    "youden": [0.5, 0.25, 0.0],
    "lr_positive": [np.inf, 2.0, 1.0],
    "lr_negative": [0.5, 0.5 / 0.75, np.nan],
}


def counted(rows, weighted):
    steps = RNG.random((2, rows)) + 0.1 if weighted else RNG.integers(0, 3, (2, rows)) + 1
    tp, fp = np.cumsum(steps, axis=1)
    return tp, fp, tp[-1].item(), fp[-1].item()


@pytest.mark.parametrize("measure", plain.MEASURES)
@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_a_table_by_hand(kernels, measure, kind):
    tp, fp = np.array([1, 1, 2], kind), np.array([0, 1, 4], kind)
    found = kernels.threshold_measure(measure, tp, fp, 2, 4)
    assert found == pytest.approx(BY_HAND[measure], rel=1e-15, nan_ok=True)


@pytest.mark.parametrize("measure", plain.MEASURES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("number", [1, 3])
def test_parts_threads_and_twins_change_no_bit(kernels, monkeypatch, measure, weighted, number):
    tp, fp, n_pos, n_neg = counted(1000, weighted)
    whole = plain.threshold_measure(measure, tp, fp, n_pos, n_neg)
    monkeypatch.setattr(row_formulas, "STEP", 100)
    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 120)
    with rw.threads(number):
        found = kernels.threshold_measure(measure, tp, fp, n_pos, n_neg)
    assert found.tobytes() == whole.tobytes() or np.array_equal(found, whole, equal_nan=True)


@pytest.mark.parametrize("measure", plain.MEASURES)
def test_counts_that_floats_do_not_hold(kernels, measure):
    tp, fp = np.array([1, 2**60 + 1]), np.array([2**53 + 1, 2**60 + 3])
    found = kernels.threshold_measure(measure, tp, fp, int(tp[-1]), int(fp[-1]))
    expected = plain.threshold_measure(measure, tp, fp, int(tp[-1]), int(fp[-1]))
    assert np.array_equal(found, expected, equal_nan=True)


def test_sums_of_weights_beyond_their_total(kernels):
    tp, fp = np.array([1.0, 2.0 + 1e-15]), np.array([1.0, 1.0 + 1e-15])
    for measure, value in (("specificity", 0.0), ("mcc", 0.0), ("lr_negative", np.nan)):
        found = kernels.threshold_measure(measure, tp, fp, 2.0, 1.0)
        assert found[1] == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize("kind", [np.int64, np.float64])
@pytest.mark.parametrize("step", [1, 2])
def test_a_measure_is_written_where_it_is_wanted(kernels, kind, step):
    tp, fp = np.array([1, 2, 2], kind), np.array([0, 1, 2], kind)
    table = np.full(8, 7.0)
    out = table[1 : 1 + 3 * step : step]
    kernels.threshold_measure("ppv", tp, fp, 2, 3, out=out)
    assert np.array_equal(out, tp / (tp + fp))
    assert np.count_nonzero(table == 7.0) == 5


@pytest.mark.parametrize("models", [1, 3])
@pytest.mark.parametrize("number", [1, 3])
def test_influences_of_rows(kernels, monkeypatch, models, number):
    mask = (RNG.random(1000) < 0.3).astype(np.uint8)
    scores = RNG.integers(0, 50, (models, 1000)) + 5.0 * mask
    placed = np.stack([kernels.placements(mask, own) for own in scores])
    n_pos = int(mask.sum())
    n_neg = 1000 - n_pos
    monkeypatch.setattr(row_formulas, "STEP", 100)
    monkeypatch.setattr(row_formulas, "ROWS_PER_THREAD", 120)
    with rw.threads(number):
        areas, positives, negatives = kernels.placement_influences(placed, mask)
    for own, area, pos, neg in zip(placed, areas, positives, negatives, strict=True):
        assert area == int(own[mask == 1].sum()) / (2 * n_pos * n_neg)
        assert np.array_equal(pos, (own[mask == 1] / (2.0 * n_neg) - area) / n_pos)
        assert np.array_equal(neg, (own[mask == 0] / (-2.0 * n_pos) + (1 - area)) / n_neg)


def test_influences_of_another_length(kernels):
    with pytest.raises((ValueError, IndexError)):
        kernels.placement_influences(np.zeros((2, 3), np.int64), np.ones(4, np.uint8))


@pytest.mark.parametrize("degree", [2, 3, 24])
@pytest.mark.parametrize("size", [0, 1, 15, 16, 1000])
def test_polynomials_are_those_of_numpy_to_the_last_bit(kernels, degree, size):
    from numpy.polynomial import Chebyshev

    curve = Chebyshev(RNG.normal(size=degree + 1), domain=[3.0, 8.0])
    x = RNG.uniform(3.0, 8.0, 2 * size)[::2]
    found = kernels.chebyshev(x, curve.coef, *curve.mapparms())
    assert found.tolist() == np.asarray(curve(x)).tolist()
    with pytest.raises(ValueError, match="three coefficients"):
        kernels.chebyshev(x, curve.coef[:2], 0.0, 1.0)
