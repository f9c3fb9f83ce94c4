"""Parsers of commands: options derived from signatures, and those that several commands share.

The destination of an option is the argument of the library that it stands for, so that `settings`
passes options on and errors about arguments name the options.
"""

from __future__ import annotations

import inspect
import re
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

from rocwise.cli import terminal
from rocwise.errors import InputError, nearest

if TYPE_CHECKING:
    from argparse import _ArgumentGroup, _MutuallyExclusiveGroup

FORMATS = {
    "csv": "with every digit, for spreadsheets and other programs",
    "markdown": "rounded, for notes and pages",
    "latex": "rounded, a tabular for papers (package booktabs)",
}
# Options that are not the argument's name with dashes.
OPTION_OF = {
    "n_resamples": "--resamples",
    "rng": "--seed",
    "sample_weight": "--weight",
    "groups": "--group",
}
METAVAR_OF = {
    "prevalence": "PROPORTION",
    "max_fpr": "RATE",
    "at_sensitivity": "RATE",
    "at_specificity": "RATE",
    "fpr_range": ("LOW", "HIGH"),
    "tpr_range": ("LOW", "HIGH"),
    "constraint": "VALUE",
    "max_abstention": "LIMIT",
    "max_cost": "COST",
    "severity": "RATIO",
    "skew": "RATIO",
}
# Texts of options that many commands have.
SHARED_TEXT = {
    "level": "confidence level",
    "n_resamples": "number of resamples",
    "rng": "seed of the random numbers",
    "prevalence": "prevalence in the target population (default: that of the file)",
    "cost_fp": "cost of a false positive",
    "cost_fn": "cost of a false negative",
    "cost_tp": "cost of a true positive (default: 0); negative: a gain",
    "cost_tn": "cost of a true negative (default: 0); negative: a gain",
    "max_fpr": "only the part with FPR up to this",
    "fpr_range": "only this range of FPR",
    "tpr_range": "only this range of TPR",
}
# Arguments that several options stand for, or that have another name in the library.
SEVERAL = {
    "costs": ("cost_fp", "cost_fn"),
    "costs.abstain": ("cost_abstain",),
    "costs.fn": ("cost_fn",),
    "costs.fp": ("cost_fp",),
    "costs.tn": ("cost_tn",),
    "costs.tp": ("cost_tp",),
    "frame_or_path": ("file",),
    "number": ("threads",),
    "path": ("plot",),
    "predictions": ("prediction",),
    "y_train": ("train",),
}


class Parser(ArgumentParser):
    """Raises errors, which `dispatch` prints, instead of printing the usage."""

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong, what may have been meant, and where to read more."""
        raise InputError(
            f"{message}{self._suggestion(message)} (`{self.prog} --help` explains the options)"
        )

    def _suggestion(self, message: str) -> str:
        """The option or choice nearest to what argparse did not recognize."""
        unknown = re.search(r"unrecognized arguments: .*?(--?[^\s=]+)", message)
        wrong = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        near = None
        if unknown is not None:
            near = nearest(unknown[1], self._option_string_actions)
        elif wrong is not None:
            near = nearest(wrong[1], re.findall(r"[^\s',]+", wrong[2]))
        return f"; did you mean {near}?" if near else ""


class HelpPage(RawDescriptionHelpFormatter):
    """Help that fits the screen."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(max(terminal.width(), 40), terminal.WIDEST_HELP))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return terminal.folded_help(text)


def parser_of(name: str, command: Any) -> Parser:
    """The parser of one command; what it parses has `words`, options by argument."""
    parser = Parser(
        prog=f"rocwise {name}",
        description=command.DESCRIPTION,
        epilog=f"examples:\n{command.EXAMPLES}",
        formatter_class=HelpPage,
        allow_abbrev=False,
    )
    parser._positionals.title = "input"
    command.add_options(parser)
    for group in parser._action_groups:
        if any(action.dest == "rng" for action in group._group_actions):
            group.add_argument(
                "--threads", type=int, metavar="N", help="number of threads (default: all CPUs)"
            )
    parser.usage = usage_of(parser).replace("%", "%%")
    parser.set_defaults(words=option_words(parser))
    return parser


def usage_of(parser: ArgumentParser) -> str:
    """What must be given; everything else is listed below it."""
    groups = [group for group in parser._mutually_exclusive_groups if group.required]
    grouped = [action for group in groups for action in group._group_actions]
    words = [parser.prog]
    for action in parser._actions:
        shown = action.metavar or action.dest.upper()
        if not action.option_strings:
            words.append(f"[{shown}]" if action.nargs == "?" else str(shown))
        elif action.required and action not in grouped:
            words.append(f"{action.option_strings[0]} {shown}")
    words += [f"({' | '.join(a.option_strings[0] for a in g._group_actions)})" for g in groups]
    lines = ["usage:"]
    for word in [*words, "[options]"]:
        fits = len(lines[-1]) + 1 + len(word) <= min(terminal.width(), terminal.WIDEST_HELP)
        lines = [*lines[:-1], f"{lines[-1]} {word}"] if fits else [*lines, f"         {word}"]
    return "\n".join(lines).removeprefix("usage: ")


def option_words(parser: ArgumentParser) -> dict[str, str]:
    """For each argument of the library, the option of this command to type.

    >>> parser = ArgumentParser(add_help=False)
    >>> _ = parser.add_argument("--max-fpr"), parser.add_argument("--seed", dest="rng")
    >>> option_words(parser)
    {'max_fpr': '--max-fpr', 'rng': '--seed'}
    """
    typed = {
        action.dest: action.option_strings[-1] if action.option_strings else str(action.metavar)
        for action in parser._actions  # argparse has no public list of them
        if action.dest != "help"
    }
    several = {
        argument: " and ".join(typed[name] for name in names)
        for argument, names in SEVERAL.items()
        if argument not in typed and all(name in typed for name in names)
    }
    return typed | several


def add_arguments(group: _ArgumentGroup, function: str, **texts: str | None) -> None:
    """Options for arguments of a public function, with type and default of its signature.

    The text None is that of `SHARED_TEXT`. `settings` collects what is given.
    """
    import rocwise as rw

    parameters = inspect.signature(attrgetter(function)(rw)).parameters
    for name, text in texts.items():
        flag = OPTION_OF.get(name, f"--{name.replace('_', '-')}")
        default = parameters[name].default
        words = SHARED_TEXT[name] if text is None else text
        if default not in (None, False, inspect.Parameter.empty) and "default" not in words:
            words += f" (default: {default})"
        group.add_argument(flag, dest=name, help=words, **_kind(parameters[name]))
    known = group.get_default("settings") or {}
    group.set_defaults(settings={**known, function: [*known.get(function, []), *texts]})


def _kind(parameter: inspect.Parameter) -> dict[str, Any]:
    """How argparse reads the values of a parameter."""
    annotation, default = str(parameter.annotation), parameter.default
    if default is False:
        return {"action": "store_true"}
    kind: dict[str, Any] = {"default": default}
    if default is inspect.Parameter.empty:
        kind = {"required": True}
    if parameter.name == "rng" or isinstance(default, int):
        return kind | {"type": int, "metavar": "N"}
    if annotation.startswith("tuple[float, float]"):
        kind |= {"type": float, "nargs": 2}
    elif annotation.startswith("float"):
        kind |= {"type": float}
    return kind | {"metavar": METAVAR_OF.get(parameter.name, "VALUE")}


def settings(options: Namespace, function: str) -> dict[str, Any]:
    """The arguments of a function that options stand for."""
    return {name: getattr(options, name) for name in options.settings[function]}


def add_choice(group: _ArgumentGroup, name: str, words: tuple[str, ...], help: str) -> None:
    """An option that is one of some words, the first by default."""
    group.add_argument(name, choices=words, default=words[0], help=help)


def add_file(parser: ArgumentParser, *, label_required: bool = True) -> _ArgumentGroup:
    """The file and the column of labels; returns the group of options about data."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help=".csv, .tsv (also .gz), .parquet, a pattern such as 'part-*.csv', or - for csv "
        "on standard input",
    )
    parser.set_defaults(sample_weight=None, groups=None, folds=None)
    group = parser.add_argument_group("data")
    group.add_argument("--label", required=label_required, metavar="COLUMN", help="the true class")
    return group


def add_data_options(
    parser: ArgumentParser,
    *,
    weights: bool = True,
    groups: bool = False,
    folds: bool = False,
    label_required: bool = True,
) -> None:
    """File and columns of two-class data; `weights`, `groups`, `folds` as the command supports."""
    group = add_file(parser, label_required=label_required)
    add_score(group, "a model's score; repeat it for several models")
    group.add_argument(
        "--pos-label",
        metavar="VALUE",
        help="the label of the positive class; not needed for 0/1, -1/1 and false/true",
    )
    add_row_options(group, weights=weights, groups=groups, folds=folds)
    add_choice(
        group, "--direction", ("higher", "lower"), "which scores mean positive (default: higher)"
    )
    add_missing(group)
    group.add_argument(
        "--memory-limit",
        metavar="SIZE",
        help="memory for rows, such as 4GB; above it data are aggregated, AUC and CI stay exact "
        "(default: 2GB)",
    )


def add_score(group: _ArgumentGroup, text: str) -> None:
    """Columns of scores."""
    group.add_argument("--score", required=True, action="append", metavar="COLUMN", help=text)


def add_missing(group: _ArgumentGroup) -> None:
    """What to do with missing values."""
    text = "rows with missing values: raise an error (default), or leave them out for all models"
    add_choice(group, "--missing", ("raise", "drop"), text)


def add_row_options(
    group: _ArgumentGroup, *, weights: bool = True, groups: bool = True, folds: bool = False
) -> None:
    """Weights, clusters and folds of the rows."""
    texts = {
        "sample_weight": "weight of each row" if weights else "",
        "groups": "cluster of each row (a patient with several lesions)" if groups else "",
        "folds": "cross-validation fold (scores are out-of-fold)" if folds else "",
    }
    for name, text in texts.items():
        if text:
            flag = OPTION_OF.get(name, f"--{name}")
            group.add_argument(flag, dest=name, metavar="COLUMN", help=text)


def add_cost_options(group: _ArgumentGroup, *outcomes: str, required: bool = False) -> None:
    """Costs of outcomes (fp, fn, tp, tn)."""
    for outcome in outcomes:
        group.add_argument(
            f"--cost-{outcome}",
            type=float,
            metavar="COST",
            required=required and outcome in ("fp", "fn"),
            help=SHARED_TEXT[f"cost_{outcome}"],
        )


def add_part_options(group: _ArgumentGroup, function: str) -> _MutuallyExclusiveGroup:
    """The part of a partial AUC; at most one of these."""
    part = group.add_mutually_exclusive_group()
    add_arguments(part, function, max_fpr=None, fpr_range=None, tpr_range=None)
    return part


def add_output_options(parser: ArgumentParser, plot: str, *, rates: bool = False) -> None:
    """Form of the output; `rates`: the axes of the plot have two kinds of names."""
    group = parser.add_argument_group("output")
    form = group.add_mutually_exclusive_group()
    form.add_argument(
        "--json",
        action="store_true",
        help="one JSON document, with every digit; several models: an object with one member each",
    )
    for name, text in FORMATS.items():
        form.add_argument(f"--{name}", action="store_true", help=f"a table, {text}")
    group.add_argument(
        "--plot", metavar="PATH", help=f"write {plot} to a .svg, .pdf, .eps, .png or .tiff"
    )
    group.add_argument(
        "--plot-width",
        choices=("column", "page", "slide"),
        help="width of the plot: 85 mm (default), 180 mm or 254 mm",
    )
    group.add_argument("--plot-title", metavar="TEXT", help="title of the plot")
    if rates:
        group.add_argument(
            "--clinical",
            action="store_true",
            help="label the axes of the plot with sensitivity and 1 - specificity",
        )
