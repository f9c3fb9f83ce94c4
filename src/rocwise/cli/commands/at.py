"""``rocwise at``: what each model does at given thresholds or rates."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.arguments.options import (
    add_data_options,
    add_output_options,
    add_resampling_options,
)
from rocwise.cli.runner import Answers, run_and_answer

if TYPE_CHECKING:
    from rocwise.binary.points.tables import PointsTable

DESCRIPTION = """\
What each model does at given thresholds, sensitivities, specificities, false positive rates or
numbers of alarms: counts, rates, predictive values, likelihood ratios, with intervals."""
EXAMPLES = """\
  rocwise at scores.csv --label ill --score model_a --threshold 0.3 0.5
  rocwise at scores.csv --label ill --score a --score b --specificity 0.8 0.9 0.95
  rocwise at scores.csv --label ill --score a --sensitivity 0.9 --prevalence 0.02 --csv"""
AXES = {
    "threshold": "at these thresholds",
    "sensitivity": "where at least this share of the positives is called positive",
    "specificity": "where at least this share of the negatives is called negative",
    "fpr": "where at most this share of the negatives is called positive",
    "alarms": "where at most so many cases, or this share if below 1, are called positive",
}


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True)
    group = parser.add_argument_group("points")
    axis = group.add_mutually_exclusive_group(required=True)
    for name, words in AXES.items():
        axis.add_argument(f"--{name}", type=float, nargs="+", metavar="VALUE", help=words)
    group.add_argument(
        "--prevalence", type=float, metavar="SHARE", help="of positives, for PPV, NPV and costs"
    )
    group.add_argument("--cost-fp", type=float, metavar="COST", help="cost of a false alarm")
    group.add_argument("--cost-fn", type=float, metavar="COST", help="cost of a miss")
    group.add_argument(
        "--interpolate", action="store_true", help="exactly this rate, mixing two thresholds"
    )
    group.add_argument(
        "--method",
        default="auto",
        help="auto (default: wilson at thresholds, else bootstrap), bootstrap, or an interval of a "
        "proportion at fixed thresholds: wilson, clopper-pearson, jeffreys, ...",
    )
    add_resampling_options(group, resamples=2000)
    add_output_options(parser, "the points on the ROC curve", rates=True)


def run(options: Namespace) -> None:
    """Print the table."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The points of each model."""
    import rocwise as rw
    from rocwise.cli.arguments.cost_options import given_costs
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output.per_model import ask_each, heading

    settings: dict[str, Any] = {name: getattr(options, name) for name in AXES}
    settings |= {"costs": given_costs(options), "prevalence": options.prevalence}
    settings |= {"interpolate": options.interpolate, "method": options.method}
    settings |= {"level": options.level, "n_resamples": options.resamples, "rng": options.seed}
    pairs = read_pairs(options)
    tables = ask_each(options, pairs, partial(rw.at, **settings))
    return Answers(tables, table=partial(_reports, tables), heading=heading(options, pairs))


def _reports(tables: dict[str, PointsTable]) -> str:
    """For each model and point a column of measures with their limits."""
    from rocwise.cli.arguments.option_names import printable

    parts = []
    for name, table in tables.items():
        title = [printable(name)] if len(tables) > 1 else []
        parts += ["\n".join([*title, _report(table, row)]) for row in range(len(table))]
    return "\n\n".join(parts)


def _report(table: PointsTable, row: int) -> str:
    from rocwise import printing
    from rocwise.cli.output.terminal import folded
    from rocwise.cli.output.text_tables import aligned
    from rocwise.tables import rounded

    level = printing.percent(table.level)
    cells = [[NAMES[cell], rounded(table.columns[cell][row].item(), 1), ""] for cell in COUNTS]
    for name, column in table.columns.items():
        ends = [table.columns.get(f"{name}_{end}") for end in ("low", "high")]
        if ends[0] is None or ends[1] is None:
            continue
        value, low, high = (_text(values, row) for values in (column, *ends))
        called = NAMES.get(name, name.replace("_", " "))
        cells.append([called, value, f"{low} to {high}" if value != "-" else ""])
    at = f"{table.axis} {table.asked_text(row)}"
    if table.axis != "threshold":
        at += f", threshold {table.threshold_text(row)}"
    head = folded(f"at {at} ({level} CI: {table.method.replace('wilson', 'Wilson')})")
    return f"{head}\n{aligned(['measure', 'value', f'{level} CI'], cells, 'lrl')}"


COUNTS = ("tp", "fp", "fn", "tn")
NAMES = {
    "tp": "true positives",
    "fp": "false positives",
    "fn": "false negatives",
    "tn": "true negatives",
    "ppv": "PPV (precision)",
    "npv": "NPV",
    "f1": "F1",
    "lr_positive": "LR+",
    "lr_negative": "LR-",
}


def _text(values: Any, row: int) -> str:
    from rocwise.tables import rounded

    value = values.tolist()[row]
    return "-" if value is None else rounded(value)
