"""Influences on parts of the area: only rows that differ are sorted, and all rows have theirs."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.binary.partial_area import Part, partial_area, partial_influence, stretch_of
from rocwise.binary.roc import curve_points
from rocwise.binary.smooth_influences import of_rows, part_influences, reached

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
    fpr, tpr, _, _ = curve_points(data)
    found = partial_influence(fpr, tpr, part)
    rank = {score: k for k, score in enumerate(data.scores.tolist())}
    expected = np.array([found[1 - c][rank[s]] for c, s in zip(y, scores["m"], strict=True)])
    assert np.array_equal(of_rows(pairs, "m", *found), expected)
    moved = part_influences(pairs, part)
    assert np.array_equal(moved.positives[0], expected[y == 1] / data.n_pos)
    assert np.array_equal(moved.negatives[0], expected[y == 0] / data.n_neg)
    assert moved.areas.tolist() == [partial_area(fpr, tpr, part)]


@pytest.mark.parametrize("part", [*PARTS, Part("fpr", 0.0, 1.0), Part("fpr", 0.25, 0.25)], ids=str)
@pytest.mark.parametrize("decimals", [0, 1, 9])
@pytest.mark.parametrize("n", [2, 3, 8, 500])
def test_a_part_of_the_curve_is_that_of_the_whole_one(part, decimals, n):
    y = np.r_[0, 1, RNG.integers(0, 2, n - 2)]
    data = rw.tally(y, np.round(RNG.normal(size=n) + y, decimals))
    first, fpr, tpr = stretch_of(data, part)
    found = reached(data.oriented_classes, part)
    assert np.array_equal(found.fpr, fpr)
    assert np.array_equal(found.tpr, tpr)
    assert found.span == (data.scores[first + len(fpr) - 2], data.scores[first])


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
