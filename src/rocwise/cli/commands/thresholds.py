"""``rocwise thresholds``: what each threshold would do."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from rocwise.cli.options import add_data_options, add_output_options
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.costs import Costs

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
    from rocwise import checks
    from rocwise.binary.thresholds.tables import thresholds
    from rocwise.cli.input_files import read_pairs, source_name
    from rocwise.cli.json_output import document
    from rocwise.cli.per_model import ask_each, heading
    from rocwise.cli.plot_option import check_picture_path, save_picture
    from rocwise.cli.reports.threshold_tables import chosen_rows, threshold_report

    check_picture_path(options.plot)
    limit = None if options.all else checks.whole(options.rows, "rows")
    costs = given_costs(options)
    pairs = read_pairs(options)
    tables = ask_each(pairs, lambda tally: thresholds(tally, costs=costs))
    if options.json:
        print(document(tables))
    else:
        print(heading(source_name(options.file), pairs))
        for name, table in tables.items():
            print()
            tally = pairs.tally(name)
            shown = chosen_rows(table, limit)
            print(threshold_report(table, tally, shown, costs))
    if options.plot:
        save_picture(tables, options.plot)


def given_costs(options: Namespace) -> Costs | None:
    """The costs, when those of both errors were given."""
    from rocwise.costs import Costs

    return Costs(fp=options.cost_fp, fn=options.cost_fn) if errors_have_costs(options) else None


def errors_have_costs(options: Namespace) -> bool:
    """Whether the costs of both errors were given; one alone says nothing."""
    if options.cost_fp is None and options.cost_fn is None:
        return False
    if options.cost_fp is None or options.cost_fn is None:
        absent = "--cost-fp" if options.cost_fp is None else "--cost-fn"
        raise InputError(f"a cost says something only beside the other one: add {absent}.")
    return True
