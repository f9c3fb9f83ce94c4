"""Bands around REC curves."""

import math

import numpy as np
import pytest

import rocwise as rw
from rocwise.errors import InputError
from unit.regression.forecast_vectors import C1


@pytest.mark.parametrize(("n", "width"), [(6, 0.5544426221), (100, 0.1358101516)])
def test_dkw_width(n, width):
    rng = np.random.default_rng(1)
    curve = rw.regression.rec(np.zeros(n), rng.exponential(size=n))
    band = rw.regression.band(curve)
    assert band.half_width == pytest.approx(width, abs=1e-10)
    np.testing.assert_allclose(band.lower, np.clip(curve.accuracy - width, 0, 1), atol=1e-10)
    np.testing.assert_allclose(band.upper, np.clip(curve.accuracy + width, 0, 1), atol=1e-10)


def test_edges_between_and_before_the_errors():
    band = rw.regression.band(rw.regression.rec(np.zeros(4), [1, 2, 3, 4]), level=0.5)
    width = math.sqrt(math.log(4) / 8)
    low, high = band.at([0.5, 1.0, 1.5, 9.0])
    np.testing.assert_allclose(low, np.clip(np.array([0, 0.25, 0.25, 1]) - width, 0, 1))
    np.testing.assert_allclose(high, np.clip(np.array([0, 0.25, 0.25, 1]) + width, 0, 1))


def test_contains():
    curve = rw.regression.rec(np.zeros(100), np.linspace(0.01, 1, 100))
    band = rw.regression.band(curve)
    assert band.contains(curve)
    assert band.contains(rw.regression.rec(np.zeros(100), np.linspace(0.01, 1, 100) * 1.05))
    assert not band.contains(rw.regression.rec(np.zeros(100), np.linspace(0.01, 1, 100) * 1.5))
    with pytest.raises(rw.InputError, match="`curve` is of squared errors"):
        band.contains(rw.regression.rec([0], [1], loss="squared"))


def test_bootstrap_width_is_near_that_of_kolmogorov():
    curve = rw.regression.rec(np.zeros(400), np.arange(400.0))
    band = rw.regression.band(curve, kind="bootstrap", rng=1)
    assert band.half_width == pytest.approx(1.358 / 20, rel=0.06)
    again = rw.regression.band(curve, kind="bootstrap", rng=1)
    assert (again.half_width, again.seed) == (band.half_width, 1)


def sluggish(n):
    rng = np.random.default_rng(2)
    series = np.zeros(n)
    for t in range(1, n):
        series[t] = 0.9 * series[t - 1] + rng.normal()
    return np.abs(series)


def test_dependence_warns_and_blocks_account_for_it():
    errors = sluggish(300)
    curve = rw.regression.rec(np.zeros(300), errors)
    dkw = rw.regression.band(curve)
    assert "successive losses are correlated" in repr(dkw)
    blocks = rw.regression.band(curve, kind="bootstrap", block=25, rng=1)
    assert blocks.half_width > 1.5 * dkw.half_width
    assert "in blocks of 25" in repr(blocks)
    assert "correlated" not in repr(blocks)
    shuffled = np.random.default_rng(3).permutation(errors)
    assert "correlated" not in repr(rw.regression.band(rw.regression.rec(np.zeros(300), shuffled)))


@pytest.mark.parametrize("errors", [[0.0], [2.0], [0.0, 0.0, 0.0], [3.0] * 5])
def test_no_variance(errors):
    curve = rw.regression.rec([0.0] * len(errors), errors)
    for kind in ("dkw", "bootstrap"):
        band = rw.regression.band(curve, kind=kind, rng=1)
        assert band.autocorrelation is None
        assert np.isfinite(band.lower).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "ks"}, "`kind` must be one of"),
        ({"level": 1.0}, "`level` must lie strictly"),
        ({"block": 2}, "`block` is for kind='bootstrap'"),
        ({"kind": "bootstrap", "block": 4}, "at least two blocks in the 6 rows"),
        ({"kind": "bootstrap", "n_resamples": 5}, "`n_resamples` must be"),
    ],
)
def test_errors(options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.regression.band(rw.regression.rec(C1.y, C1.a), **options)


def test_a_band_is_around_a_curve():
    with pytest.raises(InputError, match=r"`curve` must be a RecCurve; got list"):
        rw.regression.band([1, 2])  # type: ignore[arg-type]
    band = rw.regression.band(rw.regression.rec([1, 2], [1, 3]))
    with pytest.raises(InputError, match=r"`curve` must be a RecCurve"):
        band.contains(band)  # type: ignore[arg-type]
