"""``rocwise smooth``: the smooth ROC curve of each model, where the size of a score counts."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import rocwise as rw
from rocwise.cli.commands.compare import verdict
from rocwise.cli.data import read_pairs
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, Plot, for_each, heading, interval_table, rate_text
from rocwise.cli.terminal import without_warning

DESCRIPTION = """\
The smooth ROC curve (smROC): scores from 0 to 1 move the curve by their size, so that two models
with the same ranking may differ. Several models are also compared, by bootstrap. The plot
of one model has its ROC curve next to it."""
EXAMPLES = """\
  rocwise smooth scores.csv --label ill --score risk
  rocwise smooth scores.csv --label liked --score anna --score jan --seed 1
  rocwise smooth scores.csv --label ill --score margin --rescale --midpoint 0.5 --plot smooth.svg"""


def add_options(parser: Parser) -> None:
    parser.data("sample_weight", "groups")
    parser.section("curve")
    parser.arguments(
        "smooth_roc",
        midpoint="boundary between scores for the two classes: estimated (default), calibrated "
        "(0.5), class-means, or a number",
        rescale="rescale the scores to 0 to 1 first",
    )
    parser.arguments("bootstrap", level=None, n_resamples=None, rng=None)
    parser.output("the smooth curves", rates=True)


def compute(options: Options) -> Output:
    """The smooth curve of each model, its interval, and the models compared."""
    with suppress(ValueError):  # a word
        options.midpoint = float(options.midpoint)
    pairs = read_pairs(options)
    curves = for_each(options, pairs, rw.smooth_roc, **options.settings("smooth_roc"))
    statistic = rw.statistics.SmoothArea(options.midpoint, options.rescale)
    drawn: dict[str, Any] = {"statistic": statistic, **options.settings("bootstrap")}
    with without_warning(rw.errors.MidOutOfRangeWarning):
        intervals = {name: rw.bootstrap(pairs.tally(name), **drawn) for name in pairs.names}
        comparison = rw.compare(pairs, **drawn) if len(intervals) > 1 else None
    return Output(
        curves,
        partial(_report, intervals, comparison),
        heading(options, pairs),
        of_each={name: {"bootstrap": _plain(found)} for name, found in intervals.items()},
        of_all=None if comparison is None else {"comparison": comparison},
        plot=partial(_plot, curves),
    )


def _plain(found: Any) -> dict[str, Any]:
    """The interval and its method, without the thousands of replicates."""
    return {name: value for name, value in found.to_dict().items() if name != "replicates"}


def _plot(curves: Mapping[str, Any]) -> Plot:
    if len(curves) > 1:
        return curves, {}
    (only,) = curves.values()
    return only.panels(), {"subplots": True}


def _report(intervals: Mapping[str, Any], comparison: Any, curves: Mapping[str, Any]) -> str:
    size = next(iter(curves.values()))
    midpoints = [f"{curve.midpoint:.4g}" for curve in curves.values()]
    table = interval_table(
        "model", "smAUC", intervals, lambda _, value: rate_text(size, value), midpoint=midpoints
    )
    if comparison is None:
        return table
    return f"{table}\n\n{verdict(comparison)}"
