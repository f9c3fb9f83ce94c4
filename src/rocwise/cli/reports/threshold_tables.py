"""A table of thresholds for the screen: which rows, which columns, and which rows are best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import rocwise as rw
from rocwise import printing
from rocwise.cli.arguments.option_names import printable
from rocwise.cli.output import terminal
from rocwise.cli.output.text_tables import GAP, column_of

if TYPE_CHECKING:
    from rocwise.binary.thresholds_table import ThresholdTable
    from rocwise.costs import Costs
    from rocwise.data.pairs import Pairs
    from rocwise.data.tally import Tally

# Title, field and kind of number, the most wanted first: what does not fit the screen is left out.
COLUMNS = (
    ("tp", "tp", "count"),
    ("fp", "fp", "count"),
    ("fn", "fn", "count"),
    ("tn", "tn", "count"),
    ("sens", "sensitivity", "rate"),
    ("spec", "specificity", "rate"),
    ("cost", "expected_cost", "amount"),
    ("PPV", "ppv", "rate"),
    ("NPV", "npv", "rate"),
    ("Youden", "youden", "rate"),
    ("F1", "f1", "rate"),
    ("MCC", "mcc", "rate"),
    ("accuracy", "accuracy", "rate"),
    ("LR+", "lr_positive", "amount"),
    ("LR-", "lr_negative", "amount"),
)
SIDES = {"count": ".", "rate": "r", "amount": "."}


def reports(
    tables: Mapping[str, ThresholdTable], pairs: Pairs, costs: Costs | None, *, limit: int | None
) -> str:
    """The table of each model, of about as many rows as the limit says."""
    parts = []
    for name, table in tables.items():
        tally = pairs.tally(name)
        parts.append(threshold_report(table, tally, chosen_rows(table, tally, limit), costs))
    return "\n\n".join(parts)


def chosen_rows(table: ThresholdTable, tally: Tally, limit: int | None) -> Sequence[int]:
    """Rows to show: all when they are few or no limit is set, else corners of the hull.

    Of more corners than the limit an even choice is made; the best rows are always there.
    """
    if limit is None or len(table) <= limit:
        return range(len(table))
    corners = _hull_rows(tally)
    if len(corners) > limit:
        corners = corners[np.linspace(0, len(corners) - 1, limit).round().astype(int)]
    return sorted({*corners.tolist(), *best_rows(table)})


def _hull_rows(tally: Tally) -> Any:
    """Rows of the hull's vertices; the first vertex is beyond every score and has no row."""
    from_last = np.arange(len(tally) - 1.0, -1.0, -1.0)  # unlike scores, never one float
    ranked = rw.Tally.from_counts(from_last, tally.pos, tally.neg, squares=tally.squares)
    return len(from_last) - 1 - rw.hull(ranked).thresholds[1:].astype(np.intp)


def best_rows(table: ThresholdTable) -> dict[int, str]:
    """Rows with a mark: Y for the largest Youden index, C for the least cost."""
    marks = {int(np.argmax(table.youden)): "Y"}
    if table.expected_cost is not None:
        cheapest = int(np.argmin(table.expected_cost))
        marks[cheapest] = marks.get(cheapest, "") + "C"
    return marks


def threshold_report(
    table: ThresholdTable, tally: Tally, shown: Sequence[int], costs: Costs | None
) -> str:
    """The table with a line above that says how to read it, and lines below on the best rows."""
    name = printable(tally.origin.name or "score")
    rows = sorted({*shown, *best_rows(table)})
    way, names = table.origin.direction, table.origin.categories
    written = printing.threshold_texts(table.threshold, rows, direction=way, categories=names)
    texts = dict(zip(rows, written, strict=True))
    body, left_out = fitting_table(table, texts, shown, terminal.width())
    lines = [f"{name}: positive when score {sign_of(tally)} threshold", body]
    lines += _legend(table, {row: f"score {sign_of(tally)} {texts[row]}" for row in texts})
    lines += _nobody_positive(table, costs)
    if len(shown) < len(table):
        lines.append(
            f"{len(shown)} of {printing.count(len(table))} thresholds, corners of the convex hull; "
            "--all lists every one."
        )
    if left_out:
        lines.append(f"Too wide for this screen: {', '.join(left_out)}; --json has them.")
    return "\n".join([*lines[:2], *map(terminal.folded, lines[2:])])


def sign_of(tally: Tally) -> str:
    """How a score is compared with the threshold."""
    return ">=" if tally.direction == "higher" else "<="


def fitting_table(
    table: ThresholdTable, texts: Mapping[int, str], shown: Sequence[int], width: int
) -> tuple[str, list[str]]:
    """As many columns as fit, and the titles of the others."""
    marks = best_rows(table)
    columns = [
        column_of(["", *(marks.get(row, "") for row in shown)], "l"),
        column_of(["threshold", *(texts[row] for row in shown)], "."),
    ]
    widths = [len(column[0]) for column in columns]
    left_out: list[str] = []
    for title, field, kind in _defined(table):
        column = [] if left_out else _column(table, title, field, kind, shown)
        if left_out or not _fits(widths, len(column[0]), width):
            left_out.append(title)
        else:
            columns.append(column)
    lines = [GAP.join(cells).rstrip() for cells in zip(*columns, strict=True)]
    return "\n".join(lines), left_out


def _defined(table: ThresholdTable) -> list[tuple[str, str, str]]:
    """Columns that the table has: there is no cost where none was given."""
    return [each for each in COLUMNS if getattr(table, each[1]) is not None]


def _fits(widths: list[int], one: int, width: int) -> bool:
    """Whether a column fits the screen beside the others; if so it is added to the widths."""
    taken = sum(widths) + one + len(GAP) * len(widths)
    if taken <= width:
        widths.append(one)
    return taken <= width


def _column(
    table: ThresholdTable, title: str, field: str, kind: str, shown: Sequence[int]
) -> list[str]:
    values = getattr(table, field)[list(shown)]
    return column_of([title, *_cells(values, kind, _cases(table))], SIDES[kind])


def _cases(table: ThresholdTable) -> float:
    return float(table.tp[0] + table.fn[0] + table.fp[0] + table.tn[0])


def _cells(values: Any, kind: str, n_cases: float) -> list[str]:
    ways: dict[str, Callable[[Any], str]]
    rate = partial(printing.rate, n=n_cases)
    ways = {"count": printing.count, "rate": rate, "amount": "{:.4g}".format}
    # None where undefined
    return ["-" if value is None else ways[kind](value) for value in values.tolist()]


def _legend(table: ThresholdTable, rules: Mapping[int, str]) -> list[str]:
    lines = []
    for row, marks in best_rows(table).items():
        if "Y" in marks:
            lines.append(f"Y  largest Youden index, {table.youden[row]:.3f}: {rules[row]}")
        if "C" in marks and table.expected_cost is not None:
            lines.append(f"C  least cost, {table.expected_cost[row]:.4g} per case: {rules[row]}")
    return lines


def _nobody_positive(table: ThresholdTable, costs: Costs | None) -> list[str]:
    """A remark when no threshold is worth it; to call nobody positive is not a row of the table."""
    if costs is None or table.expected_cost is None:
        return []
    n_pos, n_neg = table.tp[0] + table.fn[0], table.fp[0] + table.tn[0]
    cost = float(costs.fn * n_pos + costs.tn * n_neg) / float(n_pos + n_neg)
    if cost >= float(np.min(table.expected_cost)):
        return []
    return [f"   Cheaper than every threshold: to call nobody positive, {cost:.4g} per case."]
