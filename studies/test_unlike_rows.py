"""Tests of the study of weighted and clustered rows: its truths, and its counts."""

import numpy as np
import pytest

import rocwise as rw

from . import unlike_decisions as decisions
from . import unlike_rows


def test_the_truths_are_those_of_many_rows():
    rng = np.random.default_rng(1)
    many = unlike_rows.clustered(rng, 40_000, 2)
    area = rw.roc(many["y"], many["s"]).auc
    assert area == pytest.approx(unlike_rows.area_of_clusters(), abs=0.01)
    rows = unlike_rows.weighted(rng, 200_000)
    area = rw.roc(rows["y"], rows["s"], sample_weight=rows["weights"]).auc
    assert area == pytest.approx(unlike_rows.area_of_weights(), abs=0.005)


@pytest.mark.parametrize("kind", ["clusters", "weights"])
def test_decisions_have_the_truths_of_many_rows(kind):
    rng = np.random.default_rng(2)
    if kind == "clusters":
        rows, densities = unlike_rows.clustered(rng, 60_000, 2), decisions.densities_of_clusters()
    else:
        rows, densities = unlike_rows.weighted(rng, 150_000), decisions.densities_of_weights()
    truth, given = decisions.truth_of(densities), decisions.described(rows)
    tally = rw.tally(rows["y"], rows["s"], **given)
    window = rw.abstain(tally, costs=decisions.COSTS, prevalence=0.5)
    assert window.expected_cost == pytest.approx(truth["expected_cost"], abs=0.003)
    assert (window.lower, window.upper) == pytest.approx((truth["lower"], truth["upper"]), abs=0.2)
    fpr, tpr = decisions.curve_of(densities)
    curve = rw.roc(tally)
    apart = np.abs(np.interp(fpr, curve.fpr, curve.tpr) - tpr)
    assert apart[fpr >= 0.01].max() < 0.01  # below, few negatives stand behind the rate
