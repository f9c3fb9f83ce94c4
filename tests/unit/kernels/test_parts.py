"""Segments of a curve within a part: by hand, and the same numbers from both twins."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.kernels.parts import plain


def stairs(n, seed):
    """Ends of segments that go up, right, or both, with limits that cut some of them."""
    rng = np.random.default_rng(seed)
    x, y = (np.append(0.0, np.cumsum(rng.integers(0, 3, n))) for _ in range(2))
    x, y = x / x[-1], y / y[-1]
    return x[:-1], x[1:], y[:-1], y[1:]


def test_areas_by_hand(kernels):
    x0, x1 = np.array([0.0, 0.25, 0.25, 0.75]), np.array([0.25, 0.25, 0.75, 1.0])
    y0, y1 = np.array([0.0, 0.5, 0.5, 1.0]), np.array([0.5, 0.5, 1.0, 1.0])
    found = kernels.segment_areas(x0, x1, y0, y1, 0.125, 0.5)
    assert found.tolist() == [0.125 * 0.375, 0.0, 0.25 * 0.625, 0.0]


def test_influences_by_hand(kernels):
    before, after = np.array([0.0, 0.5, 0.5]), np.array([0.5, 0.5, 1.0])
    found = kernels.positive_influences(before, after, 0.0, 0.75, 0.25, 1e-15)
    assert found.tolist() == [0.25, 0.0, 0.0625 - 0.25]
    heights = np.array([0.0, 0.5, 0.75]), np.array([0.5, 0.75, 1.0])
    found = kernels.negative_influences(
        before, after, *heights, 0.25, 0.75, 0.25, 0.875, -0.34375, 1e-15
    )
    inside = 0.25 * 0.25 + 0.25 * 0.375, 0.25 * 0.8125 + 0.25 * 0.875
    assert found.tolist() == [inside[0] / 0.5 - 0.34375, 0.0 - 0.34375, inside[1] / 0.5 - 0.34375]


@pytest.mark.parametrize("limits", [(0.0, 0.2), (0.3, 0.61), (0.0, 1.0)])
def test_twins_give_the_same_bits(kernels, limits):
    x0, x1, y0, y1 = stairs(5000, 4)
    pairs = [
        (kernels.segment_areas, plain.segment_areas, (x0, x1, y0, y1, *limits)),
        (kernels.positive_influences, plain.positive_influences, (x0, x1, *limits, 0.1, 1e-3)),
        (
            kernels.negative_influences,
            plain.negative_influences,
            (x0, x1, y0, y1, *limits, 0.15, 0.7, -0.3, 1e-3),
        ),
    ]
    for ask, twin, told in pairs:
        assert ask(*told).tobytes() == twin(*told).tobytes()
        assert len(set(ask(*told).tolist())) > 3


def test_columns_need_not_lie_side_by_side(kernels):
    x0, x1, y0, y1 = stairs(100, 5)
    every = kernels.segment_areas(x0, x1, y0, y1, 0.1, 0.9)
    some = kernels.segment_areas(x0[::-2], x1[::-2], y0[::-2], y1[::-2], 0.1, 0.9)
    assert some.tolist() == every[::-2].tolist()


@pytest.mark.parametrize("weighted", [True, False])
def test_steps_of_precision_of_both_twins(kernels, weighted):
    rng = np.random.default_rng(6)
    pos, neg = rng.random((2, 4000)) if weighted else rng.integers(0, 3, (2, 4000))
    tp, fp = np.cumsum(pos) + 1, np.cumsum(neg)
    given = tp, fp, pos, float(tp[-1]), float(fp[-1]), 1.7
    found, expected = np.empty((2, 4, 4000))
    sums = kernels.precision_steps(*given, tuple(found))
    assert sums == plain.precision_steps(*given, tuple(expected))
    assert found.tobytes() == expected.tobytes()
    precision = tp / tp[-1] / (tp / tp[-1] + 1.7 * fp / fp[-1])
    assert found[0] == pytest.approx(precision)
    assert found[1].sum() == pytest.approx((pos / tp[-1] * precision).sum())


def test_steps_of_precision_need_columns_of_one_length(kernels):
    column, columns = np.ones(3), tuple(np.empty((4, 3)))
    with pytest.raises(ValueError, match="one length"):
        kernels.precision_steps(column, column[1:], column, 3.0, 3.0, 1.0, columns)


@pytest.mark.parametrize("rows", [1, 2, 255, 256, 257, 5000])
def test_sums_from_the_last_on_are_those_of_both_twins(kernels, rows):
    column = np.random.default_rng(rows).normal(size=rows) * 1e3
    expected = plain.summed_upwards(column.copy())
    found = column.copy()
    assert kernels.summed_upwards(found) is found
    assert found.tobytes() == expected.tobytes()
    assert found == pytest.approx([column[k:].sum() for k in range(rows)], abs=1e-8)
    spread = np.repeat(column, 2)
    assert kernels.summed_upwards(spread[::2]).tobytes() == expected.tobytes()


def test_a_last_number_below_0_keeps_its_sign(kernels):
    assert np.signbit(kernels.summed_upwards(np.array([1.0, -0.0]))).tolist() == [False, True]


@pytest.mark.parametrize("rows", [1, 7, 210_000])
def test_doubled_areas_are_those_of_merged_rows(kernels, rows):
    rng = np.random.default_rng(rows)
    pos, neg = rng.integers(0, 3, (2, rows)) + (np.arange(rows) == 0)
    tp, fp = np.cumsum(pos), np.cumsum(neg)
    expected = kernels.table_sums(pos, neg).sum_u
    for number in (1, 2):
        with rw.threads(number):
            assert kernels.doubled_area(tp, fp) == expected == plain.doubled_area(tp, fp)


def test_doubled_areas_beyond_64_bits_are_exact(kernels):
    tp, fp = np.array([2**40 + 1, 2**41]), np.array([3, 2**40])
    widths, heights = (3, 2**40 - 3), (2**40 + 1, 2**40 + 1 + 2**41)
    assert kernels.doubled_area(tp, fp) == sum(w * h for w, h in zip(widths, heights, strict=True))


@pytest.mark.parametrize("rows", [1, 255, 256, 257, 600])
def test_steps_of_precision_are_taken_some_rows_at_a_time(kernels, rows):
    rng = np.random.default_rng(rows)
    pos, neg = rng.integers(0, 3, (2, rows)) + (np.arange(rows) == 0)
    tp, fp = np.cumsum(pos), np.cumsum(neg)
    given = tp, fp, pos, float(tp[-1]), float(fp[-1]), 0.3
    found, expected = np.empty((2, 4, rows))
    assert kernels.precision_steps(*given, tuple(found)) == plain.precision_steps(
        *given, tuple(expected)
    )
    assert found.tobytes() == expected.tobytes()
