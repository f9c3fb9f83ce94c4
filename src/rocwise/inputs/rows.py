"""Rows checked and made ready: same length, nothing missing, weights usable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocwise import checks
from rocwise.arrays import Codes, Floats
from rocwise.errors import InputError, count_of, listed
from rocwise.inputs.columns.vectors import Vector
from rocwise.kernels.row_formulas import parts_of_rows, row_by_row, steps_of_rows
from rocwise.kernels.threads import run_parts

SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-140, 1e140  # their squares, and sums of them, are floats


def same_length(columns: Mapping[str, Vector]) -> int:
    """The common length of all columns, or an error that states both lengths."""
    first_name, first = next(iter(columns.items()))
    size, indexed = len(first.values), False
    for name, column in columns.items():
        if len(column.values) != size:
            raise InputError(
                f"`{first_name}` has {size:,} values but `{name}` has {len(column):,}; "
                "they must describe the same rows."
            )
        indexed = indexed or column.index is not None
    if indexed:
        _same_index(columns)
    return size


def _same_index(columns: Mapping[str, Vector]) -> None:
    """Refuse pandas Series whose indexes differ: by position they may join different rows."""
    named = [(name, column.index) for name, column in columns.items() if column.index is not None]
    for name, index in named[1:]:
        first_name, first = named[0]
        if index is first or index.equals(first):
            continue
        labels = enumerate(zip(first, index, strict=True))
        place = next((k for k, pair in labels if _differ(*pair)), None)
        if place is None:
            continue
        own = name.partition("[:")[0]  # a column of a table is aligned with the table
        again = (
            f"They hold the same labels in another order: pass {own}.loc[{first_name}.index] "
            "to align them"
            if first.is_unique and index.is_unique and len(first.difference(index)) == 0
            else "Align them first"
        )
        raise InputError(
            f"`{first_name}` and `{name}` are pandas Series with different indexes: row {place} is "
            f"{listed([first[place]])} in one and {listed([index[place]])} in the other. {again}, "
            f"or pass {own}.to_numpy() if row k of one belongs to row k of the other."
        )


def _differ(one: Any, other: Any) -> bool:
    """Whether two labels differ; nan is equal to nan, as in pandas."""
    return bool(one != other) and not bool(one != one and other != other)


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
    values = row_by_row(lambda some: some.astype(np.float64), weights.values)
    refuse_unusable_weights(values, weights, argument)
    for top, name in zip(_largest_by_class(values, mask), ("positive", "negative"), strict=True):
        _usable_size(top, name, argument)
    return values


def numbers_of_weights(weights: Vector, argument: str) -> Floats:
    """Weights of rows of any number of classes: finite, not negative, not all zero."""
    if weights.categories or weights.values.dtype.kind not in "biuf":
        shown = weights.categories[:1] if weights.categories else weights.values[:1]
        raise InputError(f"`{argument}` must hold numbers; got {listed(shown)}{weights.at(0)}.")
    values = weights.values.astype(np.float64)
    refuse_unusable_weights(values, weights, argument)
    if not values.any():
        raise InputError(f"`{argument}` is 0 for every row, so no row is left.")
    return values


def refuse_unusable_weights(values: Floats, column: Vector, argument: str) -> None:
    """Refuse weights that are infinite or negative, naming the first row of them."""
    if values.min(initial=0.0) >= 0 and values.max(initial=0.0) < np.inf:
        return
    for bad, what in ((~np.isfinite(values), "infinite"), (values < 0, "negative")):
        if bad.any():
            place = int(bad.argmax())
            raise InputError(
                f"`{argument}` has {count_of(column.n_rows(bad), f'{what} value')} (first "
                f"{values[place]:g}{column.at(place)}); weights must be finite and at least 0."
            )


def _largest_by_class(weights: Floats, mask: Codes) -> tuple[float, float]:
    """The largest weight of a positive row, and of a negative one."""

    def look(start: int, stop: int) -> tuple[float, float]:
        tops = np.zeros(2)
        for some in steps_of_rows(start, stop, len(mask)):
            of_positives = weights[some] * mask[some]
            of_negatives = weights[some] - of_positives
            tops = np.maximum(tops, (of_positives.max(), of_negatives.max()))
        return float(tops[0]), float(tops[1])

    found = run_parts(look, parts_of_rows(len(mask)))
    return max(top for top, _ in found), max(top for _, top in found)


def _usable_size(top: float, name: str, argument: str) -> None:
    """Refuse weights of one class that are all 0, or whose squares leave the range of floats."""
    if top == 0.0:
        raise InputError(f"`{argument}` is 0 for every {name} row, so ROC is undefined.")
    if not SMALLEST_WEIGHT <= top <= LARGEST_WEIGHT:
        raise InputError(
            f"`{argument}` goes up to {top:g} for {name} rows, and its squares leave the range of "
            "floating-point numbers. Divide all weights by one number, e.g. by the largest."
        )
