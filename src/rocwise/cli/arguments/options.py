"""Options that several commands share, and the parser that words its refusals as sentences."""

from __future__ import annotations

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from rocwise.cli.arguments.option_names import option_words
from rocwise.cli.command_list import Command
from rocwise.cli.output import terminal
from rocwise.cli.output.table_output import FORMATS
from rocwise.errors import InputError

if TYPE_CHECKING:
    from argparse import _ArgumentGroup, _MutuallyExclusiveGroup


class SentenceParser(ArgumentParser):
    """Refuses by raising a sentence, which `dispatch` prints, instead of printing the usage."""

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong, what may have been meant, and where to read more."""
        raise InputError(
            f"{message}{self._meant(message)} (`{self.prog} --help` explains the options)"
        )

    def _meant(self, message: str) -> str:
        """The option or choice nearest to what argparse could not make sense of."""
        import re

        from rocwise.errors import nearest

        unknown = re.search(r"unrecognized arguments: .*?(--?[^\s=]+)", message)
        if unknown is not None:
            near = nearest(unknown[1], self._option_string_actions)
            return f"; did you mean {near}?" if near else ""
        wrong = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if wrong is not None:
            near = nearest(wrong[1], re.findall(r"[^\s',]+", wrong[2]))
            return f"; did you mean {near}?" if near else ""
        return ""


class HelpPage(RawDescriptionHelpFormatter):
    """Help that fits the screen, with the words of this program where argparse has its own."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(max(terminal.width(), 40), terminal.LONGEST))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return terminal.folded_help(text)


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
        fits = len(lines[-1]) + 1 + len(word) <= min(terminal.width(), terminal.LONGEST)
        lines = [*lines[:-1], f"{lines[-1]} {word}"] if fits else [*lines, f"         {word}"]
    return "\n".join(lines).removeprefix("usage: ")


def parser_of(name: str, command: Command) -> SentenceParser:
    """The parser of one command; `--help` shows its description, options and examples.

    What it parses has `words` too: the options to type for the library's arguments.
    """
    parser = SentenceParser(
        prog=f"rocwise {name}",
        description=command.DESCRIPTION,
        epilog=f"examples:\n{command.EXAMPLES}",
        formatter_class=HelpPage,
        allow_abbrev=False,  # an abbreviation that works today is ambiguous tomorrow
    )
    parser._positionals.title = "input"
    command.add_options(parser)
    _add_threads_option(parser)
    parser.usage = usage_of(parser).replace("%", "%%")
    parser.set_defaults(words=option_words(parser))
    return parser


def _add_threads_option(parser: ArgumentParser) -> None:
    """How many threads to use, beside the seed of commands that resample."""
    for group in parser._action_groups:
        if any(action.dest == "seed" for action in group._group_actions):
            group.add_argument(
                "--threads",
                type=int,
                metavar="N",
                help="use so many (default: the processors there are); answers stay the same",
            )


def add_choice(group: _ArgumentGroup, name: str, words: Sequence[str], help: str) -> None:
    """An option that is one of some words, the first where nothing is said."""
    group.add_argument(name, choices=words, default=words[0], help=help)


def add_labelled_file(parser: ArgumentParser, *, always: bool = True) -> _ArgumentGroup:
    """Which file, and which of its columns holds the labels; the group of what else is data.

    Not `always`: the command asks for the label by itself where it needs one.
    """
    parser.add_argument(
        "file",
        metavar="FILE",
        help=".csv, .tsv (also .gz), .parquet, a pattern such as 'part-*.csv', or - for csv "
        "on standard input",
    )
    group = parser.add_argument_group("data")
    group.add_argument("--label", required=always, metavar="COLUMN", help="the true class")
    return group


def add_data_options(
    parser: ArgumentParser,
    *,
    weights: bool = True,
    groups: bool = False,
    folds: bool = False,
    label_required: bool = True,
) -> None:
    """Which file, which columns, and how to take them.

    `weights`, `groups` and `folds` say whether rows may carry weights, form clusters, and be
    scored by cross-validation.
    """
    group = add_labelled_file(parser, always=label_required)
    group.add_argument(
        "--score",
        required=True,
        action="append",
        metavar="COLUMN",
        help="a model's score; repeat it for several models",
    )
    group.add_argument(
        "--pos-label",
        metavar="VALUE",
        help="the label of the positive class; not needed for 0/1, -1/1 and false/true",
    )
    add_row_options(parser, group, weights=weights, groups=groups, folds=folds)
    add_choice(
        group, "--direction", ("higher", "lower"), "which scores mean positive (default: higher)"
    )
    add_choice(
        group,
        "--missing",
        ("raise", "drop"),
        f"rows that miss a label, {'a weight ' if weights else ''}or any of the scores: "
        "refuse the file (default), or leave those rows out for all models",
    )
    group.add_argument(
        "--memory-limit",
        metavar="SIZE",
        help="memory for rows, such as 4GB; of a larger file only counts and sums are kept, which "
        "areas and their intervals do not lose by (default: 2GB)",
    )


def add_row_options(
    parser: ArgumentParser,
    group: _ArgumentGroup,
    *,
    weights: bool = True,
    groups: bool = True,
    folds: bool = False,
) -> None:
    """What rows are: weighted, in clusters, out of folds."""
    parser.set_defaults(weight=None, group=None, folds=None)
    if weights:
        group.add_argument("--weight", metavar="COLUMN", help="weight of each row")
    if groups:
        group.add_argument(
            "--group", metavar="COLUMN", help="cluster of each row (a patient with several lesions)"
        )
    if folds:
        group.add_argument(
            "--folds",
            metavar="COLUMN",
            help="fold of each row, whose scores are of a model that did not see it",
        )


def add_resampling_options(group: _ArgumentGroup, *, resamples: int) -> None:
    """Level, number and seed of what a bootstrap makes."""
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    group.add_argument(
        "--resamples",
        type=int,
        default=resamples,
        metavar="N",
        help=f"of the bootstrap (default: {resamples})",
    )
    group.add_argument(
        "--seed", type=int, metavar="N", help="makes a bootstrap repeatable (`rng` in Python)"
    )


def add_exact_option(group: _ArgumentGroup) -> None:
    """Whether a bootstrap of very many scores draws every row."""
    group.add_argument(
        "--exact",
        action="store_true",
        help="a bootstrap draws every row, also of more than 131,072 distinct scores",
    )


def add_part_options(group: _ArgumentGroup) -> _MutuallyExclusiveGroup:
    """Which part of the area is meant; at most one of these."""
    part = group.add_mutually_exclusive_group()
    ends = ("LOW", "HIGH")
    part.add_argument(
        "--max-fpr", type=float, metavar="RATE", help="only the part with FPR up to this"
    )
    part.add_argument(
        "--fpr-range", type=float, nargs=2, metavar=ends, help="only this range of FPR"
    )
    part.add_argument(
        "--tpr-range", type=float, nargs=2, metavar=ends, help="only this range of TPR"
    )
    return part


def add_table_options(group: _MutuallyExclusiveGroup) -> None:
    """The answer as a table for other programs."""
    for name, words in FORMATS.items():
        group.add_argument(f"--{name}", action="store_true", help=f"a table, {words}")


def add_output_options(parser: ArgumentParser, picture: str, *, rates: bool = False) -> None:
    """How to give the answer; `rates`: the axes of the picture have two kinds of names."""
    group = parser.add_argument_group("output")
    form = group.add_mutually_exclusive_group()
    form.add_argument(
        "--json",
        action="store_true",
        help="one JSON document, with every digit; several models: an object with one member each",
    )
    add_table_options(form)
    add_plot_options(group, picture, rates=rates)


def add_plot_options(group: _ArgumentGroup, picture: str, *, rates: bool = False) -> None:
    """Where the picture goes, and how wide and under which words."""
    group.add_argument(
        "--plot", metavar="PATH", help=f"write {picture} to a .svg, .pdf, .eps, .png or .tiff"
    )
    group.add_argument(
        "--plot-width",
        choices=("column", "page", "slide"),
        help="of the picture: 85 mm (default), 180 mm or 254 mm",
    )
    group.add_argument("--plot-title", metavar="TEXT", help="words above the picture")
    if rates:
        group.add_argument(
            "--clinical",
            action="store_true",
            help="axes of the picture in clinical words: sensitivity, 1 - specificity",
        )
