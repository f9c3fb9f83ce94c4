"""Tallies, pairs and groups of rows that do not fit into memory: None where they do."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from rocwise import checks
from rocwise.data.range_states import BINS, RangeState
from rocwise.data.smooth_steps import SmoothPlan
from rocwise.data.summed_rows import GroupSums, SummedPairs, SummedTally
from rocwise.data.tally import Tally
from rocwise.engines import first_non_numeric, large_source
from rocwise.engines.counted_rows import CountedRows
from rocwise.engines.interrupts import interruptible
from rocwise.engines.out_of_core.large_sources import Request, Survey, group_bins
from rocwise.errors import InputError
from rocwise.inputs.grouping import absent_class, group_tallies, warn_of_undefined
from rocwise.inputs.labels import positive_mask
from rocwise.inputs.rows import (
    DIRECTIONS,
    Direction,
    Missing,
    check_score_columns,
    counted_columns,
    grouping_of,
    of_counts,
    one_model,
    tally_of,
    vectors_by_name,
    without_missing,
)
from rocwise.inputs.scores import LARGEST_EXACT_INTEGER, score_column
from rocwise.inputs.vectors import Vector, as_vector
from rocwise.kernels import PlacementSums
from rocwise.results import Origin, Undefined

if TYPE_CHECKING:
    from rocwise.engines.out_of_core.large_sources import LargeSource

Value = TypeVar("Value")
Other = TypeVar("Other")
MOST_DISTINCT = 10_000_000  # scores of a table in memory, or distinct rows of score and group
MOST_CACHED = 1000  # results of groups
EXACT_KINDS = frozenset(
    ["bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float32", "float64"]
)


@interruptible()
def tally_anywhere(
    source: Any,
    smooth: SmoothPlan | None = None,
    *,
    label: str,
    score: str,
    sample_weight: str | None = None,
    pos_label: Any = None,
    direction: Direction = "higher",
    missing: Missing = "raise",
    resolution: int | None = None,
    memory_limit: Any = None,
) -> Tally:
    """The tally of a frame or file of any size, in bins with the steps of a smooth curve."""
    checks.column_names(label=label, score=score, sample_weight=sample_weight)
    check_score_columns(label, [score])
    names = (label, score, sample_weight, None)
    described: dict[str, Any] = {
        "pos_label": pos_label,
        "direction": direction,
        "missing": missing,
    }
    from_columns: Callable[[dict[str, Vector]], Tally] = partial(
        tally_of, names=names, resolution=resolution, **described
    )
    wanted = [name for name in names if name is not None]
    memory = checks.memory(memory_limit, "memory_limit")
    check_score_types(source, [score])
    with large_source(source, wanted, memory, counting=True) as rows:
        if rows is None:
            return of_counts(source, names, sample_weight, from_columns)
        found = _counted(rows, wanted, label, [score], sample_weight)
        if isinstance(found, CountedRows):
            return _read_by(from_columns(counted_columns(found)), rows)
        if sample_weight is not None:
            raise _weights_need_memory(sample_weight, rows, found.n_rows)
        request, n_dropped = checked_request(found, label, [score], **described)
        bins = BINS if resolution is None else checks.whole(resolution, "resolution", at_least=2)
        if smooth is not None:
            smooth = replace(smooth, higher=request.higher) if resolution is None else None
        state = rows.range_state(replace(request, bins=bins, smooth=smooth))
        origin = _origin(rows, direction, n_dropped, score)
    return state.tally(origin, keep_sums=resolution is None)


def check_score_types(source: Any, scores: Sequence[str]) -> None:
    """Raise the error of scores that are no numbers from their types, before rows are read."""
    for name, column in vectors_by_name(*first_non_numeric(source, list(scores))).items():
        present = column if column.missing is None else column.kept(~column.missing)
        if len(present.values):
            score_column(present, name, direction="higher", origin=Origin())


def _counted(
    rows: LargeSource, wanted: list[str], label: str, scores: list[str], weight: str | None
) -> CountedRows | Survey:
    """Distinct rows where they are few, else what a survey of the rows found."""
    counted = rows.counted(wanted, weight) if rows.few(wanted) else None
    if counted is not None:
        return counted
    survey = rows.survey(label, scores)
    if max(survey.distinct[name] for name in scores) <= MOST_DISTINCT:
        counted = rows.counted(wanted, weight)
    return counted or survey


def _read_by(tally: Tally, rows: LargeSource) -> Tally:
    return tally.with_origin(replace(tally.origin, read_by=rows.read_by))


def _origin(
    rows: LargeSource, direction: Direction, n_dropped: int, name: str | None = None
) -> Origin:
    return Origin(rows.library, direction, n_dropped, name=name, read_by=rows.read_by)


def _weights_need_memory(weight: str, rows: LargeSource, n_rows: int) -> InputError:
    return InputError(
        f"`sample_weight` {weight!r} and the scores differ between so many of the {n_rows:,} rows "
        "that equal rows cannot be counted, and sums of weights over ranges of scores would be "
        "rounded differently for every choice of ranges. Round scores and weights (weights to "
        f"multiples of 1/1024) so that equal rows are counted, or {rows.in_memory(n_rows)}."
    )


@interruptible()
def large_pairs(
    source: Any,
    *,
    label: str,
    scores: Sequence[str],
    groups: str | None,
    weights: str | None,
    pos_label: Any,
    direction: Direction,
    missing: Missing,
    memory_limit: Any,
) -> SummedPairs | None:
    """Tallies of the models and sums over the rows, or clusters, of all."""
    wanted = [label, *scores, *(name for name in (groups, weights) if name is not None)]
    memory = checks.memory(memory_limit, "memory_limit")
    check_score_types(source, scores)
    complete = () if groups is None else (groups,)
    with large_source(source, wanted, memory, keys=complete) as rows:
        if rows is None:
            return None
        survey = rows.survey(label, [*scores, *complete])
        if weights is not None:
            raise InputError(
                "`sample_weight` is supported for equal rows of one model only: call `auc` for "
                "each model without `groups`, scores and weights rounded (weights to multiples "
                f"of 1/1024), or {rows.in_memory(survey.n_rows)}."
            )
        options = {"pos_label": pos_label, "direction": direction, "missing": missing}
        request, n_dropped = checked_request(survey, label, scores, complete, **options)
        origin = _origin(rows, direction, n_dropped)
        summed = groups is not None or len(scores) > 1
        sums = rows.cluster_sums(request, groups) if summed else None
        clusters = None if groups is None else sums
        if clusters is not None:
            origin = replace(origin, n_clusters=clusters.n_clusters)
        tallies = {
            name: rows.range_state(request.of_model(name)).tally(
                replace(origin, name=name), clusters=clusters and clusters.only(model)
            )
            for model, name in enumerate(scores)
        }
        return SummedPairs(tallies, sums=sums, origin=origin)


@interruptible()
def large_groups(
    source: Any,
    *,
    label: str,
    score: str,
    by: dict[str, str],
    sample_weight: str | None = None,
    pos_label: Any,
    direction: Direction,
    missing: Missing = "raise",
    resolution: int | None,
    memory_limit: Any,
) -> tuple[str | tuple[str, ...], Mapping[Any, Tally | Undefined]] | None:
    """The title of the groups and the tally of each, groups sorted."""
    checks.column_names(label=label, score=score, sample_weight=sample_weight)
    wanted = [name for name in (label, score, *by, sample_weight) if name is not None]
    memory = checks.memory(memory_limit, "memory_limit")
    check_score_types(source, [score])
    with large_source(source, wanted, memory, keys=list(by), counting=True) as rows:
        if rows is None:
            return None
        found = _counted(rows, wanted, label, [score, *by], sample_weight)
        if isinstance(found, CountedRows):
            columns, n_dropped = without_missing(counted_columns(found), missing)
            names = (label, score, sample_weight, None)
            whole = one_model(
                columns, n_dropped=n_dropped, names=names, pos_label=pos_label, direction=direction
            )
            grouping = grouping_of(columns, by)
            tallies = group_tallies(whole, grouping, weight=sample_weight, resolution=resolution)
            return grouping.title, {
                name: _read_by(part, rows) if isinstance(part, Tally) else part
                for name, part in tallies.items()
            }
        if sample_weight is not None:
            raise _weights_need_memory(sample_weight, rows, found.n_rows)
        about = {"pos_label": pos_label, "direction": direction, "missing": missing}
        request, n_dropped = checked_request(found, label, [score], tuple(by), **about)
        bins = group_bins(memory, min(math.prod(found.distinct[k] for k in by), found.n_rows))
        if resolution is not None:
            bins = min(bins, checks.whole(resolution, "resolution", at_least=2))
        sums = rows.group_sums(replace(request, bins=bins), list(by))
        origin = _origin(rows, direction, n_dropped, score)
    title = next(iter(by)) if len(by) == 1 else tuple(by)
    return title, _group_tallies(sums, origin, keep_sums=resolution is None)


def _group_tallies(
    sums: GroupSums, origin: Origin, *, keep_sums: bool
) -> LazyMapping[Tally | Undefined]:
    """A tally for each group, in bins, with the sums that make its AUC exact."""
    names = np.asarray(sums.groups).tolist()
    columns, tables = [sums.columns[name] for name in PlacementSums._fields], sums.tables

    def tally(position: int) -> Tally | Undefined:
        placed = PlacementSums(*(int(column[position]) for column in columns))
        if not placed.n_pos or not placed.n_neg:
            return absent_class(placed.n_pos, placed.n_neg, placed.n_pos + placed.n_neg)
        if tables is None:
            return SummedTally(sums=placed, origin=origin)
        own = slice(*tables.starts[position : position + 2])
        scores, pos, neg = tables.scores[own], tables.pos[own], tables.neg[own]
        state = RangeState(placed, scores[::-1], pos[::-1], neg[::-1])
        return state.tally(origin, keep_sums=keep_sums)

    n_pos, n_neg = (np.asarray(sums.columns[name]) for name in ("n_pos", "n_neg"))
    absent = np.flatnonzero((n_pos == 0) | (n_neg == 0))
    if len(absent):
        first: Any = tally(absent[0])
        warn_of_undefined(names[absent[0]], first, len(absent), len(names))
    return LazyMapping(names, tally)


class LazyMapping(Mapping[Any, Value], Generic[Value]):
    """A mapping whose values are computed on access, so that a million of them take no memory."""

    def __init__(self, names: Sequence[Any], make: Callable[[int], Value]) -> None:
        self.names: Sequence[Any] = names
        self.make: Callable[[int], Value] = make

    @cached_property
    def _positions(self) -> dict[Any, int]:
        return {name: position for position, name in enumerate(self.names)}

    def __getitem__(self, name: Any) -> Value:
        return self.make(self._positions[name])

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def mapped(self, change: Callable[[Value], Other]) -> LazyMapping[Other]:
        """The same names with `change` of the values, computed on access."""
        make = self.make
        return LazyMapping(self.names, lru_cache(MOST_CACHED)(lambda k: change(make(k))))


def checked_request(
    survey: Survey,
    label: str,
    scores: Sequence[str],
    complete: tuple[str, ...] = (),
    *,
    pos_label: Any,
    direction: Direction,
    missing: Missing,
) -> tuple[Request, int]:
    """The request for an engine, from a survey of all columns, and how many rows are left out."""
    checks.one_of(direction, "direction", DIRECTIONS)
    checks.one_of(missing, "missing", ("raise", "drop"))
    if survey.n_rows == 0:
        raise InputError(f"`{label}` is empty; at least one positive and one negative are needed.")
    raw = survey.labels.columns[label]
    labels = replace(as_vector(raw, label), counts=survey.labels.counts)
    if missing == "raise":
        _check_missing(labels, label, survey, [*scores, *complete])
    for name in scores:
        _check_scores(survey, name)
    assert labels.counts is not None
    kept = labels.counts - survey.unscored
    if labels.missing is not None:
        kept = np.where(labels.missing, 0, kept)
    if not kept.any():
        raise InputError("every row has a missing value; nothing is left to analyze.")
    present = np.flatnonzero(kept)
    values = replace(labels.kept(kept > 0), counts=kept[present], rows=None)
    mask = positive_mask(values, pos_label, label)
    positive, negative = (raw[present[mask == k][:1]].tolist()[0] for k in (1, 0))
    request = Request(
        label=label,
        positive=positive,
        negative=negative,
        scores=tuple(scores),
        higher=direction == "higher",
        n_rows=int(kept.sum()),
        complete=complete,
    )
    return request, survey.n_rows - request.n_rows


def _check_missing(labels: Vector, label: str, survey: Survey, scores: Sequence[str]) -> None:
    """Raise the error of rows in memory for missing values."""
    without_missing({label: labels}, "raise")
    for name in scores:
        absent = survey.unscored_by[name]
        if absent:
            counts = np.array([absent, survey.n_rows - absent])
            gaps = Vector(np.zeros(2), np.array([True, False]), counts=counts)
            without_missing({name: gaps}, "raise")


def _check_scores(survey: Survey, name: str) -> None:
    """Raise an error for scores that are no numbers, or that floats do not distinguish."""
    kind, ends = survey.kinds[name], survey.ends[name]
    if ends is None or kind in EXACT_KINDS:
        return
    values = as_vector(np.array(ends, dtype=object), name)
    score_column(
        replace(values, counts=np.ones(2, np.int64)), name, direction="higher", origin=Origin()
    )
    if kind == "object" or max(map(abs, ends)) > LARGEST_EXACT_INTEGER:
        raise InputError(
            f"`{name}` contains numbers of more digits than a float64 has, and more rows than fit "
            "into `memory_limit`. Raise `memory_limit`, or cast the column to DOUBLE if the last "
            "digits do not matter."
        )
