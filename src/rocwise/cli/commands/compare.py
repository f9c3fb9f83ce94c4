"""``rocwise compare``: whether one model is better than another on the same cases."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from rocwise.cli.options import add_data_options, add_output_options, add_part_options

if TYPE_CHECKING:
    from rocwise.inference.comparison_results import Comparison

DESCRIPTION = (
    "Compare two or more models on the same cases: difference, confidence interval and p value."
)
EXAMPLES = """\
  rocwise compare scores.csv --label ill --score a --score b
  rocwise compare scores.csv --label ill --score a --score b --score c
  rocwise compare scores.csv --label ill --score a --score b --method permutation
  rocwise compare scores.csv --label ill --score new --score old \\
      --alternative non-inferior --margin 0.05
  rocwise compare lesions.csv --label ill --score a --score b --group patient"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser)
    parser.add_argument(
        "--group", metavar="COLUMN", help="cluster of each row (a patient with several lesions)"
    )
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--method",
        help="delong (default for whole areas), jackknife, exact-bootstrap, unbiased, bootstrap "
        "(default for parts and points), permutation, permutation-asymptotic, "
        "permutation-monte-carlo, venkatraman (whole curves)",
    )
    group.add_argument(
        "--alternative",
        default="two-sided",
        help="two-sided (default), greater, less, non-inferior or equivalent; first minus second",
    )
    group.add_argument(
        "--margin", type=float, help="largest difference that does not matter (last two)"
    )
    part = add_part_options(group)
    part.add_argument(
        "--at-sensitivity", type=float, metavar="RATE", help="compare specificities at this point"
    )
    part.add_argument(
        "--at-specificity", type=float, metavar="RATE", help="compare sensitivities at this point"
    )
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    group.add_argument(
        "--resamples", type=int, default=2000, metavar="N", help="of resampling (default: 2000)"
    )
    group.add_argument("--seed", type=int, metavar="N", help="makes resampling repeatable")
    add_output_options(parser, "the ROC curves")


def run(options: Namespace) -> None:
    """Print the comparison."""
    from rocwise.binary.comparisons.models import compare
    from rocwise.cli import terminal
    from rocwise.cli.input_files import read_pairs, source_name
    from rocwise.cli.json_output import lines_of
    from rocwise.cli.per_model import heading
    from rocwise.cli.plot_option import check_picture_path, save_curves

    check_picture_path(options.plot)
    pairs = read_pairs(options)
    with terminal.warnings_as_sentences(None):
        answer = compare(pairs, **_settings(options))
    if options.json:
        print(lines_of(answer.to_dict()))
    else:
        print(heading(source_name(options.file), pairs))
        print()
        print(estimate_table(answer))
        print()
        print(verdict(answer))
    if options.plot:
        save_curves(pairs, options.plot)


def _settings(options: Namespace) -> dict[str, Any]:
    return {
        "method": options.method,
        "alternative": options.alternative,
        "margin": options.margin,
        "max_fpr": options.max_fpr,
        "fpr_range": options.fpr_range,
        "tpr_range": options.tpr_range,
        "at_sensitivity": options.at_sensitivity,
        "at_specificity": options.at_specificity,
        "level": options.level,
        "n_resamples": options.resamples,
        "rng": options.seed,
    }


def estimate_table(answer: Comparison) -> str:
    """One row per model."""
    from rocwise.cli.text_tables import aligned

    rows = [[name, f"{value:.3f}"] for name, value in answer.estimates.items()]
    return aligned(["model", answer.quantity], rows, "lr")


def verdict(answer: Comparison) -> str:
    """What follows: one difference as a sentence, or every pair as a table."""
    from rocwise import printing
    from rocwise.cli.option_names import printable
    from rocwise.cli.text_tables import aligned

    p = printing.p_value(answer.p_value)
    if answer.pairwise is None:
        first, second = map(printable, answer.estimates)
        return "\n".join([f"{first} minus {second}: {_difference(answer)}", f"{p}, {_how(answer)}"])
    columns = answer.pairwise
    rows = [
        [
            f"{columns['first'][k]} - {columns['second'][k]}",
            f"{columns['difference'][k]:+.3f}",
            f"{columns['low'][k]:+.3f} to {columns['high'][k]:+.3f}",
            printing.p_value(columns["p_value"][k]).removeprefix("p ").removeprefix("= "),
            printing.p_value(columns["p_adjusted"][k]).removeprefix("p ").removeprefix("= "),
        ]
        for k in range(len(columns["first"]))
    ]
    table = aligned(["pair", "difference", "CI", "p", "Holm's p"], rows, "lrlrr")
    joint = f"all equal: {p}, chi-square {answer.statistic:.2f} with {answer.df:g} df"
    return f"{joint} ({answer.method})\n\n{table}"


def _difference(answer: Comparison) -> str:
    from rocwise import printing

    if answer.interval is None:
        return f"{answer.difference:+.3f}"
    level = printing.percent(answer.interval.level)
    limits = f"{answer.interval.low:+.3f} to {answer.interval.high:+.3f}"
    return f"{answer.difference:+.3f} ({level} CI {limits})"


def _how(answer: Comparison) -> str:
    if answer.alternative == "two-sided":
        return answer.method
    margin = "" if answer.margin is None else f" with margin {answer.margin:g}"
    return f"{answer.method}, for '{answer.alternative}'{margin}"
