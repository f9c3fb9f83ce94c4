"""Influences on parts of the area: only rows that differ are sorted, and all rows have theirs."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.areas.part_influences import of_rows, part_influences
from rocwise.binary.curves.empirical import curve_points
from rocwise.binary.curves.parts import Part, partial_influence

RNG = np.random.default_rng(8)
PARTS = [
    Part("fpr", 0.0, 0.1),
    Part("fpr", 0.3, 0.4),
    Part("fpr", 0.6, 1.0),
    Part("tpr", 0.8, 1.0),
    Part("tpr", 0.2, 0.5),
]


@pytest.mark.parametrize("part", PARTS, ids=str)
@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_rows_that_are_not_sorted_have_the_influence_of_the_others(part, direction, decimals):
    y = RNG.integers(0, 2, 400)
    scores = {"m": np.round(RNG.normal(size=400) + y, decimals)}
    pairs = rw.pair(y, scores, direction=direction)
    data = pairs.tally("m")
    fpr, tpr, thresholds, _ = curve_points(data)
    found = partial_influence(fpr, tpr, part)
    some, every = of_rows(pairs, "m", *found, thresholds[1:]), of_rows(pairs, "m", *found)
    assert np.array_equal(some, every)
    rank = {score: k for k, score in enumerate(data.scores.tolist())}
    expected = [found[1 - label][rank[s]] for label, s in zip(y, scores["m"], strict=True)]
    assert np.array_equal(some, expected)


def test_equal_influences_need_no_sort():
    y, score = np.array([0, 1, 0, 1]), np.array([1.0, 2.0, 3.0, 4.0])
    pairs = rw.pair(y, {"m": score})
    scores = pairs.tally("m").scores
    assert of_rows(pairs, "m", np.full(4, 0.5), np.zeros(4), scores).tolist() == [0, 0.5, 0, 0.5]


def test_positions_of_categories_are_not_taken_for_scores():
    labels, grades = np.array([0, 1, 0, 1, 1, 0]), ["low", "high", "low", "mid", "high", "mid"]
    categories = ["low", "mid", "high"]
    places = np.array([categories.index(grade) for grade in grades])
    pd = pytest.importorskip("pandas")
    named = pd.Categorical(grades, categories=categories, ordered=True)
    by_name = part_influences(rw.pair(labels, {"m": named}), PARTS[0])
    by_place = part_influences(rw.pair(labels, {"m": places}), PARTS[0])
    assert np.array_equal(by_name.positives, by_place.positives)
    assert np.array_equal(by_name.negatives, by_place.negatives)
