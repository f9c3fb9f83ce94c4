"""``rocwise thresholds``: what each threshold would do."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from rocwise.cli.arguments.options import add_data_options, add_output_options
from rocwise.cli.runner import Answers, run_and_answer

DESCRIPTION = """\
What each threshold would do: counts of right and wrong decisions, rates, and costs.

Without --all the table shows thresholds at corners of the convex hull of the ROC curve: whatever
the costs, one of the corners is the cheapest."""
EXAMPLES = """\
  rocwise thresholds scores.csv --label ill --score model_a
  rocwise thresholds scores.csv --label ill --score model_a --cost-fp 1 --cost-fn 10
  rocwise thresholds scores.csv --label ill --score model_a --all --json"""
DEFAULT_ROWS = 12  # the whole answer fits a terminal of 24 lines


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser)
    group = parser.add_argument_group("thresholds")
    group.add_argument("--cost-fp", type=float, metavar="COST", help="cost of a false alarm")
    group.add_argument("--cost-fn", type=float, metavar="COST", help="cost of a miss")
    rows = group.add_mutually_exclusive_group()
    rows.add_argument(
        "--rows",
        type=int,
        default=DEFAULT_ROWS,
        metavar="N",
        help=f"about how many rows (default: {DEFAULT_ROWS})",
    )
    rows.add_argument("--all", action="store_true", help="every distinct score")
    add_output_options(parser, "the rates over the threshold")


def run(options: Namespace) -> None:
    """Print the tables."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The table of each model."""
    import rocwise as rw
    from rocwise import checks
    from rocwise.cli.arguments.cost_options import given_costs
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output.per_model import ask_each, heading
    from rocwise.cli.reports.threshold_tables import reports

    limit = None if options.all else checks.whole(options.rows, "rows")
    costs = given_costs(options)
    pairs = read_pairs(options)
    tables = ask_each(options, pairs, partial(rw.thresholds, costs=costs))
    return Answers(
        tables,
        table=partial(reports, tables, pairs, costs, limit=limit),
        heading=heading(options, pairs),
    )
