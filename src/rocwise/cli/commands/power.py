"""``rocwise power``: sample size, power, or the smallest AUC that can be detected."""

from typing import Any

import rocwise as rw
from rocwise.binary import detectable_auc
from rocwise.cli.options import INTEGER, Options, Parser
from rocwise.cli.output import Output
from rocwise.cli.terminal import folded
from rocwise.errors import InputError
from rocwise.tables import plain_text

DESCRIPTION = (
    "Plan a study: the cases needed for a power, the power of given cases, or the AUC they can "
    "distinguish from the null. Leave out what is to be found."
)
EXAMPLES = """\
  rocwise power --auc 0.8 --power 0.9              # cases for one AUC, not 0.5
  rocwise power --auc 0.8 --null 0.7 --ratio 2     # not 0.7; negatives: twice
  rocwise power --auc 0.73 --n-pos 41 --n-neg 72   # power of given cases
  rocwise power --n-pos 41 --n-neg 72 --power 0.9  # smallest AUC they can show
  rocwise power --auc 0.85 --other 0.78 --correlation 0.4 --plot power.svg"""


def add_options(parser: Parser) -> None:
    parser.section("study")
    parser.option("--auc", "expected AUC", type=float)
    parser.option("--other", "AUC of a second model to compare with", type=float)
    parser.option("--power", "power wanted (default: 0.8)", type=float)
    parser.option("--n-pos", "number of positives", **INTEGER)
    parser.option("--n-neg", "number of negatives", **INTEGER)
    parser.arguments("sample_size", ratio="negatives per positive")
    parser.arguments(
        "power",
        null="AUC under the null hypothesis",
        alpha="significance level",
        sides="2 or 1",
    )
    correlation = "of the two AUC estimates when both models score the same cases"
    parser.option("--correlation", correlation, type=float)
    parser.output("power against the number of cases")


def compute(options: Options) -> Output:
    """The plan that follows from what was given."""
    plan = _plan(options)
    return Output(
        {"plan": plan}, lambda _: _report(plan), plot=lambda: ({"power": plan.curve()}, {})
    )


def _plan(options: Options) -> Any:
    """Solve for what was left out."""
    cases = {"n_pos": options.n_pos, "n_neg": options.n_neg}
    given = None not in cases.values()
    if not given and set(cases.values()) != {None}:
        raise InputError("--n-pos and --n-neg belong together; give both or neither.")
    design = options.settings("power")
    wanted = 0.8 if options.power is None else options.power
    if options.auc is None:
        if not given or options.other is not None:
            raise InputError("--auc is needed, or --n-pos and --n-neg to find the smallest AUC.")
        return detectable_auc(**cases, power=wanted, **design)
    design["correlation"] = options.correlation
    if not given:
        return rw.sample_size(
            options.auc, options.other, power=wanted, ratio=options.ratio, **design
        )
    if options.power is not None:
        raise InputError("leave out one of --auc, --power, and --n-pos with --n-neg.")
    return rw.power(options.auc, options.other, **cases, **design)


def _report(plan: Any) -> str:
    """The plan, and the power at some numbers of cases around it."""
    curve = plan.curve()
    some = slice(None, None, max(1, len(curve.power) // 8))
    columns = {"positives": curve.n_pos, "negatives": curve.n_neg, "power": curve.power}
    return f"{folded(str(plan))}\n\n{plain_text({k: v[some] for k, v in columns.items()})}"
