"""What goes to the terminal besides the answer: errors, warnings, notes, and colour if wanted."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TextIO

from rocwise.cli.arguments.option_names import printable
from rocwise.errors import in_words_of

RED, YELLOW = "31", "33"
LONGEST = 100  # columns of a help page on a wide screen


def wants_colour(stream: TextIO) -> bool:
    """Whether a person at a terminal reads this stream and has not asked for plain text.

    ``NO_COLOR`` goes before everything; ``FORCE_COLOR`` is for logs that show colours, too.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


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
    """Columns of the terminal, or what ``COLUMNS`` says; 80 where there is none.

    As `shutil.get_terminal_size` has it, without what else that module loads.
    """
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    with suppress(ValueError, OSError):  # closed, or no terminal
        if sys.__stdout__ is not None:
            return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80
    return 80


TOGETHER = "\u00a0"
"""A space at which `folded` breaks no line."""


def folded(sentence: str) -> str:
    """The sentence in lines that fit the terminal, the further ones indented.

    A number stays with its per cent sign.
    """
    import re
    from textwrap import fill

    kept = re.sub(r"(?<=\d) %", f"{TOGETHER}%", sentence)
    text = fill(kept, max(width(), 20), subsequent_indent="  ", break_on_hyphens=False)
    return text.replace(TOGETHER, " ")


def folded_clauses(line: str) -> str:
    """The line, or its clauses in lines of their own: a long path in the first stays whole."""
    return line if len(line) <= width() else line.replace("; ", ";\n  ")


def folded_help(text: str) -> str:
    """Text of a help page: paragraphs are folded, indented lines (lists, examples) are kept.

    An example that is too long goes on in the next line, as one would type it in a shell.
    """
    import re
    from textwrap import fill

    most = min(max(width(), 40), LONGEST)
    parts: list[list[str]] = [[]]
    for line in re.sub(r" *\\\n +", " ", text).splitlines():
        if parts[-1] and (not line.strip() or line[:1] == " " or parts[-1][-1][:1] in ("", " ")):
            parts.append([])
        parts[-1].append(line.rstrip())
    written = (
        folded_command(lines[0], most)
        if lines and lines[0][:1] == " "
        else fill(" ".join(lines), most)
        for lines in parts
    )
    return "\n".join(written)


def folded_command(line: str, most: int) -> str:
    r"""A command in lines that end in a backslash, broken before options; short ones as they are.

    >>> print(folded_command("  rocwise auc scores.csv --label ill --score a", 40))
      rocwise auc scores.csv --label ill \
          --score a
    """
    if len(line) <= most or not line.lstrip().startswith("rocwise "):
        return line
    first, *pieces = line.split(" --")
    lines = [first]
    for piece in pieces:
        if len(lines[-1]) + len(piece) + 5 > most:  # " --" before it and a backslash after it
            lines[-1] += " \\"
            lines.append(f"      --{piece}")
        else:
            lines[-1] += f" --{piece}"
    return "\n".join(lines)


@contextmanager
def said_already(category: type[Warning]) -> Iterator[None]:
    """Do not warn again of what was said with an earlier answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category)
        yield
