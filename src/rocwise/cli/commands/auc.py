"""``rocwise auc``: the area under the curve of each model, with its interval."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.options import add_data_options, add_output_options, add_part_options
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.binary.areas.empirical import Auc
    from rocwise.binary.areas.interval_choices import AucIntervals
    from rocwise.primitives.pairs import Pairs

DESCRIPTION = "The area under the ROC curve, or under a part of it, with a confidence interval."
EXAMPLES = """\
  rocwise auc scores.csv --label ill --score model_a
  rocwise auc scores.parquet --label y --score a --score b --json
  rocwise auc scores.csv --label grade --pos-label high --score s --max-fpr 0.1
  rocwise auc scores.csv --label ill --score model_a --all-methods
  zcat scores.csv.gz | rocwise auc - --label y --score p --plot roc.svg"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser)
    group = parser.add_argument_group("area")
    add_part_options(group)
    group.add_argument(
        "--standardize",
        action="store_true",
        help="partial areas on McClish's scale: 0.5 on the diagonal, 1 for the perfect curve",
    )
    group.add_argument(
        "--method",
        default="delong",
        help="how the interval is made: delong (default; too narrow with few cases or an AUC near "
        "1, as are hanley-mcneil, jackknife, exact-bootstrap, unbiased and bootstrap), logit, bca "
        "(better), score (best with few cases), hoeffding (never too narrow, but wide)",
    )
    group.add_argument(
        "--all-methods",
        action="store_true",
        help="the whole area with every interval side by side, and which to trust here",
    )
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    group.add_argument(
        "--resamples", type=int, default=2000, metavar="N", help="of the bootstrap (default: 2000)"
    )
    group.add_argument("--seed", type=int, metavar="N", help="makes a bootstrap repeatable")
    add_output_options(parser, "the ROC curves (of a part: the areas)")


def run(options: Namespace) -> None:
    """Print the areas."""
    from rocwise.binary.areas.empirical import auc
    from rocwise.cli.input_files import read_pairs, source_name
    from rocwise.cli.json_output import document
    from rocwise.cli.per_model import ask_each, heading
    from rocwise.cli.plot_option import check_picture_path

    check_picture_path(options.plot)
    pairs = read_pairs(options)
    if options.all_methods:
        _print_all_methods(options, pairs)
        return
    areas = ask_each(pairs, partial(auc, **_settings(options)))
    if options.json:
        print(document(areas))
    else:
        print(heading(source_name(options.file), pairs))
        print()
        print(area_table(areas))
    if options.plot:
        _draw(pairs, areas, options.plot)


def _print_all_methods(options: Namespace, pairs: Pairs) -> None:
    """Every interval of each model's area."""
    from rocwise.binary.areas.interval_choices import auc_intervals
    from rocwise.cli.input_files import source_name
    from rocwise.cli.json_output import document
    from rocwise.cli.per_model import ask_each, heading

    for flag in ("max_fpr", "fpr_range", "tpr_range", "plot"):
        if getattr(options, flag) is not None:
            raise InputError(f"--all-methods is about the whole area; leave out `{flag}`.")
    ask = partial(
        auc_intervals, level=options.level, n_resamples=options.resamples, rng=options.seed
    )
    tables = ask_each(pairs, ask)
    if options.json:
        print(document(tables))
        return
    print(heading(source_name(options.file), pairs))
    for name, table in tables.items():
        print(f"\n{interval_table(name, table)}")


def interval_table(name: str, table: AucIntervals) -> str:
    """One row per method, the trusted one marked, and the sentence that says why."""
    from rocwise import printing
    from rocwise.cli.option_names import printable
    from rocwise.cli.text_tables import aligned

    rows = [
        [
            f"{'*' if method == table.recommended else ' '} {method}",
            f"{table.low[k]:.3f} to {table.high[k]:.3f}",
            "-" if table.standard_error[k] is None else f"{table.standard_error[k]:.4f}",
            str(table.used[k]),
        ]
        for k, method in enumerate(table.method)
    ]
    header = ["  method", f"{printing.percent(table.level)} CI", "SE", "interval by"]
    title = f"{printable(name)}: AUC {table.value:.3f}"
    return f"{title}\n{aligned(header, rows, 'llrl')}\n{table.advice}"


def _settings(options: Namespace) -> dict[str, Any]:
    return {
        "max_fpr": options.max_fpr,
        "fpr_range": options.fpr_range,
        "tpr_range": options.tpr_range,
        "standardize": options.standardize,
        "method": options.method,
        "level": options.level,
        "n_resamples": options.resamples,
        "rng": options.seed,
    }


def area_table(areas: Mapping[str, Auc]) -> str:
    """One row per model: the area, its interval and how that was made."""
    from rocwise import printing
    from rocwise.cli.text_tables import aligned

    first = next(iter(areas.values()))
    header = ["model", "AUC", f"{printing.percent(first.interval.level)} CI", "SE", "interval by"]
    rows = [
        [
            name,
            area_text(area, area.value),
            f"{area_text(area, area.interval.low)} to {area_text(area, area.interval.high)}",
            "-" if area.standard_error is None else f"{area.standard_error:.4f}",
            area.interval.method,
        ]
        for name, area in areas.items()
    ]
    table = aligned(header, rows, "lrlrl")
    if first.part.is_whole:
        return table
    kind = "standardised partial area" if first.standardized else "partial area"
    return f"{table}\n\nAUC here is the {kind} over {first.part}."


def area_text(area: Auc, value: float) -> str:
    """A value on the scale of an area; raw partial areas are small and get a digit more."""
    from rocwise import printing

    text = printing.rate(value, area.n_pos + area.n_neg)
    if area.part.is_whole or area.standardized:
        return text
    return f"{value:.{len(text.partition('.')[2]) + 1}f}"


def _draw(pairs: Pairs, areas: Mapping[str, Auc], path: str) -> None:
    from rocwise.cli.plot_option import save_curves, save_picture

    if all(area.part.is_whole for area in areas.values()):
        save_curves(pairs, path, areas)
    else:
        save_picture(areas, path)
