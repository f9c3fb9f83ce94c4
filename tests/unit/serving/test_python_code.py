"""Python for a state is Python, whatever the columns are called."""

import ast

import pytest

from rocwise.serving.python_code import python_code

PAYLOAD = {
    "models": [{"name": "a", "direction": "higher"}, {"name": 'it\'s "b"\n', "direction": "lower"}],
    "settings": {"level": 0.95, "n_resamples": 400, "seed": 7, "band_kinds": ["pointwise"]},
}
STATE = {"model": "a", "thresholds": {"a": 0.25}, "prevalence": 0.1, "cost_ratio": 5.0, "band": ""}


def code(choice: dict | None = None, form: str = "file", **state: object) -> str:
    usual = {"label": "y", "scores": ["a", 'it\'s "b"\n'], "positive": "1"}
    text = python_code(form, "my 'scores'.csv", usual | (choice or {}), PAYLOAD, STATE | state)
    ast.parse(text)
    return text


def test_it_says_what_the_page_shows() -> None:
    text = code()
    assert "threshold=0.25" in text
    assert "rw.Costs(fp=1, fn=5)" in text
    assert "prevalence=0.1" in text
    assert "pos_label" not in text  # 1 is positive without being told


def test_names_may_hold_anything() -> None:
    assert "score <= 3" in code(model='it\'s "b"\n', thresholds={'it\'s "b"\n': 3})


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"positive": "ill"}, "pos_label='ill'"),
        ({"positive": "2"}, "pos_label=2"),
        ({"direction": "lower"}, "direction='lower'"),
        ({"missing": "drop"}, "missing='drop'"),
        ({"weight": "w"}, "sample_weight='w'"),
        ({"group": "g"}, "groups='g'"),
    ],
)
def test_options_of_the_columns(choice: dict, words: str) -> None:
    assert words in code(choice)


def test_bands_bring_their_seed() -> None:
    assert "kind='pointwise', level=0.95, n_resamples=400, rng=7" in code(band="pointwise")


def test_the_origin_has_no_threshold() -> None:
    assert "no case is called positive" in code(thresholds={"a": None})
