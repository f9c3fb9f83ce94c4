"""``rocwise multiclass``: how well a model with one score per class tells classes apart."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocwise.cli.class_options import add_file_options, add_interval_options
from rocwise.cli.options import add_output_options
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.inference.comparison_results import Comparison
    from rocwise.multiclass.areas.averages import MulticlassAuc
    from rocwise.primitives.class_rows import ClassRows

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
    add_interval_options(group, "how intervals are made: delong (default), logit, bootstrap")
    group = parser.add_argument_group("operating point")
    group.add_argument(
        "--costs",
        metavar="TABLE",
        help="find class weights for these costs: '0,1,4;2,0,3;7,1,0', rows true classes",
    )
    add_output_options(parser, "the one-vs-rest curves of the first model, beside each other,")


def run(options: Namespace) -> None:
    """Print areas, comparison and operating point."""
    from rocwise.cli.class_options import worded
    from rocwise.cli.json_output import lines_of
    from rocwise.cli.plot_option import check_picture_path

    check_picture_path(options.plot)
    tables = {"y_score": options.score, "scores['first']": options.score}
    tables["scores['second']"] = options.versus or []
    columns = {
        f"{table}[:, {k}]": name for table, names in tables.items() for k, name in enumerate(names)
    }
    try:
        found = _Answers(options)
    except InputError as problem:
        raise InputError(_in_options(str(worded(problem, options, columns)))) from None
    print(lines_of(found.document()) if options.json else found.text(options))
    if options.plot:
        _draw(found.first, options)


def _in_options(sentence: str) -> str:
    """A refusal with the options that name columns, in place of arrays and Python."""
    import re

    sentence = re.sub(
        r"labels must be the column numbers (0\.\.\d+) of .*",
        r"labels must be \1, the places of their columns among --score; "
        r"name others with --classes.",
        sentence,
    )
    options = {"y_score": "--score", "scores['first']": "--score", "scores['second']": "--versus"}
    for table, option in options.items():
        sentence = sentence.replace(f"`{table}`", option)
    return sentence


def _draw(rows: ClassRows, options: Namespace) -> None:
    from rocwise.cli import terminal
    from rocwise.multiclass.areas.one_vs_rest import multiclass_roc
    from rocwise.plotting import save

    curves = multiclass_roc(
        rows,
        bands=True,
        level=options.level,
        ignore_absent=options.ignore_absent,
        rng=options.seed,
    )
    save(curves, options.plot, beside=True)
    terminal.note(f"wrote {options.plot}")


class _Answers:
    """What is said about the models."""

    def __init__(self, options: Namespace) -> None:
        from rocwise import checks
        from rocwise.cli.class_options import cost_table
        from rocwise.multiclass.areas.averages import multiclass_auc
        from rocwise.multiclass.areas.class_areas import AVERAGES

        self.average = checks.one_of(options.average, "average", tuple(AVERAGES))
        models = _read(options)
        self.first = models["first"]
        settings = {
            "level": options.level,
            "ignore_absent": options.ignore_absent,
            "n_resamples": options.resamples,
            "rng": options.seed,
        }
        self.averages: dict[str, MulticlassAuc] = {
            average: multiclass_auc(self.first, average=average, method=options.method, **settings)
            for average in AVERAGES
        }
        self.comparison: Comparison | None = None
        if len(models) > 1:
            self.comparison = _compared(models, options, settings)
        self.weights: Any = None
        costs = cost_table(options.costs)
        if costs is not None:
            from rocwise.multiclass.operating_points.weights import class_weights
            from rocwise.primitives.class_rows import refuse_unusable

            refuse_unusable(self.first.scores, "y_score", self.first.rows)
            self.weights = class_weights(self.first, costs=costs, rng=options.seed)

    def document(self) -> dict[str, Any]:
        """Everything, JSON-safe: the members of the chosen average, then all the rest."""
        return {
            **self.averages[self.average].to_dict(),
            "averages": {name: answer.to_dict() for name, answer in self.averages.items()},
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "operating_point": None if self.weights is None else self.weights.to_dict(),
        }

    def text(self, options: Namespace) -> str:
        """The screen."""
        from rocwise import printing
        from rocwise.cli.commands.compare import estimate_table, verdict
        from rocwise.cli.input_files import source_name
        from rocwise.cli.option_names import printable
        from rocwise.cli.terminal import folded

        some = self.averages["hand-till"]
        sizes = ", ".join(
            f"{printing.count(size)} of {printable(name)}"
            for name, size in zip(some.names, some.sizes, strict=True)
        )
        head = f"{printable(source_name(options.file))}: {sizes}"
        parts = ["; ".join([head, *self.first.origin.remarks()]), self._table(), _pairs(some)]
        if self.comparison is not None:
            parts.append(f"{estimate_table(self.comparison)}\n\n{verdict(self.comparison)}")
        if self.weights is not None:
            parts.append(folded(f"operating point: {self.weights}"))
        return "\n\n".join(parts)

    def _table(self) -> str:
        from rocwise import printing
        from rocwise.cli.text_tables import aligned
        from rocwise.multiclass.areas.class_areas import AVERAGES

        rows = []
        for name, answer in self.averages.items():
            n = sum(answer.sizes)
            known = answer.has_interval
            limits = [printing.rate(end, n) for end in answer.interval] if known else []
            rows.append(
                [
                    AVERAGES[name],
                    printing.rate(answer.value, n),
                    " to ".join(limits) or "-",
                    f"{answer.standard_error:.4f}" if known else "-",
                    answer.interval.method if known else "a class has one row",
                ]
            )
        level = printing.percent(self.averages["ovr"].level)
        return aligned(["average", "AUC", f"{level} CI", "SE", "interval by"], rows, "lrlrl")


def _read(options: Namespace) -> dict[str, ClassRows]:
    """Rows of the first model and, where one is named, of the second."""
    from rocwise import inputs
    from rocwise.cli.class_options import named_columns

    versus = options.versus or []
    if versus and len(versus) != len(options.score):
        raise InputError(
            f"--versus is given {len(versus)} times and --score {len(options.score)} times; both "
            "models need one column for each class."
        )
    columns = named_columns(options, versus)
    labels = _numbered(columns[options.label], options)
    tables = {"first": {name: columns[name] for name in options.score}}
    if versus:
        tables["second"] = {name: columns[name] for name in versus}
        models = inputs.model_rows(labels, tables, missing=options.missing)
    else:
        models = {"first": inputs.class_rows(labels, tables["first"], missing=options.missing)}
    if options.classes is None:
        return models
    return {name: replace(rows, names=tuple(options.classes)) for name, rows in models.items()}


def _numbered(labels: Any, options: Namespace) -> Any:
    """Labels as the numbers of their columns."""
    if options.classes is None:
        return labels
    from rocwise.cli.class_options import typed_labels

    if len(options.classes) != len(options.score):
        raise InputError(
            f"--classes names {len(options.classes)} labels, but there are "
            f"{len(options.score)} columns of scores."
        )
    classes = typed_labels(options.classes, labels) or []
    places = {label: place for place, label in enumerate(classes)}
    values = labels.tolist()
    for row, label in enumerate(values):
        if label is not None and label == label and label not in places:
            raise InputError(
                f"column {options.label!r} holds {label!r} (row {row}), which is not among "
                f"--classes."
            )
    return [places.get(label) for label in values]


def _compared(
    models: dict[str, ClassRows], options: Namespace, settings: dict[str, Any]
) -> Comparison:
    from rocwise.multiclass.areas.model_comparisons import compare_multiclass

    method = "bootstrap" if options.method == "bootstrap" else "delong"
    return compare_multiclass(models, average=options.average, method=method, **settings)


def _pairs(answer: MulticlassAuc) -> str:
    """Areas of all pairs, and of each class against the rest."""
    import math

    from rocwise import printing
    from rocwise.cli.text_tables import aligned

    n = sum(answer.sizes)

    def shown(value: float) -> str:
        return "-" if math.isnan(value) else printing.rate(value, n)

    rows = [
        [name, *map(shown, answer.pairwise[k].tolist()), shown(float(answer.per_class[k]))]
        for k, name in enumerate(answer.names)
    ]
    return aligned(["AUC against", *answer.names, "the rest"], rows, "l" + "r" * (len(rows) + 1))
