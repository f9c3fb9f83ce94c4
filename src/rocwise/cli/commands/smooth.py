"""``rocwise smooth``: the smooth ROC curve of each model, where the size of a score counts."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.arguments.options import add_data_options, add_output_options
from rocwise.cli.runner import Answers, Picture, run_and_answer

if TYPE_CHECKING:
    from rocwise.binary.resampling.replicates import BootstrapResult
    from rocwise.binary.smooth_roc import SmoothRoc
    from rocwise.data.pairs import Pairs
    from rocwise.inference.comparison import Comparison

DESCRIPTION = """\
The smooth ROC curve (smROC): scores from 0 to 1 move the curve by their size, so that two models
with the same ranking may differ. Several models are also compared, by the bootstrap. The picture
of one model has its ROC curve beside it."""
EXAMPLES = """\
  rocwise smooth scores.csv --label ill --score risk
  rocwise smooth scores.csv --label liked --score anna --score jan --seed 1
  rocwise smooth scores.csv --label ill --score margin --rescale --midpoint 0.5 --plot smooth.svg"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True)
    group = parser.add_argument_group("curve")
    group.add_argument(
        "--midpoint",
        default="estimated",
        help="where scores stop speaking for the negative class: estimated (default), calibrated "
        "(0.5), class-means, or a number",
    )
    group.add_argument("--rescale", action="store_true", help="spread the scores from 0 to 1 first")
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    group.add_argument(
        "--resamples", type=int, default=2000, metavar="N", help="of the bootstrap (default: 2000)"
    )
    group.add_argument("--seed", type=int, metavar="N", help="makes the bootstrap repeatable")
    add_output_options(parser, "the smooth curves", rates=True)


def run(options: Namespace) -> None:
    """Print the areas, and the differences of several models."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The smooth curve of each model, its interval, and the models compared."""
    import rocwise as rw
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output.per_model import ask_each, heading

    midpoint = midpoint_of(options.midpoint)
    pairs = read_pairs(options)
    question = partial(rw.smooth_roc, midpoint=midpoint, rescale=options.rescale)
    curves = ask_each(options, pairs, question)
    intervals, comparison = _resampled(pairs, midpoint, options)
    return Answers(
        curves,
        table=partial(_report, curves, intervals, comparison),
        heading=heading(options, pairs),
        of_each={name: {"bootstrap": _plain(found)} for name, found in intervals.items()},
        of_all=None if comparison is None else {"comparison": comparison},
        picture=partial(_picture, curves),
    )


def _resampled(
    pairs: Pairs, midpoint: Any, options: Namespace
) -> tuple[dict[str, BootstrapResult], Comparison | None]:
    """The interval of each area, and the areas of several models compared."""
    import rocwise as rw
    from rocwise.cli.output import terminal

    settings: dict[str, Any] = {
        "statistic": rw.statistics.SmoothArea(midpoint, options.rescale),
        "n_resamples": options.resamples,
        "level": options.level,
        "rng": options.seed,
    }
    with terminal.said_already(rw.errors.MidOutOfRangeWarning):
        intervals = {name: rw.bootstrap(pairs.tally(name), **settings) for name in pairs.names}
        return intervals, rw.compare(pairs, **settings) if len(intervals) > 1 else None


def _plain(found: BootstrapResult) -> dict[str, Any]:
    """The interval and how it was made, without the thousands of replicates."""
    return {name: value for name, value in found.to_dict().items() if name != "replicates"}


def _picture(curves: Mapping[str, SmoothRoc]) -> Picture:
    """One model beside its ROC curve, several over each other."""
    if len(curves) > 1:
        return curves, {}
    (only,) = curves.values()
    return only.panels(), {"beside": True}


def midpoint_of(text: str) -> Any:
    """A number where one was typed.

    >>> midpoint_of("0.4"), midpoint_of("calibrated")
    (0.4, 'calibrated')
    """
    try:
        return float(text)
    except ValueError:
        return text


def _report(
    curves: Mapping[str, SmoothRoc],
    intervals: Mapping[str, BootstrapResult],
    comparison: Comparison | None,
) -> str:
    """The areas, and one difference as a sentence or several as a table."""
    from rocwise.cli.output.terminal import folded
    from rocwise.cli.reports.comparisons import verdict

    table = _table(curves, intervals)
    if comparison is None:
        return table
    said = folded(f"{comparison}") if comparison.pairwise is None else verdict(comparison)
    return f"{table}\n\n{said}"


def _table(curves: Mapping[str, SmoothRoc], intervals: Mapping[str, BootstrapResult]) -> str:
    from rocwise import printing
    from rocwise.cli.output.text_tables import aligned

    level = printing.percent(next(iter(intervals.values())).interval.level)
    methods = list(dict.fromkeys(found.interval.method for found in intervals.values()))
    header = ["model", "smAUC", f"{level} CI ({', '.join(methods)})", "midpoint"]
    rows = []
    for name, curve in curves.items():
        n = curve.n_pos + curve.n_neg
        low, high = intervals[name].interval
        shown = f"{printing.rate(low, n)} to {printing.rate(high, n)}"
        rows.append([name, printing.rate(curve.auc, n), shown, f"{curve.midpoint:.4g}"])
    return aligned(header, rows, "lrl.")
