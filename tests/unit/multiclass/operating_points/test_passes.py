"""Weights one class at a time: worked examples, misprints, and that costs never rise."""

from itertools import permutations

import numpy as np
import pytest

import rocwise as rw
from oracles.weighted_classes import A1, A2, A3, PRIOR, cost, drawn, losses
from rocwise.inputs import class_rows
from rocwise.multiclass.operating_points import operating_problem
from rocwise.multiclass.weight_searches import TimeLimit, passes, sequential


def cuts(ratios):
    """Weights that tell rows apart whose ratios differ: below, between and above them."""
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
    found = rw.multiclass.class_weights(
        data.y, data.F, costs=data.C, method="sequential", **options
    )
    assert found.cost == pytest.approx(expected, abs=1e-9)
    if weights is not None:
        assert found.weights == pytest.approx(weights, abs=1e-9)


def test_costs_after_the_first_stage():
    pair = problem_of(A1)
    weights = np.array([1, sequential(pair, (0, 1, 2), "all", TimeLimit())[1], 0])
    assert pair.cost_at(weights) == pytest.approx(0.5)
    seen = np.array(A1.y) < 2
    a = losses(A1.y, A1.C)
    assert cost(np.array(A1.F)[seen], a[seen], weights) == pytest.approx(0.125)


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
    found = rw.multiclass.class_weights(data.y, data.F, costs=data.C, method="passes")
    assert found.cost == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ["generic", "ties", "zeros"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_no_single_weight_can_be_bettered(kind, seed):
    y, F, C = drawn(25, 4, seed, kind)
    found = rw.multiclass.class_weights(y, F, costs=C, method="passes")
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


def printed_candidates(F, placed, target):
    """The candidates as printed, without the weights that were chosen before."""
    return np.unique(F[:, placed].max(axis=1) / F[:, target])


def test_candidates_without_the_chosen_weights_do_worse():
    """Misprint in the source: max f_j / f_p instead of max w_j f_j / f_p."""
    printed_is_worse = 0
    for seed in range(20):
        y, F, C = drawn(30, 3, seed)
        a = losses(y, C)
        weights = sequential(problem_of(drawn(30, 3, seed)), (0, 1, 2), "all", TimeLimit())
        ours = cost(F, a, weights)
        trials = [(*weights[:2], w) for w in cuts(printed_candidates(F, [0, 1], 2))]
        printed = min(cost(F, a, trial) for trial in trials)
        assert ours <= printed + 1e-12
        printed_is_worse += ours < printed - 1e-12
    assert printed_is_worse >= 3


def test_stages_agree_when_all_errors_cost_the_same():
    for seed in range(10):
        y, F, _ = drawn(30, 4, seed)
        both = [
            rw.multiclass.class_weights(y, F, method="sequential", stage=stage)
            for stage in ("all", "seen")
        ]
        assert both[0].weights == pytest.approx(both[1].weights)


def test_orders():
    y, F, C = drawn(40, 4, 3)
    costs = [
        rw.multiclass.class_weights(y, F, costs=C, method="sequential", order=order).cost
        for order in permutations(range(4))
    ]
    assert len(set(np.round(costs, 9))) > 1  # the order matters
    best = rw.multiclass.class_weights(y, F, costs=C, method="sequential", order="all")
    assert best.cost == pytest.approx(min(costs))
    falling = tuple(np.argsort(-np.bincount(y), kind="stable"))
    common = rw.multiclass.class_weights(y, F, costs=C, method="sequential", order="frequency")
    given = rw.multiclass.class_weights(y, F, costs=C, method="sequential", order=falling)
    assert common.weights == pytest.approx(given.weights)


@pytest.mark.parametrize(
    ("order", "words"),
    [((0, 1), "each class 0..2 once"), ((0, 1, 1), "once"), ("random", "'frequency', 'all'")],
)
def test_bad_orders_are_refused(order, words):
    with pytest.raises(ValueError, match=words):
        rw.multiclass.class_weights(A1.y, A1.F, method="sequential", order=order)


def test_all_orders_of_seven_classes_are_too_many():
    y, F, _ = drawn(20, 7, 0)
    with pytest.raises(ValueError, match="at most 6 classes; got 7"):
        rw.multiclass.class_weights(y, F, method="sequential", order="all")


BINARY = [0.9, 0.8, 0.8, 0.6, 0.55, 0.3, 0.3, 0.1], [1, 1, 0, 1, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("fn", "fp", "theta", "total"), [(1, 1, 0.575, 2), (5, 1, 0.2, 3), (1, 5, 0.85, 3)]
)
@pytest.mark.parametrize("method", ["sweep", "passes", "pair-moves", "auto"])
def test_two_classes_have_the_best_cut(method, fn, fp, theta, total):
    """Scores s as log-ratios: the weight exp(-theta) of class 1 is the cut s >= theta."""
    s, y = BINARY
    F = np.column_stack([np.ones(8), np.exp(s)])
    found = rw.multiclass.class_weights(y, F, costs=[[0, fp], [fn, 0]], method=method)
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
    found = rw.multiclass.class_weights(y_flipped, F, costs=[[0, 100], [1, 0]], method="sweep")
    assert found.called[:, 1].tolist() == [0, 0]  # none is called positive
    flipped = min(
        (y_flipped[s < t] == 1).sum() + 100 * (y_flipped[s >= t] == 0).sum() for t in printed
    )
    assert found.cost * 8 == pytest.approx(4)
    assert flipped > 4
    assert at_printed >= 3


@pytest.mark.parametrize("placed", [1, 2, 3])
def test_classes_for_which_there_is_no_time_have_the_weight_1(placed, monkeypatch):
    problem, order, limit = problem_of(drawn(30, 4, 0)), (2, 0, 3, 1), TimeLimit(60.0)
    whole = sequential(problem, order, "all", limit)
    asked = []
    monkeypatch.setattr(limit, "left", lambda: asked.append(1) or placed - len(asked))
    found = sequential(problem, order, "all", limit)
    assert limit.ran_out
    wanted = np.ones(4)
    wanted[list(order[:placed])] = whole[list(order[:placed])]
    assert found.tolist() == wanted.tolist()
