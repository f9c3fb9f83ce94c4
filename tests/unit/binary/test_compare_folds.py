"""Cross-validated models compared: fold by fold, by influences, pooled, and over repeats."""

import numpy as np
import pytest
from scipy.stats import t as student

import rocwise as rw
from rocwise.binary.cross_validation import areas_of
from rocwise.inputs.folds import as_out_of_fold_models

RNG = np.random.default_rng(21)
N, K = 150, 5
Y = RNG.integers(0, 2, N)
BASE = RNG.normal(size=N) + Y
SCORES = {"a": BASE + 0.4 * RNG.normal(size=N), "b": BASE + 0.9 * RNG.normal(size=N)}
FOLDS = np.arange(N) % K
SPLITS = [((k != FOLDS).nonzero()[0], (k == FOLDS).nonzero()[0]) for k in range(K)]


def fold_areas(scores, folds=FOLDS):
    parts = [folds == k for k in range(folds.max() + 1)]
    return np.array([rw.roc(Y[part], scores[part]).auc for part in parts])


def test_corrected_t_is_that_of_the_differences_of_folds():
    result = rw.compare(Y, SCORES, folds=SPLITS)
    gaps = fold_areas(SCORES["a"]) - fold_areas(SCORES["b"])
    error = np.sqrt(gaps.var(ddof=1) * (1 / K + 1 / (K - 1)))
    assert result.difference == pytest.approx(gaps.mean(), abs=1e-12)
    assert result.standard_error == pytest.approx(error, rel=1e-10)
    assert result.statistic == pytest.approx(gaps.mean() / error, rel=1e-10)
    assert result.p_value == pytest.approx(2 * student.sf(abs(result.statistic), K - 1), rel=1e-9)
    assert result.df == K - 1
    interval = rw.inference.cv_interval(gaps, corrected=True)
    assert result.interval.low == pytest.approx(interval.low, abs=1e-10)
    assert result.method == "corrected t over the differences of folds"
    assert result.quantity == "cross-validated AUC"


def test_influences_of_the_difference_are_differences_of_influences():
    models = as_out_of_fold_models(
        *(Y, SCORES, FOLDS), X=None, pos_label=None, direction="higher", missing="raise"
    )
    first, second = (areas_of(rows).influences for rows in models.values())
    result = rw.compare(Y, SCORES, folds=FOLDS, method="influence")
    assert result.standard_error == pytest.approx(np.sqrt(((first - second) ** 2).sum()), rel=1e-9)
    alone = rw.cross_validated_auc(Y, SCORES["a"], FOLDS)
    assert result.estimates["a"] == pytest.approx(alone.value, abs=1e-12)
    assert alone.standard_error == pytest.approx(np.sqrt((first**2).sum()), rel=1e-12)
    assert result.intervals["a"] == alone.intervals["influence"]


def test_pooled_delong_reports_its_assumption_and_warns_where_it_is_wrong():
    pooled = rw.compare(Y, SCORES, folds=SPLITS, method="delong")
    plain = rw.compare(Y, SCORES, method="delong")
    assert pooled.p_value == plain.p_value
    assert "assumes scores of all folds on one scale" in repr(pooled)
    assert "scale" not in repr(plain)
    shifted = SCORES | {"b": SCORES["b"] + 10.0 * FOLDS}
    with pytest.warns(rw.errors.MisuseWarning, match="pooled AUC of b is .* not on one scale"):
        rw.compare(Y, shifted, folds=SPLITS, method="delong")
    honest = rw.compare(Y, shifted, folds=SPLITS)  # the scale of a fold does not matter to it
    assert honest.difference == pytest.approx(rw.compare(Y, SCORES, folds=SPLITS).difference)


def test_repeats_are_all_used_and_counted_once():
    shuffled = RNG.permutation(FOLDS)
    folds = np.column_stack([FOLDS, shuffled])
    twice = {name: np.column_stack([s, s]) for name, s in SCORES.items()}
    result = rw.compare(Y, twice, folds=folds)
    gaps = np.concatenate(
        [fold_areas(SCORES["a"], f) - fold_areas(SCORES["b"], f) for f in (FOLDS, shuffled)]
    )
    error = np.sqrt(gaps.var(ddof=1) * (1 / (2 * K) + 1 / (K - 1)))
    assert result.difference == pytest.approx(gaps.mean(), abs=1e-12)
    assert result.standard_error == pytest.approx(error, rel=1e-10)
    assert result.df == 2 * K - 1
    again = np.column_stack([FOLDS, FOLDS])
    same = rw.compare(Y, twice, folds=again, method="influence")
    once = rw.compare(Y, SCORES, folds=FOLDS, method="influence")
    assert same.standard_error == pytest.approx(once.standard_error, rel=1e-10)


def test_three_models():
    three = SCORES | {"c": SCORES["a"] + 2 * RNG.normal(size=N)}
    result = rw.compare(Y, three, folds=SPLITS)
    assert result.difference is None
    assert result.p_value == min(result.pairwise["p_adjusted"])
    two = rw.compare(Y, {name: three[name] for name in ("a", "c")}, folds=SPLITS)
    place = list(zip(result.pairwise["first"], result.pairwise["second"], strict=True))
    row = place.index(("a", "c"))
    assert result.pairwise["p_value"][row] == pytest.approx(two.p_value, rel=1e-9)
    joint = rw.compare(Y, three, folds=SPLITS, method="influence")
    assert joint.df == 2


def test_groups_are_moved_together():
    again = np.repeat(np.arange(N), 3)
    many = {name: s[again] for name, s in SCORES.items()}
    robust = rw.compare(Y[again], many, folds=FOLDS[again], groups=again, method="influence")
    once = rw.compare(Y, SCORES, folds=FOLDS, method="influence")
    factor = np.sqrt(N / (N - 1))
    assert robust.standard_error == pytest.approx(once.standard_error * factor, rel=1e-9)
    naive = rw.compare(Y[again], many, folds=FOLDS[again], method="influence")
    assert naive.standard_error == pytest.approx(once.standard_error / np.sqrt(3), rel=1e-9)
    alone = rw.cross_validated_auc(Y[again], many["a"], FOLDS[again], groups=again)
    single = rw.cross_validated_auc(Y, SCORES["a"], FOLDS)
    assert alone.standard_error == pytest.approx(single.standard_error * factor, rel=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "bootstrap"}, "`method` must be one of 'corrected-t'"),
        ({"max_fpr": 0.2}, "`folds` compares full AUCs"),
        ({"sample_weight": -np.ones(N)}, "weights must be finite and at least 0"),
        ({"groups": np.arange(N) % 7}, "the group of row 0 is in the folds"),
        ({"folds": SPLITS[:-1]}, "`folds` never tests row"),
        ({"folds": np.zeros(N)}, "at least two folds"),
    ],
)
def test_errors(options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.compare(Y, SCORES, **({"folds": SPLITS} | options))


def test_several_models_in_one_table():
    table = rw.cross_validated_auc(Y, SCORES, (split for split in SPLITS))
    assert table.names == ("a", "b")
    assert table["b"].value == rw.cross_validated_auc(Y, SCORES["b"], SPLITS).value
    frame = table.to_frame()
    assert list(frame["model"]) == ["a"] * 3 + ["b"] * 3
    assert rw.cross_validated_auc(Y, {"a": SCORES["a"]}, SPLITS).names == ("a",)
    gap = {"a": SCORES["a"], "b": np.where(np.arange(N) == 3, np.nan, SCORES["b"])}
    with pytest.raises(rw.InputError, match=r"`y_score\['b'\]` has 1 missing value"):
        rw.cross_validated_auc(Y, gap, SPLITS)
    dropped = rw.cross_validated_auc(Y, gap, FOLDS, missing="drop")
    assert dropped["a"].n_pos + dropped["a"].n_neg == N - 1  # the same rows for all


def test_several_results_of_cross_validate():
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_validate
    from sklearn.naive_bayes import GaussianNB

    X, cv = np.column_stack(list(SCORES.values())), StratifiedKFold(5)
    models = {"logit": LogisticRegression(), "bayes": GaussianNB()}
    kept = {
        name: cross_validate(model, X, Y, cv=cv, return_estimator=True, return_indices=True)
        for name, model in models.items()
    }
    table = rw.cross_validated_auc(Y, kept, X=X)
    for name, model in models.items():
        scores = cross_val_predict(model, X, Y, cv=cv, method="predict_proba")[:, 1]
        alone = rw.cross_validated_auc(Y, scores, list(cv.split(X, Y)))
        assert table[name].value == pytest.approx(alone.value, abs=1e-12)


@pytest.mark.parametrize("method", ["corrected-t", "influence"])
def test_weights_of_folds(method):
    rng = np.random.default_rng(8)
    weights = rng.uniform(0.5, 3, N)
    plain = rw.compare(Y, SCORES, folds=SPLITS, method=method)
    constant = rw.compare(Y, SCORES, folds=SPLITS, method=method, sample_weight=np.full(N, 2.5))
    assert constant.difference == pytest.approx(plain.difference, rel=1e-12)
    assert constant.standard_error == pytest.approx(plain.standard_error, rel=1e-12)
    weighted = rw.compare(Y, SCORES, folds=SPLITS, method=method, sample_weight=weights)
    folds = [test for _, test in SPLITS]
    areas = {
        name: [rw.auc(Y[t], s[t], sample_weight=weights[t]).value for t in folds]
        for name, s in SCORES.items()
    }
    for name, values in areas.items():
        assert weighted.estimates[name] == pytest.approx(np.mean(values), rel=1e-12)
    if method == "corrected-t":
        differences = np.subtract(*areas.values())
        expected = np.sqrt(differences.var(ddof=1) * (1 / K + 1 / (K - 1)))
        assert weighted.standard_error == pytest.approx(expected, rel=1e-9)
    else:  # the weight of a row moved by a little shows its influence
        moved = []
        for row in range(N):
            more = weights.copy()
            more[row] *= 1 + 1e-6
            found = rw.compare(Y, SCORES, folds=SPLITS, method=method, sample_weight=more)
            moved.append((found.difference - weighted.difference) / 1e-6)
        assert weighted.standard_error == pytest.approx(np.linalg.norm(moved), rel=0.05)
    assert "weights of" in repr(weighted)
