"""Covariate-adjusted ROC curves: published definitions by hand, laws, influence, bad input."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import rocwise as rw
from rocwise.binary import covariate_adjustment as adjustment

Y = np.repeat([0, 1], [12, 8])
X = np.array([1, 2, 3, 4, 5, 6, 7, 8, 2, 4, 6, 8, 2, 3, 4, 5, 6, 7, 8, 9], float)
NEGATIVES = [1.2, 2.9, 2.1, 4.4, 4.8, 6.9, 6.2, 8.1, 1.7, 3.6, 5.1, 7.7]
S = np.array([*NEGATIVES, 3.9, 4.1, 4.2, 7.0, 6.5, 9.2, 8.0, 10.6])
G = np.repeat([0, 1, 0, 1, 0, 1], [4, 4, 2, 2, 4, 4])
MODELS = [
    {"model": "linear", "residuals": "empirical"},
    {"model": "linear", "residuals": "normal"},
    {"model": "strata"},
]
models = pytest.mark.parametrize("how", MODELS, ids=lambda how: " ".join(how.values()))


def sample(n=60, seed=4):
    rng = np.random.default_rng(seed)
    y, x = rng.permutation(np.arange(n) % 2), rng.integers(0, 4, n)
    return y, np.round(x + y + rng.normal(0, 1, n), 1), x


def test_vectors():
    """AROC 1.0-4 gives the curve and the normal area; the others are from brute force."""
    empirical = rw.adjusted_roc(Y, S, X)
    normal = rw.adjusted_roc(Y, S, X, residuals="normal")
    assert empirical.auc == pytest.approx(0.8958333333, abs=1e-9)
    assert normal.auc == pytest.approx(0.8935261310, abs=1e-9)
    for found in (empirical, normal):
        last = np.searchsorted(found.fpr, [0.1, 0.2, 0.5], side="right") - 1
        assert found.tpr[last].tolist() == [0.625, 0.75, 1.0]
    rows, design = given(Y, S, G)
    by_strata = adjustment._by_strata(rows, design)
    positives = by_strata.placements - by_strata.area
    variance = (positives**2).sum() / 8**2 + (by_strata.negatives**2).sum() / 12**2
    assert variance == pytest.approx(0.007685908565, abs=1e-9)


def given(y, s, x, **about):
    return adjustment._rows(y, s, x, **about)


def test_areas_by_counting():
    y, s, x = sample()
    pairs = [
        (s[i] - s[j], x[i] == x[j], i) for i in np.flatnonzero(y) for j in np.flatnonzero(1 - y)
    ]
    proportions = [
        np.mean([(d > 0) + (d == 0) / 2 for d, same, k in pairs if same and k == i])
        for i in np.flatnonzero(y)
    ]
    assert rw.adjusted_roc(y, s, x, model="strata").auc == pytest.approx(np.mean(proportions))
    slope, intercept = np.polyfit(x[y == 0], s[y == 0], 1)
    e = s - intercept - slope * x
    assert rw.adjusted_roc(y, s, x).auc == pytest.approx(rw.auc(y, np.round(e, 9)).value)
    sigma = np.sqrt((e[y == 0] ** 2).sum() / ((y == 0).sum() - 2))
    normal = rw.adjusted_roc(y, s, x, residuals="normal")
    assert normal.auc == pytest.approx(norm.cdf(e[y == 1] / sigma).mean())


@models
def test_area_under_the_curve_and_the_pooled_one(how):
    y, s, x = sample()
    found = rw.adjusted_roc(y, s, x, **how)
    assert np.trapezoid(found.tpr, found.fpr) == pytest.approx(found.auc)
    assert (found.fpr[0], found.tpr[0], found.fpr[-1], found.tpr[-1]) == (0, 0, 1, 1)
    assert min(np.diff(found.fpr).min(), np.diff(found.tpr).min()) >= 0
    pooled = rw.auc(y, s)
    assert (found.pooled_auc, found.pooled_interval) == (pooled.value, pooled.interval)
    assert found.auc in found.interval


def test_one_stratum_is_no_adjustment():
    y, s, _ = sample()
    found, plain = rw.adjusted_roc(y, s, np.zeros(60), model="strata"), rw.auc(y, s)
    assert found.auc == pytest.approx(plain.value)
    assert found.standard_error == pytest.approx(plain.standard_error)
    assert list(found.interval) == pytest.approx(list(plain.interval))


@models
def test_weight_two_is_the_row_twice(how):
    y, s, x = sample()
    weights = np.random.default_rng(1).integers(1, 4, 60)
    heavy = rw.adjusted_roc(y, s, x, sample_weight=weights, **how)
    copies = [np.repeat(each, weights) for each in (y, s, x)]
    assert heavy.auc == pytest.approx(rw.adjusted_roc(*copies, **how).auc)
    codes = np.repeat(np.arange(60), weights)
    clustered = rw.adjusted_roc(*copies, groups=codes, **how)
    alone = rw.adjusted_roc(y, s, x, sample_weight=weights, groups=np.arange(60), **how)
    assert clustered.standard_error == pytest.approx(alone.standard_error, rel=0.03)


@pytest.mark.parametrize("how", MODELS[1:], ids=lambda how: " ".join(how.values()))
def test_influence_values_by_differences(how):
    """A row of class k with weight w_i moves the area by phi_i / W_k for each unit of weight."""
    y, s, x = sample(40)
    rows, design = given(y, s, x, sample_weight=np.ones(40))
    of = adjustment._by_strata if how["model"] == "strata" else adjustment._by_normal_residuals
    found = of(rows, design)
    h = 1e-5
    for label, phi in ((1, found.placements - found.area), (0, found.negatives)):
        own = np.flatnonzero(y == label)
        moved = []
        for row in own:
            ends = []
            for step in (h, -h):
                weights = np.ones(40)
                weights[row] += step
                ends.append(of(*given(y, s, x, sample_weight=weights)).area)
            moved.append((ends[0] - ends[1]) / (2 * h) * len(own))
        # weights as counts: the sum matters for the residual variance, not for its influence
        assert np.array(moved) - np.mean(moved) == pytest.approx(phi, abs=1e-7)


def test_standard_errors_by_jackknife():
    y, s, x = sample(150)
    for how in MODELS:
        found = rw.adjusted_roc(y, s, x, **how)
        left = [
            rw.adjusted_roc(*(np.delete(each, k) for each in (y, s, x)), **how).auc
            for k in range(150)
        ]
        jackknife = np.sqrt(149 / 150 * ((left - np.mean(left)) ** 2).sum())
        assert found.standard_error == pytest.approx(jackknife, rel=0.06)


def test_confounding_by_closed_form():
    """A score that only follows a covariate separates classes that differ in it."""
    rng = np.random.default_rng(9)
    y = np.arange(20_000) % 2
    x = rng.normal(0, 1, 20_000) + y
    found = rw.adjusted_roc(y, x + rng.normal(0, 1, 20_000), x)
    assert found.pooled_auc == pytest.approx(norm.cdf(0.5), abs=0.012)
    assert found.auc == pytest.approx(0.5, abs=0.012)


def test_the_same_from_frames_and_with_categories(tmp_path):
    y, s, x = sample()
    names = np.array(["a", "b", "c", "d"])[x]
    frame = pd.DataFrame({"ill": y, "s": s, "x": x, "site": names})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    found = rw.adjusted_roc(y, s, {"x": x, "site": names}, model="strata")
    for source in (frame, tmp_path / "rows.csv"):
        again = rw.adjusted_roc(
            source, label="ill", score="s", covariates=["x", "site"], model="strata"
        )
        assert (again.auc, again.covariates) == (found.auc, ("x", "site"))
    dummies = {f"site = {k}": 1.0 * (names == k) for k in "bcd"}
    coded = rw.adjusted_roc(y, s, {"site": names})
    assert coded.auc == pytest.approx(rw.adjusted_roc(y, s, dummies).auc)
    assert rw.adjusted_roc(y, -s, x, direction="lower").auc == rw.adjusted_roc(y, s, x).auc
    assert "adjusted for x, site" in repr(found)


def test_separated_classes_have_an_interval():
    x = np.arange(20.0) % 5
    found = rw.adjusted_roc(np.arange(20) >= 10, x + 10.0 * (np.arange(20) >= 10), x)
    assert found.auc == 1.0
    assert 0.5 < found.interval.low < 0.95
    assert found.interval.high == 1.0


def test_a_score_that_is_a_function_of_the_covariate_separates_nothing():
    for score in (3.7 * X + 0.1, np.full(20, 0.3)):
        found = rw.adjusted_roc(Y, score, X)
        assert found.auc == 0.5
        assert found.interval.low < 0.5 < found.interval.high


def test_ordered_categories_have_strata_only():
    score = pd.Series(pd.Categorical(["low", "high"] * 10, ["low", "high"], ordered=True))
    numbers = np.arange(20) % 2
    found = rw.adjusted_roc(Y, score, G, model="strata")
    assert found.auc == rw.adjusted_roc(Y, numbers, G, model="strata").auc
    with pytest.raises(rw.InputError, match="model='linear' needs numeric scores"):
        rw.adjusted_roc(Y, score, X)


BAD = [
    ({"covariates": None}, "needs `covariates`"),
    ({"covariates": {}}, "empty"),
    ({"covariates": np.zeros(20)}, "'covariate' does not vary in the negatives"),
    ({"covariates": {"a": X, "b": 2 * X - 1}}, "'b' is a linear combination"),
    ({"covariates": np.where(np.arange(20) == 15, np.inf, X)}, "infinite at row 15"),
    ({"covariates": np.where(np.arange(20) == 15, np.nan, X)}, "missing value"),
    ({"covariates": X[:9]}, "has 20 values but"),
    ({"covariates": np.arange(20), "model": "strata"}, "covariate = 12 has positives but no"),
    ({"covariates": X, "model": "cubic"}, "`model`"),
    ({"covariates": X, "groups": np.zeros(20)}, "at least two are needed"),
    ({"covariates": np.stack([X**k for k in range(1, 12)], axis=1)}, "at least 13 negatives"),
]


@pytest.mark.parametrize(("options", "message"), BAD, ids=[m for _, m in BAD])
def test_bad_input(options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.adjusted_roc(Y, S, **options)
