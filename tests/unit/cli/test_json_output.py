"""Answers as JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.cli.output.json_output import document, pieces_of

finite = st.floats(allow_nan=False, allow_infinity=False)
leaves = st.none() | st.booleans() | st.integers() | finite | st.text(max_size=5)
names = st.text(max_size=5)
values = leaves | st.lists(leaves, max_size=3) | st.dictionaries(names, leaves, max_size=3)


@given(st.dictionaries(names, values, min_size=1, max_size=4))
def test_lines_are_the_same_document(content: dict[str, object]) -> None:
    assert json.loads("".join(pieces_of(content))) == content


def test_one_answer_is_the_document() -> None:
    curve = rw.roc([0, 1, 0, 1], [1, 2, 3, 4])
    assert json.loads("".join(document({"only": curve}))) == curve.to_dict()


def test_several_answers_are_members() -> None:
    curve = rw.roc([0, 1, 0, 1], [1, 2, 3, 4])
    assert json.loads("".join(document({"a": curve, "ä": curve}))) == {
        "a": curve.to_dict(),
        "ä": curve.to_dict(),
    }


def test_what_json_cannot_say_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        list(pieces_of({"a": float("nan")}))
