"""Rows of labels and scores, checked and complete: the data of a tally or of pairs.

Columns may be rows, or distinct rows with their counts; the same code cleans both.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, TypeVar, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Codes, Counts, Floats, Mask, Places
from rocwise.data.pairs import Pairs
from rocwise.data.range_states import binned
from rocwise.data.tally import ScoreColumn, Tally, float_scores, numbered
from rocwise.errors import InputError, count_of, listed, shown
from rocwise.inputs.labels import positive_mask
from rocwise.inputs.scores import cached_origin, owned, score_column
from rocwise.inputs.vectors import Vector, as_vector, columns_by_name, from_narwhals
from rocwise.results import Origin

if TYPE_CHECKING:  # engines are loaded where a frame or a file comes
    from rocwise.engines import CountedRows


SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-140, 1e140  # their squares, and sums of them, are floats


def same_length(columns: Mapping[str, Vector]) -> int:
    """The common length of all columns, or an error that states both lengths."""
    first_name, first = next(iter(columns.items()))
    size, indexed = len(first.values), False
    for name, column in columns.items():
        if len(column.values) != size:
            raise InputError(
                f"`{first_name}` has {size:,} values but `{name}` has {len(column):,}; "
                "they must describe the same rows."
            )
        indexed = indexed or column.index is not None
    if indexed:
        _same_index(columns)
    return size


def _same_index(columns: Mapping[str, Vector]) -> None:
    """An error for pandas Series whose indexes differ, since rows may not correspond."""
    named = [(name, column.index) for name, column in columns.items() if column.index is not None]
    for name, index in named[1:]:
        first_name, first = named[0]
        if index is first or index.equals(first):
            continue
        labels = enumerate(zip(first, index, strict=True))
        place = next((k for k, pair in labels if _differ(*pair)), None)
        if place is None:
            continue
        own = name.partition("[:")[0]  # a column of a table is aligned with the table
        again = (
            f"They hold the same labels in another order: pass {own}.loc[{first_name}.index] "
            "to align them"
            if first.is_unique and index.is_unique and len(first.difference(index)) == 0
            else "Align them first"
        )
        raise InputError(
            f"`{first_name}` and `{name}` are pandas Series with different indexes: row {place} is "
            f"{listed([first[place]])} in one and {listed([index[place]])} in the other. {again}, "
            f"or pass {own}.to_numpy() if row k of one belongs to row k of the other."
        )


def _differ(one: Any, other: Any) -> bool:
    """Whether two labels differ; nan is equal to nan, as in pandas."""
    return bool(one != other) and not bool(one != one and other != other)


def without_missing(columns: Mapping[str, Vector], missing: str) -> tuple[dict[str, Vector], int]:
    """Complete rows of columns of one length, and how many were left out (`missing="drop"`)."""
    checks.one_of(missing, "missing", ("raise", "drop"))
    same_length(columns)
    gaps = {name: column.missing for name, column in columns.items() if column.missing is not None}
    if not gaps:
        return dict(columns), 0
    if missing == "raise":
        name, flags = next(iter(gaps.items()))
        where = columns[name].at(int(flags.argmax()))
        raise InputError(
            f"`{name}` has {count_of(columns[name].n_rows(flags), 'missing value')}"
            f"{where and f' (first{where})'}. Pass missing='drop' to leave those rows out."
        )
    absent = np.logical_or.reduce(list(gaps.values()))
    if absent.all():
        raise InputError("every row has a missing value; nothing is left to analyze.")
    kept = {name: column.kept(~absent) for name, column in columns.items()}
    return kept, next(iter(columns.values())).n_rows(absent)


def checked_weights(weights: Vector, argument: str, mask: Codes | None = None) -> Floats:
    """Weights that are finite, not negative, and not all zero, with a mask not within a class."""
    if weights.categories:  # their positions would pass for weights
        raise InputError(
            f"`{argument}` must contain numbers; got the categories {listed(weights.categories)}. "
            "Convert the column to numbers first."
        )
    if weights.values.dtype.kind not in "biuf":
        first = listed(weights.values[:1])
        raise InputError(
            f"`{argument}` must contain numbers; got {weights.values.dtype} values "
            f"(first {first}{weights.at(0)})."
        )
    values = weights.values.astype(np.float64)
    if values.min(initial=0.0) < 0 or values.max(initial=0.0) == np.inf:
        _raise_weight_outside(values, weights, argument)
    if mask is not None:
        of_positives = values * mask
        _usable_size(float(of_positives.max()), "positive", argument)
        _usable_size(float((values - of_positives).max()), "negative", argument)
    elif not values.any():
        raise InputError(f"`{argument}` is 0 for every row, so no row is left.")
    return values


def _raise_weight_outside(values: Floats, column: Vector, argument: str) -> NoReturn:
    """The error for infinite or negative weights, with the first row."""
    infinite = ~np.isfinite(values)
    bad, what = (infinite, "infinite") if infinite.any() else (values < 0, "negative")
    place = int(bad.argmax())
    raise InputError(
        f"`{argument}` has {count_of(column.n_rows(bad), f'{what} value')} (first "
        f"{values[place]:g}{column.at(place)}); weights must be finite and at least 0."
    )


def _usable_size(top: float, name: str, argument: str) -> None:
    """An error for weights of a class that are all 0, or whose squares are no finite floats."""
    if top == 0.0:
        raise InputError(f"`{argument}` is 0 for every {name} row, so ROC is undefined.")
    if not SMALLEST_WEIGHT <= top <= LARGEST_WEIGHT:
        raise InputError(
            f"`{argument}` goes up to {top:g} for {name} rows, and its squares leave the range of "
            "floating-point numbers. Divide all weights by one number, e.g. by the largest."
        )


class CleanColumns(NamedTuple):
    """Complete columns, and the weights and clusters among them."""

    columns: dict[str, Vector]
    weights: Floats | None
    clusters: Places | None
    origin: Origin


def clean_columns(
    columns: Mapping[str, Vector],
    missing: str,
    *,
    weightless: bool = False,
    weight: str = "sample_weight",
    groups: str = "groups",
) -> CleanColumns:
    """The rows in which nothing is missing and, unless `weightless`, that have any weight.

    `weight` and `groups` are the names of the columns of weights and clusters, if there are any.
    """
    kept, n_dropped = without_missing(columns, missing)
    weights = clusters = None
    if weight in kept:
        weights = checked_weights(kept[weight], weight)
        if not weightless and not weights.all():
            some = weights > 0
            kept = {name: column.kept(some) for name, column in kept.items()}
            weights = weights[some]
    if groups in kept:
        clusters = numbered(kept[groups].values)
    origin = Origin(
        frame=_frame_kind(columns),
        read_by=_read_by(columns),
        n_dropped=n_dropped,
        n_rows=None if weights is None else int(np.count_nonzero(weights)),
        n_clusters=None if clusters is None else int(clusters.max()) + 1,
    )
    return CleanColumns(kept, weights, clusters, origin)


Direction = Literal["higher", "lower"]
Missing = Literal["raise", "drop"]
ModelNames = tuple[str, str, str | None, str | None]  # of labels, scores, weights and clusters
DIRECTIONS = get_args(Direction)
T = TypeVar("T")
MOST_ROWS_TO_LOOK_THROUGH = 10_000_000  # to find the row of a wrong value


@dataclass(frozen=True, slots=True)
class ModelRows:
    """Clean rows of one model, or distinct ones with their counts; `tally` sorts them."""

    mask: Mask  # 1 for a positive row, 0 for a negative one
    column: ScoreColumn  # the scores
    weights: Floats | None  # weight of each row
    counts: Counts | None  # how many rows of the user's data each stands for; None: one each
    clusters: Places | None  # cluster of each row

    def part(self, places: Places) -> "ModelRows":
        """Some of the rows."""
        return ModelRows(
            np.ascontiguousarray(self.mask[places]),
            self.column.of(np.ascontiguousarray(self.column.oriented[places])),
            None if self.weights is None else self.weights[places],
            None if self.counts is None else self.counts[places],
            None if self.clusters is None else self.clusters[places],
        )

    def tally(self, resolution: int | None = None) -> Tally:
        """Positives and negatives at every distinct score, in bins if a resolution is given."""
        about = self.weights, self.counts, self.clusters
        counted = Tally.from_rows(self.mask, self.column, *about)
        if resolution is None:
            return counted
        return binned(counted, checks.whole(resolution, "resolution", at_least=2))


def one_model(
    columns: dict[str, Vector],
    *,
    n_dropped: int,
    names: ModelNames,
    pos_label: Any,
    direction: Direction,
) -> ModelRows:
    """One model from complete columns: labels, scores, weights and clusters by these `names`."""
    checks.one_of(direction, "direction", DIRECTIONS)
    label, score, weight, groups = names
    mask = positive_mask(columns[label], pos_label, label, columns[score])
    about = _frame_kind(columns), direction, n_dropped
    origin = cached_origin(*about, read_by=_read_by(columns))
    column = score_column(columns[score], score, direction=direction, origin=origin)
    weights = checked_weights(columns[weight], weight, mask) if weight in columns else None
    clusters = _group_codes(columns[groups], groups)[0] if groups in columns else None
    return ModelRows(mask, column, weights, columns[label].counts, clusters)


def tally_of(
    columns: dict[str, Vector],
    *,
    names: ModelNames,
    missing: Missing,
    resolution: int | None,
    **described: Any,
) -> Tally:
    """The tally of the rows in which nothing is missing."""
    columns, n_dropped = without_missing(columns, missing)
    return one_model(columns, n_dropped=n_dropped, names=names, **described).tally(resolution)


class Grouping(NamedTuple):
    """Subgroups of rows: the columns that define them, the groups in order, and that of each row.

    Of several columns a group is the tuple of its values.
    """

    columns: tuple[str, ...]
    names: list[Any]
    codes: Places

    @property
    def title(self) -> str | tuple[str, ...]:
        """The name of the column, or those of several."""
        return self.columns[0] if len(self.columns) == 1 else self.columns

    def rows(self) -> list[Places]:
        """The rows of each group, in order."""
        sizes = np.bincount(self.codes, minlength=len(self.names))
        return np.split(np.argsort(self.codes, kind="stable"), np.cumsum(sizes)[:-1])

    def class_sizes(self, mask: Mask) -> Counts:
        """Negatives and positives of each group, (groups, 2)."""
        n = len(self.names)
        return np.bincount(2 * self.codes + (mask != 0), minlength=2 * n).reshape(n, 2)


def by_columns(by: Any) -> dict[str, str]:
    """Names of the columns of subgroups of a frame or file, each by itself."""
    names = [by] if isinstance(by, str) else by
    texts = isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)
    if not texts or not names or len(set(names)) < len(names):
        raise InputError(
            f"`by` must be the name of a column, or a list of different names; got {shown(by, 60)}."
        )
    return {name: name for name in names}


def by_arrays(by: Any) -> tuple[dict[str, str], dict[str, Any]]:
    """Subgroups of rows as arguments by the names that they have in results, and their values."""
    if isinstance(by, Mapping) or hasattr(by, "columns"):
        values = columns_by_name(by, "by", "a dict of arrays", str)
        if not values:
            raise InputError("`by` is empty; at least one column of groups is needed.")
        return {name: f"by[{name!r}]" for name in values}, {
            f"by[{name!r}]": each for name, each in values.items()
        }
    vector = as_vector(by, "by")
    return {vector.name or "group": "by"}, {"by": vector}


def grouping_of(columns: Mapping[str, Vector], arguments: Mapping[str, str]) -> Grouping:
    """The groups that the columns `arguments`, by the names they have in results, define."""
    found = [columns[argument].distinct() for argument in arguments.values()]
    for (values, _), argument in zip(found, arguments.values(), strict=True):
        for value in values.tolist() if values.dtype == object else ():
            if isinstance(value, (list, dict, set, np.ndarray)):
                raise InputError(
                    f"`{argument}` must contain one value in each row, the name of its group; got "
                    f"{shown(value)}."
                )
    names, codes = found[0][0].tolist(), found[0][1]
    if len(found) > 1:
        shape = tuple(len(values) for values, _ in found)
        cells = np.ravel_multi_index(tuple(each for _, each in found), shape)
        used, codes = np.unique(cells, return_inverse=True)
        parts = zip(np.unravel_index(used, shape), found, strict=True)
        names = list(zip(*(values[own].tolist() for own, (values, _) in parts), strict=True))
    return Grouping(tuple(arguments), names, codes)


def pairs_of(columns: dict[str, Vector], *, missing: Missing = "raise", **described: Any) -> Pairs:
    """Pairs of the complete rows of columns; see `complete_pairs`."""
    columns, n_dropped = without_missing(columns, missing)
    return complete_pairs(columns, n_dropped, **described)


def complete_pairs(
    columns: dict[str, Vector],
    n_dropped: int,
    *,
    label: str,
    models: Mapping[str, str],
    groups: str | None,
    weights: str | None,
    pos_label: Any = None,
    direction: Direction = "higher",
) -> Pairs:
    """Pairs of columns without missing values, which have these names."""
    checks.one_of(direction, "direction", DIRECTIONS)
    mask = positive_mask(columns[label], pos_label, label)
    origin = Origin(
        frame=_frame_kind(columns),
        direction=direction,
        n_dropped=n_dropped,
        read_by=_read_by(columns),
    )
    scores = {
        model: owned(
            score_column(
                columns[name],
                name,
                direction=direction,
                origin=replace(origin, name=model),
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
        weights=checked_weights(columns[weights], weights, mask) if weights in columns else None,
        origin=replace(origin, n_clusters=number),
    )


def vectors_of(given: Mapping[str, Any], required: Sequence[str] = ()) -> dict[str, Vector]:
    """The arguments that were passed as vectors by name."""
    return {
        name: as_vector(values, name)
        for name, values in given.items()
        if values is not None or name in required
    }


def frame_vectors(frame_or_path: Any, wanted: Sequence[str | None]) -> dict[str, Vector]:
    """The wanted columns of a frame or file by name, row by row."""
    from rocwise.engines import columns_of

    return vectors_by_name(*columns_of(frame_or_path, _distinct(wanted)))


def counted_columns(counted: "CountedRows") -> dict[str, Vector]:
    """Counted rows as vectors by name."""
    vectors = vectors_by_name(counted.columns, counted.library)
    return {name: replace(vector, counts=counted.counts) for name, vector in vectors.items()}


def of_counts(
    frame_or_path: Any,
    wanted: Sequence[str | None],
    weight: str | None,
    compute: Callable[[dict[str, Vector]], T],
) -> T:
    """A result of counted rows; errors are raised again from the rows, with their numbers."""
    from rocwise.engines import counted_rows

    columns = counted_columns(counted_rows(frame_or_path, _distinct(wanted), weight))
    try:
        return compute(columns)
    except InputError:
        first = next(iter(columns.values()))
        if first.counts is None or first.n_rows() > MOST_ROWS_TO_LOOK_THROUGH:
            raise
    return compute(frame_vectors(frame_or_path, wanted))


def check_score_columns(label: Any, scores: Sequence[Any]) -> None:
    """An error for a score that is the label itself, and for columns without name."""
    if label is None or None in scores:
        raise InputError("`label` and `score` must each be the name of a column; got None.")
    if label in scores:
        raise InputError(
            f"`label` and `score` both name the column {label!r}; a score must be a column of "
            "its own."
        )


def _distinct(names: Sequence[str | None]) -> list[str]:
    return list(dict.fromkeys(name for name in names if name is not None))


def vectors_by_name(columns: dict[str, Any], library: str | None) -> dict[str, Vector]:
    """Columns of an engine as vectors by name."""
    if library is None:
        return {name: replace(as_vector(v, name), name=name) for name, v in columns.items()}
    named = {name: from_narwhals(values, name, library) for name, values in columns.items()}
    return {name: replace(vector, name=name) for name, vector in named.items()}


def _frame_kind(columns: Mapping[str, Vector]) -> str | None:
    return next((column.frame for column in columns.values() if column.frame), None)


def _read_by(columns: Mapping[str, Vector]) -> str | None:
    """How the file was read, where that is not the usual way."""
    files = (column.file for column in columns.values() if column.file is not None)
    return next((file.read_as for file in files), None)


def _group_codes(groups: Vector, argument: str) -> tuple[Places, int]:
    """The number of the group of each row, and how many groups there are."""
    try:
        names, codes = groups.distinct()
    except TypeError:
        raise InputError(
            f"`{argument}` must contain numbers or text; got {listed(groups.values[:1])}."
        ) from None
    return codes.astype(np.intp, copy=False), len(names)


def score_values(y_score: Any, *, missing: Missing = "raise") -> Floats:
    """Scores without labels, as float64 in row order."""
    columns, _ = without_missing({"y_score": as_vector(y_score, "y_score")}, missing)
    if not len(columns["y_score"]):
        raise InputError("`y_score` is empty; at least one score is needed.")
    column = score_column(columns["y_score"], "y_score", direction="higher", origin=Origin())
    if column.origin.categories:
        raise InputError(
            "`y_score` contains ordered categories, which only have an order; pass numbers."
        )
    if column.meanings is None:
        return column.oriented.astype(np.float64)
    return float_scores(column.meanings[column.oriented.astype(np.intp)])
