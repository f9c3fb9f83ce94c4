"""``rocwise reliable``: thresholds with a target performance for each class."""

from typing import Any

from rocwise.cli.data import given_costs
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, one_by_one, per_model
from rocwise.cli.python_code import indented, reliable_lines
from rocwise.cli.terminal import aligned, folded, printable
from rocwise.errors import InputError

DESCRIPTION = """\
Thresholds with target PPV and NPV; cases between two thresholds are left undecided if necessary.

The metric is precision, f (the F-measure) or m (the m-estimate of precision); two of them are for
positives and for negatives. By arcs, cases are left undecided only if no single threshold meets
both targets; the rule of the paper (Vanderlooy et al. 2006) leaves cases undecided between the two
crossings."""
EXAMPLES = """\
  rocwise reliable scores.csv --label ill --score risk --positive 0.9 --negative 0.95
  rocwise reliable scores.csv --label ill --score risk --positive 0.8 --negative 0.8 --metric f
  rocwise reliable scores.csv --label ill --score risk --positive 0.9 --negative 0.8 \\
      --metric precision m --m 0.1 --plot rule.svg"""
CASES = {
    1: "Case 1: one threshold meets both targets",
    2: "Case 2: several thresholds meet both targets",
    3: "Case 3: no single threshold meets both targets",
}
MIXING = (
    "The targets are met exactly by mixing two thresholds at random, below with a seed. "
    "`decide` in Python does without: it decides where both thresholds agree."
)


def add_options(parser: Parser) -> None:
    parser.data("sample_weight")
    parser.section("targets")
    parser.option("--metric", "see above", nargs="+", default=["precision"], metavar="NAME")
    parser.arguments(
        "reliable",
        positive="target for the cases predicted positive",
        negative="target for the cases predicted negative",
        rule="arcs (default) or paper",
        alpha="of the F-measure: above 1 recall weighs more",
        m="of the m-estimate, as a proportion of all cases",
        m_constant="number (default) or proportion, constant when cases are rejected",
    )
    parser.section("skew")
    skew = "negatives per positive, times the cost of a false positive over a false negative"
    parser.arguments("reliable", skew=skew)
    parser.costs("fp", "fn")
    parser.output("the hull before and after abstaining", rates=True)


def compute(options: Options) -> Output:
    """The rule of each model, and the lines that apply it."""
    if len(options.metric) > 2:
        raise InputError("--metric takes one name, or two: for positives, for negatives.")
    metric = options.metric[0] if len(options.metric) == 1 else tuple(options.metric)
    how = {"metric": metric, "costs": given_costs(options)}
    output = per_model(options, "reliable", one_by_one(_report), how)
    rules = output.by_model.items()
    return output._replace(of_each={k: {"production": reliable_lines(rule)} for k, rule in rules})


def _report(name: str, rule: Any) -> str:
    """The rule of one model: performance, abstention, and Python lines."""
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
    header = ["class", "target", "reached", "undecided", "FPR", "TPR"]
    after = ["No abstention is needed."]
    if rule.case == 3:
        x, y = rule.point
        after = [
            f"Undecided: {rule.abstention_rate:.4g} of all cases.",
            f"Among decided cases: FPR {x:.4g}, TPR {y:.4g}, skew {rule.skew_after:.4g}.",
        ]
    if max(rule.mixing) > 0:
        after.append(folded(MIXING))
    return "\n".join(
        [
            folded(f"{printable(name)}: {rule.rule}"),
            "",
            aligned(header, rows, "l....."),
            "",
            folded(f"{CASES[rule.case]} (rule {rule.by_rule}, skew {rule.skew:.4g})."),
            *after,
            "",
            indented(reliable_lines(rule)),
        ]
    )
