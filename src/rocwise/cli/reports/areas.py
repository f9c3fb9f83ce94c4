"""Areas on the screen: one row per model, or every interval of one area."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rocwise import printing
from rocwise.cli.arguments.option_names import printable
from rocwise.cli.output.terminal import folded
from rocwise.cli.output.text_tables import aligned

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc, AucIntervals
    from rocwise.binary.cross_validation import CrossValidatedAuc
    from rocwise.inference.equal_groups import ComparableGroups


def group_table(areas: ComparableGroups) -> str:
    """One row per group, and whether all may have the same area."""
    table = area_table({str(name): areas[name] for name in areas}, areas.column)
    if len(areas) < 2:
        return table
    return f"{table}\n\nall equal: {printing.p_value(areas.p_value)} ({areas.reference})"


def area_table(areas: Mapping[str, Auc], title: str = "model") -> str:
    """One row per model: the area, its interval and how that was made."""
    first = next(iter(areas.values()))
    header = [title, "AUC", f"{printing.percent(first.interval.level)} CI", "SE", "interval by"]
    rows = [
        [
            name,
            area_text(area, area.value),
            f"{area_text(area, area.interval.low)} to {area_text(area, area.interval.high)}",
            "-" if area.standard_error is None else f"{area.standard_error:.4f}",
            area.interval.method,
        ]
        for name, area in areas.items()
    ]
    table = aligned(header, rows, "lrlrl")
    if first.part.is_whole:
        return table
    kind = "standardised partial area" if first.standardized else "partial area"
    return f"{table}\n\nAUC here is the {kind} over {first.part}."


def fold_table(areas: Mapping[str, CrossValidatedAuc]) -> str:
    """One row per model: the mean area of the folds, its interval, and the area of all pooled."""
    first = next(iter(areas.values()))
    rows = []
    for name, area in areas.items():
        value, low, high, pooled = (
            printing.rate(each, area.n_pos + area.n_neg)
            for each in (area.value, area.interval.low, area.interval.high, area.pooled)
        )
        rows.append([name, value, f"{low} to {high}", area.interval.method, pooled])
    level = printing.percent(first.interval.level)
    header = ["model", "AUC", f"{level} CI", "interval by", "pooled"]
    note = f"AUC: the mean of {first.n_folds} folds; pooled: of the scores of all folds together."
    return f"{aligned(header, rows, 'lrllr')}\n\n{note}"


def area_text(area: Auc, value: float) -> str:
    """A value on the scale of an area; raw partial areas are small and get a digit more."""
    text = printing.rate(value, area.n_pos + area.n_neg)
    if area.part.is_whole or area.standardized:
        return text
    return f"{value:.{len(text.partition('.')[2]) + 1}f}"


def interval_tables(tables: Mapping[str, AucIntervals]) -> str:
    """A table of methods for each model."""
    return "\n\n".join(_interval_table(name, table) for name, table in tables.items())


def _interval_table(name: str, table: AucIntervals) -> str:
    """One row per method, the trusted one marked, and the sentence that says why."""
    rows = [
        [
            f"{'*' if method == table.recommended else ' '} {method}",
            f"{table.low[k]:.3f} to {table.high[k]:.3f}",
            "-" if table.standard_error[k] is None else f"{table.standard_error[k]:.4f}",
            str(table.used[k]),
        ]
        for k, method in enumerate(table.method)
    ]
    header = ["  method", f"{printing.percent(table.level)} CI", "SE", "interval by"]
    title = f"{printable(name)}: AUC {table.value:.3f}"
    return f"{title}\n{aligned(header, rows, 'llrl')}\n{folded(table.advice)}"
