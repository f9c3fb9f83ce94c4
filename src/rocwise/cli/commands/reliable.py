"""``rocwise reliable``: thresholds that promise a performance for each class."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.arguments.options import add_data_options, add_output_options
from rocwise.cli.runner import Answers, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.binary.reliable import ReliableRule

DESCRIPTION = """\
Two thresholds that promise a performance for each class, at the price of some undecided cases.

The metric is precision, f (the F-measure) or m (the m-estimate of precision); two of them are for
positives and for negatives. By arcs, cases are left undecided only if no single threshold keeps
both promises; the rule of the paper (Vanderlooy et al. 2006) leaves cases undecided between the two
crossings."""
EXAMPLES = """\
  rocwise reliable scores.csv --label ill --score risk --positive 0.9 --negative 0.95
  rocwise reliable scores.csv --label ill --score risk --positive 0.8 --negative 0.8 --metric f
  rocwise reliable scores.csv --label ill --score risk --positive 0.9 --negative 0.8 \\
      --metric precision m --m 0.1 --plot rule.svg"""

CASES = {
    1: "Case 1: one threshold keeps both promises",
    2: "Case 2: several thresholds keep both promises",
    3: "Case 3: no single threshold keeps both promises",
}


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser)
    group = parser.add_argument_group("promises")
    for side in ("positive", "negative"):
        group.add_argument(
            f"--{side}",
            type=float,
            required=True,
            metavar="VALUE",
            help=f"what to reach for the cases called {side}",
        )
    group.add_argument(
        "--metric", nargs="+", default=["precision"], metavar="NAME", help="see above"
    )
    group.add_argument("--rule", default="arcs", metavar="NAME", help="arcs (default) or paper")
    group.add_argument(
        "--alpha", type=float, default=1.0, help="of the F-measure: above 1 recall weighs more"
    )
    group.add_argument(
        "--m", type=float, default=0.0, help="of the m-estimate, as a share of all cases"
    )
    skew = parser.add_argument_group("skew")
    skew.add_argument(
        "--skew",
        type=float,
        metavar="RATIO",
        help="negatives per positive, times the cost of a false alarm over that of a miss",
    )
    skew.add_argument("--cost-fp", type=float, metavar="COST", help="cost of a false alarm")
    skew.add_argument("--cost-fn", type=float, metavar="COST", help="cost of a miss")
    add_output_options(parser, "the hull before and after abstaining", rates=True)


def run(options: Namespace) -> None:
    """Print the rules."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The rule of each model, and the lines that put it to work."""
    import rocwise as rw
    from rocwise.cli.arguments.cost_options import given_costs
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.output.per_model import ask_each, heading
    from rocwise.cli.output.python_snippets import reliable_lines

    question = partial(
        rw.reliable,
        positive=options.positive,
        negative=options.negative,
        metric=_metrics(options.metric),
        rule=options.rule,
        skew=options.skew,
        costs=given_costs(options),
        alpha=options.alpha,
        m=options.m,
    )
    pairs = read_pairs(options)
    rules = ask_each(options, pairs, question)
    return Answers(
        rules,
        table=partial(_reports, rules),
        heading=heading(options, pairs),
        of_each={name: {"production": reliable_lines(rule)} for name, rule in rules.items()},
    )


def _reports(rules: Mapping[str, ReliableRule]) -> str:
    return "\n\n".join(report(name, rule) for name, rule in rules.items())


def _metrics(names: list[str]) -> Any:
    if len(names) > 2:
        raise InputError("--metric takes one name, or two: for positives, for negatives.")
    return names[0] if len(names) == 1 else tuple(names)


def report(name: str, rule: ReliableRule) -> str:
    """The rule of one model: words, what it reaches, its price, and how to use it."""
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.output import terminal
    from rocwise.cli.output.python_snippets import reliable_lines, shown
    from rocwise.cli.output.text_tables import aligned

    reached = (rule.positive_performance, rule.negative_performance)
    points = (rule.point_a, rule.point_b)
    rows = [
        [
            f"{side}: {rule.metric_words[k]}",
            f"{rule.targets[k]:g}",
            "-" if reached[k] is None else f"{reached[k]:.4g}",
            f"{(rule.upr, rule.unr)[k]:.4g}",
            f"{points[k][0]:.4g}",
            f"{points[k][1]:.4g}",
        ]
        for k, side in enumerate(("positive", "negative"))
    ]
    header = ["called", "promised", "reached", "undecided", "FPR", "TPR"]
    price = (
        f"Undecided: {rule.abstention_rate:.4g} of all cases."
        if rule.case == 3
        else "No abstention is needed."
    )
    return "\n".join(
        [
            terminal.folded(f"{printable(name)}: {rule.rule}"),
            "",
            aligned(header, rows, "l....."),
            "",
            terminal.folded(f"{CASES[rule.case]} (rule {rule.by_rule}, skew {rule.skew:.4g})."),
            price,
            *_after(rule),
            "",
            shown(reliable_lines(rule)),
        ]
    )


def _after(rule: ReliableRule) -> list[str]:
    lines = []
    if rule.case == 3:
        x, y = rule.point
        lines = [f"Among decided cases: FPR {x:.4g}, TPR {y:.4g}, skew {rule.skew_after:.4g}."]
    if max(rule.mixing) > 0:
        lines.append(_coin_words())
    return lines


def _coin_words() -> str:
    from rocwise.cli.output import terminal

    return terminal.folded(
        "The promise is met exactly by mixing two thresholds at random, below with a seed. "
        "`decide` in Python does without: it decides where both thresholds agree."
    )
