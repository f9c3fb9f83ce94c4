"""The linear programme and the 0/1 programme: examples, degeneracy as printed, greedy fill."""

import time

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, milp

import rocwise as rw
from oracles.weighted_classes import A1, A2, A3, cost, drawn, greedy_fill, least_cost, losses
from rocwise.inputs import class_rows
from rocwise.multiclass import exact_searches as linear_programmes
from rocwise.multiclass.operating_points import operating_problem
from rocwise.multiclass.weight_searches import TimeLimit


def problem_of(data):
    return operating_problem(class_rows(data.y, data.F, nonnegative=True), data.C, None)


@pytest.mark.parametrize(("data", "objective"), [(A1, 0.0165965631), (A2, 0.2060039511)])
def test_normalised_programme(data, objective):
    found = rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="lp")
    assert found.objective == pytest.approx(objective, abs=1e-9)
    largest = np.max(data.F, axis=0)
    assert found.weights @ largest == pytest.approx(1)
    a = losses(data.y, data.C)
    distance = np.abs(found.weights - 1 / largest.sum()).sum()
    assert greedy_fill(data.F, a, found.weights) + 1e-6 * distance == pytest.approx(objective)


def test_without_the_distance_term(monkeypatch):
    monkeypatch.setattr(linear_programmes, "ETA", 0.0)
    found = linear_programmes.linear_programme(problem_of(A1), TimeLimit())
    assert found.objective == pytest.approx(0.0165960452, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_relaxation_minimises_the_greedy_fill(seed):
    """No random weights do better, and its value is below the cost of any decision."""
    data = drawn(12, 3, seed)
    found = rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="lp")
    a, largest = losses(data.y, data.C), data.F.max(axis=0)
    rng = np.random.default_rng(seed)
    trials = rng.dirichlet(np.ones(3), 500) / largest
    assert found.objective <= min(greedy_fill(data.F, a, w) for w in trials) + 1e-5
    assert found.objective <= least_cost(data.F, a) + 1e-5


@pytest.mark.parametrize("data", [A1, A2, A3])
def test_the_printed_programme_says_nothing(data):
    """Misprint of substance: without a normalisation w = 0 is feasible and free, for any data."""
    found = linear_programmes.linear_programme(problem_of(data), TimeLimit(), normalised=False)
    m = len(data.C)
    assert found.objective == pytest.approx(1e-6 * m, abs=1e-9)
    assert found.weights == pytest.approx(np.zeros(m), abs=1e-9)
    truth = rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="milp").cost
    assert found.objective < truth / 1000


def test_the_printed_programme_says_nothing_with_whole_numbers_either():
    """The 0/1 programme as printed, for one row: w = 0 lets I be anything."""
    # w_0, w_1, I_0, I_1, gamma; the row is of class 1 but looks like class 0
    rows = [[-0.9, 0, 1, 0, 1], [0, -0.1, 0, 1, 1], [0.9, 0, 0, 0, -1], [0, 0.1, 0, 0, -1]]
    found = milp(
        [0, 0, 1, 0, 0],
        integrality=[0, 0, 1, 1, 0],
        constraints=[
            LinearConstraint(rows, -np.inf, [1, 1, 0, 0]),
            LinearConstraint([[0, 0, 1, 1, 0]], 1, 1),
            LinearConstraint([[1, 1, 0, 0, 0]], 0, 0),
        ],
    )
    assert found.fun == pytest.approx(0)


@pytest.mark.parametrize(("data", "expected"), [(A1, 0.25), (A2, 0.875), (A3, 1 / 9)])
def test_exact_programme(data, expected):
    found = rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="milp")
    assert found.objective == pytest.approx(expected, abs=1e-9)
    assert found.cost == pytest.approx(expected, abs=1e-9)
    assert found.optimal


@pytest.mark.parametrize("kind", ["ties", "zeros"])
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_exact_programme_by_enumeration(kind):
    for seed in range(3):
        data = drawn(7, 4, seed, kind)
        found = rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="milp")
        a = losses(data.y, data.C)
        assert found.cost == pytest.approx(least_cost(data.F, a), abs=1e-9)
        assert found.objective == pytest.approx(found.cost, abs=1e-9)
        assert found.cost == pytest.approx(cost(data.F, a, found.weights), abs=1e-9)


def test_rows_that_no_weights_move():
    found = rw.multiclass.class_weights(
        [0, 1, 1], np.array([[1, 0], [1, 0], [0, 1]]), method="milp"
    )
    assert found.cost == pytest.approx(1 / 3)
    assert found.objective == pytest.approx(1 / 3)


def test_a_solution_that_does_not_hold_is_said(monkeypatch):
    """Confidences closer than the margin of the programme: it must not pass for exact."""

    def fooled(problem, limit):
        return linear_programmes.Solved(np.ones(3), 0.0, True)

    monkeypatch.setattr("rocwise.multiclass.weights.exact_programme", fooled)
    with pytest.warns(
        rw.errors.MisuseWarning, match=r"found a cost of 0, but its weights cost 0.375"
    ):
        found = rw.multiclass.class_weights(A1.y, A1.F, costs=A1.C, method="milp")
    assert not found.optimal


def test_time_over_before_any_solution():
    data = drawn(150, 5, 0)
    found = rw.multiclass.class_weights(
        data.y, data.F, costs=data.C, method="milp", time_limit=1e-3
    )
    assert not found.finished
    assert not found.optimal
    assert found.cost <= found.baseline_cost
    slow = drawn(2000, 6, 0)
    found = rw.multiclass.class_weights(slow.y, slow.F, costs=slow.C, method="lp", time_limit=1e-3)
    assert not found.finished
    assert found.cost == found.baseline_cost
    assert found.objective is None


@pytest.mark.parametrize("largest", [1e-6, 1.0, 1e6])
def test_the_optimum_is_proved_in_any_unit_of_costs(largest):
    """The gaps of the solver are absolute (1e-6) and relative (1e-4) unless told otherwise."""
    for seed in range(3):
        data = drawn(25, 3, seed)
        costs = data.C * largest
        costs[0, 1] *= 1000.0
        found = rw.multiclass.class_weights(data.y, data.F, costs=costs, method="milp")
        exact = rw.multiclass.class_weights(data.y, data.F, costs=costs, method="sweep")
        assert found.optimal
        assert found.cost == pytest.approx(exact.cost, rel=1e-9)
        assert found.objective == pytest.approx(exact.cost, rel=1e-9)


def test_costs_too_large_for_the_solver_are_scaled():
    data = drawn(30, 3, 1)
    found = rw.multiclass.class_weights(data.y, data.F, costs=data.C * 1e12, method="lp")
    plain = rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="lp")
    assert found.objective == pytest.approx(plain.objective * 1e12, rel=1e-3)


def test_a_large_programme_stops_in_time():
    data = drawn(1000, 5, 0)
    started = time.perf_counter()
    found = rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="milp", time_limit=0.2)
    assert time.perf_counter() - started < 5
    assert not found.finished
    assert found.cost <= found.baseline_cost
