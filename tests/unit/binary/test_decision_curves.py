"""Decision curves."""

import numpy as np
import pytest

import rocwise as rw


def risks(seed=0, n=200):
    rng = np.random.default_rng(seed)
    s = np.round(rng.beta(1.5, 3, n), 2)
    y = (rng.random(n) < s).astype(int)
    return y, s


def test_net_benefit_from_counts():
    y, s = risks()
    curve = rw.decision_curve(y, s)
    for t, benefit, everybody in zip(
        curve.thresholds, curve.net_benefit, curve.treat_all, strict=True
    ):
        tp = np.sum((s >= t) & (y == 1))
        fp = np.sum((s >= t) & (y == 0))
        assert benefit == pytest.approx((tp - fp * t / (1 - t)) / len(y), abs=1e-12)
        assert everybody == pytest.approx((sum(y) - sum(1 - y) * t / (1 - t)) / len(y), abs=1e-12)
    assert curve.useful().any()
    assert "beats treating all and none" in repr(curve)


def test_another_prevalence():
    y, s = risks()
    curve = rw.decision_curve(y, s, thresholds=[0.1, 0.3], prevalence=0.05)
    for t, benefit in zip(curve.thresholds, curve.net_benefit, strict=True):
        tpr, fpr = (s[y == 1] >= t).mean(), (s[y == 0] >= t).mean()
        assert benefit == pytest.approx(0.05 * tpr - 0.95 * fpr * t / (1 - t), abs=1e-12)


def test_a_model_that_never_helps():
    curve = rw.decision_curve([0, 1], [0.5, 0.5], thresholds=[0.2, 0.5])
    assert not curve.useful().any()
    assert "never beats" in repr(curve)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"thresholds": [0.5, 0.2]}, "rising"),
        ({"thresholds": [0.5, 1.0]}, "below 1"),
        ({"thresholds": []}, "at least one"),
        ({"thresholds": [-0.1]}, "`thresholds` must contain rates from 0 to 1"),
        ({"prevalence": 1.0}, "`prevalence`"),
    ],
)
def test_errors(options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.decision_curve([0, 1], [0.2, 0.4], **options)


def test_scores_must_be_risks():
    with pytest.raises(rw.InputError, match=r"from 0 to 1.*at row 1"):
        rw.decision_curve([0, 1], [0.2, 4])
