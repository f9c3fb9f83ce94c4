"""Kernels order numbers, and nan has no place in an order."""

import numpy as np

from rocwise.arrays import Array
from rocwise.errors import InputError


def refuse_nan(*columns: Array) -> None:
    """Refuse columns with nan; all ways of reading data find it before, and name the row.

    Examples
    --------
    >>> refuse_nan(np.array([0.1, np.inf]))
    """
    for column in columns:
        missing = np.isnan(column)
        if missing.any():
            raise InputError(
                f"the scores hold nan (first at place {int(missing.argmax())}): they were changed "
                "after they had been checked, or made without a check."
            )
