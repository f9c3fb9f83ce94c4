"""``rocwise auc``: the AUC of each model, with its interval."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli.data import STDIN, read_folded_pairs, typed_label
from rocwise.cli.options import (
    add_arguments,
    add_data_options,
    add_output_options,
    add_part_options,
    settings,
)
from rocwise.cli.output import Output, Plot, curves_of, for_each, heading, interval_table
from rocwise.cli.terminal import aligned, folded, printable
from rocwise.errors import InputError

DESCRIPTION = "The AUC, area under the ROC curve, or a partial AUC, with a confidence interval."
EXAMPLES = """\
  rocwise auc scores.csv --label ill --score model_a
  rocwise auc scores.parquet --label y --score a --score b --json
  rocwise auc scores.csv --label grade --pos-label high --score s --max-fpr 0.1
  rocwise auc scores.csv --label ill --score model_a --all-methods
  rocwise auc lesions.csv --label ill --score model_a --group patient
  rocwise auc scores.parquet --label y --score p --by country --memory-limit 4GB
  rocwise auc out_of_fold.csv --label ill --score model_a --folds fold
  zcat scores.csv.gz | rocwise auc - --label y --score p --plot roc.svg"""
FOLD_METHODS = ("corrected-t", "influence", "t")


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    add_data_options(parser, groups=True, folds=True)
    group = parser.add_argument_group("AUC")
    add_part_options(group, "auc")
    add_arguments(
        group,
        "auc",
        standardize="partial AUC on McClish's scale: 0.5 for random, 1 for ideal scores",
        method="interval: auto (default: delong, or wilson with few cases or an AUC near 1), "
        "delong, hanley-mcneil, jackknife, exact-bootstrap, unbiased, bootstrap, wilson, logit, "
        "bca, score, hoeffding; with --folds corrected-t (default), influence, t",
        level=None,
        n_resamples=None,
        rng=None,
    )
    group.add_argument(
        "--all-methods", action="store_true", help="all intervals, and which is recommended"
    )
    group.add_argument("--by", metavar="COLUMN", help="one AUC for every group of rows")
    add_output_options(parser, "the ROC curves (partial AUC: the AUCs)", rates=True)


def compute(options: Namespace) -> Output:
    """The AUC of each model."""
    if options.by is not None:
        return _by_group(options)
    pairs, folds = read_folded_pairs(options)
    if folds is not None:
        return _cross_validated(options, pairs, folds)
    if options.all_methods:
        return _all_methods(options, pairs)
    areas = for_each(options, pairs, rw.auc, **settings(options, "auc"))
    return Output(
        areas,
        table=partial(area_table, areas),
        heading=heading(options, pairs),
        plot=partial(_plot, pairs, areas),
    )


def _check_absent(options: Namespace, reason: str, *names: str) -> None:
    for name in names:
        if getattr(options, name):
            raise InputError(f"{reason} `{name}`.")


def _all_methods(options: Namespace, pairs: rw.Pairs) -> Output:
    part = ("max_fpr", "fpr_range", "tpr_range", "plot")
    _check_absent(options, "--all-methods is about the full AUC; leave out", *part)
    drawn = {name: getattr(options, name) for name in ("level", "n_resamples", "rng")}
    tables = for_each(options, pairs, rw.auc_intervals, **drawn)
    return Output(
        tables,
        table=lambda: "\n\n".join(_methods(name, table) for name, table in tables.items()),
        heading=heading(options, pairs),
    )


def _by_group(options: Namespace) -> Output:
    _check_absent(options, "--by does not go with", "all_methods", "folds", "groups")
    if len(options.score) > 1 or options.file == STDIN:
        raise InputError("--by needs one --score, and a file instead of standard input.")
    areas: Any = rw.auc(
        options.file,
        label=options.label,
        score=options.score[0],
        by=options.by,
        pos_label=typed_label(options),
        sample_weight=options.sample_weight,
        direction=options.direction,
        missing=options.missing,
        memory_limit=options.memory_limit,
        **settings(options, "auc"),
    )
    return Output(dict(areas.answers), table=partial(_groups, areas))


def _cross_validated(options: Namespace, pairs: rw.Pairs, folds: Any) -> Output:
    part = ("max_fpr", "fpr_range", "tpr_range", "all_methods")
    _check_absent(options, "--folds is about the full AUC; leave out", *part)
    if options.method not in ("auto", *FOLD_METHODS):
        methods = ", ".join(FOLD_METHODS)
        raise InputError(f"--folds goes with --method {methods}; got {options.method}.")
    method: Any = FOLD_METHODS[0] if options.method == "auto" else options.method
    areas: Any = rw.cross_validated_auc(pairs, folds=folds, level=options.level, method=method)
    results = {name: areas[name] for name in pairs.names}
    return Output(results, table=partial(_folds, results), heading=heading(options, pairs))


def _plot(pairs: rw.Pairs, areas: dict[str, Any]) -> Plot:
    if all(area.part.is_whole for area in areas.values()):
        return curves_of(pairs, areas)
    return areas, {}


def area_table(areas: Mapping[str, Any], title: str = "model") -> str:
    """One row per model: the AUC, its interval and the method."""
    first = next(iter(areas.values()))
    table = interval_table(title, "AUC", areas, _area_text)
    if first.part.is_whole:
        return table
    kind = "standardised partial area" if first.standardized else "partial area"
    return f"{table}\n\nAUC here is the {kind} over {first.part}."


def _area_text(area: Any, value: float) -> str:
    """Raw partial AUCs are small and get a digit more."""
    text = printing.rate(value, area.n_pos + area.n_neg)
    if area.part.is_whole or area.standardized:
        return text
    return f"{value:.{len(text.partition('.')[2]) + 1}f}"


def _groups(areas: Any) -> str:
    table = area_table({str(name): areas[name] for name in areas}, areas.column)
    if len(areas) < 2:
        return table
    return f"{table}\n\nall equal: {printing.p_value(areas.p_value)} ({areas.reference})"


def _folds(areas: Mapping[str, Any]) -> str:
    first = next(iter(areas.values()))
    rows = []
    for name, area in areas.items():
        value, low, high, pooled = (
            printing.rate(each, area.n_pos + area.n_neg)
            for each in (area.value, area.interval.low, area.interval.high, area.pooled)
        )
        rows.append([name, value, f"{low} to {high}", area.interval.method, pooled])
    level = printing.percent(first.interval.level)
    header = ["model", "AUC", f"{level} CI", "interval by", "pooled"]
    note = f"AUC: the mean of {first.n_folds} folds; pooled: of the scores of all folds together."
    return f"{aligned(header, rows, 'lrllr')}\n\n{note}"


def _methods(name: str, table: Any) -> str:
    rows = [
        [
            f"{'*' if method == table.recommended else ' '} {method}",
            f"{table.low[k]:.3f} to {table.high[k]:.3f}",
            "-" if table.standard_error[k] is None else f"{table.standard_error[k]:.4f}",
            str(table.used[k]),
        ]
        for k, method in enumerate(table.method)
    ]
    header = ["  method", f"{printing.percent(table.level)} CI", "SE", "interval by"]
    title = f"{printable(name)}: AUC {table.value:.3f}"
    return f"{title}\n{aligned(header, rows, 'llrl')}\n{folded(table.advice)}"
