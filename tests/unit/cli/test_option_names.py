"""Sentences of the library in the words of the shell, safe to print."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocwise.cli import dispatch as command_list
from rocwise.cli.options import SEVERAL, option_words, parser_of
from rocwise.cli.terminal import LONGEST_CELL, printable
from rocwise.errors import InputError, in_words_of

WORDS = {
    "costs.fp": "--cost-fp",
    "level": "--level",
    "missing": "--missing",
    "pos_label": "--pos-label",
    "standardize": "--standardize",
}


def parser_named(name):
    return parser_of(name, command_list.load(name))


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
def test_arguments_become_options(library, shell):
    assert in_words_of(library, WORDS) == shell


def test_data_arguments_become_columns():
    columns = {"y_true": "column 'ill'", "scores['a']": "column 'a'"}
    problem = InputError("`y_true` has 3 values but `scores['a']` has 2; y_true=1 stays.")
    message = str(problem.in_words_of(columns))
    assert message == "column 'ill' has 3 values but column 'a' has 2; y_true=1 stays."


def test_messages_without_names_are_unchanged():
    assert in_words_of("`level` and missing='drop' stay.", {}) == "`level` and missing='drop' stay."


@pytest.mark.parametrize("name", command_list.COMMANDS)
def test_every_option_of_a_command_is_translated(name):
    parser = parser_named(name)
    words = option_words(parser)
    actions = [action for action in parser._actions if action.option_strings[:1] != ["-h"]]
    for action in actions:
        typed = action.option_strings[-1] if action.option_strings else action.metavar
        assert in_words_of(f"`{action.dest}` is wrong.", words) == f"{typed} is wrong."


@pytest.mark.parametrize("name", command_list.COMMANDS)
def test_every_translation_can_be_typed(name):
    """Options named in a message are options of the command that was run."""
    parser = parser_named(name)
    known = {word for action in parser._actions for word in action.option_strings} | {"FILE"}
    for word in option_words(parser).values():
        assert set(word.split(" and ")) <= known


def test_arguments_of_several_options_are_needed():
    """Each is translated by some command."""
    translated = {
        argument for name in command_list.COMMANDS for argument in option_words(parser_named(name))
    }
    assert translated >= set(SEVERAL)


def test_options_are_those_of_the_command():
    """The same argument is another option elsewhere, or none."""
    assert option_words(parser_named("thresholds"))["costs"] == "--cost-fp and --cost-fn"
    assert option_words(parser_named("ordinal"))["costs"] == "--costs"
    assert "costs" not in option_words(parser_named("auc"))


@given(st.text(max_size=2 * LONGEST_CELL))
def test_printable_is_one_line_without_control_characters(text):
    shown = printable(text)
    assert shown.isprintable()
    assert len(shown) <= LONGEST_CELL


@given(st.text(alphabet=st.characters(categories=["L", "N", "P"]), max_size=LONGEST_CELL))
def test_printable_leaves_readable_text_alone(text):
    assert printable(text) == text
