"""Bands of cost and decision curves."""

import numpy as np
import pytest

import rocwise as rw
from unit.binary.test_decision_curves import risks


def test_the_band_of_a_cost_curve():
    y, s = risks(1)
    band = rw.cost_curve(y, s).band(grid=11, n_resamples=300, rng=1)
    np.testing.assert_allclose(band.cost, rw.cost_curve(y, s).at(band.probability_cost), atol=1e-12)
    assert np.all(band.lower <= band.upper)
    assert np.all((band.lower[3:8] < band.cost[3:8] + 0.02) & (band.upper[3:8] > band.cost[3:8]))
    again = rw.cost_curve(y, s).band(grid=11, n_resamples=300, rng=1)
    assert np.array_equal(band.lower, again.lower)


def test_limits_are_those_of_resampled_rows():
    y, s = risks(2)
    t = [0.2, 0.4]
    band = rw.decision_curve(y, s, thresholds=t).band(n_resamples=2000, rng=3)
    rng = np.random.default_rng(0)
    pos, neg = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    drawn = []
    for _ in range(1000):
        rows = np.r_[rng.choice(pos, len(pos)), rng.choice(neg, len(neg))]
        chosen, hits = s[rows], y[rows]
        drawn.append(
            [
                (
                    ((chosen >= c) & (hits == 1)).sum()
                    - ((chosen >= c) & (hits == 0)).sum() * c / (1 - c)
                )
                / len(y)
                for c in t
            ]
        )
    sd = np.std(drawn, axis=0)
    for limit, tail in ((band.lower, 0.025), (band.upper, 0.975)):
        assert np.all(np.abs(limit - np.quantile(drawn, tail, axis=0)) < 0.4 * sd)
    expected = rw.decision_curve(y, s, thresholds=t).net_benefit
    np.testing.assert_allclose(band.net_benefit, expected, atol=1e-12)
    assert band.thresholds.tolist() == t
    assert "net benefit at 2 values" in repr(band)


def test_the_grid_is_checked():
    with pytest.raises(rw.InputError, match="`grid`"):
        rw.cost_curve([0, 1], [0.1, 0.2]).band(grid=1)


def test_a_band_has_the_thresholds_and_the_prevalence_of_its_curve():
    y, s = risks(5)
    curve = rw.decision_curve(y, s, thresholds=[0.1, 0.2], prevalence=0.05)
    band = curve.band(n_resamples=20, rng=1)
    np.testing.assert_array_equal(band.net_benefit, curve.net_benefit)
    np.testing.assert_array_equal(band.value, band.net_benefit)
    np.testing.assert_array_equal(band.x, curve.thresholds)
    assert list(band.to_frame()) == ["thresholds", "net_benefit", "lower", "upper"]


@pytest.mark.parametrize(
    ("options", "words"), [({"level": 1}, "`level`"), ({"n_resamples": 1}, "`n_resamples`")]
)
def test_errors(options, words):
    for curve in (rw.cost_curve([0, 1], [0.1, 0.2]), rw.decision_curve([0, 1], [0.1, 0.2])):
        with pytest.raises(rw.InputError, match=words):
            curve.band(**options)
