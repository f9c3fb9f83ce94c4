"""Limits of rows with weights or in clusters: sums of many rows against single resamples."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.calibration import row_sums, unlike_rows
from rocwise.binary.calibration.expanded_fits import ExpandedFit
from rocwise.binary.calibration.recalibration import recalibrated

N = 20_000
RNG = np.random.default_rng(12)
LOGITS = RNG.normal(-0.5, 1.2, N)
P = 1 / (1 + np.exp(-LOGITS))
Y = (RNG.random(N) < 1 / (1 + np.exp(0.3 - 0.8 * LOGITS))).astype(int)
W = RNG.exponential(size=N)
CLUSTERS = RNG.integers(0, 3000, N)
DATA = {
    "weights": {"sample_weight": W},
    "clusters": {"groups": CLUSTERS},
    "weights in clusters": {"sample_weight": W, "groups": CLUSTERS},
    "few clusters": {"groups": CLUSTERS % 12},
}
OPTIONS = {"n_resamples": 45, "rng": 5}
INTERVALS = ("slope_interval", "intercept_interval", "in_the_large_interval")


def one_by_one(monkeypatch, *data, **options):
    """The same question, each resample fitted by itself."""
    with monkeypatch.context() as patch:
        patch.setattr(unlike_rows, "MANY_ROWS", 10**9)
        return rw.calibration(*data, **options)


def assert_alike(found, expected):
    for name in ("predicted", "observed", "count", "low", "high"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-12)
    for name in INTERVALS:
        one, other = getattr(found, name), getattr(expected, name)
        assert tuple(one) == pytest.approx(tuple(other), abs=1e-5 * (other.high - other.low))
        assert one.method == other.method


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
@pytest.mark.parametrize("rows", DATA)
def test_sums_over_rows_give_what_single_resamples_do(rows, strategy, monkeypatch):
    options = {**OPTIONS, **DATA[rows], "strategy": strategy}
    expected = one_by_one(monkeypatch, Y, P, **options)
    assert_alike(rw.calibration(Y, P, **options), expected)


def test_ties_within_and_between_the_classes(monkeypatch):
    options = {**OPTIONS, **DATA["weights"]}
    for scores in (P.round(2).clip(0.01, 0.99), np.where(P > 0.5, 0.7, 0.2)):
        expected = one_by_one(monkeypatch, Y, scores, **options)
        assert_alike(rw.calibration(Y, scores, **options), expected)


def test_one_score_or_scores_of_0_have_shares_but_no_slope(monkeypatch):
    options = {**OPTIONS, **DATA["weights"]}
    for scores in (np.full(N, 0.3), np.where(P < 0.1, 0.0, P)):
        found = rw.calibration(Y, scores, **options)
        expected = one_by_one(monkeypatch, Y, scores, **options)
        assert found.slope is None is found.slope_interval
        np.testing.assert_allclose(found.low, expected.low, rtol=1e-12)
        np.testing.assert_allclose(found.high, expected.high, rtol=1e-12)


@pytest.mark.parametrize("unit", [1e-130, 1e-9, 1e9, 1e130])
def test_the_unit_of_the_weights_does_not_matter(unit):
    found = rw.calibration(Y, P, sample_weight=W, **OPTIONS)
    other = rw.calibration(Y, P, sample_weight=unit * W, **OPTIONS)
    np.testing.assert_allclose(other.low, found.low, rtol=1e-9)
    for name in INTERVALS:
        assert tuple(getattr(other, name)) == pytest.approx(tuple(getattr(found, name)), rel=1e-6)


def test_neither_threads_nor_what_is_drawn_at_once_matter(monkeypatch):
    options = {**OPTIONS, **DATA["weights"]}
    with rw.threads(1):
        found = rw.calibration(Y, P, **options)
    for drawn in (1, 2 * N, 10**9):
        monkeypatch.setattr(row_sums, "DRAWN", drawn)
        other = rw.calibration(Y, P, **options)
        np.testing.assert_array_equal(other.low, found.low)
        for name in INTERVALS:
            assert tuple(getattr(other, name)) == tuple(getattr(found, name))


def test_many_bins_are_looked_at_score_by_score(monkeypatch):
    options = {**OPTIONS, **DATA["weights"], "bins": 1500, "n_resamples": 10}
    expected = one_by_one(monkeypatch, Y, P, **options)
    found = rw.calibration(Y, P, **options)
    np.testing.assert_array_equal(found.low, expected.low)


@pytest.mark.parametrize("size", [200, 2000, 20_000])
def test_expanded_scores_give_the_fit_of_repeated_rows(size):
    """Where they tell one at all; of many rows they do."""
    order = np.argsort(-P[:size])
    p, y, w = P[:size][order], Y[:size][order], W[:size][order]
    fit = recalibrated(p, w * y, w * (1 - y), 0.95)
    logits = np.log(p) - np.log1p(-p)
    expanded = ExpandedFit.around(fit, float(logits.mean()))
    columns = expanded.columns(logits, y.astype(float), w)
    times = np.random.default_rng(3).multinomial(size, np.full(size, 1 / size), size=30)
    found = expanded.solved(times @ columns.T)
    told = ~np.isnan(found).any(axis=1)
    assert told.all() or size < 20_000
    for one, drawn in zip(found[told], times[told], strict=True):
        kept = drawn > 0
        amounts = (drawn * w)[kept]
        exact = recalibrated(p[kept], amounts * y[kept], amounts * (1 - y[kept]), 0.95)
        width = exact.slope_interval.high - exact.slope_interval.low
        expected = exact.slope, exact.intercept, exact.in_the_large
        np.testing.assert_allclose(one, expected, atol=1e-3 * width)


def test_data_itself_has_no_change():
    fit = recalibrated(P, W * Y, W * (1 - Y), 0.95)
    expanded = ExpandedFit.around(fit, float(LOGITS.mean()))
    sums = expanded.columns(LOGITS, Y.astype(float), W).sum(axis=1)
    expected = fit.slope, fit.intercept, fit.in_the_large
    ((slope, intercept, alone),) = expanded.solved(np.array([sums]))
    assert (slope, intercept, alone) == pytest.approx(expected, rel=1e-9)
