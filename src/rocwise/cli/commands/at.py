"""``rocwise at``: every measure of each model at given thresholds or rates."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli.data import given_costs, read_pairs
from rocwise.cli.options import (
    add_arguments,
    add_cost_options,
    add_data_options,
    add_output_options,
    settings,
)
from rocwise.cli.output import Output, for_each, heading
from rocwise.cli.terminal import aligned, folded, printable
from rocwise.tables import rounded

DESCRIPTION = """\
What each model does at given thresholds, sensitivities, specificities, false positive rates or
numbers of alarms: counts, rates, predictive values, likelihood ratios, with intervals."""
EXAMPLES = """\
  rocwise at scores.csv --label ill --score model_a --threshold 0.3 0.5
  rocwise at scores.csv --label ill --score a --score b --specificity 0.8 0.9 0.95
  rocwise at scores.csv --label ill --score a --sensitivity 0.9 --prevalence 0.02 --csv"""
AXES = {
    "threshold": "at these thresholds",
    "sensitivity": "at the threshold with at least this sensitivity",
    "specificity": "at the threshold with at least this specificity",
    "fpr": "at the threshold with at most this false positive rate",
    "alarms": "at most so many positive predictions, or this proportion if below 1",
}
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


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True)
    group = parser.add_argument_group("points")
    axis = group.add_mutually_exclusive_group(required=True)
    for name, text in AXES.items():
        axis.add_argument(f"--{name}", type=float, nargs="+", metavar="VALUE", help=text)
    add_cost_options(group, "fp", "fn")
    add_arguments(
        group,
        "at",
        prevalence="prevalence for PPV, NPV and costs (default: that of the file)",
        interpolate="exactly this rate, interpolating between two thresholds",
        method="auto (default: wilson at thresholds, else bootstrap), bootstrap, or an interval of "
        "a proportion at fixed thresholds: wilson, clopper-pearson, jeffreys, ...",
        level=None,
        n_resamples=None,
        rng=None,
    )
    add_output_options(parser, "the points on the ROC curve", rates=True)


def compute(options: Namespace) -> Output:
    """The points of each model."""
    axes = {name: getattr(options, name) for name in AXES}
    more = {"costs": given_costs(options), **settings(options, "at")}
    pairs = read_pairs(options)
    tables = for_each(options, pairs, rw.at, **axes, **more)
    return Output(tables, table=partial(_reports, tables), heading=heading(options, pairs))


def _reports(tables: dict[str, Any]) -> str:
    parts = []
    for name, table in tables.items():
        title = [printable(name)] if len(tables) > 1 else []
        parts += ["\n".join([*title, _report(table, row)]) for row in range(len(table))]
    return "\n\n".join(parts)


def _report(table: Any, row: int) -> str:
    """The measures at one point, with their limits."""

    def text(values: Any) -> str:
        value = values.tolist()[row]
        return "-" if value is None else rounded(value)

    level = printing.percent(table.level)
    cells = [[NAMES[cell], rounded(table.columns[cell][row].item(), 1), ""] for cell in COUNTS]
    for name, column in table.columns.items():
        ends = [table.columns.get(f"{name}_{end}") for end in ("low", "high")]
        if ends[0] is None or ends[1] is None:
            continue
        value, low, high = map(text, (column, *ends))
        measure = NAMES.get(name, name.replace("_", " "))
        cells.append([measure, value, f"{low} to {high}" if value != "-" else ""])
    at = f"{table.axis} {table.asked_text(row)}"
    if table.axis != "threshold":
        at += f", threshold {table.threshold_text(row)}"
    head = folded(f"at {at} ({level} CI: {table.method.replace('wilson', 'Wilson')})")
    return f"{head}\n{aligned(['measure', 'value', f'{level} CI'], cells, 'lrl')}"
