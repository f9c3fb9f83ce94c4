"""``rocwise bounds``: what one or a few operating points say about the area."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from rocwise.cli.options import add_output_options

if TYPE_CHECKING:
    from rocwise.binary.bounds import AucBounds

DESCRIPTION = """\
The least and the largest AUC of a concave curve through one operating point or several, as when a
paper reports one sensitivity and one specificity. For one point also the indices of signal
detection."""
EXAMPLES = """\
  rocwise bounds --fpr .2 --tpr .8
  rocwise bounds --fpr 0.05 0.2 0.5 --tpr 0.3 0.6 0.9 --plot bounds.svg
  rocwise bounds --sensitivity 0.8 --specificity 0.9 --json"""


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
    group.add_argument(
        "--policy",
        choices=("raise", "hull"),
        default="raise",
        help="points on no concave curve: refuse them (default), or use their upper hull",
    )
    add_output_options(parser, "the region of possible curves")


def run(options: Namespace) -> None:
    """Print the bounds."""
    from rocwise.binary.bounds import auc_bounds
    from rocwise.cli.documents import document
    from rocwise.cli.drawing import check_picture_path, save_picture

    check_picture_path(options.plot)
    fpr = options.fpr or [round(1 - rate, 12) for rate in options.specificity]
    answer = auc_bounds(fpr, options.tpr or options.sensitivity, policy=options.policy)
    if options.json:
        print(document({"bounds": answer}))
    else:
        print(f"{answer}.")
        if len(answer.fpr) == 1:
            print()
            print(_indices(answer))
    if options.plot:
        save_picture({"points": answer}, options.plot)


def _indices(answer: AucBounds) -> str:
    from rocwise.binary.signals import signal_detection
    from rocwise.cli.tables import aligned

    point = signal_detection(float(answer.fpr[0]), float(answer.tpr[0]))
    values = {
        "d'": point.d_prime,
        "criterion c": point.criterion,
        "beta": point.beta,
        "A'": point.a_prime,
        "A": point.a,
        "bias b": point.b,
    }
    rows = [[name, "-" if v is None else f"{round(v, 4) + 0.0:.4f}"] for name, v in values.items()]
    return aligned(["index", "value"], rows, "l.")
