"""Plots of class weights, trees of classes and regrets, by what they would draw."""

import numpy as np
import pytest

import rocwise as rw
from oracles.weighted_classes import A1, A3, drawn
from rocwise.multiclass import class_weights_under, sample_costs
from rocwise.plotting import plot
from rocwise.plotting.spec import Label, Line, Points, Whiskers


def test_costs_of_each_class_before_and_after():
    found = rw.multiclass.class_weights(A1.y, A1.F, costs=A1.C)
    recording = plot(found, backend="none")
    before, after = recording.layers(Points)
    assert sum(before.x) == pytest.approx(found.baseline_cost)
    assert sum(after.x) == pytest.approx(found.cost)
    assert sorted(recording.legend) == ["Class weights", "Equal weights"]
    (whiskers,) = recording.layers(Whiskers)
    assert whiskers.low.tolist() == np.minimum(before.x, after.x).tolist()
    assert [tick.text for tick in recording.spec.y.ticks] == [
        "class 0 (weight 1)",
        "class 1 (weight 2.4)",
        "class 2 (weight 2.3)",
    ]
    assert "0.25 per case; 0.375 with equal weights (sweep)" in recording.caption


def test_a_tree_has_its_leaves_and_thresholds():
    tree = rw.multiclass.metaclass(A3.y, A3.F, costs=A3.C)
    recording = plot(tree, backend="none")
    texts = [label.text for label in recording.layers(Label)]
    assert sorted(text for text in texts if text.isdigit()) == ["0", "1", "2", "3"]
    assert [text for text in texts if not text.isdigit()].count("≥ 1.25") == 1
    assert len(recording.layers(Line)) == 6  # two branches at each of three splits
    places = [points.x[0] for points in recording.layers(Points)]
    assert sorted(places) == [0, 1, 2, 3]


def test_regrets_are_a_rising_line():
    data = drawn(30, 3, 0)
    draws = sample_costs(1, 10, n_classes=3, n_samples=20, rng=0)
    found = class_weights_under(data.y, data.F, cost_samples=draws)
    (line,) = plot(found, backend="none").layers(Line)
    assert (np.diff(line.x) >= 0).all()
    assert (np.diff(line.y) >= 0).all()
    assert line.y[-1] == 1
    assert found.regrets.max() in line.x
