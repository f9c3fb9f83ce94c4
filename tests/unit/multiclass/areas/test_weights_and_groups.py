"""Weighted and clustered rows of several classes, against copies, `auc` and the bootstrap."""

import numpy as np
import pytest

import rocwise as rw

RNG = np.random.default_rng(12)
N = 90
GROUPS = RNG.integers(0, 25, N)
KIND = RNG.integers(0, 3, N)
TABLE = np.round(
    RNG.normal(size=(N, 3)) + np.eye(3)[KIND] + 0.5 * RNG.normal(size=(25, 3))[GROUPS], 1
)
WEIGHTS = RNG.integers(0, 4, N)
AVERAGES = ("hand-till", "ovr", "ovr-weighted", "ovo-weighted")


@pytest.mark.parametrize("average", AVERAGES)
def test_weights_are_copies(average):
    again = np.repeat(np.arange(N), WEIGHTS)
    weighted = rw.multiclass.auc(KIND, TABLE, sample_weight=WEIGHTS, average=average)
    copied = rw.multiclass.auc(KIND[again], TABLE[again], average=average)
    assert weighted.value == pytest.approx(copied.value, rel=1e-12)
    for name in ("pairwise", "directed", "per_class"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(copied, name), rtol=1e-12)
    thirds = rw.multiclass.auc(KIND, TABLE, sample_weight=WEIGHTS / 3, average=average)
    assert thirds.value == pytest.approx(weighted.value, rel=1e-12)
    assert thirds.standard_error == pytest.approx(weighted.standard_error, rel=1e-9)
    n_rows = np.count_nonzero(WEIGHTS)
    assert repr(weighted).endswith(f"3 classes, {n_rows} rows; weights of {n_rows} rows")


def test_curves_of_weighted_rows_are_those_of_copies():
    again = np.repeat(np.arange(N), WEIGHTS)
    weighted = rw.multiclass.roc(KIND, TABLE, sample_weight=WEIGHTS)
    copied = rw.multiclass.roc(KIND[again], TABLE[again])
    for name, curve in copied.curves.items():
        np.testing.assert_allclose(weighted.curves[name].tpr, curve.tpr, rtol=1e-12)
        assert weighted.areas[name].value == pytest.approx(copied.areas[name].value, rel=1e-12)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("given", [{"sample_weight": np.full(N, 2.5)}, {"groups": np.arange(N)}])
def test_equal_weights_and_clusters_of_one_row_change_no_interval(average, given):
    plain = rw.multiclass.auc(KIND, TABLE, average=average)
    same = rw.multiclass.auc(KIND, TABLE, average=average, **given)
    assert same.standard_error == pytest.approx(plain.standard_error, rel=1e-10)


@pytest.mark.parametrize("given", [{"sample_weight": 1.0 + WEIGHTS}, {"groups": GROUPS}])
def test_two_classes_have_the_standard_error_of_auc(given):
    y, score = np.minimum(KIND, 1), TABLE[:, 1]
    here = rw.multiclass.auc(y, np.column_stack([-score, score]), **given)
    there = rw.auc(y, score, method="delong", **given)
    assert here.value == pytest.approx(there.value, rel=1e-12)
    assert here.standard_error == pytest.approx(there.standard_error, rel=1e-9)


@pytest.mark.parametrize("what", ["weights", "groups", "both"])
def test_the_bootstrap_of_rows_with_weights_and_of_clusters_agrees_with_influences(what):
    given = {"sample_weight": 1.0 + WEIGHTS} if what != "groups" else {}
    given |= {"groups": GROUPS} if what != "weights" else {}
    drawn = rw.multiclass.auc(KIND, TABLE, method="bootstrap", rng=1, **given)
    influence = rw.multiclass.auc(KIND, TABLE, **given)
    assert drawn.standard_error == pytest.approx(influence.standard_error, rel=0.15)
    assert ("clusters" in drawn.interval.method) == (what != "weights")


def test_rows_repeated_within_clusters_tell_nothing_new():
    again = np.repeat(np.arange(N), 4)
    once = rw.multiclass.auc(KIND, TABLE).standard_error
    robust = rw.multiclass.auc(KIND[again], TABLE[again], groups=again).standard_error
    assert robust == pytest.approx(once, rel=1e-9)
    models = {"a": TABLE, "b": TABLE + RNG.normal(size=TABLE.shape)}
    repeated = {name: table[again] for name, table in models.items()}
    both = rw.multiclass.compare(KIND[again], repeated, groups=again)
    plain = rw.multiclass.compare(KIND, models)
    assert both.standard_error == pytest.approx(plain.standard_error, rel=1e-9)
    assert both.method == "paired cluster-robust effective-size Wilson"


def test_a_class_in_one_cluster_has_no_interval():
    answer = rw.multiclass.auc(KIND, TABLE, groups=np.where(KIND == 2, 99, GROUPS))
    assert not answer.has_interval
    with pytest.raises(rw.InputError, match="at least two clusters of every class"):
        _ = answer.interval


def test_hum_of_weighted_rows_is_that_of_copies():
    weighted = rw.multiclass.hum(
        KIND, TABLE - TABLE.min(), sample_weight=WEIGHTS, n_tuples=20_000, rng=1
    )
    kept = np.repeat(np.arange(N), WEIGHTS.astype(int))
    copied = rw.multiclass.hum(KIND[kept], (TABLE - TABLE.min())[kept], n_tuples=20_000, rng=2)
    apart = np.hypot(weighted.standard_error, copied.standard_error)
    assert weighted.value == pytest.approx(copied.value, abs=4 * apart)


def test_curves_of_clusters_have_cluster_robust_areas_and_bands():
    again = np.repeat(np.arange(N), 4)
    once = rw.multiclass.roc(KIND, TABLE, groups=np.arange(N))
    robust = rw.multiclass.roc(
        KIND[again], TABLE[again], groups=again, bands=True, n_resamples=60, rng=1
    )
    naive = rw.multiclass.roc(KIND[again], TABLE[again], bands=True, n_resamples=60, rng=1)
    for name, area in robust.areas.items():
        assert list(area.interval) == pytest.approx(list(once.areas[name].interval), rel=1e-9)
        assert area.interval.method.startswith("cluster-robust")
        assert robust.bands[name].area > 1.3 * naive.bands[name].area


@pytest.mark.parametrize("average", AVERAGES)
def test_distinct_scores_have_the_resamples_of_rows_that_weigh_one(average):
    """Rows are drawn alike, whether they are counted in one loop or replicate by replicate."""
    table = np.random.default_rng(8).normal(size=(N, 3)) + np.eye(3)[KIND]
    drawn = {"average": average, "method": "bootstrap", "rng": 4, "n_resamples": 200}
    plain = rw.multiclass.auc(KIND, table, **drawn)
    held = rw.multiclass.auc(KIND, table, sample_weight=np.ones(N), **drawn)
    assert plain.standard_error == pytest.approx(held.standard_error, rel=1e-12)
    assert plain.interval.low == pytest.approx(held.interval.low, rel=1e-12)
