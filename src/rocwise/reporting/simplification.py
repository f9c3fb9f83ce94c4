"""Lines with the points that the eye needs: a curve of 100,000 points is drawn by some hundred."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocwise.plotting.spec import Band, Layer, Line, PlotSpec

L = TypeVar("L", Line, Band)
FEW = 60  # points that are left alone
DECADE_FLOOR = 1e-5  # where an axis of logarithms begins
TOLERANCE = 2e-4  # as a share of the axes: a tenth of a pixel on a plot of 500


def needed_points(x: ArrayLike, y: ArrayLike, tolerance: float = TOLERANCE) -> NDArray[np.intp]:
    """Places of the points through which a line stays within `tolerance` of the whole one.

    Ramer's and Douglas and Peucker's method; `x` and `y` are in units of the axes.

    Examples
    --------
    >>> needed_points([0, 0.5, 1, 1], [0, 0.5, 1, 2]).tolist()
    [0, 2, 3]
    """
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    kept = np.zeros(len(x), dtype=bool)
    kept[[0, -1]] = True
    open_parts = [(0, len(x) - 1)]
    while open_parts:
        first, last = open_parts.pop()
        if last - first < 2:
            continue
        distance = _distances(x[first : last + 1], y[first : last + 1])
        farthest = int(distance.argmax())
        if distance[farthest] > tolerance:
            middle = first + 1 + farthest
            kept[middle] = True
            open_parts += [(first, middle), (middle, last)]
    return np.flatnonzero(kept)


def _distances(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distances of the inner points from the segment between the ends."""
    along, up = x[-1] - x[0], y[-1] - y[0]
    dx, dy = x[1:-1] - x[0], y[1:-1] - y[0]
    length = along * along + up * up
    share = np.clip((dx * along + dy * up) / length, 0, 1) if length else 0.0
    return np.asarray(np.hypot(dx - share * along, dy - share * up))


def plain_line(x: ArrayLike, y: ArrayLike, tolerance: float = TOLERANCE) -> dict[str, list[float]]:
    """A line in the unit square, simplified and rounded far below what can be seen.

    It keeps the points that it needs on an axis of logarithms, too.
    """
    x, y = np.asarray(x), np.asarray(y)
    decades = np.log10(np.maximum(x, DECADE_FLOOR)) / -np.log10(DECADE_FLOOR)
    linear, logarithmic = needed_points(x, y, tolerance), needed_points(decades, y, 4 * tolerance)
    places = np.union1d(linear, logarithmic)
    fine = np.where(x[places] < 0.01, np.round(x[places], 7), np.round(x[places], 5))
    return {"x": fine.tolist(), "y": np.round(y[places], 5).tolist()}


def simplified(picture: PlotSpec) -> PlotSpec:
    """The same picture with fewer points in its lines and bands."""
    spans = [axis.limits[1] - axis.limits[0] for axis in (picture.x, picture.y)]
    return replace(picture, layers=tuple(_layer(layer, *spans) for layer in picture.layers))


def _layer(layer: Layer, width: float, height: float) -> Layer:
    if isinstance(layer, Line) and len(layer.x) > FEW:
        return _shortened(layer, width, ("y",), height)
    if isinstance(layer, Band) and len(layer.x) > FEW:
        return _shortened(layer, width, ("lower", "upper"), height)
    return layer


def _shortened(layer: L, width: float, names: tuple[str, ...], height: float) -> L:
    """The layer with the points that any of its lines needs; one with gaps stays as it is."""
    lines: list[NDArray[np.float64]] = [np.asarray(getattr(layer, name)) for name in names]
    if not all(np.isfinite(values).all() for values in (layer.x, *lines)):
        return layer
    needed = [needed_points(layer.x / width, line / height, 1e-3) for line in lines]
    places = np.unique(np.concatenate(needed))
    digits = _digits(width), _digits(height)
    shorter = {
        name: np.round(line[places], digits[1]) for name, line in zip(names, lines, strict=True)
    }
    columns: dict[str, Any] = {"x": np.round(layer.x[places], digits[0]), **shorter}
    return replace(layer, **columns)


def _digits(span: float) -> int:
    """Decimals that keep a hundred-thousandth of an axis."""
    return int(5 - np.floor(np.log10(span))) if span > 0 else 5
