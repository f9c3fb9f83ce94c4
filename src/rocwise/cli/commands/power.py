"""``rocwise power``: how many cases a study needs, or what it can detect."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.arguments.options import add_output_options
from rocwise.cli.runner import Answers, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.binary.planning import StudyPlan

DESCRIPTION = (
    "Plan a study: the cases needed for a power, the power of given cases, or the AUC they can "
    "tell from the null. Leave out what is to be found."
)
EXAMPLES = """\
  rocwise power --auc 0.8 --power 0.9              # cases for one AUC, not 0.5
  rocwise power --auc 0.8 --null 0.7 --ratio 2     # not 0.7; negatives: twice
  rocwise power --auc 0.73 --n-pos 41 --n-neg 72   # power of given cases
  rocwise power --n-pos 41 --n-neg 72 --power 0.9  # smallest AUC they can show
  rocwise power --auc 0.85 --other 0.78 --correlation 0.4 --plot power.svg"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    group = parser.add_argument_group("study")
    group.add_argument("--auc", type=float, help="AUC that is expected")
    group.add_argument("--other", type=float, help="AUC of a second model to compare with")
    group.add_argument("--null", type=float, default=0.5, help="AUC to tell it from (default: 0.5)")
    group.add_argument("--power", type=float, help="power wanted (default: 0.8)")
    group.add_argument("--n-pos", type=int, metavar="N", help="number of positives")
    group.add_argument("--n-neg", type=int, metavar="N", help="number of negatives")
    group.add_argument(
        "--ratio", type=float, default=1.0, help="negatives per positive (default: 1)"
    )
    group.add_argument("--alpha", type=float, default=0.05, help="significance (default: 0.05)")
    group.add_argument("--sides", type=int, default=2, help="2 (default) or 1")
    group.add_argument(
        "--correlation",
        type=float,
        help="of the two AUC estimates when both models score the same cases",
    )
    add_output_options(parser, "power against the number of cases")


def run(options: Namespace) -> None:
    """Print the plan."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The plan that follows from what was given."""
    plan = _plan(options)
    return Answers(
        {"plan": plan},
        table=partial(report, plan),
        picture=lambda: ({"power": plan.curve()}, {}),
    )


def _plan(options: Namespace) -> StudyPlan:
    """Solve for what was left out."""
    import rocwise as rw
    from rocwise.binary import detectable_auc

    cases = options.n_pos is not None and options.n_neg is not None
    if not cases and (options.n_pos is not None or options.n_neg is not None):
        raise InputError("--n-pos and --n-neg belong together; give both or neither.")
    shared: dict[str, Any] = {"alpha": options.alpha, "sides": options.sides}
    wanted = 0.8 if options.power is None else options.power
    if options.auc is None:
        if not cases or options.other is not None:
            raise InputError("--auc is needed, or --n-pos and --n-neg to find the smallest AUC.")
        return detectable_auc(
            n_pos=options.n_pos, n_neg=options.n_neg, null=options.null, power=wanted, **shared
        )
    shared |= {"null": options.null, "correlation": options.correlation}
    if cases:
        if options.power is not None:
            raise InputError("leave out one of --auc, --power, and --n-pos with --n-neg.")
        return rw.power(
            options.auc, options.other, n_pos=options.n_pos, n_neg=options.n_neg, **shared
        )
    return rw.sample_size(options.auc, options.other, power=wanted, ratio=options.ratio, **shared)


def report(plan: StudyPlan) -> str:
    """The plan, and power at some numbers of cases around the plan."""
    from rocwise import printing
    from rocwise.cli.output.terminal import folded
    from rocwise.cli.output.text_tables import aligned

    curve = plan.curve()
    steps = range(0, len(curve.power), max(1, len(curve.power) // 8))
    rows = [
        [printing.count(curve.n_pos[k]), printing.count(curve.n_neg[k]), f"{curve.power[k]:.3f}"]
        for k in steps
    ]
    return f"{folded(str(plan))}\n\n{aligned(['positives', 'negatives', 'power'], rows, 'rrr')}"
