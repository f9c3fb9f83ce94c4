"""The table of thresholds against a recount of the rows, and thresholds as they are printed."""

import math
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, f1_score, matthews_corrcoef

import rocwise as rw
from oracles.recounts import counted
from oracles.scored_rows import any_float32, any_floats, few_values, mixed, rows, weighted_rows
from rocwise import printing

directions = st.sampled_from(["higher", "lower"])
close_floats = st.tuples(st.floats(1e-9, 1e9), st.integers(1, 10**9)).map(
    lambda drawn: (drawn[0], drawn[0] + drawn[1] * math.ulp(drawn[0]))
)
big_integers = st.integers(-(2**63), 2**63 - 1) | st.integers(2**60, 2**60 + 40)


@given(rows(mixed), directions)
def test_the_table_recounts_the_rows(data, direction):
    y, s = data
    table = rw.thresholds(y, s, direction=direction)
    for k, threshold in enumerate(table.threshold.tolist()):
        counts = table.tp[k], table.fp[k], table.fn[k], table.tn[k]
        assert counts == counted(y, s, threshold, direction)


@given(rows(mixed))
def test_metrics_are_their_definitions(data):
    y, s = data
    table = rw.thresholds(y, s, costs=rw.Costs(fp=3, fn=5, tp=1, tn=-2))
    for k, threshold in enumerate(table.threshold.tolist()):
        tp, fp, fn, tn = counted(y, s, threshold)
        sensitivity, specificity = tp / (tp + fn), tn / (tn + fp)
        assert table.sensitivity[k] == sensitivity
        assert table.specificity[k] == specificity
        assert table.ppv[k] == tp / (tp + fp)
        assert table.npv.mask[k] == (tn + fn == 0)
        assert table.npv.mask[k] or table.npv[k] == tn / (tn + fn)
        assert table.accuracy[k] == (tp + tn) / len(y)
        assert table.youden[k] == pytest.approx(sensitivity + specificity - 1, abs=1e-15)
        expected = (3 * fp + 5 * fn + tp - 2 * tn) / len(y)
        assert table.expected_cost[k] == pytest.approx(expected, abs=1e-14)


@given(rows(mixed))
def test_likelihood_ratios_are_their_definitions(data):
    y, s = data
    table = rw.thresholds(y, s)
    for k, threshold in enumerate(table.threshold.tolist()):
        tp, fp, fn, tn = counted(y, s, threshold)
        true_rate, false_rate = tp / (tp + fn), fp / (tn + fp)
        positive = true_rate / false_rate if fp else math.inf
        assert table.lr_positive[k] == pytest.approx(positive)
        masked = bool(np.ma.getmaskarray(table.lr_negative)[k])
        assert masked == (fn == 0 and tn == 0)
        if not masked:
            negative = (fn / (tp + fn)) / (tn / (tn + fp)) if tn else math.inf
            assert table.lr_negative[k] == pytest.approx(negative)


@settings(max_examples=15)  # scikit-learn takes a millisecond for each metric
@given(rows(few_values))
def test_metrics_are_those_of_scikit_learn(data):
    y, s = data
    table = rw.thresholds(y, s)
    for k, threshold in enumerate(table.threshold):
        called = np.asarray(s) >= threshold
        assert table.f1[k] == pytest.approx(f1_score(y, called, zero_division=0.0))
        assert table.mcc[k] == pytest.approx(matthews_corrcoef(y, called), abs=1e-12)
        assert table.balanced_accuracy[k] == pytest.approx(balanced_accuracy_score(y, called))


@given(weighted_rows(few_values, st.floats(1e-3, 1e3)))
def test_weighted_counts_are_sums_of_weights(data):
    y, s, w = (np.asarray(column) for column in data)
    table = rw.thresholds(y, s, sample_weight=w)
    total = w.sum()
    for k, threshold in enumerate(table.threshold):
        called = s >= threshold
        for counts, chosen in (
            (table.tp, (y == 1) & called),
            (table.fp, (y == 0) & called),
            (table.fn, (y == 1) & ~called),
            (table.tn, (y == 0) & ~called),
        ):
            assert counts[k] >= 0
            assert counts[k] == pytest.approx(w[chosen].sum(), abs=1e-12 * total)


@pytest.mark.parametrize(("scores", "dtype"), [(any_floats, np.float64), (any_float32, np.float32)])
@given(data=st.data(), direction=directions)
def test_printed_thresholds_recount(scores, dtype, data, direction):
    y, s = data.draw(rows(scores, max_size=12))
    typed = np.array(s, dtype)
    tally = rw.tally(y, typed, direction=direction)
    table = rw.thresholds(tally)
    for k in range(len(tally)):
        text = tally.threshold_text(k)
        assert table.threshold_text(k) == text
        exact = [float(v) for v in typed]  # as another program holds them, in double precision
        for cases, cut in ((exact, float(text)), (typed, dtype(float(text)))):
            tp, fp, _, _ = counted(y, cases, cut, direction)
            assert (tally.tp[k], tally.fp[k]) == (tp, fp)


@given(rows(big_integers, max_size=12), directions)
def test_printed_thresholds_of_large_integers_recount(data, direction):
    y, s = data
    tally = rw.tally([*y, 0], np.array([*s, 2**63 - 1], np.int64), direction=direction)
    for k in range(len(tally)):
        tp, fp, _, _ = counted([*y, 0], [*s, 2**63 - 1], int(tally.threshold_text(k)), direction)
        assert (tally.tp[k], tally.fp[k]) == (tp, fp)


@given(st.tuples(any_floats, any_floats) | close_floats)
@example((0.1234567, 0.1234568))
def test_scores_are_printed_in_the_fewest_digits_that_recount(pair):
    low, high = sorted(pair)
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return
    text = printing.rounded_between(low, high)
    assert low < float(text) <= high
    digits = significant_digits(text)
    if digits > 4:
        # with one digit fewer neither the nearest number nor the next lower one is in the gap
        unit = Decimal(1).scaleb(Decimal(high).adjusted() - digits + 2)
        for rounding in (ROUND_HALF_EVEN, ROUND_FLOOR):
            assert not low < float(Decimal(high).quantize(unit, rounding=rounding)) <= high
    elif float(text) != high:  # at least four, and no further from the score than the last one
        unit = Decimal(1).scaleb(Decimal(high).adjusted() - 3)
        assert abs(Decimal(text) - Decimal(high)) < unit


def significant_digits(text):
    return len(text.lower().partition("e")[0].replace("-", "").replace(".", "").strip("0")) or 1
