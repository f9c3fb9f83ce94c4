"""Pictures of what one or a few operating points say about the area."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocwise.arrays import Floats
from rocwise.plotting.layers import Band, Label, Layer, Line, Picture, Points
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import AxisWords

if TYPE_CHECKING:
    from rocwise.binary.reported_points.area_bounds import AucBounds
    from rocwise.binary.reported_points.contours import BoundContours


@picture_of("AucBounds")
def bounds_picture(
    bounds: AucBounds, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> Picture:
    """Draw the points and the region in which every concave curve through them must run.

    Options as for a ROC curve.
    """
    below = bounds.a < 0.5
    x = np.concatenate([[0.0], bounds.tpr if below else bounds.fpr, [1.0]])
    y = np.concatenate([[0.0], bounds.fpr if below else bounds.tpr, [1.0]])
    grid = np.union1d(np.linspace(0, 1, 401), x)
    lower, upper = np.interp(grid, x, y), _ceiling(grid, x, y)
    lower = np.where(grid == 0, 0.0, lower)
    words = f"AUC {bounds.lower:.3f} to {bounds.upper:.3f}"
    label = f"{name}, {words}" if name else words
    layers: tuple[Layer, ...]
    if below:  # mirrored: the region lies under the diagonal
        band = Band(grid, *_inverted(grid, lower, upper), label=label)
    else:
        band = Band(grid, lower, upper, label=label)
    layers = (band, Points(bounds.fpr, bounds.tpr))
    caption = ("Shaded: where concave curves through the points can run.",)
    return replace(roc_square(layers, axis, chance), caption=caption)


def _ceiling(grid: Floats, x: Floats, y: Floats) -> Floats:
    """The highest that a concave curve through the points can be: chords drawn on beyond them."""
    upper = np.ones_like(grid)
    for k in range(len(x) - 1):
        width = x[k + 1] - x[k]
        if width <= 0:
            continue
        line = y[k] + (y[k + 1] - y[k]) / width * (grid - x[k])
        outside = (grid <= x[k]) | (grid >= x[k + 1])
        upper = np.where(outside, np.minimum(upper, line), upper)
    return np.asarray(np.maximum(upper, np.interp(grid, x, y)))


def _inverted(grid: Floats, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """The mirror image in the diagonal of a region between two rising curves."""
    return _inverse(grid, upper), _inverse(grid, lower)


def _inverse(grid: Floats, rising: Floats) -> Floats:
    heights = np.concatenate([[0.0], rising, [1.0]])
    places = np.concatenate([[0.0], grid, [1.0]])
    order = np.argsort(heights, kind="stable")
    return np.asarray(np.interp(grid, heights[order], places[order]))


@picture_of("BoundContours")
def contours_picture(
    contours: BoundContours, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> Picture:
    """Draw the contours with their values; options as for a ROC curve."""
    layers: list[Layer] = []
    lines = zip(contours.values, contours.fpr, contours.tpr, strict=True)
    for number, (value, x, y) in enumerate(lines):
        label = _title(contours.quantity, name) if number == 0 else None
        layers.append(Line(x, y, label=label))
        half = len(x) // 2
        away = np.where(np.isfinite(x[:half]), y[:half] - x[:half], -1.0)  # from the diagonal
        farthest = int(np.argmax(away))
        if away[farthest] >= 0:
            layers.append(Label(float(x[farthest]), float(y[farthest]), f"{value:g}"))
    return roc_square(tuple(layers), axis, chance)


def _title(quantity: str, name: str | None) -> str:
    words = "equal A" if quantity == "a" else "equal gap between the bounds"
    return f"{name}, {words}" if name else words
