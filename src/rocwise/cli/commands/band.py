"""``rocwise band``: a confidence band around the ROC curve of each model."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from rocwise.cli.arguments.options import (
    add_choice,
    add_data_options,
    add_exact_option,
    add_output_options,
    add_resampling_options,
)
from rocwise.cli.runner import Answers, run_and_answer

if TYPE_CHECKING:
    from rocwise.binary.bands import Band

DESCRIPTION = """\
A confidence band around the ROC curve: where the true curve may be, or that of a new sample.

For the whole curve: simultaneous (default; narrow at the ends), fixed-width, working-hotelling (if
the binormal model holds), joint-regions (wide). For each false positive rate alone: pointwise,
pointwise-binormal. For the curve of a new sample of the same size: future."""
EXAMPLES = """\
  rocwise band scores.csv --label ill --score model_a
  rocwise band scores.csv --label ill --score a --score b --kind working-hotelling
  rocwise band scores.csv --label ill --score a --kind fixed-width --seed 1
  rocwise band scores.csv --label ill --score a --kind future --plot band.svg"""
RATES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True)
    group = parser.add_argument_group("band")
    group.add_argument("--kind", default="simultaneous", help="see above (default: simultaneous)")
    group.add_argument(
        "--future",
        action="store_true",
        help="widen a fixed-width band for the curve of a new sample",
    )
    add_choice(
        group,
        "--slope",
        ("sd", "paper"),
        "lines along which curves are moved; paper, as published, fails for unequal classes",
    )
    group.add_argument(
        "--joint",
        action="store_true",
        help="of joint-regions: a level for both classes together",
    )
    add_choice(
        group,
        "--ks",
        ("table", "exact"),
        "of joint-regions: Kolmogorov distances as published (default), or exact",
    )
    group.add_argument("--stratified", action="store_true", help="resample within the classes")
    add_resampling_options(group, resamples=1000)
    add_exact_option(group)
    add_output_options(parser, "the bands", rates=True)


def run(options: Namespace) -> None:
    """Print the bands."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The band of each model; what all of them promise belongs to the heading."""
    import rocwise as rw
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output import terminal
    from rocwise.cli.output.per_model import ask_each, heading

    pairs = read_pairs(options)
    question = partial(
        rw.band,
        kind=options.kind,
        level=options.level,
        future=options.future,
        slope=options.slope,
        joint=options.joint,
        ks=options.ks,
        stratified=options.stratified,
        n_resamples=options.resamples,
        rng=options.seed,
        exact=options.exact,
    )
    bands = ask_each(options, pairs, question)
    promise = terminal.folded(f"{next(iter(bands.values())).promise()}.")
    return Answers(
        bands,
        table=partial(band_tables, bands),
        heading=f"{heading(options, pairs)}\n{promise}",
    )


def band_tables(bands: Mapping[str, Band]) -> str:
    """Each band's edges at round false positive rates."""
    from rocwise import printing
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.reports.bands import edge_table

    tables = []
    for name, band in bands.items():
        size = band.n_pos + band.n_neg
        title = f"{printable(name)}: area of the band {printing.rate(band.area, size)}"
        seen = [_observed(band, rate) for rate in RATES]
        tables.append(edge_table(title, "FPR", "TPR", RATES, (seen, *band.at(RATES)), size))
    return "\n\n".join(tables)


def _observed(band: Band, rate: float) -> float:
    """The highest point of the observed curve with a false positive rate up to this one."""
    points = zip(band.curve_fpr.tolist(), band.curve_tpr.tolist(), strict=True)
    return float(max(tpr for fpr, tpr in points if fpr <= rate))
