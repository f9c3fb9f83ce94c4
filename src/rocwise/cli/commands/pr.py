"""``rocwise pr``: average precision of each model, with its interval."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING

from rocwise.cli.options import add_data_options, add_output_options
from rocwise.cli.runner import Answers, Picture, run_and_answer

if TYPE_CHECKING:
    from rocwise.binary.precision_recall.areas import AveragePrecisionResult
    from rocwise.primitives.pairs import Pairs

DESCRIPTION = "Average precision, the area under the precision-recall curve, with an interval."
EXAMPLES = """\
  rocwise pr scores.csv --label ill --score model_a
  rocwise pr scores.csv --label ill --score a --score b --prevalence 0.01
  rocwise pr scores.csv --label ill --score a --score b --plot pr.svg"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True)
    group = parser.add_argument_group("average precision")
    group.add_argument(
        "--prevalence", type=float, metavar="SHARE", help="of positives, that precision is for"
    )
    group.add_argument(
        "--interpolation",
        default="step",
        help="step (default: precision times the step in recall), davis-goadrich",
    )
    group.add_argument(
        "--cohort", action="store_true", help="the share of positives was left to chance"
    )
    group.add_argument("--method", default="auto", help="auto (default), logit, bootstrap")
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    group.add_argument(
        "--resamples", type=int, default=2000, metavar="N", help="of the bootstrap (default: 2000)"
    )
    group.add_argument("--seed", type=int, metavar="N", help="makes a bootstrap repeatable")
    add_output_options(parser, "the precision-recall curves")


def run(options: Namespace) -> None:
    """Print the areas."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The average precision of each model."""
    import rocwise as rw
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.per_model import ask_each, heading

    pairs = read_pairs(options)
    question = partial(
        rw.average_precision,
        prevalence=options.prevalence,
        interpolation=options.interpolation,
        cohort=options.cohort,
        method=options.method,
        level=options.level,
        n_resamples=options.resamples,
        rng=options.seed,
    )
    found = ask_each(options, pairs, question)
    return Answers(
        found,
        table=partial(_table, found),
        heading=heading(options, pairs),
        picture=partial(_picture, pairs),
    )


def _table(found: dict[str, AveragePrecisionResult]) -> str:
    from rocwise import printing
    from rocwise.cli.text_tables import aligned

    first = next(iter(found.values()))
    size = first.n_pos + first.n_neg
    rows = [
        [
            name,
            printing.rate(each.value, size),
            " to ".join(printing.rate(end, size) for end in each.interval),
            "-" if each.standard_error is None else f"{each.standard_error:.4f}",
            each.interval.method,
        ]
        for name, each in found.items()
    ]
    level = printing.percent(first.interval.level)
    table = aligned(["model", "AP", f"{level} CI", "SE", "interval by"], rows, "lrlrl")
    return f"{table}\n\nA worthless model has {printing.rate(first.chance, size)}, the prevalence."


def _picture(pairs: Pairs) -> Picture:
    import rocwise as rw

    return {name: rw.precision_recall(pairs.tally(name)) for name in pairs.names}, {}
