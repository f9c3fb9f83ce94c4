"""Areas over several classes: worked examples, scikit-learn, intervals, comparisons."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import rocwise as rw
from oracles.class_tables import A1, A3, directed_area, slow_variance

AVERAGES = ("hand-till", "ovr", "ovr-weighted", "ovo-weighted")
IN_SKLEARN = {
    "hand-till": ("ovo", "macro"),
    "ovr": ("ovr", "macro"),
    "ovr-weighted": ("ovr", "weighted"),
    "ovo-weighted": ("ovo", "weighted"),
}


def drawn(m, n, seed, decimals=None):
    rng = np.random.default_rng(seed)
    y = np.r_[np.repeat(np.arange(m), 2), rng.integers(0, m, n - 2 * m)]
    logits = rng.normal(size=(n, m)) + 1.2 * np.eye(m)[y]
    F = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return y, F if decimals is None else F.round(decimals)


def test_worked_examples():
    expected = {"hand-till": 0.8981481481, "ovo-weighted": 0.8958333333, "ovr": 0.8944444444,
                "ovr-weighted": 0.8916666667}  # fmt: skip
    for average, value in expected.items():
        assert rw.multiclass.auc(*A1, average=average).value == pytest.approx(value, abs=1e-10)
    directed = rw.multiclass.auc(*A1).directed
    np.testing.assert_allclose(
        directed[~np.eye(3, dtype=bool)],
        [0.8333333333, 1, 0.8333333333, 0.7222222222, 1, 1],
        atol=1e-10,
    )
    assert rw.multiclass.auc(*A3).value == pytest.approx(0.9375, abs=1e-10)
    assert rw.multiclass.auc(*A3, average="ovr").value == pytest.approx(0.9394841270, abs=1e-10)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("m", [3, 5])
def test_equal_to_scikit_learn(average, m):
    y, F = drawn(m, 80, seed=m)
    kind, weights = IN_SKLEARN[average]
    expected = roc_auc_score(y, F, multi_class=kind, average=weights)
    assert rw.multiclass.auc(y, F, average=average).value == pytest.approx(expected, abs=1e-12)


def test_tables_of_areas():
    y, F = drawn(4, 60, seed=1, decimals=1)
    result = rw.multiclass.auc(y, F)
    for i in range(4):
        assert np.isnan(result.pairwise[i, i])
        assert result.per_class[i] == pytest.approx(rw.auc(y == i, F[:, i]).value)
        for j in set(range(4)) - {i}:
            assert result.directed[i, j] == pytest.approx(directed_area(y, F, i, j))
    np.testing.assert_allclose(result.pairwise, result.pairwise.T)
    np.testing.assert_allclose(result.pairwise, (result.directed + result.directed.T) / 2)
    assert result.value == pytest.approx(np.nanmean(result.pairwise))


@settings(max_examples=25)
@given(st.integers(2, 4), st.integers(0, 10**6), st.sampled_from(AVERAGES))
def test_errors_and_covariances_row_by_row(m, seed, average):
    y, F = drawn(m, 3 * m + 3, seed, decimals=1)
    _, G = drawn(m, 3 * m + 3, seed + 1, decimals=1)
    result = rw.multiclass.compare(y, {"a": F, "b": G}, average=average)
    own, other, both = (slow_variance(y, S, T, average) for S, T in ((F, F), (G, G), (F, G)))
    assert rw.multiclass.auc(y, F, average=average).standard_error ** 2 == (
        pytest.approx(own, abs=1e-12)
    )
    assert result.standard_error**2 == pytest.approx(max(own + other - 2 * both, 0), abs=1e-12)


@pytest.mark.parametrize("average", AVERAGES)
def test_two_classes_whose_scores_sum_to_one_are_the_usual_area(average):
    y, F = drawn(2, 50, seed=4)
    usual = rw.auc(y, F[:, 1], method="delong")
    result = rw.multiclass.auc(y, F, average=average, method="delong")
    assert result.value == pytest.approx(usual.value)
    assert result.standard_error == pytest.approx(usual.standard_error)
    G = F[:, 1] ** 2 * (1 - y * 0.3)
    twice = rw.compare(rw.pair(y, {"a": F[:, 1], "b": G}), method="delong")
    tables = {"a": F, "b": np.c_[1 - G, G]}
    ours = rw.multiclass.compare(y, tables, average=average, method="delong")
    assert ours.p_value == pytest.approx(twice.p_value)
    assert ours.standard_error == pytest.approx(twice.standard_error)


def test_intervals_of_all_methods():
    y, F = drawn(3, 90, seed=5)
    delong = rw.multiclass.auc(y, F)
    boot = rw.multiclass.auc(y, F, method="bootstrap", n_resamples=400, rng=3)
    logit = rw.multiclass.auc(y, F, method="logit")
    assert boot.standard_error == pytest.approx(delong.standard_error, rel=0.15)
    normal = rw.multiclass.auc(y, F, method="delong")
    assert list(boot.interval) == pytest.approx(list(normal.interval), abs=0.02)
    assert list(logit.interval) == pytest.approx(list(delong.interval), abs=0.03)
    again = rw.multiclass.auc(y, F, method="bootstrap", n_resamples=400, rng=boot.seed)
    assert list(again.interval) == list(boot.interval)
    assert boot.interval.method == "bootstrap percentile"


def test_separated_classes_get_an_interval_by_a_named_method():
    F = np.repeat(np.eye(3), 3, axis=0)
    result = rw.multiclass.auc(np.repeat([0, 1, 2], 3), F)
    assert (result.value, result.standard_error) == (1.0, 0.0)
    assert result.interval.method == "Wilson (effective n)"
    bound = rw.multiclass.auc(np.repeat([0, 1, 2], 3), F, method="delong").interval
    assert bound.low == pytest.approx(0.025 ** (1 / 3))
    assert bound.method == "Hoeffding bound"
    tied = rw.multiclass.auc(np.repeat([0, 1, 2], 3), np.ones((9, 3)))
    assert tied.value == 0.5
    assert tied.interval.low < 0.5 < tied.interval.high


def test_one_row_of_a_class_and_absent_classes():
    y, F = [0, 0, 1, 2, 2], A3[1][:5, :3]
    result = rw.multiclass.auc(y, F)
    with pytest.raises(rw.InputError, match="one row of class 1"):
        result.interval  # noqa: B018
    assert result.to_dict()["standard_error"] is None
    assert "no interval" in repr(result)
    with pytest.raises(rw.InputError, match=r"no row of class 3.*ignore_absent=True"):
        rw.multiclass.auc([0, 0, 1, 2, 2], A3[1][:5])
    ignored = rw.multiclass.auc([0, 0, 1, 2, 2], A3[1][:5], ignore_absent=True)
    assert ignored.value == pytest.approx(result.value)
    assert np.isnan(ignored.pairwise[3]).all()
    assert np.isnan(ignored.per_class[3])
    assert ignored.sizes == (2, 1, 2, 0)
    with pytest.raises(rw.InputError, match="2 to 256 classes"):
        rw.multiclass.auc([1, 1], A1[1][:2], ignore_absent=True)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (([0, 1], [[1, 2]]), {}, "`y_true` has 2 values"),
        (([0, 3], [[1, 2], [2, 1]]), {}, "outside 0..1"),
        (([0, 1], [[1, np.nan], [2, 1]]), {}, "missing value"),
        (([0, 1], [1, 2]), {}, "two-dimensional"),
        (([0, 1], [[1, 2], [2, 1]]), {"average": "micro"}, "`average` must be one of"),
        (([0, 1], [[1, 2], [2, 1]]), {"method": "exact"}, "`method` must be one of"),
    ],
)
def test_errors(arguments, options, words):
    with pytest.raises(rw.InputError, match=words):
        rw.multiclass.auc(*arguments, **options)


def test_comparisons_of_models():
    y, F = drawn(3, 120, seed=7)
    rng = np.random.default_rng(1)
    tables = {"a": F, "b": F + 0.3 * rng.normal(size=F.shape), "c": F + rng.normal(size=F.shape)}
    three = rw.multiclass.compare(y, tables)
    assert three.df == 2
    assert three.p_value < 1e-3
    assert three.pairwise["p_adjusted"].tolist() >= three.pairwise["p_value"].tolist()
    two = {name: tables[name] for name in "ab"}
    delong = rw.multiclass.compare(y, two, average="ovr")
    boot = rw.multiclass.compare(y, two, average="ovr", method="bootstrap", n_resamples=400, rng=2)
    assert boot.standard_error == pytest.approx(delong.standard_error, rel=0.15)
    assert delong.difference == pytest.approx(
        rw.multiclass.auc(y, F, average="ovr").value
        - rw.multiclass.auc(y, tables["b"], average="ovr").value
    )
    safe = rw.multiclass.compare(y, two, alternative="non-inferior", margin=0.1)
    assert safe.p_value < 0.05
    same = rw.multiclass.compare(y, {"a": F, "b": F})
    assert (same.difference, same.p_value) == (0.0, 1.0)


def test_comparisons_leave_out_the_same_rows_for_all_models():
    y, F = drawn(3, 30, seed=9)
    holes, other = F.copy(), F[:, ::-1].copy()
    holes[29, 0] = np.nan
    other[28, 1] = np.nan
    result = rw.multiclass.compare(y, {"a": holes, "b": other}, missing="drop")
    expected = rw.multiclass.compare(y[:28], {"a": F[:28], "b": F[:28, ::-1]})
    assert result.p_value == expected.p_value
    assert "2 rows with missing values left out" in repr(result)


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ({"a": A1[1]}, "at least two models"),
        ([A1[1], A1[1]], "got list"),
        ({"a": A1[1], "b": A1[1][:, :2]}, "outside 0..1|same classes"),
        ({"a": A1[1], "b": A1[1][:5]}, "8 values but .scores.'b'"),
    ],
)
def test_invalid_comparisons(scores, words):
    with pytest.raises(rw.InputError, match=words):
        rw.multiclass.compare(A1[0], scores)


def test_one_vs_rest_curves():
    y, F = drawn(3, 60, seed=3)
    result = rw.multiclass.roc(y, F, bands=True, n_resamples=60, rng=1)
    assert list(result.curves) == ["0", "1", "2"]
    for k, name in enumerate(result.curves):
        alone = rw.auc(y == k, F[:, k])
        assert result.areas[name].value == alone.value
        assert list(result.areas[name].interval) == list(alone.interval)
        assert result.bands[name].kind == "pointwise"
    assert set(result.to_frame()["class"]) == {"0", "1", "2"}
    assert json.dumps(result.to_dict())
    plain = rw.multiclass.roc(y, F)
    assert plain.bands is None
    assert plain.seed is None
    few = rw.multiclass.roc(*A1, bands=True, n_resamples=20, rng=1)
    assert {each.kind for each in few.bands.values()} == {"pointwise", "joint-regions"}


@pytest.mark.parametrize("method", ["auto", "delong", "logit", "bootstrap"])
def test_every_pair_of_classes_has_its_own_interval(method):
    rng = np.random.default_rng(21)
    y = rng.integers(0, 3, 90)
    scores = rng.normal(size=(90, 3))
    scores[np.arange(90), y] += 1
    options = {"method": method, "n_resamples": 50, "rng": 1}
    found = rw.multiclass.auc(y, scores, classes=[0, 1, 2], **options)
    kept = np.flatnonzero(y != 1)
    alone = rw.multiclass.auc(y[kept], scores[kept][:, [0, 2]], classes=[0, 2], **options)
    assert found.pairwise_intervals()["0", "2"] == alone.interval
    table = found.pairwise_table()
    assert table["first"].tolist() == ["0", "0", "1"]
    np.testing.assert_allclose(table["auc"], found.pairwise[np.triu_indices(3, 1)])
    assert (table["low"] <= table["auc"]).all()
    assert (table["auc"] <= table["high"]).all()


def test_pairs_of_weighted_and_clustered_rows():
    rng = np.random.default_rng(22)
    y = np.tile([0, 1, 2], 30)
    scores = rng.normal(size=(90, 3))
    scores[np.arange(90), y] += 1
    weighted = rw.multiclass.auc(y, scores, sample_weight=np.full(90, 4.0))
    plain = rw.multiclass.auc(y, scores)
    for pair, interval in plain.pairwise_intervals().items():
        assert tuple(weighted.pairwise_intervals()[pair]) == pytest.approx(tuple(interval))
    clustered = rw.multiclass.auc(y, scores, groups=np.arange(90) // 3)
    assert "cluster-robust" in clustered.pairwise_intervals()["0", "1"].method
    few = rw.multiclass.auc([0, 0, 1, 1, 2], scores[:5])
    assert list(few.pairwise_intervals()) == [("0", "1")]  # a class of one row has no variance


RNG = np.random.default_rng(12)
N = 90
GROUPS = RNG.integers(0, 25, N)
KIND = RNG.integers(0, 3, N)
TABLE = np.round(
    RNG.normal(size=(N, 3)) + np.eye(3)[KIND] + 0.5 * RNG.normal(size=(25, 3))[GROUPS], 1
)
WEIGHTS = RNG.integers(0, 4, N)


@pytest.mark.parametrize("given", [{"sample_weight": 1.0 + WEIGHTS}, {"groups": GROUPS}])
def test_two_classes_have_the_standard_error_of_auc(given):
    y, score = np.minimum(KIND, 1), TABLE[:, 1]
    here = rw.multiclass.auc(y, np.column_stack([-score, score]), **given)
    there = rw.auc(y, score, method="delong", **given)
    assert here.value == pytest.approx(there.value, rel=1e-12)
    assert here.standard_error == pytest.approx(there.standard_error, rel=1e-9)


def test_rows_repeated_within_clusters_add_no_information():
    again = np.repeat(np.arange(N), 4)
    once = rw.multiclass.auc(KIND, TABLE).standard_error
    robust = rw.multiclass.auc(KIND[again], TABLE[again], groups=again).standard_error
    assert robust == pytest.approx(once, rel=1e-9)
    models = {"a": TABLE, "b": TABLE + RNG.normal(size=TABLE.shape)}
    repeated = {name: table[again] for name, table in models.items()}
    both = rw.multiclass.compare(KIND[again], repeated, groups=again)
    plain = rw.multiclass.compare(KIND, models)
    assert both.standard_error == pytest.approx(plain.standard_error, rel=1e-9)
    assert both.method == "paired cluster-robust DeLong, t distribution"


def test_a_class_in_one_cluster_has_no_interval():
    result = rw.multiclass.auc(KIND, TABLE, groups=np.where(KIND == 2, 99, GROUPS))
    assert not result.has_interval
    with pytest.raises(rw.InputError, match="at least two clusters of every class"):
        _ = result.interval


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


def test_curves_of_weighted_rows_are_those_of_copies():
    y, F = drawn(3, 40, 5, decimals=1)
    weights = np.arange(40) % 3
    again = np.repeat(np.arange(40), weights)
    weighted = rw.multiclass.roc(y, F, sample_weight=weights)
    for name, curve in rw.multiclass.roc(y[again], F[again]).curves.items():
        np.testing.assert_allclose(weighted.curves[name].tpr, curve.tpr, rtol=1e-12)
