"""Columns of labels and scores, cleaned: the one way from what came to a tally or pairs.

Columns may be rows, or distinct rows with their counts; the same code cleans both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Counts, Floats, Mask, Places
from rocwise.data.pairs import Pairs
from rocwise.data.range_states import binned
from rocwise.data.tally import ScoreColumn, Tally
from rocwise.errors import InputError, listed
from rocwise.inputs.columns.labels import positive_mask
from rocwise.inputs.columns.scores import owned, score_column
from rocwise.inputs.columns.vectors import Vector, as_vector
from rocwise.inputs.rows import checked_weights, same_length, without_missing
from rocwise.results import Origin

if TYPE_CHECKING:  # engines are loaded where a frame or a file comes
    from rocwise.engines import CountedRows

Direction = Literal["higher", "lower"]
Missing = Literal["raise", "drop"]
DIRECTIONS = get_args(Direction)
T = TypeVar("T")
NOTHING_TO_SAY = Origin()  # of plain arrays
MOST_ROWS_TO_LOOK_THROUGH = 10_000_000  # for the row of a value that is refused


@dataclass(frozen=True, slots=True)
class ModelRows:
    """Clean rows of one model, or distinct ones with their counts; `tally` sorts them.

    Attributes
    ----------
    mask : ndarray of uint8
        1 for a positive row, 0 for a negative one.
    column : ScoreColumn
        The scores.
    weights : ndarray of float or None
        Weight of each row.
    counts : ndarray of int or None
        How many rows of the user's data each stands for; None: one each.
    """

    mask: Mask
    column: ScoreColumn
    weights: Floats | None
    counts: Counts | None

    def part(self, places: Places) -> ModelRows:
        """Some of the rows."""
        return ModelRows(
            np.ascontiguousarray(self.mask[places]),
            self.column.of(np.ascontiguousarray(self.column.oriented[places])),
            None if self.weights is None else self.weights[places],
            None if self.counts is None else self.counts[places],
        )

    def tally(self, resolution: int | None = None) -> Tally:
        """Positives and negatives at every distinct score, in bins if a resolution is given."""
        counted = Tally.from_rows(self.mask, self.column, self.weights, self.counts)
        if resolution is None:
            return counted
        return binned(counted, checks.whole(resolution, "resolution", at_least=2))


def one_model(
    columns: dict[str, Vector],
    *,
    n_dropped: int,
    names: tuple[str, str, str | None],
    pos_label: Any,
    direction: Direction,
) -> ModelRows:
    """One model from complete columns; `names` are those of labels, scores and weights."""
    checks.one_of(direction, "direction", DIRECTIONS)
    label, score, weight = names
    mask = positive_mask(columns[label], pos_label, label, columns[score])
    frame = _frame_kind(columns)
    origin = Origin(frame=frame, n_dropped=n_dropped) if frame or n_dropped else NOTHING_TO_SAY
    column = score_column(columns[score], score, direction=direction, origin=origin)
    weights = checked_weights(columns[weight], mask, weight) if weight in columns else None
    return ModelRows(mask, column, weights, columns[label].counts)


def tally_of(
    columns: dict[str, Vector],
    *,
    names: tuple[str, str, str | None],
    missing: Missing,
    resolution: int | None,
    **described: Any,
) -> Tally:
    """The tally of the rows in which nothing is missing."""
    same_length(columns)
    columns, n_dropped = without_missing(columns, missing)
    return one_model(columns, n_dropped=n_dropped, names=names, **described).tally(resolution)


def complete_pairs(columns: dict[str, Vector], *, missing: Missing, **described: Any) -> Pairs:
    """Pairs of the rows in which nothing is missing."""
    same_length(columns)
    columns, n_dropped = without_missing(columns, missing)
    return pairs_of(columns, n_dropped=n_dropped, **described)


def pairs_of(
    columns: dict[str, Vector],
    *,
    n_dropped: int,
    label: str,
    models: Mapping[str, str],
    groups: str | None,
    weights: str | None,
    pos_label: Any,
    direction: Direction,
) -> Pairs:
    """Pairs of complete columns, each option the name of the column that it stands for."""
    checks.one_of(direction, "direction", DIRECTIONS)
    mask = positive_mask(columns[label], pos_label, label)
    frame = _frame_kind(columns)
    scores = {
        model: owned(
            score_column(
                columns[name],
                name,
                direction=direction,
                origin=Origin(frame=frame, n_dropped=n_dropped, name=model),
            ),
            columns[name],
        )
        for model, name in models.items()
    }
    clusters, number = _group_codes(columns[groups], groups) if groups in columns else (None, None)
    return Pairs(
        mask,
        scores,
        groups=clusters,
        weights=checked_weights(columns[weights], mask, weights) if weights in columns else None,
        origin=Origin(frame=frame, n_dropped=n_dropped, direction=direction, n_clusters=number),
    )


def frame_vectors(frame_or_path: Any, wanted: Sequence[str | None]) -> dict[str, Vector]:
    """The wanted columns of a frame or file by name, row by row."""
    from rocwise.engines import columns_of

    return _vectors(*columns_of(frame_or_path, _distinct(wanted)))


def counted_vectors(
    frame_or_path: Any, wanted: Sequence[str | None], weight: str | None
) -> dict[str, Vector]:
    """The same, but equal rows may be counted where they are stored."""
    from rocwise.engines import counted_rows

    return counted_columns(counted_rows(frame_or_path, _distinct(wanted), weight))


def counted_columns(counted: CountedRows) -> dict[str, Vector]:
    """Counted rows as vectors by name."""
    vectors = _vectors(counted.columns, counted.library)
    return {name: replace(vector, counts=counted.counts) for name, vector in vectors.items()}


def of_counts(
    frame_or_path: Any,
    wanted: Sequence[str | None],
    weight: str | None,
    ask: Callable[[dict[str, Vector]], T],
) -> T:
    """Ask counted rows; what they are refused for is said again with the number of the row."""
    columns = counted_vectors(frame_or_path, wanted, weight)
    try:
        return ask(columns)
    except InputError:
        first = next(iter(columns.values()))
        if first.counts is None or first.n_rows() > MOST_ROWS_TO_LOOK_THROUGH:
            raise
    return ask(frame_vectors(frame_or_path, wanted))


def refuse_label_as_score(label: Any, scores: Sequence[Any]) -> None:
    """Refuse a score that is the class itself (its area would be 1), and columns without name."""
    if label is None or None in scores:
        raise InputError("`label` and `score` must each be the name of a column; got None.")
    if label in scores:
        raise InputError(
            f"`label` and `score` both name the column {label!r}; a score must be a column of "
            "its own."
        )


def _distinct(names: Sequence[str | None]) -> list[str]:
    return list(dict.fromkeys(name for name in names if name is not None))


def _vectors(columns: dict[str, Any], library: str | None) -> dict[str, Vector]:
    if library is None:
        return {name: replace(as_vector(v, name), name=name) for name, v in columns.items()}
    from rocwise.inputs.columns.series import from_narwhals

    return {name: from_narwhals(values, name, library) for name, values in columns.items()}


def _frame_kind(columns: Mapping[str, Vector]) -> str | None:
    for column in columns.values():
        if column.frame:
            return column.frame
    return None


def _group_codes(groups: Vector, argument: str) -> tuple[Places, int]:
    """The number of the group of each row, and how many groups there are."""
    try:
        names, found = groups.distinct()
        return found.astype(np.intp, copy=False), len(names)
    except TypeError:  # objects without an order: which are equal is all that matters
        values = groups.values.tolist()
    try:
        codes = {value: code for code, value in enumerate(dict.fromkeys(values))}
    except TypeError:
        raise InputError(
            f"`{argument}` must hold numbers or text; got {listed(values[:1])}."
        ) from None
    return np.array([codes[value] for value in values], dtype=np.intp), len(codes)
