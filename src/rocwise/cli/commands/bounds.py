"""``rocwise bounds``: what one or a few operating points say about the area."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING

from rocwise.cli.arguments.options import add_choice, add_output_options
from rocwise.cli.runner import Answers, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.binary.reported_points import AucBounds, SignalDetection

DESCRIPTION = """\
The least and the largest AUC of a concave curve through one operating point or several, as when a
paper reports one sensitivity and one specificity. For one point also the indices of signal
detection."""
EXAMPLES = """\
  rocwise bounds --fpr .2 --tpr .8
  rocwise bounds --fpr 0.05 0.2 0.5 --tpr 0.3 0.6 0.9 --plot bounds.svg
  rocwise bounds --sensitivity 0.8 --specificity 0.9 --json"""
FLAGS = ("fpr", "specificity", "tpr", "sensitivity")
INDICES = {
    "d_prime": "d'",
    "criterion": "criterion c",
    "beta": "beta",
    "a_prime": "A'",
    "b_double_prime": "B''",
    "a": "A",
    "b": "bias b",
}


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    group = parser.add_argument_group("points")
    alarms = group.add_mutually_exclusive_group(required=True)
    alarms.add_argument("--fpr", type=float, nargs="+", metavar="RATE", help="false positive rates")
    alarms.add_argument(
        "--specificity", type=float, nargs="+", metavar="RATE", help="or 1 minus those"
    )
    hits = group.add_mutually_exclusive_group(required=True)
    hits.add_argument("--tpr", type=float, nargs="+", metavar="RATE", help="true positive rates")
    hits.add_argument(
        "--sensitivity", type=float, nargs="+", metavar="RATE", help="the same, by another name"
    )
    add_choice(
        group,
        "--policy",
        ("raise", "hull"),
        "points on no concave curve: refuse them (default), or use their upper hull",
    )
    add_output_options(parser, "the region of possible curves", rates=True)


def run(options: Namespace) -> None:
    """Print the bounds."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The bounds, and of one point the indices of signal detection."""
    import rocwise as rw

    rates = {flag: _fractions(getattr(options, flag), flag) for flag in FLAGS}
    fpr = rates["fpr"] or [round(1 - rate, 12) for rate in rates["specificity"]]
    answer = rw.auc_bounds(fpr, rates["tpr"] or rates["sensitivity"], policy=options.policy)
    indices = None
    if len(answer.fpr) == 1:
        indices = rw.signal_detection(float(answer.fpr[0]), float(answer.tpr[0]))
    return Answers(
        {"bounds": answer},
        table=partial(_report, answer, indices),
        of_all=None if indices is None else {"signal_detection": indices},
        picture=lambda: ({"points": answer}, {}),
    )


def _fractions(rates: list[float] | None, flag: str) -> list[float]:
    for rate in rates or []:
        if not 0 <= rate <= 1:
            percent = f" ({rate:g} % is typed {rate / 100:g})" if 1 < rate <= 100 else ""
            raise InputError(f"--{flag} must be a fraction from 0 to 1; got {rate:g}{percent}.")
    return rates or []


def _report(answer: AucBounds, indices: SignalDetection | None) -> str:
    if indices is None:
        return f"{answer}."
    return f"{answer}.\n\n{_index_table(indices.indices())}"


def _index_table(values: dict[str, float | None]) -> str:
    from rocwise.cli.output.text_tables import aligned

    rows = [[words, _number(values[name])] for name, words in INDICES.items()]
    return aligned(["index", "value"], rows, "l.")


def _number(value: float | None) -> str:
    """Four digits, never a negative zero; a line for what is not defined."""
    return "-" if value is None else f"{round(value, 4) + 0.0:.4f}"
