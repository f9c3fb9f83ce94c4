"""The columns that the options name, as pairs: labels with the scores of each model."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.primitives.pairs import Pairs

STDIN = "-"


def read_pairs(options: Namespace) -> Pairs:
    """Labels and scores of the models asked for, on the same rows for all of them."""
    from rocwise import inputs
    from rocwise.cli import terminal
    from rocwise.cli.option_names import shell_words
    from rocwise.errors import count_of

    columns = read_columns(options.file, _wanted(options))
    try:
        pairs = inputs.pair(
            columns[options.label],
            {name: columns[name] for name in options.score},
            groups=columns[group] if (group := _group(options)) else None,
            pos_label=label_value(options.pos_label, columns[options.label]),
            sample_weight=None if options.weight is None else columns[options.weight],
            direction=options.direction,
            missing=options.missing,
        )
    except InputError as problem:
        arguments = {f"scores[{name!r}]": name for name in options.score}
        arguments |= {"y_true": options.label, "sample_weight": options.weight}
        raise InputError(shell_words(str(problem), arguments)) from None
    if pairs.origin.n_dropped:
        rows = count_of(pairs.origin.n_dropped, "row")
        terminal.warning(f"{rows} with missing values left out.")
    return pairs


def source_name(file: str) -> str:
    """What the source is called in headings."""
    return "standard input" if file == STDIN else file


def _wanted(options: Namespace) -> list[str]:
    for name in options.score:
        if options.score.count(name) > 1:
            raise InputError(f"--score {name} is given twice; each model needs its own column.")
    weight = [] if options.weight is None else [options.weight]
    group = [name] if (name := _group(options)) else []
    return list(dict.fromkeys([options.label, *options.score, *weight, *group]))


def _group(options: Namespace) -> str | None:
    """The column of clusters, for commands that know such."""
    name: str | None = getattr(options, "group", None)
    return name


def read_columns(file: str, wanted: list[str]) -> dict[str, Any]:
    """The columns by name. A file that cannot be opened is bad input, like one with bad values."""
    from rocwise.cli.dispatch import os_sentence
    from rocwise.engines import columns_of

    try:
        return _from_stdin(wanted) if file == STDIN else columns_of(file, wanted)[0]
    except OSError as problem:
        raise InputError(os_sentence(problem)) from None


def _from_stdin(wanted: list[str]) -> dict[str, Any]:
    import io

    from rocwise.cli import terminal
    from rocwise.engines.text_files import read_text

    if sys.stdin.isatty():
        terminal.note("Type or paste csv lines, the first with the column names; end with Ctrl-D.")
    # Always UTF-8, whatever the locale, as for a file; a byte order mark is not part of a name.
    lines = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", newline="")
    try:
        return read_text(lines, wanted, ",", source_name(STDIN))
    finally:
        lines.detach()


def label_value(text: str | None, labels: Any) -> Any:
    """The label that was typed, as the kind of value that the column holds.

    >>> import numpy as np
    >>> label_value("2", np.array([1.0, 2.0])), label_value("2", np.array(["1", "2"]))
    (2.0, '2')
    """
    if text is None:
        return None
    present = next((item for item in labels.tolist() if item is not None), None)
    if isinstance(present, bool):
        return {"true": True, "false": False, "1": True, "0": False}.get(text.lower(), text)
    if isinstance(present, int | float):
        try:
            return float(text)
        except ValueError:
            return text
    return text
