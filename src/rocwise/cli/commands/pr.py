"""``rocwise pr``: average precision of each model, with its interval."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli.data import read_pairs
from rocwise.cli.options import add_arguments, add_data_options, add_output_options, settings
from rocwise.cli.output import Output, edge_table, for_each, heading, interval_table
from rocwise.cli.terminal import printable

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
    add_arguments(
        group,
        "average_precision",
        prevalence=None,
        interpolation="step (default: precision times the step in recall), davis-goadrich",
        cohort="the number of positives is random",
        method="auto (default), logit, bootstrap",
        level=None,
        n_resamples=None,
        rng=None,
    )
    group.add_argument(
        "--band",
        choices=("simultaneous", "pointwise"),
        help="confidence band of the precision over the recall",
    )
    add_output_options(parser, "the precision-recall curves", rates=True)


def compute(options: Namespace) -> Output:
    """The average precision of each model."""
    pairs = read_pairs(options)
    found = for_each(options, pairs, rw.average_precision, **settings(options, "average_precision"))
    bands = {}
    if options.band is not None:
        drawn = {name: getattr(options, name) for name in ("level", "n_resamples", "rng")}
        curves = _curves(pairs)
        bands = {name: curve.band(kind=options.band, **drawn) for name, curve in curves.items()}
    return Output(
        found,
        table=partial(_tables, found, bands),
        heading=heading(options, pairs),
        of_each={name: {"band": band} for name, band in bands.items()} or None,
        plot=lambda: (bands or _curves(pairs), {}),
    )


def _curves(pairs: rw.Pairs) -> dict[str, Any]:
    return {name: rw.precision_recall(pairs.tally(name)) for name in pairs.names}


def _tables(found: dict[str, Any], bands: dict[str, Any]) -> str:
    first = next(iter(found.values()))
    size = first.n_pos + first.n_neg
    table = interval_table("model", "AP", found, lambda _, value: printing.rate(value, size))
    chance = f"A worthless model has {printing.rate(first.chance, size)}, the prevalence."
    parts = [f"{table}\n\n{chance}"]
    for name, band in bands.items():
        title = f"{printable(name)}: {printing.percent(band.level)} {band.kind} band, {band.method}"
        parts.append(edge_table(title, "recall", "precision", RECALLS, band.at(RECALLS), size))
    return "\n\n".join(parts)
