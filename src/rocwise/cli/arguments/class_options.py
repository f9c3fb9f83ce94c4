"""Options and readings that the commands about more than two classes share."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _ArgumentGroup
from typing import Any

from rocwise.cli.arguments.options import add_choice, add_labelled_file, add_row_options
from rocwise.errors import InputError


def add_file_options(parser: ArgumentParser, scores: str) -> _ArgumentGroup:
    """Which file, which label, which scores, and what to do with gaps."""
    group = add_labelled_file(parser)
    group.add_argument("--score", required=True, action="append", metavar="COLUMN", help=scores)
    add_row_options(parser, group)
    add_choice(
        group,
        "--missing",
        ("raise", "drop"),
        "rows that miss something: refuse the file (default), or leave those rows out",
    )
    return group


def add_interval_options(group: _ArgumentGroup, methods: str) -> None:
    """How standard errors and intervals are made."""
    group.add_argument("--method", default="auto", help=methods)
    group.add_argument("--level", type=float, default=0.95, help="confidence level (default: 0.95)")
    group.add_argument(
        "--resamples", type=int, default=2000, metavar="N", help="of the bootstrap (default: 2000)"
    )
    group.add_argument("--seed", type=int, metavar="N", help="makes a bootstrap repeatable")


def named_columns(options: Namespace, further: list[str]) -> dict[str, Any]:
    """The columns of label and scores by name."""
    from rocwise.cli.input_files import read_columns

    more = [name for name in (options.weight, options.group) if name is not None]
    wanted = [options.label, *options.score, *further, *more]
    for name in wanted:
        if wanted.count(name) > 1:
            raise InputError(f"column {name} is named twice; each must be a column of its own.")
    return read_columns(options.file, wanted)


def described_rows(options: Namespace, columns: dict[str, Any]) -> dict[str, Any]:
    """Weights and clusters of the rows, where options name columns of them."""
    named = {"sample_weight": options.weight, "groups": options.group}
    return {name: columns[column] for name, column in named.items() if column is not None}


def typed_labels(texts: list[str] | None, labels: Any) -> list[Any] | None:
    """Labels that were typed, as the kind of value that the column holds."""
    from rocwise.cli.input_files import label_value

    if texts is None:
        return None
    typed = [label_value(text, labels) for text in texts]
    return [int(each) if isinstance(each, float) and each.is_integer() else each for each in typed]
