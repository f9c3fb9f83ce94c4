"""Labels of thresholds on a curve: which ones, where, and in how many digits."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting import words
from rocwise.plotting.spec import Label, Layer, Points, Side

NEAR_EDGE = 0.85  # A point further right has no room for its text at its right
CLOSEST = 0.03  # smallest distance between two labels, as a fraction of the length of the curve


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
    """Mark thresholds on the curve of a result, which has `thresholds` and `origin`.

    `wanted` is a largest number or a list of them. They are rounded where all scores are known.
    """
    if wanted is None:
        return ()
    if np.ndim(wanted) == 0:  # type: ignore[arg-type]
        count = checks.whole(wanted, "threshold_labels", at_least=1)
        rows = _evenly_spaced(result.thresholds, drawn or (x, y), count)
        texts = [_rounded(result, row, complete) for row in rows]
    else:
        values = [checks.real(value, "threshold_labels") for value in wanted]  # type: ignore[union-attr]
        rows = [_row_of(result, value, complete) for value in values]
        texts = [_as_typed(result.origin.categories, value) for value in values]
    if not rows:
        return ()
    points = zip(x[rows].tolist(), y[rows].tolist(), texts, strict=True)
    labels = (Label(at, up, text, side or _free_side(at, up)) for at, up, text in points)
    return (Points(x[rows], y[rows]), *labels)


def _evenly_spaced(thresholds: Any, drawn: tuple[Floats, Floats], count: int) -> list[int]:
    """Points at even distances along the curve, without the ends where all or none are positive."""
    inner = 1 + np.flatnonzero(np.isfinite(thresholds[1:-1]))
    if len(inner) == 0:
        return []
    steps = np.hypot(*map(np.diff, drawn))
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


def _row_of(result: Any, value: float, complete: bool) -> int:
    """The point of the rule `score >= value` (or `<=`)."""
    thresholds, higher = result.thresholds, result.origin.direction == "higher"
    row = int(np.count_nonzero(thresholds >= value if higher else thresholds <= value)) - 1
    if not complete and thresholds[row] != value:
        raise InputError(
            f"`threshold_labels` has {value:g}, which is not a threshold of this curve, and the "
            "curve leaves out points, so its place is not known. "
            "Use thresholds of the curve, or rocwise.roc(...) with drop_intermediate=False."
        )
    return row


def _rounded(result: Any, row: int, complete: bool) -> str:
    """The threshold in the fewest digits, at least four, that select the same cases."""
    value, direction = result.thresholds[row], result.origin.direction
    if result.origin.categories:
        return str(result.origin.categories[int(value)])
    # without the next score no rounding is known to be right
    beyond = -math.inf if direction == "higher" else math.inf
    neighbor = float(result.thresholds[row + 1] if complete else np.nextafter(value, beyond))
    dtype = result.thresholds.dtype
    text = printing.rounded_threshold(value, neighbor, direction=direction, dtype=dtype)
    return words.true_minus(text)


def _as_typed(categories: tuple[str, ...], value: float) -> str:
    if categories and value.is_integer() and 0 <= value < len(categories):
        return categories[int(value)]
    return words.true_minus(repr(value).removesuffix(".0"))


def _free_side(x: float, y: float) -> Side:
    """The side away from the curve, inside the square."""
    if y >= x:
        return "below-left" if x > NEAR_EDGE else "below-right"
    return "above-right" if x < 1 - NEAR_EDGE else "above-left"
