import itertools

import numpy as np
import pytest

import rocwise as rw
from oracles.brute_force import kernel
from oracles.spec_samples import SAMPLES, tally_of
from rocwise.binary.auc import acceleration
from rocwise.binary.bootstrap import replicates, sampling
from rocwise.binary.partial_area import WHOLE, Part
from rocwise.binary.statistics import (
    Area,
    LeastCost,
    SensitivityAt,
    SpecificityAt,
    YoudenThreshold,
    evaluated,
)
from rocwise.data.tally import Squares
from rocwise.inference import resampling
from rocwise.inference.intervals import bca_limits
from rocwise.inference.resampling import percentile_limits
from rocwise.kernels.resample import counts_of, multiplicities

STATISTICS = [
    Area(),
    Area(Part("fpr", 0.0, 0.4)),
    SensitivityAt(0.8),
    SpecificityAt(0.8),
    YoudenThreshold(),
    LeastCost(rw.Costs(fp=1, fn=3), prevalence=0.3),
]


def all_resampled_areas(sample):
    """The AUC of every one of the N^N M^M stratified resamples."""
    x, y = (np.asarray(values) for values in sample)
    H = kernel(x, y)
    rows = [
        np.bincount(draw, minlength=len(x))
        for draw in itertools.product(range(len(x)), repeat=len(x))
    ]
    columns = [
        np.bincount(draw, minlength=len(y))
        for draw in itertools.product(range(len(y)), repeat=len(y))
    ]
    return (np.array(rows) @ H @ np.array(columns).T).ravel() / (len(x) * len(y))


@pytest.mark.parametrize(
    ("name", "expected"), [("A", -0.05903141531), ("B", -0.03110251111), ("C", -0.02594981905)]
)
def test_acceleration(name, expected):
    assert acceleration(tally_of(SAMPLES[name]), WHOLE) == pytest.approx(expected, abs=1e-9)


def test_limits_over_all_resamples_of_sample_a():
    areas = all_resampled_areas(SAMPLES["A"])
    tally = tally_of(SAMPLES["A"])
    assert len(areas) == 6912
    np.testing.assert_allclose(percentile_limits(areas, 0.9), (2 / 3, 1.0), atol=1e-9)
    found = bca_limits(areas, rw.auc(tally).value, acceleration(tally, WHOLE), 0.9)
    np.testing.assert_allclose(found, (0.5, 1.0), atol=1e-9)


def test_mean_and_variance_of_replicates_are_the_exact_bootstrap():
    tally = tally_of(SAMPLES["C"])
    values = replicates(tally, Area(), n_resamples=40_000, seed=1)
    exact = rw.auc_variance(tally, method="exact-bootstrap")
    assert values.mean() == pytest.approx(rw.auc(tally).value, abs=4 * np.sqrt(exact / 40_000))
    assert values.var() == pytest.approx(exact, rel=0.04)


@pytest.mark.parametrize("statistic", STATISTICS, ids=lambda s: s.name)
def test_every_statistic_equals_its_value_on_repeated_rows(statistic):
    """A resampled table is the table of the resampled rows."""
    rng = np.random.default_rng(1)
    y = rng.random(60) < 0.5
    tally = rw.tally(y, np.round(rng.normal(size=60) + y, 1))
    units, rows = sampling(tally)
    pos, neg = counts_of(rows, multiplicities(units, 9, 0, 5))
    found = replicates(tally, statistic, n_resamples=5, seed=9)
    for p, n, value in zip(pos, neg, found, strict=True):
        rows = np.concatenate([np.repeat(tally.scores, p), np.repeat(tally.scores, n)])
        labels = np.concatenate([np.ones(p.sum()), np.zeros(n.sum())])
        assert rw.bootstrap(
            labels, rows, statistic=statistic, n_resamples=2, rng=0
        ).value == pytest.approx(value, abs=1e-12)


def test_a_function_of_the_curve_is_a_statistic():
    def height_at_start(fpr, tpr, thresholds):
        return tpr[fpr == 0].max()

    result = rw.bootstrap(
        [0, 0, 1, 1, 1, 0], [1, 2, 3, 4, 2, 3], statistic=height_at_start, n_resamples=50, rng=0
    )
    assert result.value == pytest.approx(1 / 3)
    assert result.statistic == "height_at_start"
    assert result.seed == 0


def test_an_interruption_keeps_what_is_done_where_that_is_wanted(monkeypatch):
    monkeypatch.setattr(resampling, "CELLS_PER_CHUNK", 100)
    tally = tally_of(SAMPLES["C"])

    def stop_half_way(done):
        if done > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rw.bootstrap(tally, n_resamples=400, rng=3, progress=stop_half_way)
    with rw.partial_results(), pytest.warns(rw.RocwiseWarning, match="interrupted after"):
        result = rw.bootstrap(tally, n_resamples=400, rng=3, progress=stop_half_way)
    assert 100 < len(result.replicates) < 400
    whole = rw.bootstrap(tally, n_resamples=400, rng=3, progress=False)
    np.testing.assert_array_equal(result.replicates, whole.replicates[: len(result.replicates)])


def test_bca_raises_for_one_sided_replicates():
    with pytest.raises(rw.InputError, match="one side"):
        bca_limits(np.array([0.9, 0.91, 0.92]), 0.5, 0.0, 0.95)


def test_a_bootstrapped_threshold_is_written_as_thresholds_are():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 80)
    s = 1e-6 * (rng.normal(size=80) + y)
    found = rw.bootstrap(y, s, statistic="youden-threshold", n_resamples=50, rng=1)
    assert f"Youden threshold {rw.threshold(y, s, rule='youden').threshold_text} (" in repr(found)
    assert found.interval.ends in repr(found)
    large = rw.bootstrap(y, s, statistic=lambda fpr, tpr, cuts: 12345.678, n_resamples=5, rng=1)
    assert "1.235e+04 (95% CI" in repr(large)


@pytest.mark.parametrize("statistic", ["auc", "youden-threshold", rw.statistics.SensitivityAt(0.8)])
def test_weights_without_their_rows_are_not_resampled(statistic):
    pos, neg = np.array([1.5, 0.5, 0.25]), np.array([0.5, 0.5, 2.5])
    squares = Squares(pos**2, neg**2)
    tally = rw.Tally.from_counts(np.array([3.0, 2.0, 1.0]), pos, neg, squares=squares)
    for call in (rw.bootstrap, rw.band):
        options = {"statistic": statistic} if call is rw.bootstrap else {}
        with pytest.raises(rw.InputError, match="weights without its rows"):
            call(tally, n_resamples=5, rng=1, **options)


def test_a_statistic_derived_from_ours_may_look_at_the_thresholds():
    class ThresholdAt(SensitivityAt):
        def of_curves(self, fpr, tpr, thresholds):
            return np.array([thresholds[np.argmax(rates > 0.5) - 1] for rates in fpr])

    y, s = np.arange(40) % 2, np.arange(40) / 40
    found = rw.bootstrap(y, s, statistic=ThresholdAt(0.5), n_resamples=20, rng=1)
    assert found.value == 0.475
    assert set(found.replicates) <= set(s)


class TiedPairs:
    """A statistic of a user's own: pairs of one positive and one negative that are tied."""

    name = "tied pairs"

    def of_counts(self, data):
        return lambda pos, neg: (pos * neg).sum(axis=1) / 1.0


def test_products_of_counts_of_a_users_own_do_not_overflow():
    scores = np.r_[np.full(120_000, 0.5), np.arange(70_000) / 300_000]  # many distinct ones
    y = np.arange(scores.size) % 2
    assert evaluated(rw.tally(y, scores), TiedPairs()) == 60_000**2
