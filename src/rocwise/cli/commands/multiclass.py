"""``rocwise multiclass``: how well a model with one score per class tells classes apart."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.arguments.class_options import add_file_options, add_interval_options
from rocwise.cli.arguments.options import add_output_options
from rocwise.cli.runner import Answers, Picture, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.data.class_rows import ClassRows
    from rocwise.inference.comparison import Comparison
    from rocwise.multiclass.class_areas import MulticlassAuc
    from rocwise.multiclass.operating_points import ClassWeights

DESCRIPTION = """\
How well a model with one score per class tells several classes apart: every average of areas with
its interval, and the areas of all pairs of classes. A second model is compared on the same rows;
with costs, the weights of the classes with the least expected cost are found."""
EXAMPLES = """\
  rocwise multiclass scores.csv --label y --score p0 --score p1 --score p2
  rocwise multiclass scores.csv --label kind --classes ash elm oak --score a --score e --score o
  rocwise multiclass scores.csv --label y --score p0 --score p1 --score p2 \\
      --versus q0 --versus q1 --versus q2 --average ovr
  rocwise multiclass scores.csv --label y --score p0 --score p1 --score p2 \\
      --costs '0,1,4;2,0,3;7,1,0' --plot curves.svg"""

AVERAGES = ("hand-till", "ovr", "ovr-weighted", "ovo-weighted")


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    group = add_file_options(parser, "the score for a class; repeat it, one for each class")
    group.add_argument(
        "--versus",
        action="append",
        metavar="COLUMN",
        help="the score of a second model for a class; repeat it, classes in the same order",
    )
    group.add_argument(
        "--classes",
        nargs="+",
        metavar="LABEL",
        help="the labels in the order of --score (default: 0, 1, 2, ...)",
    )
    group.add_argument(
        "--ignore-absent",
        action="store_true",
        help="leave out classes without rows instead of refusing them",
    )
    group = parser.add_argument_group("areas")
    group.add_argument(
        "--average",
        default="hand-till",
        help="what models are compared by: hand-till (default), ovr, ovr-weighted, ovo-weighted",
    )
    add_interval_options(group, "how intervals are made: auto (default), delong, logit, bootstrap")
    group = parser.add_argument_group("operating point")
    group.add_argument(
        "--costs",
        metavar="TABLE",
        help="find class weights for these costs: '0,1,4;2,0,3;7,1,0', rows true classes",
    )
    add_output_options(
        parser, "the one-vs-rest curves of the first model, beside each other,", rates=True
    )


def run(options: Namespace) -> None:
    """Print areas, comparison and operating point."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """Every average of areas, the models compared, and the weights of the classes."""
    from rocwise.cli.arguments.cost_options import cost_table

    labels, tables, described = _read(options)
    costs = cost_table(options.costs)
    try:
        rows = _rows(labels, tables, described)
        averages = _averages(rows, options)
        comparison = None
        if len(tables) > 1:
            comparison = _compared(labels, tables, described, options)
        weights = None if costs is None else _weights(rows, costs, options)
    except InputError as problem:
        raise problem.in_words_of(_words(options)) from None
    return Answers(
        {options.average: averages[options.average]},
        table=partial(_report, averages, comparison, weights),
        heading=_heading(averages["ovr"], options),
        of_all={"averages": averages, "comparison": comparison, "operating_point": weights},
        picture=partial(_picture, rows, options),
    )


def _read(options: Namespace) -> tuple[Any, dict[str, dict[str, Any]], dict[str, Any]]:
    """Labels as the numbers of their columns, the columns of each model by class, and the rest."""
    from rocwise.cli.arguments.class_options import described_rows, named_columns

    versus = options.versus or []
    if versus and len(versus) != len(options.score):
        raise InputError(
            f"--versus is given {len(versus)} times and --score {len(options.score)} times; both "
            "models need one column for each class."
        )
    columns = named_columns(options, versus)
    labels = _numbered(columns[options.label], options)
    named = dict(zip(_model_names(options), (options.score, versus), strict=True))
    tables = {
        model: {
            name: columns[column]
            for name, column in zip(options.classes or names, names, strict=True)
        }
        for model, names in named.items()
        if names
    }
    return labels, tables, {"missing": options.missing, **described_rows(options, columns)}


def _model_names(options: Namespace) -> tuple[str, str]:
    """What the columns of each model have in common; which comes first, if that is nothing."""
    shared = [
        _start(columns).rstrip(" _.:-/|([") for columns in (options.score, options.versus or [])
    ]
    return (shared[0], shared[1]) if all(shared) and shared[0] != shared[1] else ("first", "second")


def _start(names: list[str]) -> str:
    """The signs with which all names begin."""
    same = 0
    for signs in zip(*names, strict=False):
        if len(set(signs)) > 1:
            break
        same += 1
    return names[0][:same] if names else ""


def _numbered(labels: Any, options: Namespace) -> Any:
    """Labels as the numbers of their columns; the library speaks of too few columns itself."""
    from rocwise.cli.arguments.class_options import typed_labels
    from rocwise.errors import listed

    n_classes = len(options.score)
    classes = typed_labels(options.classes, labels) or list(range(n_classes))
    if len(classes) != n_classes:
        raise InputError(
            f"--classes names {len(classes)} labels, but there are {n_classes} columns of scores."
        )
    places = {label: place for place, label in enumerate(classes)}
    if len(places) < n_classes:
        raise InputError("--classes names a label twice; each class must have its own.")
    if n_classes < 2:
        return labels
    values = labels.tolist()
    odd = [
        (label, row)
        for row, label in enumerate(values)
        if label is not None and label == label and label not in places
    ]
    if odd and options.classes:
        label, row = odd[0]
        raise InputError(
            f"column {options.label!r} holds {label!r} (row {row}), which is not among --classes."
        )
    if odd:
        raise InputError(
            f"column {options.label!r} holds {listed(dict.fromkeys(label for label, _ in odd))} "
            f"(first at row {odd[0][1]}); labels must be 0..{n_classes - 1}, the places of their "
            "columns among --score; name others with --classes."
        )
    return [places.get(label) for label in values]


def _words(options: Namespace) -> dict[str, str]:
    """How to speak of the arguments that hold labels and scores."""
    from rocwise.cli.input_files import as_columns

    first, second = _model_names(options)
    tables = {"y_score": "score", f"scores[{first!r}]": "score", f"scores[{second!r}]": "versus"}
    columns = {
        f"{table}[:, {k}]": name
        for table, option in tables.items()
        for k, name in enumerate(getattr(options, option) or [])
    }
    words = {table: f"--{option}" for table, option in tables.items()}
    rows = {"y_true": options.label, "sample_weight": options.weight, "groups": options.group}
    return as_columns(rows | columns) | words


def _rows(labels: Any, tables: dict[str, dict[str, Any]], described: dict[str, Any]) -> ClassRows:
    """Rows of the first model, without those that the second misses."""
    from rocwise.inputs import class_rows, model_rows

    if len(tables) > 1:
        return next(iter(model_rows(labels, tables, **described).values()))
    return class_rows(labels, next(iter(tables.values())), **described)


def _averages(rows: ClassRows, options: Namespace) -> dict[str, MulticlassAuc]:
    """Every average; the one that was asked for comes first, in case it is none of them."""
    import rocwise as rw

    asked: list[Any] = [options.average, *(each for each in AVERAGES if each != options.average)]
    found = {
        average: rw.multiclass.auc(
            rows,
            average=average,
            method=options.method,
            level=options.level,
            ignore_absent=options.ignore_absent,
            n_resamples=options.resamples,
            rng=options.seed,
        )
        for average in asked
    }
    return {average: found[average] for average in AVERAGES}


def _compared(
    labels: Any,
    tables: dict[str, dict[str, Any]],
    described: dict[str, Any],
    options: Namespace,
) -> Comparison:
    import rocwise as rw

    return rw.multiclass.compare(
        labels,
        tables,
        average=options.average,
        method="auto" if options.method == "logit" else options.method,
        level=options.level,
        ignore_absent=options.ignore_absent,
        n_resamples=options.resamples,
        rng=options.seed,
        **described,
    )


def _weights(rows: ClassRows, costs: list[list[float]], options: Namespace) -> ClassWeights:
    import rocwise as rw

    return rw.multiclass.class_weights(rows, costs=costs, rng=options.seed)


def _heading(some: MulticlassAuc, options: Namespace) -> str:
    from rocwise import printing
    from rocwise.cli.arguments.option_names import printable
    from rocwise.cli.input_files import source_name

    sizes = ", ".join(
        f"{printing.count(size)} of {printable(name)}"
        for name, size in zip(some.names, some.sizes, strict=True)
    )
    head = f"{printable(source_name(options.file))}: {sizes}"
    return "; ".join([head, *some.origin.remarks()])


def _report(
    averages: dict[str, MulticlassAuc],
    comparison: Comparison | None,
    weights: ClassWeights | None,
) -> str:
    """The screen below the heading."""
    from rocwise.cli.output.terminal import folded
    from rocwise.cli.reports import comparisons

    parts = [_table(averages), _pairs(averages["hand-till"])]
    if comparison is not None:
        parts.append(comparisons.report(comparison))
    if weights is not None:
        parts.append(folded(f"operating point: {weights}"))
    return "\n\n".join(parts)


def _table(averages: dict[str, MulticlassAuc]) -> str:
    from rocwise import printing
    from rocwise.cli.output.text_tables import aligned

    rows = []
    for answer in averages.values():
        n = sum(answer.sizes)
        known = answer.has_interval
        limits = [printing.rate(end, n) for end in answer.interval] if known else []
        rows.append(
            [
                answer.quantity.replace(" AUC weighted", ",").replace(" AUC", ""),
                printing.rate(answer.value, n),
                " to ".join(limits) or "-",
                f"{answer.standard_error:.4f}" if known else "-",
                answer.interval.method if known else "a class has one row",
            ]
        )
    level = printing.percent(averages["ovr"].level)
    return aligned(["average", "AUC", f"{level} CI", "SE", "interval by"], rows, "lrlrl")


def _pairs(answer: MulticlassAuc) -> str:
    """Areas of all pairs, and of each class against the rest."""
    import math

    from rocwise import printing
    from rocwise.cli.output.terminal import width
    from rocwise.cli.output.text_tables import aligned, display_width

    n = sum(answer.sizes)
    limits = answer.per_class_intervals()

    def shown(value: float) -> str:
        return "-" if math.isnan(value) else printing.rate(value, n)

    rows = [
        [
            name,
            *map(shown, answer.pairwise[k].tolist()),
            shown(float(answer.per_class[k])),
            " to ".join(map(shown, limits[name])) if name in limits else "-",
        ]
        for k, name in enumerate(answer.names)
    ]
    level = printing.percent(answer.level)
    header = ["AUC against", *answer.names, "the rest", f"{level} CI"]
    whole = aligned(header, rows, "l" + "r" * (len(rows) + 1) + "l")
    if max(map(display_width, whole.splitlines())) <= width():
        return whole
    short = aligned(["AUC against", *header[-2:]], [[row[0], *row[-2:]] for row in rows], "lrl")
    return f"{short}\nToo wide for this screen: areas of pairs of classes; --json has them."


def _picture(rows: ClassRows, options: Namespace) -> Picture:
    """The curves of the first model, each class against the rest."""
    import rocwise as rw

    curves = rw.multiclass.roc(
        rows,
        bands=True,
        level=options.level,
        ignore_absent=options.ignore_absent,
        rng=options.seed,
    )
    return curves, {"beside": True}
