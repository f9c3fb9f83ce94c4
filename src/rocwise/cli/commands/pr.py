"""``rocwise pr``: average precision of each model, with its interval."""

from functools import partial
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli.data import read_pairs
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, edge_table, for_each, heading, interval_table, rate_text
from rocwise.cli.terminal import printable

DESCRIPTION = "Average precision, the area under the precision-recall curve, with an interval."
EXAMPLES = """\
  rocwise pr scores.csv --label ill --score model_a
  rocwise pr scores.csv --label ill --score a --score b --prevalence 0.01
  rocwise pr scores.csv --label ill --score a --band simultaneous --seed 1 --plot pr.svg"""
RECALLS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


def add_options(parser: Parser) -> None:
    parser.data("sample_weight", "groups")
    parser.section("average precision")
    parser.arguments(
        "average_precision",
        prevalence=None,
        interpolation="step (default: precision times the step in recall), davis-goadrich",
        cohort="the number of positives is random",
        method="auto (default), logit, bootstrap",
        level=None,
        n_resamples=None,
        rng=None,
    )
    kinds = ("simultaneous", "pointwise")
    parser.option("--band", "confidence band of the precision over the recall", choices=kinds)
    parser.output("the precision-recall curves", rates=True)


def compute(options: Options) -> Output:
    """The average precision of each model."""
    pairs = read_pairs(options)
    how = options.settings("average_precision")
    found = for_each(options, pairs, rw.average_precision, **how)
    curves = {name: rw.precision_recall(pairs.tally(name)) for name in pairs.names}
    bands = {}
    if options.band is not None:
        drawn = options.given("level", "n_resamples", "rng")
        bands = {name: curve.band(kind=options.band, **drawn) for name, curve in curves.items()}
    return Output(
        found,
        partial(_tables, bands),
        heading(options, pairs),
        of_each={name: {"band": band} for name, band in bands.items()},
        plot=lambda: (bands or curves, {}),
    )


def _tables(bands: dict[str, Any], found: dict[str, Any]) -> str:
    first = next(iter(found.values()))
    table = interval_table("model", "AP", found)
    chance = f"An uninformative model has {rate_text(first, first.chance)}, the prevalence."
    parts = [f"{table}\n\n{chance}"]
    for name, band in bands.items():
        title = f"{printable(name)}: {printing.percent(band.level)} {band.kind} band, {band.method}"
        table = edge_table("recall", "precision", RECALLS, *band.at(RECALLS))
        parts.append(f"{title}\n{table}")
    return "\n\n".join(parts)
