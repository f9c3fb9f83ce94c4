"""Example data: what it claims to be, and the same every time."""

import sys
from statistics import NormalDist

import numpy as np
import pytest

import rocwise as rw
from rocwise.datasets import (
    binormal_example,
    breast_cancer_scores,
    german_credit,
    heart_disease,
    liver_cirrhosis,
)
from rocwise.errors import InputError, MissingPackageError


def test_binormal_is_the_same_every_time() -> None:
    first, second = binormal_example(30, 70), binormal_example(30, 70)
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])
    assert first[0].sum() == 30
    assert not np.array_equal(first[1], binormal_example(30, 70, rng=1)[1])


@pytest.mark.parametrize(("separation", "spread"), [(1.0, 1.0), (0.5, 2.0), (2.0, 0.5), (0.0, 1.0)])
def test_binormal_has_the_area_of_its_docstring(separation: float, spread: float) -> None:
    y_true, y_score = binormal_example(40_000, 40_000, separation=separation, spread=spread)
    expected = NormalDist().cdf(separation / (1 + spread**2) ** 0.5)
    tally = rw.tally(y_true, y_score)
    concordance = tally.placement_sums.sum_u / (2 * 40_000 * 40_000)
    assert concordance == pytest.approx(expected, abs=5 * 0.5 / 40_000**0.5)
    positives, negatives = y_score[y_true == 1], y_score[y_true == 0]
    assert positives.mean() == pytest.approx(separation, abs=5 * spread / 200)
    assert positives.std() == pytest.approx(spread, rel=0.02)
    assert negatives.mean() == pytest.approx(0, abs=5 / 200)
    assert negatives.std() == pytest.approx(1, rel=0.02)


def test_binormal_order_is_random() -> None:
    y_true, _ = binormal_example(50, 50)
    assert 0 < y_true[:50].sum() < 50


@pytest.mark.parametrize(
    "options", [{"n_pos": 0}, {"n_neg": 1.5}, {"spread": 0}, {"separation": np.nan}, {"rng": "x"}]
)
def test_binormal_errors(options: dict[str, object]) -> None:
    (name,) = options
    with pytest.raises(InputError, match=f"`{name}`"):
        binormal_example(**options)


def test_heart_disease_is_as_described() -> None:
    """Numbers of patients as in the description of the data; the risks are out-of-fold."""
    pytest.importorskip("sklearn")
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    heart = heart_disease()
    counts = {
        name: (int(found.sum()), int(heart["disease"][found].sum()))
        for name in ("Cleveland", "Budapest", "Long Beach")
        if (found := heart["hospital"] == name) is not None
    }
    assert counts == {"Cleveland": (303, 139), "Budapest": (294, 106), "Long Beach": (200, 149)}
    assert np.isnan(heart["st_depression"]).sum() == 56
    measured = ["age", "blood_pressure", "cholesterol", "max_heart_rate", "angina", "st_depression"]
    male = heart["sex"] == "male"
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    for name, n_columns in (("clinical", 3), ("exercise", 6)):
        model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
        x = np.column_stack([male, *(heart[each] for each in measured[:n_columns])])
        risks = cross_val_predict(model, x, heart["disease"], cv=folds, method="predict_proba")
        np.testing.assert_allclose(heart[name], risks[:, 1], atol=0.002)


def test_liver_cirrhosis_is_as_described() -> None:
    """The numbers of the trial; the risk is out-of-fold, of a fit weighted for censoring."""
    pytest.importorskip("sklearn")
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from sklearn.preprocessing import StandardScaler

    import rocwise as rw

    liver = liver_cirrhosis()
    f = rw.survival.follow_up(liver["days"], liver["status"], cause="died", censored="alive")
    assert (len(f), f.n_events, f.n_competing) == (312, 125, 19)
    by_time = f.horizon(1826)
    mass, case = (each[np.argsort(f.order)] for each in (312 * by_time.mass, by_time.case))
    logs = [np.log(liver[name]) for name in ("bilirubin", "albumin", "prothrombin")]
    x = np.column_stack([liver["age"], *logs])
    risk = np.empty(312)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    for train, test in folds.split(x, np.where(mass > 0, case, 2)):
        known = train[mass[train] > 0]
        scale = StandardScaler().fit(x[known])
        model = LogisticRegression().fit(scale.transform(x[known]), case[known], mass[known])
        risk[test] = model.predict_proba(scale.transform(x[test]))[:, 1]
    np.testing.assert_allclose(liver["risk"], risk, atol=0.002)


def test_german_credit_is_as_described() -> None:
    credit = german_credit()
    assert {len(column) for column in credit.values()} == {1000}
    assert credit["bad"].sum() == 300
    assert credit["amount"].max() == 18424
    assert set(credit["checking"]) == {"none", "below 0", "0 to 200", "200 or more"}


@pytest.mark.xdist_group("breast-cancer")
def test_breast_cancer_scores_are_out_of_fold() -> None:
    pytest.importorskip("sklearn")
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    cases = breast_cancer_scores()
    measured = load_breast_cancer()
    np.testing.assert_array_equal(cases.y_true, 1 - measured.target)  # there, 0 is malignant
    model = make_pipeline(StandardScaler(), LogisticRegression())
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    train, test = next(folds.split(measured.data, cases.y_true))
    model.fit(measured.data[train], cases.y_true[train])
    by_hand = model.predict_proba(measured.data[test])[:, 1]
    np.testing.assert_allclose(cases.scores["logistic"][test], by_hand, rtol=1e-9)
    assert roc_auc_score(cases.y_true, cases.scores["logistic"]) > 0.98
    assert 0.9 < roc_auc_score(cases.y_true, cases.scores["tree"]) < 0.98


def test_missing_scikit_learn_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'rocwise\[models\]'"):
        breast_cancer_scores()
