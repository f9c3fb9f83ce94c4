"""``rocwise auc``: the AUC of each model, with its interval."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli import output
from rocwise.cli.data import by_group, read_folded_pairs, source_name
from rocwise.cli.options import Options, Parser
from rocwise.cli.terminal import folded, printable
from rocwise.errors import InputError
from rocwise.results import dates_as_text

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


def add_options(parser: Parser) -> None:
    parser.data("sample_weight", "groups", "folds")
    parser.section("AUC")
    with parser.one_of():
        parser.arguments("auc", max_fpr=None, fpr_range=None, tpr_range=None)
    parser.arguments(
        "auc",
        standardize="partial AUC on McClish's scale: 0.5 for random, 1 for ideal scores",
        method="interval: auto (default: wilson, which has an effective sample size), delong, "
        "hanley-mcneil, jackknife, exact-bootstrap, unbiased, bootstrap, logit, bca, score, "
        "hoeffding; with --folds corrected-t (default), influence, t",
        level=None,
        n_resamples=None,
        rng=None,
    )
    parser.flag("--all-methods", "all intervals, and which is recommended")
    parser.by("AUC")
    parser.output("the ROC curves (partial AUC: the AUCs)", rates=True)


def compute(options: Options) -> output.Output:
    """The AUC of each model."""
    if options.by is not None:
        return _by_group(options)
    pairs, folds = read_folded_pairs(options)
    title = output.heading(options, pairs)
    if folds is not None:
        return output.Output(_cross_validated(options, pairs, folds), _folds, title)
    if options.all_methods:
        part = ("max_fpr", "fpr_range", "tpr_range", "plot")
        _check_absent(options, "--all-methods is about the full AUC; leave out", *part)
        drawn = options.given("level", "n_resamples", "rng")
        tables = output.for_each(options, pairs, rw.auc_intervals, **drawn)
        return output.Output(tables, output.one_by_one(_methods), title)
    areas: Any = output.for_each(options, pairs, rw.auc, **options.settings("auc"))
    whole = all(area.part.is_whole for area in areas.values())
    plot = partial(output.curves_of, pairs, areas) if whole else None
    return output.Output(areas, area_table, title, plot=plot)


def _check_absent(options: Options, reason: str, *names: str) -> None:
    for name in names:
        if getattr(options, name):
            raise InputError(f"{reason} `{name}`.")


def _by_group(options: Options) -> output.Output:
    _check_absent(options, "--by does not go with", "all_methods")
    several = len(options.score) > 1
    settings = options.settings("auc")
    found = by_group(options, rw.auc, one_model=not several, **settings)
    models = dict(found.results) if several else {options.score[0]: found}
    title = "; ".join([source_name(options), *found.origin.remarks()])
    drawn: Any = found
    if several:
        drawn = {
            f"{name}, {_joined(group)}": area
            for name, areas in models.items()
            for group, area in areas.defined.items()
        }
    return output.Output(models, _groups, title, plot=lambda: (drawn, {}))


def _cross_validated(options: Options, pairs: rw.Pairs, folds: Any) -> dict[str, Any]:
    part = ("max_fpr", "fpr_range", "tpr_range", "all_methods")
    _check_absent(options, "--folds is about the full AUC; leave out", *part)
    if options.method not in ("auto", *FOLD_METHODS):
        methods = ", ".join(FOLD_METHODS)
        raise InputError(f"--folds goes with --method {methods}; got {options.method}.")
    method: Any = FOLD_METHODS[0] if options.method == "auto" else options.method
    areas: Any = rw.cross_validated_auc(pairs, folds=folds, level=options.level, method=method)
    return {name: areas[name] for name in pairs.names}


def area_table(areas: Mapping[str, Any], title: str = "model", **more: Any) -> str:
    """One row per model: the AUC, its interval and the method, and columns that are passed."""
    first = next(iter(areas.values()))
    table = output.interval_table(title, "AUC", areas, _area_text, **more)
    if first.part.is_whole:
        return table
    kind = "standardized partial area" if first.standardized else "partial area"
    return f"{table}\n\nAUC here is the {kind} over {first.part}."


def _area_text(area: Any, value: float) -> str:
    """Raw partial AUCs are small and get a digit more."""
    text = output.rate_text(area, value)
    if area.part.is_whole or area.standardized:
        return text
    return f"{value:.{len(text.partition('.')[2]) + 1}f}"


def _groups(models: Mapping[str, Any]) -> str:
    """The areas of the groups of each model."""
    texts = []
    for name, areas in models.items():
        title = f"{printable(name)}\n" if len(models) > 1 else ""
        defined = {_joined(group): area for group, area in areas.defined.items()}
        sizes = {
            "positives": [printing.count(area.n_pos) for area in defined.values()],
            "negatives": [printing.count(area.n_neg) for area in defined.values()],
        }
        absent = [f"{_joined(g)}: {each}" for g, each in areas.items() if g not in areas.defined]
        table = area_table(defined, _joined(areas.column), **sizes)
        texts.append("\n".join([title + table, *absent]))
        if len(defined) > 1:
            texts.append(f"all equal: {printing.p_value(areas.p_value)} ({areas.reference})")
    return "\n\n".join(texts)


def _joined(group: Any) -> str:
    """A group, or the names of columns, on one line."""
    plain = dates_as_text(group)
    return ", ".join(map(str, plain)) if isinstance(plain, tuple) else str(plain)


def _folds(areas: Mapping[str, Any]) -> str:
    n_folds = next(iter(areas.values())).n_folds
    pooled = [output.rate_text(area, area.pooled) for area in areas.values()]
    note = f"AUC: the mean of {n_folds} folds; pooled: of the scores of all folds together."
    return f"{output.interval_table('model', 'AUC', areas, errors=False, pooled=pooled)}\n\n{note}"


def _methods(name: str, table: Any) -> str:
    level = printing.percent(table.level)
    title = f"{printable(name)}: AUC {table.value:.3f}, limits with a level of {level}"
    return f"{title}\n{table.to_string()}\n{folded(table.advice)}"
