"""The least cost at limited abstention, and the least abstention at a limited cost."""

import numpy as np
import pytest

import rocwise as rw

Y = [0, 0, 1, 0, 1, 0, 1, 1]
M = [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
ERRORS = rw.Costs(fp=1, fn=1)


def rows(seed, n=2000):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, rng.normal(y)


def test_no_abstention_is_the_best_threshold():
    window = rw.abstain(Y, M, costs=ERRORS, max_abstention=0)
    assert (window.abstention_rate, window.expected_cost) == (0, 0.25)
    assert window.decided_cost == window.cost_without_abstaining == 0.25


def test_the_error_rate_of_the_decided_cases_recounts():
    y, s = rows(3)
    window = rw.abstain(y, s, costs=ERRORS, max_cost=0.1)
    decided = window.decide(s)
    known = decided >= 0
    assert np.mean(decided[known] != y[known]) == pytest.approx(window.decided_cost)
    assert window.decided_cost <= 0.1 + 1e-12
    assert np.mean(~known) == pytest.approx(window.abstention_rate)


def test_deciding_nothing_is_allowed_per_case_only():
    data = [0, 1, 0, 1], [1, 1, 1, 1]
    window = rw.abstain(*data, costs=ERRORS, max_cost=0.2, per="case")
    assert (window.abstention_rate, window.decided_cost) == (1, None)
    assert "no decision on any case" in repr(window)
    with pytest.raises(rw.InputError, match=r"unattainable.*at least 0\.5 each"):
        rw.abstain(*data, costs=ERRORS, max_cost=0.2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"costs": ERRORS}, "max_abstention"),
        ({"costs": ERRORS, "max_cost": 0.1, "max_abstention": 0.1}, "one of the two"),
        ({"costs": ERRORS, "max_abstention": 1.5}, "max_abstention"),
        ({"costs": ERRORS, "max_cost": -1}, "max_cost"),
        ({"costs": ERRORS, "max_cost": 1, "per": "row"}, "per"),
        ({"costs": rw.Costs(fp=1, fn=1, abstain=0.1), "max_cost": 1}, r"costs\.abstain"),
        ({"costs": rw.Costs(fp=1, fn=1, tp=0.5), "max_cost": 1}, "free or a gain.*tp=0.5"),
        ({"costs": rw.Costs(fp=0, fn=1), "max_cost": 1}, "cost more"),
        ({"costs": 3, "max_cost": 1}, "Costs object"),
    ],
)
def test_errors(options, words):
    with pytest.raises(rw.InputError, match=words):
        rw.abstain(Y, M, **options)


def test_the_cost_named_by_an_error_is_accepted():
    y, s = [0, 1, 0, 0, 1, 0, 1], [1, 1, 2, 2, 2, 3, 3]
    costs = rw.Costs(fp=1, fn=0.7)
    with pytest.raises(rw.InputError, match="unattainable") as problem:
        rw.abstain(y, s, costs=costs, max_cost=0.01)
    named = float(str(problem.value).split("max_cost=")[1].split()[0])
    assert rw.abstain(y, s, costs=costs, max_cost=named).decided_cost <= named


@pytest.mark.parametrize("number", [2, 2.0, np.int64(2), 5, 8, 100])
def test_a_bound_above_one_counts_cases(number):
    counted = rw.abstain(Y, M, costs=ERRORS, max_abstention=number)
    of_proportion = rw.abstain(Y, M, costs=ERRORS, max_abstention=min(number / len(Y), 1.0))
    assert (counted.lower, counted.upper) == (of_proportion.lower, of_proportion.upper)
    assert counted.n_undecided == np.sum(counted.decide(M) == -1) <= number
    assert f"at most {number:g} cases undecided" in repr(counted)


def test_one_is_a_proportion():
    assert "at most 1 of the cases undecided" in repr(
        rw.abstain(Y, M, costs=ERRORS, max_abstention=1)
    )


def test_gains_are_counted_case_by_case():
    """What decided cases cost and gain, summed; undecided ones cost nothing."""
    y, s = rows(5, 400)
    costs = rw.Costs(fp=1, fn=2, tp=-0.5, tn=-0.1)
    window = rw.abstain(y, s, costs=costs, max_abstention=60)
    decided = window.decide(s)
    paid = np.where(decided == 1, np.where(y, -0.5, 1.0), np.where(y, 2.0, -0.1))
    paid[decided == -1] = 0.0
    assert paid.mean() == pytest.approx(window.expected_cost, abs=1e-12)
    assert paid[decided >= 0].mean() == pytest.approx(window.decided_cost, abs=1e-12)
    assert window.decided_cost < window.cost_without_abstaining


def test_a_gain_may_be_requested():
    y, s = rows(6, 400)
    costs = rw.Costs(fp=1, fn=1, tp=-1)
    window = rw.abstain(y, s, costs=costs, max_cost=-0.3)
    assert window.decided_cost <= -0.3 + 1e-12
    with pytest.raises(rw.InputError, match=r"unattainable.*on average") as problem:
        rw.abstain(y, s, costs=costs, max_cost=-2, per="case")
    named = float(str(problem.value).split("max_cost=")[1].split()[0])
    found = rw.abstain(y, s, costs=costs, max_cost=named, per="case")
    assert found.expected_cost <= named + 1e-12
