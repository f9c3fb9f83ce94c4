"""The columns that the options name, read from a file or standard input."""

import dataclasses
import errno
import io
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from typing import Any

import rocwise as rw
from rocwise.cli import terminal
from rocwise.cli.dispatch import os_message
from rocwise.cli.options import Options
from rocwise.errors import InputError, count_of, in_words_of
from rocwise.inputs import first_rows, named_columns

STDIN = "-"
SAMPLE = 1000  # rows that show the type of the labels


def read_pairs(options: Options) -> rw.Pairs:
    """Labels and scores of all models, on the same rows."""
    return read_folded_pairs(options)[0]


def read_folded_pairs(options: Options) -> tuple[rw.Pairs, Any]:
    """The same, and the fold of each row where --folds names a column."""
    check_distinct(options.score, "--score")
    if options.label in options.score:
        raise InputError(
            f"--label and --score both name the column {options.label!r}; a score must be a "
            "column of its own."
        )
    _check_memory_limit(options)
    named = [options.label, *options.score, options.sample_weight, options.groups, options.folds]
    wanted = [name for name in named if name is not None]
    folds = None
    if options.folds is None and not _is_stdin(options.file):
        with columns_named({name: name for name in wanted}):
            pairs = _pairs_of_file(options)
    else:
        columns = read_columns(options.file, wanted)
        folds = None if options.folds is None else columns[options.folds]
        pairs = _of_columns(options, rw.pair, columns, _scores(options, columns))
    warn_of_dropped(pairs.origin)
    return pairs, folds


def _check_memory_limit(options: Options) -> None:
    if _is_stdin(options.file) and getattr(options, "memory_limit", None) is not None:
        raise InputError("--memory-limit goes with a file; standard input is read as a whole.")


def by_group(options: Options, function: Any, *, one_model: bool = False, **arguments: Any) -> Any:
    """The results of a function for the groups of rows that the columns of --by define."""
    check_distinct(options.score, "--score")
    _check_memory_limit(options)
    if options.folds is not None:
        raise InputError("--by does not go with --folds; select the rows of one group.")
    if _is_stdin(options.file):
        more = [name for name in (options.sample_weight, options.groups) if name is not None]
        names = [options.label, *options.score, *options.by, *more]
        columns = read_columns(options.file, list(dict.fromkeys(names)))
        scores = columns[options.score[0]] if one_model else _scores(options, columns)
        by = {name: columns[name] for name in options.by}
        found = _of_columns(options, function, columns, scores, by=by, **arguments)
    else:
        with opening():
            found = function(
                options.file,
                score=options.score[0] if one_model else options.score,
                by=options.by if len(options.by) > 1 else options.by[0],
                pos_label=typed_label(options),
                **options.given("label", "sample_weight", "groups", "memory_limit"),
                **options.given("direction", "missing"),
                **arguments,
            )
    warn_of_dropped(found.origin)
    return found


def _scores(options: Options, columns: Mapping[str, Any]) -> dict[str, Any]:
    return {name: columns[name] for name in options.score}


def _of_columns(
    options: Options, function: Any, columns: Mapping[str, Any], scores: Any, **arguments: Any
) -> Any:
    """The result of a function for columns in memory."""
    with columns_named(
        score_names(options) | options.given("sample_weight", "groups"), y_true=options.label
    ):
        return function(
            columns[options.label],
            scores,
            pos_label=label_value(options.pos_label, columns[options.label]),
            **options.given("direction", "missing"),
            **row_arguments(options, columns),
            **arguments,
        )


def score_names(options: Options) -> dict[str, str]:
    """The columns of scores by what errors of the library call them."""
    return {f"scores[{name!r}]": name for name in options.score}


def read_follow_up(options: Options, event: str, **codes: str | None) -> Any:
    """Rows with censored outcomes; `codes` of events are typed as their column is."""
    check_distinct(options.score, "--score")
    roles = ("entry", "sample_weight", "groups")
    named = {role: column for role in roles if (column := getattr(options, role, None))}
    columns = read_columns(options.file, [options.time, event, *options.score, *named.values()])
    with columns_named(score_names(options) | named, time=options.time, event=event):
        f = rw.survival.follow_up(
            columns[options.time],
            columns[event],
            _scores(options, columns),
            **{name: label_value(text, columns[event]) for name, text in codes.items()},
            **{role: columns[column] for role, column in named.items()},
            **options.given("direction", "missing"),
        )
    warn_of_dropped(f.origin)
    return f


def warn_of_dropped(origin: Any) -> None:
    """Report rows that were left out."""
    if origin.n_dropped:
        terminal.warning(f"{count_of(origin.n_dropped, 'row')} with missing values left out.")


def _pairs_of_file(options: Options) -> rw.Pairs:
    """Pairs of a file whose rows are read if they fit into memory."""
    with opening():
        return rw.pair(
            options.file,
            scores=options.score,
            pos_label=typed_label(options),
            memory_limit=getattr(options, "memory_limit", None),
            **options.given("label", "groups", "sample_weight", "direction", "missing"),
        )


@contextmanager
def opening() -> Iterator[None]:
    """Context manager: a file that cannot be opened is invalid input; a full disk is not."""
    try:
        yield
    except OSError as problem:
        if problem.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise InputError(os_message(problem)) from None
        reason = in_words_of(str(problem.strerror), {"memory_limit": "--memory-limit"})
        raise OSError(problem.errno, reason, problem.filename) from None


def typed_label(options: Options) -> Any:
    """The positive label with the type of the file's labels, from its first rows."""
    if options.pos_label is None:
        return None
    some = first_rows(options.file, SAMPLE, [options.label, *options.score])
    return label_value(options.pos_label, some.get(options.label))


def source_name(options: Options) -> str:
    """The name of the source in headings."""
    return terminal.printable("standard input" if _is_stdin(options.file) else str(options.file))


def check_distinct(names: Sequence[str], option: str) -> None:
    """Raise if an option names a column twice."""
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{option} {name} is given twice; each model needs its own column.")


@contextmanager
def columns_named(arguments: Mapping[str, Any] = {}, **more: Any) -> Iterator[None]:
    """Context manager: errors about arguments of the library name the columns passed as them."""
    try:
        yield
    except InputError as problem:
        if re.match(r"no column is called '[^']*,", str(problem)):
            raise InputError(f"{problem} Repeat the option for each column.") from None
        columns = {**arguments, **more}.items()
        raise problem.in_words_of({key: f"column {name!r}" for key, name in columns}) from None


def _is_stdin(file: Any) -> bool:
    return str(file) == STDIN


def read_columns(file: Any, wanted: Sequence[str]) -> dict[str, Any]:
    """The columns by name."""
    with opening():
        return _from_stdin(file, wanted) if _is_stdin(file) else named_columns(file, wanted)


class StandardInput(io.BytesIO):
    """The bytes of standard input, and what was requested of their text."""

    name = "standard input"
    requested: Any = None


def _from_stdin(file: Any, wanted: Sequence[str]) -> dict[str, Any]:
    if sys.stdin is None:
        raise InputError("standard input is closed; name a file, or pass the table through a pipe.")
    if sys.stdin.isatty():
        terminal.note("Type or paste csv lines, the first with the column names; end with Ctrl-D.")
    content = StandardInput(_unpacked(sys.stdin.buffer.read()))
    if not isinstance(file, str):
        content.requested = dataclasses.replace(file, path=content.name)
    return named_columns(content, wanted)


def _unpacked(content: bytes) -> bytes:
    """The bytes, also of a file that gzip has packed."""
    if not content.startswith(b"\x1f\x8b"):
        return content
    import gzip
    import zlib

    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(f"standard input cannot be unpacked: {problem}.") from None


def column_of_file(options: Options, name: str) -> Any:
    """A column with the numbers of its rows, for errors; None of standard input, read already."""
    return None if _is_stdin(options.file) else read_columns(options.file, [name])[name]


def label_value(text: str | None, labels: Any) -> Any:
    """The typed label with the type of the column's values."""
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


def class_columns(options: Options, further: Sequence[str] = ()) -> dict[str, Any]:
    """The columns of label, scores, weights and clusters of data with several classes."""
    more = [name for name in (options.sample_weight, options.groups) if name is not None]
    wanted = [options.label, *options.score, *further, *more]
    for name in wanted:
        if wanted.count(name) > 1:
            raise InputError(f"column {name} is named twice; each must be a column of its own.")
    return read_columns(options.file, wanted)


def row_arguments(options: Options, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Weights and clusters of the rows, where options name columns of them."""
    named = {"sample_weight": options.sample_weight, "groups": options.groups}
    return {name: columns[column] for name, column in named.items() if column is not None}


def typed_labels(texts: Sequence[str] | None, labels: Any) -> list[Any] | None:
    """Typed labels with the type of the column's values."""
    if texts is None:
        return None
    typed = [label_value(text, labels) for text in texts]
    return [int(each) if isinstance(each, float) and each.is_integer() else each for each in typed]


def given_costs(options: Options) -> rw.Costs | None:
    """The costs of two-class decisions; None when none is given."""
    right = {name: getattr(options, f"cost_{name}", None) for name in ("tp", "tn")}
    if options.cost_fp is None and options.cost_fn is None:
        if any(cost is not None for cost in right.values()):
            raise InputError("--cost-tp and --cost-tn go with --cost-fp and --cost-fn.")
        return None
    if options.cost_fp is None or options.cost_fn is None:
        absent = "--cost-fp" if options.cost_fp is None else "--cost-fn"
        raise InputError(f"a cost has a meaning only relative to the other one: add {absent}.")
    return rw.Costs(
        fp=options.cost_fp, fn=options.cost_fn, tp=right["tp"] or 0.0, tn=right["tn"] or 0.0
    )


def cost_table(text: str | None) -> list[list[float]] | None:
    """A cost matrix: rows of true classes by semicolons, predicted classes by commas."""
    if text is None:
        return None
    try:
        rows = [[float(cell) for cell in row.split(",")] for row in text.split(";")]
    except ValueError:
        rows = []
    if not rows or any(len(row) != len(rows) for row in rows):
        raise InputError(
            "--costs must be a square table, rows of true classes by semicolons and costs of "
            f"predicted classes by commas, such as '0,1,4;1,0,1;4,1,0'; got {text!r}."
        )
    return rows
