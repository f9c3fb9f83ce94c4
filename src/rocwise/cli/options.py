"""Parsers of commands: options derived from signatures, and those of several commands.

The destination of an option is the argument of the library, so that `settings`
passes options on and errors about arguments name the options.
"""

import inspect
import os
import re
from argparse import ArgumentParser, BooleanOptionalAction, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pkgutil import resolve_name
from typing import Any, NoReturn

from rocwise.cli import terminal
from rocwise.cli.suggestions import suggestion
from rocwise.errors import InputError, listed

FORMATS = {
    "json": "one JSON document, with every digit",
    "csv": "a table, with every digit, for spreadsheets and other programs",
    "markdown": "a table, rounded, for notes and pages",
    "latex": "a table, rounded, a tabular for papers (package booktabs)",
}
INTEGER: dict[str, Any] = {"type": int, "metavar": "N"}
# Options that are not the argument's name with dashes.
OPTION_OF = {
    "n_resamples": "--resamples",
    "rng": "--seed",
    "sample_weight": "--weight",
    "groups": "--group",
}
# Texts of options that many commands have.
SHARED_TEXT = {
    "file": ".csv, .tsv (also .gz), .xlsx, .parquet, a pattern such as 'part-*.csv', or - for text "
    "on standard input",
    "pos_label": "the label of the positive class; not needed for 0/1, -1/1 and false/true",
    "sample_weight": "weight of each row",
    "groups": "cluster of each row (a patient with several lesions)",
    "folds": "cross-validation fold (scores are out-of-fold)",
    "missing": "rows with missing values: raise an error (default), or leave them out for all "
    "models",
    "memory_limit": "memory for rows, such as 4GB; above it data are aggregated, AUC and CI stay "
    "exact (default: 2GB)",
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
    **{f"costs.{name}": (f"cost_{name}",) for name in ("abstain", "fn", "fp", "tn", "tp")},
    "frame_or_path": ("file",),
    "number": ("threads",),
    "path": ("plot",),
    "predictions": ("prediction",),
    "y_train": ("train",),
}


class Options(Namespace):
    """What was typed; `words` are the options by argument of the library."""

    def settings(self, function: str) -> dict[str, Any]:
        """The arguments of a function that are options."""
        return self.given(*self.functions.get(function, ()))

    def given(self, *names: str) -> dict[str, Any]:
        """Some options by name."""
        return {name: getattr(self, name) for name in names}


class Parser(ArgumentParser):
    """The parser of a command, in sections; it raises errors, which `dispatch` prints."""

    def __init__(self, **about: Any) -> None:
        super().__init__(formatter_class=HelpPage, allow_abbrev=False, **about)
        self.set_defaults(functions={})  # names of their arguments that are options
        self.reads_text: bool = False
        self.into: Any = self  # the section, or the group of options that exclude each other

    def section(self, title: str) -> None:
        """Begin a section of the help page."""
        self.into = self.add_argument_group(title)

    @contextmanager
    def one_of(self, *, required: bool = False) -> Iterator[None]:
        """Context manager: options of which at most one may be given."""
        section = self.into
        self.into = section.add_mutually_exclusive_group(required=required)
        yield
        self.into = section

    def option(self, name: str, text: str, **kind: Any) -> None:
        """An option, as argparse has it."""
        self.into.add_argument(name, help=text, **kind)

    def flag(self, name: str, text: str) -> None:
        """An option without a value."""
        self.option(name, text, action="store_true")

    def column(self, name: str, text: str, **kind: Any) -> None:
        """An option that names a column."""
        self.option(name, text, metavar="COLUMN", **kind)

    def choice(self, name: str, words: tuple[str, ...], text: str) -> None:
        """An option that is one of some words, the first by default."""
        self.option(name, text, choices=words, default=words[0])

    def arguments(self, function: str, **texts: str | None) -> None:
        """Options for arguments of a public function, by its signature; None: of `SHARED_TEXT`."""
        parameters = inspect.signature(resolve_name(f"rocwise.{function}")).parameters
        for name, text in texts.items():
            default = parameters[name].default
            words = SHARED_TEXT[name] if text is None else text
            if default not in (None, False, inspect.Parameter.empty) and "default" not in words:
                words += f" (default: {default})"
            self.option(flag_of(name), words, dest=name, **_kind(parameters[name]))
            if name == "rng":
                self.option("--threads", "number of threads (default: all CPUs)", **INTEGER)
        self.get_default("functions").setdefault(function, []).extend(texts)

    def table(self, text: str = SHARED_TEXT["file"]) -> None:
        """The file; begins the section about data."""
        self.option("file", text, metavar="FILE")
        self.section("data")
        self.reads_text = True

    def file(self, *, label_required: bool = True) -> None:
        """The file and the column of labels; begins the section about data."""
        self.table()
        self.set_defaults(sample_weight=None, groups=None, folds=None)
        self.column("--label", "the true class", required=label_required)

    def text_format(self) -> None:
        """How the text of the file is written; found in the file by default."""
        self.section("text of the file")
        self.option("--sep", "delimiter, such as ';' or tab (default: detected)", metavar="SIGN")
        self.option("--decimal", "point or comma (default: detected)", metavar="SIGN")
        encodings = "UTF-8, UTF-16, Windows-1252 or another (default: detected)"
        self.option("--encoding", encodings, metavar="NAME")

    def data(self, *rows: str, label_required: bool = True) -> None:
        """File and columns of two-class data; `rows` are columns that the command supports."""
        self.file(label_required=label_required)
        self.scores("a model's score; repeat it for several models")
        self.option("--pos-label", SHARED_TEXT["pos_label"], metavar="VALUE")
        self.rows(*rows)
        self.choice(
            "--direction", ("higher", "lower"), "which scores mean positive (default: higher)"
        )
        self.missing()
        self.option("--memory-limit", SHARED_TEXT["memory_limit"], metavar="SIZE")

    def scores(self, text: str) -> None:
        """Columns of scores."""
        self.column("--score", text, required=True, action="append")

    def missing(self) -> None:
        """What to do with missing values."""
        self.choice("--missing", ("raise", "drop"), SHARED_TEXT["missing"])

    def rows(self, *names: str) -> None:
        """Weights, clusters and folds of the rows, as the command supports."""
        for name in names:
            self.column(flag_of(name), SHARED_TEXT[name], dest=name)

    def by(self, result: str) -> None:
        """Columns of groups, with a result for each."""
        text = f"one {result} for every group of rows; repeat it for groups by several columns"
        self.column("--by", text, action="append")

    def costs(self, *outcomes: str, required: bool = False) -> None:
        """Costs of outcomes (fp, fn, tp, tn)."""
        for outcome in outcomes:
            needed = required and outcome in ("fp", "fn")
            text = SHARED_TEXT[f"cost_{outcome}"]
            self.option(f"--cost-{outcome}", text, type=float, metavar="COST", required=needed)

    def output(self, plot: str, *, rates: bool = False) -> None:
        """Form of the output; `rates`: the axes of the plot have two kinds of names."""
        self.section("output")
        with self.one_of():
            for name, text in FORMATS.items():
                self.flag(f"--{name}", text)
        text = "exit with code 3 unless every result meets this, such as 'auc_low >= 0.8'; metrics "
        text += "are those of metrics() in Python; repeat it for several"
        self.option("--require", text, action="append", metavar="CONDITION")
        endings = ".svg, .pdf, .eps, .png or .tiff"
        self.option("--plot", f"write {plot} to a {endings}", metavar="PATH")
        widths = "width of the plot: 85 mm (default), 180 mm or 254 mm"
        self.option("--plot-width", widths, choices=("column", "page", "slide"))
        self.option("--plot-title", "title of the plot", metavar="TEXT")
        if rates:
            names = "sensitivity and 1 - specificity"
            self.flag("--clinical", f"label the axes of the plot with {names}")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As in argparse; what was typed is kept for errors."""
        self.typed: list[str] = list(args or ())
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong, what may have been meant, and where to read more."""
        raise InputError(
            f"{message}{suggestion(message, self.typed, self._option_string_actions)}"
            f"{self._columns(message)} "
            f"(`{self.prog} --help` explains the options)"
        )

    def _columns(self, message: str) -> str:
        """The columns of the file, where an option that names one is absent."""
        file = next((word for word in self.typed if os.path.isfile(word)), None)
        if file is None or not re.search(r"are required: .*--(label|score)\b", message):
            return ""
        from rocwise.inputs import first_rows

        with suppress(InputError, OSError, ImportError):
            return f"; the columns of {file} are {listed(first_rows(file, 1), 12)}"
        return ""


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
    )
    parser._positionals.title = "input"
    command.add_options(parser)
    if parser.reads_text:
        parser.text_format()
    parser.usage = usage_of(parser).replace("%", "%%")
    parser.set_defaults(words=option_words(parser), command=name)
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
    """For each argument of the library, the option of this command to type."""
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


def flag_of(argument: str) -> str:
    """The option of an argument."""
    return OPTION_OF.get(argument, f"--{argument.replace('_', '-')}")


def _kind(parameter: inspect.Parameter) -> dict[str, Any]:
    """How argparse reads the values of a parameter."""
    default = parameter.default
    annotation = inspect.formatannotation(parameter.annotation).strip("'")
    if default is False:
        return {"action": "store_true"}
    if default is True:
        return {"action": BooleanOptionalAction, "default": True}
    kind: dict[str, Any] = {"default": default}
    if default is inspect.Parameter.empty:
        kind = {"required": True}
    if parameter.name == "rng" or isinstance(default, int) or annotation.startswith("int"):
        return kind | INTEGER
    if annotation.startswith("tuple[float, float]"):
        return kind | {"type": float, "nargs": 2, "metavar": ("LOW", "HIGH")}
    if annotation.startswith("float"):
        kind |= {"type": float}
    return kind | {"metavar": "VALUE"}
