"""How far a forecast is from the truth, row by row, and which distances count as equal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from rocwise import checks, kernels
from rocwise.arrays import Flags, Floats
from rocwise.errors import InputError, listed, shown

LossFunction: TypeAlias = Callable[[Floats, Floats], Any]
Loss = Literal["absolute", "squared"]
LOSSES: tuple[str, ...] = get_args(Loss)
EQUAL = 1e-12  # distances closer than this, relative to the largest (at least 1), are one
SMALL_UNITS = 1e-6  # data below this size are in units of their own, and 1 means nothing
ROUNDING = 4 * float(np.finfo(np.float64).eps)  # of a difference, relative to its terms
SMALLEST = 1e-290  # largest squared errors below it leave too few digits to the others
HUGE = 1e280  # sums of larger numbers could overflow


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """The losses of one model in the order of the rows.

    Attributes
    ----------
    values : ndarray
        One loss per row, finite and not negative.
    kind : str
        "absolute", "squared", or the name of the user's own function.
    rounding : float
        Distances (roots of squared losses) this close differ by rounding only.
    weights : ndarray or None
        Weight of each row, above 0; None: 1 each.
    """

    values: Floats
    kind: str
    rounding: float
    weights: Floats | None = None

    def shares(self) -> Floats:
        """The share of every row among all, by its weight."""
        if self.weights is None:
            return np.full(len(self.values), 1 / len(self.values))
        return np.asarray(self.weights / self.weights.sum())

    def distances(self) -> Floats:
        """On the scale where rounding is judged: absolute errors, or the user's losses."""
        return as_distances(self.values, self.kind)


def as_distances(values: Any, kind: str) -> Floats:
    """Losses of this kind as distances; the root undoes the square exactly."""
    return np.sqrt(values) if kind == "squared" else np.asarray(values, np.float64)


def losses_of(y_true: Floats, y_pred: Floats, loss: str | LossFunction) -> Losses:
    """The loss of every row, refused where it is not a finite number of at least 0."""
    if isinstance(loss, type):
        raise InputError(f"`loss` must be a name or a function; got the class {shown(loss)}.")
    if callable(loss):
        values = _checked(loss(y_true, y_pred), len(y_true))
        name = getattr(loss, "__name__", "loss")
        return Losses(values, "loss" if name == "<lambda>" else name, _rounding(values, 1.0))
    if not isinstance(loss, str) or loss not in LOSSES:
        checks.one_of(loss, "loss", (*LOSSES, "a function of y_true and y_pred"))
    with np.errstate(over="ignore"):
        distances = np.abs(y_true - y_pred)
        values = np.square(distances) if loss == "squared" else distances
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise InputError(
            f"The {loss} error at row {row} ({y_true[row]:g} against {y_pred[row]:g}) is too large "
            "for a floating-point number. Divide `y_true` and `y_pred` by one number first."
        )
    if loss == "squared" and distances.any() and values.max() < SMALLEST:
        row = int(distances.argmax())
        raise InputError(
            f"Even the largest squared error, at row {row} ({y_true[row]:g} against "
            f"{y_pred[row]:g}), is too small for a floating-point number. Multiply `y_true` and "
            "`y_pred` by one number first."
        )
    size = max(float(np.abs(y_true).max()), float(np.abs(y_pred).max()))
    return Losses(values, loss, _rounding(distances, size))


def _checked(losses: Any, n: int) -> Floats:
    """What the user's function gave, if it can be used."""
    try:
        complex_ones = np.iscomplexobj(losses)  # of which numpy would keep the real part
        values = None if complex_ones else np.array(losses, dtype=np.float64)
    except (TypeError, ValueError):
        values = None
    if values is None:
        raise InputError(f"`loss` must return numbers; got {shown(losses, 60)}.")
    if values.shape != (n,):
        raise InputError(
            f"`loss` must return one loss for each of the {n:,} rows; got an array of shape "
            f"{values.shape}."
        )
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        row = int(bad.argmax())
        raise InputError(
            "`loss` must return finite losses of at least 0; got "
            f"{listed(values[row : row + 1])} at row {row}."
        )
    return values


def _rounding(distances: Floats, size: float) -> float:
    """Distances closer than this are equal; `size` is that of the numbers they come from."""
    if size < SMALL_UNITS:
        return EQUAL * size
    return max(EQUAL * max(1.0, float(distances.max())), ROUNDING * size)


def chain_starts(ascending: Floats, gap: float) -> Flags:
    """Marks the first of every chain of values whose successive gaps are at most `gap`."""
    return np.concatenate([[True], np.diff(ascending) > gap])


def pooled_losses(models: dict[str, Losses]) -> dict[str, Floats]:
    """Losses of several models on the same rows; equal ones, over all models, are made identical.

    |4.2 - 4| and |1.2 - 1| are both 0.2, but not as floating-point numbers; every chain of near
    neighbours gets its first value.
    """
    everything = list(models.values())
    values = np.concatenate([each.values for each in everything])
    gap = max(each.rounding for each in everything)
    ascending = kernels.ascending(values)
    starts = chain_starts(as_distances(ascending, everything[0].kind), gap)
    if not starts.all():  # else every loss is far from all others, as most are without ties
        order = kernels.argsort(values)
        values[order] = ascending[starts][np.cumsum(starts) - 1]
    parts = np.split(values, len(everything))
    return dict(zip(models, parts, strict=True))


def exact_mean(values: Floats, weights: Floats | None = None) -> float:
    """The mean by a correctly rounded sum, so that the order of the rows never decides."""
    scale = 2.0**-64 if values.max() > HUGE else 1.0
    if weights is None:
        return kernels.rounded_sum(values * scale) / len(values) / scale
    held = weights / weights.max()  # products must not overflow
    return kernels.rounded_sum(values * scale * held) / kernels.rounded_sum(held) / scale
