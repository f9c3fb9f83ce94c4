"""`resolution=`: at most so many bins, exact thresholds, and an error bound that holds."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from oracles.recounts import counted, exact_area
from oracles.scored_rows import few_values, mixed, rows, weighted_rows

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
resolutions = st.integers(2, 12)


@given(rows(mixed, max_size=60), resolutions)
def test_the_error_bound_holds(data, resolution):
    y, s = data
    binned = rw.tally(y, s, resolution=resolution)
    sums = binned.placement_sums
    area = Fraction(sums.sum_u, 2 * sums.n_pos * sums.n_neg)
    assert abs(area - exact_area(y, s)) <= Fraction(binned.error_bound)
    assert len(binned) <= resolution


@given(rows(mixed, max_size=60), resolutions)
def test_the_error_bound_is_half_the_pairs_within_a_bin(data, resolution):
    y, s = data
    exact, binned = rw.tally(y, s), rw.tally(y, s, resolution=resolution)
    mixed_pairs = sum(binned.pos * binned.neg) - sum(exact.pos * exact.neg)
    pairs = exact.n_pos * exact.n_neg
    assert binned.error_bound == pytest.approx(mixed_pairs / (2 * pairs), rel=1e-12)


@pytest.mark.parametrize("direction", ["higher", "lower"])
@given(data=rows(mixed, max_size=60), resolution=resolutions)
def test_thresholds_of_bins_recount(direction, data, resolution):
    y, s = data
    binned = rw.tally(y, s, resolution=resolution, direction=direction)
    for k, threshold in enumerate(binned.scores.tolist()):
        tp, fp, _, _ = counted(y, s, threshold, direction)
        assert (binned.tp[k], binned.fp[k]) == (tp, fp)


@given(rows(few_values), st.integers(7, 10**15))
def test_enough_bins_change_nothing(data, resolution):
    y, s = data
    exact, binned = rw.tally(y, s), rw.tally(y, s, resolution=resolution)
    assert binned.scores.tolist() == exact.scores.tolist()
    assert binned.pos.tolist() == exact.pos.tolist()
    assert binned.error_bound == 0.0


@given(weighted_rows(mixed, max_size=40), resolutions)
def test_the_bound_holds_with_weights(data, resolution):
    y, s, w = data
    exact = rw.auc(rw.tally(y, s, sample_weight=w)).value
    binned = rw.tally(y, s, sample_weight=w, resolution=resolution)
    assert abs(rw.auc(binned).value - exact) <= binned.error_bound + 1e-14


@given(rows(mixed, max_size=60))
def test_bins_are_about_equal(data):
    y, s = data
    binned = rw.tally(y, s, resolution=4)
    sizes = binned.pos + binned.neg
    exact = rw.tally(y, s)
    largest_score = int((exact.pos + exact.neg).max())
    # a bin closes at the first score that fills its quarter, so it exceeds it by at most one score
    assert sizes.max() <= len(y) / 4 + largest_score
