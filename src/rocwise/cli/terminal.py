"""What goes to the terminal besides the answer: errors, warnings, notes, and colour if wanted."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TextIO

from rocwise.cli.option_names import printable
from rocwise.errors import in_words_of

RED, YELLOW = "31", "33"


def wants_colour(stream: TextIO) -> bool:
    """Whether a person at a terminal reads this stream and has not asked for plain text."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not plain and stream.isatty()


def error(sentence: str) -> None:
    """One red sentence."""
    _say(f"error: {sentence}", RED)


def warning(sentence: str) -> None:
    """One yellow sentence."""
    _say(f"warning: {sentence}", YELLOW)


def note(sentence: str) -> None:
    """One plain sentence beside the answer, where it does not spoil a pipe."""
    _say(sentence, None)


def _say(sentence: str, colour: str | None) -> None:
    if sys.stderr is None:  # closed by the shell: nobody listens
        return
    line = printable(sentence)
    if sys.stderr.isatty():
        line = folded(line)
    if colour and wants_colour(sys.stderr):
        line = f"\033[{colour}m{line}\033[0m"
    with suppress(OSError):  # a full disk: the last flush of the answer says so
        if sys.stdout is not None:
            sys.stdout.flush()  # in the order of events when both streams go to one terminal
    with suppress(OSError):  # here the exit code still tells
        print(line, file=sys.stderr, flush=True)


@contextmanager
def warnings_as_sentences(words: Mapping[str, str], about: str | None = None) -> Iterator[None]:
    """Print each warning once, as a sentence in the words of the command line.

    Parameters
    ----------
    words
        The options to type for the library's arguments.
    about
        The model that is being asked about, where there are several.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            sentences = dict.fromkeys(in_words_of(str(item.message), words) for item in caught)
            for sentence in sentences:
                warning(f"{about}: {sentence}" if about else sentence)


def width() -> int:
    """Columns of the terminal; 80 where there is none."""
    from shutil import get_terminal_size

    return get_terminal_size((80, 24)).columns


def folded(sentence: str) -> str:
    """The sentence in lines that fit the terminal, the further ones indented."""
    from textwrap import fill

    return fill(sentence, max(width(), 20), subsequent_indent="  ", break_on_hyphens=False)


@contextmanager
def said_already(category: type[Warning]) -> Iterator[None]:
    """Do not warn again of what was said with an earlier answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category)
        yield
