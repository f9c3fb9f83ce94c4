"""Errors for nan, which has no rank."""

from typing import NoReturn

import numpy as np

from rocwise.arrays import Array
from rocwise.errors import InputError


def check_no_nan(*columns: Array | float, what: str = "the scores", first: int = 0) -> None:
    """An error for nan that cleaning let through; `first` is the index of the first number."""
    for column in columns:
        missing = np.ravel(np.isnan(column))
        if missing.any():
            place = first + int(missing.argmax())
            raise InputError(
                f"{what} contain nan (first at place {place}): they were changed after being "
                "checked, or made without a check."
            )


def raise_nan_found(column: Array) -> NoReturn:
    """The error for a column in which nan was found, even if it is gone by now."""
    check_no_nan(column)
    raise InputError(
        "the scores were changed by another thread while they were being sorted: pass a copy."
    )
