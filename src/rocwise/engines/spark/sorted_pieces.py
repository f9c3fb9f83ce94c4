"""Rows of one score on their way to the workers of their ranges: in sorted pieces, not one by one.

A task sorts what it reads and cuts it at the bounds of the ranges. What Spark then shuffles is a
few long cells for each million rows (the scores of either class, eight bytes each), which costs it
a fraction of what as many rows would.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts, Scores
from rocwise.data.amounts.smooth_steps import SmoothPlan
from rocwise.data.mergeable.range_states import BinPlan, range_state
from rocwise.engines.spark.score_ranges import ScoreRanges
from rocwise.engines.spark.workers import CHANGED, Batches

PIECES = "place int, neg binary, pos binary"
HELD_ROWS = 1_000_000  # that a task sorts at once


def sorted_pieces(batches: Batches, ranges: ScoreRanges) -> Iterator[Any]:
    """Rows as they come (`mask`, `s0`), sorted and cut; those of ranges of one score are left out.

    The number of these says all of them, and it is known.
    """
    held: list[Any] = []
    n_held = 0
    for batch in batches:
        held.append(batch)
        n_held += batch.num_rows
        if n_held >= HELD_ROWS:
            yield _cut(held, ranges)
            held, n_held = [], 0
    if n_held:
        yield _cut(held, ranges)


def _cut(held: list[Any], ranges: ScoreRanges) -> Any:
    """One row for each range of which there is something."""
    import pyarrow as pa

    mask, scores = (
        np.concatenate([batch.column(name).to_numpy() for batch in held]) for name in ("mask", "s0")
    )
    classes = kernels.sort_classes(mask.view(np.uint8), scores)
    ends = [np.searchsorted(own, ranges.bounds, side="left") for own in classes]
    places = [
        np.concatenate([[0], cuts, [len(own)]]) for cuts, own in zip(ends, classes, strict=True)
    ]
    some = (np.diff(places[0]) + np.diff(places[1]) > 0) & ~ranges.single
    columns = {"place": pa.array(np.flatnonzero(some).astype(np.int32))}
    for name, own, cuts in zip(("neg", "pos"), classes, places, strict=True):
        columns[name] = _as_cells(own, cuts).filter(pa.array(some))
    return pa.RecordBatch.from_pydict(columns)


def _as_cells(scores: Scores, cuts: Counts) -> Any:
    """A column of bytes: the scores between each two cuts."""
    import pyarrow as pa

    values = np.ascontiguousarray(scores, np.float64)
    offsets = (values.itemsize * cuts).astype(np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(values)]
    return pa.BinaryArray.from_buffers(pa.binary(), len(cuts) - 1, buffers)


def _scores_of(columns: list[Any]) -> Array:
    """All scores of columns of bytes."""
    cells = b"".join(cell.as_buffer() for column in columns for cell in column)
    return np.frombuffer(cells, np.float64)


def states_of_pieces(
    batches: Batches, ranges: ScoreRanges, bins: int, smooth: SmoothPlan | None = None
) -> Iterator[Any]:
    """The state of the one range that a task holds, from its pieces."""
    import pyarrow as pa

    held = [batch for batch in batches if batch.num_rows]
    if not held:
        return
    places = np.concatenate([batch.column("place").to_numpy() for batch in held])
    place = int(places[0])
    if (places != place).any():
        raise RuntimeError("a task of Spark holds several ranges of scores")
    neg, pos = (_scores_of([batch.column(name) for batch in held]) for name in ("neg", "pos"))
    del held
    if (len(pos), len(neg)) != ranges.counts(place):
        raise RuntimeError(CHANGED)
    mask = np.repeat(np.array([0, 1], np.uint8), [len(neg), len(pos)])
    plan = BinPlan(bins, ranges.total, sum(ranges.below(place)))
    state = range_state(mask, np.concatenate([neg, pos]), plan, smooth)
    steps = state.steps
    curve = [None, None] if steps is None else [steps.up, steps.right]
    yield pa.RecordBatch.from_pydict(
        {
            "place": np.array([place], np.int32),
            "sums": pa.array([list(map(str, state.sums))], pa.list_(pa.string())),
            "scores": pa.array([state.scores], pa.list_(pa.float64())),
            "pos": pa.array([state.pos], pa.list_(pa.int64())),
            "neg": pa.array([state.neg], pa.list_(pa.int64())),
            "goes_on": [state.goes_on],
            "up": pa.array(curve[:1], pa.list_(pa.float64())),
            "right": pa.array(curve[1:], pa.list_(pa.float64())),
            "area": pa.array([None if steps is None else steps.area], pa.float64()),
        }
    )
