"""``rocwise compare``: whether one model is better than another on the same cases."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Any

from rocwise.cli.arguments.options import add_data_options, add_output_options, add_part_options
from rocwise.cli.runner import Answers, run_and_answer

DESCRIPTION = (
    "Compare two or more models on the same cases: difference, confidence interval and p value."
)
EXAMPLES = """\
  rocwise compare scores.csv --label ill --score a --score b
  rocwise compare scores.csv --label ill --score a --score b --score c
  rocwise compare scores.csv --label ill --score a --score b --method permutation
  rocwise compare scores.csv --label ill --score new --score old \\
      --alternative non-inferior --margin 0.05
  rocwise compare lesions.csv --label ill --score a --score b --group patient
  rocwise compare out_of_fold.csv --label ill --score a --score b --folds fold"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True, folds=True)
    group = parser.add_argument_group("comparison")
    group.add_argument(
        "--method",
        help="auto (default: whole areas by delong, or with few cases by wilson; parts and points "
        "by bootstrap), delong, wilson, jackknife, exact-bootstrap, unbiased, bootstrap, "
        "permutation, permutation-asymptotic, permutation-monte-carlo, venkatraman (whole curves); "
        "with --folds corrected-t (default), influence, or delong of all folds together",
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
    add_output_options(parser, "the ROC curves", rates=True)


def run(options: Namespace) -> None:
    """Print the comparison."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The models compared."""
    import rocwise as rw
    from rocwise.cli.arguments.plot_option import curves_of
    from rocwise.cli.input_files import read_folded_pairs
    from rocwise.cli.output import terminal
    from rocwise.cli.output.per_model import heading
    from rocwise.cli.reports.comparisons import report

    pairs, folds = read_folded_pairs(options)
    with terminal.warnings_as_sentences(options.words):
        answer = rw.compare(pairs, folds=folds, **_settings(options))
    return Answers(
        {"comparison": answer},
        table=partial(report, answer),
        heading=heading(options, pairs),
        picture=partial(curves_of, pairs),
    )


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
