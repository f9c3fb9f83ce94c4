"""Some rows of whatever scikit-learn's models take, and weights of rows, checked."""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np
from sklearn.utils import check_array, check_consistent_length

from rocwise.arrays import Floats, Places
from rocwise.errors import InputError
from rocwise.inputs.columns.vectors import as_vector


def rows_of(X: Any, rows: Places) -> Any:
    """The rows of these numbers of an array, a sparse matrix, a data frame or a list."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "columns"):
        import narwhals as nw

        return nw.from_native(X, eager_only=True)[rows].to_native()
    if hasattr(X, "shape"):
        return X[rows]
    return [X[row] for row in rows]


def arguments_of_rows(fit_params: dict[str, Any], n_rows: int, rows: Places) -> dict[str, Any]:
    """Arguments of `fit`: those with a value for each row cut to `rows`, others as they are."""
    return {
        name: rows_of(value, rows) if _one_per_row(value, n_rows) else value
        for name, value in fit_params.items()
    }


def _one_per_row(value: Any, n_rows: int) -> bool:
    if isinstance(value, str | bytes | dict):
        return False
    shape = getattr(value, "shape", None)
    if shape is not None:
        return len(shape) > 0 and shape[0] == n_rows
    return hasattr(value, "__len__") and len(value) == n_rows


def row_groups(groups: Any, n_rows: int) -> Any:
    """One group for each row, or None."""
    if groups is None:
        return None
    column = as_vector(groups, "groups")
    if column.missing is not None:
        raise InputError(
            f"`groups` has a missing value (first at row {int(column.missing.argmax())}); give "
            "rows that belong to no group a group of their own."
        )
    if len(column) != n_rows:
        raise InputError(f"`groups` has {len(column):,} values, but there are {n_rows:,} rows.")
    return column.values


def row_weights(sample_weight: Any, n_rows: int, dtype: Any = np.float64) -> Floats:
    """One finite weight for each row, none below 0 and not all 0.

    With several types in `dtype` weights keep theirs if it is among them, else take the first.
    """
    if isinstance(sample_weight, Number):
        sample_weight = np.full(n_rows, sample_weight)
    weights: Floats = check_array(
        sample_weight, ensure_2d=False, dtype=dtype, input_name="sample_weight"
    )
    if weights.ndim != 1:
        raise InputError(
            f"`sample_weight` must be one number for each row; got {weights.ndim} dimensions."
        )
    check_consistent_length(weights, np.empty(n_rows))
    if (weights < 0).any():
        row = int((weights < 0).argmax())
        raise InputError(
            f"`sample_weight` must not be negative; got {weights[row]:g} at row {row}."
        )
    if not weights.any():
        raise InputError("`sample_weight` is zero for every row: there is nothing to learn from.")
    return weights
