"""Kernels order numbers, and nan has no place in an order."""

import numpy as np

from rocwise.arrays import Array, Counts
from rocwise.errors import InputError

CHANGED = (
    "the scores were changed by another thread while they were being sorted: give it a copy of "
    "them, or ask when it is done."
)


def refuse_nan(*columns: Array | float, what: str = "the scores", first: int = 0) -> None:
    """Refuse columns with nan; all ways of reading data find it before, and name the row.

    `first` is the place of the first number where a column is a part of a longer one.

    Examples
    --------
    >>> refuse_nan(np.array([0.1, np.inf]), 0.5)
    """
    for column in columns:
        missing = np.ravel(np.isnan(column))
        if missing.any():
            place = first + int(missing.argmax())
            raise InputError(
                f"{what} hold nan (first at place {place}): they were changed after they had been "
                "checked, or made without a check."
            )


def refuse_found(column: Array, first: int) -> None:
    """Refuse a part of a column in which nan was found, even if it is gone by now."""
    refuse_nan(column, first=first)
    raise InputError(CHANGED)


def refuse_changes(reached: Counts, expected: Counts) -> None:
    """Refuse rows that are no longer where they were counted: another thread changed them.

    Examples
    --------
    >>> refuse_changes(np.array([3, 5]), np.array([3, 5]))
    """
    if (reached != expected).any():
        raise InputError(CHANGED)
