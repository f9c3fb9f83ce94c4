"""Comparisons on the screen: what was compared, and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocwise import printing
from rocwise.cli.arguments.option_names import printable
from rocwise.cli.output.terminal import folded
from rocwise.cli.output.text_tables import aligned

if TYPE_CHECKING:
    from rocwise.inference.comparison import Comparison


def estimate_table(answer: Comparison) -> str:
    """One row per model, with its own interval where there is one."""
    header, rows = ["model", answer.quantity], []
    for name, value in answer.estimates.items():
        rows.append([name, f"{value:.{answer.digits}f}"])
        if answer.intervals is not None:
            interval = answer.intervals[name]
            limits = (f"{limit:.{answer.digits}f}" for limit in interval)
            rows[-1] += [" to ".join(limits), interval.method]
    if answer.intervals is not None:
        header += [f"{printing.percent(answer.level)} CI", "interval by"]
    return aligned(header, rows, "lrll"[: len(header)])


def verdict(answer: Comparison) -> str:
    """What follows: one difference as a sentence, or every pair as a table."""
    p = printing.p_value(answer.p_value)
    if answer.pairwise is None:
        first, second = map(printable, answer.estimates)
        return "\n".join([f"{first} minus {second}: {_difference(answer)}", f"{p}, {_how(answer)}"])
    columns, digits = answer.pairwise, answer.digits
    rows = [
        [
            f"{columns['first'][k]} - {columns['second'][k]}",
            f"{columns['difference'][k]:+.{digits}f}",
            " to ".join(f"{columns[f'{end}_adjusted'][k]:+.{digits}f}" for end in ("low", "high")),
            printing.p_value(columns["p_value"][k]).removeprefix("p ").removeprefix("= "),
            printing.p_value(columns["p_adjusted"][k]).removeprefix("p ").removeprefix("= "),
        ]
        for k in range(len(columns["first"]))
    ]
    table = aligned(["pair", "difference", "CI", "p", "Holm's p"], rows, "lrlrr")
    level = printing.percent(answer.level)
    note = f"CI: {level} for all pairs at once (Bonferroni's); p: of each pair alone."
    test = folded(f"all equal: {p}{_joint(answer)} ({answer.method})")
    return f"{test}\n\n{table}\n{note}"


def _joint(answer: Comparison) -> str:
    """The statistic of the joint test with its degrees of freedom, if it has any."""
    if answer.df is None:
        return ""
    if answer.df_denominator is None:
        return f", chi-square {answer.statistic:.2f} with {answer.df:g} df"
    return f", F {answer.statistic:.2f} with {answer.df:g} and {answer.df_denominator:.1f} df"


def _difference(answer: Comparison) -> str:
    digits = answer.digits
    if answer.interval is None:
        return f"{answer.difference:+.{digits}f}"
    level = printing.percent(answer.interval.level)
    limits = f"{answer.interval.low:+.{digits}f} to {answer.interval.high:+.{digits}f}"
    return f"{answer.difference:+.{digits}f} ({level} CI {limits})"


def _how(answer: Comparison) -> str:
    if answer.alternative == "two-sided":
        return answer.method
    margin = "" if answer.margin is None else f" with margin {answer.margin:g}"
    return f"{answer.method}, for '{answer.alternative}'{margin}"


def report(answer: Comparison) -> str:
    """The estimates and the verdict."""
    return f"{estimate_table(answer)}\n\n{verdict(answer)}"
