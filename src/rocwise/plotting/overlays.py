"""Several pictures in one: curves over each other, or rows below each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rocwise.errors import InputError
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
from rocwise.plotting.theme import MOST_COLORED
from rocwise.plotting.wording import same_words


def overlay(pictures: Mapping[str, Picture], highlight: Sequence[str] | None) -> Picture:
    """Lay pictures with the same axes over each other.

    Models not in `highlight` become grey; without it the first five have colours, because more
    than five cannot be told apart.
    """
    parts = list(pictures.values())
    if len(parts) > 1:
        _refuse_areas(parts)
    picked = set(list(pictures)[:MOST_COLORED] if highlight is None else highlight)
    colored = _numbered(part for name, part in pictures.items() if name in picked)
    grey = _greyed([part for name, part in pictures.items() if name not in picked])
    return replace(
        parts[0],
        layers=(*_references(parts), *grey, *colored),
        x=_shared_axis([part.x for part in parts]),
        y=_shared_axis([part.y for part in parts]),
        caption=_shared_caption(parts),
        table=tuple(dict.fromkeys(row for part in parts for row in part.table)),
    )


def added(first: Picture, second: Picture) -> Picture:
    """Add what is new in a second picture to a first one, whose words and colours stay.

    A curve that both show, of one name or none, is drawn once, and what belongs to it in the
    second picture (a band, a point) takes its colour.
    """
    _refuse_areas([first, second])
    if (first.rows is None) != (second.rows is None):
        raise InputError("`ax` holds a list of rows or a curve, and this is the other of the two.")
    second = replace(second, x=_renamed(second.x, first.x), y=_renamed(second.y, first.y))
    if first.rows:
        return stack({"first": first, "second": second}, None)
    old = list(first.layers)
    next_slot = 1 + max((layer.slot for layer in old if not is_reference(layer)), default=-1)
    slots: dict[int, int] = {}
    for layer in _own_layers(second):
        if isinstance(layer, Line) and layer.slot not in slots:
            twin = _twin(layer, old)
            if twin is not None:
                slots[layer.slot] = twin.slot
    new: list[Layer] = [line for line in _references([second]) if not _among(line, _lines(old))]
    for layer in _own_layers(second):
        if isinstance(layer, Line) and layer.slot in slots and _twin(layer, old) is not None:
            continue
        new.append(replace(layer, slot=slots.get(layer.slot, layer.slot + next_slot)))
    return replace(
        first,
        layers=tuple(_painted_in_order(old + new)),
        x=_shared_axis([first.x, second.x]),
        y=_shared_axis([first.y, second.y]),
        title=second.title or first.title,
        caption=_shared_caption([first, second]),
        table=first.table or second.table,
    )


def _painted_in_order(layers: list[Layer]) -> list[Layer]:
    """Areas lie below lines, also those that came later."""
    return sorted(layers, key=lambda layer: not isinstance(layer, Band))


def _lines(layers: Iterable[Layer]) -> list[Line]:
    return [layer for layer in layers if isinstance(layer, Line)]


def _twin(line: Line, layers: Iterable[Layer]) -> Line | None:
    """The line that is the same curve of the same model, if there is one."""
    for other in _lines(layers):
        if (
            other.role == line.role
            and len(line.x) > 2
            and _called(line) == _called(other)
            and np.array_equal(line.x, other.x)
            and np.array_equal(line.y, other.y)
        ):
            return other
    return None


def _called(line: Line) -> str:
    """The name in a legend entry: what stands before the measure."""
    return (line.label or "").partition(", ")[0] if ", " in (line.label or "") else ""


def _renamed(axis: Axis, known: Axis) -> Axis:
    return replace(axis, title=known.title) if same_words(axis.title, known.title) else axis


def _refuse_areas(parts: Iterable[Picture]) -> None:
    if any(isinstance(layer, (Mesh, Cells)) for part in parts for layer in part.layers):
        raise InputError(
            "`results` cannot share one picture: a heat map would hide the others. Draw them "
            "apart, or their difference."
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
    """Give every line of every part a slot of its own; several areas have edges."""
    several = [_own_layers(part) for part in parts]
    filled = sum(any(isinstance(layer, Band) for layer in own) for own in several)
    layers: list[Layer] = []
    next_slot = 0
    for own in several:
        for layer in own:
            numbered = replace(layer, slot=layer.slot + next_slot)
            if filled > 1 and isinstance(numbered, Band):
                numbered = replace(numbered, edges=True)
            layers.append(numbered)
        next_slot += 1 + max((layer.slot for layer in own), default=-1)
    return _said_once(layers)


def _said_once(layers: list[Layer]) -> list[Layer]:
    """The same entry of several areas stands once in the legend."""
    seen: set[str] = set()
    found: list[Layer] = []
    for layer in layers:
        if isinstance(layer, Band) and layer.label is not None:
            if layer.label in seen:
                found.append(replace(layer, label=None))
                continue
            seen.add(layer.label)
        found.append(layer)
    return found


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
        case Cells():
            return layer
