"""Which columns were meant, and at which field an error is shown."""

import numpy as np
import pytest

import rocwise as rw
from rocwise.serving.computing.column_choice import (
    Choice,
    choice_of,
    column_kinds,
    guess,
    meant,
    typed,
)
from rocwise.serving.computing.worker import FieldError


def guessed(**columns):
    sample = {name: np.array(values, dtype=object) for name, values in columns.items()}
    return guess(column_kinds(sample), sample)


def test_a_plain_file_needs_no_choice():
    found = guessed(id=[1, 2, 3], y=[0, 1, 0], a=[0.1, 0.2, 0.3], note=["p", "q", "r"])
    assert found == {
        **{"label": "y", "scores": ["a"], "positive": "1", "error": None},
        **{"task": "binary", "order": []},
        "left_out": [{"name": "id", "why": "identifier"}, {"name": "note", "why": "text"}],
    }


ROWS = 30
OUTCOME = [int(k % 5 < 2) for k in range(ROWS)]


def test_no_identifier_and_no_outcome_is_a_model_and_nothing_is_left_out_silently():
    scores = {name: [(7 * k + j) % 11 / 10 for k in range(ROWS)] for j, name in enumerate("abcdef")}
    found = guessed(
        **{"PatientID": [f"{1001 + k}" for k in range(ROWS)], "serial": list(range(ROWS))},
        **{
            "nr": list(range(500, 500 + ROWS)),
            "gos6": [6 - 4 * y + k % 2 for k, y in enumerate(OUTCOME)],
        },
        **{"v": [100] * ROWS, "wfns": [k % 4 + 1 for k in range(ROWS)], "outcome": OUTCOME}
        | scores,
    )
    assert found["label"] == "outcome"
    assert found["scores"] == ["wfns", "a", "b", "c", "d"]
    assert {each["name"]: each["why"] for each in found["left_out"]} == {
        **{"PatientID": "text", "serial": "identifier", "nr": "identifier", "gos6": "outcome"},
        **{"e": "many", "f": "many", "v": "constant"},
    }


@pytest.mark.parametrize(
    ("columns", "label"),
    [
        (
            {"Gruppe": ["Female", "Male"] * 15, "Ergebnis": ["positive", None, "negative"] * 10},
            "Ergebnis",
        ),
        ({"sex": [0, 1] * 15, "death_30d": [1, 0, 0] * 10}, "death_30d"),
        ({"site": ["p", "q"] * 15, "flag": [1, 0, 0] * 10}, "flag"),
        ({"treated": [1, 0] * 15, "class": ["x", "y", "z"] * 10}, "class"),
        ({"sex": ["m", "w"] * 15}, None),
    ],
)
def test_the_label_is_found_by_name_and_values(columns, label):
    assert guessed(**columns, s=[k / 30 for k in range(ROWS)])["label"] == label


def test_labels_that_differ_in_blanks_or_capitals_are_no_classes():
    found = guessed(y=["positive", "Positive ", "negative"] * 10, a=[k / 30 for k in range(ROWS)])
    assert (found["task"], found["error"]["field"]) == ("binary", "label")
    assert "differ in blanks or capitals" in found["error"]["text"]


def test_a_column_of_two_values_is_the_label_whatever_its_name():
    found = guessed(score=[0.5, 0.7, 0.9], state=["ill", "well", "ill"])
    assert (found["label"], found["scores"], found["positive"]) == ("state", ["score"], "ill")


def test_two_fractions_are_no_classes():
    found = guessed(y=[1, 1], s=[0.25, 0.75])
    assert found["label"] == "y"
    assert found["error"]["field"] == "label"
    assert "only one class" in found["error"]["text"]


def test_integers_with_a_gap_are_numbers():
    kinds = column_kinds({"s": np.array([1, None, 2], dtype=object)})
    assert (kinds[0]["kind"], kinds[0]["distinct"]) == ("numbers", 2)


def test_booleans_are_classes():
    found = guessed(y=[True, False], s=[1.0, 2.0])
    assert (found["label"], found["positive"], found["scores"]) == ("y", "True", ["s"])


@pytest.mark.parametrize(
    ("columns", "field"),
    [
        ({"a": [0.5, 0.2, 0.7], "b": [1.0, 2.0, 3.5]}, "label"),
        ({"y": [0, 1], "s": ["p", "q"]}, "scores"),
        ({"y": [0, 1]}, "scores"),
        ({"y": ["left", "right"], "s": [1, 2]}, "positive"),
        ({"y": [], "s": []}, "label"),
    ],
)
def test_problems_are_reported_at_their_field(columns, field):
    assert guessed(**columns)["error"]["field"] == field


SEVERAL = {
    "whole numbers": ({"grade": [0, 1, 2] * 4, "a": [0.5] * 12}, "ordinal", ["a"]),
    "a number": (
        {"y": [k + 0.5 for k in range(20)], "m": [k / 2 for k in range(20)]},
        "regression",
        ["m"],
    ),
    "named for classes": (
        {
            "y": ["p", "q", "r"] * 3,
            "m_p": [0.5] * 9,
            "m_q": [1.0] * 9,
            "m_r": [2.0] * 9,
            "x": [3] * 9,
        },
        "multiclass",
        ["m_p", "m_q", "m_r"],
    ),
    "numbered": (
        {"y": [0, 1, 2] * 3, "p0": [1] * 9, "p1": [2] * 9, "p2": [3] * 9},
        "multiclass",
        3,
    ),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_a_label_of_another_kind_is_another_task(name):
    columns, task, scores = SEVERAL[name]
    found = guessed(**columns)
    assert (found["task"], found["error"]) == (task, None)
    assert found["scores"] == scores or len(found["scores"]) == scores
    assert found["order"] == (["0", "1", "2"] if task == "ordinal" else [])


def test_words_without_columns_of_their_own_need_an_order():
    found = guessed(y=["low", "mid", "high"] * 3, a=[0.5] * 9)
    assert (found["task"], found["error"]["field"]) == ("ordinal", "order")


def test_named_columns_bring_the_task_of_their_label():
    columns = column_kinds({"y": np.arange(3), "y0": np.arange(3), "s": np.arange(3)})
    chosen = {"label": "y", "scores": ["s"]}
    assert meant(chosen, columns)["task"] == "ordinal"
    assert meant(chosen | {"task": "regression"}, columns)["task"] == "regression"
    assert meant({"label": "none", "scores": ["s"]}, columns)["task"] == "binary"


@pytest.mark.parametrize(
    ("plain", "field"),
    [
        ({}, "label"),
        ({"label": "y"}, "scores"),
        ({"label": "y", "scores": []}, "scores"),
        ({"label": "y", "scores": "a"}, "scores"),
        ({"label": "y", "scores": [1]}, "scores"),
        ({"label": "y", "scores": ["y"]}, "scores"),
        ({"label": "y", "scores": ["a"], "direction": "sideways"}, "columns"),
        ({"label": "y", "scores": ["a"], "missing": 3}, "columns"),
        ({"label": "y", "scores": ["a"], "task": "guess"}, "columns"),
    ],
)
def test_a_choice_that_is_none_raises(plain, field):
    with pytest.raises(FieldError) as caught:
        choice_of(plain)
    assert caught.value.field == field


def test_the_positive_label_has_the_type_of_the_column():
    assert typed("2", np.array([1, 2])) == 2
    assert typed("2", np.array(["1", "2"])) == "2"


@pytest.mark.parametrize(
    ("sentence", "field", "words"),
    [
        ("`y_true` has no negative example.", "label", "column 'y'"),
        ("`scores['a']` must contain numbers.", "scores", "column 'a'"),
        ("`sample_weight` is negative at row 0.", "weight", "column 'w'"),
        (
            "`pos_label` is required for the labels 'p' and 'q' of `y_true`. "
            "Pass pos_label='p' or pos_label='q'.",
            "positive",
            "Pick it there",
        ),
        (
            "`scores['a']` has 1 missing value. Pass missing='drop' to leave it out.",
            "scores",
            "Tick the box",
        ),
        ("something else.", "columns", "something"),
    ],
)
def test_errors_of_the_library_find_their_field(sentence, field, words):
    found = Choice("y", ("a",), weight="w").error_at_field(rw.InputError(sentence))
    assert found.field == field
    assert words in str(found)
