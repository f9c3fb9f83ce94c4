"""The forecast to beat: a constant learned from the training targets, or any other forecast."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError

NullConstant = Literal["mean", "median", "last"]


def null_forecasts(null: Any, y_train: Floats | None, n: int) -> tuple[Floats, str]:
    """The n forecasts of the null model, and what it is called.

    Parameters
    ----------
    null : str, float or ndarray
        "mean", "median" or "last" of `y_train`, one number for all rows, or a forecast per row.
    y_train : ndarray or None
        Targets the model was trained on; never the ones it is tested on.
    n : int
        Rows.
    """
    if isinstance(null, str):
        checks.one_of(null, "null", get_args(NullConstant))
        if y_train is None:
            raise InputError(
                f"`null` {null!r} needs `y_train`, the targets of the training data: a null model "
                "made from the targets it is judged by would know too much."
            )
        return np.full(n, _constant(null, y_train)), f"{null} of the training targets"
    if isinstance(null, np.ndarray) and null.ndim:
        if null.shape != (n,):
            raise InputError(
                f"`null` must be one forecast for each of the {n:,} rows; got {len(null):,}."
            )
        return null, "given forecasts"
    constant = checks.real(null, "null")
    return np.full(n, constant), f"constant {constant:g}"


def _constant(null: str, y_train: Floats) -> float:
    if null == "mean":
        return float(np.mean(y_train))
    return float(np.median(y_train)) if null == "median" else float(y_train[-1])
