"""``rocwise multiclass``: AUCs of models with one score per class."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from os.path import commonprefix
from typing import Any

import rocwise as rw
from rocwise import printing
from rocwise.cli import data
from rocwise.cli.commands.compare import estimate_table, verdict
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, Plot, interval_table
from rocwise.cli.terminal import folded, printable
from rocwise.errors import InputError
from rocwise.inputs import class_rows, model_rows

DESCRIPTION = """\
How well a model with one score per class discriminates between several classes: every average of
AUCs with its interval, and the AUCs of all pairs of classes. A second model is compared on the same
rows; with costs, the weights of the classes with the least expected cost are found."""
EXAMPLES = """\
  rocwise multiclass scores.csv --label y --score p0 --score p1 --score p2
  rocwise multiclass scores.csv --label kind --classes ash elm oak --score a --score e --score o
  rocwise multiclass scores.csv --label y --score p0 --score p1 --score p2 \\
      --versus q0 --versus q1 --versus q2 --average ovr
  rocwise multiclass scores.csv --label y --score p0 --score p1 --score p2 \\
      --costs '0,1,4;2,0,3;7,1,0' --plot curves.svg"""
AVERAGES = ("hand-till", "ovr", "ovr-weighted", "ovo-weighted")


def add_options(parser: Parser) -> None:
    parser.file()
    parser.scores("the score for a class; repeat it, one for each class")
    text = "the score of a second model for a class; repeat it, classes in the same order"
    parser.column("--versus", text, action="append")
    text = "the labels in the order of --score (default: 0, 1, 2, ...)"
    parser.option("--classes", text, nargs="+", metavar="LABEL")
    parser.rows("sample_weight", "groups")
    parser.missing()
    parser.arguments("multiclass.auc", ignore_absent="leave out classes without rows")
    parser.section("AUC")
    parser.arguments(
        "multiclass.auc",
        average="the average to compare: hand-till (default), ovr, ovr-weighted, ovo-weighted",
        method="interval: auto (default: wilson), delong, logit, bootstrap",
        level=None,
        n_resamples=None,
        rng=None,
    )
    parser.section("operating point")
    text = "find class weights for these costs: '0,1,4;2,0,3;7,1,0', rows true classes"
    parser.option("--costs", text, metavar="TABLE")
    parser.output("the one-vs-rest curves of the first model", rates=True)


def compute(options: Options) -> Output:
    """Every average of AUCs, the models compared, and the class weights."""
    labels, tables, described = _read(options)
    costs = data.cost_table(options.costs)
    comparison = weights = None
    with _columns_named(options, list(tables)):
        if len(tables) > 1:
            rows = next(iter(model_rows(labels, tables, **described).values()))
        else:
            rows = class_rows(labels, next(iter(tables.values())), **described)
        averages = _averages(rows, options)
        if len(tables) > 1:
            arguments = options.settings("multiclass.auc")
            if options.method == "logit":
                arguments["method"] = "auto"
            comparison = rw.multiclass.compare(labels, tables, **arguments, **described)
        if costs is not None:
            weights = rw.multiclass.class_weights(rows, costs=costs, rng=options.rng)
    return Output(
        {options.average: averages[options.average]},
        lambda _: _report(averages, comparison, weights),
        _heading(averages["ovr"], options),
        of_all={"averages": averages, "comparison": comparison, "operating_point": weights},
        plot=partial(_plot, rows, options),
    )


def _read(options: Options) -> tuple[Any, dict[str, dict[str, Any]], dict[str, Any]]:
    """Labels, the columns of each model by class, and the options that describe the rows."""
    versus = options.versus or []
    if versus and len(versus) != len(options.score):
        raise InputError(
            f"--versus is given {len(versus)} times and --score {len(options.score)} times; both "
            "models need one column for each class."
        )
    n_classes = len(options.score)
    if options.classes and len(options.classes) != n_classes:
        raise InputError(
            f"--classes names {len(options.classes)} labels, but there are {n_classes} columns of "
            "scores."
        )
    columns = data.class_columns(options, versus)
    labels = columns[options.label]
    models = dict(zip(_model_names(options.score, versus), (options.score, versus), strict=True))
    tables = {
        model: dict(zip(options.classes or names, (columns[name] for name in names), strict=True))
        for model, names in models.items()
        if names
    }
    classes = data.typed_labels(options.classes, labels)
    rows = data.row_arguments(options, columns)
    return labels, tables, {"classes": classes, "missing": options.missing, **rows}


def _model_names(*models: list[str]) -> tuple[str, ...]:
    """The common prefix of each model's columns, else "first" and "second"."""
    names = tuple(commonprefix(each).rstrip(" _.:-/|([") for each in models)  # noqa: RUF071
    return names if all(names) and len(set(names)) == 2 else ("first", "second")


@contextmanager
def _columns_named(options: Options, models: list[str]) -> Iterator[None]:
    """Context manager: errors name columns, and the options for the tables of scores."""
    names = dict(zip(models, ("score", "versus"), strict=False))
    tables = {"y_score": "score"} | {f"scores[{name!r}]": names[name] for name in models}
    columns = {
        f"{table}[:, {k}]": column
        for table, option in tables.items()
        for k, column in enumerate(getattr(options, option))
    }
    rows = options.given("sample_weight", "groups")
    try:
        with data.columns_named(rows | columns, y_true=options.label):
            yield
    except InputError as problem:
        words = {table: f"--{option}" for table, option in tables.items()}
        raise problem.in_words_of(words) from None


def _averages(rows: Any, options: Options) -> dict[str, Any]:
    """Every average; the requested one is computed first, in case it is none of them."""
    arguments = options.settings("multiclass.auc")
    names = [options.average, *(each for each in AVERAGES if each != options.average)]
    found = {name: rw.multiclass.auc(rows, **{**arguments, "average": name}) for name in names}
    return {name: found[name] for name in AVERAGES}


def _heading(some: Any, options: Options) -> str:
    sizes = ", ".join(
        f"{printing.count(size)} of {printable(name)}"
        for name, size in zip(some.names, some.sizes, strict=True)
    )
    return "; ".join([f"{data.source_name(options)}: {sizes}", *some.origin.remarks()])


def _report(averages: dict[str, Any], comparison: Any, weights: Any) -> str:
    some = averages["hand-till"]
    level = printing.percent(some.level)
    parts = [
        _table(averages),
        f"Each class against the rest, limits with a level of {level}:\n{some.per_class_table()}",
        f"Pairs of classes:\n{some.to_frame()}",
    ]
    if comparison is not None:
        parts.append(f"{estimate_table(comparison)}\n\n{verdict(comparison)}")
    if weights is not None:
        parts.append(folded(f"operating point: {weights}"))
    return "\n\n".join(parts)


def _table(averages: dict[str, Any]) -> str:
    names = (each.quantity.replace(" AUC weighted", ",") for each in averages.values())
    shown = zip((name.replace(" AUC", "") for name in names), averages.values(), strict=True)
    return interval_table("average", "AUC", dict(shown))


def _plot(rows: Any, options: Options) -> Plot:
    """The curves of the first model, each class against the rest."""
    how = options.given("level", "ignore_absent", "rng")
    return rw.multiclass.roc(rows, bands=True, **how), {"subplots": True}
