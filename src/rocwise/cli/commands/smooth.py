"""``rocwise smooth``: the smooth ROC curve of each model, where the size of a score counts."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.options import add_data_options, add_output_options

if TYPE_CHECKING:
    from rocwise.binary.curves.smooth import SmoothRoc
    from rocwise.binary.resampling.replicates import BootstrapResult
    from rocwise.inference.comparison_results import Comparison
    from rocwise.primitives.pairs import Pairs

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
    add_data_options(parser, weights=False)
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
    """Print the areas, and the differences of several models."""
    from rocwise.binary.curves.smooth import smooth_roc
    from rocwise.cli.input_files import read_pairs, source_name
    from rocwise.cli.json_output import document
    from rocwise.cli.per_model import ask_each, heading
    from rocwise.cli.plot_option import check_picture_path

    check_picture_path(options.plot)
    midpoint = midpoint_of(options.midpoint)
    pairs = read_pairs(options)
    curves = ask_each(pairs, partial(smooth_roc, midpoint=midpoint, rescale=options.rescale))
    intervals = _intervals(pairs, midpoint, options)
    comparison = _compared(pairs, midpoint, options) if len(curves) > 1 else None
    if options.json:
        of_each = {name: {"bootstrap": _plain(found)} for name, found in intervals.items()}
        beside = None if comparison is None else {"comparison": comparison}
        print(document(curves, of_each=of_each, of_all=beside))
    else:
        print(heading(source_name(options.file), pairs))
        print()
        print(_table(curves, intervals))
        if comparison is not None:
            print()
            print(_verdict(comparison))
    if options.plot:
        _save(curves, options.plot)


def _plain(found: BootstrapResult) -> dict[str, Any]:
    """The interval and how it was made, without the thousands of replicates."""
    return {name: value for name, value in found.to_dict().items() if name != "replicates"}


def _save(curves: Mapping[str, SmoothRoc], path: str) -> None:
    """One model beside its ROC curve, several over each other."""
    from rocwise.cli.plot_option import save_picture

    if len(curves) > 1:
        save_picture(curves, path)
    else:
        (only,) = curves.values()
        save_picture(only.panels(), path, beside=True)


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
    from rocwise.binary.resampling.replicates import bootstrap
    from rocwise.binary.resampling.score_statistics import SmoothArea

    with _midpoint_was_said():
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


@contextmanager
def _midpoint_was_said() -> Iterator[None]:
    """Do not warn again of what was said with the curve."""
    import warnings

    from rocwise.errors import MidOutOfRangeWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MidOutOfRangeWarning)
        yield


def _table(curves: Mapping[str, SmoothRoc], intervals: Mapping[str, BootstrapResult]) -> str:
    from rocwise import printing
    from rocwise.cli.text_tables import aligned

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


def _compared(pairs: Pairs, midpoint: str | float, options: Namespace) -> Comparison:
    from rocwise.binary.comparisons.models import compare
    from rocwise.binary.resampling.score_statistics import SmoothArea

    with _midpoint_was_said():
        return compare(
            pairs,
            statistic=SmoothArea(midpoint, options.rescale),
            n_resamples=options.resamples,
            level=options.level,
            rng=options.seed,
        )


def _verdict(comparison: Comparison) -> str:
    """One difference as a sentence, several as a table."""
    from rocwise.cli.commands.compare import verdict
    from rocwise.cli.terminal import folded

    return folded(f"{comparison}") if comparison.pairwise is None else verdict(comparison)
