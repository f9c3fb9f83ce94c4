"""``rocwise roc``: points of the ROC curve of each model."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rocwise.cli.arguments.options import add_data_options, add_output_options
from rocwise.cli.runner import Answers, run_and_answer

if TYPE_CHECKING:
    from rocwise.binary.roc import RocCurve
    from rocwise.data.pairs import Pairs
    from rocwise.data.tally import Tally

DESCRIPTION = "The ROC curve: the share of positives found against the share of false alarms."
EXAMPLES = """\
  rocwise roc scores.csv --label ill --score model_a
  rocwise roc scores.csv --label ill --score a --score b --plot roc.pdf
  rocwise roc scores.csv --label ill --score model_a --json > curve.json"""
RATES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
TITLES = ("threshold", "FPR", "TPR")
FEW = 20  # points that are all shown


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser)
    add_output_options(parser, "the curves", rates=True)
    parser.add_argument(
        "--all", action="store_true", help="every point, not only those at round rates"
    )


def run(options: Namespace) -> None:
    """Print the curves."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The curve of each model."""
    import rocwise as rw
    from rocwise.cli.arguments.plot_option import curves_of
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output.per_model import ask_each, heading

    pairs = read_pairs(options)
    curves = ask_each(options, pairs, rw.roc)
    return Answers(
        curves,
        table=partial(_reports, curves, pairs, everything=options.all),
        heading=heading(options, pairs),
        picture=partial(curves_of, pairs),
    )


def _reports(curves: Mapping[str, RocCurve], pairs: Pairs, *, everything: bool) -> str:
    return "\n\n".join(
        curve_report(curve, pairs.tally(name), everything=everything)
        for name, curve in curves.items()
    )


def curve_report(curve: RocCurve, tally: Tally, *, everything: bool) -> str:
    """A sentence and the points: all, or the highest one up to each round false positive rate."""
    from rocwise import printing
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.output import terminal
    from rocwise.cli.output.text_tables import aligned
    from rocwise.cli.reports.threshold_tables import sign_of

    n_cases = curve.n_pos + curve.n_neg
    everything = everything or len(curve.fpr) <= FEW
    points = range(len(curve.fpr)) if everything else points_at(curve, RATES)
    head = (
        f"{printable(tally.origin.name or 'score')}: AUC {printing.rate(curve.auc, n_cases)}; "
        f"positive when score {sign_of(tally)} threshold"
    )
    rates = ([printing.rate(r, n_cases) for r in each[points]] for each in (curve.fpr, curve.tpr))
    rows = list(zip(thresholds_of(tally, points), *rates, strict=True))
    table = aligned(TITLES, rows, ".rr")
    if len(rows) == len(curve.fpr):
        return f"{head}\n{table}"
    footer = (
        f"{len(rows)} of {printing.count(len(curve.fpr))} points: the highest with a false "
        "positive rate up to 0, 0.01, 0.02, 0.05, ...; --all lists every one."
    )
    return f"{head}\n{table}\n{terminal.folded(footer)}"


def points_at(curve: RocCurve, rates: Iterable[float]) -> list[int]:
    """The last point whose false positive rate is at most each of the rates, each point once."""
    import numpy as np

    last = np.searchsorted(curve.fpr, list(rates), side="right") - 1
    return sorted({int(point) for point in last})


def thresholds_of(tally: Tally, points: Sequence[int]) -> list[str]:
    """How the thresholds of points are printed; the first point lies beyond every score."""
    from rocwise import printing

    way, names = tally.direction, tally.origin.categories
    places = [point - 1 for point in points if point > 0]
    texts = printing.threshold_texts(tally.scores, places, direction=way, categories=names)
    return texts if len(places) == len(points) else [_beyond(tally), *texts]


def _beyond(tally: Tally) -> str:
    return "above all" if tally.direction == "higher" else "below all"
