"""Placement sums within each of many groups, in one pass.

Rows are ranged by group and score, so that a large group is shared by several tasks and a task
holds thousands of small ones. Each task sends the sums of the groups it has seen; the few groups
that reach over several tasks are joined here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Array, Counts
from rocwise.data.mergeable.exact_sums import GroupSums
from rocwise.engines.spark.answers import numpy_column
from rocwise.engines.spark.workers import Batches, sent
from rocwise.kernels import PlacementSums

FIELDS = PlacementSums._fields
HELD_ROWS = 4_000_000  # of one task, before equal ones are counted
SAFE_ROWS = 2_000_000  # of one group: sums over it need less than 63 bits


def sums_by_group(rows: Any, ranges: int) -> GroupSums:
    """Sums of every group, groups sorted."""
    kind = rows.schema["group"].dataType.simpleString()
    schema = f"group {kind}, low double, " + ", ".join(f"{k} decimal(38,0)" for k in FIELDS)
    table = (
        rows.repartitionByRange(ranges, "group", "s0").mapInArrow(sent(group_parts), schema)
    ).toArrow()
    return _joined_groups(table)


def group_parts(batches: Batches) -> Iterator[Any]:
    """The sums of each group that a task has rows of, and its lowest score there."""
    import pyarrow as pa

    held: list[Any] = []
    n_held = 0
    for batch in batches:
        if batch.num_rows:
            mask = batch.column("mask").to_numpy().astype(np.int64)
            held.append((batch.column("group"), _scores(batch), mask, 1 - mask))
            n_held += batch.num_rows
        if n_held > HELD_ROWS:
            held = [_counted(held)]
            n_held = len(held[0][1])
    if not held:
        return
    groups, scores, pos, neg = _counted(held)
    starts = _starts(groups)
    columns = {
        name: pa.array(values).cast(pa.decimal128(38, 0))
        if values.dtype == np.int64
        else pa.array(values.tolist(), pa.decimal128(38, 0))
        for name, values in _sums(pos, neg, starts).items()
    }
    names = groups.take(pa.array(starts))
    yield pa.RecordBatch.from_pydict({"group": names, "low": scores[starts], **columns})


def _scores(batch: Any) -> Array:
    scores: Array = batch.column("s0").to_numpy()
    return scores


def _starts(groups: Any) -> Array:
    """Where each group starts in a sorted column."""
    codes = groups.dictionary_encode().indices.to_numpy()
    return np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))


def _counted(held: list[Any]) -> tuple[Any, Array, Counts, Counts]:
    """Distinct groups and scores, sorted by both, with the rows of each class."""
    import pyarrow as pa
    import pyarrow.compute as pc

    groups = pa.chunked_array([part[0] for part in held]).combine_chunks()
    scores, pos, neg = (np.concatenate([part[k] for part in held]) for k in (1, 2, 3))
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


def _sums(pos: Counts, neg: Counts, starts: Array) -> dict[str, Any]:
    """The placement sums of every group of rows in rising order of group and score."""
    n_pos, n_neg = np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)
    sizes = np.diff(np.append(starts, len(pos)))
    u, v = (
        2 * (np.cumsum(own) - np.repeat(np.cumsum(total) - total, sizes)) - own
        for own, total in ((neg, n_neg), (pos, n_pos))
    )
    amounts = (pos, neg, pos * u, pos * u * u, neg * v, neg * v * v, pos * neg)
    columns = {
        name: np.add.reduceat(amount, starts) for name, amount in zip(FIELDS, amounts, strict=True)
    }
    large = np.flatnonzero(n_pos + n_neg > SAFE_ROWS)
    if len(large):  # these may have left 63 bits
        columns = {name: column.astype(object) for name, column in columns.items()}
        ends = np.append(starts, len(pos))
        for k in large.tolist():
            own = slice(int(ends[k]), int(ends[k + 1]))
            for name, value in zip(
                FIELDS, kernels.table_sums(pos[own][::-1], neg[own][::-1]), strict=True
            ):
                columns[name][k] = value
    return columns


def _joined_groups(table: Any) -> GroupSums:
    """The sums of all tasks, those of one group joined in the order of their scores."""
    import pyarrow as pa
    import pyarrow.compute as pc

    order = pc.sort_indices(table, sort_keys=[("group", "ascending"), ("low", "ascending")])
    table = table.take(order)
    groups = table.column("group").combine_chunks()
    if isinstance(groups, pa.ChunkedArray):
        groups = pa.concat_arrays(groups.chunks)
    starts = _starts(groups) if len(groups) else np.empty(0, np.intp)
    columns = {name: _whole_numbers(table.column(name)) for name in FIELDS}
    joined = {name: column[starts] for name, column in columns.items()}
    sizes = np.diff(np.append(starts, len(groups)))
    for k in np.flatnonzero(sizes > 1).tolist():
        places = range(int(starts[k]), int(starts[k]) + int(sizes[k]))
        parts = (PlacementSums(*(int(columns[name][at]) for name in FIELDS)) for at in places)
        whole: PlacementSums = reduce(kernels.combine, parts)
        for name, value in zip(FIELDS, whole, strict=True):
            if abs(value) >= 2**63 and joined[name].dtype != object:
                joined[name] = joined[name].astype(object)
            joined[name][k] = value
    return GroupSums(numpy_column(groups.take(pa.array(starts))), joined)


def _whole_numbers(column: Any) -> Any:
    import pyarrow as pa

    try:
        return column.cast(pa.int64()).to_numpy().copy()
    except pa.ArrowInvalid:
        return np.array([int(number) for number in column.to_pylist()], dtype=object)
