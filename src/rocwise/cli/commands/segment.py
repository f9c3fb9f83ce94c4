"""``rocwise segment``: thresholds at which misses and false alarms are not told apart."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from rocwise.cli.arguments.options import add_choice, add_data_options, add_output_options
from rocwise.cli.runner import Answers, run_and_answer

if TYPE_CHECKING:
    from rocwise.arrays import Floats
    from rocwise.binary.roc_averages import ConfidentSegment

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
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    add_choice(
        group,
        "--view",
        ("curve", "intervals", "plane"),
        "what --plot shows: the curve with its segment (default), the intervals against the "
        "threshold, or the models by mean difference and CAUC",
    )
    add_output_options(parser, "the segments", rates=True)


def run(options: Namespace) -> None:
    """Print the segments."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The segment of each model."""
    import rocwise as rw
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output.per_model import ask_each, heading

    pairs = read_pairs(options)
    segments = ask_each(options, pairs, partial(rw.confident_segment, level=options.level))
    return Answers(
        segments,
        table=partial(segment_table, segments),
        heading=heading(options, pairs),
        picture=lambda: (segments, {"view": options.view}),
    )


def segment_table(segments: Mapping[str, ConfidentSegment]) -> str:
    """One row per model."""
    from rocwise import printing
    from rocwise.cli.output.terminal import folded
    from rocwise.cli.output.text_tables import aligned

    header = ["model", "cuts", "FPR", "TPR", "CAUC", "mean D", "mean |D|"]
    table = aligned(header, [_row(name, one) for name, one in segments.items()], "lrllrrr")
    level = printing.percent(next(iter(segments.values())).level)
    meaning = (
        f"At these thresholds (cuts), Tango's {level} interval of D = (FN - FP)/n holds 0. "
        "CAUC is the area that belongs to them."
    )
    return f"{table}\n\n{folded(meaning)}"


def _row(name: str, segment: ConfidentSegment) -> list[str]:
    from rocwise import printing

    size = segment.n_pos + segment.n_neg
    if segment.mean_difference is None or segment.mean_absolute_difference is None:
        return [name, "0", "-", "-", "-", "-", "-"]

    def ends(rates: Floats) -> str:
        return f"{printing.rate(rates[0], size)} to {printing.rate(rates[-1], size)}"

    return [
        name,
        printing.count(len(segment.fpr)),
        ends(segment.fpr),
        ends(segment.tpr),
        printing.rate(segment.cauc, size),
        f"{segment.mean_difference:+.4f}",
        f"{segment.mean_absolute_difference:.4f}",
    ]
