"""Net reclassification and integrated discrimination improvement."""

import math

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary import reclassification

RNG = np.random.default_rng(6)
Y = (RNG.random(200) < 0.3).astype(int)
OLD = RNG.beta(2, 4, 200)
NEW = np.clip(OLD + 0.1 * Y - 0.05 + RNG.normal(0, 0.05, 200), 0.01, 0.99)


def test_categories_by_counting():
    found = reclassification(Y, {"old": OLD, "new": NEW}, cuts=[0.2, 0.4])
    before, after = (np.digitize(p, [0.2, 0.4]) for p in (OLD, NEW))
    up, down = (after > before), (after < before)
    pos, neg = Y == 1, Y == 0
    assert found.nri_positives == pytest.approx(up[pos].mean() - down[pos].mean())
    assert found.nri_negatives == pytest.approx(down[neg].mean() - up[neg].mean())
    assert found.nri == found.nri_positives + found.nri_negatives
    variance = sum(
        (u + d - (u - d) ** 2) / n
        for u, d, n in ((up[c].mean(), down[c].mean(), c.sum()) for c in (pos, neg))
    )
    assert found.nri_error == pytest.approx(math.sqrt(variance))


def test_discrimination_is_the_difference_of_slopes():
    found = reclassification(Y, {"old": OLD, "new": NEW})
    slopes = [2 * rw.probabilistic_auc(Y, p) - 1 for p in (OLD, NEW)]
    assert found.idi == pytest.approx(slopes[1] - slopes[0])
    assert found.nri == pytest.approx(
        np.sign(NEW - OLD)[Y == 1].mean() - np.sign(NEW - OLD)[Y == 0].mean()
    )
    assert found.cuts == ()
    assert "net benefit" in repr(found)


def test_what_is_wrong_with_them():
    """Pushing calibrated risks to the extremes improves both, without any benefit."""
    y = (RNG.random(4000) < (p := RNG.beta(2, 4, 4000))).astype(int)
    extreme = 1 / (1 + np.exp(-3 * np.log(p / (1 - p)) - 2))
    found = reclassification(y, {"old": p, "extreme": extreme})
    assert found.idi > 0.05
    assert rw.brier(y, extreme) > rw.brier(y, p)


def test_turned_scores_and_errors():
    turned = reclassification(Y, {"old": 1 - OLD, "new": 1 - NEW}, direction="lower")
    assert turned.idi == pytest.approx(reclassification(Y, {"old": OLD, "new": NEW}).idi)
    with pytest.raises(rw.InputError, match="compares two models; got 1"):
        reclassification(Y, {"old": OLD})
    with pytest.raises(rw.InputError, match="needs scores from 0 to 1"):
        reclassification(Y, {"old": OLD, "new": 2 * NEW})
    with pytest.raises(rw.InputError, match="`cuts` must lie strictly between 0 and 1"):
        reclassification(Y, {"old": OLD, "new": NEW}, cuts=[0.2, 1.4])


def test_clusters_vary_together():
    """Rows that were entered twice add no information when their copies form a cluster."""
    models = {"old": OLD, "new": NEW}
    n = len(Y)
    once = reclassification(Y, models, groups=np.arange(n))
    plain = reclassification(Y, models)
    assert once.idi_error == pytest.approx(plain.idi_error * math.sqrt(n / (n - 1)))
    both = {name: np.tile(p, 2) for name, p in models.items()}
    twice = reclassification(np.tile(Y, 2), both, groups=np.tile(np.arange(n), 2))
    assert (twice.nri_error, twice.idi_error) == pytest.approx((once.nri_error, once.idi_error))
    with pytest.raises(rw.InputError, match="one cluster"):
        reclassification(Y, models, groups=np.zeros(n))
