"""Variances by class, and what the cases of an average of areas are worth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.inference.effective_sizes import sized_area
from rocwise.inference.variance import VarianceByClass, covariance_of_parts, leverages_of
from rocwise.multiclass.class_areas import average_weights

AVERAGES = ("hand-till", "ovr", "ovr-weighted", "ovo-weighted")
sizes = st.lists(st.integers(2, 60), min_size=3, max_size=8)


def test_leverages_by_hand():
    """Weights 0.5 of 0 over 1, 0.3 of 1 over 2, 0.2 of 2 over 0: sums 5, 3, 2 and 2, 5, 3."""
    weights = np.array([[0.0, 0.5, 0.0], [0.0, 0.0, 0.3], [0.2, 0.0, 0.0]])
    assert leverages_of(weights) == pytest.approx((0.145, 0.17, 0.065), abs=1e-15)


def test_two_classes_have_one_area():
    assert leverages_of(np.array([[0.0, 0.5], [0.5, 0.0]])) is None


def test_an_average_over_unequal_classes_by_hand():
    """Leverage 1/9 each, 50, 50 and 5 rows: 1/9 (0.02 + 0.02 + 0.2) = 0.24/9."""
    variances = VarianceByClass(0.002, (0.0005, 0.0005, 0.001), (50, 50, 5), (1 / 9,) * 3)
    shown = 0.24**2 / (2 * 0.02**2 / 50 + 0.2**2 / 5)
    expected = sized_area(0.8, 0.002, variances.by_class(), 9 / 0.24, shown)
    found = variances.as_share(0.8)
    assert found.size == pytest.approx(expected.size, rel=1e-12)
    assert found.df == pytest.approx(expected.df, rel=1e-12)
    assert found.trust == pytest.approx(expected.trust, rel=1e-12)


@given(st.integers(2, 60), st.integers(3, 9), st.sampled_from(AVERAGES))
def test_equal_classes_count_all_their_rows(n, m, average):
    weights = average_weights(average, np.full(m, float(n)))
    variances = VarianceByClass(0.0, (0.0,) * m, (float(n),) * m, leverages_of(weights))
    assert variances.as_share(1.0).size == pytest.approx(
        sized_area(1.0, 0.0, (), n * m, n * m).size, rel=1e-12
    )


@given(sizes, st.sampled_from(AVERAGES), st.floats(0.0, 1.0), st.floats(0.0, 0.01))
def test_an_average_is_worth_more_than_its_smallest_class(n, average, value, variance):
    """An average varies less than an area of the smallest class, and its limits hold the value."""
    counts = np.array(n, float)
    parts = tuple(variance / len(n) for _ in n)
    leverages = leverages_of(average_weights(average, counts))
    proportion = VarianceByClass(variance, parts, tuple(counts), leverages).as_share(value)
    low, high = proportion.limits(0.025)
    assert 0.0 <= low <= value + 1e-12
    assert value - 1e-12 <= high <= 1.0
    assert low < high
    at_one = VarianceByClass(0.0, (0.0,) * len(n), tuple(counts), leverages).as_share(1.0)
    smallest = VarianceByClass(0.0, (0.0,) * len(n), tuple(counts)).as_share(1.0)
    assert at_one.limits(0.025)[0] >= smallest.limits(0.025)[0] - 1e-12


def test_clusters_of_several_classes_count_the_smallest():
    """Their classes covary, so that an average may vary as much as one area."""
    codes = np.array([0, 0, 1, 1, 2, 2, 0, 1, 2], np.uint8)
    parts, counts = np.linspace(0, 1, 9)[None, :], np.full(3, 3.0)
    weights = average_weights("hand-till", counts)
    mixed, apart = np.array([0, 1, 0, 2, 3, 4, 5, 6, 7]), np.array([0, 0, 1, 1, 2, 2, 3, 4, 5])
    found = [covariance_of_parts(parts, codes, None, c, averaged=weights) for c in (mixed, apart)]
    assert found[0].leverages is None
    assert found[1].leverages == leverages_of(weights)


@pytest.mark.parametrize("sizes", [(10,) * 5, (90, 45, 15)])
def test_small_classes_neither_miss_the_truth_nor_hold_it_always(sizes):
    rng, m, covered = np.random.default_rng(5), len(sizes), 0
    y = np.repeat(np.arange(m), sizes)
    for _ in range(400):
        scores = rng.normal(size=(len(y), m)) + 1.19023 * np.eye(m)[y]  # every area is 0.8
        covered += 0.8 in rw.multiclass.auc(y, scores).interval
    assert 0.93 <= covered / 400 <= 0.985


def test_separated_classes_have_room_below():
    y = np.repeat(np.arange(4), 5)
    result = rw.multiclass.auc(y, np.eye(4)[y])
    assert result.value == result.interval.high == 1.0
    assert 0.7 < result.interval.low < 0.9
