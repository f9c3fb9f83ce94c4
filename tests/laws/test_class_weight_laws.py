"""What must contain for class weights and trees of classes on any data, ties and zeros included."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwise as rw
from rocwise.multiclass import class_cost

pytestmark = pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
confidence = st.one_of(st.integers(0, 3).map(float), st.floats(0.01, 1.0))


@st.composite
def problems(draw, m=3, largest=12):
    n = draw(st.integers(2, largest))
    table = st.lists(st.lists(confidence, min_size=m, max_size=m), min_size=n, max_size=n)
    F = np.array(draw(table))
    y = np.array(draw(st.lists(st.integers(0, m - 1), min_size=n, max_size=n)))
    C = np.array(draw(st.lists(st.integers(0, 9), min_size=m * m, max_size=m * m)), dtype=float)
    C = C.reshape(m, m)
    np.fill_diagonal(C, 0)
    return y, F, C


counts = st.lists(st.integers(0, 3), min_size=12, max_size=12)


@settings(max_examples=40)
@given(problems(), st.integers(0, 10**6))
def test_nothing_is_cheaper_than_the_sweep(data, seed):
    y, F, C = data
    least = rw.multiclass.class_weights(y, F, costs=C, method="sweep")
    for logs in np.random.default_rng(seed).normal(scale=2, size=(30, 3)):
        assert class_cost(y, F, rule=np.exp(logs), costs=C) >= least.cost - 1e-9
    for method in ("sequential", "passes", "pair-moves"):
        found = rw.multiclass.class_weights(y, F, costs=C, method=method)
        assert found.cost == pytest.approx(class_cost(y, F, rule=found.weights, costs=C))
    # inside a cell, so that rounding decides nothing
    moved = least.weights * np.exp([0, 3e-10, -3e-10])
    assert class_cost(y, F, rule=moved, costs=C) == pytest.approx(least.cost)


@settings(max_examples=40)
@given(problems(m=4, largest=15))
def test_more_freedom_is_never_dearer(data):
    y, F, C = data
    pairs, single = (
        rw.multiclass.class_weights(y, F, costs=C, method=method)
        for method in ("pair-moves", "passes")
    )
    assert pairs.cost <= single.cost + 1e-9
    assert single.cost <= single.baseline_cost + 1e-9


@settings(max_examples=40)
@given(problems(), counts)
def test_weights_of_rows_repeat_them(data, times):
    y, F, C = data
    times = np.array(times[: len(y)])
    if not times.any():
        times[0] = 1
    rows = np.repeat(np.arange(len(y)), times)
    for function in (
        lambda *a, **k: rw.multiclass.class_weights(*a, method="sweep", **k),
        lambda *a, **k: rw.multiclass.class_weights(*a, method="sequential", **k),
        rw.multiclass.metaclass,
        class_cost,
    ):
        weighted = function(y, F, costs=C, sample_weight=times)
        repeated = function(y[rows], F[rows], costs=C)
        if isinstance(weighted, float):
            assert weighted == pytest.approx(repeated)
        else:
            assert weighted.cost == pytest.approx(repeated.cost)
            assert weighted.predict(F).tolist() == repeated.predict(F).tolist()


@settings(max_examples=40)
@given(problems(), problems())
def test_expected_cost_is_linear_in_the_costs(data, other):
    y, F, first = data
    second = other[2]
    parts = [class_cost(y, F, costs=C) for C in (first, second)]
    together = class_cost(y, F, costs=first + 2 * second)
    assert together == pytest.approx(parts[0] + 2 * parts[1])


@settings(max_examples=40)
@given(problems(m=4), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(data, random):
    y, F, C = data
    order = list(range(len(y)))
    random.shuffle(order)
    for function in (rw.multiclass.metaclass, rw.multiclass.class_weights):
        here, there = function(y, F, costs=C), function(y[order], F[order], costs=C)
        assert here.cost == there.cost
        assert here.predict(F).tolist() == there.predict(F).tolist()
