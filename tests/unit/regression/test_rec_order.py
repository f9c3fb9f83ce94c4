"""Order of two REC curves: dominance, crossings, stretches."""

import json

import numpy as np
import pytest

import rocwise as rw
from rocwise.errors import InputError
from unit.regression.forecast_vectors import C1, C2


def curves(vector, **options):
    return rw.regression.rec(vector.y, vector.a, **options), rw.regression.rec(
        vector.y, vector.b, **options
    )


@pytest.mark.parametrize("loss", ["absolute", "squared"])
def test_first_example_dominance(loss):
    a, b = curves(C1, loss=loss)
    assert a.dominates(b)
    assert not b.dominates(a)
    assert a.crossings(b) == []
    order = a.order(b, names=("a", "b"))
    assert (order.verdict, order.winner) == ("first dominates", ("first",))
    assert repr(order) == "a dominates b: at no tolerance is it worse"
    assert b.order(a, names=("b", "a")).verdict == "second dominates"


@pytest.mark.parametrize(("loss", "place"), [("absolute", 0.75), ("squared", 0.5625)])
def test_second_example_crossing(loss, place):
    a, b = curves(C2, loss=loss)
    assert not a.dominates(b)
    assert not b.dominates(a)
    assert a.crossings(b) == b.crossings(a) == [place]


def test_stretches_between_crossings():
    a, b = curves(C2)
    order = a.order(b, names=("a", "b"))
    assert order.verdict == "crossing"
    assert order.named_winners() == ["b", "a"]
    assert (order.start.tolist(), order.end.tolist()) == ([0.0, 0.75], [0.75, np.inf])
    assert order.first_aoc == pytest.approx([a.aoc_up_to(0.75), a.aoc])
    assert order.second_aoc == pytest.approx([b.aoc_up_to(0.75), b.aoc])
    assert repr(order) == "REC curves of a and b cross at 0.75: b then a is better"
    plain = json.loads(json.dumps(order.to_dict()))
    assert plain["end"] == [0.75, None]
    assert order.to_frame()["winner"].tolist() == ["b", "a"]


def test_equal_curves():
    a, _ = curves(C1)
    shuffled = rw.regression.rec(C1.y[::-1], C1.a[::-1])
    order = a.order(shuffled)
    assert (order.verdict, order.winner, len(order.crossings)) == ("equal", (), 0)
    assert not a.dominates(shuffled)
    assert repr(order) == "first and second have the same REC curve"
    assert len(order.to_frame()["start"]) == 0


def test_always_above_is_impossible():
    """A dominating curve touches the other one: at the end both are 1."""
    a, b = curves(C1)
    assert a.dominates(b)
    assert a.hits_at(1.0) == b.hits_at(1.0) == 6


def test_mean_errors_depend_on_the_loss_where_neither_dominates():
    """The order of areas is not "invariant to the metric"; that of curves is."""
    zeros = [0.0, 0.0]
    a, b = rw.regression.rec(zeros, [1, 1]), rw.regression.rec(zeros, [0, 1.5])
    square_a = rw.regression.rec(zeros, [1, 1], loss="squared")
    square_b = rw.regression.rec(zeros, [0, 1.5], loss="squared")
    assert (a.aoc, b.aoc) == (1.0, 0.75)
    assert (square_a.aoc, square_b.aoc) == (1.0, 1.125)
    assert not a.dominates(b)
    assert not b.dominates(a)


def test_curves_of_different_numbers_of_cases():
    few, many = (
        rw.regression.rec([0.0, 0.0, 0.0], [1, 2, 3]),
        rw.regression.rec(np.zeros(6), [1, 1, 2, 2, 3, 3]),
    )
    assert few.order(many).verdict == "equal"
    assert rw.regression.rec(np.zeros(6), [1, 1, 1, 2, 3, 3]).dominates(few)


def test_different_losses_raise():
    with pytest.raises(rw.InputError, match="absolute and of squared errors cannot be compared"):
        rw.regression.rec([1], [2]).dominates(rw.regression.rec([1], [2], loss="squared"))


def test_only_curves_can_be_ordered():
    curve = rw.regression.rec([1, 2], [1, 3])
    with pytest.raises(InputError, match=r"`other` must be a RecCurve; got list"):
        curve.dominates([1, 3])  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"`other` must be a RecCurve"):
        curve.crossings("x")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"`other` must be a RecCurve; got int"):
        curve.order(1)  # type: ignore[arg-type]
