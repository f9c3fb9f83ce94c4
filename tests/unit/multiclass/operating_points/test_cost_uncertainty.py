"""Weights for costs that are known only roughly."""

import json

import numpy as np
import pytest

import rocwise as rw
from oracles.weighted_classes import A1, cost, drawn, losses
from rocwise.multiclass import class_weights_under, sample_costs

DRAWS = sample_costs(1, 10, n_classes=3, n_samples=30, whole=True, rng=0)


def under(data, draws=DRAWS, **options):
    return class_weights_under(data.y, data.F, cost_samples=draws, **options)


def test_least_mean_cost_is_that_of_the_mean_costs():
    data = drawn(50, 3, 0)
    found = under(data)
    single = rw.multiclass.class_weights(data.y, data.F, costs=DRAWS.mean(axis=0))
    assert found.weights == pytest.approx(single.weights)
    assert found.cost == pytest.approx(single.cost)
    assert found.baseline_cost == pytest.approx(single.baseline_cost)


def test_regrets_matrix_by_matrix():
    data = drawn(40, 3, 1)
    found = under(data)
    for place, C in enumerate(DRAWS):
        best = rw.multiclass.class_weights(data.y, data.F, costs=C).cost
        here = cost(data.F, losses(data.y, C), found.weights)
        assert found.sample_costs[place] == pytest.approx(here)
        assert found.sample_optima[place] == pytest.approx(best)
        assert found.regrets[place] == pytest.approx(here - best, abs=1e-12)
        there = cost(data.F, losses(data.y, C), found.sample_weights[place])
        assert there == pytest.approx(best)
    assert found.expected_regret == pytest.approx(found.regrets.mean())
    assert found.largest_regret == pytest.approx(found.regrets.max())


def test_minimax_regret():
    data = drawn(40, 3, 2)
    expected, careful = under(data), under(data, criterion="minimax-regret")
    assert careful.largest_regret <= expected.largest_regret + 1e-12
    assert careful.cost >= expected.cost - 1e-12
    table = np.array(
        [
            [cost(data.F, losses(data.y, C), w) for C in DRAWS]
            for w in [expected.weights, *expected.sample_weights]
        ]
    )
    assert careful.largest_regret == pytest.approx((table - table.min(axis=0)).max(axis=1).min())


@pytest.mark.parametrize("method", ["sequential", "soft", "lp"])
def test_regrets_are_never_negative_with_poor_searches(method):
    found = under(drawn(30, 3, 3), DRAWS[:5], method=method, rng=0)
    assert (found.regrets >= 0).all()
    assert found.method == method


def test_known_costs_leave_no_regret():
    found = under(A1, [A1.C] * 3)
    assert found.regrets.tolist() == [0, 0, 0]
    assert found.cost == pytest.approx(0.25)


def test_predict_and_wording():
    found = under(A1)
    assert found.predict(A1.F).tolist() == (np.array(A1.F) * found.weights).argmax(axis=1).tolist()
    assert "for 30 cost matrices (expected): mean cost" in repr(found)
    assert len(found.to_frame()["regret"]) == 30
    assert len(json.loads(json.dumps(found.to_dict()))["regrets"]) == 30


def test_a_time_limit_is_said():
    found = under(drawn(60, 5, 0), sample_costs(1, 9, n_classes=5, rng=0), time_limit=1e-6)
    assert not found.finished
    assert len(found.regrets) == 200


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cost_samples": A1.C}, r"shape \(samples, 3, 3\); got \(3, 3\)"),
        ({"cost_samples": np.ones((2, 3, 3))}, r"cost_samples\[0\]` must be 0 on its diagonal"),
        ({"cost_samples": np.zeros((2, 4, 4))}, "3 by 3"),
        ({"cost_samples": [A1.C, -np.array(A1.C)]}, r"cost_samples\[1\]"),
        ({"cost_samples": "many"}, "must hold numbers"),
        ({"cost_samples": DRAWS, "criterion": "hope"}, "'minimax-regret'"),
        ({"cost_samples": DRAWS, "method": "cost-columns"}, "must be one of"),
    ],
)
def test_bad_options_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        class_weights_under(A1.y, A1.F, **options)


def test_drawn_costs_lie_between_their_bounds():
    low = np.array([[0, 1, 2], [3, 0, 1], [1, 1, 0]])
    draws = sample_costs(low, 9, n_samples=500, rng=1)
    off = ~np.eye(3, dtype=bool)
    assert (draws >= low).all()
    assert (draws <= 9).all()
    assert (draws[:, ~off] == 0).all()
    assert draws.mean(axis=0)[off] == pytest.approx((low[off] + 9) / 2, abs=0.5)
    assert draws.tolist() == sample_costs(low, 9, n_samples=500, rng=1).tolist()


def test_whole_costs_are_those_of_the_experiments():
    values, counts = np.unique(DRAWS[:, ~np.eye(3, dtype=bool)], return_counts=True)
    assert values.tolist() == list(range(1, 11))
    assert counts.min() > 5


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ((1, 10), {}, "Pass n_classes="),
        ((A1.C, 10), {"n_classes": 4}, "one number of classes"),
        ((5, 1), {"n_classes": 3}, "`low` must not exceed"),
        ((-1, 1), {"n_classes": 3}, "`low` must not be negative"),
        ((np.ones((3, 3)), 2), {}, "`low` must be 0 on its diagonal"),
        ((1.2, 1.8), {"n_classes": 3, "whole": True}, "no whole number"),
        ((1, 2), {"n_classes": 3, "n_samples": 0}, "at least 1"),
    ],
)
def test_bad_bounds_are_refused(arguments, options, words):
    with pytest.raises(ValueError, match=words):
        sample_costs(*arguments, **options)


def test_many_rows_are_searched_in_part_and_counted_in_full(monkeypatch):
    from rocwise.multiclass import weights as cost_uncertainty

    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 900)
    scores = rng.random((900, 3)) + 0.5 * np.eye(3)[y]
    draws = sample_costs(1, 5, n_classes=3, n_samples=8, rng=1)
    whole = class_weights_under(y, scores, cost_samples=draws, method="passes")
    assert whole.n_searched is None
    monkeypatch.setattr(cost_uncertainty, "MOST_SEARCHED", 8 * 300)
    monkeypatch.setattr(cost_uncertainty, "FEWEST_SEARCHED", 10)
    part = class_weights_under(y, scores, cost_samples=draws)
    assert 300 <= part.n_searched <= 302
    assert "searched on" in str(part)
    # the weights of the mean matrix come from all rows, and costs are those of all rows
    again = class_weights_under(y, scores, cost_samples=draws, method="sweep")
    assert part.cost == pytest.approx(again.cost)
    assert (part.sample_optima >= again.sample_optima - 1e-12).all()
    assert part.sample_optima.mean() < again.sample_optima.mean() * 1.05
