"""Laws of the smooth ROC curve and of the areas that look at margins."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocwise as rw
from oracles.scored_rows import rows
from oracles.smooth_areas import curve_by_rows, margins_of, smooth_area
from rocwise.binary.scored_auc import scored_roc

coarse = st.integers(0, 8).map(lambda k: k / 8)
unit = st.one_of(coarse, st.floats(0, 1))
midpoints = st.one_of(coarse, st.floats(0.01, 1.0))


def smoothed(y, s, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.MidOutOfRangeWarning)
        return rw.smooth_roc(y, s, **options)


@given(rows(unit), midpoints)
def test_the_curve_its_trapezoids_and_all_pairs_agree(data, mid):
    y, s = data
    assume(any(0 < v < 1 for v in s))
    curve = smoothed(y, s, midpoint=mid)
    np.testing.assert_allclose(np.c_[curve.x, curve.y], curve_by_rows(y, s, mid), atol=1e-9)
    assert (curve.x[0], curve.y[0]) == (0, 0)
    assert (curve.x[-1], curve.y[-1]) == (1, 1)
    assert np.all(np.diff(curve.x) >= 0)
    assert np.all(np.diff(curve.y) >= 0)
    assert curve.auc == pytest.approx(np.trapezoid(curve.y, curve.x), abs=1e-12)
    assert curve.auc == pytest.approx(smooth_area(y, s, mid), abs=1e-9)
    assert curve.alpha_v + curve.alpha_h == pytest.approx(len(y))


@given(rows(st.sampled_from([0.0, 1.0])))
def test_hard_decisions_give_the_auc(data):
    y, s = data
    assume(0 < sum(s) <= 2 * sum(y))
    gaps = margins_of(y, s)
    area = ((gaps > 0) + 0.5 * (gaps == 0)).mean()
    assert smoothed(y, s).auc == pytest.approx(area, abs=1e-12)


@given(rows(st.just(0.3)))
def test_constant_scores_give_one_half(data):
    assert smoothed(*data).auc == pytest.approx(0.5, abs=1e-12)


# multiples of 2**-30 lose no digit in 1 - score, so that ties stay ties; the midpoints lie between
dyadic = st.one_of(coarse, st.integers(0, 2**30).map(lambda k: k * 2.0**-30))
between_dyadic = st.integers(0, 2**30 - 1).map(lambda k: (2 * k + 1) * 2.0**-31)


@given(rows(dyadic), between_dyadic)
def test_exchanging_the_classes_changes_nothing(data, mid):
    y, s = np.array(data[0]), np.array(data[1])
    assume(any(0 < v < 1 for v in s))
    other = 1 - s
    ours = smoothed(y, s, midpoint=mid).auc
    assert smoothed(1 - y, other, midpoint=1 - mid).auc == pytest.approx(ours, abs=1e-9)


@given(rows(unit), st.randoms())
def test_the_order_of_rows_never_decides(data, random):
    y, s = data
    assume(any(0 < v < 1 for v in s))
    order = list(range(len(y)))
    random.shuffle(order)
    first = smoothed(y, s)
    second = smoothed([y[i] for i in order], [s[i] for i in order])
    assert (first.auc, first.midpoint) == (second.auc, second.midpoint)
    assert first.midpoint == pytest.approx(math.fsum(s) / (2 * sum(y)), rel=1e-15)


@given(rows(unit), st.floats(0.01, 50))
def test_relatives_are_means_over_pairs(data, beta):
    y, s = data
    gaps = margins_of(y, s)
    assert rw.scored_auc(y, s) == pytest.approx(np.maximum(gaps, 0).mean(), abs=1e-12)
    reversed_area = np.maximum(-gaps, 0).mean()
    probabilistic = (1 + rw.scored_auc(y, s) - reversed_area) / 2
    assert rw.probabilistic_auc(y, s) == pytest.approx(probabilistic, abs=1e-12)
    soft = (1 / (1 + np.exp(-beta * gaps))).mean()
    assert rw.soft_auc(y, s, beta=beta) == pytest.approx(soft, abs=1e-12)


@given(rows(coarse))
def test_the_area_under_the_scored_curve_is_the_scored_area(data):
    """R is a staircase that falls at every positive margin, so its area is a finite sum.

    Eighths are subtracted without rounding, so that no pair falls off its step.
    """
    y, s = data
    jumps = np.unique(np.r_[0.0, np.maximum(margins_of(y, s), 0).ravel()])
    curve = scored_roc(y, s, tau=jumps)
    steps = np.diff(jumps) @ curve.share[:-1] if len(jumps) > 1 else 0.0
    assert curve.auc == pytest.approx(steps, abs=1e-12)
    assert np.all(np.diff(curve.share) <= 0)
