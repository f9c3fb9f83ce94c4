"""Costs of a two-class decision."""

import dataclasses

import pytest

import rocwise as rw
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
        ({"fp": 1, "fn": 1, "abstain": -1}, "`costs.abstain` must not be negative; got -1."),
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


def test_costs_are_costs():
    costs = rw.Costs(1, 2)
    assert checked_costs(costs) is costs
    with pytest.raises(
        rw.InputError, match=r"`prices` must be a Costs object, .*; got \{'fp': 1\}."
    ):
        checked_costs({"fp": 1}, "prices")


@pytest.mark.parametrize(
    "question",
    [
        lambda costs: rw.threshold([0, 1], [0.1, 0.2], costs=costs),
        lambda costs: rw.thresholds([0, 1], [0.1, 0.2], costs=costs),
        lambda costs: rw.threshold_without_labels([0.1, 0.2], costs=costs),
        lambda costs: rw.abstain([0, 1], [0.1, 0.2], costs=costs),
        lambda costs: rw.abstain_within([0, 1], [0.1, 0.2], costs=costs, max_cost=1),
        lambda costs: rw.reliable([0, 1], [1, 2], positive=0.9, negative=0.9, costs=costs),
    ],
)
def test_every_question_refuses_other_things_alike(question):
    with pytest.raises(rw.InputError, match="`costs` must be a Costs object"):
        question(5)
