"""Plots beside each other: one pair of axes for each result, in one figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rocwise.errors import InputError, listed, spelled_out
from rocwise.plotting.registry import (
    PlotFunction,
    check_options,
    function_for,
    option_names,
    options_together,
)
from rocwise.plotting.spec import (
    Axis,
    Band,
    Cells,
    Label,
    Layer,
    Line,
    Mesh,
    PlotSpec,
    Points,
    Tick,
    Whiskers,
    same_rate,
)
from rocwise.plotting.theme import MOST_COLORED
from rocwise.results import SeveralAnswers

if TYPE_CHECKING:
    pass


def overlay(specs: Mapping[str, PlotSpec], highlight: Sequence[str] | None) -> PlotSpec:
    """Lay plots with the same axes over each other.

    Models not in `highlight` become grey; without it the first five have colours, because more
    than five cannot be told apart.
    """
    parts = list(specs.values())
    if len(parts) > 1:
        _refuse_areas(parts)
    picked = set(list(specs)[:MOST_COLORED] if highlight is None else highlight)
    colored = _numbered(part for name, part in specs.items() if name in picked)
    grey = _greyed([part for name, part in specs.items() if name not in picked])
    return replace(
        parts[0],
        layers=(*_references(parts), *grey, *colored),
        x=_shared_axis([part.x for part in parts]),
        y=_shared_axis([part.y for part in parts]),
        caption=_shared_caption(parts),
        table=tuple(dict.fromkeys(row for part in parts for row in part.table)),
    )


def added(first: PlotSpec, second: PlotSpec) -> PlotSpec:
    """Add what is new in a second plot to a first one, whose words and colours stay.

    A curve that both show, of one name or none, is drawn once, and what belongs to it in the
    second plot (a band, a point) takes its colour.
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
    return replace(axis, title=known.title) if same_rate(axis.title, known.title) else axis


def _refuse_areas(parts: Iterable[PlotSpec]) -> None:
    if any(isinstance(layer, (Mesh, Cells)) for part in parts for layer in part.layers):
        raise InputError(
            "`results` cannot share one plot: a heat map would hide the others. Draw them "
            "apart, or their difference."
        )


def stack(specs: Mapping[str, PlotSpec], highlight: Sequence[str] | None) -> PlotSpec:
    """Put plots of rows below each other, the first on top."""
    parts = list(specs.values())
    n_rows = sum(part.rows or 0 for part in parts)
    frame = (-0.5, n_rows - 0.5)
    layers: list[Layer] = [replace(line, y=np.array(frame)) for line in _references(parts)]
    ticks: list[Tick] = []
    right_ticks: list[Tick] = []
    lift = n_rows
    for name, part in specs.items():
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


def _own_layers(spec: PlotSpec) -> list[Layer]:
    return [layer for layer in spec.layers if not is_reference(layer)]


def _references(parts: Iterable[PlotSpec]) -> list[Line]:
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


def _numbered(parts: Iterable[PlotSpec]) -> list[Layer]:
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


def _greyed(parts: Sequence[PlotSpec]) -> list[Layer]:
    """Grey the parts; one entry in the legend stands for all of them."""
    layers = [
        replace(layer, muted=True, label=None) for part in parts for layer in _own_layers(part)
    ]
    if layers:
        layers[0] = replace(layers[0], label=f"{len(parts)} other{'s'[: len(parts) - 1]}")
    return layers


def _shared_caption(parts: Iterable[PlotSpec]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sentence for part in parts for sentence in part.caption))


def _shared_axis(axes: list[Axis]) -> Axis:
    first = axes[0]
    for axis in axes[1:]:
        if (axis.title, axis.scale) != (first.title, first.scale):
            raise InputError(
                f"`results` cannot share one plot: an axis shows {first.title!r} "
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


LONGEST_TITLE = 300


def compose(
    results: object,
    *,
    color: str | Mapping[str, str] | None = None,
    title: str | None = None,
    caption: bool = True,
    highlight: Sequence[str] | None = None,
    **options: Any,
) -> PlotSpec:
    """Describe the plot of a result, or of `{name: result}`, without drawing it.

    Parameters
    ----------
    results
        A result, or several by name; the answers of `by=`, or for several models, are several.
    color
        A colour; for several results `{name: colour}`.
    title
        Words above the plot.
    caption
        False leaves out the sentences below the plot.
    highlight
        With several results: the names to show in colour. The others are grey. Without it the
        first five are shown in colour.
    **options
        Options of the plot in question. With several results a dict gives each its own.

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.plotting import compose
    >>> plot = compose(rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), title="Four cases")
    >>> plot.x.title, plot.y.title
    ('False positive rate', 'True positive rate')
    """
    if title is not None and len(title) > LONGEST_TITLE:
        raise InputError(
            f"`title` has {len(title):,} characters, more than fit above a plot; "
            f"{LONGEST_TITLE} at most."
        )
    if isinstance(results, SeveralAnswers):
        results = results.panels()
    if isinstance(results, Mapping):
        spec = _of_several(results, color, highlight, options)
    else:
        spec = _of_one(results, color, highlight, options)
    spec = replace(spec, title=title, caption=spec.caption if caption else ())
    return cast(PlotSpec, _spelled_out(spec))


def _spelled_out(part: Any) -> Any:
    """The same plot with control characters of names written out: SVG cannot hold them."""
    if isinstance(part, str):
        return spelled_out(part)
    if isinstance(part, tuple):
        return tuple(map(_spelled_out, part)) if type(part) is tuple else part
    if not is_dataclass(part) or isinstance(part, type):
        return part
    found = {item.name: getattr(part, item.name) for item in fields(part)}
    changed = {name: _spelled_out(value) for name, value in found.items()}
    changed = {name: value for name, value in changed.items() if value is not found[name]}
    return replace(part, **changed) if changed else part


def _of_one(
    result: object,
    color: str | Mapping[str, str] | None,
    highlight: Sequence[str] | None,
    options: dict[str, Any],
) -> PlotSpec:
    if highlight is not None:
        raise InputError("`highlight` picks among several results, but only one was given.")
    if isinstance(color, Mapping):
        raise InputError("`color` must be one colour for one result, such as '#0072B2'.")
    name = options.pop("name", None)
    function = function_for(result)
    check_options([function], options)
    spec = function(result, name=name, **options)
    return spec if color is None else _recolored(spec, color)


def _of_several(
    results: Mapping[str, object],
    color: str | Mapping[str, str] | None,
    highlight: Sequence[str] | None,
    options: dict[str, Any],
) -> PlotSpec:
    _check_names(results)
    if isinstance(color, str):
        raise InputError("`color` must be {name: colour} for several results, or be left out.")
    if "name" in options:
        raise InputError("`name` is for one result; several are named by the keys of the dict.")
    functions = {name: function_for(result) for name, result in results.items()}
    check_options(functions.values(), options)
    colors = _for_known_names("color", color or {}, results)
    specs = {}
    for name, function in functions.items():
        own = {**options_together(function), **_options_of(name, function, results, options)}
        specs[name] = function(results[name], name=name, **own)
        if name in colors:
            specs[name] = _recolored(specs[name], colors[name])
    if highlight is not None:
        _for_known_names("highlight", dict.fromkeys(highlight), results)
    if all(spec.rows for spec in specs.values()):
        return stack(specs, highlight)
    return overlay(specs, highlight)


def _check_names(results: Mapping[str, object]) -> None:
    if not results:
        raise InputError("`results` is empty: there is nothing to draw. Pass {name: result}.")
    for name in results:
        if not isinstance(name, str):
            raise InputError(f"The keys of `results` must be names (str), but one is {name!r}.")


def _for_known_names(
    option: str, given: Mapping[str, Any], results: Mapping[str, object]
) -> Mapping[str, Any]:
    for name in given:
        if name not in results:
            raise InputError(
                f"`{option}` names {name!r}, which is not among the results: {listed(results)}."
            )
    return given


def _options_of(
    name: str,
    function: PlotFunction,
    results: Mapping[str, object],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the options meant for this model: all it understands, its own where a dict came."""
    own: dict[str, Any] = {}
    for option, value in options.items():
        if option not in option_names(function):
            continue
        if not isinstance(value, Mapping):
            own[option] = value
        elif name in _for_known_names(option, value, results):
            own[option] = value[name]
    return own


def _recolored(spec: PlotSpec, color: str) -> PlotSpec:
    layers = (
        layer if is_reference(layer) else replace(layer, color=color) for layer in spec.layers
    )
    return replace(spec, layers=tuple(layers))


"""Letters of a title above a panel before it is broken."""
