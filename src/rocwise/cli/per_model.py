"""One question asked of every model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from rocwise.cli import terminal
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.primitives.pairs import Pairs
    from rocwise.primitives.tallies import Tally

R = TypeVar("R")


def ask_each(pairs: Pairs, question: Callable[[Tally], R]) -> dict[str, R]:
    """The answer for each model by name; a warning says which model it is about."""
    answers = {}
    for name in pairs.names:
        with terminal.warnings_as_sentences(name if len(pairs.names) > 1 else None):
            answers[name] = _answer(pairs, name, question)
    return answers


def _answer(pairs: Pairs, name: str, question: Callable[[Tally], R]) -> R:
    """The answer for one model; a refusal of its scores names the column and the row."""
    from rocwise.binary.unit_scores import of_model
    from rocwise.cli.option_names import shell_words
    from rocwise.errors import ScoreRangeError

    try:
        return question(pairs.tally(name))
    except ScoreRangeError as problem:
        said = str(of_model(problem, pairs, name))
        raise InputError(shell_words(said, {f"scores[{name!r}]": name})) from None


def heading(source: str, pairs: Pairs) -> str:
    """What was read: ``scores.csv: 41 positives, 72 negatives``."""
    from rocwise import printing
    from rocwise.cli.option_names import printable

    first = pairs.tally(pairs.names[0])  # knows sums of weights, where there are weights
    unit = "weighted " if first.weighted else ""
    sizes = f"{printable(source)}: {unit}{printing.classes(first.n_pos, first.n_neg)}"
    return "; ".join([sizes, *pairs.origin.remarks()])
