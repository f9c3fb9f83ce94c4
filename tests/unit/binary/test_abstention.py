"""The window with the least expected cost."""

import itertools

import numpy as np
import pytest

import rocwise as rw
from oracles.windows import least_cost

Y = [0, 0, 1, 0, 1, 0, 1, 1]
M = [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
VECTORS = [
    (1, 0.1, 0.0625, -0.5, 0.55, 0.625),
    (0.5, 0.2, 0.1125, -0.5, 0.0, 0.25),
    (1, 0.3, 0.1875, -0.5, 0.55, 0.625),
    (0.8, 0.6, 0.2, -0.5, -0.5, 0.0),
]


@pytest.mark.parametrize(("mu", "nu", "cost", "lower", "upper", "rate"), VECTORS)
def test_vectors(mu, nu, cost, lower, upper, rate):
    window = rw.abstain(Y, M, costs=rw.Costs(fp=mu, fn=1, abstain=nu))
    assert (window.expected_cost, window.abstention_rate) == pytest.approx((cost, rate), abs=1e-12)
    assert (window.lower, window.upper) == pytest.approx((lower, upper), abs=1e-12)
    assert (window.mu, window.nu) == (mu, (nu, nu))
    assert window.saving == pytest.approx(window.cost_without_abstaining - cost)


def test_the_costs_of_right_decisions_count():
    # D = 5, mu = 2/5, nu_pos = 3/5 - 1/5, nu_neg = (1 - 0.5)/5; EC = D cost + pi tp + (1-pi) tn
    costs = rw.Costs(fp=2.5, fn=6, tp=1, tn=0.5, abstain=(1.5, 0.75))
    window = rw.abstain(Y, M, costs=costs, prevalence=0.3)
    cost, rate = least_cost(Y, M, 0.4, (0.1, 0.05), 0.3)
    assert (window.mu, *window.nu) == pytest.approx((0.4, 0.1, 0.05))
    assert window.expected_cost == pytest.approx(5 * cost + 0.3 * 1 + 0.7 * 0.5, abs=1e-12)
    assert window.abstention_rate == pytest.approx(rate, abs=1e-12)
    decided = window.decide(M)
    paid = np.select(
        [decided == -1, decided == np.array(Y)],
        [np.where(Y, 1.5, 0.75), np.where(Y, 1, 0.5)],
        np.where(Y, 6, 2.5),
    )
    y = np.array(Y) == 1
    assert 0.3 * paid[y].mean() + 0.7 * paid[~y].mean() == pytest.approx(window.expected_cost)


def test_the_numbers_of_a_window_recount():
    window = rw.abstain(Y, M, costs=rw.Costs(fp=0.5, fn=1, abstain=0.2))
    y, decided = np.array(Y), window.decide(M)
    assert window.fpr == np.mean(decided[y == 0] == 1)
    assert window.fnr == np.mean(decided[y == 1] == 0)
    assert window.undecided_positives == np.mean(decided[y == 1] == -1)
    assert window.undecided_negatives == np.mean(decided[y == 0] == -1)
    assert window.abstention_rate == np.mean(decided == -1)
    assert window.to_dict()["rule"] == window.rule


def test_extremes():
    perfect = rw.abstain([0, 0, 1, 1], [1, 2, 3, 4], costs=rw.Costs(fp=1, fn=1, abstain=0.1))
    assert (perfect.expected_cost, perfect.lower, perfect.upper) == (0, 2.5, 2.5)
    tied = rw.abstain([0, 1, 0, 1], [7, 7, 7, 7], costs=rw.Costs(fp=1, fn=1, abstain=0.1))
    assert (tied.lower, tied.upper, tied.abstention_rate) == (-np.inf, np.inf, 1)
    assert (tied.rule, tied.expected_cost) == ("no decision on any case", pytest.approx(0.1))
    dear = rw.abstain([0, 1, 0, 1], [7, 7, 7, 7], costs=rw.Costs(fp=1, fn=3, abstain=2))
    assert (dear.lower, dear.upper, dear.rule) == (-np.inf, -np.inf, "always positive")
    cheap = rw.abstain([0, 1, 0, 1], [7, 7, 7, 7], costs=rw.Costs(fp=3, fn=1, abstain=2))
    assert (cheap.lower, cheap.upper, cheap.rule) == (np.inf, np.inf, "always negative")
    free = rw.abstain(Y, M, costs=rw.Costs(fp=1, fn=1, abstain=0))
    assert free.expected_cost == 0  # what is certain is decided, the rest costs nothing
    assert free.abstention_rate == pytest.approx(least_cost(Y, M, 1, 0)[1])


@pytest.mark.parametrize("prevalence", [0, 1])
def test_a_class_that_does_not_occur_costs_nothing(prevalence):
    window = rw.abstain(Y, M, costs=rw.Costs(fp=1, fn=1, abstain=0.1), prevalence=prevalence)
    assert (window.expected_cost, window.abstention_rate) == (0, 0)


def test_neighbouring_floats_are_kept_distinct():
    low = 1.0
    for high in (np.nextafter(low, 2), np.nextafter(np.nextafter(low, 2), 2)):
        window = rw.abstain([0, 1], [low, high], costs=rw.Costs(fp=1, fn=1, abstain=0.1))
        np.testing.assert_array_equal(window.decide([low, high]), [0, 1])


def test_huge_scores_do_not_overflow():
    window = rw.abstain([0, 1], [1.6e308, 1.7e308], costs=rw.Costs(fp=1, fn=1, abstain=0.1))
    assert window.lower == window.upper == pytest.approx(1.65e308)


def test_ordered_categories_are_named():
    import pandas as pd

    grades = pd.Series(
        pd.Categorical(["low", "mid", "mid", "high"], ["low", "mid", "high"], ordered=True)
    )
    window = rw.abstain([0, 0, 1, 1], grades, costs=rw.Costs(fp=1, fn=1, abstain=0.1))
    assert (
        window.rule == "positive if score >= high, negative if score <= low, otherwise no decision"
    )


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (rw.Costs(fp=1, fn=1), "costs.abstain"),
        (rw.Costs(fp=1, fn=0, abstain=0.1), "cost more"),
        (rw.Costs(fp=0, fn=1, abstain=0.1), "cost more"),
        (rw.Costs(fp=3, fn=3, tp=1, abstain=0.1), "abstaining on a positive costs 0.1"),
        (rw.Costs(fp=3, fn=3, tn=1, abstain=(0, 0.5)), "abstaining on a negative costs 0.5"),
        ([[0, 1], [1, 0]], "Costs object"),
    ],
)
def test_bad_costs_raise(costs, words):
    with pytest.raises(rw.InputError, match=words):
        rw.abstain(Y, M, costs=costs)


def test_other_errors():
    costs = rw.Costs(fp=1, fn=1, abstain=0.1)
    with pytest.raises(rw.InputError, match="prevalence"):
        rw.abstain(Y, M, costs=costs, prevalence=1.2)
    with pytest.raises(rw.InputError, match="differ as floats"):
        rw.abstain([0, 1], [np.finfo(float).max, np.inf], costs=costs)
    with pytest.raises(rw.InputError, match="no positive example"):
        rw.abstain([0, 0], [0.0, 1.0], costs=costs)
    with pytest.raises(rw.InputError, match="differ as floats"):
        rw.abstain([0, 1], [2**60, 2**60 + 1], costs=costs)
    window = rw.abstain(Y, M, costs=costs)
    with pytest.raises(rw.InputError, match="row 1"):
        window.decide([0.1, np.nan])
    with pytest.raises(rw.InputError, match="`y_score` must contain numbers; got"):
        window.decide(["a"])


SCALES = [
    [-np.inf, -1.0, 0.0, 2.0, np.inf],
    [-np.inf, np.inf, np.inf, np.inf, np.inf],
    [-np.inf, -np.inf, 0.0, 0.0, np.inf],
]


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("nu", [0.1, 0.4, 0.9])
def test_infinite_scores_rank_like_any_others(scale, nu, direction):
    # decisions recount to the cost of the same ranking on finite scores, for all labellings
    costs = rw.Costs(fp=0.7, fn=1, abstain=nu)
    sign = 1 if direction == "higher" else -1
    score = np.array(scale)
    rank = np.searchsorted(np.unique(score), score)
    for labels in itertools.product([0, 1], repeat=5):
        y = np.array(labels)
        if 0 < y.sum() < 5:
            window = rw.abstain(y, sign * score, costs=costs, direction=direction)
            of_ranks = rw.abstain(y, rank, costs=costs)
            assert window.expected_cost == of_ranks.expected_cost
            decided = window.decide(sign * score)
            np.testing.assert_array_equal(decided, of_ranks.decide(rank))
            surface = rw.abstention_surface(y, sign * score, grid=5, direction=direction)
            np.testing.assert_array_equal(surface.cost, rw.abstention_surface(y, rank, grid=5).cost)


def test_the_threshold_by_an_infinite_score_is_the_next_float():
    costs = rw.Costs(fp=1, fn=1, abstain=0.1)
    window = rw.abstain([0, 0, 1], [1.0, 3.0, np.inf], costs=costs)
    assert window.lower == window.upper == np.nextafter(3.0, 4.0)
    assert rw.abstain([0, 1], [-np.inf, np.inf], costs=costs).upper == 0


def test_a_score_at_the_only_threshold_is_positive():
    costs = rw.Costs(fp=1, fn=1, abstain=0.9)
    rising = rw.abstain([0, 0, 1, 1], [1, 2, 3, 4], costs=costs)
    falling = rw.abstain([1, 1, 0, 0], [1, 2, 3, 4], costs=costs, direction="lower")
    assert falling.rule == "positive if score <= 2.5, otherwise negative"
    assert (rising.decide([2.5])[0], falling.decide([2.5])[0]) == (1, 1)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_always_means_infinite_new_scores_too(direction):
    beyond = [-np.inf, 0.0, np.inf]
    for prevalence, nu, decision in ((0.9, 0.9, 1), (0.1, 0.9, 0), (0.5, 0.1, -1)):
        costs = rw.Costs(fp=1, fn=1, abstain=nu)
        window = rw.abstain([0, 1], [7, 7], costs=costs, prevalence=prevalence, direction=direction)
        assert window.decide(beyond).tolist() == [decision] * 3


def test_an_infinite_cost_of_abstaining_never_abstains():
    costs = rw.Costs(fp=0.5, fn=1, abstain=np.inf)
    window = rw.abstain(Y, M, costs=costs)
    assert window.abstention_rate == 0
    assert window.expected_cost == window.cost_without_abstaining == pytest.approx(0.125)
    one = rw.abstain(Y, M, costs=rw.Costs(fp=0.5, fn=1, abstain=(0.0, np.inf)))
    assert (one.abstention_rate, one.expected_cost) == (0, pytest.approx(0.125))
    result = rw.abstain(Y, M, costs=costs).uncertainty(n_resamples=20, rng=1)
    assert result.abstention_rate.high == 0
    assert np.isfinite(result.expected_cost.high)
