"""``rocwise segment``: the confident segment of the ROC curve of each model."""

from collections.abc import Mapping
from typing import Any

from rocwise import printing
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, per_model, rate_text
from rocwise.cli.terminal import aligned, folded

DESCRIPTION = """\
The confident segment of the ROC curve: thresholds at which the numbers of false negatives (FN) and
false positives (FP) do not differ significantly, by Tango's interval for (FN - FP)/n.

CAUC is the area that belongs to the segment; the mean difference is that of (FN - FP)/n on it."""
EXAMPLES = """\
  rocwise segment scores.csv --label ill --score model_a
  rocwise segment scores.csv --label ill --score a --score b --view plane --plot models.svg
  rocwise segment scores.csv --label ill --score a --view intervals --plot tango.svg"""


def add_options(parser: Parser) -> None:
    parser.data()
    parser.section("segment")
    parser.arguments("confident_segment", level=None)
    parser.choice(
        "--view",
        ("curve", "intervals", "plane"),
        "what --plot shows: the curve with its segment (default), the intervals against the "
        "threshold, or the models by mean difference and CAUC",
    )
    parser.output("the segments", rates=True)


def compute(options: Options) -> Output:
    """The segment of each model."""
    output = per_model(options, "confident_segment", _table)
    return output._replace(plot=lambda: (output.by_model, {"view": options.view}))


def _table(segments: Mapping[str, Any]) -> str:
    header = ["model", "thresholds", "FPR", "TPR", "CAUC", "mean D", "mean |D|"]
    table = aligned(header, [_row(name, one) for name, one in segments.items()], "lrllrrr")
    level = printing.percent(next(iter(segments.values())).level)
    meaning = (
        f"At these thresholds, Tango's {level} interval of D = (FN - FP)/n contains 0. "
        "CAUC is the area that belongs to them."
    )
    return f"{table}\n\n{folded(meaning)}"


def _row(name: str, segment: Any) -> list[str]:
    if segment.mean_difference is None:
        return [name, "0", "-", "-", "-", "-", "-"]
    fpr, tpr = (
        f"{rate_text(segment, rates[0])} to {rate_text(segment, rates[-1])}"
        for rates in (segment.fpr, segment.tpr)
    )
    return [
        name,
        printing.count(len(segment.fpr)),
        fpr,
        tpr,
        rate_text(segment, segment.cauc),
        f"{segment.mean_difference:+.4f}",
        f"{segment.mean_absolute_difference:.4f}",
    ]
