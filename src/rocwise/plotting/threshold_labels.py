"""Cut-offs written on a curve: which ones, where, and in how many digits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting.layers import Label, Layer, Points, Side

NEAR_EDGE = 0.85
"""A point further right than this has no room for its text at its right."""
CLOSEST = 0.03
"""Smallest distance between two labels, as a share of the way along the curve."""


@dataclass(frozen=True, eq=False)
class LabelledCurve:
    """The points of a curve and the threshold of each.

    Attributes
    ----------
    x, y
        Where the points are drawn.
    thresholds
        From the strictest (infinite) to the mildest.
    direction
        "higher": a case is positive when score >= threshold; "lower": when score <= threshold.
    complete
        Whether every distinct score is among the thresholds. Only then is it known how far a
        threshold may be rounded, and which point belongs to a number between two of them.
    categories
        Names of the ordered categories, when the scores are positions in that list.
    drawn
        The points in lengths on paper, where that differs from x and y.
    """

    x: Floats
    y: Floats
    thresholds: np.ndarray[Any, Any]
    direction: str = "higher"
    complete: bool = True
    categories: tuple[str, ...] = ()
    drawn: tuple[Floats, Floats] | None = None


def label_layers(
    curve: LabelledCurve, wanted: int | Iterable[float] | None, side: Side | None
) -> tuple[Layer, ...]:
    """Mark thresholds on a curve: about so many, or exactly these.

    Parameters
    ----------
    curve
        The points.
    wanted
        A number: at most so many, spread evenly along the curve, the ends left out. A list:
        these thresholds, each at the point that the decision rule gives for it. None: nothing.
    side
        Where the text stands; None decides by the side of the diagonal.
    """
    if wanted is None:
        return ()
    if np.ndim(wanted) == 0:  # type: ignore[arg-type]
        count = checks.whole(wanted, "threshold_labels", at_least=1)
        places = _spread(curve, count)
        texts = [_rounded(curve, place) for place in places]
    else:
        values = [checks.real(value, "threshold_labels") for value in wanted]  # type: ignore[union-attr]
        places = [_place_of(curve, value) for value in values]
        texts = [_as_typed(curve, value) for value in values]
    if not places:
        return ()
    points = Points(curve.x[places], curve.y[places])
    labels = (
        Label(float(curve.x[place]), float(curve.y[place]), text, side or _free_side(curve, place))
        for place, text in zip(places, texts, strict=True)
    )
    return (points, *labels)


def _spread(curve: LabelledCurve, count: int) -> list[int]:
    """Pick points at even distances along the curve, far enough apart for their texts.

    The ends are left out: all or nobody is positive there.
    """
    inner = np.arange(1, len(curve.x) - 1)
    inner = inner[np.isfinite(curve.thresholds[inner])]
    if len(inner) == 0:
        return []
    way = _way(curve)
    targets = np.arange(1, count + 1) / (count + 1)
    after = np.searchsorted(way[inner], targets).clip(1, max(1, len(inner) - 1))
    pairs = inner[np.stack((after - 1, after.clip(max=len(inner) - 1)))]
    nearest = np.where(np.abs(way[pairs[0]] - targets) <= np.abs(way[pairs[1]] - targets), *pairs)
    chosen: list[int] = []
    for place in np.unique(nearest):
        if not chosen or way[place] - way[chosen[-1]] >= CLOSEST:
            chosen.append(int(place))
    return chosen


def _way(curve: LabelledCurve) -> Floats:
    """Return how far along the drawn curve each point is, from 0 to 1."""
    across, upwards = curve.drawn or (curve.x, curve.y)
    steps = np.hypot(np.diff(across), np.diff(upwards))
    way: Floats = np.concatenate(([0.0], np.cumsum(steps))) / steps.sum()
    return way


def _place_of(curve: LabelledCurve, value: float) -> int:
    """Return the point of the rule `score >= value` (or `<=`): the last one as strict."""
    strict = curve.thresholds >= value if curve.direction == "higher" else curve.thresholds <= value
    place = int(np.count_nonzero(strict)) - 1
    if not curve.complete and curve.thresholds[place] != value:
        raise InputError(
            f"`threshold_labels` holds {value:g}, which is not a threshold of this curve, and the "
            "curve leaves out points, so its place is not known. "
            "Use thresholds of the curve, or rocwise.roc(...) with drop_intermediate=False."
        )
    return place


def _rounded(curve: LabelledCurve, place: int) -> str:
    """Return the threshold in the fewest digits, at least four, that select the same cases."""
    value = curve.thresholds[place]
    if curve.categories:
        return curve.categories[int(value)]
    if curve.complete:
        neighbour = float(curve.thresholds[place + 1])
    else:
        # Without the next score only the threshold itself is known to be right: no rounding.
        beyond = -math.inf if curve.direction == "higher" else math.inf
        neighbour = float(np.nextafter(value, beyond))
    text = printing.rounded_threshold(
        value, neighbour, direction=curve.direction, dtype=curve.thresholds.dtype
    )
    return text.replace("-", "−")


def _as_typed(curve: LabelledCurve, value: float) -> str:
    if curve.categories and value.is_integer() and 0 <= value < len(curve.categories):
        return curve.categories[int(value)]
    return repr(value).removesuffix(".0").replace("-", "−")


def _free_side(curve: LabelledCurve, place: int) -> Side:
    """Return the side away from the curve that also stays inside the square."""
    x, y = curve.x[place], curve.y[place]
    if y >= x:
        return "below-left" if x > NEAR_EDGE else "below-right"
    return "above-right" if x < 1 - NEAR_EDGE else "above-left"
