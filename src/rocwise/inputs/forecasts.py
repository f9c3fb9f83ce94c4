"""Targets and forecasts: numbers of the same rows, finite and complete."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.errors import InputError, count_of, listed
from rocwise.inputs.rows import clean_columns
from rocwise.inputs.scores import EXACT_NUMBERS, LARGEST_EXACT_INTEGER
from rocwise.inputs.vectors import Vector, as_vector, columns_by_name, model_number
from rocwise.results import Origin


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """Targets and the forecasts of each model, row by row; whether their index has times."""

    y_true: Floats
    predictions: dict[str, Floats]
    origin: Origin
    weights: Floats | None = None
    in_time_order: bool = False


def forecast_rows(
    y_true: Any, columns: Mapping[str, Any], *, sample_weight: Any = None, missing: str = "raise"
) -> Forecasts:
    """Targets with columns of forecasts by the name that errors use; rows of weight 0 go."""
    vectors = {"y_true": numbers_vector(y_true, "y_true")}
    vectors |= {name: numbers_vector(values, name) for name, values in columns.items()}
    if sample_weight is not None:
        vectors["sample_weight"] = numbers_vector(sample_weight, "sample_weight")
    kept, weights, _, origin = clean_columns(vectors, missing)
    names = [vectors[name].name for name in columns]
    if len(names) == 1:
        origin = replace(origin, name=names[0])
    found = {name: finite_numbers(kept[name], name) for name in ("y_true", *columns)}
    series = any(_rising_times(column.index) for column in vectors.values())
    return Forecasts(found.pop("y_true"), found, origin, weights, series)


def _rising_times(index: Any) -> bool:
    """Whether the index of a pandas Series consists of increasing times."""
    times = getattr(index, "inferred_type", None) in ("datetime64", "period")
    return times and bool(index.is_monotonic_increasing and index.is_unique)


def named_predictions(
    predictions: Any, *, argument: str = "predictions", at_least: int = 2
) -> dict[str, Any]:
    """Forecasts by the name of the model: of a dict, a data frame, or a 2-D array."""
    must_be = "a dict of name to forecasts, a data frame, or a 2-D array with one column per model"
    named = columns_by_name(predictions, argument, must_be, model_number)
    if len(named) < at_least:
        models = "two models to compare" if at_least == 2 else "one model"
        raise InputError(f"`{argument}` must contain at least {models}; got {len(named)}.")
    return named


def forecasts_by_model(y_pred: Any) -> dict[str, Any] | None:
    """Forecasts of several models by name; None for those of one."""
    is_frame = hasattr(y_pred, "columns") and getattr(y_pred, "ndim", 2) == 2
    if not isinstance(y_pred, Mapping) and not is_frame:
        return None
    return named_predictions(y_pred, argument="y_pred", at_least=1)


def training_targets(y_train: Any) -> Floats | None:
    """Targets of the training data, complete and finite."""
    if y_train is None:
        return None
    column = numbers_vector(y_train, "y_train")
    if column.missing is not None:
        raise InputError(
            f"`y_train` has {count_of(int(column.missing.sum()), 'missing value')} (first at row "
            f"{int(column.missing.argmax())}). Leave those rows out."
        )
    return finite_numbers(column, "y_train")


def numbers_vector(data: Any, argument: str) -> Vector:
    """One column; an error for tables and empty columns."""
    shape = getattr(data, "shape", None)
    if shape is not None and len(shape) == 2 and shape[1] > 1:
        raise InputError(
            f"`{argument}` must be one column; got a table of shape {tuple(shape)}. Pass one "
            "column at a time; regression.compare takes several models."
        )
    countable = hasattr(data, "__len__") and shape != ()
    if countable and not isinstance(data, (str, bytes, dict)) and len(data) == 0:
        raise InputError(f"`{argument}` is empty; at least one value is needed.")
    return as_vector(data, argument)


def finite_numbers(column: Vector, argument: str) -> Floats:
    """The values as float64; an error unless all are finite and exactly representable."""
    if column.categories:
        raise InputError(
            f"`{argument}` must contain numbers; got the categories {listed(column.categories)}."
        )
    values = column.values
    exact = values.dtype.kind == "O" and all(isinstance(v, EXACT_NUMBERS) for v in values)
    if not exact and values.dtype.kind not in "biuf":
        raise InputError(
            f"`{argument}` must contain numbers; got {listed(values[:1])} at row {column.row(0)}."
        )
    if values.dtype.kind in "iuO" and max(map(abs, map(int, (values.min(), values.max())))) > (
        LARGEST_EXACT_INTEGER
    ):
        raise InputError(
            f"`{argument}` contains numbers above 2**53, which floating-point numbers do not "
            "represent exactly. Subtract one number from targets and forecasts first."
        )
    numbers = values.astype(np.float64)
    infinite = ~np.isfinite(numbers)
    if infinite.any():
        place = int(infinite.argmax())
        raise InputError(
            f"`{argument}` has {count_of(int(infinite.sum()), 'infinite value')} (first at row "
            f"{column.row(place)}); errors must be finite. Leave those rows out."
        )
    return numbers
