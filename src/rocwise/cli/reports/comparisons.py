"""Comparisons on the screen: what was compared, and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocwise import printing
from rocwise.cli.option_names import printable
from rocwise.cli.text_tables import aligned

if TYPE_CHECKING:
    from rocwise.inference.comparison_results import Comparison


def estimate_table(answer: Comparison) -> str:
    """One row per model."""
    rows = [[name, f"{value:.3f}"] for name, value in answer.estimates.items()]
    return aligned(["model", answer.quantity], rows, "lr")


def verdict(answer: Comparison) -> str:
    """What follows: one difference as a sentence, or every pair as a table."""
    p = printing.p_value(answer.p_value)
    if answer.pairwise is None:
        first, second = map(printable, answer.estimates)
        return "\n".join([f"{first} minus {second}: {_difference(answer)}", f"{p}, {_how(answer)}"])
    columns = answer.pairwise
    rows = [
        [
            f"{columns['first'][k]} - {columns['second'][k]}",
            f"{columns['difference'][k]:+.3f}",
            f"{columns['low'][k]:+.3f} to {columns['high'][k]:+.3f}",
            printing.p_value(columns["p_value"][k]).removeprefix("p ").removeprefix("= "),
            printing.p_value(columns["p_adjusted"][k]).removeprefix("p ").removeprefix("= "),
        ]
        for k in range(len(columns["first"]))
    ]
    table = aligned(["pair", "difference", "CI", "p", "Holm's p"], rows, "lrlrr")
    joint = f"all equal: {p}, chi-square {answer.statistic:.2f} with {answer.df:g} df"
    return f"{joint} ({answer.method})\n\n{table}"


def _difference(answer: Comparison) -> str:
    if answer.interval is None:
        return f"{answer.difference:+.3f}"
    level = printing.percent(answer.interval.level)
    limits = f"{answer.interval.low:+.3f} to {answer.interval.high:+.3f}"
    return f"{answer.difference:+.3f} ({level} CI {limits})"


def _how(answer: Comparison) -> str:
    if answer.alternative == "two-sided":
        return answer.method
    margin = "" if answer.margin is None else f" with margin {answer.margin:g}"
    return f"{answer.method}, for '{answer.alternative}'{margin}"


def report(answer: Comparison) -> str:
    """The estimates and the verdict."""
    return f"{estimate_table(answer)}\n\n{verdict(answer)}"
