"""Random searches: never worse than equal weights, repeatable, inside their bounds."""

import numpy as np
import pytest

import rocwise as rw
from oracles.weighted_classes import A1, drawn
from rocwise.multiclass import Evolution
from rocwise.multiclass.weight_searches import TimeLimit, evolved, pattern_search

DIFFERENCES = Evolution(engine="differential-evolution", generations=20)


@pytest.mark.parametrize("evolution", [None, DIFFERENCES], ids=["genetic", "differences"])
def test_never_dearer_than_equal_weights_and_repeatable(evolution):
    for seed in range(4):
        data = drawn(40, 4, seed)
        options = {"costs": data.C, "method": "genetic", "evolution": evolution}
        found = rw.multiclass.class_weights(data.y, data.F, rng=seed, **options)
        assert found.cost <= found.baseline_cost + 1e-12
        again = rw.multiclass.class_weights(data.y, data.F, rng=found.seed, **options)
        assert again.weights.tolist() == found.weights.tolist()
        assert np.abs(np.log(found.weights / found.weights[0])).max() <= 8 + 1e-9


def test_finds_the_optimum_of_the_example():
    assert rw.multiclass.class_weights(A1.y, A1.F, costs=A1.C, method="genetic", rng=0).cost == 0.25


def test_mostly_close_to_the_optimum():
    excess = []
    for seed in range(8):
        data = drawn(60, 3, seed)
        options = {"costs": data.C}
        found = rw.multiclass.class_weights(data.y, data.F, method="genetic", rng=0, **options).cost
        best = rw.multiclass.class_weights(data.y, data.F, method="sweep", **options).cost
        excess.append(found / best - 1)
    assert np.median(excess) < 0.15
    assert min(excess) >= -1e-12


def test_defaults_are_those_of_the_paper():
    plan = Evolution()
    assert (plan.population, plan.generations, plan.crossover, plan.patience) == (20, 200, 0.8, 100)


def test_stops_when_nothing_is_gained():
    asked = []

    def flat(point):
        asked.append(point)
        return 0.0

    evolved(flat, 2, Evolution(patience=3), 0, TimeLimit())
    births = 20 + 3 * 18
    polls = 4 * 20 + 1  # pattern search: mesh 1 to 1e-6 in halves, two axes, two ways
    assert len(asked) == births + polls


def test_generations_improve_a_smooth_goal():
    target = np.array([2.0, -3.0])
    found = evolved(lambda p: float(((p - target) ** 2).sum()), 2, Evolution(), 1, TimeLimit())
    assert found == pytest.approx(target, abs=1e-4)


@pytest.mark.parametrize("tried", [1, 7, 30, 150])
@pytest.mark.parametrize("engine", ["genetic", "differential-evolution"])
def test_the_time_limit_ends_a_search_within_a_generation(engine, tried, monkeypatch):
    asked, limit = [], TimeLimit(60.0)
    monkeypatch.setattr(limit, "left", lambda: tried - len(asked))

    def goal(point):
        asked.append((float(((point - 1) ** 2).sum()), point.tolist()))
        return asked[-1][0]

    found = evolved(goal, 2, Evolution(engine=engine), 1, limit)
    assert limit.ran_out
    assert len(asked) == tried
    assert found.tolist() == min(asked)[1]


def test_pattern_search_finds_the_corner():
    found = pattern_search(lambda p: float(-p.sum()), np.zeros(3), TimeLimit())
    assert found.tolist() == [8, 8, 8]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"population": 4}, "at least 5"),
        ({"generations": 0}, "at least 1"),
        ({"crossover": 1.5}, "between 0 and 1"),
        ({"engine": "simulated annealing"}, "'differential-evolution'"),
    ],
)
def test_bad_plans_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        Evolution(**options)


def test_a_plan_of_another_kind_is_refused():
    with pytest.raises(ValueError, match=r"must be an Evolution\(...\); got 'fast'"):
        rw.multiclass.class_weights(A1.y, A1.F, method="genetic", evolution="fast")
