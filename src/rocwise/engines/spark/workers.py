"""What runs on Spark's Python processes: batches of Arrow in, batches of Arrow out.

Each function here returns the function that Spark is given; it is sent by its name, so that the
workers need this package. Rows travel as `code` (twice the number of the range, plus one for a
positive) beside their scores.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.about import VERSION
from rocwise.arrays import Array, Counts, Mask
from rocwise.data.amounts.smooth_steps import SmoothPlan
from rocwise.data.mergeable.exact_sums import ClusterSums, PairSums
from rocwise.engines.spark.score_ranges import ScoreRanges

Batches = Iterable[Any]
Worker = Callable[[Batches], Iterator[Any]]
CHANGED = "the Spark frame gave other rows when it was computed again"
OTHER_VERSION = "Spark's workers have rocwise"


def sent(function: Callable[..., Iterator[Any]], *told: Any) -> Worker:
    """The function with all but its batches, as Spark is given it."""
    return partial(_run, function, told, VERSION)


def _run(
    function: Callable[..., Iterator[Any]], told: tuple[Any, ...], version: str, batches: Batches
) -> Iterator[Any]:
    if version != VERSION:
        raise RuntimeError(f"{OTHER_VERSION} {VERSION}, but {version} asks them; make them equal.")
    os.environ.setdefault("ROCWISE_THREADS", "1")  # Spark starts a process for every core
    return function(batches, *told)


def _numbers(batch: Any, name: str) -> Array:
    column: Array = batch.column(name).to_numpy(zero_copy_only=False)
    return column


def _batch(**columns: Any) -> Any:
    import pyarrow as pa

    return pa.RecordBatch.from_pydict(columns)


def _whole(batches: list[Any]) -> Any:
    import pyarrow as pa

    return pa.Table.from_batches(batches).combine_chunks().to_batches()[0]


def _coded(batch: Any) -> tuple[Array, Mask]:
    """The range of each row, and whether it is positive."""
    code = _numbers(batch, "code")
    return code >> 1, (code & 1).astype(np.uint8)


def _refuse_others(ranges: ScoreRanges, place: int, mask: Mask) -> None:
    """Refuse a range that holds other rows than were counted in it."""
    n_pos = int(np.count_nonzero(mask))
    if ranges.counted and (n_pos, len(mask) - n_pos) != ranges.counts(place):
        raise RuntimeError(CHANGED)


def _placed(batches: Batches, ranges: ScoreRanges, score: str) -> Iterator[tuple[Any, Counts]]:
    """Batches of rows with the placement of each among all rows, by one of their scores.

    Rows in ranges of one score go straight through: their placement is known from counts, and
    they need not be with their like.
    """
    import pyarrow as pa

    held = []
    for batch in batches:
        places, mask = _coded(batch)
        alone = ranges.single[places]
        if alone.any():
            yield batch.filter(pa.array(alone)), ranges.tied_placements(places, mask)[alone]
        if not alone.all():
            held.append(batch.filter(pa.array(~alone)))
    if not held:
        return
    whole = _whole(held)
    places, mask = _coded(whole)
    place = int(places[0])
    if (places != place).any():
        raise RuntimeError("a task of Spark holds several ranges of scores")
    _refuse_others(ranges, place, mask)
    placed = kernels.placements(mask, _numbers(whole, score))
    if ranges.counted:
        below_pos, below_neg = ranges.below(place)
        placed = placed + 2 * np.where(mask == 1, below_neg, below_pos)
    yield whole, placed


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
        yield pa.RecordBatch.from_pydict(columns)


def pair_sums(batches: Batches, models: int, ranges: ScoreRanges) -> Iterator[Any]:
    """Sums of products of the placements of all models, over the rows of one task."""
    import pyarrow as pa

    total = None
    for batch, placed in _placed(batches, ranges, f"s{models - 1}"):
        _, mask = _coded(batch)
        others = [_numbers(batch, f"s{model}") for model in range(models - 1)]
        part = PairSums.of_rows(mask, [*others, placed])
        total = part if total is None else total + part
    if total is not None:
        flat = [total.n_pos, total.n_neg, *total.u, *total.v]
        flat += [number for matrix in (total.uu, total.vv) for row in matrix for number in row]
        yield _batch(sums=pa.array([list(map(str, flat))], pa.list_(pa.string())))


def score_totals(batches: Batches, smooth: SmoothPlan) -> Iterator[Any]:
    """Exact sums of the scores of negatives and of positives in one task, as fractions in text."""
    import pyarrow as pa

    totals = [Fraction(0), Fraction(0)]
    for batch in batches:
        mask, scores = _numbers(batch, "mask"), _numbers(batch, "s0")
        for k in (0, 1):
            totals[k] += smooth.total(scores[mask == k])
    yield _batch(sums=pa.array([list(map(str, totals))], pa.list_(pa.string())))


def clustered_placements(batches: Batches, models: int, ranges: ScoreRanges) -> Iterator[Any]:
    """For each row its cluster, and what it adds to the sums of that cluster."""
    import pyarrow as pa

    for batch, placed in _placed(batches, ranges, f"s{models - 1}"):
        _, mask = _coded(batch)
        others = [_numbers(batch, f"s{model}") for model in range(models - 1)]
        columns = {"p": mask.astype(np.int64), "n": 1 - mask.astype(np.int64)}
        for name, own in (("u", mask == 1), ("v", mask == 0)):
            for model, by_model in enumerate([*others, placed]):
                columns[f"{name}{model}"] = np.where(own, by_model, 0)
        arrays = {name: pa.array(values) for name, values in columns.items()}
        yield pa.RecordBatch.from_pydict(arrays | {"cluster": batch.column("cluster")})


def cluster_sums(batches: Batches, models: int) -> Iterator[Any]:
    """Sums of products over the clusters of one task, each of them whole."""
    import pyarrow as pa

    total = None
    for batch in batches:
        if batch.num_rows:
            p, n, *placed = (_integers(column) for column in batch.columns)
            part = ClusterSums.of_clusters(p, n, placed[:models], placed[models:])
            total = part if total is None else total + part
    if total is not None:
        flat = [total.n_clusters, total.with_pos, total.with_neg, *total.totals]
        flat += [number for row in total.products for number in row]
        yield _batch(sums=pa.array([list(map(str, flat))], pa.list_(pa.string())))


def _integers(column: Any) -> Any:
    """Decimals without a fraction as int64, or as Python integers where one needs more."""
    import pyarrow as pa

    try:
        return column.cast(pa.int64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return np.array([int(number) for number in column.to_pylist()], dtype=object)
