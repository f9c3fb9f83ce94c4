"""An interval that holds the area with at least its level, whatever the scores."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq
from scipy.special import rel_entr
from scipy.stats import beta, binom

import rocwise as rw
import rocwise.plotting.plots.intervals
from oracles.brute_force import kernel
from rocwise.binary.auc import METHODS
from rocwise.inference.intervals import cv_interval, hoeffding_interval

LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])


@pytest.mark.parametrize("smaller", [1, 2, 3, 10, 500])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_separated_classes_have_the_limit_of_clopper_and_pearson(smaller, level):
    low, high = hoeffding_interval(1.0, smaller, level)
    assert high == 1.0
    assert low == pytest.approx(beta.ppf((1 - level) / 2, smaller, 1), rel=1e-12)


@given(A=st.floats(0.2, 0.8), smaller=st.integers(1, 1000), level=LEVELS)
def test_limits_are_where_the_divergence_reaches_its_bound(A, smaller, level):
    def excess(T):
        return smaller * (rel_entr(A, T) + rel_entr(1 - A, 1 - T)) - math.log(2 / (1 - level))

    low, high = hoeffding_interval(A, smaller, level)
    assert low == pytest.approx(brentq(excess, 1e-300, A, xtol=1e-15), rel=1e-9)
    assert 1 - high == pytest.approx(1 - brentq(excess, A, 1 - 1e-16, xtol=1e-16), abs=1e-9)


@given(A=st.floats(0, 1), smaller=st.integers(1, 50), level=LEVELS)
def test_exchanged_classes_exchange_the_limits(A, smaller, level):
    low, high = hoeffding_interval(A, smaller, level)
    assert low <= A <= high
    other = tuple(hoeffding_interval(1 - A, smaller, level))
    assert (1 - other[1], 1 - other[0]) == pytest.approx((low, high), abs=1e-9)


@given(p=st.floats(0.001, 0.999), smaller=st.integers(1, 40), level=LEVELS)
def test_coverage_where_all_negatives_score_the_same(p, smaller, level):
    """Then the area is a proportion of successes, with the largest possible variance."""
    hits = np.arange(smaller + 1)
    limits = np.array([tuple(hoeffding_interval(k / smaller, smaller, level)) for k in hits])
    covered = (limits[:, 0] <= p) & (p <= limits[:, 1])
    assert binom.pmf(hits, smaller, p)[covered].sum() >= level - 1e-12


MASSES = st.lists(st.floats(0, 1), min_size=3, max_size=3).filter(lambda m: sum(m) > 0.1)


@settings(max_examples=50)
@given(neg=MASSES, pos=MASSES, sizes=st.sampled_from([(1, 1), (1, 3), (2, 2), (3, 2)]))
def test_coverage_over_every_sample_of_a_population(neg, pos, sizes):
    """All samples of scores 0, 1, 2 with their probabilities: ties included."""
    level = 0.8
    neg, pos = (np.array(masses) / sum(masses) for masses in (neg, pos))
    truth = float(neg @ (np.tril(np.ones((3, 3)), -1).T + np.eye(3) / 2) @ pos)
    covered = 0.0
    for scores in itertools.product(range(3), repeat=sum(sizes)):
        x, y = np.array(scores[: sizes[0]]), np.array(scores[sizes[0] :])
        low, high = hoeffding_interval(float(kernel(x, y).mean()), min(sizes), level)
        if low - 1e-12 <= truth <= high + 1e-12:
            covered += float(np.prod(neg[x]) * np.prod(pos[y]))
    assert covered >= level - 1e-9


@pytest.mark.parametrize("method", [one for one in METHODS if one != "score"])
@pytest.mark.parametrize("labels", [[0, 0, 1, 0, 0], [1, 1, 0, 1, 1]])
def test_a_class_of_one_has_this_interval(method, labels):
    scores = [1, 2, 2.5, 3, 4]
    result = rw.auc(labels, scores, method=method, rng=1)
    assert result.interval.method == "Hoeffding bound"
    assert (result.standard_error is None) == (method != "hanley-mcneil")
    assert tuple(result.interval)[:2] == tuple(hoeffding_interval(result.value, 1, 0.95))


def test_a_class_of_one_with_weights_and_of_a_part():
    weighted = rw.auc([0, 0, 1], [1, 3, 2], sample_weight=[2, 1, 5]).interval
    assert (weighted.low, weighted.high) == pytest.approx(tuple(hoeffding_interval(2 / 3, 1, 0.95)))
    part = rw.auc([0, 0, 1], [1, 2, 3], max_fpr=0.2).interval
    assert (part.low, part.high) == pytest.approx((0.2 * 0.025, 0.2))


def test_it_can_be_requested():
    result = rw.auc([0, 0, 0, 1, 1], [1, 2, 4, 3, 5], method="hoeffding")
    assert tuple(result.interval)[:2] == tuple(hoeffding_interval(5 / 6, 2, 0.95))
    assert result.standard_error == rw.auc([0, 0, 0, 1, 1], [1, 2, 4, 3, 5]).standard_error
    with pytest.raises(ValueError, match="full AUC only"):
        rw.auc([0, 1, 1], [1, 2, 3], method="hoeffding", max_fpr=0.5)
    with pytest.raises(ValueError, match="weights are not supported"):
        rw.auc([0, 0, 1, 1], [1, 2, 3, 4], method="hoeffding", sample_weight=[1, 1, 1, 2])


TEN_FOLDS = [0.81, 0.79, 0.84, 0.88, 0.80, 0.77, 0.83, 0.86, 0.82, 0.85]


@pytest.mark.parametrize(
    ("values", "corrected", "expected"),
    [
        (TEN_FOLDS, False, (0.825, 0.8008585444, 0.8491414556)),
        (TEN_FOLDS, True, (0.825, 0.7899232782, 0.8600767218)),
        ([0.9, 0.7, 0.8], False, (0.8, 0.5515862288, 1.048413771)),
    ],
)
def test_intervals_of_the_specification(values, corrected, expected):
    interval = cv_interval(values, corrected=corrected)
    assert (interval.mean, *interval) == pytest.approx(expected, abs=1e-9)


def test_interval_is_the_one_of_scipy():
    found = cv_interval(TEN_FOLDS, level=0.8)
    expected = stats.ttest_1samp(TEN_FOLDS, 0).confidence_interval(0.8)
    assert tuple(found) == pytest.approx(tuple(expected), abs=1e-12)


def test_test_fraction_is_turned_into_tested_over_trained():
    interval = cv_interval(TEN_FOLDS, corrected=True, test_fraction=0.25)
    error = np.std(TEN_FOLDS, ddof=1) * math.sqrt(1 / 10 + 0.25 / 0.75)
    assert interval.high - interval.mean == pytest.approx(stats.t.ppf(0.975, 9) * error, abs=1e-12)
    by_default = cv_interval(TEN_FOLDS, corrected=True, test_fraction=0.1)
    assert tuple(by_default) == tuple(cv_interval(TEN_FOLDS, corrected=True))


def test_repeats_are_corrected_for_the_folds_of_one_repeat():
    table = np.array(TEN_FOLDS).reshape(2, 5)
    expected = cv_interval(TEN_FOLDS, corrected=True, test_fraction=1 / 5)
    assert tuple(cv_interval(table, corrected=True)) == tuple(expected)
    with pytest.warns(rw.errors.MisuseWarning, match="the 2 repeats .* corrected=True"):
        plain = cv_interval(table)
    assert tuple(plain) == tuple(cv_interval(TEN_FOLDS))


@pytest.mark.parametrize(
    ("values", "options", "sentence"),
    [
        ([0.8], {}, "at least two folds; got 1"),
        ([], {}, "at least two folds; got 0"),
        ([[0.8], [0.9]], {}, "at least two folds; got 1"),
        ([0.8, math.nan, 0.7], {}, "is nan in fold 1 .* stratified"),
        ([[0.8, 0.7], [0.9, math.inf]], {}, "is inf in fold 1 of repeat 1"),
        (["high", "low"], {}, "must be numbers"),
        (np.zeros((2, 2, 2)), {}, "shape \\(2, 2, 2\\)"),
        (TEN_FOLDS, {"level": 1}, "`level` must lie strictly between 0 and 1"),
        (TEN_FOLDS, {"test_fraction": 0.1}, "`test_fraction` is used with corrected=True only"),
        (TEN_FOLDS, {"test_fraction": 1, "corrected": True}, "`test_fraction` must lie strictly"),
    ],
)
def test_invalid_folds(values, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        cv_interval(values, **options)


def test_equal_folds_give_no_width_and_a_warning():
    with pytest.warns(rw.errors.MisuseWarning, match="all folds have the value 0.8"):
        interval = cv_interval([0.8, 0.8, 0.8])
    assert interval.low == pytest.approx(interval.high, abs=1e-12)
