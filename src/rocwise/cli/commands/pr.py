"""``rocwise pr``: average precision of each model, with its interval."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.arguments.options import (
    add_data_options,
    add_output_options,
    add_resampling_options,
)
from rocwise.cli.runner import Answers, run_and_answer

if TYPE_CHECKING:
    from rocwise.binary.precision_recall import (
        AveragePrecisionResult,
        PrecisionRecallBand,
        PrecisionRecallCurve,
    )
    from rocwise.data.pairs import Pairs

DESCRIPTION = "Average precision, the area under the precision-recall curve, with an interval."
EXAMPLES = """\
  rocwise pr scores.csv --label ill --score model_a
  rocwise pr scores.csv --label ill --score a --score b --prevalence 0.01
  rocwise pr scores.csv --label ill --score a --band simultaneous --seed 1 --plot pr.svg"""

RECALLS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True)
    group = parser.add_argument_group("average precision")
    group.add_argument(
        "--prevalence", type=float, metavar="SHARE", help="of positives, that precision is for"
    )
    group.add_argument(
        "--interpolation",
        default="step",
        help="step (default: precision times the step in recall), davis-goadrich",
    )
    group.add_argument(
        "--cohort", action="store_true", help="the share of positives was left to chance"
    )
    group.add_argument("--method", default="auto", help="auto (default), logit, bootstrap")
    group.add_argument(
        "--band",
        choices=("simultaneous", "pointwise"),
        help="limits of the precision over the recall: of the whole curve, or at each recall",
    )
    add_resampling_options(group, resamples=2000)
    add_output_options(parser, "the precision-recall curves", rates=True)


def run(options: Namespace) -> None:
    """Print the areas."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The average precision of each model."""
    import rocwise as rw
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output.per_model import ask_each, heading

    pairs = read_pairs(options)
    question = partial(
        rw.average_precision,
        prevalence=options.prevalence,
        interpolation=options.interpolation,
        cohort=options.cohort,
        method=options.method,
        level=options.level,
        n_resamples=options.resamples,
        rng=options.seed,
    )
    found = ask_each(options, pairs, question)
    bands = {}
    if options.band is not None:
        bands = {name: curve.band(**_drawn(options)) for name, curve in _curves(pairs).items()}
    return Answers(
        found,
        table=partial(_tables, found, bands),
        heading=heading(options, pairs),
        of_each={name: {"band": band} for name, band in bands.items()} or None,
        picture=lambda: (bands or _curves(pairs), {}),
    )


def _curves(pairs: Pairs) -> dict[str, PrecisionRecallCurve]:
    import rocwise as rw

    return {name: rw.precision_recall(pairs.tally(name)) for name in pairs.names}


def _drawn(options: Namespace) -> dict[str, Any]:
    return {
        "kind": options.band,
        "level": options.level,
        "n_resamples": options.resamples,
        "rng": options.seed,
    }


def _tables(found: dict[str, AveragePrecisionResult], bands: dict[str, PrecisionRecallBand]) -> str:
    """The areas; below, where they were asked for, the bands at round recalls."""
    from rocwise import printing
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.reports.bands import edge_table

    parts = [_table(found)]
    for name, band in bands.items():
        title = f"{printable(name)}: {printing.percent(band.level)} {band.kind} band, {band.method}"
        size = band.n_pos + band.n_neg
        parts.append(edge_table(title, "recall", "precision", RECALLS, band.at(RECALLS), size))
    return "\n\n".join(parts)


def _table(found: dict[str, AveragePrecisionResult]) -> str:
    from rocwise import printing
    from rocwise.cli.output.text_tables import aligned

    first = next(iter(found.values()))
    size = first.n_pos + first.n_neg
    rows = [
        [
            name,
            printing.rate(each.value, size),
            " to ".join(printing.rate(end, size) for end in each.interval),
            "-" if each.standard_error is None else f"{each.standard_error:.4f}",
            each.interval.method,
        ]
        for name, each in found.items()
    ]
    level = printing.percent(first.interval.level)
    table = aligned(["model", "AP", f"{level} CI", "SE", "interval by"], rows, "lrlrl")
    return f"{table}\n\nA worthless model has {printing.rate(first.chance, size)}, the prevalence."
