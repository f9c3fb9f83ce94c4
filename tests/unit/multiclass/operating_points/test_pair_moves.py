"""Two weights at a time: exact for three classes, close to HiGHS for more."""

import numpy as np
import pytest

import rocwise as rw
from oracles.weighted_classes import A3, cost, drawn, losses
from rocwise.multiclass import class_cost


def asked(data, method, **options):
    return rw.multiclass.class_weights(data.y, data.F, costs=data.C, method=method, **options)


def test_worked_example():
    assert asked(A3, "pair-moves").cost == pytest.approx(1 / 9)
    assert asked(A3, "milp").cost == pytest.approx(1 / 9)


@pytest.mark.parametrize("kind", ["generic", "ties", "zeros"])
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_three_classes_exactly(kind):
    for seed in range(5):
        data = drawn(40, 3, seed, kind)
        found = asked(data, "pair-moves")
        assert found.cost == pytest.approx(asked(data, "sweep").cost, abs=1e-12)
        assert found.optimal


@pytest.mark.parametrize("kind", ["generic", "ties", "zeros"])
@pytest.mark.filterwarnings("ignore::rocwise.errors.MisuseWarning")
def test_never_dearer_than_passes(kind):
    gains = 0
    for seed in range(8):
        data = drawn(60, 5, seed, kind)
        found, start = asked(data, "pair-moves"), asked(data, "passes")
        assert found.cost <= start.cost + 1e-12
        assert found.cost == pytest.approx(
            cost(data.F, losses(data.y, data.C), found.weights), abs=1e-12
        )
        gains += found.cost < start.cost - 1e-12
    assert gains > 0  # two weights at a time do find more


def test_close_to_the_optimum_of_four_classes():
    for seed in range(3):
        data = drawn(25, 4, seed)
        best = asked(data, "milp", time_limit=60)
        found = asked(data, "pair-moves")
        assert best.optimal
        assert best.cost - 1e-9 <= found.cost <= 1.15 * best.cost + 1e-9


def test_no_pair_of_weights_can_be_bettered_by_chance():
    data = drawn(40, 5, 11)
    found, a = asked(data, "pair-moves"), losses(data.y, data.C)
    rng = np.random.default_rng(0)
    for _ in range(2000):
        trial = found.weights.copy()
        trial[rng.choice(5, 2, replace=False)] *= np.exp(rng.normal(size=2))
        assert cost(data.F, a, trial) >= found.cost - 1e-12


@pytest.mark.parametrize("seed", [345, 367, 388])
def test_scores_near_the_end_of_the_floats_leave_weights_that_can_be_held(seed):
    """Naive Bayes gives chances of 1e-320; a move that would need larger weights is left out."""
    rng = np.random.default_rng(seed)
    scores = np.exp(-rng.uniform(0, 740, (12, 5)))
    scores[np.arange(12), rng.integers(0, 5, 12)] = 1.0
    y = np.concatenate([np.arange(5), rng.integers(0, 5, 7)])
    costs = rng.integers(1, 11, (5, 5)).astype(float)
    np.fill_diagonal(costs, 0)
    found = rw.multiclass.class_weights(y, scores, costs=costs, method="pair-moves")
    assert np.all(np.isfinite(found.weights) & (found.weights > 0))
    assert found.cost == pytest.approx(class_cost(y, scores, rule=found, costs=costs))
    assert found.cost <= rw.multiclass.class_weights(y, scores, costs=costs, method="passes").cost
