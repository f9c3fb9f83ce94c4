"""Sums from the highest score down, with the point before the first score in front."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from rocwise.arrays import Amounts, Array, Floats
from rocwise.kernels.long_arrays import on_large_pages
from rocwise.kernels.row_formulas import row_by_row


def of_points(
    first: float, formula: Callable[..., Array], *columns: Array, dtype: DTypeLike = np.float64
) -> Array:
    """A column of the points of a curve: that of the first, and a formula of each of the others.

    >>> of_points(0.0, lambda hits: hits / 4, np.array([1, 4])).tolist()
    [0.0, 0.25, 1.0]
    """
    made = on_large_pages(len(columns[0]) + 1, dtype)
    row_by_row(formula, *columns, out=made[1:])
    made[0] = first  # last, so that all threads share the making of pages
    return made


def sums_from_zero(values: Array, dtype: Any = np.float64) -> Array:
    """Cumulative sums along the last axis, with a 0 in front.

    >>> sums_from_zero(np.array([2.0, 0.5, 1.0])).tolist()
    [0.0, 2.0, 2.5, 3.5]
    """
    sums = np.zeros((*values.shape[:-1], values.shape[-1] + 1), dtype=dtype)
    np.cumsum(values, axis=-1, out=sums[..., 1:])
    return sums


def cumulative_rates(counts: Amounts) -> Floats:
    """Cumulative shares of their sum along the last axis, with a 0 in front.

    >>> cumulative_rates(np.array([1, 0, 3])).tolist()
    [0.0, 0.25, 0.25, 1.0]
    """
    rates = sums_from_zero(counts)
    rates /= rates[..., -1:].copy()  # the last sum itself, so that rates end at exactly 1
    return rates


def rates_from_zero(sums: Amounts) -> Floats:
    """The same from the cumulative sums.

    >>> rates_from_zero(np.array([1, 1, 4])).tolist()
    [0.0, 0.25, 0.25, 1.0]
    """
    rates = np.zeros(len(sums) + 1)
    np.divide(sums, float(sums[-1]), out=rates[1:])
    return rates
