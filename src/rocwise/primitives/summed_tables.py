"""Tables of distinct scores, summed over rows with weights, counts or clusters.

Each function answers with the arguments that make the `Tally` of the rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rocwise import kernels
from rocwise.arrays import Amounts, Array, Codes, Counts, Flags, Floats, Places
from rocwise.primitives.score_columns import ScoreColumn, Squares, in_user_units
from rocwise.primitives.tally_rows import tally_rows


def table_of_counts(mask: Codes, column: ScoreColumn, counts: Counts) -> dict[str, Any]:
    """Rows that stand for so many each, summed per distinct score."""
    ranked = _ranked(mask, column)
    return _summed_table(ranked, column, counts[ranked.order])


def table_of_unlike_rows(
    mask: Codes,
    column: ScoreColumn,
    weights: Floats | None,
    counts: Counts | None,
    clusters: Places | None,
) -> dict[str, Any]:
    """Sums per distinct score, with the rows kept; scores without weight go."""
    ranked = _ranked(mask, column)
    weights = None if weights is None else weights[ranked.order]
    counts = None if counts is None else counts[ranked.order]
    clusters = None if clusters is None else clusters[ranked.order]
    rows = tally_rows(
        ranked.positive, ranked.new_score, weights=weights, counts=counts, clusters=clusters
    )
    amounts: Amounts
    if weights is None:
        amounts = np.ones(len(mask), np.int64) if counts is None else counts
        summed = _summed_table(ranked, column, amounts)
    else:
        amounts, squares = weights, weights * weights
        if counts is not None:
            amounts, squares = counts * amounts, counts * squares
        summed = _summed_table(ranked, column, amounts, squares)
    n_rows = None if weights is None else rows.n_rows
    origin = replace(column.origin, n_rows=n_rows, n_clusters=rows.n_clusters)
    return summed | {"rows": rows, "origin": origin}


class _Ranked(NamedTuple):
    """Rows from the most positive score down: which, whether positive, whether of a new score."""

    order: Places
    positive: Flags
    new_score: Flags
    distinct: Array


def _ranked(mask: Codes, column: ScoreColumn) -> _Ranked:
    order = kernels.argsort(column.oriented)[::-1]
    scores = column.oriented[order]
    new_score = np.concatenate([[True], scores[1:] != scores[:-1]])
    return _Ranked(order, mask[order] == 1, new_score, scores[new_score] + 0)


def _summed_table(
    ranked: _Ranked, column: ScoreColumn, amounts: Amounts, squares: Floats | None = None
) -> dict[str, Any]:
    """Sums of amounts, and of squared weights if any, per distinct score and class."""
    distinct, first = ranked.distinct, np.flatnonzero(ranked.new_score)

    def by_class(values: Amounts) -> list[Amounts]:
        parts = (np.where(own, values, 0) for own in (ranked.positive, ~ranked.positive))
        if len(first) == len(values):  # every row has a score of its own
            return list(parts)
        return [np.add.reduceat(part, first) for part in parts]

    pos, neg = by_class(amounts)
    of_squares = None if squares is None else by_class(squares)
    kept = (pos > 0) | (neg > 0)
    if not kept.all():
        distinct, pos, neg = distinct[kept], pos[kept], neg[kept]
        of_squares = None if of_squares is None else [part[kept] for part in of_squares]
    return {
        "table": (in_user_units(distinct, column.origin.direction, column.meanings), pos, neg),
        "squares": None if of_squares is None else Squares(*of_squares),
        "origin": column.origin,
    }
