"""Formulas of whole columns: some thousand rows at a time, on all threads."""

from collections.abc import Callable

import numpy as np
from numpy.typing import DTypeLike

from rocwise.arrays import Array
from rocwise.kernels.threads import even_parts, run_parts, thread_limit

STEP = 2**14  # rows whose intermediate columns stay in a near cache
ROWS_PER_THREAD = 100_000  # fewer are done before a second thread has started


def row_by_row(
    formula: Callable[..., Array], *columns: Array, dtype: DTypeLike = np.float64
) -> Array:
    """What a formula makes of each row of the columns, which is all that it may look at.

    The numbers, of type `dtype`, are those of ``formula(*columns)``, without its long
    intermediate columns.

    Examples
    --------
    >>> row_by_row(lambda hits, alarms: hits / (hits + alarms), np.array([3, 1]), np.array([1, 1]))
    array([0.75, 0.5 ])
    """
    rows = len(columns[0])
    if rows <= STEP:
        return np.asarray(formula(*columns))
    made = np.empty(rows, dtype)

    def fill(start: int, stop: int) -> None:
        for first in range(start, stop, STEP):
            some = slice(first, min(first + STEP, stop))
            made[some] = formula(*(column[some] for column in columns))

    run_parts(fill, even_parts(rows, min(thread_limit(), 1 + rows // ROWS_PER_THREAD)))
    return made
