"""Laws of predicted ROC curves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtr

import rocwise as rw
from rocwise.binary.densities import KernelSums
from rocwise.binary.scored_auc import logistic_sum

means = st.floats(-20, 20)
sds = st.floats(0.05, 20)
normals = st.tuples(means, sds)


@given(normals, normals)
def test_no_threshold_does_better(negative, positive):
    found = rw.predict_roc(negative, positive)
    widest = max(negative[1], positive[1])
    ends = min(negative[0], positive[0]) - 6 * widest, max(negative[0], positive[0]) + 6 * widest
    t = np.linspace(*ends, 2001)
    others = (stats.norm.cdf(t, *negative) + stats.norm.sf(t, *positive)) / 2
    assert found.max_ameans >= max(0.5, others.max() - 1e-12)


@given(normals, normals)
def test_the_curve_runs_from_corner_to_corner(negative, positive):
    curve = rw.predict_roc(negative, positive)
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    assert np.all(np.diff(curve.fpr) >= 0)
    assert np.all(np.diff(curve.tpr) >= 0)
    exact = stats.norm.cdf((positive[0] - negative[0]) / np.hypot(negative[1], positive[1]))
    assert curve.auc == pytest.approx(exact, abs=1e-12)


@given(normals, normals, st.floats(0.1, 10), st.floats(-5, 5))
def test_units_do_not_matter(negative, positive, scale, shift):
    moved = [(scale * m + shift, scale * s) for m, s in (negative, positive)]
    first, second = rw.predict_roc(negative, positive), rw.predict_roc(*moved)
    assert second.auc == pytest.approx(first.auc, abs=1e-9)
    assert second.max_ameans == pytest.approx(first.max_ameans, abs=1e-9)


@given(normals, normals)
def test_exchanging_the_classes_mirrors_the_area(negative, positive):
    forth, back = rw.predict_roc(negative, positive), rw.predict_roc(positive, negative)
    assert forth.auc + back.auc == pytest.approx(1, abs=1e-12)
    lower = rw.predict_roc(positive, negative, direction="lower")
    assert lower.auc == pytest.approx(forth.auc, abs=1e-12)
    assert lower.max_ameans == pytest.approx(forth.max_ameans, abs=1e-12)


@given(
    st.lists(st.floats(-50, 50), min_size=1, max_size=30),
    st.floats(0.01, 20),
    st.lists(st.floats(-300, 300), min_size=1, max_size=9),
)
def test_sums_by_cells_are_sums_over_centres(centres, width, places):
    centres, t = np.sort(centres), np.array(places)
    z = (t[:, None] - centres) / width
    sums = KernelSums(centres, width)
    np.testing.assert_allclose(sums.below(t), ndtr(z).sum(axis=1), rtol=1e-11, atol=1e-250)
    density = stats.norm.pdf(z).sum(axis=1)
    np.testing.assert_allclose(sums.density(t), density, rtol=1e-11, atol=1e-250)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=12), st.floats(1e-3, 1e6))
def test_two_logistic_steps_make_one(scores, beta):
    """The step of x - y and that of y - x sum to 1 for every pair."""
    half = len(scores) // 2
    upper, lower = np.sort(scores[:half]), np.sort(scores[half:])
    ones = np.ones(len(upper)), np.ones(len(lower))
    there = logistic_sum(upper, ones[0], lower, ones[1], beta)
    back = logistic_sum(lower, ones[1], upper, ones[0], beta)
    assert there + back == pytest.approx(len(upper) * len(lower), rel=1e-12)
