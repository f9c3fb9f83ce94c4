"""The columns that the options name, as pairs: labels with the scores of each model."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from rocwise.errors import InputError

if TYPE_CHECKING:
    from rocwise.data.pairs import Pairs

STDIN = "-"
LARGE_FILE = 400_000_000  # bytes, from which on a file is asked how many rows it has
SAMPLE = 1000  # rows that tell what kind of labels there are


def read_pairs(options: Namespace) -> Pairs:
    """Labels and scores of the models asked for, on the same rows for all of them."""
    return read_folded_pairs(options)[0]


def read_folded_pairs(options: Namespace) -> tuple[Pairs, Any]:
    """The same, and the fold of each row where --folds names a column of them."""
    import rocwise as rw
    from rocwise.cli.output import terminal
    from rocwise.errors import count_of

    group, fold = (getattr(options, name, None) for name in ("group", "folds"))
    refuse_repeated(options.score, "--score")
    if options.label in options.score:
        raise InputError(
            f"--label and --score both name the column {options.label!r}; a score must be a "
            "column of its own."
        )
    if fold is None and _is_large(options):
        return _large_pairs(options, group), None
    further = [name for name in (options.weight, group, fold) if name is not None]
    columns = read_columns(options.file, [options.label, *options.score, *further])
    arguments = {f"scores[{name!r}]": name for name in options.score}
    arguments |= {"y_true": options.label, "sample_weight": options.weight, "groups": group}
    try:
        pairs = rw.pair(
            columns[options.label],
            {name: columns[name] for name in options.score},
            groups=None if group is None else columns[group],
            pos_label=label_value(options.pos_label, columns[options.label]),
            sample_weight=None if options.weight is None else columns[options.weight],
            direction=options.direction,
            missing=options.missing,
        )
    except InputError as problem:
        raise problem.in_words_of(as_columns(arguments)) from None
    if pairs.origin.n_dropped:
        rows = count_of(pairs.origin.n_dropped, "row")
        terminal.warning(f"{rows} with missing values left out.")
    return pairs, None if fold is None else columns[fold]


def _is_large(options: Namespace) -> bool:
    """Whether rows may have to stay in their file."""
    import os

    if getattr(options, "memory_limit", None) is not None:
        if options.file == STDIN:
            raise InputError("--memory-limit goes with a file; standard input is read as a whole.")
        return True
    try:
        return os.path.getsize(options.file) > LARGE_FILE
    except (OSError, ValueError):  # refused, or found to be a pattern, by whoever reads it
        return False


def _large_pairs(options: Namespace, group: str | None) -> Pairs:
    """Pairs of a file of which the rows are read only if they fit into memory."""
    import rocwise as rw
    from rocwise.cli.dispatch import os_sentence
    from rocwise.cli.output import terminal
    from rocwise.errors import count_of

    try:
        pairs = rw.pair_frame(
            options.file,
            label=options.label,
            scores=options.score,
            groups=group,
            pos_label=typed_label(options),
            sample_weight=options.weight,
            direction=options.direction,
            missing=options.missing,
            memory_limit=getattr(options, "memory_limit", None),
        )
    except OSError as problem:
        raise InputError(os_sentence(problem)) from None
    if pairs.origin.n_dropped:
        rows = count_of(pairs.origin.n_dropped, "row")
        terminal.warning(f"{rows} with missing values left out.")
    return pairs


def typed_label(options: Namespace) -> Any:
    """The positive label as the kind of value that the file holds, from its first rows."""
    from rocwise.inputs import first_rows

    if options.pos_label is None:
        return None
    some = first_rows(options.file, SAMPLE)
    return label_value(options.pos_label, some.get(options.label))


def source_name(file: str) -> str:
    """What the source is called in headings."""
    return "standard input" if file == STDIN else file


def refuse_repeated(names: Sequence[str], option: str) -> None:
    """Refuse a column that was named twice by one option."""
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{option} {name} is given twice; each model needs its own column.")


def as_columns(arguments: Mapping[str, str]) -> dict[str, str]:
    """For arguments of the library, how to speak of the columns that were passed as these."""
    return {argument: f"column {column!r}" for argument, column in arguments.items()}


def read_columns(file: str, wanted: Sequence[str]) -> dict[str, Any]:
    """The columns by name. A file that cannot be opened is bad input, like one with bad values."""
    from rocwise.cli.dispatch import os_sentence
    from rocwise.inputs import named_columns

    try:
        return _from_stdin(wanted) if file == STDIN else named_columns(file, wanted)
    except OSError as problem:
        raise InputError(os_sentence(problem)) from None


def _from_stdin(wanted: Sequence[str]) -> dict[str, Any]:
    import io

    from rocwise.cli.output import terminal
    from rocwise.inputs import named_columns

    class StandardInput(io.TextIOWrapper):
        """Always UTF-8, whatever the locale, as for a file."""

        name = source_name(STDIN)

    if sys.stdin is None:
        raise InputError("standard input is closed; name a file, or pass the table through a pipe.")
    if sys.stdin.isatty():
        terminal.note("Type or paste csv lines, the first with the column names; end with Ctrl-D.")
    # a byte order mark is not part of the first column's name
    lines = StandardInput(sys.stdin.buffer, encoding="utf-8-sig", newline="")
    try:
        return named_columns(lines, wanted)
    finally:
        lines.detach()


def label_value(text: str | None, labels: Any) -> Any:
    """The label that was typed, as the kind of value that the column holds.

    >>> import numpy as np
    >>> label_value("2", np.array([1.0, 2.0])), label_value("2", np.array(["1", "2"]))
    (2.0, '2')
    """
    if text is None or labels is None:
        return text
    present = next((item for item in labels.tolist() if item is not None), None)
    if isinstance(present, bool):
        return {"true": True, "false": False, "1": True, "0": False}.get(text.lower(), text)
    exact = type(present) if isinstance(present, int | Decimal) else float
    kinds = (exact, float) if isinstance(present, int | float | Decimal) else ()
    for kind in kinds:
        with suppress(ValueError, ArithmeticError):
            return kind(text)
    return text
