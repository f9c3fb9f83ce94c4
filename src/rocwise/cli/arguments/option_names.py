"""How a shell user knows the library's arguments, and text that is safe to print.

The library names Python arguments and says "Pass missing='drop'"; at a shell the argument is an
option, `--missing drop`. Most options are the argument's name with dashes, which the parser of the
command knows; the others are listed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocwise.errors import spelled_out

if TYPE_CHECKING:
    from argparse import ArgumentParser

# the library's argument, and what the parser calls the options that stand for it
IRREGULAR: dict[str, tuple[str, ...]] = {
    "costs": ("cost_fp", "cost_fn"),
    "costs.abstain": ("cost_abstain",),
    "costs.fn": ("cost_fn",),
    "costs.fp": ("cost_fp",),
    "costs.tn": ("cost_tn",),
    "costs.tp": ("cost_tp",),
    "frame_or_path": ("file",),
    "groups": ("group",),
    "n_resamples": ("resamples",),
    "number": ("threads",),
    "path": ("plot",),
    "predictions": ("prediction",),
    "rate": ("guarantee",),
    "rng": ("seed",),
    "sample_weight": ("weight",),
    "thresholds": ("grid",),
    "y_train": ("train",),
}
LONGEST = 600


def option_words(parser: ArgumentParser) -> dict[str, str]:
    """For each argument of the library that the command passes on, the option to type.

    >>> from argparse import ArgumentParser
    >>> parser = ArgumentParser(add_help=False)
    >>> _ = parser.add_argument("--max-fpr"), parser.add_argument("--seed")
    >>> option_words(parser)
    {'max_fpr': '--max-fpr', 'seed': '--seed', 'rng': '--seed'}
    """
    typed = {
        action.dest: action.option_strings[-1] if action.option_strings else str(action.metavar)
        for action in parser._actions  # argparse has no public list of them
        if action.dest != "help"
    }
    words = {
        argument: " and ".join(typed[name] for name in names)
        for argument, names in IRREGULAR.items()
        if all(name in typed for name in names)
    }
    return typed | {name: option for name, option in words.items() if name not in typed}


def printable(text: str) -> str:
    r"""The text on one line, control characters spelt out, cut when it would fill the screen.

    A file's column names may hold anything, also codes that steer a terminal.

    >>> print(printable("a\x1b[31m\tb"))
    a\x1b[31m\tb
    """
    text = spelled_out(text, keep="")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."
