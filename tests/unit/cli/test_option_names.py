"""Sentences of the library in the words of the shell, safe to print."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocwise.cli.option_names import FLAGS, LONGEST, printable, shell_words


@pytest.mark.parametrize(
    ("library", "shell"),
    [
        ("Pass missing='drop' to go on.", "Pass --missing drop to go on."),
        ("Pass pos_label='very ill' (or so).", "Pass --pos-label 'very ill' (or so)."),
        ("Pass pos_label=2.0 (or the other).", "Pass --pos-label 2.0 (or the other)."),
        ("Pass pos_label=-1 (or the other).", "Pass --pos-label -1 (or the other)."),
        ("name the positive one with pos_label=.", "name the positive one with --pos-label."),
        ("`level` must be 1; got 2.", "--level must be 1; got 2."),
        ("use `costs.fp`, standardize=True.", "use --cost-fp, --standardize."),
        ("`unheard_of` and unknown=1 stay.", "`unheard_of` and unknown=1 stay."),
    ],
)
def test_arguments_become_options(library: str, shell: str) -> None:
    assert shell_words(library) == shell


def test_data_arguments_become_columns() -> None:
    columns = {"y_true": "ill", "scores['a']": "a"}
    sentence = "`y_true` has 3 values but `scores['a']` has 2."
    assert shell_words(sentence, columns) == "column 'ill' has 3 values but column 'a' has 2."


@pytest.mark.parametrize("name", FLAGS)
def test_every_known_argument_is_translated(name: str) -> None:
    assert shell_words(f"`{name}` is wrong.") == f"{FLAGS[name]} is wrong."


@given(st.text(max_size=2 * LONGEST))
def test_printable_is_one_line_without_control_characters(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert len(shown) <= LONGEST


@given(st.text(alphabet=st.characters(categories=["L", "N", "P"]), max_size=LONGEST))
def test_printable_leaves_readable_text_alone(text: str) -> None:
    assert printable(text) == text
