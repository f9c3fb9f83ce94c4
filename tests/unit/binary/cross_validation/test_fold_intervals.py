"""Intervals for the mean of folds."""

import math

import numpy as np
import pytest
from scipy import stats

import rocwise as rw
import rocwise.plotting.plots.intervals
from rocwise.inference.intervals import cv_interval

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
    spread = np.std(TEN_FOLDS, ddof=1) * math.sqrt(1 / 10 + 0.25 / 0.75)
    assert interval.high - interval.mean == pytest.approx(stats.t.ppf(0.975, 9) * spread, abs=1e-12)
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
def test_refused_folds(values, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        cv_interval(values, **options)


def test_equal_folds_give_no_width_and_a_warning():
    with pytest.warns(rw.errors.MisuseWarning, match="all folds have the value 0.8"):
        interval = cv_interval([0.8, 0.8, 0.8])
    assert interval.low == pytest.approx(interval.high, abs=1e-12)
