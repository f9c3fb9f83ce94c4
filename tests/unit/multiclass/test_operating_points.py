"""Expected cost: worked examples, the tie rule, zeros, and errors."""

import numpy as np
import pytest

import rocwise as rw
from oracles.weighted_classes import A1, A2, A3, PRIOR, cost, drawn, losses
from rocwise.multiclass import class_cost, class_weights, metaclass


@pytest.mark.parametrize(
    ("data", "weights", "costs", "prior", "expected"),
    [
        (A1, None, None, None, 0.25),
        (A1, None, A1.C, None, 0.375),
        (A1, (1, 0.8, 1.5), A1.C, None, 0.625),
        (A1, (1, 0.8, 1.5), A1.C, PRIOR, 0.5),
        (A2, None, A2.C, None, 1.875),
        (A3, None, A3.C, None, 1 / 3),
        (A3, (1, 0.5, 2, 1.5), A3.C, None, 1 / 3),
    ],
)
def test_worked_examples(data, weights, costs, prior, expected):
    found = class_cost(data.y, data.F, rule=weights, costs=costs, prior=prior)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_cost_row_by_row(seed):
    data = drawn(40, 4, seed)
    rng = np.random.default_rng(seed)
    w, v = rng.random(4), rng.integers(1, 4, 40)
    prior = np.array([0.1, 0.2, 0.3, 0.4])
    expected = cost(data.F, losses(data.y, data.C, prior, v), w)
    found = class_cost(data.y, data.F, rule=w, costs=data.C, prior=prior, sample_weight=v)
    assert found == pytest.approx(expected, abs=1e-12)


def test_equal_costs_give_the_error_rate():
    y, F, _ = drawn(50, 3, 0)
    assert class_cost(y, F) == pytest.approx((F.argmax(axis=1) != y).mean())


def test_the_scale_of_weights_and_scores_does_not_matter():
    y, F, C = drawn(30, 3, 1)
    w = np.array([0.3, 1.1, 0.7])
    reference = class_cost(y, F, rule=w, costs=C)
    assert class_cost(y, 1000 * F, rule=8 * w, costs=C) == pytest.approx(reference)


def test_ties_go_to_the_lowest_class():
    found = class_weights([0, 1, 2], np.eye(3) + 1, method="passes")
    assert found.predict([[0.2, 0.2, 0.2], [0, 1, 1]]).tolist() == [
        int(np.argmax(found.weights)),
        1 + int(found.weights[2] > found.weights[1]),
    ]
    equal = class_cost([0, 1, 2], [[1, 1, 1]] * 3)
    assert equal == pytest.approx(2 / 3)  # all called class 0


def test_rows_without_confidence_are_class_0_and_counted():
    F = [[0, 0, 0], [0.5, 0.2, 0.3], [0, 0, 0], [0.1, 0.1, 0.8]]
    with pytest.warns(rw.errors.MisuseWarning, match=r"2 rows without.*first at row 0.*class 0"):
        found = class_weights([0, 0, 1, 2], F)
    assert found.cost == pytest.approx(0.25)
    with pytest.warns(rw.errors.MisuseWarning, match=r"1 row without.*first at row 1"):
        assert found.predict([[0.9, 0.1, 0], [0, 0, 0]])[1] == 0


def test_no_confidence_at_all():
    with pytest.warns(rw.errors.MisuseWarning, match="2 rows"):
        found = class_weights([0, 1], np.zeros((2, 2)), method="lp")
    assert (found.cost, found.weights.tolist()) == (0.5, [1, 1])


def test_a_class_without_prior_and_rows_contributes_nothing():
    y, F = [0, 0, 1, 1], [[0.6, 0.3, 0.1], [0.5, 0.4, 0.1], [0.2, 0.7, 0.1], [0.45, 0.4, 0.15]]
    C = [[0, 1, 1], [1, 0, 1], [9, 9, 0]]
    found = class_weights(y, F, costs=C, prior=[0.5, 0.5, 0])
    pair = class_weights(y, np.array(F)[:, :2], costs=np.array(C)[:2, :2])
    assert found.cost == pytest.approx(pair.cost)
    assert class_weights(y, F, costs=C).cost == pytest.approx(pair.cost)  # share 0 by default


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"y_true": A1.y[:-1]}, r"`y_true` has 7 values but `y_score\[:, 0\]` has 8"),
        ({"y_true": []}, "`y_true` is empty"),
        ({"y_score": np.ones((8, 1))}, "at least two columns"),
        ({"y_score": np.ones(8)}, r"two-dimensional.*shape \(8,\)"),
        ({"y_score": np.where(np.eye(8, 3), np.inf, 1)}, "3 values not finite.*row 0, column 0"),
        ({"y_score": np.where(np.eye(8, 3), np.nan, 1)}, "missing='drop'"),
        ({"y_score": 1 - 2 * np.eye(8, 3)}, "3 negative values.*first -1 at row 0, column 0"),
        ({"y_true": [0, 0, 1, 1, 1, 2, 2, 3]}, r"outside 0..2 \(first 3 at row 7\)"),
        ({"y_true": [0, 0, 1, 1, 1, 2, 2, 1.5]}, r"1 label not whole \(first 1.5 at row 7\)"),
        ({"y_true": list("aabbbccc")}, "'a', 'b', 'c'.*classes="),
        ({"costs": np.ones((2, 3))}, r"3 by 3 matrix.*\(2, 3\)"),
        ({"costs": np.ones((3, 3))}, r"diagonal.*costs\[0, 0\] = 1"),
        ({"costs": -A1.C[0][1] + np.zeros((3, 3))}, r"at least 0; got costs\[0, 0\] = -1"),
        ({"costs": np.full((3, 3), np.nan)}, r"finite.*got costs\[0, 0\] = nan"),
        ({"costs": "cheap"}, "`costs` must contain numbers"),
        ({"prior": [0.5, 0.5]}, "one probability for each of 3"),
        ({"prior": [0.5, 0.5, 0.5]}, "add up to 1; got 0.5, 0.5, 0.5, which add up to 1.5"),
        ({"prior": [1.5, -0.5, 0]}, "at least 0"),
        ({"y_true": [0, 0, 1, 1, 1, 0, 1, 0], "prior": PRIOR}, "class 2 is 0.2, .*no example"),
        ({"sample_weight": [1] * 7 + [-1]}, "1 negative value"),
        ({"sample_weight": [1] * 7 + [np.inf]}, "1 infinite value"),
        ({"sample_weight": [0] * 8}, "0 for every row"),
        ({"sample_weight": list("abcdefgh")}, "must contain numbers"),
        ({"y_score": [["a", "b"]] * 8}, "must contain numbers; got 'a' at row 0"),
        ({"y_score": None}, "must be a table"),
    ],
)
@pytest.mark.parametrize("function", [class_weights, metaclass, class_cost])
def test_bad_input_raises(function, change, words):
    given = {"y_true": A1.y, "y_score": A1.F, "costs": A1.C, "prior": None} | change
    with pytest.raises(ValueError, match=words):
        function(**given)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ([1, 1], r"each of 3 classes; got the shape \(2,\)"),
        ([0, 0, 0], "not all 0"),
        ([1, 1, -1], "at least 0"),
        ([1, 1, np.nan], "finite"),
        ("heavy", "rule or weights"),
    ],
)
def test_bad_weights_raise(rule, words):
    with pytest.raises(ValueError, match=words):
        class_cost(A1.y, A1.F, rule=rule)


def test_new_rows_are_checked():
    found = class_weights(A1.y, A1.F)
    with pytest.raises(ValueError, match=r"each of 3 classes.*\(1, 2\)"):
        found.predict([[0.5, 0.5]])
    with pytest.raises(ValueError, match="negative"):
        found.predict([[0.5, 0.5, -1]])
    with pytest.raises(ValueError, match="cannot be read as numbers"):
        found.predict([["a", "b", "c"]])


def test_zero_weights_and_rows_that_miss_something():
    assert class_cost(A1.y, A1.F, rule=[0, 0, 1]) == pytest.approx(5 / 8)
    F = np.array(A1.F)
    F[3, 1] = np.nan
    found = class_weights(A1.y, F, costs=A1.C, missing="drop")
    assert found.cost == class_weights(np.delete(A1.y, 3), np.delete(F, 3, 0), costs=A1.C).cost
    assert "1 row with missing values left out" in repr(found)
