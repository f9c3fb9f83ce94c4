"""One question asked of every model."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from rocwise.cli.output import terminal
from rocwise.errors import ScoreRangeError

if TYPE_CHECKING:
    from rocwise.data.pairs import Pairs
    from rocwise.data.tally import Tally

R = TypeVar("R")


def ask_each(options: Namespace, pairs: Pairs, question: Callable[[Tally], R]) -> dict[str, R]:
    """The answer for each model by name; a warning says which model it is about."""
    answers = {}
    for name in pairs.names:
        about = name if len(pairs.names) > 1 else None
        with terminal.warnings_as_sentences(options.words, about):
            answers[name] = _answer(pairs, name, question)
    return answers


def _answer(pairs: Pairs, name: str, question: Callable[[Tally], R]) -> R:
    """The answer for one model; a refusal of its scores names the column and the row."""
    try:
        return question(pairs.tally(name))
    except ScoreRangeError as problem:
        sign = 1 if pairs.origin.direction == "higher" else -1
        located = problem.located(sign * pairs.scores(name))
        raise located.in_words_of({"y_score": f"column {name!r}"}) from None


def heading(options: Namespace, pairs: Pairs) -> str:
    """What was read: ``scores.csv: 41 positives, 72 negatives``."""
    from rocwise import printing
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.input_files import source_name

    first = pairs.tally(pairs.names[0])  # knows sums of weights, where there are weights
    unit = "weighted " if first.weighted else ""
    source = printable(source_name(options.file))
    sizes = f"{source}: {unit}{printing.classes(first.n_pos, first.n_neg)}"
    return "; ".join([sizes, *pairs.origin.remarks()])
