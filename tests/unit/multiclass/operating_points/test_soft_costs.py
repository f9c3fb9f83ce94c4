"""The smooth cost: worked values, its gradient, its limit, and what minimising it gives."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

import rocwise as rw
from oracles.weighted_classes import A1, A3, drawn, losses
from rocwise.inputs import class_rows
from rocwise.multiclass import class_cost
from rocwise.multiclass.operating_points import operating_problem
from rocwise.multiclass.weight_searches import SoftCost, TimeLimit, soft


def goal_of(data):
    rows = class_rows(data.y, data.F, nonnegative=True)
    return SoftCost(operating_problem(rows, data.C, None))


@pytest.mark.parametrize(
    ("data", "weights", "value", "gradient", "digits"),
    [
        (A1, (1, 1, 1), 1.48125, None, None),
        (A1, (1, 0.8, 1.5), 1.5348533336, (0.2996280836, -0.2811321135, -0.0184959701), 1e-10),
        (A3, (1, 0.5, 2, 1.5), 1.7922016322, (0.0244947, 0.1143783, 0.0124920, -0.1513650), 5e-8),
    ],
)
def test_worked_values(data, weights, value, gradient, digits):
    found, slopes = goal_of(data)(np.log(weights))
    assert found == pytest.approx(value, abs=1e-10)
    assert slopes.sum() == pytest.approx(0, abs=1e-12)
    if gradient is not None:
        assert slopes == pytest.approx(gradient, abs=digits)


@pytest.mark.parametrize("sharpness", [1.0, 8.0])
def test_gradient_by_differences(sharpness):
    goal = goal_of(drawn(20, 4, 0))
    u = np.random.default_rng(0).normal(size=4)
    by_differences = approx_fprime(u, lambda v: goal(v, sharpness)[0], 1e-7)
    assert goal(u, sharpness)[1] == pytest.approx(by_differences, abs=1e-5)


def test_row_by_row():
    data = drawn(15, 3, 1)
    w = np.array([0.5, 1.5, 1.0])
    shares = data.F * w / (data.F * w).sum(axis=1, keepdims=True)
    expected = (losses(data.y, data.C) * shares).sum()
    assert goal_of(data).value(np.log(w)) == pytest.approx(expected)


def test_sharper_tends_to_the_expected_cost():
    data = drawn(25, 3, 2)
    w = np.array([1.0, 2.0, 0.5])
    expected = class_cost(data.y, data.F, rule=w, costs=data.C)
    assert goal_of(data)(np.log(w), 1e5)[0] == pytest.approx(expected, abs=1e-6)


def test_the_least_smooth_cost_may_be_a_constant_classifier():
    found = rw.multiclass.class_weights(A1.y, A1.F, costs=A1.C, method="soft", rng=0)
    assert found.objective == pytest.approx(0.6250000052, abs=1e-9)
    assert found.at_bound
    assert set(found.predict(A1.F)) == {1}
    assert found.cost == pytest.approx(0.625)


@pytest.mark.parametrize("method", ["soft", "genetic-soft"])
def test_objective_is_the_smooth_cost_at_the_weights(method):
    data = drawn(40, 3, 4)
    found = rw.multiclass.class_weights(data.y, data.F, costs=data.C, method=method, rng=1)
    at_weights = goal_of(data).value(np.log(found.weights))
    assert found.objective == pytest.approx(at_weights, abs=1e-9)
    assert at_weights <= goal_of(data).value(np.zeros(3)) + 1e-9


def test_gradients_find_what_chance_finds():
    data = drawn(40, 3, 4)
    by = {
        method: rw.multiclass.class_weights(
            data.y, data.F, costs=data.C, method=method, rng=1
        ).objective
        for method in ("soft", "genetic-soft")
    }
    assert by["soft"] <= by["genetic-soft"] + 1e-9


def test_continuation_helps():
    """Kept by expected cost on the way, so never dearer than equal weights; mostly much better."""
    plain, sharpened = [], []
    for seed in range(6):
        data = drawn(50, 3, seed)
        found = rw.multiclass.class_weights(
            data.y, data.F, costs=data.C, method="soft", continuation=True, rng=0
        )
        assert found.cost <= found.baseline_cost + 1e-12
        sharpened.append(found.cost)
        plain.append(
            rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="soft", rng=0).cost
        )
    assert np.mean(sharpened) < np.mean(plain)


@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_zeros_are_no_trouble():
    F = [[0, 0, 0], [1, 0, 0], [0, 0.5, 0.5], [0.2, 0, 0.8]]
    goal = goal_of(A1._replace(y=[0, 0, 1, 2], F=F))
    value, slopes = goal(np.zeros(3))
    assert np.isfinite(value)
    assert np.isfinite(slopes).all()
    # the row without confidence counts as class 0, which is right; the second is certain
    assert value == pytest.approx((0.5 * 3 + 0.2 * 7) / 4)


@pytest.mark.parametrize("tried", [1, 4, 9])
def test_the_time_limit_ends_a_descent_between_two_steps(tried, monkeypatch):
    data, limit, asked = drawn(40, 4, 0), TimeLimit(60.0), []
    plain = SoftCost.__call__

    def counted(self, point, sharpness=1.0):
        found = plain(self, point, sharpness)
        asked.append((found[0], point.tolist()))
        return found

    monkeypatch.setattr(SoftCost, "__call__", counted)
    monkeypatch.setattr(limit, "left", lambda: tried - len(asked))
    rows = class_rows(data.y, data.F, nonnegative=True)
    weights, _ = soft(operating_problem(rows, data.C, None), 0, limit)
    assert limit.ran_out
    assert len(asked) == tried + 1  # and once more where it has arrived
    assert np.log(weights).tolist() == pytest.approx(min(asked)[1])
