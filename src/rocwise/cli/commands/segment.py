"""``rocwise segment``: the confident segment of the ROC curve of each model."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli.data import read_pairs
from rocwise.cli.options import (
    add_arguments,
    add_choice,
    add_data_options,
    add_output_options,
    settings,
)
from rocwise.cli.output import Output, for_each, heading
from rocwise.cli.terminal import aligned, folded

DESCRIPTION = """\
The confident segment of the ROC curve: thresholds at which the numbers of misses (FN) and of false
alarms (FP) do not differ significantly, by Tango's interval for (FN - FP)/n.

CAUC is the area that belongs to the segment; the mean difference is that of (FN - FP)/n on it."""
EXAMPLES = """\
  rocwise segment scores.csv --label ill --score model_a
  rocwise segment scores.csv --label ill --score a --score b --view plane --plot models.svg
  rocwise segment scores.csv --label ill --score a --view intervals --plot tango.svg"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, weights=False)
    group = parser.add_argument_group("segment")
    add_arguments(group, "confident_segment", level=None)
    add_choice(
        group,
        "--view",
        ("curve", "intervals", "plane"),
        "what --plot shows: the curve with its segment (default), the intervals against the "
        "threshold, or the models by mean difference and CAUC",
    )
    add_output_options(parser, "the segments", rates=True)


def compute(options: Namespace) -> Output:
    """The segment of each model."""
    pairs = read_pairs(options)
    segments = for_each(
        options, pairs, rw.confident_segment, **settings(options, "confident_segment")
    )
    return Output(
        segments,
        table=partial(_table, segments),
        heading=heading(options, pairs),
        plot=lambda: (segments, {"view": options.view}),
    )


def _table(segments: Mapping[str, Any]) -> str:
    header = ["model", "cuts", "FPR", "TPR", "CAUC", "mean D", "mean |D|"]
    table = aligned(header, [_row(name, one) for name, one in segments.items()], "lrllrrr")
    level = printing.percent(next(iter(segments.values())).level)
    meaning = (
        f"At these thresholds (cuts), Tango's {level} interval of D = (FN - FP)/n holds 0. "
        "CAUC is the area that belongs to them."
    )
    return f"{table}\n\n{folded(meaning)}"


def _row(name: str, segment: Any) -> list[str]:
    size = segment.n_pos + segment.n_neg
    if segment.mean_difference is None:
        return [name, "0", "-", "-", "-", "-", "-"]
    fpr, tpr = (
        f"{printing.rate(rates[0], size)} to {printing.rate(rates[-1], size)}"
        for rates in (segment.fpr, segment.tpr)
    )
    return [
        name,
        printing.count(len(segment.fpr)),
        fpr,
        tpr,
        printing.rate(segment.cauc, size),
        f"{segment.mean_difference:+.4f}",
        f"{segment.mean_absolute_difference:.4f}",
    ]
