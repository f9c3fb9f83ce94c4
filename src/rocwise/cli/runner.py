"""What every command does with its answers: print them, their JSON or a table, and draw them.

A command reads and asks; it hands over what it found as `Answers`.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rocwise.errors import spelled_out

if TYPE_CHECKING:
    from rocwise.results import Result

Picture = tuple[object, dict[str, Any]]  # what `rocwise.plotting.save` draws, and its options


class Answers(NamedTuple):
    """What a command found out. The text and the picture are made only when they are wanted."""

    by_model: Mapping[str, Result]
    table: Callable[[], str]
    heading: str = ""
    of_each: Mapping[str, Mapping[str, Any]] | None = None  # further members of each in --json
    of_all: Mapping[str, Any] | None = None  # members beside the models in --json
    picture: Callable[[], Picture] | None = None  # the answers by model where there is none


def run_and_answer(options: Namespace, ask: Callable[[Namespace], Answers]) -> None:
    """Ask, then answer in the way that the options want."""
    from rocwise.cli.arguments.plot_option import check_plot_options, save_picture
    from rocwise.cli.output.table_output import FORMATS, table_text
    from rocwise.cli.output.terminal import folded_clauses

    check_plot_options(options)
    answers = ask(options)
    if options.json:
        from rocwise.cli.output.json_output import document

        more = {"of_each": answers.of_each, "of_all": answers.of_all}
        print_answer(*document(answers.by_model, **more))
    elif form := next((name for name in FORMATS if getattr(options, name, False)), None):
        print_answer(table_text(answers.by_model, form))
    else:
        # sentences of the library may hold names of columns, and these may hold anything
        heading = "\n".join(map(folded_clauses, answers.heading.splitlines()))
        text = "\n\n".join(part for part in (heading, answers.table()) if part)
        print_answer(spelled_out(text))
    if options.plot:
        results, how = answers.picture() if answers.picture else (answers.by_model, {})
        save_picture(results, options, **how)


def print_answer(*pieces: str) -> None:
    """Print; what cannot be written, as on a full disk, is said to be about standard output."""
    try:
        sys.stdout.writelines((*pieces, "\n"))
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, "standard output") from None
