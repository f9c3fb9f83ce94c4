"""``rocwise predict``: the ROC curve that distributions of the two classes predict."""

import math
from typing import Any

import rocwise as rw
from rocwise.cli.data import column_of_file, read_pairs
from rocwise.cli.options import Options, Parser
from rocwise.cli.output import Output, one_by_one
from rocwise.cli.terminal import folded, printable
from rocwise.errors import InputError, row_number

DESCRIPTION = """\
The ROC curve, AUC and best threshold that follow from the mean and the standard deviation of each
class, or from the columns of a file, whose classes are described by normal distributions, kernel
estimates or the likeliest of several families."""
EXAMPLES = """\
  rocwise predict --negative 4 3 --positive 8 2
  rocwise predict --negative 4 3 --positive 8 2 --plot predicted.svg
  rocwise predict scores.csv --label ill --score marker_a --score marker_b
  rocwise predict scores.csv --label ill --score marker_a --model kernel --json"""


def add_options(parser: Parser) -> None:
    parser.option("file", "scores, as for `rocwise auc`", metavar="FILE", nargs="?")
    parser.reads_text = True
    parser.set_defaults(sample_weight=None, groups=None, folds=None)
    parser.section("distributions")
    for side in ("negative", "positive"):
        kind = {"type": float, "nargs": 2, "metavar": ("MEAN", "SD")}
        parser.option(f"--{side}", f"of the {side}s", **kind)
    parser.column("--label", "the true class, with FILE")
    parser.column("--score", "a score, with FILE; may be repeated", action="append")
    parser.option("--pos-label", "the label of the positive class", metavar="VALUE")
    parser.missing()
    model = "distribution of each class of FILE (default: normal)"
    parser.choice("--model", ("normal", "kernel", "fitted"), model)
    direction = "which scores mean positive (default: higher)"
    parser.choice("--direction", ("higher", "lower", "auto"), direction)
    parser.output("the predicted curves", rates=True)


def compute(options: Options) -> Output:
    """The curve that follows from each pair of distributions."""
    results = {
        name: rw.predict_roc(*classes, direction=options.direction)
        for name, classes in _classes(options).items()
    }
    return Output(results, one_by_one(lambda name, each: folded(f"{printable(name)}: {each}")))


def _classes(options: Options) -> dict[str, tuple[Any, ...]]:
    """Distributions of the negatives and the positives, for each score."""
    typed = [options.negative, options.positive]
    if options.file is None:
        if None in typed:
            raise InputError(
                "give --negative MEAN SD and --positive MEAN SD, or FILE with --label and --score."
            )
        return {"predicted": (tuple(options.negative), tuple(options.positive))}
    if typed != [None, None] or options.label is None or not options.score:
        raise InputError("FILE needs --label and --score, and neither --negative nor --positive.")
    pairs = read_pairs(Options(**{**vars(options), "direction": "higher"}))
    found = {}
    for name in pairs.names:
        values = pairs.scores(name).astype(float)
        _check_finite(options, values, name)
        found[name] = tuple(
            _distribution(values[pairs.mask == label], options.model, f"{name!r} of the {kind}")
            for label, kind in enumerate(("negatives", "positives"))
        )
    return found


def _check_finite(options: Options, values: Any, name: str) -> None:
    if not any(map(math.isinf, values.tolist())):
        return
    column = column_of_file(options, name)
    numbers = values.tolist() if column is None else column.tolist()
    row = next(k for k, value in enumerate(numbers) if value is not None and math.isinf(value))
    raise InputError(
        f"column {name!r} must have finite numbers, since their standard deviation is needed; got "
        f"{numbers[row]:g} at row {row_number(column, row)}."
    )


def _distribution(values: Any, model: str, what: str) -> Any:
    if len(values) < 2 or values.min() == values.max():
        wrong = "is one value" if len(values) < 2 else "is constant"
        raise InputError(
            f"column {what} {wrong} ({values[0]:g}), so its standard deviation is 0; "
            "type --negative MEAN SD and --positive MEAN SD in place of FILE."
        )
    if model == "kernel":
        return values
    if model == "fitted":
        return rw.fit_distribution(values)
    return float(values.mean()), float(values.std(ddof=1))
