"""Bands of the precision-recall curve."""

import numpy as np
import pytest

import rocwise as rw

RNG = np.random.default_rng(5)
Y = (RNG.random(200) < 0.4).astype(int)
S = np.round(Y + RNG.normal(size=200), 1)
CURVE = rw.precision_recall(Y, S)


def test_the_observed_precision_is_that_of_the_steps():
    band = CURVE.band(n_resamples=50, rng=1)
    assert band.recall[-1] == 1
    for recall, precision in zip(band.recall, band.precision, strict=True):
        place = int(np.argmax(CURVE.recall >= recall - 1e-12))
        assert precision == pytest.approx(CURVE.precision[place])
    mean = float(band.precision.mean())  # one recall for each positive: the area of the steps
    assert mean == pytest.approx(CURVE.average_precision, rel=1e-12)


def test_simultaneous_bands_hold_pointwise_ones():
    whole = CURVE.band(n_resamples=400, rng=1)
    single = CURVE.band(kind="pointwise", n_resamples=400, rng=1)
    wider = (whole.upper - whole.lower) >= (single.upper - single.lower) - 1e-9
    assert wider.mean() > 0.9
    assert (whole.lower <= whole.precision).all()
    assert (whole.upper >= whole.precision).all()
    low, high = single.at(0.5)
    drawn = rw.bootstrap(Y, S, statistic=rw.statistics.PrecisionAt(0.5), n_resamples=400, rng=1)
    assert low[0] == pytest.approx(drawn.interval.low, abs=0.03)
    assert high[0] == pytest.approx(drawn.interval.high, abs=0.03)


def test_separated_classes_have_a_band_too():
    band = rw.precision_recall([0] * 20 + [1] * 20, range(40)).band(n_resamples=50, rng=1)
    assert (band.upper == 1).all()
    assert (band.lower < 1).all()


def test_refusals():
    with pytest.raises(rw.InputError, match="`kind` must be one of"):
        CURVE.band(kind="fixed-width")
    with pytest.raises(rw.InputError, match="at least two cases in each class"):
        rw.precision_recall([0, 0, 1], [1, 2, 3]).band()
