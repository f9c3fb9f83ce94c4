"""``rocwise bounds``: bounds on the AUC from one or a few operating points."""

from typing import Any

import rocwise as rw
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output
from rocwise.cli.terminal import aligned
from rocwise.errors import InputError

DESCRIPTION = """\
The least and the largest AUC of a concave curve through one operating point or several, as when a
paper reports one sensitivity and one specificity. For one point also the indices of signal
detection."""
EXAMPLES = """\
  rocwise bounds --fpr .2 --tpr .8
  rocwise bounds --fpr 0.05 0.2 0.5 --tpr 0.3 0.6 0.9 --plot bounds.svg
  rocwise bounds --sensitivity 0.8 --specificity 0.9 --json"""
RATES = {
    "fpr": "false positive rates",
    "specificity": "or 1 minus those",
    "tpr": "true positive rates",
    "sensitivity": "the same, by another name",
}
INDICES = {
    "d_prime": "d'",
    "criterion": "criterion c",
    "beta": "beta",
    "a_prime": "A'",
    "a_double_prime": "A''",
    "b_double_prime": "B''",
    "a": "A",
    "b": "bias b",
}


def add_options(parser: Parser) -> None:
    parser.section("points")
    for pair in (("fpr", "specificity"), ("tpr", "sensitivity")):
        with parser.one_of(required=True):
            for rate in pair:
                parser.option(f"--{rate}", RATES[rate], type=float, nargs="+", metavar="RATE")
    parser.choice(
        "--policy",
        ("raise", "hull"),
        "points on no concave curve: raise an error (default), or use their upper hull",
    )
    parser.output("the region of possible curves", rates=True)


def compute(options: Options) -> Output:
    """The bounds, and of one point the indices of signal detection."""
    rates = {name: _fractions(getattr(options, name), name) for name in RATES}
    fpr = rates["fpr"] or [round(1 - rate, 12) for rate in rates["specificity"]]
    result = rw.auc_bounds(fpr, rates["tpr"] or rates["sensitivity"], policy=options.policy)
    indices = None
    if len(result.fpr) == 1:
        indices = rw.signal_detection(float(result.fpr[0]), float(result.tpr[0]))
    return Output(
        {"bounds": result},
        lambda _: _report(result, indices),
        of_all=None if indices is None else {"signal_detection": indices},
        plot=lambda: ({"points": result}, {}),
    )


def _fractions(rates: list[float] | None, name: str) -> list[float]:
    for rate in rates or []:
        if not 0 <= rate <= 1:
            percent = f" ({rate:g}% is typed {rate / 100:g})" if 1 < rate <= 100 else ""
            raise InputError(f"--{name} must be a fraction from 0 to 1; got {rate:g}{percent}.")
    return rates or []


def _report(result: Any, indices: Any) -> str:
    if indices is None:
        return f"{result}."
    values = indices.indices()
    # never a negative zero; a line for what is undefined
    rows = [
        [text, "-" if values[name] is None else f"{round(values[name], 4) + 0.0:.4f}"]
        for name, text in INDICES.items()
    ]
    return f"{result}.\n\n{aligned(['index', 'value'], rows, 'l.')}"
