"""Exact searches: cells, the sweep, pairs of weights and programs against each other."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from oracles.weighted_classes import (
    A1,
    A2,
    A3,
    PRIOR,
    cells,
    cost,
    drawn,
    greedy_fill,
    least_cost,
    lines_and_sides,
    losses,
)
from rocwise.inputs import class_rows
from rocwise.multiclass import class_weights
from rocwise.multiclass.exact_searches import cell_weights
from rocwise.multiclass.operating_points import operating_problem
from rocwise.multiclass.weight_searches import FoundWeights


def logs(F):
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(F, dtype=float)).T


@pytest.mark.parametrize(("data", "count"), [(A1, 44), (A2, 45)])
def test_cells_of_the_examples(data, count):
    found = list(cells(data.F))
    assert len(found) == count
    for called in found:
        weights = cell_weights(logs(data.F), called)
        assert (np.array(data.F) * weights).argmax(axis=1).tolist() == called.tolist()


@pytest.mark.parametrize(("n", "m"), [(5, 3), (6, 3), (5, 4)])
@pytest.mark.parametrize("seed", range(3))
def test_no_more_cells_than_counts_of_classes(n, m, seed):
    """At most C(n + m - 1, m - 1), reached by generic data of three classes."""
    _, F, _ = drawn(n, m, seed)
    found = [tuple(np.bincount(called, minlength=m)) for called in cells(F)]
    assert len(set(found)) == len(found)  # distinct cells have distinct counts
    assert len(found) <= comb(n + m - 1, m - 1)
    if m == 3:
        assert len(found) == (n + 1) * (n + 2) // 2


def test_what_no_weights_realise():
    same = logs([[0.6, 0.4], [0.6, 0.4]])
    assert cell_weights(same, np.array([0, 1])) is None  # equal rows, different classes
    assert cell_weights(logs([[0.0, 1.0]]), np.array([0])) is None  # no confidence in class 0
    cycle = logs([[2, 1, 4], [4, 2, 1], [1, 4, 2]])
    assert cell_weights(cycle, np.array([0, 1, 2])) is None


def test_one_class_only():
    weights = cell_weights(logs(A1.F), np.zeros(8, dtype=int))
    assert (np.array(A1.F) * weights).argmax(axis=1).tolist() == [0] * 8


def swept(data, **options):
    return class_weights(data.y, data.F, costs=data.C, method="sweep", **options)


@pytest.mark.parametrize(
    ("data", "prior", "expected"), [(A1, None, 0.25), (A1, PRIOR, 0.2666666667), (A2, None, 0.875)]
)
def test_worked_examples(data, prior, expected):
    found = swept(data, prior=prior)
    assert found.cost == pytest.approx(expected, abs=1e-10)
    assert found.optimal
    assert found.cost == pytest.approx(cost(data.F, losses(data.y, data.C, prior), found.weights))


def test_equal_costs():
    assert class_weights(A1.y, A1.F, method="sweep").cost == pytest.approx(0.25)


@st.composite
def small_problems(draw):
    n = draw(st.integers(1, 6))
    entry = st.one_of(st.integers(0, 4).map(float), st.floats(0.01, 1.0))
    F = np.array(draw(st.lists(st.tuples(entry, entry, entry), min_size=n, max_size=n)))
    y = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    C = np.array(draw(st.lists(st.integers(0, 9), min_size=9, max_size=9)), dtype=float)
    C = C.reshape(3, 3)
    np.fill_diagonal(C, 0)
    return y, F, C


@settings(max_examples=60)
@given(small_problems())
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_no_assignment_is_cheaper(problem):
    """Ties and zeros included: the least cost of all 3^n assignments that weights realise."""
    y, F, C = problem
    found = class_weights(y, F, costs=C, method="sweep")
    with np.errstate(invalid="ignore"):
        a = losses(y, C)
    assert found.cost == pytest.approx(least_cost(F, a), abs=1e-12)
    assert found.cost == pytest.approx(cost(F, a, found.weights), abs=1e-12)


@pytest.mark.parametrize("kind", ["generic", "ties"])
@pytest.mark.parametrize("n", [10, 37, 90])
def test_along_the_lines_of_the_arrangement(n, kind):
    data = drawn(n, 3, 5, kind)
    expected = lines_and_sides(np.asarray(data.F), losses(data.y, data.C))
    assert swept(data).cost == pytest.approx(expected, abs=1e-12)


def test_never_dearer_than_anything_else():
    data = drawn(60, 3, 1)
    least = swept(data).cost
    for method in ("sequential", "passes", "lp", "soft", "genetic-soft", "genetic", "pair-moves"):
        found = class_weights(data.y, data.F, costs=data.C, method=method, rng=0)
        assert found.cost >= least - 1e-12


def test_weights_are_inside_their_cell():
    data = drawn(50, 3, 2, "ties")
    found = swept(data)
    for sign in (1, -1):
        moved = found.weights * np.exp(sign * 1e-7 * np.array([0, 1, -1]))
        assert cost(data.F, losses(data.y, data.C), moved) == pytest.approx(found.cost)


def test_more_than_three_classes_raise():
    with pytest.raises(ValueError, match=r"two or three classes; got 4.*pair-moves"):
        class_weights(A3.y, A3.F, method="sweep")


@pytest.mark.parametrize("y", [[0, 1, 2], [1, 1, 1], [2, 2, 0]])
def test_extremes(y):
    """Three rows, one class only, separated classes, all rows tied."""
    assert class_weights(y, np.eye(3) + 0.1).cost >= 0
    tied = class_weights(y, np.ones((3, 3)))
    largest = max(np.bincount(y))
    assert tied.cost == pytest.approx(1 - largest / 3)


def test_an_optimum_beyond_the_floats_is_not_claimed():
    """Ratios of 1e300 in both directions: no floats realise the best cell."""
    F = np.array(
        [[1, 1e-300, 1], [1, 1e-300, 1e-300], [1e-300, 1, 1e-300], [1e-300, 1, 1]], dtype=float
    )
    found = class_weights([1, 1, 2, 2], F, costs=[[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    best = least_cost(F, losses_of_present([1, 1, 2, 2]))
    assert found.optimal == (abs(found.cost - best) < 1e-12)
    assert np.isfinite(found.weights).all()


def losses_of_present(y):
    return (1 - np.eye(3))[y] / len(y)


def test_saturated_confidences():
    """Naive Bayes gives 1e-300 and 0; nothing overflows."""
    F = np.array([[1, 1e-300, 0], [1e-300, 1, 1e-200], [0, 1e-150, 1], [1, 1e-290, 1e-10]])
    found = class_weights([0, 1, 2, 2], F, method="sweep")
    assert found.cost == 0
    assert np.isfinite(found.weights).all()
    assert found.predict(F).tolist() == [0, 1, 2, 2]


def weights_by(data, method, **options):
    return class_weights(data.y, data.F, costs=data.C, method=method, **options)


def test_worked_example():
    assert weights_by(A3, "pair-moves").cost == pytest.approx(1 / 9)
    assert weights_by(A3, "milp").cost == pytest.approx(1 / 9)


@pytest.mark.parametrize("kind", ["generic", "ties", "zeros"])
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_three_classes_exactly(kind):
    for seed in range(5):
        data = drawn(40, 3, seed, kind)
        found = weights_by(data, "pair-moves")
        assert found.cost == pytest.approx(weights_by(data, "sweep").cost, abs=1e-12)
        assert found.optimal


@pytest.mark.parametrize("kind", ["generic", "ties", "zeros"])
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_never_dearer_than_passes(kind):
    gains = 0
    for seed in range(8):
        data = drawn(60, 5, seed, kind)
        found, start = weights_by(data, "pair-moves"), weights_by(data, "passes")
        assert found.cost <= start.cost + 1e-12
        assert found.cost == pytest.approx(
            cost(data.F, losses(data.y, data.C), found.weights), abs=1e-12
        )
        gains += found.cost < start.cost - 1e-12
    assert gains > 0  # two weights at a time do find more


def problem_of(data):
    return operating_problem(class_rows(data.y, data.F, nonnegative=True), data.C, None)


@pytest.mark.parametrize(("data", "objective"), [(A1, 0.0165965631), (A2, 0.2060039511)])
def test_normalised_programme(data, objective):
    found = class_weights(data.y, data.F, costs=data.C, method="lp")
    assert found.objective == pytest.approx(objective, abs=1e-9)
    largest = np.max(data.F, axis=0)
    assert found.weights @ largest == pytest.approx(1)
    a = losses(data.y, data.C)
    distance = np.abs(found.weights - 1 / largest.sum()).sum()
    assert greedy_fill(data.F, a, found.weights) + 1e-6 * distance == pytest.approx(objective)


@pytest.mark.parametrize("seed", range(3))
def test_the_relaxation_minimises_the_greedy_fill(seed):
    """No random weights do better, and its value is below the cost of any decision."""
    data = drawn(12, 3, seed)
    found = class_weights(data.y, data.F, costs=data.C, method="lp")
    a, largest = losses(data.y, data.C), data.F.max(axis=0)
    rng = np.random.default_rng(seed)
    trials = rng.dirichlet(np.ones(3), 500) / largest
    assert found.objective <= min(greedy_fill(data.F, a, w) for w in trials) + 1e-5
    assert found.objective <= least_cost(data.F, a) + 1e-5


@pytest.mark.parametrize(("data", "expected"), [(A1, 0.25), (A2, 0.875), (A3, 1 / 9)])
def test_exact_programme(data, expected):
    found = class_weights(data.y, data.F, costs=data.C, method="milp")
    assert found.objective == pytest.approx(expected, abs=1e-9)
    assert found.cost == pytest.approx(expected, abs=1e-9)
    assert found.optimal


@pytest.mark.parametrize("kind", ["ties", "zeros"])
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_exact_programme_by_enumeration(kind):
    for seed in range(3):
        data = drawn(7, 4, seed, kind)
        found = class_weights(data.y, data.F, costs=data.C, method="milp")
        a = losses(data.y, data.C)
        assert found.cost == pytest.approx(least_cost(data.F, a), abs=1e-9)
        assert found.objective == pytest.approx(found.cost, abs=1e-9)
        assert found.cost == pytest.approx(cost(data.F, a, found.weights), abs=1e-9)


def test_rows_that_no_weights_move():
    found = class_weights([0, 1, 1], np.array([[1, 0], [1, 0], [0, 1]]), method="milp")
    assert found.cost == pytest.approx(1 / 3)
    assert found.objective == pytest.approx(1 / 3)


def test_a_wrong_solution_of_the_solver_warns(monkeypatch):
    """Confidences closer than the margin of the program: it must not pass for exact."""

    def fooled(problem, limit):
        return FoundWeights(np.ones(3), 0.0, optimal=True)

    monkeypatch.setattr("rocwise.multiclass.exact_searches.exact_programme", fooled)
    with pytest.warns(
        rw.errors.MisuseWarning, match=r"found a cost of 0, but its weights cost 0.375"
    ):
        found = class_weights(A1.y, A1.F, costs=A1.C, method="milp")
    assert not found.optimal


def test_time_over_before_any_solution():
    data = drawn(150, 5, 0)
    found = class_weights(data.y, data.F, costs=data.C, method="milp", time_limit=1e-3)
    assert not found.finished
    assert not found.optimal
    assert found.cost <= found.baseline_cost
    slow = drawn(2000, 6, 0)
    found = class_weights(slow.y, slow.F, costs=slow.C, method="lp", time_limit=1e-3)
    assert not found.finished
    assert found.cost == found.baseline_cost
    assert found.objective is None


def test_costs_too_large_for_the_solver_are_scaled():
    data = drawn(30, 3, 1)
    found = class_weights(data.y, data.F, costs=data.C * 1e12, method="lp")
    plain = class_weights(data.y, data.F, costs=data.C, method="lp")
    assert found.objective == pytest.approx(plain.objective * 1e12, rel=1e-3)
