"""Laws of predicted ROC curves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocwise as rw

means = st.floats(-20, 20)
sds = st.floats(0.05, 20)
normals = st.tuples(means, sds)


@given(normals, normals)
def test_no_threshold_does_better(negative, positive):
    found = rw.predict_roc(negative, positive)
    spread = max(negative[1], positive[1])
    ends = min(negative[0], positive[0]) - 6 * spread, max(negative[0], positive[0]) + 6 * spread
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
