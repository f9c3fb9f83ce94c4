"""Bands of very many scores: rows are drawn by blocks, which changes no distribution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.binary import bands as confidence_bands
from rocwise.binary.bands import (
    SAME,
    BandBootstrap,
    _distinct,
    _held,
    gaps_drawn,
    line_slope,
    order_statistic,
    pair_gaps_drawn,
    without_straight_runs,
)


@pytest.fixture
def data():
    rng = np.random.default_rng(2)
    y = (rng.random(4000) < 0.3).astype(int)
    return rw.tally(y, rng.normal(size=4000) + y)


@pytest.mark.parametrize("kind", ["simultaneous", "fixed-width", "future", "pointwise"])
def test_bands_by_blocks_are_those_of_all_rows_but_for_chance(data, kind, monkeypatch):
    exact = rw.band(data, kind=kind, n_resamples=1500, rng=1, exact=True)
    assert np.array_equal(exact.lower, rw.band(data, kind=kind, n_resamples=1500, rng=1).lower)
    monkeypatch.setattr(confidence_bands, "MOST_SCORES", 1000)
    quick = rw.band(data, kind=kind, n_resamples=1500, rng=1)
    assert not np.array_equal(exact.lower, quick.lower)
    assert quick.area == pytest.approx(exact.area, rel=0.06)
    at = np.linspace(0.02, 0.98, 30)
    for one, other in zip(exact.at(at), quick.at(at), strict=True):
        np.testing.assert_allclose(one, other, atol=0.012)
    again = rw.band(data, kind=kind, n_resamples=1500, rng=1, exact=True)
    assert np.array_equal(again.lower, exact.lower)


@given(
    values=st.lists(st.integers(0, 30), min_size=1, max_size=300),
    level=st.floats(0.05, 0.99),
    floor=st.integers(0, 30),
)
def test_the_width_is_that_of_all_gaps_though_few_are_sought(values, level, floor):
    gaps = np.array(values, float)
    expected = order_statistic(gaps, level)
    floors = []

    def draw(first, last, at_least):
        floors.append(at_least)
        return np.maximum(gaps[first:last], at_least)

    tally = rw.tally([0, 1], [0.0, 1.0])
    bootstrap = BandBootstrap(level, "sd", False, len(gaps), 1)
    assert _held(draw, tally, bootstrap, "gaps", min(float(floor), expected)) == expected
    assert floors == sorted(floors)


@pytest.mark.parametrize("by_blocks", [False, True])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_a_band_is_as_wide_as_all_resamples_say(data, level, by_blocks):
    bootstrap = BandBootstrap(level, "sd", False, 300, 7, by_blocks)
    draw = gaps_drawn(data, 7, 1.0, **bootstrap.how)
    assert _held(draw, data, bootstrap, "gaps") == order_statistic(draw(0, 300, 0.0), level)


def test_a_future_band_is_as_wide_as_all_pairs_say(data, monkeypatch):
    monkeypatch.setattr(confidence_bands, "MOST_SCORES", 1000)
    found = rw.band(data, kind="future", n_resamples=200, rng=7)
    short = without_straight_runs(data)
    slope = line_slope(short, "sd")
    draw = pair_gaps_drawn(short, 7, slope, stratified=False, by_blocks=True)
    assert found.dx == order_statistic(draw(0, 200, 0.0), 0.95)


def test_the_curve_without_straight_runs_is_the_same_curve(data):
    short = without_straight_runs(data)
    assert len(short) < 0.6 * len(data)
    assert (short.n_pos, short.n_neg) == (data.n_pos, data.n_neg)
    assert rw.auc(short).value == rw.auc(data).value
    whole, thin = rw.roc(data), rw.roc(short)
    np.testing.assert_allclose(
        rw.band(data, kind="joint-regions").at(thin.fpr),
        rw.band(short, kind="joint-regions").at(thin.fpr),
        atol=1e-12,
    )
    assert set(thin.fpr) <= set(whole.fpr)


def test_places_are_apart_from_the_one_kept_before():
    rng = np.random.default_rng(3)
    x = np.sort(rng.random(50))
    x = np.sort(np.concatenate([x + k * SAME / 3 for k in range(9)]))
    kept = [x[0]]
    for each in x[1:]:
        if each - kept[-1] > SAME:
            kept.append(each)
    assert _distinct(x).tolist() == kept
