"""Risks with weighted columns: examples, and that the plain least risk is never beaten."""

import numpy as np
import pytest

import rocwise as rw
from oracles.weighted_classes import A1, A3, drawn, losses


def columns(data):
    return rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="cost-columns")


def plain_risk_cost(data):
    called = (np.asarray(data.F) @ np.asarray(data.C, dtype=float)).argmin(axis=1)
    return losses(data.y, data.C)[np.arange(len(data.y)), called].sum()


def test_worked_examples():
    found = columns(A1)
    boundary = np.array(A1.C) / found.weights
    expected = [[0, 1, 1.1700519222], [1.0090499582, 0, 0.8775389417], [3.5316748538, 1, 0]]
    assert boundary == pytest.approx(np.array(expected), abs=1e-9)
    assert found.cost == pytest.approx(0.25)
    assert plain_risk_cost(A1) == pytest.approx(0.625)
    assert columns(A3).cost == pytest.approx(0.4444444444, abs=1e-9)
    assert plain_risk_cost(A3) == pytest.approx(0.8888888889, abs=1e-9)


@pytest.mark.parametrize("kind", ["generic", "ties", "zeros"])
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_never_worse_than_the_plain_least_risk(kind):
    for seed in range(5):
        data = drawn(40, 4, seed, kind)
        found = columns(data)
        assert found.cost <= plain_risk_cost(data) + 1e-9
        risk = np.asarray(data.F) @ data.C
        assert found.predict(data.F).tolist() == (risk / found.weights).argmin(axis=1).tolist()


def test_another_family_even_with_equal_costs():
    """argmin alpha_k (1 - f_k) is not argmax w_k f_k: one row that no weights could call so."""
    F = np.array([[0.5, 0.4, 0.1], [0.9, 0.1, 0.0], [0.05, 0.9, 0.05]])
    found = rw.multiclass.class_weights([1, 0, 1], F, method="cost-columns")
    assert found.predict(F).tolist() == ((1 - F) / found.weights).argmin(axis=1).tolist()


def test_a_row_without_risk_keeps_its_class():
    F = [[1.0, 0, 0], [0, 1.0, 0], [0.2, 0.3, 0.5], [0.4, 0.3, 0.3]]
    found = rw.multiclass.class_weights([2, 2, 2, 2], F, method="cost-columns", prior=[0, 0, 1])
    assert found.predict(F)[:2].tolist() == [0, 1]
