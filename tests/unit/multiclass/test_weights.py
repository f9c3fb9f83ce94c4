"""`class_weights` as a whole: every method, weights of rows, limits, and how it speaks."""

import json
import time

import numpy as np
import pytest
from scipy.special import softmax

from oracles.weighted_classes import A1, A3, PRIOR, cost, drawn, losses
from rocwise.multiclass import (
    Evolution,
    class_cost,
    class_weights,
    class_weights_under,
    sample_costs,
)
from rocwise.multiclass.weights import SEARCHES

METHODS = tuple(SEARCHES)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("m", [2, 3])
def test_cost_is_that_of_predict(method, m):
    data = drawn(30, m, 0)
    prior = np.arange(1, m + 1) / np.arange(1, m + 1).sum()
    found = class_weights(data.y, data.F, costs=data.C, prior=prior, method=method, rng=0)
    a = losses(data.y, data.C, prior)
    again = a[np.arange(30), found.predict(data.F)].sum()
    assert found.cost == pytest.approx(again, abs=1e-12)
    assert found.baseline_cost == pytest.approx(cost(data.F, a, np.ones(m)), abs=1e-12)
    assert class_cost(data.y, data.F, rule=found, costs=data.C, prior=prior) == pytest.approx(
        again, abs=1e-12
    )
    assert found.method == method
    assert (found.weights >= 0).all()
    assert (found.objective is None) == (method not in {"lp", "milp", "soft", "genetic-soft"})
    assert (found.seed is None) == (method not in {"soft", "genetic-soft", "genetic", "cost-rows"})


@pytest.mark.parametrize("method", METHODS)
def test_weight_zero_is_no_row_and_order_does_not_matter(method):
    data = drawn(24, 3, 7)
    kept = np.r_[np.ones(20), np.zeros(4)]
    options = {"costs": data.C, "method": method, "rng": 3}
    weighted = class_weights(data.y, data.F, sample_weight=kept, **options)
    shuffled = np.random.default_rng(1).permutation(20)
    fewer = class_weights(data.y[:20][shuffled], data.F[:20][shuffled], **options)
    assert weighted.weights == pytest.approx(fewer.weights, rel=1e-9)
    assert weighted.cost == pytest.approx(fewer.cost, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_renaming_the_classes_renames_the_costs(method):
    """The optimum does not depend on the numbers of the classes where it is exact."""
    data = drawn(20, 3, 8)
    turned = np.array([2, 0, 1])  # class k becomes turned[k]
    back = np.argsort(turned)
    options = {"method": method, "rng": 0}
    here = class_weights(data.y, data.F, costs=data.C, **options)
    there = class_weights(
        turned[data.y], data.F[:, back], costs=data.C[np.ix_(back, back)], **options
    )
    assert there.baseline_cost == pytest.approx(here.baseline_cost)
    if here.optimal:
        assert there.cost == pytest.approx(here.cost)


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_units_of_costs_do_not_matter(scale):
    data = drawn(30, 3, 9)
    for method in ("passes", "sweep", "pair-moves", "sequential", "milp", "soft"):
        here = class_weights(data.y, data.F, costs=data.C, method=method, rng=0)
        there = class_weights(data.y, data.F, costs=data.C * scale, method=method, rng=0)
        assert there.cost / scale == pytest.approx(here.cost, rel=1e-6)


@pytest.mark.parametrize(
    ("n", "m", "picked"),
    [(50, 2, "sweep"), (50, 3, "sweep"), (50, 5, "pair-moves"), (60, 12, "pair-moves")],
)
def test_auto_reports_the_method(n, m, picked):
    data = drawn(n, m, 0)
    found = class_weights(data.y, data.F, costs=data.C)
    assert found.method == picked
    assert f"by {picked}" in repr(found)


def test_wording():
    found = class_weights(A1.y, A1.F, costs=A1.C)
    assert repr(found) == (
        "Class weights 1, 2.415, 2.333 by sweep: expected cost 0.25, the optimum; "
        "0.375 with equal weights"
    )
    frame = found.to_frame()
    assert frame["class"].tolist() == [0, 1, 2]
    assert frame["weight"].tolist() == found.weights.tolist()
    assert found.weights / found.weights.max() == pytest.approx([0.414, 1, 0.9661], abs=5e-5)
    assert frame["right"].tolist() == np.diagonal(found.called).tolist()
    assert found.called.sum(axis=1) == pytest.approx(np.ones(3))
    assert json.loads(json.dumps(found.to_dict()))["cost"] == 0.25
    with pytest.raises(ValueError, match="read-only"):
        found.weights[0] = 3


def test_eta_of_the_linear_program():
    """Vectors of the specification; a large penalty returns equal weights."""
    objectives = [
        class_weights(A1.y, A1.F, costs=A1.C, method="lp", eta=eta).objective for eta in (0, None)
    ]
    assert objectives == pytest.approx([0.0165960452, 0.0165965631], abs=1e-10)
    strong = class_weights(A1.y, A1.F, costs=A1.C, method="lp", eta=1e3)
    assert strong.weights == pytest.approx(np.full(3, strong.weights[0]))


def test_log_weights_of_softmax_are_additive_offsets():
    """One-versus-all with additive offsets: the class of the largest f_k + b_k."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 200)
    margins = rng.normal(size=(200, 3)) + np.eye(3)[y]
    rule = class_weights(y, softmax(margins, axis=1), costs=A1.C)
    predicted = rule.predict(softmax(margins, axis=1))
    assert (predicted == (margins + np.log(rule.weights)).argmax(axis=1)).all()
    assert np.array(A1.C)[y, predicted].mean() == pytest.approx(rule.cost)


def test_log_weights_of_expected_costs_are_shifts_of_columns():
    """The least expected cost by a cost matrix less one constant in each column."""
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 200)
    chances = softmax(2 * rng.normal(size=(200, 3)) + np.eye(3)[y], axis=1)
    risks = chances @ A1.C
    rule = class_weights(y, softmax(-risks, axis=1), costs=A1.C)
    predicted = (chances @ (A1.C - np.log(rule.weights))).argmin(axis=1)
    assert (rule.predict(softmax(-risks, axis=1)) == predicted).all()
    assert rule.cost < np.array(A1.C)[y, risks.argmin(axis=1)].mean()


def test_predicted_rates_give_the_cost():
    found = class_weights(A1.y, A1.F, costs=A1.C, prior=PRIOR)
    assert (np.array(PRIOR)[:, None] * found.called * A1.C).sum() == pytest.approx(found.cost)
    baseline = (np.array(PRIOR)[:, None] * found.baseline_called * A1.C).sum()
    assert baseline == pytest.approx(found.baseline_cost)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "magic"}, "`method` must be one of 'sequential'.*'auto'; got 'magic'"),
        ({"order": "all"}, "`order` belongs to method='sequential'; got method='auto'"),
        ({"stage": "seen", "method": "lp"}, "`stage` belongs"),
        ({"stage": "some", "method": "sequential"}, "'all', 'seen'"),
        ({"continuation": True}, "`continuation` belongs to method='soft'"),
        ({"evolution": Evolution(population=9)}, "`evolution` belongs to method='genetic'"),
        ({"eta": 0.1}, "`eta` belongs to method='lp'"),
        ({"eta": -1, "method": "lp"}, "`eta`"),
        ({"time_limit": 0}, "seconds above 0"),
        ({"time_limit": "long"}, "must be a number"),
        ({"rng": "seed", "method": "genetic"}, "`rng` must be"),
    ],
)
def test_strange_options_raise(options, words):
    with pytest.raises(ValueError, match=words):
        class_weights(A1.y, A1.F, **options)


@pytest.mark.parametrize(
    "method", ["sequential", "passes", "soft", "genetic-soft", "genetic", "pair-moves", "sweep"]
)
def test_a_time_limit_gives_the_best_so_far(method, monkeypatch):
    monkeypatch.setattr("rocwise.multiclass.exact_searches.STEPS_PER_CHECK", 1)
    m = 3 if method == "sweep" else 6
    data = drawn(400, m, 0)
    options = {"order": "all"} if method == "sequential" else {}
    started = time.perf_counter()
    found = class_weights(
        data.y, data.F, costs=data.C, method=method, time_limit=1e-6, rng=0, **options
    )
    assert time.perf_counter() - started < 5
    assert not found.finished
    assert not found.optimal
    assert "stopped by the time limit" in repr(found)
    again = losses(data.y, data.C)[np.arange(400), found.predict(data.F)].sum()
    assert found.cost == pytest.approx(again)
    if method == "sweep":  # a first few strips alone may be dearer than equal weights
        assert found.cost <= found.baseline_cost


def test_columns_are_compared_with_the_largest_confidence():
    found = class_weights(A1.y, A1.F, costs=A1.C, method="cost-columns")
    assert found.baseline_cost == pytest.approx(0.375)
    assert repr(found).endswith("0.375 with the largest confidence")


def test_rows_of_the_costs_are_multiplied():
    data, rows = drawn(40, 3, 3), np.arange(40)
    a = losses(data.y, data.C)

    def called(weights):
        return (data.F @ (np.array(weights)[:, None] * data.C)).argmin(axis=1)

    found = class_weights(data.y, data.F, costs=data.C, method="cost-rows", rng=0)
    assert (found.predict(data.F) == called(found.weights)).all()
    tried = np.exp(np.random.default_rng(0).normal(0, 1.5, (300, 2)))
    assert found.cost <= min(a[rows, called([1, v, w])].sum() for v, w in tried) + 1e-12
    equal = class_weights(data.y, data.F, method="cost-rows", rng=0)  # where errors cost 1
    assert (equal.predict(data.F) == (data.F * equal.weights).argmax(axis=1)).all()


def test_an_interrupt_gets_through():
    def stop(_done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        class_weights(A3.y, A3.F, method="genetic", rng=0, progress=stop)


@pytest.mark.parametrize("method", METHODS)
def test_one_row(method):
    found = class_weights([1], [[0.6, 0.3, 0.1]], method=method, rng=0)
    assert np.isfinite(found.weights).all()
    if method not in {"lp", "soft", "genetic-soft"}:
        assert found.cost == 0


@pytest.mark.parametrize("method", METHODS)
def test_all_costs_zero(method):
    found = class_weights(A1.y, A1.F, costs=np.zeros((3, 3)), method=method, rng=0)
    assert found.cost == 0


DRAWS = sample_costs(1, 10, n_classes=3, n_samples=30, whole=True, rng=0)


def under(data, draws=DRAWS, **options):
    return class_weights_under(data.y, data.F, cost_samples=draws, **options)


def test_least_mean_cost_is_that_of_the_mean_costs():
    data = drawn(50, 3, 0)
    found = under(data)
    single = class_weights(data.y, data.F, costs=DRAWS.mean(axis=0))
    assert found.weights == pytest.approx(single.weights)
    assert found.cost == pytest.approx(single.cost)
    assert found.baseline_cost == pytest.approx(single.baseline_cost)


def test_regrets_matrix_by_matrix():
    data = drawn(40, 3, 1)
    found = under(data)
    for place, C in enumerate(DRAWS):
        best = class_weights(data.y, data.F, costs=C).cost
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


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cost_samples": A1.C}, r"shape \(samples, 3, 3\); got \(3, 3\)"),
        ({"cost_samples": np.ones((2, 3, 3))}, r"cost_samples\[0\]` must be 0 on its diagonal"),
        ({"cost_samples": np.zeros((2, 4, 4))}, "3 by 3"),
        ({"cost_samples": [A1.C, -np.array(A1.C)]}, r"cost_samples\[1\]"),
        ({"cost_samples": "many"}, "must contain numbers"),
        ({"cost_samples": DRAWS, "criterion": "hope"}, "'minimax-regret'"),
        ({"cost_samples": DRAWS, "method": "cost-columns"}, "must be one of"),
    ],
)
def test_bad_options_raise(options, words):
    with pytest.raises(ValueError, match=words):
        class_weights_under(A1.y, A1.F, **options)


def test_drawn_costs_are_between_their_bounds():
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
        ((1.2, 1.8), {"n_classes": 3, "whole": True}, "no integer"),
        ((1, 2), {"n_classes": 3, "n_samples": 0}, "at least 1"),
    ],
)
def test_bad_bounds_raise(arguments, options, words):
    with pytest.raises(ValueError, match=words):
        sample_costs(*arguments, **options)


def test_the_text_of_weights_under_many_costs():
    found = under(A1)
    assert found.predict(A1.F).tolist() == (np.array(A1.F) * found.weights).argmax(axis=1).tolist()
    assert "for 30 cost matrices (expected): mean cost" in repr(found)
    assert len(json.loads(json.dumps(found.to_dict()))["regrets"]) == 30
    draws = sample_costs(1, 9, n_classes=5, rng=0)
    assert not under(drawn(60, 5, 0), draws, time_limit=1e-6).finished


def test_many_rows_are_searched_in_part_and_counted_in_full(monkeypatch):
    data, draws = drawn(900, 3, 3), sample_costs(1, 5, n_classes=3, n_samples=8, rng=1)
    whole = under(data, draws, method="sweep")
    assert whole.n_searched is None
    monkeypatch.setattr("rocwise.multiclass.weights.MOST_SEARCHED", 8 * 300)
    monkeypatch.setattr("rocwise.multiclass.weights.FEWEST_SEARCHED", 10)
    part = under(data, draws)
    assert 300 <= part.n_searched <= 302
    assert "searched on" in str(part)
    assert part.cost == pytest.approx(whole.cost)  # of the mean matrix, by all rows
    assert (part.sample_optima >= whole.sample_optima - 1e-12).all()
