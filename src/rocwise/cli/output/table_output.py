"""Answers as a table for other programs: ``--csv``, ``--markdown``, ``--latex``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rocwise.errors import spelled_out

if TYPE_CHECKING:
    from rocwise.results import Result

FORMATS = {
    "csv": "with every digit, for spreadsheets and other programs",
    "markdown": "rounded, for notes and pages",
    "latex": "rounded, a tabular for papers (package booktabs)",
}
MANY = 1_000  # rows; fewer are written by the answer itself


def table_text(answers: Mapping[str, Result], form: str) -> str:
    """The table of one answer; of several models one table, with the model in the first column."""
    from rocwise.results import ModelAnswers

    (first, *others) = answers.values()
    columns = list(first._table_columns())
    if others and all(list(each._table_columns()) == columns for each in others):
        tables: list[Result] = [ModelAnswers(answers=dict(answers))]
    else:  # one model, or answers that share no columns
        tables = [first, *others]
    write = {"csv": "to_csv", "markdown": "to_markdown", "latex": "to_latex"}[form]
    texts = [
        (form == "csv" and _long_csv(table._table_columns())) or str(getattr(table, write)())
        for table in tables
    ]
    if form == "csv":
        return "\n".join(texts).rstrip("\n")
    return "\n\n".join("\n".join(map(spelled_out, text.splitlines())) for text in texts)


def _long_csv(columns: Mapping[str, Any]) -> str | None:
    """What `to_csv` writes, if all columns are long ones of numbers: column by column."""
    import numpy as np

    from rocwise import kernels

    if len(columns) < 2 or not all(map(str.isidentifier, columns)):  # else there may be quotes
        return None
    texts = []
    for column in columns.values():
        numbers, masked = np.ma.getdata(column), np.ma.is_masked(column)
        if numbers.ndim != 1 or len(numbers) < MANY or numbers.dtype not in (float, np.int64):
            return None
        if masked and numbers.dtype != float:
            return None
        if masked:
            numbers = np.where(np.ma.getmaskarray(column), np.nan, numbers)
        texts.append(kernels.joined_numbers(numbers, "\n", "").split("\n"))
    lines = map(",".join, zip(*texts, strict=True))
    return "\n".join([",".join(columns), *lines, ""])
