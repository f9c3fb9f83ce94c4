"""``rocwise calibration``: whether predicted probabilities mean what they say."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING

from rocwise.cli.arguments.options import add_data_options, add_output_options
from rocwise.cli.runner import Answers, run_and_answer

if TYPE_CHECKING:
    from rocwise.binary.calibration.curves import Calibration

DESCRIPTION = """\
Whether predicted probabilities mean what they say: observed shares with intervals, slope and
intercept of the recalibration, expected calibration error, Brier score and log loss."""
EXAMPLES = """\
  rocwise calibration scores.csv --label ill --score risk
  rocwise calibration scores.csv --label ill --score a --score b --strategy uniform --bins 5
  rocwise calibration scores.csv --label ill --score risk --plot calibration.svg"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, weights=False)
    group = parser.add_argument_group("calibration")
    group.add_argument("--bins", type=int, default=10, metavar="N", help="bins (default: 10)")
    group.add_argument(
        "--strategy",
        default="quantile",
        help="quantile (default: bins of equal size), uniform, isotonic, loess",
    )
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    group.add_argument("--seed", type=int, metavar="N", help="makes isotonic limits repeatable")
    add_output_options(parser, "the calibration curves")


def run(options: Namespace) -> None:
    """Print the curves and what they amount to."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The calibration of each model."""
    import rocwise as rw
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output.per_model import ask_each, heading

    pairs = read_pairs(options)
    question = partial(
        rw.calibration,
        bins=options.bins,
        strategy=options.strategy,
        level=options.level,
        rng=options.seed,
    )
    found = ask_each(options, pairs, question)
    return Answers(found, table=partial(_reports, found), heading=heading(options, pairs))


def _reports(found: dict[str, Calibration]) -> str:
    from rocwise.cli.arguments.option_names import printable

    return "\n\n".join(f"{printable(name)}\n{_report(answer)}" for name, answer in found.items())


def _report(answer: Calibration) -> str:
    from rocwise import printing
    from rocwise.cli.output.terminal import folded
    from rocwise.cli.output.text_tables import aligned

    level = printing.percent(answer.level)
    columns = (answer.predicted, answer.observed, answer.low, answer.high, answer.count)
    rows = [
        [f"{p:.3f}", f"{o:.3f}", f"{low:.3f} to {high:.3f}", printing.count(n)]
        for p, o, low, high, n in zip(*(c.tolist() for c in columns), strict=True)
    ]
    table = aligned(["predicted", "observed", f"{level} CI", "cases"], rows, "rrlr")
    lines = [_interval_line(answer, name) for name in ("slope", "intercept", "in_the_large")]
    lines += [
        f"expected calibration error {answer.ece:.4f}; log loss {answer.log_loss:.4f}",
        folded(
            f"Brier score {answer.brier:.4f} = miscalibration {answer.miscalibration:.4f} "
            f"- discrimination {answer.discrimination:.4f} + uncertainty {answer.uncertainty:.4f}"
        ),
    ]
    return "\n".join([table, *(line for line in lines if line)])


def _interval_line(answer: Calibration, name: str) -> str:
    from rocwise import printing

    value, interval = getattr(answer, name), getattr(answer, f"{name}_interval")
    words = {"in_the_large": "intercept at slope 1"}.get(name, name)
    if value is None:
        return "" if name != "slope" else "no slope: scores of 0 or 1, or separated classes"
    level = printing.percent(answer.level)
    return f"{words} {value:.3f} ({level} CI {interval.low:.3f} to {interval.high:.3f})"
