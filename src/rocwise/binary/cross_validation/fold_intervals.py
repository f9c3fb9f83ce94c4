"""Intervals for the mean of cross-validation folds (F4.6)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, MisuseWarning, shown, warn
from rocwise.results import Interval

LARGEST = 1e150  # its square is a number

REPEATED_AS_INDEPENDENT = (
    "the {repeats} repeats of cross-validation are treated as independent, but they reuse the same "
    "cases, so that the interval is far too short. Use {remedy}."
)


def cv_interval(
    fold_values: ArrayLike,
    *,
    level: float = 0.95,
    corrected: bool = False,
    test_fraction: float | None = None,
) -> Interval:
    """Interval for the mean of the values of cross-validation folds, by Student's t (F4.6).

    Parameters
    ----------
    fold_values : array-like
        The value of each fold, such as its AUC; of repeated cross-validation one row per repeat.
    level : float, default 0.95
        Confidence level.
    corrected : bool, default False
        Nadeau & Bengio's correction for training sets that overlap. Without it the folds count as
        independent, and the interval tends to be too short.
    test_fraction : float, optional
        With `corrected`: share of the cases that a fold tests; by default 1 / (number of folds).

    Returns
    -------
    Interval
        With `mean`. It is not cut off at 0 and 1.

    Examples
    --------
    >>> import rocwise as rw
    >>> folds = [0.81, 0.79, 0.84, 0.88, 0.80, 0.77, 0.83, 0.86, 0.82, 0.85]
    >>> rw.cv_interval(folds)
    0.801 to 0.849 (95 % CI, t over folds)
    >>> rw.cv_interval(folds, corrected=True)
    0.790 to 0.860 (95 % CI, corrected t over folds)
    """
    level = checks.level(level)
    corrected = checks.flag(corrected, "corrected")
    values = _checked_values(fold_values)
    repeats, folds = values.shape
    if test_fraction is not None and not corrected:
        raise InputError("`test_fraction` is used with corrected=True only; got it without.")
    if repeats > 1 and not corrected:
        warn(
            REPEATED_AS_INDEPENDENT.format(repeats=repeats, remedy="corrected=True"),
            MisuseWarning,
        )
    if values.min() == values.max():
        warn(
            f"all folds have the value {values[0, 0]:g}, so that the interval has no width; it "
            "says nothing about how sure the mean is.",
            MisuseWarning,
        )
    share = 1 / folds if test_fraction is None else checks.fraction(test_fraction, "test_fraction")
    return fold_interval(values.ravel(), level, share if corrected else None)


def fold_interval(values: Floats, level: float, test_fraction: float | None) -> Interval:
    """Mean plus and minus t standard errors; `test_fraction` None leaves out the correction."""
    from scipy.special import stdtrit

    count = len(values)
    mean, spread = float(values.mean()), float(values.std(ddof=1))
    overlap = 0.0 if test_fraction is None else test_fraction / (1 - test_fraction)
    reach = float(stdtrit(count - 1, (1 + level) / 2)) * spread * math.sqrt(1 / count + overlap)
    method = "t over folds" if test_fraction is None else "corrected t over folds"
    return Interval(mean - reach, mean + reach, level, method, mean)


def _checked_values(fold_values: Any) -> Floats:
    """Values as (repeats, folds): at least two folds, all of them finite numbers."""
    try:
        values = np.asarray(fold_values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"`fold_values` must be numbers, one per fold; got {shown(fold_values, 60)}."
        ) from None
    if values.ndim not in (1, 2):
        raise InputError(
            "`fold_values` must hold one value per fold, or one row of them per repeat; "
            f"got an array of shape {values.shape}."
        )
    values = np.atleast_2d(values)
    if values.size < 2 or values.shape[1] < 2:
        raise InputError(f"`fold_values` must hold at least two folds; got {values.shape[-1]}.")
    bad = ~np.isfinite(values)
    if bad.any():
        repeat, fold = (int(place) for place in np.argwhere(bad)[0])
        where = f"fold {fold}" if len(values) == 1 else f"fold {fold} of repeat {repeat}"
        raise InputError(
            f"`fold_values` is {values[repeat, fold]} in {where} (counted from 0): its AUC is "
            "undefined, as when a class is missing. Make the folds stratified, so that each has "
            "both classes; a fold is never left out."
        )
    if np.abs(values).max() > LARGEST:
        raise InputError(
            f"`fold_values` must lie between -{LARGEST:g} and {LARGEST:g}, beyond which their "
            f"spread is no number; got {values.ravel()[np.abs(values).argmax()]:g}."
        )
    return values
