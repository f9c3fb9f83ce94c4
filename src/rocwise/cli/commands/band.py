"""``rocwise band``: a confidence band around the ROC curve of each model."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli.data import read_pairs
from rocwise.cli.options import add_arguments, add_data_options, add_output_options, settings
from rocwise.cli.output import Output, edge_table, for_each, heading
from rocwise.cli.terminal import folded, printable

DESCRIPTION = """\
A confidence band around the ROC curve: for the true curve, or for that of a new sample.

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
    add_arguments(
        parser.add_argument_group("band"),
        "band",
        kind="see above",
        future="widen a fixed-width band for the curve of a new sample",
        slope="direction in which curves are displaced: sd (default) or paper (as published, which "
        "undercovers with unequal classes)",
        joint="joint-regions: a level for both classes together",
        ks="joint-regions: Kolmogorov distances as published (table, default) or exact",
        stratified="resample within the classes",
        level=None,
        n_resamples=None,
        rng=None,
    )
    add_output_options(parser, "the bands", rates=True)


def compute(options: Namespace) -> Output:
    """The band of each model."""
    pairs = read_pairs(options)
    bands = for_each(options, pairs, rw.band, **settings(options, "band"))
    promise = folded(f"{next(iter(bands.values())).promise()}.")
    return Output(
        bands,
        table=partial(_tables, bands),
        heading=f"{heading(options, pairs)}\n{promise}",
    )


def _tables(bands: Mapping[str, Any]) -> str:
    tables = []
    for name, band in bands.items():
        size = band.n_pos + band.n_neg
        title = f"{printable(name)}: area of the band {printing.rate(band.area, size)}"
        curve = [_observed(band, rate) for rate in RATES]
        tables.append(edge_table(title, "FPR", "TPR", RATES, (curve, *band.at(RATES)), size))
    return "\n\n".join(tables)


def _observed(band: Any, rate: float) -> float:
    """The highest point of the observed curve with a false positive rate up to this one."""
    return float(band.curve_tpr[band.curve_fpr <= rate].max())
