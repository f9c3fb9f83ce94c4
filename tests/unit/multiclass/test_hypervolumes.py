"""HUM against every tuple and every labeling."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

import rocwise as rw
from oracles.class_tables import A1, A3, hum_by_tuples
from rocwise.multiclass.hypervolumes import labellings

RULES = ("sum", "product", "euclid")


def test_worked_examples():
    for rule in RULES:
        assert rw.multiclass.hum(*A1, rule=rule).value == pytest.approx(2 / 3, abs=1e-10)
    expected = {"sum": 0.75, "product": 0.8333333333, "euclid": 0.6666666667}
    for rule, value in expected.items():
        result = rw.multiclass.hum(*A3, rule=rule)
        assert result.value == pytest.approx(value, abs=1e-10)
        assert (result.standard_error, result.exact, result.n_tuples) == (0.0, True, 24)


@settings(max_examples=40)
@given(st.integers(2, 5), st.integers(0, 10**6), st.sampled_from(RULES), st.booleans())
def test_agrees_with_all_labellings(m, seed, rule, coarse):
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(m), rng.integers(0, m, 2)]
    F = rng.integers(0, 4, (len(y), m)) / 4 if coarse else rng.random((len(y), m))
    assert rw.multiclass.hum(y, F, rule=rule).value == pytest.approx(
        hum_by_tuples(y, F, rule), abs=1e-12
    )


@pytest.mark.parametrize("rule", RULES)
def test_two_classes_are_the_usual_area(rule):
    rng = np.random.default_rng(2)
    p = rng.random(40).round(1)
    y = (rng.random(40) < p).astype(int)
    result = rw.multiclass.hum(y, np.c_[1 - p, p], rule=rule)
    assert result.value == pytest.approx(rw.auc(y, p).value, abs=1e-12)
    assert result.chance == 0.5


def test_everything_tied_is_chance():
    result = rw.multiclass.hum([0, 1, 2, 3], np.ones((4, 4)))
    assert result.value == pytest.approx(result.chance) == pytest.approx(1 / 24)
    for m in (5, 7):
        assert rw.multiclass.hum(range(m), np.ones((m, m))).value * np.prod(range(1, m + 1)) == (
            pytest.approx(1.0)
        )


def test_counting_labellings():
    rng = np.random.default_rng(3)
    for m in (3, 5, 6):
        allowed = rng.random((m, m)) < 0.6
        np.fill_diagonal(allowed, True)
        slow = sum(all(allowed[range(m), order]) for order in permutations(range(m)))
        assert labellings(allowed) == slow


def test_drawn_tuples_agree_with_all_tuples():
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1, 2], 20)
    F = rng.random((60, 3)) + 0.4 * np.eye(3)[y]
    whole = rw.multiclass.hum(y, F)
    drawn = rw.multiclass.hum(y, F, n_tuples=20_000, rng=1)
    assert abs(drawn.value - whole.value) < 4 * drawn.standard_error
    assert drawn.standard_error == pytest.approx(
        np.sqrt(whole.value * (1 - whole.value) / 20_000), rel=0.05
    )
    assert rw.multiclass.hum(y, F, n_tuples=20_000, rng=drawn.seed).value == drawn.value
    assert "20,000 tuples drawn" in repr(drawn)


def test_too_many_tuples_raise():
    y = np.repeat(range(4), 60)
    with pytest.raises(rw.InputError, match=r"12,960,000 tuples.*n_tuples="):
        rw.multiclass.hum(y, np.ones((240, 4)))
    assert rw.multiclass.hum(y, np.eye(4)[y], n_tuples=1000, rng=1).value == 1.0


def test_errors():
    with pytest.raises(rw.InputError, match="negative"):
        rw.multiclass.hum([0, 1], [[1, -1], [0, 1]])
    with pytest.raises(rw.InputError, match="`rule`"):
        rw.multiclass.hum([0, 1], [[1, 1], [0, 1]], rule="max")
    with pytest.raises(rw.InputError, match="no row of class 1"):
        rw.multiclass.hum([0, 0], [[1, 1], [0, 1]])


def test_iris_of_the_r_package_mcca():
    """The documented example of mcca: three rules, multinomial scores of the iris data, 0.9972."""
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(C=1e8, max_iter=20_000, tol=1e-10).fit(X, y)
    F = model.predict_proba(X)
    for rule in RULES:
        assert rw.multiclass.hum(y, F, rule=rule).value == pytest.approx(0.9972, abs=5e-5)


def test_scores_whose_squares_are_beyond_all_numbers_raise():
    scores = np.full((6, 3), 1e200)
    with pytest.raises(rw.InputError, match="up to 1e\\+200, too large to be squared"):
        rw.multiclass.hum([0, 1, 2] * 2, scores, rule="euclid")


def test_weight_two_is_the_row_twice():
    y, F = np.asarray(A1[0]), np.asarray(A1[1])
    weights = np.arange(len(y)) % 3 + (y == y[0])
    again = np.repeat(np.arange(len(y)), weights)
    weighted = rw.multiclass.hum(y, F, sample_weight=weights)
    assert weighted.value == pytest.approx(rw.multiclass.hum(y[again], F[again]).value)
    drawn = rw.multiclass.hum(y, F, sample_weight=weights, n_tuples=20_000, rng=1)
    assert drawn.value == pytest.approx(weighted.value, abs=4 * drawn.standard_error)
