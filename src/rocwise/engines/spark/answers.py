"""What comes back from Spark, as Arrow tables, in the forms that the engines share."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

import numpy as np

from rocwise.kernels import PlacementSums
from rocwise.primitives.exact_sums import ClusterSums, PairSums
from rocwise.primitives.range_states import RangeState

# integers of any size travel as text
RANGE_STATES = (
    "place int, sums array<string>, scores array<double>, pos array<bigint>, neg array<bigint>, "
    "goes_on boolean"
)
CLUSTER_SUMS = "sums array<string>"


def numpy_column(column: Any) -> Any:
    """A column of Arrow as numpy holds it; masked where cells are missing."""
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pa.ChunkedArray):  # of no rows, in some versions
        column = pa.concat_arrays(column.chunks)
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        return _objects(column.to_pylist())
    if not column.null_count:
        return column.to_numpy(zero_copy_only=False)
    return np.ma.MaskedArray(
        column.fill_null(False if pa.types.is_boolean(kind) else 0).to_numpy(zero_copy_only=False),
        mask=column.is_null().to_numpy(zero_copy_only=False),
    )


def _objects(values: list[Any]) -> Any:
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def range_states_of(table: Any) -> dict[int, RangeState]:
    """States by the number of their range."""
    return {
        row["place"]: RangeState(
            PlacementSums(*map(int, row["sums"])),
            np.array(row["scores"], np.float64),
            np.array(row["pos"], np.int64),
            np.array(row["neg"], np.int64),
            row["goes_on"],
        )
        for row in table.to_pylist()
    }


def pair_sums_of(table: Any, models: int) -> PairSums:
    """The sums of all tasks together."""
    return reduce(add, (_pair_sums(row["sums"], models) for row in table.to_pylist()))


def _pair_sums(flat: list[str], models: int) -> PairSums:
    n_pos, n_neg, *numbers = map(int, flat)
    rows = [tuple(numbers[at : at + models]) for at in range(0, len(numbers), models)]
    u, v, *squares = rows
    return PairSums(n_pos, n_neg, u, v, tuple(squares[:models]), tuple(squares[models:]))


def cluster_sums_of(table: Any) -> ClusterSums:
    """The sums of all tasks together."""
    parts = (ClusterSums(*map(int, row["sums"])) for row in table.to_pylist())
    return reduce(add, parts, ClusterSums())
