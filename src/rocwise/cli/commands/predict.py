"""``rocwise predict``: the ROC curve that distributions of the two classes predict."""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwise.cli.arguments.options import add_choice, add_output_options
from rocwise.cli.runner import Answers, run_and_answer
from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.binary.predicted_roc import PredictedRoc

DESCRIPTION = """\
The ROC curve, AUC and best threshold that follow from the mean and the standard deviation of each
class, or from the columns of a file, whose classes are described by normal distributions, kernel
estimates or the likeliest of several families."""
EXAMPLES = """\
  rocwise predict --negative 4 3 --positive 8 2
  rocwise predict --negative 4 3 --positive 8 2 --plot predicted.svg
  rocwise predict scores.csv --label ill --score marker_a --score marker_b
  rocwise predict scores.csv --label ill --score marker_a --model kernel --json"""


def add_options(parser: ArgumentParser) -> None:
    """Options of this command."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="scores, as for `rocwise auc`")
    group = parser.add_argument_group("distributions")
    moments = ("MEAN", "SD")
    group.add_argument("--negative", type=float, nargs=2, metavar=moments, help="of the negatives")
    group.add_argument("--positive", type=float, nargs=2, metavar=moments, help="of the positives")
    group.add_argument("--label", metavar="COLUMN", help="the true class, with FILE")
    group.add_argument(
        "--score", action="append", metavar="COLUMN", help="a score, with FILE; may be repeated"
    )
    group.add_argument("--pos-label", metavar="VALUE", help="the label of the positive class")
    add_choice(
        group,
        "--missing",
        ("raise", "drop"),
        "rows of FILE that miss a label or any of the scores: refuse the file (default), or "
        "leave those rows out",
    )
    add_choice(
        group,
        "--model",
        ("normal", "kernel", "fitted"),
        "what describes each class of FILE (default: normal)",
    )
    add_choice(
        group,
        "--direction",
        ("higher", "lower", "auto"),
        "which scores mean positive (default: higher)",
    )
    add_output_options(parser, "the predicted curves", rates=True)


def run(options: Namespace) -> None:
    """Print the predictions."""
    run_and_answer(options, ask)


def ask(options: Namespace) -> Answers:
    """The curve that follows from each pair of distributions."""
    import rocwise as rw

    answers = {
        name: rw.predict_roc(*classes, direction=options.direction)
        for name, classes in _classes(options).items()
    }
    return Answers(answers, table=partial(_table, answers))


def _classes(options: Namespace) -> dict[str, tuple[Any, Any]]:
    """What describes the negatives and the positives, for each score."""
    typed = [options.negative, options.positive]
    if options.file is None:
        if None in typed:
            raise InputError(
                "give --negative MEAN SD and --positive MEAN SD, or FILE with --label and --score."
            )
        return {"predicted": (tuple(options.negative), tuple(options.positive))}
    if typed != [None, None] or options.label is None or not options.score:
        raise InputError("FILE needs --label and --score, and neither --negative nor --positive.")
    from rocwise.cli.input_files import read_pairs

    plain = {**vars(options), "weight": None, "direction": "higher"}
    pairs = read_pairs(Namespace(**plain))
    described = {}
    for name in pairs.names:
        values = pairs.scores(name).astype(float)
        _refuse_infinite(values, name)
        described[name] = tuple(
            _described(values[pairs.mask == label], options.model, f"{name!r} of the {of_class}")
            for label, of_class in enumerate(("negatives", "positives"))
        )
    return described


def _refuse_infinite(values: Any, name: str) -> None:
    for row, value in enumerate(values.tolist()):
        if math.isinf(value):
            raise InputError(
                f"column {name!r} must hold finite numbers, since their spread is needed; "
                f"got {value:g} at row {row}."
            )


def _described(values: Any, model: str, what: str) -> Any:
    import rocwise as rw

    if len(values) < 2 or values.min() == values.max():
        wrong = "is one value" if len(values) < 2 else "is constant"
        raise InputError(
            f"column {what} {wrong} ({values[0]:g}), so its spread cannot be estimated; "
            "type --negative MEAN SD and --positive MEAN SD in place of FILE."
        )
    if model == "kernel":
        return values
    if model == "fitted":
        return rw.fit_distribution(values)
    return float(values.mean()), float(values.std(ddof=1))


def _threshold(answer: PredictedRoc) -> str:
    if not math.isfinite(answer.best_threshold):
        return "none beats chance"
    return f"{'>' if answer.direction == 'higher' else '<'} {answer.best_threshold:.4g}"


def _table(answers: dict[str, PredictedRoc]) -> str:
    from rocwise.cli.output.terminal import folded
    from rocwise.cli.output.text_tables import aligned

    rows = [
        [
            name,
            f"{answer.auc:.3f}",
            _threshold(answer),
            f"{answer.max_ameans:.3f}",
        ]
        for name, answer in answers.items()
    ]
    table = aligned(["score", "AUC", "best threshold", "Ameans"], rows, "lrlr")
    notes = [
        folded(f"{name}: negatives {answer.negative}; positives {answer.positive}")
        for name, answer in answers.items()
    ]
    meaning = "Ameans is the mean of sensitivity and specificity at the best threshold."
    return "\n".join([table, "", *notes, meaning])
