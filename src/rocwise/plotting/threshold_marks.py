"""Cut-offs written on a curve: which ones, where, and in how many digits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting.spec import Axis, Band, Label, Layer, Line, Points, Side, probit

COLUMNS = 2400
"""Columns along an axis: two for every dot of a journal's 300 per inch in 90 mm."""
FEW = 4 * COLUMNS
"""So many points are left as they are."""

Places = npt.NDArray[np.intp]


def thinned_line(line: Line, x: Axis) -> tuple[Floats, Floats]:
    """Return the points to draw: all of few, and of many those that show."""
    kept = shown_places(line.x, (line.y,), x)
    return (line.x, line.y) if kept is None else (line.x[kept], line.y[kept])


def thinned_band(band: Band, x: Axis) -> tuple[Floats, Floats, Floats]:
    """Return the places and edges to draw: all of few, and of many those that show."""
    kept = shown_places(band.x, (band.lower, band.upper), x)
    if kept is None:
        return band.x, band.lower, band.upper
    return band.x[kept], band.lower[kept], band.upper[kept]


def shown_places(x: Floats, heights: tuple[Floats, ...], axis: Axis) -> Places | None:
    """Return which points show, or None where all are to be drawn.

    That is so for few points, and for lines that turn back or have gaps.

    Examples
    --------
    >>> x = np.linspace(0, 1, 100_001)
    >>> kept = shown_places(x, (x**2,), Axis("x", (0.0, 1.0)))
    >>> len(kept) < 10_000, int(kept[0]), int(kept[-1])
    (True, 0, 100000)
    """
    if len(x) <= FEW or not _rises(x) or not all(np.isfinite(each).all() for each in heights):
        return None
    columns = _columns(x, axis)
    starts = np.flatnonzero(np.diff(columns, prepend=columns[0] - 1))
    ends = np.append(starts[1:], len(x)) - 1
    kept = [starts, ends]
    kept += [
        _first_equal(values, extreme.reduceat(values, starts), starts)
        for values in heights
        for extreme in (np.minimum, np.maximum)
    ]
    return np.unique(np.concatenate(kept))


def _rises(x: Floats) -> bool:
    return bool(np.isfinite(x).all() and np.all(x[1:] >= x[:-1]))


def _columns(x: Floats, axis: Axis) -> Places:
    """Return the column of each place; what lies outside the axis is in the outermost ones."""
    low, high = axis.limits
    if axis.scale == "log":
        tiny = low / 10
        x, low, high = np.log(np.maximum(x, tiny)), np.log(low), np.log(high)
    elif axis.scale == "probit":
        x = probit(np.clip(x, low, high))
        low, high = probit(np.array(axis.limits))
    share = (x - low) / (high - low)
    return np.clip(share * COLUMNS, -1, COLUMNS + 1).astype(np.intp)


def _first_equal(values: Floats, wanted: Floats, starts: Places) -> Places:
    """Return the first place in every column where the value is the one wanted."""
    sizes = np.diff(np.append(starts, len(values)))
    matches = np.flatnonzero(values == np.repeat(wanted, sizes))
    column = np.searchsorted(starts, matches, side="right")
    first = np.flatnonzero(np.diff(column, prepend=0))
    return matches[first]


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


def share_steps(values: Floats, ends: tuple[float, float] | None = None) -> tuple[Floats, Floats]:
    """The corners of the steps by which the share of values at most x rises, between two ends.

    >>> [corners.tolist() for corners in share_steps(np.array([3.0, 1.0]))]
    [[1.0, 1.0, 3.0, 3.0], [0.0, 0.5, 0.5, 1.0]]
    """
    x = np.repeat(np.sort(values), 2)
    y = np.repeat(np.arange(len(values) + 1) / len(values), 2)
    if ends is None:
        return x, y[1:-1]
    return np.concatenate(([ends[0]], x, [ends[1]])), y


def threshold_steps(
    thresholds: Floats, values: Floats, direction: str, ends: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return the corners of the steps.

    The value of a threshold holds from it down to (up to, where lower scores mean positive)
    the next score, that one left out; the last one holds beyond it as well, because all cases are
    positive there.
    """
    # Turned round, "lower" is "higher": the rule score <= t is the rule -score >= -t.
    sign = -1.0 if direction == "lower" else 1.0
    mild_end, strict_end = sorted((sign * ends[0], sign * ends[1]))
    order = np.argsort(sign * thresholds, kind="stable")
    threshold, value = sign * thresholds[order], values[order]
    finite = np.isfinite(threshold)
    x = np.concatenate(([mild_end], np.repeat(threshold[finite], 2)[:-1]))
    y = np.repeat(value[finite], 2)
    beyond = value[threshold == np.inf]
    if len(beyond):
        x = np.append(x, [x[-1], strict_end])
        y = np.append(y, [beyond[-1], beyond[-1]])
    return sign * x, y


def score_ends(thresholds: Floats, argument: str) -> tuple[float, float]:
    """The limits of an axis of thresholds, the infinite ones left out."""
    finite = thresholds[np.isfinite(thresholds)]
    if len(finite) == 0:
        raise InputError(
            f"`{argument}` has no finite threshold, so there is no axis to draw it on."
        )
    low, high = float(finite.min()), float(finite.max())
    margin = 0.03 * (high - low) or 0.03 * max(abs(low), 1.0)
    return low - margin, high + margin
