"""``rocwise det``: the detection error trade-off and the equal error rate of each model."""

from typing import Any

import rocwise as rw
from rocwise.cli.commands.roc import point_table, points_at
from rocwise.cli.data import read_pairs
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, for_each, heading, interval_table, sign_of
from rocwise.cli.terminal import printable, without_warning

DESCRIPTION = (
    "Detection error trade-off curve: miss rate (FNR) against false alarm rate (FPR), and the "
    "equal error rate."
)
EXAMPLES = """\
  rocwise det scores.csv --label ill --score model_a
  rocwise det scores.csv --label ill --score a --score b --seed 1 --plot det.pdf
  rocwise det scores.csv --label ill --score model_a --json > curve.json"""
RATES = (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)


def add_options(parser: Parser) -> None:
    parser.data("sample_weight", "groups")
    parser.section("equal error rate")
    parser.arguments("equal_error_rate", level=None, n_resamples=None, rng=None)
    parser.output("the DET curves", rates=True)


def compute(options: Options) -> Output:
    """The equal error rate and the curve of each model."""
    pairs = read_pairs(options)
    drawn = options.settings("equal_error_rate")
    found = for_each(options, pairs, rw.equal_error_rate, **drawn)
    with without_warning(rw.errors.DirectionWarning):
        curves = {name: rw.det(pairs.tally(name)) for name in pairs.names}

    def table(results: Any) -> str:
        areas = interval_table("model", "equal errors", results)
        return "\n\n".join([areas, *(_errors(name, curve) for name, curve in curves.items())])

    return Output(
        found,
        table,
        heading(options, pairs),
        of_each={name: {"curve": curve} for name, curve in curves.items()},
        plot=lambda: (curves, {}),
    )


def _errors(name: str, curve: Any) -> str:
    """The smallest FNR with a false positive rate up to each round rate."""
    rates = {"false alarms": curve.fpr, "misses": curve.fnr}
    head = f"{printable(name)}: positive when score {sign_of(curve)} threshold"
    return f"{head}\n{point_table(curve, points_at(curve, RATES), rates)}"
