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


def test_the_whole_band_is_that_of_the_roc_curve():
    """At each recall: the precisions of all FPR at which the band of the ROC curve holds it."""
    found = CURVE.band(n_resamples=100, rng=1)
    roc = rw.band(Y, S, n_resamples=100, rng=1)
    assert found.seed == roc.seed
    fpr = np.unique(np.concatenate([np.linspace(0, 1, 20001), roc.fpr]))
    lower, upper = roc.at(fpr)
    odds = found.n_neg / found.n_pos
    for recall, low, high in zip(found.recall, found.lower, found.upper, strict=True):
        inside = fpr[(lower <= recall + 1e-12) & (recall <= upper + 1e-12)]
        assert low == pytest.approx(recall / (recall + odds * inside.max()), abs=1e-3)
        assert high == pytest.approx(recall / (recall + odds * inside.min()), abs=1e-3)
    assert found.lower[-1] == pytest.approx(found.prevalence)  # at a threshold below all


def test_limits_at_one_recall_worked_by_hand():
    """Positives 1..10, negatives between them: recall 1/2 of ten positives and ten negatives."""
    y = np.repeat([1, 0], 10)
    s = np.concatenate([np.arange(10, 0, -1), np.arange(10, 0, -1) - 1.5])
    band = rw.precision_recall(y, s).band(kind="pointwise")
    # the fifth positive, 6, is below the negatives 8.5, 7.5, 6.5: FPR 0.3, Wilson 0.1078 to 0.6032
    # 0.5 -+ 1.96 sqrt(0.25 / 10) is 0.19 and 0.81: after one positive FPR 0, after nine 0.7
    up, down = np.hypot(0.6032 - 0.3, 0.7 - 0.3), np.hypot(0.3 - 0.1078, 0.3)
    assert band.lower[4] == pytest.approx(0.5 / (0.5 + 0.3 + up), abs=1e-4)
    assert band.upper[4] == pytest.approx(0.5 / (0.5 + max(0.3 - down, 0)), abs=1e-4)
    assert band.precision[4] == pytest.approx(5 / 8)
    assert band.seed is None


def test_simultaneous_bands_are_wider_than_pointwise_ones():
    whole = CURVE.band(n_resamples=400, rng=1)
    single = CURVE.band(kind="pointwise")
    wider = (whole.upper - whole.lower) >= (single.upper - single.lower) - 1e-9
    assert wider[whole.recall >= 0.3].mean() > 0.95  # at the first few positives both are cautious
    assert (whole.lower <= whole.precision).all()
    assert (whole.upper >= whole.precision).all()
    low, high = single.at(0.5)
    drawn = rw.bootstrap(Y, S, statistic=rw.statistics.PrecisionAt(0.5), n_resamples=400, rng=1)
    # two methods: Wilson's limits of both classes are the wider ones, as few cases ask for
    assert low[0] <= drawn.interval.low
    assert high[0] >= drawn.interval.high
    assert low[0] == pytest.approx(drawn.interval.low, abs=0.05)
    assert high[0] == pytest.approx(drawn.interval.high, abs=0.05)


@pytest.mark.parametrize("kind", ["simultaneous", "pointwise"])
def test_separated_classes_have_a_band_too(kind):
    separated = [0] * 20 + [1] * 20, range(40)
    band = rw.precision_recall(*separated).band(kind=kind, n_resamples=50, rng=1)
    assert (band.upper == 1).all()
    assert (band.lower < 1).all()


def test_weights_of_one_size_change_nothing():
    weighted = rw.precision_recall(Y, S, sample_weight=np.full(200, 3.0))
    plain, scaled = CURVE.band(kind="pointwise"), weighted.band(kind="pointwise")
    np.testing.assert_allclose(scaled.lower, plain.lower)
    np.testing.assert_allclose(scaled.upper, plain.upper)


def test_clusters_are_drawn_whole():
    clustered = rw.precision_recall(rw.tally(Y, S, groups=np.arange(200) // 2))
    band = clustered.band(n_resamples=50, rng=1)
    assert (band.lower <= band.upper).all()
    with pytest.raises(rw.InputError, match="with clusters use kind='simultaneous'"):
        clustered.band(kind="pointwise")


def test_refusals():
    with pytest.raises(rw.InputError, match="`kind` must be one of"):
        CURVE.band(kind="fixed-width")
    with pytest.raises(rw.InputError, match="at least two cases in each class"):
        rw.precision_recall([0, 0, 1], [1, 2, 3]).band()
