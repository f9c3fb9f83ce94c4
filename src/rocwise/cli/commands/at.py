"""``rocwise at``: every measure of each model at given thresholds or rates."""

from typing import Any

from rocwise import printing
from rocwise.cli.data import given_costs
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, per_model
from rocwise.cli.terminal import aligned, folded, printable
from rocwise.tables import rounded

DESCRIPTION = """\
Performance of each model at given thresholds, sensitivities, specificities or false positive rates:
counts, rates, predictive values and likelihood ratios, with confidence intervals."""
EXAMPLES = """\
  rocwise at scores.csv --label ill --score model_a --threshold 0.3 0.5
  rocwise at scores.csv --label ill --score a --score b --specificity 0.8 0.9 0.95
  rocwise at scores.csv --label ill --score a --sensitivity 0.9 --prevalence 0.02 --csv"""
AXES = {
    "threshold": "at these thresholds",
    "sensitivity": "where the curve has this sensitivity",
    "specificity": "where the curve has this specificity",
    "fpr": "where the curve has this false positive rate",
    "alarms": "where so many, or this proportion if below 1, are predicted positive",
}
COUNTS = ("tp", "fp", "fn", "tn")
NAMES = {
    "tp": "true positives",
    "fp": "false positives",
    "fn": "false negatives",
    "tn": "true negatives",
    "ppv": "PPV (precision)",
    "npv": "NPV",
    "f1": "F1",
    "lr_positive": "LR+",
    "lr_negative": "LR-",
}


def add_options(parser: Parser) -> None:
    parser.data("sample_weight", "groups")
    parser.section("points")
    with parser.one_of(required=True):
        for name, text in AXES.items():
            parser.option(f"--{name}", text, type=float, nargs="+", metavar="VALUE")
    parser.costs("fp", "fn")
    parser.arguments(
        "at",
        prevalence="prevalence for PPV, NPV and costs (default: that of the file)",
        interpolate="exactly this rate, between two thresholds (default), or the best threshold "
        "that keeps it",
        method="auto (default: Wilson's interval; bootstrap for --alarms), bootstrap, or an "
        "interval of a proportion at fixed thresholds: wilson, clopper-pearson, jeffreys, ...",
        level=None,
        n_resamples=None,
        rng=None,
    )
    parser.output("the points on the ROC curve", rates=True)


def compute(options: Options) -> Output:
    """The points of each model."""
    where = {"costs": given_costs(options), **options.given(*AXES)}
    return per_model(options, "at", _reports, where)


def _reports(tables: dict[str, Any]) -> str:
    parts = []
    for name, table in tables.items():
        title = [printable(name)] if len(tables) > 1 else []
        parts += ["\n".join([*title, _report(table, row)]) for row in range(len(table))]
    return "\n\n".join(parts)


def _report(table: Any, row: int) -> str:
    """The measures at one point, with their limits."""

    def text(values: Any) -> str:
        value = values.tolist()[row]
        return "-" if value is None else rounded(value)

    level = printing.percent(table.level)
    cells = [[NAMES[cell], rounded(table.columns[cell][row].item(), 1), ""] for cell in COUNTS]
    for name, column in table.columns.items():
        ends = [table.columns.get(f"{name}_{end}") for end in ("low", "high")]
        if ends[0] is None or ends[1] is None:
            continue
        value, low, high = map(text, (column, *ends))
        measure = NAMES.get(name, name.replace("_", " "))
        cells.append([measure, value, f"{low} to {high}" if low != "-" else ""])
    at = f"{table.axis} {table.requested_text(row)}"
    if table.axis != "threshold":
        found = table.threshold_text(row)  # none for a point between two thresholds
        at += f", {table.estimand}" if found == "-" else f", threshold {found}"
    how = table.interval_words().removeprefix(", ").removeprefix(": ")
    if table.prevalence_given:
        how += f"; PPV and NPV for a prevalence of {printing.percent(table.prevalence)}"
    head = folded(f"at {at} ({level} CI: {how}{table._draw_words()})")
    return f"{head}\n{aligned(['measure', 'value', f'{level} CI'], cells, 'lrl')}"
