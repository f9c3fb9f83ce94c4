"""``rocwise calibration``: observed against predicted probabilities."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli.data import read_pairs
from rocwise.cli.options import add_arguments, add_data_options, add_output_options, settings
from rocwise.cli.output import Output, for_each, heading
from rocwise.cli.terminal import aligned, folded, printable

DESCRIPTION = """\
Calibration of predicted probabilities: observed proportions with intervals, slope and intercept of
the recalibration, expected calibration error, Brier score and log loss."""
EXAMPLES = """\
  rocwise calibration scores.csv --label ill --score risk
  rocwise calibration scores.csv --label ill --score a --score b --strategy uniform --bins 5
  rocwise calibration scores.csv --label ill --score risk --plot calibration.svg"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, weights=False)
    add_arguments(
        parser.add_argument_group("calibration"),
        "calibration",
        bins="number of bins",
        strategy="quantile (default: bins of equal size), uniform, isotonic, loess",
        level=None,
        rng="seed of the isotonic limits",
    )
    add_output_options(parser, "the calibration curves")


def compute(options: Namespace) -> Output:
    """The calibration of each model."""
    pairs = read_pairs(options)
    found = for_each(options, pairs, rw.calibration, **settings(options, "calibration"))
    return Output(
        found,
        table=lambda: "\n\n".join(f"{printable(k)}\n{_report(each)}" for k, each in found.items()),
        heading=heading(options, pairs),
    )


def _report(result: Any) -> str:
    level = printing.percent(result.level)
    columns = (result.predicted, result.observed, result.low, result.high, result.count)
    rows = [
        [f"{p:.3f}", f"{o:.3f}", f"{low:.3f} to {high:.3f}", printing.count(n)]
        for p, o, low, high, n in zip(*(c.tolist() for c in columns), strict=True)
    ]
    table = aligned(["predicted", "observed", f"{level} CI", "cases"], rows, "rrlr")
    lines = [_interval_line(result, name) for name in ("slope", "intercept", "in_the_large")]
    lines += [
        f"expected calibration error {result.ece:.4f}; log loss {result.log_loss:.4f}",
        folded(
            f"Brier score {result.brier:.4f} = miscalibration {result.miscalibration:.4f} "
            f"- discrimination {result.discrimination:.4f} + uncertainty {result.uncertainty:.4f}"
        ),
    ]
    return "\n".join([table, *(line for line in lines if line)])


def _interval_line(result: Any, name: str) -> str:
    value, interval = getattr(result, name), getattr(result, f"{name}_interval")
    words = {"in_the_large": "intercept at slope 1"}.get(name, name)
    if value is None:
        return "" if name != "slope" else "no slope: scores of 0 or 1, or separated classes"
    level = printing.percent(result.level)
    return f"{words} {value:.3f} ({level} CI {interval.low:.3f} to {interval.high:.3f})"
