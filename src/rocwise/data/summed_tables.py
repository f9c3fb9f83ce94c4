"""Tables of distinct scores, summed over rows with weights, counts or clusters.

Each function answers with the arguments that make the `Tally` of the rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Array, Codes, Counts, Flags, Floats, Places, Scores
from rocwise.data.score_columns import ScoreColumn, Squares, SquaresOfRows, in_user_units
from rocwise.data.tally_rows import starts_of, tally_rows
from rocwise.kernels.row_formulas import row_by_row
from rocwise.kernels.threads import run_parts


class DescendingRows(NamedTuple):
    """Rows by descending score: which are positive, where a new score starts, scores, the rest."""

    positive: Flags
    new_score: Flags
    scores: Scores
    columns: tuple[Array, ...]


def descending_rows(mask: Codes, scores: Scores, columns: tuple[Array, ...]) -> DescendingRows:
    """Rows from the highest score down; of equal scores the last row comes first."""
    order = kernels.argsort(scores)[::-1]
    ranked = scores[order] + 0  # turns -0.0 into 0.0
    new_score = np.concatenate([[True], ranked[1:] != ranked[:-1]])
    taken = tuple(column[order] for column in columns)
    return DescendingRows(mask[order] != 0, new_score, ranked, taken)


def _by_class(positive: Flags, amounts: Amounts) -> tuple[Amounts, Amounts]:
    """Amounts of positive rows, and of negative ones; 0 at rows of the other class."""
    return np.where(positive, amounts, 0), np.where(positive, 0, amounts)


def table_of_counts(mask: Codes, column: ScoreColumn, counts: Counts) -> dict[str, Any]:
    """Rows that stand for so many each, summed per distinct score."""
    rows = descending_rows(mask, column.oriented, (counts,))
    return _summed_table(rows, starts_of(rows.new_score), column, rows.columns[0])


def table_of_unlike_rows(
    mask: Codes,
    column: ScoreColumn,
    weights: Floats | None,
    counts: Counts | None,
    clusters: Places | None,
) -> dict[str, Any]:
    """Sums per distinct score, with the rows kept; scores without weight go."""
    beside = {"weights": weights, "counts": counts, "clusters": clusters}
    given = {name: each for name, each in beside.items() if each is not None}
    ranked = descending_rows(mask, column.oriented, tuple(given.values()))
    taken = dict(zip(given, ranked.columns, strict=True))
    starts = starts_of(ranked.new_score)
    rows = tally_rows(ranked.positive, starts, **taken)
    amounts: Amounts | None = taken.get("weights", taken.get("counts"))  # None: a row counts once
    squares: Floats | None = None
    if weights is not None and not (counts is None and len(starts) == len(mask)):
        squares = row_by_row(np.square, taken["weights"])
        if counts is not None:
            amounts, squares = taken["counts"] * taken["weights"], taken["counts"] * squares
    summed = _summed_table(ranked, starts, column, amounts, squares)
    if weights is not None and squares is None:
        summed["squares"] = SquaresOfRows(*summed["table"][1:])
    n_rows = None if weights is None else rows.n_rows
    origin = replace(column.origin, n_rows=n_rows, n_clusters=rows.n_clusters)
    return summed | {"rows": rows, "origin": origin}


def _summed_table(
    rows: DescendingRows,
    starts: Places,
    column: ScoreColumn,
    amounts: Amounts | None,
    squares: Floats | None = None,
) -> dict[str, Any]:
    """Sums of amounts, or numbers of rows, and of squared weights if any, per score and class."""
    every = len(starts) == len(rows.positive)  # row has a score of its own
    parts = list(_ones(rows.positive) if amounts is None else _by_class(rows.positive, amounts))
    if squares is not None:
        parts += _by_class(rows.positive, squares)
    if not every:
        parts = run_parts(np.add.reduceat, [(part, starts) for part in parts])
    distinct = rows.scores if every else rows.scores[starts]
    if amounts is not None and amounts.min() == 0:  # scores without weight go
        kept = (parts[0] > 0) | (parts[1] > 0)
        distinct, parts = distinct[kept], [part[kept] for part in parts]
    return {
        "table": (in_user_units(distinct, column.origin.direction, column.meanings), *parts[:2]),
        "squares": None if squares is None else Squares(*parts[2:]),
        "origin": column.origin,
    }


def _ones(positive: Flags) -> tuple[Counts, Counts]:
    """Rows of each class that count once."""
    return (
        row_by_row(lambda own: own.astype(np.int64), positive, dtype=np.int64),
        row_by_row(lambda own: (~own).astype(np.int64), positive, dtype=np.int64),
    )
