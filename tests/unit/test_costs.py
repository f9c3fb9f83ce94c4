"""Costs of a two-class decision."""

import dataclasses
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.cli.dispatch import main
from rocwise.costs import checked_costs


def test_costs_are_numbers_with_defaults():
    costs = rw.Costs(1, 20)
    assert (costs.fp, costs.fn, costs.tp, costs.tn, costs.abstain) == (1.0, 20.0, 0.0, 0.0, None)
    assert repr(costs) == "Costs(fp=1.0, fn=20.0, tp=0.0, tn=0.0, abstain=None)"
    assert costs == rw.Costs(fp=1, fn=20)


def test_costs_do_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        rw.Costs(1, 20).fp = 2


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ({"fp": "1", "fn": 1}, "`costs.fp` must be a number; got '1'."),
        ({"fp": 1, "fn": float("nan")}, "`costs.fn` must be a finite number; got nan."),
        ({"fp": 0, "fn": 0}, "got fp=0, tn=0, fn=0, tp=0."),
        ({"fp": -1, "fn": 1}, "got fp=-1, tn=0, fn=1, tp=0."),
        ({"fp": 1, "fn": 1, "tp": 2}, "got fp=1, tn=0, fn=1, tp=2."),
        ({"fp": 1, "fn": 1, "tn": 3}, "got fp=1, tn=3, fn=1, tp=0."),
        ({"fp": 1, "fn": 1, "abstain": -1}, "got abstain=-1 with tp=0."),
        (
            {"fp": 1, "fn": 1, "tp": -0.5, "abstain": (-0.5, -0.1)},
            "not below the cost of the right decision; got abstain=-0.1 with tn=0.",
        ),
        (
            {"fp": 1, "fn": 1, "abstain": (1, 2, 3)},
            "`costs.abstain` must be a number or a pair (for positives, for negatives); "
            "got (1, 2, 3).",
        ),
        ({"fp": 1, "fn": 1, "abstain": "x"}, "`costs.abstain` must be a number; got 'x'."),
    ],
)
def test_costs_that_make_no_sense(costs, words):
    with pytest.raises(rw.InputError) as caught:
        rw.Costs(**costs)
    assert words in str(caught.value)


def test_one_error_may_be_free_and_gains_are_negative():
    assert rw.Costs(fp=0, fn=1).fp == 0.0
    assert rw.Costs(fp=0, fn=0, tp=-5).tp == -5.0
    assert rw.Costs(1, 1, abstain=(0.5, 0)).abstain == (0.5, 0.0)
    assert rw.Costs(1, 1, abstain=0.25).abstain == 0.25
    assert rw.Costs(1, 1, tp=-0.5, abstain=(-0.5, 0)).abstain == (-0.5, 0.0)


def test_costs_are_costs():
    costs = rw.Costs(1, 2)
    assert checked_costs(costs) is costs
    with pytest.raises(
        rw.InputError, match=r"`prices` must be a Costs object, .*; got \{'fp': 1\}."
    ):
        checked_costs({"fp": 1}, "prices")


@pytest.mark.parametrize(
    "function",
    [
        lambda costs: rw.threshold([0, 1], [0.1, 0.2], costs=costs),
        lambda costs: rw.thresholds([0, 1], [0.1, 0.2], costs=costs),
        lambda costs: rw.threshold_without_labels([0.1, 0.2], costs=costs),
        lambda costs: rw.abstain([0, 1], [0.1, 0.2], costs=costs),
        lambda costs: rw.abstain([0, 1], [0.1, 0.2], costs=costs, max_cost=1),
        lambda costs: rw.reliable([0, 1], [1, 2], positive=0.9, negative=0.9, costs=costs),
    ],
)
def test_every_function_raises_the_same_error(function):
    with pytest.raises(rw.InputError, match="`costs` must be a Costs object"):
        function(5)


def test_gains_with_abstention_follow_the_normalisation():
    """(5.2) and (5.3) by hand: D = 1.5, mu = 1, nu = (0.25, 0.25) of Costs below."""
    y, score = [0, 0, 1, 0, 1, 0, 1, 1], [-0.9, -0.6, -0.4, -0.1, 0.1, 0.3, 0.3, 0.8]
    costs = rw.Costs(fp=0.5, fn=1, tp=-0.5, tn=-1, abstain=(-0.125, -0.625))
    window = rw.abstain(y, score, costs=costs)
    assert window.mu == 1
    assert window.nu == pytest.approx((0.25, 0.25))
    plain = rw.abstain(y, score, costs=rw.Costs(fp=1, fn=1, abstain=0.25))
    assert (window.lower, window.upper) == (plain.lower, plain.upper)
    assert window.expected_cost == pytest.approx(1.5 * plain.expected_cost + 0.5 * -0.5 + 0.5 * -1)
    counted = {(1, 1): -0.5, (1, 0): 1, (1, -1): -0.125, (0, 1): 0.5, (0, 0): -1, (0, -1): -0.625}
    cases = zip(y, window.decide(score).tolist(), strict=True)
    assert window.expected_cost == pytest.approx(sum(counted[case] for case in cases) / 8)


small = st.integers(-8, 8)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 5)), min_size=1, max_size=10),
    st.tuples(st.integers(1, 8), st.integers(1, 8), st.integers(0, 8), st.integers(0, 8)),
    st.tuples(small, small),
)
def test_only_differences_of_costs_matter(rows, losses, base):
    """Whatever each class costs in any case moves the expected cost and no decision."""
    y, score = [0, 1, *(y for y, _ in rows)], [1, 2, *(s for _, s in rows)]
    fp, fn, of_pos, of_neg = losses
    tp, tn = base
    plain = rw.Costs(fp=fp, fn=fn, abstain=(of_pos, of_neg))
    moved = rw.Costs(fp=fp + tn, fn=fn + tp, tp=tp, tn=tn, abstain=(of_pos + tp, of_neg + tn))
    prior = sum(y) / len(y)
    shift = prior * tp + (1 - prior) * tn
    one, other = (rw.abstain(y, score, costs=costs) for costs in (plain, moved))
    assert (one.lower, one.upper) == (other.lower, other.upper)
    assert other.expected_cost == pytest.approx(one.expected_cost + shift)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rw.errors.DirectionWarning)
        first, second = (rw.threshold(y, score, costs=costs) for costs in (plain, moved))
    assert first.threshold == second.threshold
    assert second.expected_cost == pytest.approx(first.expected_cost + shift)


def test_gains_at_the_shell(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    path.write_text("y,s\n0,0.1\n1,0.4\n0,0.35\n1,0.8\n")
    words = ["threshold", str(path), "--label", "y", "--score", "s"]
    assert main([*words, "--cost-fp", "1", "--cost-fn", "5", "--cost-tp", "-0.5"]) == 0
    assert "Costs(fp=1, fn=5, tp=-0.5)" in capsys.readouterr().out
