"""Pictures of what one or a few operating points say about the area."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocwise.plotting.layers import Band, Label, Layer, Line, Picture, Points
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import AxisWords, entry

if TYPE_CHECKING:
    from rocwise.binary.reported_points import AucBounds, BoundContours

PLACES = (0.5, 0.35, 0.65)
"""Where along its contour a value is written."""


@picture_of("AucBounds")
def bounds_picture(
    bounds: AucBounds, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> Picture:
    """Draw the points and the region in which every concave curve through them must run.

    Options as for a ROC curve.
    """
    words = f"AUC {bounds.lower:.3f} to {bounds.upper:.3f}"
    layers: tuple[Layer, ...] = (
        Band(*bounds.region(), label=entry(name, words)),
        Points(bounds.fpr, bounds.tpr),
    )
    caption = ("Shaded: where concave curves through the points can run.",)
    return replace(roc_square(layers, axis, chance), caption=caption)


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
        if away.max(initial=-1.0) >= 0:
            # along the lines in turn, so that neighbours do not meet
            shown = np.flatnonzero(away >= 0)
            place = int(shown[int(PLACES[number % len(PLACES)] * (len(shown) - 1))])
            layers.append(Label(float(x[place]), float(y[place]), f"{value:g}", "on"))
    return roc_square(tuple(layers), axis, chance)


def _title(quantity: str, name: str | None) -> str:
    words = "equal A" if quantity == "a" else "equal gap between the bounds"
    return entry(name, words)
