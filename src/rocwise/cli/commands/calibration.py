"""``rocwise calibration``: observed against predicted probabilities."""

from typing import Any

from rocwise import printing
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, one_by_one, per_model
from rocwise.cli.terminal import folded, printable

DESCRIPTION = """\
Calibration of predicted probabilities: observed proportions with intervals, slope and intercept of
the recalibration, expected calibration error, Brier score and log loss."""
EXAMPLES = """\
  rocwise calibration scores.csv --label ill --score risk
  rocwise calibration scores.csv --label ill --score a --score b --strategy uniform --bins 5
  rocwise calibration scores.csv --label ill --score risk --plot calibration.svg"""


def add_options(parser: Parser) -> None:
    parser.data()
    parser.section("calibration")
    parser.arguments(
        "calibration",
        bins="number of bins",
        strategy="quantile (default: bins of equal size), uniform, isotonic, loess",
        level=None,
        rng="seed of the isotonic limits",
    )
    parser.output("the calibration curves")


def compute(options: Options) -> Output:
    """The calibration of each model."""
    return per_model(options, "calibration", one_by_one(_report))


def _report(name: str, result: Any) -> str:
    level = printing.percent(result.level)
    title = f"{printable(name)}: observed proportions, limits with a level of {level}"
    lines = [_interval_line(result, name) for name in ("slope", "intercept", "in_the_large")]
    lines += [
        f"expected calibration error {result.ece:.4f}; log loss {result.log_loss:.4f}",
        folded(
            f"Brier score {result.brier:.4f} = miscalibration {result.miscalibration:.4f} "
            f"- discrimination {result.discrimination:.4f} + uncertainty {result.uncertainty:.4f}"
        ),
    ]
    return "\n".join([title, result.to_string(), *(line for line in lines if line)])


def _interval_line(result: Any, name: str) -> str:
    value, interval = getattr(result, name), getattr(result, f"{name}_interval")
    words = {"in_the_large": "intercept at slope 1"}.get(name, name)
    if value is None:
        return "" if name != "slope" else "no slope: scores of 0 or 1, or separated classes"
    level = printing.percent(result.level)
    return f"{words} {value:.3f} ({level} CI {interval.low:.3f} to {interval.high:.3f})"
