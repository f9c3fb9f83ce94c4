"""Columns that are not labels beside scores: scores alone, and rows split into subgroups."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocwise import checks
from rocwise.errors import InputError, count_of
from rocwise.inputs.labels import positive_mask
from rocwise.inputs.rows import same_length, without_missing
from rocwise.inputs.scores import score_column
from rocwise.inputs.vectors import as_vector
from rocwise.primitives.tallies import ScoreColumn, Tally
from rocwise.results import Origin


def score_values(y_score: Any, *, missing: str = "raise") -> NDArray[np.float64]:
    """Scores without labels, as float64 in row order.

    >>> score_values([1, 0.5]).tolist()
    [1.0, 0.5]
    """
    columns, _ = without_missing({"y_score": as_vector(y_score, "y_score")}, missing)
    if not len(columns["y_score"]):
        raise InputError("`y_score` is empty; at least one score is needed.")
    column = score_column(columns["y_score"], "y_score", direction="higher", origin=Origin())
    if column.origin.categories:
        raise InputError(
            "`y_score` holds ordered categories, which only have an order; pass numbers."
        )
    values = column.oriented if column.meanings is None else column.meanings
    return values.astype(np.float64)


def tallies_by_group(
    y_true: Any,
    y_score: Any,
    groups: Any,
    *,
    pos_label: Any = None,
    direction: str = "higher",
    missing: str = "raise",
) -> tuple[Tally, dict[str, Tally]]:
    """The tally of all rows, and one for each group by name, in sorted order.

    >>> whole, parts = tallies_by_group([0, 1, 0, 1], [1, 2, 3, 4], ["a", "a", "b", "b"])
    >>> list(parts), parts["b"].n_pos
    (['a', 'b'], 1)
    """
    checks.one_of(direction, "direction", ("higher", "lower"))
    columns = {"y_true": y_true, "y_score": y_score, "groups": groups}
    vectors = {name: as_vector(values, name) for name, values in columns.items()}
    same_length(vectors)
    vectors, n_dropped = without_missing(vectors, missing)
    mask = positive_mask(vectors["y_true"], pos_label, "y_true")
    frame = next((vector.frame for vector in vectors.values() if vector.frame), None)
    origin = Origin(frame=frame, n_dropped=n_dropped)
    column = score_column(vectors["y_score"], "y_score", direction=direction, origin=origin)
    labels = vectors["groups"].values
    if vectors["groups"].categories:
        labels = np.asarray(vectors["groups"].categories)[labels]
    names, codes = np.unique(labels, return_inverse=True)
    parts = {}
    for code, name in enumerate(names.tolist()):
        inside = codes == code
        _refuse_one_class(mask[inside], str(name))
        own = replace(column.origin, name=str(name))
        part = ScoreColumn(np.ascontiguousarray(column.oriented[inside]), column.meanings, own)
        parts[str(name)] = Tally.from_rows(mask[inside], part)
    return Tally.from_rows(mask, column), parts


def _refuse_one_class(mask: NDArray[np.uint8], group: str) -> None:
    n_pos = int(mask.sum())
    if 0 < n_pos < len(mask):
        return
    absent = "positive" if n_pos == 0 else "negative"
    raise InputError(
        f"`groups` has a group {group!r} without a {absent} example "
        f"({count_of(len(mask), 'row')}), so it can have no threshold of its own. Join it with "
        "another group, or leave its rows out."
    )
