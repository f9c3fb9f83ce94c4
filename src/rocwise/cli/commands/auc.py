"""``rocwise auc``: the area under the curve of each model, with its interval."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.options import add_data_options, add_output_options, add_part_options
from rocwise.cli.runner import Answers, Picture, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.binary.areas.empirical import Auc
    from rocwise.primitives.pairs import Pairs

DESCRIPTION = "The area under the ROC curve, or under a part of it, with a confidence interval."
EXAMPLES = """\
  rocwise auc scores.csv --label ill --score model_a
  rocwise auc scores.parquet --label y --score a --score b --json
  rocwise auc scores.csv --label grade --pos-label high --score s --max-fpr 0.1
  rocwise auc scores.csv --label ill --score model_a --all-methods
  zcat scores.csv.gz | rocwise auc - --label y --score p --plot roc.svg"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser)
    group = parser.add_argument_group("area")
    add_part_options(group)
    group.add_argument(
        "--standardize",
        action="store_true",
        help="partial areas on McClish's scale: 0.5 on the diagonal, 1 for the perfect curve",
    )
    group.add_argument(
        "--method",
        default="auto",
        help="how the interval is made: auto (default: delong, or wilson with few cases or an AUC "
        "near 1), delong (too narrow there, as are hanley-mcneil, jackknife, exact-bootstrap, "
        "unbiased and bootstrap), wilson, logit, bca, score, hoeffding (never too narrow; wide)",
    )
    group.add_argument(
        "--all-methods",
        action="store_true",
        help="the whole area with every interval side by side, and which to trust here",
    )
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    group.add_argument(
        "--resamples", type=int, default=2000, metavar="N", help="of the bootstrap (default: 2000)"
    )
    group.add_argument("--seed", type=int, metavar="N", help="makes a bootstrap repeatable")
    add_output_options(parser, "the ROC curves (of a part: the areas)")


def run(options: Namespace) -> None:
    """Print the areas."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The area of each model, or every interval of it."""
    import rocwise as rw
    from rocwise.cli.input_files import read_pairs
    from rocwise.cli.per_model import ask_each, heading
    from rocwise.cli.reports.areas import area_table

    pairs = read_pairs(options)
    if options.all_methods:
        return _all_methods(options, pairs)
    areas = ask_each(options, pairs, partial(rw.auc, **_settings(options)))
    return Answers(
        areas,
        table=partial(area_table, areas),
        heading=heading(options, pairs),
        picture=partial(_picture, pairs, areas),
    )


def _all_methods(options: Namespace, pairs: Pairs) -> Answers:
    """Every interval of each model's area."""
    import rocwise as rw
    from rocwise.cli.per_model import ask_each, heading
    from rocwise.cli.reports.areas import interval_tables

    for flag in ("max_fpr", "fpr_range", "tpr_range", "plot"):
        if getattr(options, flag) is not None:
            raise InputError(f"--all-methods is about the whole area; leave out `{flag}`.")
    question = partial(
        rw.auc_intervals, level=options.level, n_resamples=options.resamples, rng=options.seed
    )
    tables = ask_each(options, pairs, question)
    return Answers(tables, table=partial(interval_tables, tables), heading=heading(options, pairs))


def _settings(options: Namespace) -> dict[str, Any]:
    return {
        "max_fpr": options.max_fpr,
        "fpr_range": options.fpr_range,
        "tpr_range": options.tpr_range,
        "standardize": options.standardize,
        "method": options.method,
        "level": options.level,
        "n_resamples": options.resamples,
        "rng": options.seed,
    }


def _picture(pairs: Pairs, areas: dict[str, Auc]) -> Picture:
    """The curves with their areas; of parts of areas the areas."""
    from rocwise.cli.plot_option import curves_of

    if all(area.part.is_whole for area in areas.values()):
        return curves_of(pairs, areas)
    return areas, {}
