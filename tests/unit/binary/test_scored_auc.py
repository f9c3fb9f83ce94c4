"""sAUC and its curve, probabilistic AUC, soft AUC and Brier score."""

import numpy as np
import pytest
from scipy.special import expit

import rocwise as rw
from oracles.smooth_areas import margins_of
from rocwise.binary.scored_auc import scored_roc
from unit.binary.test_smooth_roc import VECTORS

RELATIVES = {  # sAUC, pAUC, soft AUC with beta 1, Brier
    "A": (0.3555555556, 0.6666666667, 0.5809982406, 0.1533333333),
    "B": (0.1875, 0.5375, 0.518362956, 0.28625),
    "C": (0.3333333333, 0.5833333333, 0.5385097631, 0.4),
    "Anna": (0.47, 0.735, 0.6139150294, 0.09675),
    "Jan": (0.5, 0.75, 0.6212430215, 0.1158333333),
}
FUNCTIONS = (rw.scored_auc, rw.probabilistic_auc, rw.soft_auc, rw.brier)


@pytest.mark.parametrize("name", RELATIVES)
def test_vectors(name):
    y, s = VECTORS[name]["y"], VECTORS[name]["s"]
    found = [function(y, s) for function in FUNCTIONS]
    assert found == pytest.approx(RELATIVES[name], abs=1e-9)


def test_the_scored_curve_counts_pairs_ahead_by_more_than_tau():
    rng = np.random.default_rng(6)
    y, s = np.r_[0, 1, rng.integers(0, 2, 60)], np.round(rng.random(62) * 64) / 64
    curve = scored_roc(y, s)
    positives, negatives = s[y == 1][:, None], s[y == 0]
    expected = [(positives - tau > negatives).mean() for tau in curve.tau]
    np.testing.assert_allclose(curve.share, expected, atol=1e-15)
    assert curve.auc == pytest.approx(np.maximum(margins_of(y, s), 0).mean())
    assert "sAUC" in repr(curve)
    assert "in order" not in repr(scored_roc(y, s, tau=[0.5]))


@pytest.mark.parametrize("function", [*FUNCTIONS, scored_roc])
def test_errors(function):
    with pytest.raises(rw.InputError, match=r"from 0 to 1.*1\.5 at row 2"):
        function([0, 1, 1], [0.1, 0.2, 1.5])
    with pytest.raises(rw.InputError, match="infinite"):
        function(rw.tally([0, 1, 1], [0.1, 0.2, np.inf]))


@pytest.mark.parametrize("beta", [0, -1, np.nan, "steep"])
def test_beta_is_checked(beta):
    with pytest.raises(rw.InputError, match="`beta`"):
        rw.soft_auc([0, 1], [0.1, 0.2], beta=beta)


@pytest.mark.parametrize("tau", [[], [0.2, 0.1], [-0.1]])
def test_tau_is_checked(tau):
    with pytest.raises(rw.InputError, match="`tau`"):
        scored_roc([0, 1], [0.1, 0.2], tau=tau)


def test_tied_pairs_are_not_called_an_area():
    """All tied: no pair is in order, although the AUC is 1/2."""
    assert repr(scored_roc([1, 0], [0.5, 0.5])).startswith(
        "scored ROC curve at 101 margins; 0.000 of the pairs in order, sAUC 0.000"
    )


@pytest.mark.parametrize("beta", [1e-6, 0.5, 3.3, 20.0, 77.7, 3000.0, 1e9])
def test_soft_auc_is_the_mean_over_all_pairs(beta):
    rng = np.random.default_rng(3)
    y, s = np.arange(3000) % 2, np.r_[0.0, 1.0, 0.5, rng.random(2997).round(3)]
    expected = expit(beta * (s[y == 1][:, None] - s[y == 0])).mean()
    assert rw.soft_auc(y, s, beta=beta) == pytest.approx(expected, abs=1e-13)
