"""Exceptions, warnings, and helpers for their messages."""

import functools
import math
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
PACKAGE = os.path.dirname(__file__)
QUOTES = "'\""
ASCII = bytes(range(32, 127))  # what can be printed
LONGEST_VALUE = 200  # characters of a value that a message repeats
LARGEST_WRITTEN = 10**40  # integers above it are described by their number of digits


class InputError(ValueError):
    """An argument that cannot be used, with the reason and the fix in its message."""

    def in_words_of(self, names: Mapping[str, str]) -> "InputError":
        """The error with other names of the arguments."""
        return InputError(in_words_of(str(self), names))


class MemoryLimitError(InputError):
    """An analysis that needs more rows in memory than `memory_limit` allows."""


def outermost(problem: Exception) -> Exception:
    """The error without the inner part of its traceback.

    Python's development mode (``python -X dev``) keeps the frames.
    """
    return problem if sys.flags.dev_mode else problem.with_traceback(None)


def ends_traceback(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: the traceback of an `InputError` ends at the call of this function."""

    @functools.wraps(function)
    def call(*given: P.args, **options: P.kwargs) -> R:
        try:
            return function(*given, **options)
        except InputError as problem:
            raise outermost(problem)  # noqa: B904  (the same error, with its own cause)

    return call


class UnattainableError(InputError):
    """A target that no threshold reaches, abstaining or not; `largest` is what can be reached."""

    side: str
    target: float
    largest: float

    def __init__(self, side: str, target: float, largest: float) -> None:
        within_reach = math.floor(largest * 1e4 + 1e-6) / 1e4
        super().__init__(
            f"`{side}` = {target:g} is unattainable: the largest value that any threshold, or any "
            f"mixture of two, reaches is {largest:.6g}. Use {side}={within_reach:g} or less."
        )
        self.side, self.target, self.largest = side, target, largest
        self.status = "unattainable"

    def __reduce__(self) -> Any:
        return type(self), (self.side, self.target, self.largest)


class ConflictError(InputError):
    """Two targets that can each be reached, but not together, abstaining or not."""

    def __init__(self) -> None:
        super().__init__(
            "`positive` and `negative` are in conflict: each is attainable alone, but not "
            "both together, even with abstention. Lower one of the two."
        )
        self.status = "conflict"

    def __reduce__(self) -> Any:
        return type(self), ()


class ScoreRangeError(InputError):
    """Scores outside `low` to `high`; `template` has `{argument}` for the name of the scores."""

    template: str
    low: float
    high: float

    def __init__(self, template: str, low: float, high: float, argument: str = "y_score") -> None:
        super().__init__(template.format(argument=argument))
        self.template, self.low, self.high = template, low, high

    def __reduce__(self) -> Any:
        return type(self), (self.template, self.low, self.high)

    def located(self, scores: Any, argument: str = "y_score") -> InputError:
        """The error with the name of the scores and, if known, the first wrong row."""
        import numpy as np

        sentence = self.template.format(argument=argument)
        try:
            values = np.asarray(scores, dtype=np.float64)
        except (TypeError, ValueError):
            return InputError(sentence)
        bad = np.flatnonzero((values < self.low) | (values > self.high))
        if not len(bad):
            return InputError(sentence)
        row = int(bad[0])
        number = row_number(scores, row)
        return InputError(f"{sentence} The first is {values[row]:g} at row {number}.")


class MissingPackageError(ImportError):
    """An optional package is missing; the message has the command to install it."""


class RocwiseWarning(UserWarning):
    """Base of every warning of this package."""


class DirectionWarning(RocwiseWarning):
    """The AUC is below 0.5: lower scores may mean positive."""


class MisuseWarning(RocwiseWarning):
    """The result is defined but probably not the intended one."""


class MidOutOfRangeWarning(MisuseWarning):
    """The midpoint of a smooth ROC curve lies outside the range of the scores."""


def row_number(column: Any, place: int) -> Any:
    """The number of a row; in a column of a file, as spreadsheets count."""
    file = getattr(column, "file", None)
    return place if file is None else file.number(place)


def missing_package(package: str, extra: str, purpose: str) -> MissingPackageError:
    """Word the error for an optional package that is not installed."""
    return MissingPackageError(
        f"{purpose} needs the package {package!r}, which is not installed. "
        f"Install it with: pip install 'rocwise[{extra}]'"
    )


def warn(message: str, category: type[RocwiseWarning] = RocwiseWarning) -> None:
    """Warn at the line that called this package, however deep the reason lies."""
    warnings.warn(message, category, stacklevel=_levels_to_caller())


def _levels_to_caller() -> int:
    """How many frames above `warn` the first one outside the package is."""
    frame, level = sys._getframe(2), 2
    while frame.f_code.co_filename.startswith(PACKAGE) and frame.f_back is not None:
        frame, level = frame.f_back, level + 1
    return level


def in_words_of(sentence: str, names: Mapping[str, str]) -> str:
    """A sentence whose back-ticked arguments, and its advice, go by other names."""
    if not names:
        return sentence
    known = "|".join(map(re.escape, names))
    sentence = re.sub(
        rf"\b({known})=('[^']*'|\"[^\"]*\"|True\b|[-+.\w]*\w)?(?:\[\.\.\.\])?",
        lambda found: _as_option(found, names[found[1]]),
        sentence,
    )
    return re.sub(rf"`({known})`", lambda found: names[found[1]], sentence)


def _as_option(assigned: re.Match[str], option: str) -> str:
    """``missing='drop'`` as ``--missing drop``; as it is where no option goes by that name."""
    value = assigned[2]
    if not option.startswith("--"):
        return assigned[0]
    if value is None or value == "True":
        return option
    from shlex import quote

    return f"{option} {quote(value[1:-1] if value[0] in QUOTES else value)}"


def did_you_mean(word: Any, choices: Iterable[Any], other_names: Mapping[str, str] = {}) -> str:
    """A suggestion of the choice nearest to a word, by any of its names, or nothing."""
    near = nearest(word, choices, other_names)
    return "" if near is None else f" Did you mean {shown(near)}?"


def nearest(
    word: Any,
    choices: Iterable[Any],
    other_names: Mapping[str, str] = {},
    cutoff: float = 0.6,
) -> Any:
    """The choice that a word was probably meant to be, if any is near."""
    from difflib import get_close_matches

    if not isinstance(word, str):
        return None
    plain = {_plainly(str(choice)): choice for choice in choices}
    plain |= {_plainly(other): choice for other, choice in other_names.items()}
    found = get_close_matches(_plainly(word[:LONGEST_VALUE]), plain, n=1, cutoff=cutoff)
    return plain[found[0]] if found else None


def _plainly(word: str) -> str:
    """A phonetic form of a word, to compare spellings."""
    return word.strip().casefold().replace("_", "-").replace(" ", "-")


def count_of(number: int, noun: str) -> str:
    """``1 missing value`` or ``3 missing values``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(values: Iterable[Any], limit: int = 6) -> str:
    """The first few values as words: ``'a', 'b' and 3 more``."""
    everything = list(values)
    first = ", ".join(shown(value) for value in everything[:limit])
    hidden = len(everything) - limit
    return first if hidden <= 0 else f"{first} and {hidden:,} more"


def shown(value: Any, limit: int = LONGEST_VALUE) -> str:
    """A value that was given, as it would be typed: ``0.5``, not ``np.float64(0.5)``."""
    try:
        value = _plain_value(value)
        if isinstance(value, int) and abs(value) >= LARGEST_WRITTEN:
            return f"an integer of about {int(value.bit_length() * math.log10(2)) + 1:,} digits"
        text = repr(value)
    except Exception:
        return f"a {type(value).__name__}"
    return text if len(text) <= limit else f"{text[:limit]}..."


def _plain_value(value: Any) -> Any:
    """A numpy scalar as a Python value, so that it prints without its type."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value


def warn_below_half(
    value: float,
    direction: str,
    larger: str = "positive",
    those: str = "positives",
    measure: str = "AUC",
) -> None:
    """Warn, never flip, when the scores point the wrong way; `larger` is what larger ones mean.

    The text has no number: Python shows a text once for each line of code, as in a training loop.
    """
    if value < 0.5:
        other = "lower" if direction == "higher" else "higher"
        warn(
            f"The {measure} is below 0.5: {direction} scores were taken to mean {larger}, but "
            f"{those} tend to have {other} scores. Nothing was flipped; "
            f"pass direction={other!r} if that is what the scores mean.",
            DirectionWarning,
        )


def spelled_out(text: str, keep: str = "\n") -> str:
    """The text with control characters written out; names may hold codes that steer a terminal."""
    plain = text.isascii()  # a long table is looked through at once
    if not text.encode().translate(None, ASCII + keep.encode()) if plain else text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in keep else ascii(sign)[1:-1] for sign in text
    )
