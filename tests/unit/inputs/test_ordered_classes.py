"""Labels with an order: what is read, in which order, and errors."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocwise as rw
from rocwise.inputs.ordered_classes import rankings

F = [1.0, 3.0, 2.0, 5.0]


def read(y, scores=F, **options):
    return rankings(y, {"s": scores}, arguments={"s": "y_score"}, **options)["s"]


@pytest.mark.parametrize(
    ("y", "labels", "codes"),
    [
        ([3, 3, 1, 2], (1, 2, 3), [2, 2, 0, 1]),
        ([-5, 90, 90, -5], (-5, 90), [0, 1, 1, 0]),
        (np.array([-128, 127, 0, 0], np.int8), (-128, 0, 127), [0, 2, 1, 1]),
        (np.array([2**63, 2**63 + 7, 2**63, 2**63], np.uint64), (2**63, 2**63 + 7), [0, 1, 0, 0]),
        ([0, 10**9, 0, 5], (0, 5, 10**9), [0, 2, 0, 1]),
        ([False, True, True, False], (0, 1), [0, 1, 1, 0]),
        ([0.5, 0.25, 0.5, 0.5], (0.25, 0.5), [1, 0, 1, 1]),
    ],
)
def test_labels_in_the_order_in_which_they_sort(y, labels, codes):
    rows = read(y)
    assert rows.labels == labels
    assert rows.codes.tolist() == codes
    assert rows.codes.dtype == np.uint8


@pytest.mark.parametrize("y", [["b", "a", "b", "c"], np.array(["1", "2", "10", "1"])], ids=str)
def test_the_alphabet_is_no_order(y):
    with pytest.raises(rw.InputError, match=r"have no order\. Pass order=\[\.\.\.\]"):
        read(y)
    assert read(y, any_order=True).labels == tuple(sorted(set(y)))


def test_unordered_categories_are_text_too():
    y = pd.Series(["mild", "ill", "mild", "ill"], dtype="category")
    with pytest.raises(rw.InputError, match="'ill', 'mild', which have no order"):
        read(y)
    ordered = y.cat.reorder_categories(["mild", "ill"], ordered=True)
    assert read(ordered).codes.tolist() == [0, 1, 0, 1]


def test_declared_order():
    assert read(["b", "a", "b", "c"], order=["c", "b", "a"]).codes.tolist() == [1, 2, 1, 0]
    enum = pl.Series(["lo", "hi", "lo", "hi"], dtype=pl.Enum(["lo", "hi"]))
    assert read(enum).labels == ("lo", "hi")
    assert read(enum).codes.tolist() == [0, 1, 0, 1]
    assert read(enum, order=["hi", "lo"]).codes.tolist() == [1, 0, 1, 0]
    assert read(enum).origin.frame == "polars"


def test_scores_are_oriented_and_rounded():
    assert read([0, 1, 0, 1], direction="lower").scores.tolist() == [-1, -3, -2, -5]
    rounded = read([0, 1, 0, 1], [0.14, 0.16, 0.11, 0.2], decimals=1).scores
    np.testing.assert_allclose(rounded, [0.1, 0.2, 0.1, 0.2])
    with pytest.raises(rw.InputError, match="`decimals` has no meaning"):
        read([0, 1, 0, 1], np.array([2**60, 2**60 + 1, 5, 6]), decimals=1)


def test_rows_are_left_out_for_all_rankers():
    scores = {"a": [1, 2, 3, np.nan, 5], "b": [1, 2, 3, 4, 5]}
    rows = rankings([0, 1, None, 1, 0], scores, missing="drop")["b"]
    assert rows.codes.tolist() == [0, 1, 0]
    assert rows.scores.tolist() == [1, 2, 5]
    assert rows.origin.n_dropped == 2


@pytest.mark.parametrize(
    ("y", "scores", "words"),
    [
        (5, F, "one-dimensional"),
        (np.empty(0), np.empty(0), "`y_true` is empty"),
        ([], [], "`y_true` is empty"),
        ([0, 1, 0, 1], [1, 2, 3, -np.inf], "1 infinite value .first at row 3"),
        ([7, 7, 7, 7], F, "all 4 labels are 7"),
    ],
)
def test_errors(y, scores, words):
    with pytest.raises(rw.InputError, match=words):
        read(y, scores)


@pytest.mark.parametrize(
    "y", [[1, 10, "a", "b"], np.array([9, "a", "b", "a"], object), ["a", "b", 2.5, "a"]]
)
def test_numbers_mixed_with_text_have_no_order(y):
    with pytest.raises(rw.InputError, match="`y_true` mixes text and other values"):
        read(y)


@pytest.mark.parametrize("classes", [3, "ab"])
def test_classes_must_be_a_list(classes):
    with pytest.raises(rw.InputError, match="`order` must be a list of labels"):
        read(["a", "b", "a", "b"], order=classes)
