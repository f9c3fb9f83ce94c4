"""The exact sweep: against all assignments, against the lines of the arrangement, against HiGHS."""

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
    cost,
    drawn,
    least_cost,
    lines_and_sides,
    losses,
)


def swept(data, **options):
    return rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="sweep", **options)


@pytest.mark.parametrize(
    ("data", "prior", "expected"), [(A1, None, 0.25), (A1, PRIOR, 0.2666666667), (A2, None, 0.875)]
)
def test_worked_examples(data, prior, expected):
    found = swept(data, prior=prior)
    assert found.cost == pytest.approx(expected, abs=1e-10)
    assert found.optimal
    assert found.cost == pytest.approx(cost(data.F, losses(data.y, data.C, prior), found.weights))


def test_equal_costs():
    assert rw.multiclass.class_weights(A1.y, A1.F, method="sweep").cost == pytest.approx(0.25)


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
    found = rw.multiclass.class_weights(y, F, costs=C, method="sweep")
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


@pytest.mark.parametrize("seed", range(3))
def test_as_cheap_as_the_exact_programme(seed):
    data = drawn(30, 3, seed)
    programme = rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="milp")
    assert swept(data).cost == pytest.approx(programme.cost, abs=1e-9)
    assert programme.objective == pytest.approx(programme.cost, abs=1e-9)


def test_never_dearer_than_anything_else():
    data = drawn(60, 3, 1)
    least = swept(data).cost
    for method in ("sequential", "passes", "lp", "soft", "genetic-soft", "genetic", "pair-moves"):
        found = rw.multiclass.class_weights(data.y, data.F, costs=data.C, method=method, rng=0)
        assert found.cost >= least - 1e-12


def test_weights_lie_inside_their_cell():
    data = drawn(50, 3, 2, "ties")
    found = swept(data)
    for sign in (1, -1):
        moved = found.weights * np.exp(sign * 1e-7 * np.array([0, 1, -1]))
        assert cost(data.F, losses(data.y, data.C), moved) == pytest.approx(found.cost)


def test_more_than_three_classes_are_refused():
    with pytest.raises(ValueError, match=r"two or three classes; got 4.*pair-moves"):
        rw.multiclass.class_weights(A3.y, A3.F, method="sweep")


@pytest.mark.parametrize("y", [[0, 1, 2], [1, 1, 1], [2, 2, 0]])
def test_extremes(y):
    """Three rows, one class only, separated classes, all rows tied."""
    assert rw.multiclass.class_weights(y, np.eye(3) + 0.1).cost >= 0
    tied = rw.multiclass.class_weights(y, np.ones((3, 3)))
    largest = max(np.bincount(y))
    assert tied.cost == pytest.approx(1 - largest / 3)


def test_an_optimum_beyond_the_floats_is_not_claimed():
    """Ratios of 1e300 in both directions: no floats realise the best cell."""
    F = np.array(
        [[1, 1e-300, 1], [1, 1e-300, 1e-300], [1e-300, 1, 1e-300], [1e-300, 1, 1]], dtype=float
    )
    found = rw.multiclass.class_weights([1, 1, 2, 2], F, costs=[[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    best = least_cost(F, losses_of_present([1, 1, 2, 2]))
    assert found.optimal == (abs(found.cost - best) < 1e-12)
    assert np.isfinite(found.weights).all()


def losses_of_present(y):
    return (1 - np.eye(3))[y] / len(y)


def test_saturated_confidences():
    """Naive Bayes gives 1e-300 and 0; nothing overflows."""
    F = np.array([[1, 1e-300, 0], [1e-300, 1, 1e-200], [0, 1e-150, 1], [1, 1e-290, 1e-10]])
    found = rw.multiclass.class_weights([0, 1, 2, 2], F, method="sweep")
    assert found.cost == 0
    assert np.isfinite(found.weights).all()
    assert found.predict(F).tolist() == [0, 1, 2, 2]
