"""Pairs: several models' scores on the same rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from oracles.scored_rows import few_values, rows

Y = [0, 0, 1, 1]
A, B = [1, 2, 3, 4], [2.5, 1.5, 1.5, 3.5]


def test_pairs_hold_rows_and_names():
    pairs = rw.pair(Y, {"a": A, "b": B})
    assert pairs.names == ("a", "b")
    assert (len(pairs), pairs.n_pos, pairs.n_neg) == (4, 2, 2)
    assert pairs.mask.tolist() == Y
    assert pairs.scores("b").tolist() == B
    assert pairs.groups is None
    assert pairs.weights is None
    assert repr(pairs) == "Pairs of a, b: 2 positives, 2 negatives"


def test_the_tally_of_a_model_is_that_of_its_rows():
    pairs = rw.pair(Y, {"a": A, "b": B})
    tally, alone = pairs.tally("b"), rw.tally(Y, B)
    assert tally.scores.tolist() == alone.scores.tolist()
    assert tally.pos.tolist() == alone.pos.tolist()
    assert tally.origin.name == "b"
    assert pairs.tally("b") is tally  # sorted once


@pytest.mark.parametrize("method", ["scores", "tally"])
def test_a_model_that_is_not_there_is_named(method):
    pairs = rw.pair(Y, {"a": A, "b": B})
    with pytest.raises(rw.InputError, match="`name` must be one of 'a', 'b'; got 'c'"):
        getattr(pairs, method)("c")
    with pytest.raises(rw.InputError, match="got 'c'"):
        pairs.select(["a", "c"])


def test_select_keeps_rows_groups_and_weights():
    pairs = rw.pair(Y, {"a": A, "b": B}, groups=[7, 7, 8, 8], sample_weight=[1, 2, 3, 4])
    chosen = pairs.select(["b"])
    assert chosen.names == ("b",)
    assert chosen.groups.tolist() == [0, 0, 1, 1]
    assert chosen.tally("b").n_pos == 7.0
    assert repr(chosen) == "Pairs of b: 2 positives, 2 negatives; weights of 4 rows; 2 clusters"


def test_columns_of_an_array_are_numbered():
    table = np.array([A, B], np.float32).T
    pairs = rw.pair(Y, table)
    assert pairs.names == ("model 1", "model 2")
    assert pairs.scores("model 2").tolist() == B
    assert pairs.scores("model 2").dtype == np.float32
    assert rw.pair(Y, list(zip(A, B, strict=True))).scores("model 1").tolist() == A


def test_direction_orients_every_model():
    pairs = rw.pair(Y, {"a": [-v for v in A]}, direction="lower")
    assert pairs.scores("a").tolist() == A
    assert pairs.tally("a").scores.tolist() == [-4.0, -3.0, -2.0, -1.0]
    assert repr(pairs).endswith("; lower scores mean positive")


def test_rows_missing_in_any_model_are_dropped_everywhere():
    pairs = rw.pair(Y, {"a": [1, None, 3, 4], "b": [1, 2, 3, np.nan]}, missing="drop")
    assert len(pairs) == 2
    assert pairs.scores("a").tolist() == [1.0, 3.0]
    assert pairs.origin.n_dropped == pairs.tally("b").n_dropped == 2


@pytest.mark.parametrize(
    "groups", [["x", "y", "x", "y"], [10, 3, 10, 3], pd.Series(["x", "y"] * 2, dtype="category")]
)
def test_clusters_are_numbered(groups):
    codes = rw.pair(Y, {"a": A}, groups=groups).groups
    assert codes[0] == codes[2] != codes[1] == codes[3]
    assert set(codes.tolist()) == {0, 1}


@given(rows(st.tuples(few_values, few_values)))
def test_placements_count_the_other_class(data):
    y, both = data
    pairs = rw.pair(y, {"a": [a for a, _ in both], "b": [b for _, b in both]})
    for row, name in enumerate(pairs.names):
        s = pairs.scores(name).tolist()
        for i, label in enumerate(y):
            others = [v for v, other in zip(s, y, strict=True) if other != label]
            expected = sum((v < s[i]) + (v <= s[i]) for v in others)
            assert pairs.placements[row, i] == expected
    assert not pairs.placements.flags.writeable


def test_models_can_be_called_otherwise() -> None:
    pairs = rw.pair([0, 1, 0, 1], {"a": [1, 2, 3, 4], "b": [4, 1, 3, 2]}, direction="lower")
    other = pairs.renamed({"b": "new"})
    assert other.names == ("a", "new")
    assert other.tally("new").direction == "lower"
    assert other.tally("new").scores.tolist() == pairs.tally("b").scores.tolist()
    assert "new" in repr(rw.compare(other))
    for wrong in ({"b": "a"}, {"c": "d"}, {"a": ""}, {"a": 3}, ["a"]):
        with pytest.raises(rw.InputError):
            pairs.renamed(wrong)
