"""Several pictures in one: curves over each other, or rows below each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rocwise.errors import InputError
from rocwise.plotting.layers import (
    Axis,
    Band,
    Label,
    Layer,
    Line,
    Mesh,
    Picture,
    Points,
    Tick,
    Whiskers,
)
from rocwise.plotting.theme import COLORS


def overlay(pictures: Mapping[str, Picture], highlight: Sequence[str] | None) -> Picture:
    """Lay pictures with the same axes over each other.

    Models not in `highlight` become grey; without it the first five have colours, because more
    than five cannot be told apart.
    """
    parts = list(pictures.values())
    if len(parts) > 1 and any(isinstance(layer, Mesh) for part in parts for layer in part.layers):
        raise InputError(
            "`results` cannot share one picture: a heat map would hide the others. Draw them "
            "apart, or their difference."
        )
    picked = set(list(pictures)[: len(COLORS)] if highlight is None else highlight)
    colored = _numbered(part for name, part in pictures.items() if name in picked)
    grey = _greyed([part for name, part in pictures.items() if name not in picked])
    return replace(
        parts[0],
        layers=(*_references(parts), *grey, *colored),
        x=_shared_axis([part.x for part in parts]),
        y=_shared_axis([part.y for part in parts]),
        caption=_shared_caption(parts),
    )


def stack(pictures: Mapping[str, Picture], highlight: Sequence[str] | None) -> Picture:
    """Put pictures of rows below each other, the first on top."""
    parts = list(pictures.values())
    n_rows = sum(part.rows or 0 for part in parts)
    frame = (-0.5, n_rows - 0.5)
    layers: list[Layer] = [replace(line, y=np.array(frame)) for line in _references(parts)]
    ticks: list[Tick] = []
    right_ticks: list[Tick] = []
    lift = n_rows
    for name, part in pictures.items():
        lift -= part.rows or 0
        grey = highlight is not None and name not in highlight
        layers += [replace(_lifted(layer, lift), muted=grey) for layer in _own_layers(part)]
        ticks += [replace(tick, position=tick.position + lift) for tick in part.y.ticks or ()]
        right_ticks += [replace(tick, position=tick.position + lift) for tick in part.right_ticks]
    return replace(
        parts[0],
        layers=tuple(layers),
        x=_shared_axis([part.x for part in parts]),
        y=replace(parts[0].y, limits=frame, ticks=tuple(ticks)),
        right_ticks=tuple(right_ticks),
        caption=_shared_caption(parts),
        rows=n_rows,
    )


def is_reference(layer: Layer) -> bool:
    """Say whether a layer is a line to compare with, such as chance, and not a model's own."""
    return isinstance(layer, Line) and layer.role == "reference"


def _own_layers(picture: Picture) -> list[Layer]:
    return [layer for layer in picture.layers if not is_reference(layer)]


def _references(parts: Iterable[Picture]) -> list[Line]:
    """Return the reference lines of all parts, each once."""
    kept: list[Line] = []
    for part in parts:
        for layer in part.layers:
            if isinstance(layer, Line) and is_reference(layer) and not _among(layer, kept):
                kept.append(layer)
    return kept


def _among(line: Line, lines: list[Line]) -> bool:
    return any(
        line.label == other.label
        and np.array_equal(line.x, other.x)
        and np.array_equal(line.y, other.y)
        for other in lines
    )


def _numbered(parts: Iterable[Picture]) -> list[Layer]:
    """Give every line of every part a slot of its own."""
    layers: list[Layer] = []
    next_slot = 0
    for part in parts:
        own = _own_layers(part)
        layers += [replace(layer, slot=layer.slot + next_slot) for layer in own]
        next_slot += 1 + max((layer.slot for layer in own), default=-1)
    return layers


def _greyed(parts: Sequence[Picture]) -> list[Layer]:
    """Grey the parts; one entry in the legend stands for all of them."""
    layers = [
        replace(layer, muted=True, label=None) for part in parts for layer in _own_layers(part)
    ]
    if layers:
        layers[0] = replace(layers[0], label=f"{len(parts)} other{'s'[: len(parts) - 1]}")
    return layers


def _shared_caption(parts: Iterable[Picture]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sentence for part in parts for sentence in part.caption))


def _shared_axis(axes: list[Axis]) -> Axis:
    first = axes[0]
    for axis in axes[1:]:
        if (axis.title, axis.scale) != (first.title, first.scale):
            raise InputError(
                f"`results` cannot share one picture: an axis shows {first.title!r} "
                f"({first.scale}) for one and {axis.title!r} ({axis.scale}) for another. "
                "Draw them apart."
            )
    low = min(axis.limits[0] for axis in axes)
    high = max(axis.limits[1] for axis in axes)
    return replace(first, limits=(low, high))


def _lifted(layer: Layer, lift: float) -> Layer:
    match layer:
        case Band():
            return replace(layer, lower=layer.lower + lift, upper=layer.upper + lift)
        case Label():
            return replace(layer, y=layer.y + lift)
        case Line() | Points() | Whiskers() | Mesh():
            return replace(layer, y=layer.y + lift)
