"""Errors and warnings: one line each, in colour only where a person sees it."""

import io
import warnings
from contextlib import redirect_stderr

import pytest

from rocwise.cli import terminal as screen


class Terminal(io.StringIO):
    def isatty(self):
        return True


def settle(monkeypatch, settings):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in settings.items():
        monkeypatch.setenv(name, value)


def spoken(prompt, monkeypatch, **settings):
    """What a sentence looks like on a terminal with these settings."""
    settle(monkeypatch, settings)
    with redirect_stderr(Terminal()) as terminal:
        prompt("no.")
    return terminal.getvalue()


def test_colour_on_a_terminal(monkeypatch):
    assert spoken(screen.error, monkeypatch) == "\x1b[31merror: no.\x1b[0m\n"
    assert spoken(screen.warning, monkeypatch) == "\x1b[33mwarning: no.\x1b[0m\n"
    assert spoken(screen.note, monkeypatch) == "no.\n"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_plain_on_request(monkeypatch, name, value):
    assert spoken(screen.error, monkeypatch, **{name: value}) == "error: no.\n"


def test_empty_no_color_does_not_count(monkeypatch):
    assert spoken(screen.error, monkeypatch, NO_COLOR="").startswith("\x1b[31m")


@pytest.mark.parametrize(
    ("settings", "colour"),
    [
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": ""}, False),
        ({}, False),
    ],
)
def test_colour_where_it_is_requested(monkeypatch, settings, colour):
    """In a file or a pipe: only when forced, and never against NO_COLOR."""
    settle(monkeypatch, settings)
    assert screen.wants_color(io.StringIO()) == colour


def test_results_have_no_colour(run, monkeypatch):
    """They are read by people and programs; help too, in every version of Python."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in run("bounds", "--fpr", 0.2, "--tpr", 0.8).out
    assert "\x1b" not in run("auc", "--help").out


def test_plain_in_a_pipe(capsys):
    screen.error("two\nlines")
    assert capsys.readouterr().err == "error: two\\nlines\n"


def test_each_warning_once_and_named(capsys):
    with screen.warnings_as_lines({"direction": "--direction"}, "model_a"):
        for _ in range(3):
            warnings.warn("pass direction='lower'.", UserWarning, stacklevel=1)
        warnings.warn("another", RuntimeWarning, stacklevel=1)
        warnings.warn("unclosed file", ResourceWarning, stacklevel=1)  # as at an interrupt
    assert capsys.readouterr().err.splitlines() == [
        "warning: model_a: pass --direction lower.",
        "warning: model_a: another",
    ]


def test_warnings_before_an_error_are_not_lost(capsys):
    def warn_and_fail():
        with screen.warnings_as_lines({}):
            warnings.warn("careful", UserWarning, stacklevel=1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        warn_and_fail()
    assert capsys.readouterr().err == "warning: careful\n"


def test_long_sentences_break_between_words_on_a_terminal(monkeypatch):
    def respond(_word):
        screen.note("word " * 30)

    lines = spoken(respond, monkeypatch, COLUMNS="40").splitlines()
    assert " ".join(lines).split() == ["word"] * 30
    assert max(map(len, lines)) <= 40


def test_warnings_are_not_repeated(capsys):
    with screen.warnings_as_lines({}), screen.without_warning(UserWarning):
        warnings.warn("again", UserWarning, stacklevel=1)
        warnings.warn("new", RuntimeWarning, stacklevel=1)
    assert capsys.readouterr().err == "warning: new\n"
