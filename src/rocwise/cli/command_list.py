"""Which commands there are, in the order of the questions they answer.

A command is a module of `rocwise.cli.commands` with the command's name. Only the one that was
asked for is imported; the overview needs no more than this list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

QUESTIONS = {
    "How good is a model?": {
        "auc": "area under the ROC curve, with its confidence interval",
        "roc": "points of the ROC curve",
        "pr": "average precision, with its confidence interval",
        "det": "misses against false alarms, and where they are equal",
        "calibration": "whether predicted probabilities mean what they say",
        "smooth": "smooth ROC curve, where the size of a score counts",
        "predict": "ROC curve that means and spreads of the classes predict",
        "bounds": "what a sensitivity and a specificity say about the AUC",
        "band": "confidence band around the ROC curve",
    },
    "Is A better than B?": {
        "compare": "difference of two or more models, with its interval and p value",
        "power": "cases that a study needs, or what given cases can detect",
    },
    "Where do I set the threshold?": {
        "threshold": "the best threshold for a purpose, how sure, how safe",
        "at": "every measure at given thresholds or rates, with intervals",
        "thresholds": "what each threshold would do: counts, rates, costs",
        "costs": "least cost over all class shares and costs; net benefit",
        "abstain": "which cases to leave undecided, for given costs or bounds",
        "reliable": "thresholds that promise a precision for each class",
        "segment": "thresholds where misses and false alarms balance",
    },
    "What about more than two classes?": {
        "multiclass": "areas of models with one score per class, compared",
        "ordinal": "how well scores rank ordered classes; where to cut them",
    },
    "How far are forecasts off?": {
        "rec": "errors of forecasts of a number, and which forecaster is better",
    },
    "What does it look like?": {
        "report": "one page with everything, to read, to send and to drag about",
        "studio": "the same page live in the browser, with computing behind it",
        "demo": "two models on built-in data, from scores to a decision",
    },
}
OTHER_NAMES = {"coords": "thresholds", "cutpoint": "threshold", "delong": "compare", "dca": "costs"}
COMMANDS = {name: summary for group in QUESTIONS.values() for name, summary in group.items()}

EXAMPLES = """\
  rocwise demo
  rocwise auc scores.csv --label ill --score a --score b
  rocwise thresholds scores.csv --label ill --score a --cost-fp 1 --cost-fn 10
  rocwise report scores.csv --label ill --score a --score b -o report.html"""


class Command(Protocol):
    """What the module of a command holds."""

    DESCRIPTION: str
    EXAMPLES: str

    def add_options(self, parser: ArgumentParser) -> None:
        """Tell the parser which options the command takes."""

    def run(self, options: Namespace) -> None:
        """Answer, on the screen and in files."""


def load(name: str) -> Command:
    """The command of this name.

    >>> "area" in load("auc").DESCRIPTION
    True
    """
    from importlib import import_module

    return cast(Command, import_module(f"rocwise.cli.commands.{name}"))


def overview() -> str:
    """All commands on one screen.

    >>> print(overview().splitlines()[0])
    usage: rocwise COMMAND [options]
    """
    width = max(map(len, COMMANDS))
    lines = [
        "usage: rocwise COMMAND [options]",
        "",
        "ROC analysis: how good is this model, is A better than B, where do I set the",
        "threshold, and how sure am I?",
    ]
    for question, group in QUESTIONS.items():
        lines += ["", question]
        lines += [f"  {name:<{width}}  {summary}" for name, summary in group.items()]
    return "\n".join(
        [
            *lines,
            "",
            "Options",
            "  -h, --help  this overview; after a command, all about that command",
            "  --version   the version, and whether the compiled kernels are in use",
            "",
            "Examples",
            EXAMPLES,
        ]
    )


def unknown(name: str) -> str:
    """The sentence for a command that does not exist, with the nearest that does.

    >>> unknown("acu")
    "there is no command 'acu'; did you mean 'auc'? `rocwise --help` lists them all"
    """
    from rocwise.errors import nearest

    near = nearest(name, COMMANDS, OTHER_NAMES)
    question = f"did you mean {near!r}? " if near else ""
    return f"there is no command {name!r}; {question}`rocwise --help` lists them all"
