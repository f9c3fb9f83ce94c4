"""What comes back from Spark, as Arrow tables, in the forms that the engines share."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import isqrt
from operator import add
from typing import Any

import numpy as np

from rocwise.data.amounts.smooth_steps import SmoothPlan, SmoothSteps
from rocwise.data.mergeable.exact_sums import ClusterSums, PairSums
from rocwise.data.mergeable.range_states import RangeState
from rocwise.kernels import PlacementSums

# integers of any size travel as text
RANGE_STATES = (
    "place int, sums array<string>, scores array<double>, pos array<bigint>, neg array<bigint>, "
    "goes_on boolean, up array<double>, right array<double>, area double"
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


def range_states_of(table: Any, smooth: SmoothPlan | None = None) -> dict[int, RangeState]:
    """States by the number of their range; with the plan of a smooth curve, its steps."""
    return {
        row["place"]: RangeState(
            PlacementSums(*map(int, row["sums"])),
            np.array(row["scores"], np.float64),
            np.array(row["pos"], np.int64),
            np.array(row["neg"], np.int64),
            row["goes_on"],
            None if smooth is None else _steps(row, smooth),
        )
        for row in table.to_pylist()
    }


def _steps(row: dict[str, Any], smooth: SmoothPlan) -> SmoothSteps:
    up, right = (np.array(row[name], np.float64) for name in ("up", "right"))
    return SmoothSteps(smooth, up, right, row["area"])


def score_totals_of(table: Any) -> tuple[Fraction, Fraction]:
    """The sums of the scores of negatives and of positives, over all tasks."""
    rows = [row["sums"] for row in table.to_pylist()]
    negatives, positives = (sum((Fraction(row[k]) for row in rows), Fraction(0)) for k in (0, 1))
    return negatives, positives


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
    return reduce(add, (_cluster_sums(row["sums"]) for row in table.to_pylist()))


def _cluster_sums(flat: list[str]) -> ClusterSums:
    n_clusters, with_pos, with_neg, *numbers = map(int, flat)
    width = isqrt(len(numbers))  # width totals, and as many rows of products
    rows = [tuple(numbers[at : at + width]) for at in range(0, len(numbers), width)]
    return ClusterSums(n_clusters, with_pos, with_neg, rows[0], tuple(rows[1:]))
