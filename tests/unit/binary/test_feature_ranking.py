"""Features ranked by their discrimination."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import rocwise as rw
from unit.binary.test_predicted_roc import TABLE_IV, iris


def test_iris_features():
    X, y = iris()
    ranking = rw.rank_features(X, y)
    assert ranking.feature.tolist() == ["x3", "x2", "x0", "x1"]
    for k, name in enumerate(ranking.feature):
        column = int(name[1:])
        auc, best, *_ = TABLE_IV[column]
        assert 100 * ranking.predicted_auc[k] == pytest.approx(auc, abs=0.005)
        assert 100 * ranking.predicted_ameans[k] == pytest.approx(best, abs=0.005)
        assert ranking.auc[k] == pytest.approx(roc_auc_score(y, X[:, column]), abs=1e-12)
        cuts = np.unique(X[:, column])
        means = [
            ((X[y == 1, column] >= t).mean() + (X[y == 0, column] < t).mean()) / 2 for t in cuts
        ]
        assert ranking.ameans[k] == pytest.approx(max(means), abs=1e-12)
    for quantity in ("predicted_auc", "auc", "predicted_ameans", "ameans"):
        low, high = (getattr(ranking, f"{quantity}_{end}") for end in ("low", "high"))
        value = getattr(ranking, quantity)
        assert np.all((low >= 0) & (low < value) & (value < high) & (high <= 1))


def test_direction():
    X, y = iris()
    table = {"up": X[:, 2], "down": -X[:, 3]}
    plain = rw.rank_features(table, y)
    assert plain.feature.tolist() == ["up", "down"]
    assert plain.predicted_auc[1] < 0.5
    assert "1 below 0.5: direction='auto'" in repr(plain)
    auto = rw.rank_features(table, y, direction="auto")
    assert auto.feature.tolist() == ["down", "up"]
    assert auto.direction.tolist() == ["lower", "higher"]
    cut = auto.predicted_threshold[0]
    balance = ((-X[y == 1, 3] < cut).mean() + (-X[y == 0, 3] >= cut).mean()) / 2
    assert balance == pytest.approx(auto.ameans[0], abs=0.02)
    assert "below 0.5" not in repr(auto)


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        ([1, 2, 3, 4], {}, "`X` must be a table"),
        ({}, {}, "`X` is empty; at least one column is needed"),
        ({"a": [1, 2, np.nan, 4]}, {}, r"`X\['a'\]`"),
        ({"a": [1, 2, 3, np.inf]}, {}, r"`X\['a'\]` must contain finite.*got inf at row 3"),
        ({"a": [-np.inf, 2, 3, 4]}, {}, r"`X\['a'\]` must contain finite.*got -inf at row 0"),
        ({"a": [1, 2, 3, 4]}, {"direction": "up"}, "`direction`"),
        ({"a": [1, 2, 3, 4]}, {"level": 2}, "`level`"),
    ],
)
def test_errors(X, options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.rank_features(X, [0, 0, 1, 1], **options)


def test_one_case_in_a_class_raises():
    with pytest.raises(rw.InputError, match=r"`y` has 1 positive, 3 negatives.*two cases"):
        rw.rank_features({"a": [1, 2, 3, 4]}, [0, 0, 0, 1])


def test_missing_values_can_be_left_out():
    X, y = iris()
    holes = X.copy()
    holes[3, 1] = holes[70, 2] = np.nan
    with pytest.raises(rw.InputError, match=r"`X\['x1'\]` has 1 missing.*missing='drop'"):
        rw.rank_features(holes, y)
    kept = np.isfinite(holes).all(axis=1)
    ours, expected = rw.rank_features(holes, y, missing="drop"), rw.rank_features(X[kept], y[kept])
    np.testing.assert_array_equal(ours.predicted_auc, expected.predicted_auc)
    assert "2 rows with missing values left out" in repr(ours)


def limits_of(ranking, feature):
    k = ranking.feature.tolist().index(feature)
    names = ("predicted_auc", "auc", "predicted_ameans", "ameans")
    return {
        name: [getattr(ranking, f"{name}{end}")[k] for end in ("_low", "", "_high")]
        for name in names
    }


def test_a_constant_feature_is_ranked_at_chance():
    X, y = iris()
    table = {"good": X[:, 2], "constant": np.full(100, 7.0), "backwards": -X[:, 2]}
    ranking = rw.rank_features(table, y)
    assert ranking.feature.tolist() == ["good", "constant", "backwards"]
    assert ranking.note.tolist() == ["", "constant", ""]
    for name, (low, value, high) in limits_of(ranking, "constant").items():
        assert value == 0.5, name
        assert 0 <= low <= 0.5 < high <= 1, name
    for name in ("predicted_auc", "auc"):
        low, _, high = limits_of(ranking, "constant")[name]
        assert low < 0.5 < high
    assert (low, high) == pytest.approx(tuple(rw.auc(y, np.full(100, 7.0)).interval))
    assert ranking.predicted_threshold[1] == np.inf


@pytest.mark.parametrize(
    ("x", "note", "auc", "ameans", "threshold"),
    [
        ([1, 1, 1, 2, 3, 4], "constant among the negatives", 0.977249868, 0.988624934, 1.0),
        ([2, 3, 4, 5, 5, 5], "constant among the positives", 0.977249868, 0.988624934, 5.0),
        ([1, 1, 1, 2, 2, 2], "constant within each class", 1.0, 1.0, 1.5),
        ([2, 2, 2, 1, 1, 1], "constant within each class", 0.0, 0.5, np.inf),
    ],
)
def test_classes_without_variance(x, note, auc, ameans, threshold):
    """The limit of the normal model as an sd goes to 0: Phi(2) for a distance of two sds."""
    ranking = rw.rank_features({"x": x}, [0, 0, 0, 1, 1, 1])
    assert ranking.note.tolist() == [note]
    assert ranking.predicted_auc[0] == pytest.approx(auc, abs=1e-9)
    assert ranking.predicted_ameans[0] == pytest.approx(ameans, abs=1e-9)
    assert ranking.predicted_threshold[0] == pytest.approx(threshold, abs=1e-12)
    for low, value, high in limits_of(ranking, "x").values():
        assert 0 <= low <= value <= high <= 1
        assert high - low > 0.01
