"""Columns that are not labels beside scores: scores alone, and rows split into subgroups."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise.arrays import Floats, Places
from rocwise.errors import InputError, count_of
from rocwise.inputs.rows import same_length, without_missing
from rocwise.inputs.scores import score_column
from rocwise.inputs.two_classes import frame_vectors, pairs_of
from rocwise.inputs.vectors import Vector, as_vector
from rocwise.primitives.pairs import Pairs
from rocwise.primitives.tallies import Tally
from rocwise.results import Origin


def score_values(y_score: Any, *, missing: str = "raise") -> Floats:
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


def pairs_by_group(
    data: Any,
    y_score: Any,
    by: Any,
    *,
    label: str | None = None,
    score: str | None = None,
    groups: Any = None,
    sample_weight: Any = None,
    pos_label: Any = None,
    direction: str = "higher",
    missing: str = "raise",
    argument: str = "by",
) -> tuple[str, dict[Any, Pairs]]:
    """What the groups are called, and the rows of each, as pairs of one model, in sorted order.

    `data` and `y_score` are columns, and so are `by`, `groups` and `sample_weight`; or `data` is
    a frame or path, and these are names of its columns, as are `label` and `score`.

    >>> name, parts = pairs_by_group([0, 1, 0, 1], [1, 2, 3, 4], ["a", "a", "b", "b"])
    >>> name, list(parts), parts["b"].n_pos
    ('group', ['a', 'b'], 1)
    """
    if label is None:
        given = {"y_true": data, "y_score": y_score, argument: by, "groups": groups}
        given["sample_weight"] = sample_weight
        vectors = {name: as_vector(v, name) for name, v in given.items() if v is not None}
        names: list[Any] = ["y_true", "y_score", argument, "groups", "sample_weight"]
        column = vectors[argument].name or "group"
    else:
        names = [label, score, by, groups, sample_weight]
        vectors = frame_vectors(data, [name for name in names if name is not None])
        column = by
    same_length(vectors)
    vectors, n_dropped = without_missing(vectors, missing)
    whole = pairs_of(
        vectors,
        n_dropped=n_dropped,
        label=names[0],
        models={"score" if label is None else names[1]: names[1]},
        groups=names[3],
        weights=names[4],
        pos_label=pos_label,
        direction=direction,
    )
    parts = {name: whole.rows(rows) for name, rows in rows_of_groups(vectors[names[2]]).items()}
    for name, part in parts.items():
        _refuse_one_class(part, name, names[2])
    return column, parts


def rows_of_groups(groups: Vector) -> dict[Any, Places]:
    """The rows of each group, groups sorted, rows in their order."""
    labels = groups.values
    if groups.categories:
        labels = np.asarray(groups.categories)[labels]
    names, codes = np.unique(labels, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(names)))
    return dict(zip(names.tolist(), np.split(order, ends[:-1]), strict=True))


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
    columns = {"y_true": y_true, "y_score": y_score, "groups": groups}
    vectors = {name: as_vector(values, name) for name, values in columns.items()}
    same_length(vectors)
    vectors, n_dropped = without_missing(vectors, missing)
    whole = pairs_of(
        vectors,
        n_dropped=n_dropped,
        label="y_true",
        models={"score": "y_score"},
        groups=None,
        weights=None,
        pos_label=pos_label,
        direction=direction,
    )
    parts = {}
    for name, rows in rows_of_groups(vectors["groups"]).items():
        part = whole.rows(rows)
        _refuse_one_class(part, name, "groups")
        parts[str(name)] = part.tally("score").named(str(name))
    return whole.tally("score"), parts


def _refuse_one_class(rows: Pairs, group: Any, argument: str) -> None:
    if rows.n_pos and rows.n_neg:
        return
    absent = "negative" if rows.n_pos else "positive"
    raise InputError(
        f"`{argument}` has a group {group!r} without a {absent} example "
        f"({count_of(len(rows), 'row')}), so it can have no answer of its own. Join it with "
        "another group, or leave its rows out."
    )
