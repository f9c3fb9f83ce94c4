"""For every value, weight 2 is the row twice, weight 0 no row, and only ratios of weights count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw

ERRORS = rw.Costs(fp=1, fn=3)
ABSTAINING = rw.Costs(fp=1, fn=1, abstain=0.2)


def places(curve):
    return curve.at(np.linspace(0, 1, 41))


VALUES = {
    "roc": lambda *d, **w: rw.roc(*d, **w).auc,
    "auc": lambda *d, **w: rw.auc(*d, **w, method="delong").value,
    "partial auc": lambda *d, **w: rw.auc(*d, **w, max_fpr=0.4).value,
    "precision_recall": lambda *d, **w: rw.precision_recall(*d, **w).average_precision,
    "det": lambda *d, **w: rw.det(*d, **w).fnr,
    "hull": lambda *d, **w: rw.hull(*d, **w).auc,
    "thresholds": lambda *d, **w: rw.thresholds(*d, **w, costs=ERRORS).expected_cost,
    "threshold": lambda *d, **w: rw.threshold(*d, **w, costs=ERRORS).expected_cost,
    "its threshold": lambda *d, **w: rw.threshold(*d, **w, costs=ERRORS).threshold,
    "youden": lambda *d, **w: rw.threshold(*d, **w, rule="youden").value,
    "cost_curve": lambda *d, **w: places(rw.cost_curve(*d, **w)),
    "h_measure": lambda *d, **w: rw.h_measure(*d, **w),
    "decision_curve": lambda *d, **w: rw.decision_curve(*d, **w).net_benefit,
    "abstain": lambda *d, **w: rw.abstain(*d, **w, costs=ABSTAINING).expected_cost,
    "its window": lambda *d, **w: rw.abstain(*d, **w, costs=ABSTAINING).lower,
    "abstain within a bound": lambda *d, **w: (
        rw.abstain(*d, **w, costs=rw.Costs(fp=1, fn=1), max_abstention=0.3).decided_cost
    ),
    "abstention_surface": lambda *d, **w: rw.abstention_surface(*d, **w, grid=5).volume,
}


@st.composite
def weighted_rows(draw):
    n = draw(st.integers(4, 14))
    scores = draw(st.lists(st.integers(0, 8), min_size=n, max_size=n))
    weights = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    labels = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    # both classes with weight, and no area below one half that would be warned of
    y, s, w = np.array([0, 1, *labels]), np.array([0, 8, *scores]) / 10, np.array([9, 9, *weights])
    return y, s, w


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@given(rows=weighted_rows())
def test_weights_are_copies(value, rows):
    y, s, w = rows
    again = np.repeat(np.arange(len(y)), w)
    copied = np.asarray(value(y[again], s[again]), dtype=float)
    weighted = np.asarray(value(y, s, sample_weight=w), dtype=float)
    np.testing.assert_allclose(weighted, copied, rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@pytest.mark.parametrize("value", [v for k, v in VALUES.items() if k not in ("its window",)])
@given(rows=weighted_rows(), scale=st.sampled_from([0.1, 1 / 3, 7.0]))
def test_only_ratios_of_weights_count(value, rows, scale):
    y, s, w = rows
    once, scaled = (
        np.asarray(value(y, s, sample_weight=weights), dtype=float) for weights in (w, scale * w)
    )
    np.testing.assert_allclose(scaled, once, rtol=1e-9, atol=1e-12)
