"""Functions that run in Spark's Python processes: batches of Arrow in, batches of Arrow out."""

import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial, reduce
from itertools import pairwise
from operator import add
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.about import VERSION
from rocwise.arrays import Array, Counts, Flags, Floats, Mask
from rocwise.data.range_states import BinPlan, range_state
from rocwise.data.smooth_steps import SmoothPlan
from rocwise.data.summed_rows import ClusterSums
from rocwise.engines.out_of_core.range_sums import FIELDS, table_sums_by_group

Batches = Iterable[Any]
Worker = Callable[[Batches], Iterator[Any]]
CHANGED = "the Spark frame gave other rows when it was computed again"
OTHER_VERSION = "Spark's workers have rocwise"
PIECES = "place int, neg binary, pos binary"
RESULT = "result binary"  # pickled, by this version for this version
SORTED_ROWS = 1_000_000  # that a task sorts at once
GROUPED_ROWS = 4_000_000  # of a task, before equal ones are counted


@dataclass(frozen=True, eq=False)
class ScoreRanges:
    """Ranges of scores from each of the bounds, itself included, up to the next."""

    bounds: Floats  # rising; one less than there are ranges
    pos: Counts  # rows of each class in each range
    neg: Counts

    def __len__(self) -> int:
        return len(self.bounds) + 1

    def places(self, scores: Array) -> Array:
        """The number of the range of each score."""
        return np.searchsorted(self.bounds, scores, side="right")

    @cached_property
    def single(self) -> Flags:
        """Which ranges have one score only."""
        ends = np.append(self.bounds[1:], np.inf)
        with np.errstate(over="ignore"):
            alone = np.nextafter(self.bounds, np.inf) == ends
        alone[-1:] &= np.isposinf(self.bounds[-1:])  # the last range has no end
        lowest = self.bounds[:1] == np.finfo(np.float64).min  # below it there is -inf only
        return np.concatenate([lowest if len(lowest) else [False], alone])

    def lowest(self, place: int) -> float:
        """Where a range begins."""
        return float(self.bounds[place - 1]) if place else -np.inf

    @property
    def total(self) -> int:
        """Rows of all ranges."""
        return int(self.pos.sum() + self.neg.sum())

    def counts(self, place: int) -> tuple[int, int]:
        """Positives and negatives in one range."""
        return int(self.pos[place]), int(self.neg[place])

    def below(self, place: int) -> tuple[int, int]:
        """Positives and negatives in all lower ranges."""
        return int(self.pos[:place].sum()), int(self.neg[:place].sum())

    def plan(self, place: int, bins: int) -> BinPlan:
        """The bins of one range."""
        return BinPlan(bins, self.total, sum(self.below(place)))

    def tied_placements(self, places: Array, mask: Mask) -> Counts:
        """Doubled placements of rows whose whole range is tied with them."""
        middle = [2 * np.cumsum(each) - each for each in (self.pos, self.neg)]
        return np.where(mask == 1, middle[1][places], middle[0][places])


def negated_bounds(bounds: Floats) -> Floats:
    """Bounds of the same ranges of negated scores: s >= b is the same as -s < nextafter(-b)."""
    with np.errstate(over="ignore"):
        return np.nextafter(-bounds[::-1], np.inf) + 0.0  # never -0.0


def bounds_of_sample(sample: Floats, ranges: int) -> Floats:
    """Bounds between parts of a sample of about equal size, frequent scores separated."""
    if ranges < 2 or not len(sample):
        return np.empty(0)
    quantiles = np.sort(sample)[np.arange(1, ranges) * len(sample) // ranges]
    bounds, times = np.unique(quantiles, return_counts=True)
    with np.errstate(over="ignore"):
        behind = np.nextafter(bounds[times > 1], np.inf)
    return np.unique(np.concatenate([bounds, behind]))


def sent(function: Callable[..., Iterator[Any]], *arguments: Any) -> Worker:
    """The function with all arguments but its batches, as Spark gets it."""
    return partial(_run, function, arguments, VERSION)


def _run(
    function: Callable[..., Iterator[Any]],
    arguments: tuple[Any, ...],
    version: str,
    batches: Batches,
) -> Iterator[Any]:
    if version != VERSION:
        raise RuntimeError(
            f"{OTHER_VERSION} {VERSION}, but the driver has {version}; install the same."
        )
    os.environ.setdefault("ROCWISE_THREADS", "1")  # Spark starts a process for every core
    return function(batches, *arguments)


def _numbers(batch: Any, name: str) -> Array:
    column: Array = batch.column(name).to_numpy(zero_copy_only=False)
    return column


def _batch(columns: dict[str, Any]) -> Any:
    import pyarrow as pa

    return pa.RecordBatch.from_pydict(columns)


def _result(value: Any) -> Any:
    """One row with a result of a task; Spark itself sends Python's objects in this way."""
    return _batch({"result": [pickle.dumps(value)]})


def results_of(table: Any) -> list[Any]:
    """The results of all tasks."""
    return [pickle.loads(cell) for cell in table.column("result").to_pylist()]


def _coded(batch: Any) -> tuple[Array, Mask]:
    """The range of each row, and whether it is positive."""
    code = _numbers(batch, "code")
    return code >> 1, (code & 1).astype(np.uint8)


def _only_place(places: Array) -> int:
    """The one range of a task."""
    if (places != places[0]).any():
        raise RuntimeError("a task of Spark has several ranges of scores")
    return int(places[0])


def sorted_pieces(batches: Batches, ranges: ScoreRanges) -> Iterator[Any]:
    """Rows (`mask`, `s0`) sorted and divided by range into long cells, which shuffle fast."""
    waiting: list[Any] = []
    for batch in batches:
        waiting.append(batch)
        if sum(part.num_rows for part in waiting) >= SORTED_ROWS:
            yield _divided(waiting, ranges)
            waiting = []
    if any(part.num_rows for part in waiting):
        yield _divided(waiting, ranges)


def _divided(batches: list[Any], ranges: ScoreRanges) -> Any:
    """One row for each range that is not empty."""
    import pyarrow as pa

    mask, scores = (
        np.concatenate([_numbers(batch, name) for batch in batches]) for name in ("mask", "s0")
    )
    classes = kernels.sort_by_class(mask.view(np.uint8), scores)
    ends = [
        np.concatenate([[0], np.searchsorted(own, ranges.bounds, side="left"), [len(own)]])
        for own in classes
    ]
    some = (np.diff(ends[0]) + np.diff(ends[1]) > 0) & ~ranges.single
    columns = {"place": pa.array(np.flatnonzero(some).astype(np.int32))}
    for name, own, cuts in zip(("neg", "pos"), classes, ends, strict=True):
        cells = [own[start:stop].tobytes() for start, stop in pairwise(cuts)]
        columns[name] = pa.array(cells, pa.binary()).filter(pa.array(some))
    return _batch(columns)


def _scores_of(batches: list[Any], name: str) -> Array:
    """All scores of a column of bytes."""
    cells = b"".join(cell.as_buffer() for batch in batches for cell in batch.column(name))
    return np.frombuffer(cells, np.float64)


def states_of_pieces(
    batches: Batches, ranges: ScoreRanges, bins: int, smooth: SmoothPlan | None = None
) -> Iterator[Any]:
    """The one range of a task and its state, from its pieces."""
    filled = [batch for batch in batches if batch.num_rows]
    if not filled:
        return
    place = _only_place(np.concatenate([_numbers(batch, "place") for batch in filled]))
    neg, pos = (_scores_of(filled, name) for name in ("neg", "pos"))
    del filled
    if (len(pos), len(neg)) != ranges.counts(place):
        raise RuntimeError(CHANGED)
    mask = np.repeat(np.array([0, 1], np.uint8), [len(neg), len(pos)])
    state = range_state(mask, np.concatenate([neg, pos]), ranges.plan(place, bins), smooth)
    yield _result((place, state))


def score_totals(batches: Batches, smooth: SmoothPlan) -> Iterator[Any]:
    """Exact sums of the scores of negatives and of positives in one task."""
    totals = [Fraction(0), Fraction(0)]
    for batch in batches:
        mask, scores = _numbers(batch, "mask"), _numbers(batch, "s0")
        for k in (0, 1):
            totals[k] += smooth.total(scores[mask == k])
    yield _result(totals)


def _placed(batches: Batches, ranges: ScoreRanges, score: str) -> Iterator[tuple[Any, Counts]]:
    """Batches of rows with their placements by one score; tied ranges need counts alone."""
    import pyarrow as pa

    waiting = []
    for batch in batches:
        places, mask = _coded(batch)
        alone = ranges.single[places]
        if alone.any():
            yield batch.filter(pa.array(alone)), ranges.tied_placements(places, mask)[alone]
        if not alone.all():
            waiting.append(batch.filter(pa.array(~alone)))
    if not waiting:
        return
    whole = pa.Table.from_batches(waiting).combine_chunks().to_batches()[0]
    places, mask = _coded(whole)
    place = _only_place(places)
    n_pos = int(np.count_nonzero(mask))
    if (n_pos, len(mask) - n_pos) != ranges.counts(place):
        raise RuntimeError(CHANGED)
    below_pos, below_neg = ranges.below(place)
    inside = kernels.placements(mask, _numbers(whole, score))
    yield whole, inside + 2 * np.where(mask == 1, below_neg, below_pos)


def place_and_route(
    batches: Batches, model: int, ranges: ScoreRanges, following: ScoreRanges
) -> Iterator[Any]:
    """Replace the scores of one model by placements, and route rows by those of the next."""
    import pyarrow as pa

    for batch, placed in _placed(batches, ranges, f"s{model}"):
        _, mask = _coded(batch)
        places = following.places(_numbers(batch, f"s{model + 1}"))
        columns = {name: batch.column(name) for name in batch.schema.names}
        columns["code"] = pa.array((2 * places + mask).astype(np.int32))
        columns[f"s{model}"] = pa.array(placed)
        yield _batch(columns)


def _placements_by_all(
    batches: Batches, models: int, ranges: ScoreRanges
) -> Iterator[tuple[Any, Mask, list[Counts]]]:
    """Batches of rows, their classes, and their placements by every model."""
    for batch, placed in _placed(batches, ranges, f"s{models - 1}"):
        others = [_numbers(batch, f"s{model}") for model in range(models - 1)]
        yield batch, _coded(batch)[1], [*others, placed]


def row_sums(batches: Batches, models: int, ranges: ScoreRanges) -> Iterator[Any]:
    """Sums of products of the placements by all models, over the rows of one task."""
    rows = _placements_by_all(batches, models, ranges)
    yield from _summed([ClusterSums.of_rows(mask, placed) for _, mask, placed in rows])


def clustered_placements(batches: Batches, models: int, ranges: ScoreRanges) -> Iterator[Any]:
    """For each row its cluster, and what it adds to the totals of that cluster."""
    for batch, mask, placed in _placements_by_all(batches, models, ranges):
        columns = {"p": mask.astype(np.int64), "n": 1 - mask.astype(np.int64)}
        for name, own in (("u", mask == 1), ("v", mask == 0)):
            for model, by_model in enumerate(placed):
                columns[f"{name}{model}"] = np.where(own, by_model, 0)
        yield _batch(columns | {"cluster": batch.column("cluster")})


def cluster_sums(batches: Batches, models: int) -> Iterator[Any]:
    """Sums of products over the clusters of one task, each of them complete."""
    parts = []
    for batch in batches:
        if batch.num_rows:
            p, n, *placed = map(as_integers, batch.columns)
            parts.append(ClusterSums.of_clusters(p, n, placed[:models], placed[models:]))
    yield from _summed(parts)


def _summed(parts: list[ClusterSums]) -> Iterator[Any]:
    if parts:
        yield _result(reduce(add, parts))


def as_integers(column: Any) -> Any:
    """Decimals without a fraction as int64, or as Python integers where one needs more."""
    import pyarrow as pa

    try:
        return column.cast(pa.int64()).to_numpy(zero_copy_only=False).copy()
    except pa.ArrowInvalid:
        return np.array([int(number) for number in column.to_pylist()], dtype=object)


def group_parts(batches: Batches) -> Iterator[Any]:
    """The sums of each group that a task has rows of, and its lowest score there."""
    import pyarrow as pa

    waiting: list[Any] = []
    for batch in batches:
        if batch.num_rows:
            mask = _numbers(batch, "mask").astype(np.int64)
            waiting.append((batch.column("group"), _numbers(batch, "s0"), mask, 1 - mask))
        if sum(len(part[1]) for part in waiting) > GROUPED_ROWS:
            waiting = [_counted(waiting)]
    if not waiting:
        return
    groups, scores, pos, neg = _counted(waiting)
    starts = group_starts(groups)
    columns = {"group": groups.take(pa.array(starts)), "low": scores[starts]}
    for name, sums in zip(FIELDS, table_sums_by_group(pos, neg, starts), strict=True):
        columns[name] = pa.array(sums.tolist(), pa.decimal128(38, 0))
    yield _batch(columns)


def group_starts(groups: Any) -> Array:
    """Where each group starts in a sorted column."""
    codes = groups.dictionary_encode().indices.to_numpy()
    return np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))


def _counted(parts: list[Any]) -> tuple[Any, Array, Counts, Counts]:
    """Distinct groups and scores, sorted by both, with the rows of each class."""
    import pyarrow as pa
    import pyarrow.compute as pc

    groups = pa.chunked_array([part[0] for part in parts]).combine_chunks()
    scores, pos, neg = (np.concatenate([part[k] for part in parts]) for k in (1, 2, 3))
    encoded = groups.dictionary_encode()
    ranks = np.empty(len(encoded.dictionary), np.int64)
    ranks[pc.sort_indices(encoded.dictionary).to_numpy()] = np.arange(len(ranks))
    codes = ranks[encoded.indices.to_numpy()]
    order = np.lexsort((scores, codes))
    codes, scores = codes[order], scores[order]
    changed = (codes[1:] != codes[:-1]) | (scores[1:] != scores[:-1])
    first = np.flatnonzero(np.append(True, changed))
    return (
        groups.take(pa.array(order[first])),
        scores[first],
        np.add.reduceat(pos[order], first),
        np.add.reduceat(neg[order], first),
    )
