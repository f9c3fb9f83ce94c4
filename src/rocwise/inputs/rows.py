"""Rows checked and made ready: same length, nothing missing, weights usable."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rocwise import checks
from rocwise.arrays import Codes, Floats
from rocwise.errors import InputError, count_of, listed
from rocwise.inputs.vectors import Vector

SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-140, 1e140  # their squares, and sums of them, are floats


def same_length(columns: Mapping[str, Vector]) -> int:
    """The common length of all columns, or an error that states both lengths."""
    (first_name, first), *others = columns.items()
    for name, column in others:
        if len(column) != len(first):
            raise InputError(
                f"`{first_name}` has {len(first):,} values but `{name}` has {len(column):,}; "
                "they must describe the same rows."
            )
    return len(first)


def without_missing(columns: Mapping[str, Vector], missing: str) -> tuple[dict[str, Vector], int]:
    """Columns with complete rows only, and how many rows were left out.

    With `missing="raise"` the first column that misses something is named in the error.
    """
    checks.one_of(missing, "missing", ("raise", "drop"))
    gaps = {name: column.missing for name, column in columns.items() if column.missing is not None}
    if not gaps:
        return dict(columns), 0
    if missing == "raise":
        name, flags = next(iter(gaps.items()))
        where = columns[name].at(int(flags.argmax()))
        raise InputError(
            f"`{name}` has {count_of(columns[name].n_rows(flags), 'missing value')}"
            f"{where and f' (first{where})'}. Pass missing='drop' to leave those rows out."
        )
    absent = np.logical_or.reduce(list(gaps.values()))
    if absent.all():
        raise InputError("every row has a missing value; nothing is left to analyse.")
    kept = {name: column.kept(~absent) for name, column in columns.items()}
    return kept, next(iter(columns.values())).n_rows(absent)


def checked_weights(weights: Vector, mask: Codes, argument: str) -> Floats:
    """Weights that are finite, not negative, and not all zero within a class."""
    if weights.categories:  # their positions would pass for weights
        raise InputError(
            f"`{argument}` must hold numbers; got the categories {listed(weights.categories)}. "
            "Convert the column to numbers first."
        )
    if weights.values.dtype.kind not in "biuf":
        first = listed(weights.values[:1])
        raise InputError(
            f"`{argument}` must hold numbers; got {weights.values.dtype} values "
            f"(first {first}{weights.at(0)})."
        )
    values = weights.values.astype(np.float64)
    refuse_unusable_weights(values, weights, argument)
    for label, name in ((1, "positive"), (0, "negative")):
        _usable_size(values[mask == label], name, argument)
    return values


def refuse_unusable_weights(values: Floats, column: Vector, argument: str) -> None:
    """Refuse weights that are infinite or negative, naming the first row of them."""
    for bad, what in ((~np.isfinite(values), "infinite"), (values < 0, "negative")):
        if bad.any():
            place = int(bad.argmax())
            raise InputError(
                f"`{argument}` has {count_of(column.n_rows(bad), f'{what} value')} (first "
                f"{values[place]:g}{column.at(place)}); weights must be finite and at least 0."
            )


def _usable_size(weights: Floats, name: str, argument: str) -> None:
    """Refuse weights of one class that are all 0, or whose squares leave the range of floats."""
    top = float(weights.max())
    if top == 0.0:
        raise InputError(f"`{argument}` is 0 for every {name} row, so ROC is undefined.")
    if not SMALLEST_WEIGHT <= top <= LARGEST_WEIGHT:
        raise InputError(
            f"`{argument}` goes up to {top:g} for {name} rows, and its squares leave the range of "
            "floating-point numbers. Divide all weights by one number, e.g. by the largest."
        )
