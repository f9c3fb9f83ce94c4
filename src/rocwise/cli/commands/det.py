"""``rocwise det``: what misses and false alarms each model trades, and where they are equal."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from rocwise.cli.arguments.options import (
    add_data_options,
    add_exact_option,
    add_output_options,
    add_resampling_options,
)
from rocwise.cli.runner import Answers, run_and_answer

if TYPE_CHECKING:
    from rocwise.binary.points.equal_errors import EqualErrorResult
    from rocwise.binary.roc import DetCurve
    from rocwise.data.pairs import Pairs
    from rocwise.data.tally import Tally

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
    add_resampling_options(group, resamples=2000)
    add_exact_option(group)
    add_output_options(parser, "the DET curves", rates=True)


def run(options: Namespace) -> None:
    """Print the rates."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The equal error rate and the curve of each model."""
    import rocwise as rw
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output import terminal
    from rocwise.cli.output.per_model import ask_each, heading

    pairs = read_pairs(options)
    question = partial(
        rw.equal_error_rate,
        level=options.level,
        n_resamples=options.resamples,
        rng=options.seed,
        exact=options.exact,
    )
    found = ask_each(options, pairs, question)
    with terminal.said_already(rw.errors.DirectionWarning):
        curves = {name: rw.det(pairs.tally(name)) for name in pairs.names}
    return Answers(
        found,
        table=partial(_tables, found, curves, pairs),
        heading=heading(options, pairs),
        of_each={name: {"curve": curve} for name, curve in curves.items()},
        picture=lambda: (curves, {}),
    )


def _tables(
    found: Mapping[str, EqualErrorResult], curves: Mapping[str, DetCurve], pairs: Pairs
) -> str:
    """The equal error rates; below, of each model, the misses at round shares of false alarms."""
    parts = [_rates(found)]
    parts += [_errors(curve, pairs.tally(name)) for name, curve in curves.items()]
    return "\n\n".join(parts)


def _rates(found: Mapping[str, EqualErrorResult]) -> str:
    from rocwise import printing
    from rocwise.cli.output.text_tables import aligned

    rows = []
    for name, each in found.items():
        size = each.n_pos + each.n_neg
        limits = " to ".join(printing.rate(end, size) for end in each.interval)
        rate = printing.rate(each.value, size)
        rows.append([name, rate, limits, f"{each.standard_error:.4f}", each.interval.method])
    level = printing.percent(next(iter(found.values())).interval.level)
    return aligned(["model", "equal errors", f"{level} CI", "SE", "interval by"], rows, "lrlrl")


def _errors(curve: DetCurve, tally: Tally) -> str:
    """The fewest misses with a false positive rate up to each round rate."""
    import numpy as np

    from rocwise import printing
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.commands.roc import thresholds_of
    from rocwise.cli.output.text_tables import aligned
    from rocwise.cli.reports.threshold_tables import sign_of

    size = curve.n_pos + curve.n_neg
    last = np.searchsorted(curve.fpr, RATES, side="right") - 1
    points = sorted({int(point) for point in last})
    rates = ([printing.rate(r, size) for r in each[points]] for each in (curve.fpr, curve.fnr))
    rows = list(zip(thresholds_of(tally, points), *rates, strict=True))
    name = printable(tally.origin.name or "score")
    head = f"{name}: positive when score {sign_of(tally)} threshold"
    return f"{head}\n{aligned(['threshold', 'false alarms', 'misses'], rows, '.rr')}"
