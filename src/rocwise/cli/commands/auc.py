"""``rocwise auc``: the area under the curve of each model, with its interval."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.arguments.options import (
    add_data_options,
    add_exact_option,
    add_output_options,
    add_part_options,
    add_resampling_options,
)
from rocwise.cli.runner import Answers, Picture, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc
    from rocwise.data.pairs import Pairs

DESCRIPTION = "The area under the ROC curve, or under a part of it, with a confidence interval."
EXAMPLES = """\
  rocwise auc scores.csv --label ill --score model_a
  rocwise auc scores.parquet --label y --score a --score b --json
  rocwise auc scores.csv --label grade --pos-label high --score s --max-fpr 0.1
  rocwise auc scores.csv --label ill --score model_a --all-methods
  rocwise auc lesions.csv --label ill --score model_a --group patient
  rocwise auc scores.parquet --label y --score p --by country --memory-limit 4GB
  rocwise auc out_of_fold.csv --label ill --score model_a --folds fold
  zcat scores.csv.gz | rocwise auc - --label y --score p --plot roc.svg"""

OF_FOLDS = ("corrected-t", "influence", "t")


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True, folds=True)
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
        "unbiased and bootstrap), wilson, logit, bca, score, hoeffding (never too narrow; wide); "
        "with --folds corrected-t (default), influence, t",
    )
    group.add_argument(
        "--all-methods",
        action="store_true",
        help="the whole area with every interval side by side, and which to trust here",
    )
    add_resampling_options(group, resamples=2000)
    add_exact_option(group)
    group.add_argument(
        "--by", metavar="COLUMN", help="one area for every group of rows that this column names"
    )
    add_output_options(parser, "the ROC curves (of a part: the areas)", rates=True)


def run(options: Namespace) -> None:
    """Print the areas."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The area of each model, or every interval of it."""
    import rocwise as rw
    from rocwise.cli.input_files import read_folded_pairs
    from rocwise.cli.output.per_model import ask_each, heading
    from rocwise.cli.reports.areas import area_table

    if options.by is not None:
        return _of_groups(options)
    pairs, folds = read_folded_pairs(options)
    if folds is not None:
        return _of_folds(options, pairs, folds)
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
    from rocwise.cli.output.per_model import ask_each, heading
    from rocwise.cli.reports.areas import interval_tables

    for flag in ("max_fpr", "fpr_range", "tpr_range", "plot"):
        if getattr(options, flag) is not None:
            raise InputError(f"--all-methods is about the whole area; leave out `{flag}`.")
    question = partial(
        rw.auc_intervals,
        level=options.level,
        n_resamples=options.resamples,
        rng=options.seed,
        exact=options.exact,
    )
    tables = ask_each(options, pairs, question)
    return Answers(tables, table=partial(interval_tables, tables), heading=heading(options, pairs))


def _of_groups(options: Namespace) -> Answers:
    """The area of each group of rows, of one model."""
    import rocwise as rw
    from rocwise.cli.input_files import STDIN, typed_label
    from rocwise.cli.output import terminal
    from rocwise.cli.reports.areas import group_table

    for flag in ("all_methods", "folds", "group"):
        if getattr(options, flag):
            raise InputError(f"--by does not go with `{flag}`.")
    if len(options.score) > 1 or options.file == STDIN:
        raise InputError("--by needs one --score, and a file instead of standard input.")
    with terminal.warnings_as_sentences(options.words):
        areas: Any = rw.auc(
            options.file,
            label=options.label,
            score=options.score[0],
            by=options.by,
            pos_label=typed_label(options),
            sample_weight=options.weight,
            direction=options.direction,
            missing=options.missing,
            memory_limit=options.memory_limit,
            **_settings(options),
        )
    shown = dict(areas.answers)
    return Answers(shown, table=partial(group_table, areas))


def _of_folds(options: Namespace, pairs: Pairs, folds: Any) -> Answers:
    """The mean area of the folds, of each model."""
    import rocwise as rw
    from rocwise.cli.output import terminal
    from rocwise.cli.output.per_model import heading
    from rocwise.cli.reports.areas import fold_table

    for flag in ("max_fpr", "fpr_range", "tpr_range", "all_methods"):
        if getattr(options, flag):
            raise InputError(f"--folds is about the whole area; leave out `{flag}`.")
    if options.method not in ("auto", *OF_FOLDS):
        raise InputError(f"--folds goes with --method {', '.join(OF_FOLDS)}; got {options.method}.")
    method: Any = OF_FOLDS[0] if options.method == "auto" else options.method
    with terminal.warnings_as_sentences(options.words):
        areas: Any = rw.cross_validated_auc(pairs, folds=folds, level=options.level, method=method)
    answers = {name: areas[name] for name in pairs.names}
    return Answers(answers, table=partial(fold_table, answers), heading=heading(options, pairs))


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
        "exact": options.exact,
    }


def _picture(pairs: Pairs, areas: dict[str, Auc]) -> Picture:
    """The curves with their areas; of parts of areas the areas."""
    from rocwise.cli.arguments.plot_option import curves_of

    if all(area.part.is_whole for area in areas.values()):
        return curves_of(pairs, areas)
    return areas, {}
