"""Long columns as JSON: the same text as Python's writer, whoever writes them."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwise as rw
from rocwise.cli.output import json_columns
from rocwise.cli.output.json_output import document, pieces_of
from rocwise.plain_values import columns_written_by, json_safe


@pytest.fixture
def every_column(monkeypatch):
    monkeypatch.setattr(json_columns, "MANY", 1)


def written(column):
    with json_columns.long_columns():
        return json_safe(column)


def test_long_and_short_columns_are_spelled_alike(monkeypatch):
    rng = np.random.default_rng(0)
    y, tiny = np.arange(200) % 2, 1e-6
    answers = {"a": rw.thresholds(y, tiny * rng.random(200)), "b": rw.roc(y, rng.normal(size=200))}
    as_lists = "".join(document(answers))
    assert "e-07" in as_lists
    monkeypatch.setattr(json_columns, "MANY", 1)
    assert "".join(document(answers)) == as_lists


def test_every_number_keeps_all_its_digits(every_column):
    bits = np.random.default_rng(1).integers(0, 2**64, 50_000, dtype=np.uint64)
    numbers = np.append(bits.view(np.float64), [0.0, -0.0, 5e-324, 1.7976931348623157e308, 1e22])
    assert f"[{written(numbers).text}]" == json.dumps(json_safe(numbers))


@given(st.lists(st.floats() | st.just(np.nan), min_size=1), st.integers(0, 10))
def test_what_is_masked_or_not_finite_is_null(values, hidden):
    column = np.ma.masked_array(values, mask=[k == hidden for k in range(len(values))])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_columns, "MANY", 1)
        assert f"[{written(column).text}]" == json.dumps(json_safe(column))


@pytest.mark.parametrize(
    "column",
    [
        np.array([True, False]),
        np.array([[0.5, 1.0]]),
        np.array(["a"]),
        np.array([0.1], dtype=np.float32),
        np.ma.masked_array([1, 2], mask=[True, False]),
    ],
    ids=["bools", "two dimensions", "texts", "float32", "masked integers"],
)
def test_other_columns_are_lists(every_column, column):
    assert written(column) == json_safe(column)


def test_short_columns_are_lists():
    assert written(np.array([0.5])) == [0.5]


def test_text_is_found_wherever_it_is():
    text = json_columns.JsonNumbers("1, 2")
    content = {"a": text, "b": {"c": [text, {"d": text}]}, "e": [{}]}
    assert json.loads("".join(pieces_of(content))) == {
        "a": [1, 2],
        "b": {"c": [[1, 2], {"d": [1, 2]}]},
        "e": [{}],
    }
    with pytest.raises(TypeError):
        list(pieces_of({"a": [object()]}))


def test_the_writer_is_forgotten_afterwards():
    with columns_written_by(lambda _: "written"):
        assert json_safe(np.array([1.0])) == "written"
    assert json_safe(np.array([1.0])) == [1.0]
