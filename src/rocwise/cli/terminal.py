"""Text for the terminal: errors, warnings and notes; folded lines; aligned tables."""

import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TextIO

from rocwise.errors import in_words_of, spelled_out

RED, YELLOW = "31", "33"
WIDEST_HELP = 100
LONGEST_CELL = 600
GAP = "  "
printed_warnings: list[str] = []
"""Those of the present command."""
NO_BREAK = "\u00a0"
"""A space at which `folded` breaks no line."""


def wants_color(stream: TextIO) -> bool:
    """Whether to color a stream: a terminal, unless ``NO_COLOR`` or ``FORCE_COLOR`` decide."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def error(message: str) -> None:
    """A red line on standard error."""
    _print(f"error: {message}", RED)


def warning(message: str) -> None:
    """A yellow line on standard error, which --json contains too."""
    printed_warnings.append(message)
    _print(f"warning: {message}", YELLOW)


def note(message: str) -> None:
    """A plain line on standard error, where it does not spoil a pipe."""
    _print(message, None)


def _print(message: str, color: str | None) -> None:
    if sys.stderr is None:  # closed by the shell
        return
    line = printable(message)
    if sys.stderr.isatty():
        line = folded(line)
    if color and wants_color(sys.stderr):
        line = f"\033[{color}m{line}\033[0m"
    with suppress(OSError):  # reported by the last flush
        if sys.stdout is not None:
            sys.stdout.flush()  # in the order of events when both streams go to one terminal
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)


def discard_output() -> None:
    """Redirect standard output, so that the interpreter's last flush raises nothing."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(devnull, sys.stdout.fileno())
        sys.stdout.flush()
    except (OSError, ValueError):  # not a file
        pass
    finally:
        os.close(devnull)


@contextmanager
def warnings_as_lines(words: Mapping[str, str], about: str | None = None) -> Iterator[None]:
    """Print each warning once, with options in place of arguments, and the model it is about."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)  # of a file left open by an interrupt
        try:
            yield
        finally:
            for line in dict.fromkeys(in_words_of(str(item.message), words) for item in caught):
                warning(f"{about}: {line}" if about else line)


@contextmanager
def without_warning(category: type[Warning]) -> Iterator[None]:
    """Suppress a warning that was printed with an earlier result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category)
        yield


def printable(text: str) -> str:
    """The text on one line, control characters escaped, cut when it would fill the screen."""
    text = spelled_out(text, keep="")
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 4]} ..."


def width() -> int:
    """Columns of the terminal, or ``COLUMNS``; 80 where there is none."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    with suppress(ValueError, OSError):  # closed, or no terminal
        if sys.__stdout__ is not None:
            return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80
    return 80


def folded(text: str) -> str:
    """The text in lines that fit the terminal; percents and p values stay whole."""
    import re
    from textwrap import fill

    kept = re.sub(r"(?<=\d) (?=%)|(?<=\bp) (?=[=<])|(?<=[=<]) (?=\d)", NO_BREAK, text)
    lines = fill(kept, max(width(), 20), subsequent_indent="  ", break_on_hyphens=False)
    return lines.replace(NO_BREAK, " ")


def folded_help(text: str) -> str:
    """Text of a help page: paragraphs are folded, indented lines (lists, examples) are kept."""
    import re
    from textwrap import fill

    most = min(max(width(), 40), WIDEST_HELP)
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
    """A command in lines that end in a backslash, broken before options; short ones as they are."""
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


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> str:
    """A table; `sides` has "l" (left), "r" (right) or "." (decimal point) for each column."""
    columns = zip(header, *rows, strict=True)
    padded = [column_of(cells, side) for cells, side in zip(columns, sides, strict=True)]
    return "\n".join(GAP.join(cells).rstrip() for cells in zip(*padded, strict=True))


def column_of(cells: Sequence[str], side: str) -> list[str]:
    """The cells of one column, the first being its title, padded to equal width."""
    title, *rest = map(printable, cells)
    column = [title, *(_by_point(rest) if side == "." else rest)]
    widths = [display_width(cell) for cell in column]
    spaces = [" " * (max(widths) - each) for each in widths]
    return [
        cell + space if side == "l" else space + cell
        for cell, space in zip(column, spaces, strict=True)
    ]


def _by_point(cells: Sequence[str]) -> list[str]:
    """Numbers padded on the right until their points are aligned; words stay as they are."""
    tails = [len(cell) - cell.find(".") if "." in cell else 0 for cell in cells]
    numbers = [cell[-1:].isdigit() for cell in cells]
    longest = max((tail for tail, number in zip(tails, numbers, strict=True) if number), default=0)
    return [
        cell + " " * (longest - tail) if number else cell
        for cell, tail, number in zip(cells, tails, numbers, strict=True)
    ]


def display_width(text: str) -> int:
    """Columns of the screen that a text takes: two for East Asian characters, none for accents."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text
    )
