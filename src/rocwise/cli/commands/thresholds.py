"""``rocwise thresholds``: counts, rates and costs at every threshold."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

import rocwise as rw
from rocwise import checks, printing
from rocwise.cli import terminal
from rocwise.cli.data import given_costs
from rocwise.cli.options import INTEGER, Options, Parser
from rocwise.cli.output import Output, one_by_one, per_model, sign_of
from rocwise.tables import rounded

DESCRIPTION = """\
Confusion matrix, rates and costs at every threshold.

Without --all the table shows thresholds at the vertices of the ROC convex hull: for any costs,
one of them is optimal."""
EXAMPLES = """\
  rocwise thresholds scores.csv --label ill --score model_a
  rocwise thresholds scores.csv --label ill --score model_a --cost-fp 1 --cost-fn 10
  rocwise thresholds scores.csv --label ill --score model_a --all --json"""
DEFAULT_ROWS = 12  # the whole table fits a terminal of 24 lines
# Title and field, the most wanted first: what does not fit the screen is left out.
COLUMNS = {
    "tp": "tp",
    "fp": "fp",
    "fn": "fn",
    "tn": "tn",
    "sens": "sensitivity",
    "spec": "specificity",
    "cost": "expected_cost",
    "PPV": "ppv",
    "NPV": "npv",
    "Youden": "youden",
    "F1": "f1",
    "MCC": "mcc",
    "accuracy": "accuracy",
    "LR+": "lr_positive",
    "LR-": "lr_negative",
}


def add_options(parser: Parser) -> None:
    parser.data("sample_weight")
    parser.section("thresholds")
    parser.costs("fp", "fn")
    with parser.one_of():
        rows = f"about how many rows (default: {DEFAULT_ROWS})"
        parser.option("--rows", rows, default=DEFAULT_ROWS, **INTEGER)
        parser.flag("--all", "every distinct score")
    parser.output("the rates over the threshold")


def compute(options: Options) -> Output:
    """The table of each model."""
    limit = None if options.all else checks.whole(options.rows, "rows")
    costs = given_costs(options)
    report = partial(_report, costs, limit)
    return per_model(options, "thresholds", one_by_one(report), {"costs": costs})


def _report(costs: rw.Costs | None, limit: int | None, name: str, table: Any) -> str:
    """The table, and lines below on the best rows."""
    rows, marks = _chosen_rows(table, limit), _best_rows(table)
    sign = sign_of(table)
    body, left_out = _fitting_table(table, rows)
    lines = [_mark_line(table, mark, row, sign) for row in marks for mark in marks[row]]
    lines += _none_positive(table, costs)
    if len(rows) < len(table):
        lines.append(
            f"{len(rows)} of {printing.count(len(table))} thresholds, corners of the convex hull; "
            "--all lists every one."
        )
    if left_out:
        lines.append(f"Too wide for this screen: {', '.join(left_out)}; --json has them.")
    title = f"{terminal.printable(name)}: positive when score {sign} threshold"
    return "\n".join([title, body, *map(terminal.folded, lines)])


def _chosen_rows(table: Any, limit: int | None) -> Sequence[int]:
    """All rows when they are few or no limit is set, else corners of the hull and the best rows."""
    if limit is None or len(table) <= limit:
        return range(len(table))
    from_last = np.arange(len(table) - 1.0, -1.0, -1.0)  # scores may coincide as floats, these not
    counts = (np.diff(column, prepend=0) for column in (table.tp, table.fp))
    hull = rw.hull(rw.Tally.from_counts(from_last, *counts))
    corners = len(table) - 1 - hull.thresholds[1:].astype(np.intp)
    if len(corners) > limit:
        corners = corners[np.linspace(0, len(corners) - 1, limit).round().astype(int)]
    return sorted({*corners.tolist(), *_best_rows(table)})


def _best_rows(table: Any) -> dict[int, str]:
    """Rows with a mark: Y for the largest Youden index, C for the least cost."""
    marks = {int(np.argmax(table.youden)): "Y"}
    if table.expected_cost is not None:
        cheapest = int(np.argmin(table.expected_cost))
        marks[cheapest] = marks.get(cheapest, "") + "C"
    return marks


def _fitting_table(table: Any, rows: Sequence[int]) -> tuple[str, list[str]]:
    """As many columns as fit the terminal, and the titles of the others."""
    marks = _best_rows(table)
    columns = [
        terminal.column_of(["", *(marks.get(row, "") for row in rows)], "l"),
        terminal.column_of(["threshold", *map(table.threshold_text, rows)], "."),
    ]
    used = sum(len(column[0]) for column in columns) + len(terminal.GAP)
    left_out: list[str] = []
    for title, field in COLUMNS.items():
        if getattr(table, field) is None:  # no costs were given
            continue
        if not left_out:
            values = getattr(table, field)[list(rows)].tolist()
            text = printing.count if len(field) == 2 and field != "f1" else rounded
            cells = ["-" if value is None else text(value) for value in values]
            column = terminal.column_of([title, *cells], ".")
            used += len(column[0]) + len(terminal.GAP)
        if left_out or used > terminal.width():
            left_out.append(title)
        else:
            columns.append(column)
    lines = [terminal.GAP.join(cells).rstrip() for cells in zip(*columns, strict=True)]
    return "\n".join(lines), left_out


def _mark_line(table: Any, mark: str, row: int, sign: str) -> str:
    meaning = f"largest Youden index, {table.youden[row]:.3f}"
    if mark == "C":
        meaning = f"least cost, {table.expected_cost[row]:.4g} per case"
    return f"{mark}  {meaning}: score {sign} {table.threshold_text(row)}"


def _none_positive(table: Any, costs: rw.Costs | None) -> list[str]:
    """A remark when predicting no positive, which is not a row of the table, costs least."""
    if costs is None:
        return []
    n_pos, n_neg = table.tp[0] + table.fn[0], table.fp[0] + table.tn[0]
    cost = float(costs.fn * n_pos + costs.tn * n_neg) / float(n_pos + n_neg)
    if cost >= float(np.min(table.expected_cost)):
        return []
    return [f"   Cheaper than every threshold: no positive predictions, {cost:.4g} per case."]
