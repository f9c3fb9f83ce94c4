"""What must contain for the area under any curve."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu
from sklearn.metrics import roc_auc_score

import rocwise as rw
from oracles.brute_force import kernel, variances
from oracles.recounts import classes, exact_area, weighted_area
from oracles.scored_rows import few_values, mixed, plain_floats, rows, weighted_rows

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
any_weights = st.floats(1e-3, 1e3)


def area(y, s, **options):
    return rw.auc(y, s, **options).value


@given(rows(mixed, max_size=40))
def test_the_area_is_the_exact_fraction_rounded_once(data):
    y, s = data
    assert area(y, s) == float(exact_area(y, s))
    assert rw.roc(y, s).auc == float(exact_area(y, s))


@given(rows(plain_floats, max_size=40))
def test_the_area_is_that_of_other_packages(data):
    y, s = data
    negatives, positives = classes(y, s)
    u = mannwhitneyu(positives, negatives, method="asymptotic").statistic
    assert area(y, s) == pytest.approx(u / (len(negatives) * len(positives)), abs=1e-14)
    assert area(y, s) == pytest.approx(roc_auc_score(y, s), abs=1e-13)


@given(rows(mixed))
def test_negated_scores_turn_the_area_around(data):
    y, s = data
    negated = [-v for v in s]
    assert area(y, s) + area(y, negated) == pytest.approx(1.0, abs=1e-15)
    assert area(y, negated, direction="lower") == area(y, s)


@given(rows(mixed))
def test_swapped_classes_turn_the_area_around(data):
    y, s = data
    swapped = rw.auc(y, s, pos_label=0)
    assert swapped.value + area(y, s) == pytest.approx(1.0, abs=1e-15)
    assert (swapped.n_pos, swapped.n_neg) == (len(y) - sum(y), sum(y))


@given(rows(st.integers(-1000, 1000)))
def test_only_the_order_of_the_scores_matters(data):
    y, s = data
    plain = area(y, s)
    assert area(y, [v**3 + 5 for v in s]) == plain
    assert area(y, [math.exp(v / 2000) for v in s]) == plain
    assert area(y, np.array(s, np.float32) * np.float32(0.25)) == plain


@given(rows(few_values), st.integers(1, 5))
def test_repeating_every_row_changes_nothing(data, times):
    y, s = data
    assert area(y * times, s * times) == area(y, s)


@given(rows(mixed, each=2, max_size=25))
def test_variances_are_those_of_the_kernel_matrix(data):
    y, s = data
    negatives, positives = classes(y, s)
    H = kernel(negatives, positives)
    tally = rw.tally(y, s)
    for method, value in variances(H, H).items():
        assert rw.auc_variance(tally, method=method) == pytest.approx(value, rel=1e-9, abs=1e-15)
    assert rw.auc(tally).standard_error == pytest.approx(
        math.sqrt(variances(H, H)["delong"]), rel=1e-9, abs=1e-9
    )


@given(rows(mixed), st.sampled_from([0.5, 0.9, 0.95, 0.999]), st.sampled_from(["delong", "logit"]))
def test_intervals_hold_the_estimate_and_have_a_width(data, level, method):
    y, s = data
    result = rw.auc(y, s, level=level, method=method)
    interval = result.interval
    assert 0.0 <= interval.low <= result.value <= interval.high <= 1.0
    assert interval.low < interval.high
    assert interval.level == level
    assert interval.method


@given(rows(mixed, each=2), st.sampled_from(["delong", "logit"]))
def test_intervals_grow_with_their_level(data, method):
    y, s = data
    narrow = rw.auc(y, s, level=0.8, method=method).interval
    wide = rw.auc(y, s, level=0.99, method=method).interval
    assert wide.low <= narrow.low
    assert narrow.high <= wide.high


@given(weighted_rows(few_values, any_weights))
def test_weighted_area_is_that_of_all_pairs(data):
    y, s, w = data
    assert area(y, s, sample_weight=w) == pytest.approx(weighted_area(y, s, w), abs=1e-13)
    assert rw.roc(y, s, sample_weight=w).auc == pytest.approx(weighted_area(y, s, w), abs=1e-13)


@given(weighted_rows(few_values, any_weights))
def test_weighted_area_stays_between_0_and_1(data):
    y, s, w = data
    for result in (rw.auc(y, s, sample_weight=w).value, rw.roc(y, s, sample_weight=w).auc):
        assert 0.0 <= result <= 1.0


@given(weighted_rows(few_values, st.floats(0.1, 10.0)), st.sampled_from(["delong", "logit"]))
def test_weighted_intervals_hold_the_estimate_and_have_a_width(data, method):
    y, s, w = data
    result = rw.auc(y, s, sample_weight=w, method=method)
    assert result.value in result.interval
    assert result.interval.high - result.interval.low > 1e-6


@given(rows(few_values, each=2), st.floats(1e-3, 1e3))
def test_equal_weights_change_nothing(data, weight):
    y, s = data
    plain, weighted = rw.auc(y, s), rw.auc(y, s, sample_weight=[weight] * len(y))
    assert weighted.value == pytest.approx(plain.value, rel=1e-12)
    assert weighted.standard_error == pytest.approx(plain.standard_error, rel=1e-6, abs=1e-8)
    assert weighted.interval.low == pytest.approx(plain.interval.low, abs=1e-6)


@given(rows(few_values))
def test_step_areas_bracket_the_area(data):
    y, s = data
    low, middle, high = (
        rw.step_area(y, s, ties=ties) for ties in ("pessimistic", "simultaneous", "optimistic")
    )
    negatives, positives = classes(y, s)
    assert low.area == sum(a < b for a in negatives for b in positives)
    assert high.area == sum(a <= b for a in negatives for b in positives)
    assert Fraction(middle.area) == Fraction(low.area + high.area) / 2
    assert middle.value == area(y, s)
