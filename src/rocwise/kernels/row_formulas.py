"""Plain numpy under names that callers still use."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from rocwise.arrays import Array, Codes
from rocwise.kernels.threads import pieces, run_parts, thread_limit

T = TypeVar("T")
ROWS_PER_THREAD = 100_000
STEP, SHARED_STEP = 2**14, 2**17  # rows


def row_by_row(
    formula: Callable[..., Array],
    *columns: Array,
    dtype: DTypeLike = np.float64,
    out: Array | None = None,
) -> Array:
    """``formula(*columns)``."""
    made = np.asarray(formula(*columns))
    if out is None:
        return made if made.dtype == dtype else made.astype(dtype)
    out[...] = made
    return out


def sums_of_rows(add: Callable[..., tuple[float, ...]], *columns: Array) -> tuple[float, ...]:
    """Sums over all rows."""
    return tuple(float(total) for total in add(*columns))


def split_by_class(table: Array, mask: Codes) -> tuple[Array, Array]:
    """The columns of a table (models, rows) that are positive, and the others, in their order."""
    is_pos = mask != 0
    return table[:, is_pos], table[:, ~is_pos]


def stacked(columns: Sequence[Array]) -> Array:
    """A copy of the columns, each a row of one table."""
    return np.stack(columns)


def parts_of_rows(rows: int) -> list[tuple[int, int]]:
    """Chunks of rows for a pool; one where these are few."""
    if rows < ROWS_PER_THREAD:
        return [(0, rows)]
    return pieces(rows, min(thread_limit(), 1 + rows // ROWS_PER_THREAD))


def steps_of_rows(start: int, stop: int, rows: int) -> list[slice]:  # noqa: ARG001
    """Steps of a chunk, which bound the memory of tables of its rows."""
    return [slice(a, min(a + SHARED_STEP, stop)) for a in range(start, stop, SHARED_STEP)]


def run_models(task: Callable[..., T], models: Sequence[tuple[Any, ...]], rows: int) -> list[T]:
    """``[task(*model) for model in models]``, on several threads where rows are many."""
    if rows < ROWS_PER_THREAD:
        return [task(*model) for model in models]
    return run_parts(task, models)
