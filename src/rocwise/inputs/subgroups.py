"""Columns that are not labels beside scores: scores alone, and rows split into subgroups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import numpy as np

from rocwise import kernels
from rocwise.arrays import Counts, Floats, Mask, Places
from rocwise.data.pairs import Pairs
from rocwise.data.tally import Tally, float_scores
from rocwise.errors import InputError, count_of, shown
from rocwise.inputs.clean_rows import (
    Direction,
    Missing,
    ModelRows,
    frame_vectors,
    of_counts,
    one_model,
    pairs_of,
    refuse_label_as_score,
)
from rocwise.inputs.columns.scores import score_column
from rocwise.inputs.columns.vectors import Vector, as_vector
from rocwise.inputs.rows import same_length, without_missing
from rocwise.results import Origin


@dataclass(frozen=True, slots=True)
class GroupedColumns:
    """Complete columns of one model and the group of each row; the fields name the columns."""

    columns: dict[str, Vector]
    n_dropped: int
    label: str
    score: str
    weight: str | None
    clusters: str | None
    by: str

    @property
    def title(self) -> str:
        """What the groups are called."""
        return self.columns[self.by].name or "group"

    def model(self, pos_label: Any, direction: Direction) -> ModelRows:
        """The rows of all groups."""
        return one_model(
            self.columns,
            n_dropped=self.n_dropped,
            names=(self.label, self.score, self.weight),
            pos_label=pos_label,
            direction=direction,
        )

    def tallies(
        self, pos_label: Any, direction: Direction, resolution: int | None
    ) -> dict[Any, Tally]:
        """The tally of each group, groups sorted."""
        whole = self.model(pos_label, direction)
        parts = {name: whole.part(rows) for name, rows in self._places(whole).items()}
        return {name: part.tally(resolution) for name, part in parts.items()}

    def pairs(self, whole: Pairs) -> dict[Any, Pairs]:
        """The rows of each group with their clusters, as pairs of one model, groups sorted."""
        return {name: whole.rows(rows) for name, rows in self._places(whole).items()}

    def all_pairs(self, pos_label: Any, direction: Direction) -> Pairs:
        """The rows of all groups with their clusters, as pairs of one model."""
        return pairs_of(
            self.columns,
            n_dropped=self.n_dropped,
            label=self.label,
            models={"score" if self.score == "y_score" else self.score: self.score},
            groups=self.clusters,
            weights=self.weight,
            pos_label=pos_label,
            direction=direction,
        )

    def _places(self, whole: ModelRows | Pairs) -> dict[Any, Places]:
        """The rows of each group; refuses a group in which a class is absent."""
        names, codes = self.codes(whole.mask, whole.weights)
        order = np.argsort(codes, kind="stable")
        ends = np.cumsum(np.bincount(codes, minlength=len(names)))
        return dict(zip(names, np.split(order, ends[:-1]), strict=True))

    def codes(self, mask: Mask, weights: Floats | None) -> tuple[list[Any], Places]:
        """The groups, sorted, and the number of each row's; refuses one in which a class is absent.

        `mask` is 1 for a positive row; a class is absent, too, if all its rows have weight 0.
        """
        groups = self.columns[self.by]
        if groups.categories:
            found, codes = kernels.distinct(np.asarray(groups.categories)[groups.values])
        else:
            found, codes = groups.distinct()
        names = found.tolist()
        if found.dtype == object:
            _refuse_nested(names, self.by)
        n_neg, n_pos = _class_sizes(codes, mask, len(names)).T
        one_class = np.flatnonzero((n_pos == 0) | (n_neg == 0))
        if len(one_class):
            k = int(one_class[0])
            rows = n_neg[k] + n_pos[k]
            size = rows if groups.counts is None else groups.counts[codes == k].sum()
            refuse_group(names[k], self.by, int(n_pos[k]), int(size))
        if weights is not None and not (heavy := weights > 0).all():
            sizes = _class_sizes(codes[heavy], mask[heavy], len(names))
            self._refuse_weightless(names, sizes)
        return names, codes

    def _refuse_weightless(self, names: list[Any], sizes: Counts) -> None:
        """Refuse a group in which no negative or no positive row has any weight."""
        absent = np.argwhere(sizes == 0)
        if len(absent):
            group, kind = absent[0].tolist()
            raise InputError(
                f"`{self.weight}` is 0 for every {('negative', 'positive')[kind]} row of the group "
                f"{names[group]!r} in `{self.by}`, so it can have no answer of its own. Join it "
                "with another group, or leave its rows out."
            )


def _class_sizes(codes: Places, mask: Mask, groups: int) -> Counts:
    """Negatives and positives of each group, (groups, 2)."""
    return np.bincount(2 * codes + (mask != 0), minlength=2 * groups).reshape(groups, 2)


def _refuse_nested(names: list[Any], by: str) -> None:
    """Refuse groups that are called by lists, arrays and the like."""
    for name in names:
        if isinstance(name, (list, dict, set, np.ndarray)):
            raise InputError(
                f"`{by}` must hold one value in each row, the name of its group; got {shown(name)}."
            )


def grouped_columns(
    data: Any,
    y_score: Any,
    by: Any,
    *,
    label: str | None = None,
    score: str | None = None,
    groups: Any = None,
    sample_weight: Any = None,
    missing: Missing = "raise",
    argument: str = "by",
) -> GroupedColumns:
    """Columns to be split into groups.

    `data` and `y_score` are columns, and so are `by`, `groups` (clusters of rows that are not
    independent) and `sample_weight`; or `data` is a frame or path, and these are names of its
    columns, as are `label` and `score`.

    >>> split = grouped_columns([0, 1, 0, 1], [1, 2, 3, 4], ["a", "a", "b", "b"])
    >>> split.title, list(split.tallies(None, "higher", None))
    ('group', ['a', 'b'])
    """
    if label is None or score is None:
        given = {"y_true": data, "y_score": y_score, "sample_weight": sample_weight}
        given |= {"groups": groups, argument: by}
        columns = {name: as_vector(v, name) for name, v in given.items() if v is not None}
        names = ("y_true", "y_score", "sample_weight", "groups", argument)
    else:
        refuse_label_as_score(label, [score])
        names = (label, score, sample_weight, groups, by)
        if groups is None:
            complete = partial(without_missing, missing=missing)
            return GroupedColumns(*of_counts(data, names, sample_weight, complete), *names)
        columns = frame_vectors(data, names)
    same_length(columns)
    columns, n_dropped = without_missing(columns, missing)
    return GroupedColumns(columns, n_dropped, *names)


def refuse_group(name: Any, argument: str, n_pos: int, size: int) -> NoReturn:
    """Refuse a group of rows in which a class is absent."""
    absent = "negative" if n_pos else "positive"
    raise InputError(
        f"`{argument}` has a group {name!r} without a {absent} example "
        f"({count_of(size, 'row')}), so it can have no answer of its own. Join it with "
        "another group, or leave its rows out."
    )


def score_values(y_score: Any, *, missing: Missing = "raise") -> Floats:
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
    if column.meanings is None:
        return column.oriented.astype(np.float64)
    return float_scores(column.meanings[column.oriented.astype(np.intp)])
