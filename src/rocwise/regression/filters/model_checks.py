"""Checks of the arguments of filters: noises, the initial state, the observations."""

from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Flags, Floats
from rocwise.errors import InputError, count_of, shown

SLACK = 1e-10  # asymmetry and negative eigenvalues up to this fraction are rounding

NoiseForm = Literal["additive", "augmented"]
MissingValues = Literal["raise", "skip"]


def numbers(value: Any, argument: str) -> Floats:
    """An array of finite float64."""
    array = numbers_or_nan(value, argument)
    if not np.isfinite(array).all():
        raise InputError(f"`{argument}` must be finite; it has a nan or an infinity.")
    return array


def numbers_or_nan(value: Any, argument: str) -> Floats:
    """An array of float64 that are not infinite."""
    try:
        array = np.asarray(value)
        is_number = array.dtype.kind in "iufO"  # and not a text or a truth value
        array = np.array(array if is_number else "no number", dtype=np.float64)
    except (TypeError, ValueError, ArithmeticError, RecursionError):
        raise InputError(f"`{argument}` must contain numbers; got {shown(value, 60)}.") from None
    if np.isinf(array).any():
        row = int(np.argwhere(np.isinf(np.atleast_1d(array)))[0, 0])
        raise InputError(f"`{argument}` must be finite; it has an infinity in row {row}.")
    return array


def state(value: Any, argument: str = "initial_mean") -> Floats:
    """A vector with one number per state."""
    vector = np.atleast_1d(numbers(value, argument))
    if vector.ndim != 1 or vector.size == 0:
        raise InputError(
            f"`{argument}` must be a vector with one number per state; got the shape "
            f"{vector.shape}."
        )
    return vector


def matrix(value: Any, argument: str, shape: tuple[int | None, int]) -> Floats:
    """A matrix of this shape; a number where one entry is wanted, a vector where one row is."""
    array = numbers(value, argument)
    if array.ndim == 0 or (array.ndim == 1 and array.size == shape[1]):
        array = array.reshape(1, -1)
    height = array.shape[0] if shape[0] is None else shape[0]
    if array.ndim != 2 or array.shape != (height, shape[1]) or array.size == 0:
        rows = "d" if shape[0] is None else str(shape[0])
        raise InputError(
            f"`{argument}` must have the shape ({rows}, {shape[1]}); got {np.shape(value)}."
        )
    return array


def covariance(value: Any, argument: str, size: int | None, *, definite: bool) -> Floats:
    """A symmetric matrix, positive definite or (for process noise) at least not negative."""
    array = numbers(value, argument)
    array = array.reshape(1, 1) if array.size == 1 else array
    wanted = len(array) if size is None else size
    if array.shape != (wanted, wanted):
        fix = f" For one variance in all directions pass it times np.eye({wanted})."
        raise InputError(
            f"`{argument}` must have the shape ({wanted}, {wanted}); got {np.shape(value)}."
            + (fix if np.size(value) == 1 else "")
        )
    largest = float(np.abs(array).max())
    if np.abs(array - array.T).max() > SLACK * largest:
        raise InputError(f"`{argument}` must be symmetric, as every covariance is.")
    array = array / 2 + array.T / 2  # in this order: the sum of two large ones is no number
    lowest = float(np.linalg.eigvalsh(array)[0])
    if definite:
        try:
            np.linalg.cholesky(array)  # on which the filters rely
        except np.linalg.LinAlgError:
            raise InputError(
                f"`{argument}` must be positive definite; its lowest eigenvalue is {lowest:.3g}."
            ) from None
    if lowest < -SLACK * largest:
        raise InputError(
            f"`{argument}` must not have negative eigenvalues; its lowest is {lowest:.3g}."
        )
    return array


def observations(y: Any, width: int, missing: MissingValues) -> tuple[Floats, Flags]:
    """The series as (T, d), with 0 where nothing was observed, and which values were."""
    checks.one_of(missing, "missing", get_args(MissingValues))
    array = numbers_or_nan(y, "y")
    if array.ndim == 1 and width == 1:
        array = array[:, None]
    if array.ndim != 2 or array.shape[1] != width:
        wanted = "(T,) or (T, 1)" if width == 1 else f"(T, {width})"
        raise InputError(f"`y` must have the shape {wanted}; got {array.shape}.")
    if not len(array):
        raise InputError("`y` is empty; at least one observation is needed.")
    present = ~np.isnan(array)
    if missing == "raise" and not present.all():
        row = int(np.argwhere(~present)[0, 0])
        raise InputError(
            f"`y` has {count_of(int((~present).sum()), 'missing value')} (first at row {row}). "
            "Pass missing='skip' to predict over them without an update."
        )
    return np.where(present, array, 0.0), present
