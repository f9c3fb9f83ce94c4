"""Cross-validated AUCs: intervals over folds, influence functions, pooling, scikit-learn."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse, stats
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)

import rocwise as rw
import rocwise.plotting.plots.intervals
from rocwise.binary.cross_validation import cross_validated_auc, pooled_area
from rocwise.inference.intervals import cv_interval


def scored(seed, n=90, folds=3, ties=False):
    """Labels, scores and folds that have both classes in every fold."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) // folds) % 3 == 0
    scores = rng.normal(size=n) + y
    return y.astype(int), np.round(scores, 0 if ties else 12), np.arange(n) % folds


def ledell_influences(y, scores, folds):
    """Influences as printed by LeDell, Petersen & van der Laan, pair by pair.

    The estimate has the variance mean_v mean_{i in v} IC_i^2 / n: each IC_i is divided by the
    root of n * folds * (size of its fold), so that the squares add up to it.
    """
    n, names = len(y), np.unique(folds)
    scaled = np.empty(n)
    for fold in names:
        rows = np.flatnonzero(folds == fold)
        area = roc_auc_score(y[rows], scores[rows])
        for i in rows:
            others = rows[y[rows] != y[i]]
            sign = 1 if y[i] else -1
            wins = [(1 + np.sign(sign * (scores[i] - scores[j]))) / 2 for j in others]
            centred = (np.mean(wins) - area) / np.mean(y == y[i])
            scaled[i] = centred / math.sqrt(n * len(names) * len(rows))
    return scaled


@pytest.mark.parametrize("ties", [False, True])
def test_influence_interval_is_that_of_ledell(ties):
    y, scores, folds = scored(1, n=91, folds=4, ties=ties)  # folds of unequal size
    result = cross_validated_auc(y, scores, folds, method="influence")
    error = math.sqrt(sum(ledell_influences(y, scores, folds) ** 2))
    assert result.standard_error == pytest.approx(error, rel=1e-12)
    reach = stats.norm.ppf(0.975) * error
    assert tuple(result.interval) == pytest.approx((result.value - reach, result.value + reach))
    areas = [roc_auc_score(y[folds == v], scores[folds == v]) for v in range(4)]
    assert result.fold_values == pytest.approx(areas, abs=1e-15)
    assert float(result) == pytest.approx(np.mean(areas), abs=1e-15)
    assert result.pooled == pytest.approx(roc_auc_score(y, scores), abs=1e-15)


def test_t_intervals_are_those_of_the_fold_values():
    result = cross_validated_auc(*scored(3, folds=5), level=0.9)
    assert tuple(result.intervals["t"]) == tuple(cv_interval(result.fold_values, level=0.9))
    corrected = cv_interval(result.fold_values, level=0.9, corrected=True)
    assert result.interval == corrected == result.intervals["corrected-t"]


def test_repeats_average_influences_case_by_case():
    y, first, folds = scored(4)
    second, other_folds = first + np.random.default_rng(5).normal(size=90), np.arange(90) // 30
    both = cross_validated_auc(
        y, np.stack([first, second], axis=1), np.stack([folds, other_folds], axis=1)
    )
    parts = [cross_validated_auc(y, s, f) for s, f in ((first, folds), (second, other_folds))]
    assert (both.n_folds, both.n_repeats) == (3, 2)
    assert both.value == pytest.approx(np.mean([part.value for part in parts]), abs=1e-15)
    assert both.pooled == pytest.approx(np.mean([part.pooled for part in parts]), abs=1e-15)
    influences = [ledell_influences(y, s, f) for s, f in ((first, folds), (second, other_folds))]
    error = math.sqrt(sum(np.mean(influences, axis=0) ** 2))
    assert both.standard_error == pytest.approx(error, rel=1e-12)
    assert error < np.mean([part.standard_error for part in parts])
    twice = cross_validated_auc(y, np.stack([first] * 2, axis=1), np.stack([folds] * 2, axis=1))
    assert twice.standard_error == pytest.approx(parts[0].standard_error, rel=1e-12)
    with pytest.warns(rw.errors.MisuseWarning, match="'corrected-t' or 'influence'"):
        cross_validated_auc(
            y, np.stack([first] * 2, axis=1), np.stack([folds] * 2, axis=1), method="t"
        )


@pytest.mark.parametrize("sizes", [((2, 2), (2, 2)), ((1, 3), (2, 3)), ((2, 3), (4, 1))])
def test_gap_has_the_variance_of_all_ways_to_deal_the_cases(sizes):
    """Every way to give the positives and the negatives to two folds of fixed sizes."""
    rng = np.random.default_rng(6)
    (m0, m1), (n0, n1) = sizes
    y = np.repeat([1, 0], [m0 + m1, n0 + n1])
    scores = np.round(rng.normal(size=len(y)) + y, 0)
    means = []
    for positives in combinations(range(m0 + m1), m0):
        for negatives in combinations(range(m0 + m1, len(y)), n0):
            inside = np.isin(np.arange(len(y)), positives + negatives)
            means.append(
                np.mean([roc_auc_score(y[rows], scores[rows]) for rows in (inside, ~inside)])
            )
    folds = np.concatenate([np.repeat([0, 1], [m0, m1]), np.repeat([0, 1], [n0, n1])])
    found = pooled_area(y.astype(np.uint8), scores, folds)
    assert found == pytest.approx((np.mean(means), np.std(means)), abs=1e-12)


def test_scores_on_different_scales_are_not_to_be_pooled():
    y, scores, folds = scored(7, n=240, folds=4)
    shifted = scores + 3.0 * folds
    with pytest.warns(rw.errors.MisuseWarning, match="not on one scale .* do not pool"):
        result = cross_validated_auc(y, shifted, folds)
    assert result.fold_values == pytest.approx(cross_validated_auc(y, scores, folds).fold_values)
    assert result.pooled < result.value - 0.1


def test_separated_folds_still_have_an_interval():
    y, folds = np.tile([0, 1], 12), np.repeat(np.arange(4), 6)
    result = cross_validated_auc(y, y + 0.01 * np.arange(24), folds)
    for interval in result.intervals.values():
        assert interval.method == "Newcombe score"
        assert interval.low < 0.95
        assert interval.high == 1.0


def classified(n=160):
    rng = np.random.default_rng(10)
    y = (np.arange(n) % 2).astype(int)
    return rng.normal(size=(n, 4)) + 0.6 * y[:, None], y


def test_takes_cross_val_predict_with_splits_or_fold_numbers():
    X, y = classified()
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    scores = cross_val_predict(LogisticRegression(), X, y, cv=cv, method="decision_function")
    by_splits = cross_validated_auc(y, scores, cv.split(X, y))
    numbers = np.empty(len(y), dtype=object)
    for fold, (_, test) in enumerate(cv.split(X, y)):
        numbers[test] = f"fold {fold}"
    by_numbers = cross_validated_auc(pd.Series(y), pd.Series(scores), pd.Series(numbers))
    assert by_splits.intervals == by_numbers.intervals
    assert isinstance(by_numbers.to_frame(), pd.DataFrame)
    assert by_numbers.to_frame()["method"].tolist() == ["corrected-t", "influence", "t"]
    named = np.where(y == 1, "ill", "well")
    lower = cross_validated_auc(
        named, -scores, numbers, pos_label="ill", direction="lower", method="influence"
    )
    assert tuple(lower.interval) == pytest.approx(tuple(by_splits.intervals["influence"]))
    assert "lower scores mean positive" in repr(lower)


@pytest.mark.parametrize(
    "model", [LogisticRegression(), RandomForestClassifier(10, random_state=0)], ids=type
)
@pytest.mark.parametrize("frame", [np.asarray, pd.DataFrame], ids=["array", "frame"])
def test_takes_the_dict_of_cross_validate(model, frame):
    X, y = classified()
    cv = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)
    kept = {"return_estimator": True, "return_indices": True}
    results = cross_validate(model, frame(X), y, cv=cv, scoring="roc_auc", **kept)
    found = cross_validated_auc(y, results, X=frame(X))
    assert (found.n_folds, found.n_repeats) == (4, 3)
    assert found.fold_values == pytest.approx(results["test_score"], abs=1e-12)
    expected = cv_interval(results["test_score"], corrected=True, test_fraction=1 / 4)
    assert tuple(found.interval) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize(
    "kind",
    [np.ndarray.tolist, sparse.coo_array, pl.DataFrame],
    ids=["list", "sparse", "polars"],
)
def test_features_may_be_anything_that_scikit_learn_accepts(kind):
    X, y = classified()
    cv, kept = StratifiedKFold(4), {"return_estimator": True, "return_indices": True}
    results = cross_validate(LogisticRegression(), kind(X), y, cv=cv, scoring="roc_auc", **kept)
    found = cross_validated_auc(y, results, X=kind(X))
    assert found.fold_values == pytest.approx(results["test_score"], abs=1e-12)


@pytest.mark.parametrize("model", [LogisticRegression(), RandomForestClassifier(10)], ids=type)
def test_the_positive_class_may_be_the_first_one(model):
    X, y = classified()
    named = np.where(y == 1, "a", "b")  # "a" sorts first, and is positive
    kept = {"return_estimator": True, "return_indices": True}
    results = cross_validate(model, X, named, cv=StratifiedKFold(4), scoring="roc_auc", **kept)
    found = cross_validated_auc(named, results, X=X, pos_label="a")
    # scikit-learn's scorer takes the last class for positive; both turned round is the same.
    assert found.fold_values == pytest.approx(results["test_score"], abs=1e-12)


X_, Y_ = classified(40)
SCORES_ = X_[:, 0]
FOLDS_ = np.arange(40) // 2 % 4


def models_of(**kept):
    return cross_validate(LogisticRegression(), X_, Y_, cv=StratifiedKFold(4), **kept)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: cross_validated_auc(Y_, SCORES_), "`folds` is missing"),
        (lambda: cross_validated_auc(Y_, SCORES_, np.zeros(40)), "at least two folds; got one"),
        (lambda: cross_validated_auc(Y_, SCORES_, FOLDS_[:9]), "40 values but `folds` has 9"),
        (
            lambda: cross_validated_auc(Y_, SCORES_, np.arange(40) % 2),
            "fold 0 has no positive case \\(0 positives, 20 negatives\\).* stratified",
        ),
        (lambda: cross_validated_auc(Y_, SCORES_, KFold(40).split(X_)), "fold 0 has no positive"),
        (
            lambda: cross_validated_auc(Y_, SCORES_, ShuffleSplit(9, random_state=0).split(X_)),
            "a second time before every row was tested once.* test_fraction",
        ),
        (
            lambda: cross_validated_auc(Y_, SCORES_, list(KFold(4).split(X_))[:3]),
            "never tests row 30",
        ),
        (
            lambda: cross_validated_auc(Y_, SCORES_, KFold(4).split(np.zeros(50))),
            "must test rows between 0 and 39",
        ),
        (
            lambda: cross_validated_auc(
                Y_, SCORES_, RepeatedStratifiedKFold(n_splits=4, n_repeats=2).split(X_, Y_)
            ),
            "describes 2 repeats of cross-validation, but `y_score` has scores of 1",
        ),
        (
            lambda: cross_validated_auc(Y_, np.stack([SCORES_] * 2, axis=1), FOLDS_),
            "pass y_score\\[:, 1\\]",
        ),
        (
            lambda: cross_validated_auc(
                Y_, np.stack([SCORES_] * 2, axis=1), np.stack([FOLDS_, FOLDS_ // 2], axis=1)
            ),
            "4 folds in repeat 0 but 2 in repeat 1",
        ),
        (lambda: cross_validated_auc(Y_, SCORES_, FOLDS_, method="z"), "`method` must be one of"),
        (lambda: cross_validated_auc(Y_, SCORES_, FOLDS_, level=0), "`level` must lie strictly"),
        (lambda: cross_validated_auc(Y_, SCORES_, FOLDS_, direction="up"), "`direction` must be"),
        (
            lambda: cross_validated_auc(Y_, np.where(FOLDS_ == 1, np.nan, SCORES_), FOLDS_),
            "`y_score` has 10 missing values \\(first at row 2\\)",
        ),
        (lambda: cross_validated_auc(Y_, models_of(), X=X_), "return_estimator=True"),
        (
            lambda: cross_validated_auc(Y_, models_of(return_estimator=True), X=X_),
            "return_indices=True",
        ),
        (
            lambda: cross_validated_auc(Y_, models_of(return_estimator=True, return_indices=True)),
            "`X` is needed",
        ),
        (
            lambda: cross_validated_auc(
                Y_, models_of(return_estimator=True, return_indices=True), FOLDS_, X=X_
            ),
            "`folds` does not go with the dict",
        ),
        (
            lambda: cross_validated_auc(
                Y_, models_of(return_estimator=True, return_indices=True), X=X_, pos_label=2
            ),
            "was fitted for the classes 0, 1.* positive one 2",
        ),
    ],
)
def test_errors(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_rows_with_missing_values_can_be_left_out():
    y, scores, folds = scored(11)
    holes = np.where(np.arange(90) % 10 == 0, np.nan, scores)
    found = cross_validated_auc(y, holes, folds, missing="drop")
    kept = ~np.isnan(holes)
    assert found.intervals == cross_validated_auc(y[kept], scores[kept], folds[kept]).intervals
    assert "9 rows with missing values left out" in repr(found)


def test_no_interval_leaves_0_to_1():
    y = [0, 0, 1, 1, 0, 0, 1, 1]
    result = cross_validated_auc(y, [1, 3, 2, 4, 1, 2, 3, 4], [0, 0, 0, 0, 1, 1, 1, 1])
    plain = cv_interval(result.fold_values, corrected=True)
    assert plain.high > 1  # what it would be on the plain scale
    for interval in result.intervals.values():
        assert 0.0 <= interval.low < result.value < interval.high <= 1.0
        assert interval.method.endswith("logit scale")
        assert interval.mean == result.value
