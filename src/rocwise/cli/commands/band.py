"""``rocwise band``: a confidence band around the ROC curve of each model."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from rocwise.cli.options import add_data_options, add_output_options

if TYPE_CHECKING:
    from rocwise.binary.bands.results import Band

DESCRIPTION = """\
A confidence band around the ROC curve: where the true curve may be, or that of a new sample.

For the whole curve: simultaneous (default; narrow at the ends), fixed-width, working-hotelling (if
the binormal model holds), joint-regions (wide). For each false positive rate alone: pointwise,
pointwise-binormal. For the curve of a new sample of the same size: future."""
EXAMPLES = """\
  rocwise band scores.csv --label ill --score model_a
  rocwise band scores.csv --label ill --score a --score b --kind working-hotelling
  rocwise band scores.csv --label ill --score a --kind fixed-width --slope sd --seed 1
  rocwise band scores.csv --label ill --score a --kind future --plot band.svg"""
RATES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, weights=False)
    group = parser.add_argument_group("band")
    group.add_argument("--kind", default="simultaneous", help="see above (default: simultaneous)")
    group.add_argument("--level", type=float, default=0.9, help="confidence level (default: 0.9)")
    group.add_argument(
        "--future",
        action="store_true",
        help="widen a fixed-width band for the curve of a new sample",
    )
    group.add_argument(
        "--slope",
        choices=("paper", "sd"),
        default="paper",
        help="lines along which curves are moved; sd is better for unequal classes",
    )
    group.add_argument("--joint", action="store_true", help="joint level of joint regions")
    group.add_argument("--ks", choices=("table", "exact"), default="table", help="of joint regions")
    group.add_argument("--stratified", action="store_true", help="resample within the classes")
    group.add_argument(
        "--resamples", type=int, default=1000, metavar="N", help="of the bootstrap (default: 1000)"
    )
    group.add_argument("--seed", type=int, metavar="N", help="makes a bootstrap repeatable")
    add_output_options(parser, "the bands")


def run(options: Namespace) -> None:
    """Print the bands."""
    from rocwise.binary.bands.confidence_bands import band
    from rocwise.cli.input_files import read_pairs, source_name
    from rocwise.cli.json_output import document
    from rocwise.cli.per_model import ask_each, heading
    from rocwise.cli.plot_option import check_picture_path, save_picture

    check_picture_path(options.plot)
    pairs = read_pairs(options)
    question = partial(
        band,
        kind=options.kind,
        level=options.level,
        future=options.future,
        slope=options.slope,
        joint=options.joint,
        ks=options.ks,
        stratified=options.stratified,
        n_resamples=options.resamples,
        rng=options.seed,
    )
    bands = ask_each(pairs, question)
    if options.json:
        print(document(bands))
    else:
        print(heading(source_name(options.file), pairs))
        print(band_report(bands))
    if options.plot:
        save_picture(bands, options.plot)


def band_report(bands: Mapping[str, Band]) -> str:
    """What the bands promise, and each one's edges at round false positive rates."""
    from rocwise import printing
    from rocwise.cli import terminal
    from rocwise.cli.option_names import printable
    from rocwise.cli.text_tables import aligned

    first = next(iter(bands.values()))
    lines = [terminal.folded(f"{first.promise()}.")]
    for name, band in bands.items():
        size = band.n_pos + band.n_neg
        edges = zip(RATES, *band.at(RATES), strict=True)
        rows = [
            [f"{rate:g}", *(printing.rate(edge, size) for edge in pair)] for rate, *pair in edges
        ]
        lines += [
            "",
            f"{printable(name)}: area of the band {printing.rate(band.area, size)}",
            aligned(["FPR", "lower TPR", "upper TPR"], rows, ".rr"),
        ]
    return "\n".join(lines)
