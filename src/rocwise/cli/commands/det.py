"""``rocwise det``: the detection error trade-off and the equal error rate of each model."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli import terminal
from rocwise.cli.commands.roc import points_at, sign_of, thresholds_of
from rocwise.cli.data import read_pairs
from rocwise.cli.options import add_arguments, add_data_options, add_output_options, settings
from rocwise.cli.output import Output, for_each, heading, interval_table

DESCRIPTION = (
    "The detection error trade-off: the share of misses against the share of false alarms, "
    "and the rate at which the two are equal."
)
EXAMPLES = """\
  rocwise det scores.csv --label ill --score model_a
  rocwise det scores.csv --label ill --score a --score b --seed 1 --plot det.pdf
  rocwise det scores.csv --label ill --score model_a --json > curve.json"""
RATES = (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True)
    group = parser.add_argument_group("equal error rate")
    add_arguments(group, "equal_error_rate", level=None, n_resamples=None, rng=None)
    add_output_options(parser, "the DET curves", rates=True)


def compute(options: Namespace) -> Output:
    """The equal error rate and the curve of each model."""
    pairs = read_pairs(options)
    found = for_each(options, pairs, rw.equal_error_rate, **settings(options, "equal_error_rate"))
    with terminal.without_warning(rw.errors.DirectionWarning):
        curves = {name: rw.det(pairs.tally(name)) for name in pairs.names}
    return Output(
        found,
        table=partial(_tables, found, curves, pairs),
        heading=heading(options, pairs),
        of_each={name: {"curve": curve} for name, curve in curves.items()},
        plot=lambda: (curves, {}),
    )


def _tables(found: Mapping[str, Any], curves: Mapping[str, Any], pairs: rw.Pairs) -> str:
    def text(result: Any, value: float) -> str:
        return printing.rate(value, result.n_pos + result.n_neg)

    parts = [interval_table("model", "equal errors", found, text)]
    parts += [_errors(curve, pairs.tally(name)) for name, curve in curves.items()]
    return "\n\n".join(parts)


def _errors(curve: Any, tally: Any) -> str:
    """The smallest FNR with a false positive rate up to each round rate."""
    size = curve.n_pos + curve.n_neg
    points = points_at(curve, RATES)
    rates = ([printing.rate(r, size) for r in each[points]] for each in (curve.fpr, curve.fnr))
    rows = list(zip(thresholds_of(tally, points), *rates, strict=True))
    name = terminal.printable(tally.origin.name or "score")
    head = f"{name}: positive when score {sign_of(tally)} threshold"
    return f"{head}\n{terminal.aligned(['threshold', 'false alarms', 'misses'], rows, '.rr')}"
