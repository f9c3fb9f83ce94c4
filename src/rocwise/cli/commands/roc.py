"""``rocwise roc``: points of the ROC curve of each model."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

import rocwise as rw
from rocwise import printing
from rocwise.cli.data import read_pairs
from rocwise.cli.options import add_data_options, add_output_options
from rocwise.cli.output import Output, curves_of, for_each, heading
from rocwise.cli.terminal import aligned, folded, printable

DESCRIPTION = "The ROC curve: true positive rate against false positive rate."
EXAMPLES = """\
  rocwise roc scores.csv --label ill --score model_a
  rocwise roc scores.csv --label ill --score a --score b --plot roc.pdf
  rocwise roc scores.csv --label ill --score model_a --json > curve.json"""
RATES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
FEW = 20  # points that are all shown


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser)
    add_output_options(parser, "the curves", rates=True)
    parser.add_argument(
        "--all", action="store_true", help="every point, not only those at round rates"
    )


def compute(options: Namespace) -> Output:
    """The curve of each model."""
    pairs = read_pairs(options)
    curves = for_each(options, pairs, rw.roc)
    return Output(
        curves,
        table=lambda: "\n\n".join(
            _table(curve, pairs.tally(name), everything=options.all)
            for name, curve in curves.items()
        ),
        heading=heading(options, pairs),
        plot=partial(curves_of, pairs),
    )


def _table(curve: Any, tally: Any, *, everything: bool) -> str:
    n_cases = curve.n_pos + curve.n_neg
    everything = everything or len(curve.fpr) <= FEW
    points = list(range(len(curve.fpr))) if everything else points_at(curve, RATES)
    head = (
        f"{printable(tally.origin.name or 'score')}: AUC {printing.rate(curve.auc, n_cases)}; "
        f"positive when score {sign_of(tally)} threshold"
    )
    rates = ([printing.rate(r, n_cases) for r in each[points]] for each in (curve.fpr, curve.tpr))
    rows = list(zip(thresholds_of(tally, points), *rates, strict=True))
    table = aligned(["threshold", "FPR", "TPR"], rows, ".rr")
    if len(rows) == len(curve.fpr):
        return f"{head}\n{table}"
    footer = (
        f"{len(rows)} of {printing.count(len(curve.fpr))} points: the highest with a false "
        "positive rate up to 0, 0.01, 0.02, 0.05, ...; --all lists every one."
    )
    return f"{head}\n{table}\n{folded(footer)}"


def points_at(curve: Any, rates: Iterable[float]) -> list[int]:
    """The last point whose false positive rate is at most each of the rates, each point once."""
    last = np.searchsorted(curve.fpr, list(rates), side="right") - 1
    return sorted({int(point) for point in last})


def thresholds_of(tally: Any, points: Sequence[int]) -> list[str]:
    """Thresholds of points as text; the first point lies beyond every score."""
    way, names = tally.direction, tally.origin.categories
    beyond = "above all" if way == "higher" else "below all"
    return [
        printing.threshold_text(tally.scores, point - 1, direction=way, categories=names)
        if point > 0
        else beyond
        for point in points
    ]


def sign_of(tally: Any) -> str:
    """The comparison of a score with the threshold."""
    return ">=" if tally.direction == "higher" else "<="
