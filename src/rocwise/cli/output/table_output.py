"""Answers as a table for other programs: ``--csv``, ``--markdown``, ``--latex``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rocwise.errors import spelled_out

if TYPE_CHECKING:
    from rocwise.results import Result

FORMATS = {
    "csv": "with every digit, for spreadsheets and other programs",
    "markdown": "rounded, for notes and pages",
    "latex": "rounded, a tabular for papers (package booktabs)",
}


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
    texts = [str(getattr(table, write)()) for table in tables]
    if form == "csv":
        return "\n".join(texts).rstrip("\n")
    return "\n\n".join("\n".join(map(spelled_out, text.splitlines())) for text in texts)
