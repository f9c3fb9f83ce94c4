"""``rocwise roc``: points of the ROC curve of each model."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rocwise import printing
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, one_by_one, per_model, rate_text, sign_of
from rocwise.cli.terminal import aligned, folded, printable

DESCRIPTION = "The ROC curve: true positive rate against false positive rate."
EXAMPLES = """\
  rocwise roc scores.csv --label ill --score model_a
  rocwise roc scores.csv --label ill --score a --score b --plot roc.pdf
  rocwise roc scores.csv --label ill --score model_a --json > curve.json"""
RATES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
FEW = 20  # points that are all shown


def add_options(parser: Parser) -> None:
    parser.data("sample_weight")
    parser.output("the curves", rates=True)
    parser.flag("--all", "every point, not only those at round rates")


def compute(options: Options) -> Output:
    """The curve of each model."""
    return per_model(
        options, "roc", one_by_one(lambda name, curve: _report(name, curve, options.all))
    )


def _report(name: str, curve: Any, everything: bool) -> str:
    everything = everything or len(curve.fpr) <= FEW
    points = list(range(len(curve.fpr))) if everything else points_at(curve, RATES)
    head = (
        f"{printable(name)}: AUC {rate_text(curve, curve.auc)}; "
        f"positive when score {sign_of(curve)} threshold"
    )
    table = point_table(curve, points, {"FPR": curve.fpr, "TPR": curve.tpr})
    if everything:
        return f"{head}\n{table}"
    footer = (
        f"{len(points)} of {printing.count(len(curve.fpr))} points: the highest with a false "
        "positive rate up to 0, 0.01, 0.02, 0.05, ...; --all lists every one."
    )
    return f"{head}\n{table}\n{folded(footer)}"


def points_at(curve: Any, rates: Iterable[float]) -> list[int]:
    """The last point whose false positive rate is at most each of the rates, each point once."""
    last = np.searchsorted(curve.fpr, list(rates), side="right") - 1
    return sorted({int(point) for point in last})


def point_table(curve: Any, points: Sequence[int], rates: Mapping[str, Any]) -> str:
    """Thresholds and rates of some points; the first point lies beyond every score."""
    way, names = curve.origin.direction, curve.origin.categories
    thresholds = [
        printing.threshold_text(curve.observed_scores, point - 1, direction=way, categories=names)
        if point > 0
        else ("above all" if way == "higher" else "below all")
        for point in points
    ]
    texts = ([rate_text(curve, rate) for rate in each[points]] for each in rates.values())
    rows = list(zip(thresholds, *texts, strict=True))
    return aligned(["threshold", *rates], rows, "." + "r" * len(rates))
