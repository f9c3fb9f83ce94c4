"""Labels of thresholds on a curve: which ones, where, and in how many digits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting.spec import Label, Layer, Points, Side, true_minus

NEAR_EDGE = 0.85
"""A point further right has no room for its text at its right."""
CLOSEST = 0.03
"""Smallest distance between two labels, as a fraction of the length of the curve."""


class Curve(NamedTuple):
    """Points of a curve with their thresholds, from the highest (infinite) to the lowest.

    `complete` tells whether every distinct score is among the thresholds; only then is it known
    how far a threshold may be rounded, and which point belongs to a number between two of them.
    `drawn` has the points in lengths on paper.
    """

    x: Floats
    y: Floats
    thresholds: np.ndarray[Any, Any]
    direction: str
    categories: tuple[str, ...]
    complete: bool
    drawn: tuple[Floats, Floats]


def threshold_label_layers(
    result: Any,
    x: Floats,
    y: Floats,
    wanted: int | Iterable[float] | None,
    side: Side | None = None,
    *,
    complete: bool = True,
    drawn: tuple[Floats, Floats] | None = None,
) -> tuple[Layer, ...]:
    """Mark thresholds on the curve of a result.

    Parameters
    ----------
    result
        Has `thresholds` and `origin`.
    x, y
        The points.
    wanted
        At most this number of thresholds at even distances, or a list: these thresholds, each at
        the point of its decision rule.
    side
        Of the text; by default away from the diagonal.
    complete, drawn
        See `Curve`.
    """
    if wanted is None:
        return ()
    origin = result.origin
    shape = (origin.direction, origin.categories, complete, drawn or (x, y))
    curve = Curve(x, y, result.thresholds, *shape)
    if np.ndim(wanted) == 0:  # type: ignore[arg-type]
        rows = _evenly_spaced(curve, checks.whole(wanted, "threshold_labels", at_least=1))
        texts = [_rounded(curve, row) for row in rows]
    else:
        values = [checks.real(value, "threshold_labels") for value in wanted]  # type: ignore[union-attr]
        rows = [_row_of(curve, value) for value in values]
        texts = [_as_typed(curve, value) for value in values]
    if not rows:
        return ()
    labels = (
        Label(float(x[row]), float(y[row]), text, side or _free_side(curve, row))
        for row, text in zip(rows, texts, strict=True)
    )
    return (Points(x[rows], y[rows]), *labels)


def _evenly_spaced(curve: Curve, count: int) -> list[int]:
    """Points at even distances along the curve, without the ends where all or none are positive."""
    inner = np.arange(1, len(curve.x) - 1)
    inner = inner[np.isfinite(curve.thresholds[inner])]
    if len(inner) == 0:
        return []
    steps = np.hypot(*(np.diff(values) for values in curve.drawn))
    length = np.concatenate(([0.0], np.cumsum(steps))) / steps.sum()
    targets = np.arange(1, count + 1) / (count + 1)
    after = np.searchsorted(length[inner], targets).clip(1, max(1, len(inner) - 1))
    pairs = inner[np.stack((after - 1, after.clip(max=len(inner) - 1)))]
    first_is_nearer = np.abs(length[pairs[0]] - targets) <= np.abs(length[pairs[1]] - targets)
    chosen: list[int] = []
    for row in np.unique(np.where(first_is_nearer, *pairs)):
        if not chosen or length[row] - length[chosen[-1]] >= CLOSEST:
            chosen.append(int(row))
    return chosen


def _row_of(curve: Curve, value: float) -> int:
    """The point of the rule `score >= value` (or `<=`)."""
    higher = curve.direction == "higher"
    reached = curve.thresholds >= value if higher else curve.thresholds <= value
    row = int(np.count_nonzero(reached)) - 1
    if not curve.complete and curve.thresholds[row] != value:
        raise InputError(
            f"`threshold_labels` holds {value:g}, which is not a threshold of this curve, and the "
            "curve leaves out points, so its place is not known. "
            "Use thresholds of the curve, or rocwise.roc(...) with drop_intermediate=False."
        )
    return row


def _rounded(curve: Curve, row: int) -> str:
    """The threshold in the fewest digits, at least four, that select the same cases."""
    value = curve.thresholds[row]
    if curve.categories:
        return curve.categories[int(value)]
    if curve.complete:
        neighbor = float(curve.thresholds[row + 1])
    else:  # without the next score no rounding is known to be right
        beyond = -math.inf if curve.direction == "higher" else math.inf
        neighbor = float(np.nextafter(value, beyond))
    dtype = curve.thresholds.dtype
    text = printing.rounded_threshold(value, neighbor, direction=curve.direction, dtype=dtype)
    return true_minus(text)


def _as_typed(curve: Curve, value: float) -> str:
    if curve.categories and value.is_integer() and 0 <= value < len(curve.categories):
        return curve.categories[int(value)]
    return true_minus(repr(value).removesuffix(".0"))


def _free_side(curve: Curve, row: int) -> Side:
    """The side away from the curve, inside the square."""
    x, y = curve.x[row], curve.y[row]
    if y >= x:
        return "below-left" if x > NEAR_EDGE else "below-right"
    return "above-right" if x < 1 - NEAR_EDGE else "above-left"
