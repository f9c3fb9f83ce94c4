"""``rocwise smooth``: the smooth ROC curve of each model, where the size of a score counts."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from rocwise.cli.options import add_data_options, add_output_options

if TYPE_CHECKING:
    from rocwise.binary.resampling import BootstrapResult
    from rocwise.binary.smoothing import SmoothRoc
    from rocwise.pairs import Pairs

DESCRIPTION = """\
The smooth ROC curve (smROC): scores from 0 to 1 move the curve by their size, so that two models
with the same ranking may differ. Two models are also compared, by the bootstrap."""
EXAMPLES = """\
  rocwise smooth scores.csv --label ill --score risk
  rocwise smooth scores.csv --label liked --score anna --score jan --seed 1
  rocwise smooth scores.csv --label ill --score margin --rescale --midpoint 0.5 --plot smooth.svg"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser)
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
    add_output_options(parser, "the smooth curves")


def run(options: Namespace) -> None:
    """Print the areas, and the difference of two models."""
    from rocwise.binary.smoothing import smooth_roc
    from rocwise.cli.asking import ask_each, heading
    from rocwise.cli.documents import document
    from rocwise.cli.drawing import check_picture_path, save_picture
    from rocwise.cli.reading import read_pairs, source_name

    check_picture_path(options.plot)
    midpoint = midpoint_of(options.midpoint)
    pairs = read_pairs(options)
    curves = ask_each(pairs, partial(smooth_roc, midpoint=midpoint, rescale=options.rescale))
    if options.json:
        print(document(curves))
    else:
        print(heading(source_name(options.file), pairs))
        print()
        print(_table(curves, _intervals(pairs, midpoint, options)))
        if len(curves) == 2:
            print()
            print(_difference(pairs, midpoint, options))
    if options.plot:
        save_picture(curves, options.plot)


def midpoint_of(text: str) -> str | float:
    """A number where one was typed.

    >>> midpoint_of("0.4"), midpoint_of("calibrated")
    (0.4, 'calibrated')
    """
    try:
        return float(text)
    except ValueError:
        return text


def _intervals(
    pairs: Pairs, midpoint: str | float, options: Namespace
) -> dict[str, BootstrapResult]:
    import warnings

    from rocwise.binary.resampling import bootstrap
    from rocwise.binary.score_statistics import SmoothArea
    from rocwise.errors import MidOutOfRangeWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MidOutOfRangeWarning)  # it was said with the curve
        return {
            name: bootstrap(
                pairs.tally(name),
                statistic=SmoothArea(midpoint, options.rescale),
                n_resamples=options.resamples,
                level=options.level,
                rng=options.seed,
            )
            for name in pairs.names
        }


def _table(curves: Mapping[str, SmoothRoc], intervals: Mapping[str, BootstrapResult]) -> str:
    from rocwise import printing
    from rocwise.cli.tables import aligned

    level = printing.percent(next(iter(intervals.values())).interval.level)
    header = ["model", "smAUC", f"{level} CI (bootstrap)", "midpoint"]
    rows = []
    for name, curve in curves.items():
        n = curve.n_pos + curve.n_neg
        low, high = intervals[name].interval
        shown = f"{printing.rate(low, n)} to {printing.rate(high, n)}"
        rows.append([name, printing.rate(curve.auc, n), shown, f"{curve.midpoint:.4g}"])
    return aligned(header, rows, "lrl.")


def _difference(pairs: Pairs, midpoint: str | float, options: Namespace) -> str:
    import warnings

    from rocwise.binary.comparisons import compare
    from rocwise.binary.score_statistics import SmoothArea
    from rocwise.cli.screen import folded
    from rocwise.errors import MidOutOfRangeWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MidOutOfRangeWarning)
        answer = compare(
            pairs,
            statistic=SmoothArea(midpoint, options.rescale),
            n_resamples=options.resamples,
            level=options.level,
            rng=options.seed,
        )
    return folded(f"{answer}")
