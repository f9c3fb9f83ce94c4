"""Searches for weights: worked examples, brute force, bounds, and time limits."""

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from oracles.weighted_classes import A1, A2, A3, PRIOR, cost, drawn, losses
from rocwise.inputs import class_rows
from rocwise.multiclass import Evolution, class_weights
from rocwise.multiclass.operating_points import operating_problem
from rocwise.multiclass.weight_searches import SoftCost, TimeLimit, passes


def cuts(ratios):
    """Weights that separate rows whose ratios differ: below, between and above them."""
    between = np.sqrt(ratios[:-1]) * np.sqrt(ratios[1:])
    return np.concatenate((ratios[:1] / 2, between, ratios[-1:] * 2))


def problem_of(data, prior=None):
    return operating_problem(class_rows(data.y, data.F, nonnegative=True), data.C, prior)


@pytest.mark.parametrize(
    ("data", "options", "weights", "expected"),
    [
        (A1, {}, (1, 2.4152294577, 2.2592402853), 0.25),
        (A1, {"stage": "seen"}, (1, 2.4152294577, 2.2592402853), 0.25),
        (A1, {"order": (0, 2, 1)}, (1, 0.8728715609, 1.0246950766), 0.375),
        (A1, {"prior": PRIOR}, None, 0.3166666667),
        (A3, {}, (1, 0.3162277660, 1.3093073414, 1.1338934190), 1 / 3),
        (A3, {"stage": "seen"}, (1, 0.7071067812, 1.2309463095, 1.4491376746), 1 / 9),
        (A3, {"order": (3, 2, 1, 0)}, None, 2 / 9),
        (A2, {}, None, 1.5),
    ],
)
def test_sequential_examples(data, options, weights, expected):
    found = class_weights(data.y, data.F, costs=data.C, method="sequential", **options)
    assert found.cost == pytest.approx(expected, abs=1e-9)
    if weights is not None:
        assert found.weights == pytest.approx(weights, abs=1e-9)


@pytest.mark.parametrize(
    ("data", "weights", "history"),
    [
        (A1, (0.4140393356, 1, 1), [0.375, 0.25, 0.25]),
        (A3, (1, 0.5477225575, 1, 1), [1 / 3, 2 / 9, 2 / 9]),
    ],
)
def test_passes_from_equal_weights(data, weights, history):
    found, costs = passes(problem_of(data), np.ones(len(weights)), TimeLimit())
    assert found == pytest.approx(weights, abs=1e-9)
    assert costs == pytest.approx(history, abs=1e-12)


@pytest.mark.parametrize(("data", "expected"), [(A1, 0.25), (A2, 0.875), (A3, 1 / 9)])
def test_best_of_three_passes(data, expected):
    found = class_weights(data.y, data.F, costs=data.C, method="passes")
    assert found.cost == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ["generic", "ties", "zeros"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_no_single_weight_can_be_bettered(kind, seed):
    y, F, C = drawn(25, 4, seed, kind)
    found = class_weights(y, F, costs=C, method="passes")
    a = losses(y, C)
    assert found.cost == pytest.approx(cost(F, a, found.weights), abs=1e-12)
    assert found.cost <= found.baseline_cost + 1e-12
    for k in range(4):
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = (F * found.weights)[:, np.arange(4) != k].max(axis=1) / F[:, k]
        ratios = np.unique(ratios[np.isfinite(ratios) & (ratios > 0)].round(10))
        for weight in cuts(ratios):
            trial = found.weights.copy()
            trial[k] = weight
            assert cost(F, a, trial) >= found.cost - 1e-9


def test_stages_agree_when_all_errors_cost_the_same():
    for seed in range(10):
        y, F, _ = drawn(30, 4, seed)
        both = [class_weights(y, F, method="sequential", stage=stage) for stage in ("all", "seen")]
        assert both[0].weights == pytest.approx(both[1].weights)


def test_orders():
    y, F, C = drawn(40, 4, 3)
    costs = [
        class_weights(y, F, costs=C, method="sequential", order=order).cost
        for order in permutations(range(4))
    ]
    assert len(set(np.round(costs, 9))) > 1  # the order matters
    best = class_weights(y, F, costs=C, method="sequential", order="all")
    assert best.cost == pytest.approx(min(costs))
    falling = tuple(np.argsort(-np.bincount(y), kind="stable"))
    common = class_weights(y, F, costs=C, method="sequential", order="frequency")
    given = class_weights(y, F, costs=C, method="sequential", order=falling)
    assert common.weights == pytest.approx(given.weights)


@pytest.mark.parametrize(
    ("order", "words"),
    [((0, 1), "each class 0..2 once"), ((0, 1, 1), "once"), ("random", "'frequency', 'all'")],
)
def test_bad_orders_raise(order, words):
    with pytest.raises(ValueError, match=words):
        class_weights(A1.y, A1.F, method="sequential", order=order)


BINARY = [0.9, 0.8, 0.8, 0.6, 0.55, 0.3, 0.3, 0.1], [1, 1, 0, 1, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("fn", "fp", "theta", "total"), [(1, 1, 0.575, 2), (5, 1, 0.2, 3), (1, 5, 0.85, 3)]
)
@pytest.mark.parametrize("method", ["sweep", "passes", "pair-moves", "auto"])
def test_two_classes_have_the_best_cut(method, fn, fp, theta, total):
    """Scores s as log-ratios: the weight exp(-theta) of class 1 is the cut s >= theta."""
    s, y = BINARY
    F = np.column_stack([np.ones(8), np.exp(s)])
    found = class_weights(y, F, costs=[[0, fp], [fn, 0]], method=method)
    assert found.cost * 8 == pytest.approx(total)
    assert -np.log(found.weights[1] / found.weights[0]) == pytest.approx(theta)
    assert found.optimal


def test_printed_outer_cuts_miss_all_and_none():
    """Misprint: from the largest to the smallest, h(x_1) - eps and h(x_n) + eps lie inside."""
    s, y = (np.array(part) for part in BINARY)
    values, eps = np.unique(s)[::-1], 1e-3
    between = (values[:-1] + values[1:]) / 2
    printed = [values[0] - eps, *between, values[-1] + eps]

    def total(theta, fn, fp):
        return fn * (y[s < theta] == 1).sum() + fp * (y[s >= theta] == 0).sum()

    none_is_best = {"fn": 1, "fp": 100}
    at_printed = min(total(theta, **none_is_best) for theta in printed)
    y_flipped = 1 - y  # the largest score is now a negative: only "none" costs nothing more
    F = np.column_stack([np.ones(8), np.exp(s)])
    found = class_weights(y_flipped, F, costs=[[0, 100], [1, 0]], method="sweep")
    assert found.called[:, 1].tolist() == [0, 0]  # none is predicted positive
    flipped = min(
        (y_flipped[s < t] == 1).sum() + 100 * (y_flipped[s >= t] == 0).sum() for t in printed
    )
    assert found.cost * 8 == pytest.approx(4)
    assert flipped > 4
    assert at_printed >= 3


def columns(data):
    return class_weights(data.y, data.F, costs=data.C, method="cost-columns")


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
    found = class_weights([1, 0, 1], F, method="cost-columns")
    assert found.predict(F).tolist() == ((1 - F) / found.weights).argmin(axis=1).tolist()


def test_a_row_without_risk_keeps_its_class():
    F = [[1.0, 0, 0], [0, 1.0, 0], [0.2, 0.3, 0.5], [0.4, 0.3, 0.3]]
    found = class_weights([2, 2, 2, 2], F, method="cost-columns", prior=[0, 0, 1])
    assert found.predict(F)[:2].tolist() == [0, 1]


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
    proportions = data.F * w / (data.F * w).sum(axis=1, keepdims=True)
    expected = (losses(data.y, data.C) * proportions).sum()
    assert goal_of(data).value(np.log(w)) == pytest.approx(expected)


def test_the_least_smooth_cost_may_be_a_constant_classifier():
    found = class_weights(A1.y, A1.F, costs=A1.C, method="soft", rng=0)
    assert found.objective == pytest.approx(0.6250000052, abs=1e-9)
    assert found.at_bound
    assert set(found.predict(A1.F)) == {1}
    assert found.cost == pytest.approx(0.625)


@pytest.mark.parametrize("method", ["soft", "genetic-soft"])
def test_objective_is_the_smooth_cost_at_the_weights(method):
    data = drawn(40, 3, 4)
    found = class_weights(data.y, data.F, costs=data.C, method=method, rng=1)
    at_weights = goal_of(data).value(np.log(found.weights))
    assert found.objective == pytest.approx(at_weights, abs=1e-9)
    assert at_weights <= goal_of(data).value(np.zeros(3)) + 1e-9


@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_zeros_are_no_trouble():
    F = [[0, 0, 0], [1, 0, 0], [0, 0.5, 0.5], [0.2, 0, 0.8]]
    goal = goal_of(A1._replace(y=[0, 0, 1, 2], F=F))
    value, slopes = goal(np.zeros(3))
    assert np.isfinite(value)
    assert np.isfinite(slopes).all()
    # the row without confidence counts as class 0, which is right; the second is certain
    assert value == pytest.approx((0.5 * 3 + 0.2 * 7) / 4)


DIFFERENCES = Evolution(engine="differential-evolution", generations=20)


@pytest.mark.parametrize("evolution", [None, DIFFERENCES], ids=["genetic", "differences"])
def test_never_dearer_than_equal_weights_and_repeatable(evolution):
    for seed in range(4):
        data = drawn(40, 4, seed)
        options = {"costs": data.C, "method": "genetic", "evolution": evolution}
        found = class_weights(data.y, data.F, rng=seed, **options)
        assert found.cost <= found.baseline_cost + 1e-12
        again = class_weights(data.y, data.F, rng=found.seed, **options)
        assert again.weights.tolist() == found.weights.tolist()
        assert np.abs(np.log(found.weights / found.weights[0])).max() <= 8 + 1e-9


def test_finds_the_optimum_of_the_example():
    assert class_weights(A1.y, A1.F, costs=A1.C, method="genetic", rng=0).cost == 0.25


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"population": 4}, "at least 5"),
        ({"generations": 0}, "at least 1"),
        ({"crossover": 1.5}, "between 0 and 1"),
        ({"engine": "simulated annealing"}, "'differential-evolution'"),
    ],
)
def test_bad_plans_raise(options, words):
    with pytest.raises(ValueError, match=words):
        Evolution(**options)


def test_a_plan_of_another_kind_raises():
    with pytest.raises(ValueError, match=r"must be an Evolution\(...\); got 'fast'"):
        class_weights(A1.y, A1.F, method="genetic", evolution="fast")


def test_all_orders_of_seven_classes_are_too_many():
    data = drawn(20, 7, 0)
    with pytest.raises(ValueError, match="at most 6 classes; got 7"):
        class_weights(data.y, data.F, method="sequential", order="all")
