"""Normal-deviate axes: rates of 0 and 1 are infinitely far away, so the frame needs care."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocwise.arrays import Floats
from rocwise.plotting.layers import (
    Axis,
    Band,
    Cells,
    Label,
    Layer,
    Line,
    Mesh,
    Picture,
    Points,
    Tick,
    Whiskers,
)

FRAME_MARGIN = 0.2
"""Normal deviates between the outermost rate and the frame."""
EMPTY_FRAME = (0.01, 0.99)
ROUND_RATES = (0.5, 0.2, 0.8, 0.05, 0.95, *(10.0**-k for k in range(2, 16)))
TICK_DISTANCE = 0.09
"""Smallest distance between two ticks, as a share of the axis."""


def probit(rates: Floats) -> Floats:
    """Return the normal deviates of rates; 0 and 1 become infinite."""
    from scipy.special import ndtri

    deviates: Floats = ndtri(rates)
    return deviates


def normal_cdf(deviates: Floats) -> Floats:
    """Return the rates of normal deviates, the inverse of `probit`."""
    from scipy.special import ndtr

    rates: Floats = ndtr(deviates)
    return rates


def probit_frame(*rates: Floats) -> tuple[float, float]:
    """Return limits that hold every rate but 0 and 1, symmetric about one half.

    Symmetric, so that the chance line runs from corner to corner.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = probit_frame(np.array([0.0, 0.02, 0.7, 1.0]))
    >>> low < 0.02, round(low + high, 12)
    (True, 1.0)
    """
    pooled = np.concatenate(rates)
    inner = pooled[(pooled > 0) & (pooled < 1)]
    if len(inner) == 0:
        return EMPTY_FRAME
    outermost = np.minimum(inner, 1 - inner).min(keepdims=True)
    low = float(normal_cdf(probit(outermost) - FRAME_MARGIN)[0])
    return low, 1 - low


def probit_ticks(limits: tuple[float, float]) -> tuple[Tick, ...]:
    """Return round percentages inside the limits that are far enough apart to be read.

    Examples
    --------
    >>> [tick.text for tick in probit_ticks((0.004, 0.996))]
    ['1', '5', '20', '50', '80', '95', '99']
    """
    low, high = probit(np.array(limits))
    chosen: list[tuple[float, float]] = []
    for small in ROUND_RATES:
        for rate in dict.fromkeys((small, 1 - small)):
            place = float(probit(np.array([rate]))[0])
            far_enough = all(
                abs(place - other) >= TICK_DISTANCE * (high - low) for other, _ in chosen
            )
            if low <= place <= high and far_enough:
                chosen.append((place, rate))
    return tuple(Tick(rate, f"{100 * rate:.12g}") for _, rate in sorted(chosen))


def on_the_frame(picture: Picture) -> Picture:
    """Move what lies infinitely far away onto the frame, and choose ticks for such axes."""
    if picture.x.scale != "probit" and picture.y.scale != "probit":
        return picture
    layers = tuple(_moved(layer, picture.x, picture.y) for layer in picture.layers)
    return replace(picture, layers=layers, x=_ticked(picture.x), y=_ticked(picture.y))


def _ticked(axis: Axis) -> Axis:
    if axis.scale != "probit" or axis.ticks is not None:
        return axis
    return replace(axis, ticks=probit_ticks(axis.limits))


def _moved(layer: Layer, x: Axis, y: Axis) -> Layer:
    match layer:
        case Band():
            lower, upper = _clip(layer.lower, y), _clip(layer.upper, y)
            return replace(layer, x=_clip(layer.x, x), lower=lower, upper=upper)
        case Whiskers():
            low, high = _clip(layer.low, x), _clip(layer.high, x)
            return replace(layer, low=low, high=high, y=_clip(layer.y, y))
        case Label():
            place = _clip(np.array([layer.x]), x), _clip(np.array([layer.y]), y)
            return replace(layer, x=float(place[0][0]), y=float(place[1][0]))
        case Line() | Points() | Mesh():
            return replace(layer, x=_clip(layer.x, x), y=_clip(layer.y, y))
        case Cells():
            return layer


def _clip(values: Floats, axis: Axis) -> Floats:
    return np.clip(values, *axis.limits) if axis.scale == "probit" else values
