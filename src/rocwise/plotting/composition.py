"""One plot specification of one or several results: overlaid curves, stacked rows."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeAlias, cast

import numpy as np

from rocwise.errors import InputError, listed, shown, spelled_out
from rocwise.plotting import words
from rocwise.plotting.registry import TOGETHER, check_options, function_for, option_names
from rocwise.plotting.spec import (
    Axis,
    Band,
    Cells,
    Label,
    Layer,
    Line,
    Mesh,
    PlotSpec,
    Tick,
    band_entry,
)
from rocwise.plotting.theme import MOST_COLORED
from rocwise.results import SeveralResults

LONGEST_TITLE = 300
PANEL_TITLE = 34  # letters of a panel title before it is broken
Color: TypeAlias = str | Mapping[str, str] | None


def compose(
    results: object,
    *,
    color: Color = None,
    title: str | None = None,
    caption: bool = False,
    highlight: Sequence[str] | None = None,
    **options: Any,
) -> PlotSpec:
    """Build the plot specification of one result, or of several by name.

    Parameters
    ----------
    results : Result or dict of str to Result
        One result, or several by name; results of `by=`, or of several models, count as several.
    color : str or dict of str to str, optional
        Color, for several results by name.
    title : str, optional
        Title above the plot.
    caption : bool, default False
        Whether the caption is written below the plot. The specification always has it.
    highlight : sequence of str, optional
        With several results: names in color, the others being gray. By default the first five.
    **options
        Options of the plot, see `options_of`. With several results a dict gives each its own.

    Returns
    -------
    PlotSpec
        Specification, as plain data.

    See Also
    --------
    plotting.plot : Plot one result or several.
    plotting.options_of : Options of the plot of a result.

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.plotting import compose
    >>> spec = compose(rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), title="Four cases")
    >>> spec.x.title, spec.y.title
    ('False positive rate', 'True positive rate')
    """
    if title is not None and len(title) > LONGEST_TITLE:
        raise InputError(
            f"`title` has {len(title):,} characters, more than fit above a plot; "
            f"{LONGEST_TITLE} at most."
        )
    if isinstance(results, SeveralResults):
        results = results.panels()
    if isinstance(results, Mapping):
        spec = _of_several(results, color, highlight, options)
    else:
        spec = _of_one(results, color, highlight, options)
    spec = replace(spec, title=title, captioned=bool(caption))
    return cast(PlotSpec, _with_plain_names(spec))


def compose_panels(results: object, options: Mapping[str, Any]) -> list[PlotSpec]:
    """The plot specification of each of `{title: result}`, or of the panels of a result."""
    named = getattr(results, "panels", None)
    panels = results if isinstance(results, Mapping) else named() if callable(named) else None
    if panels is None:
        raise InputError(
            f"`subplots` needs {{title: result}} or a result with panels; a "
            f"{type(results).__name__} has none."
        )
    if not panels:
        raise InputError("`results` is empty: there is nothing to draw. Pass {title: result}.")
    if "title" in options:
        raise InputError(
            f"`title` is for one plot; got {shown(options['title'])} with `subplots`, where each "
            "panel is called by its key in {title: result}."
        )
    specs = [compose(result, title=title, **options) for title, result in panels.items()]
    broken = ("\n".join(textwrap.wrap(spec.title or "", PANEL_TITLE)) for spec in specs)
    return [replace(spec, title=title) for spec, title in zip(specs, broken, strict=True)]


def _with_plain_names(part: Any) -> Any:
    """The same plot with control characters of names written out: SVG cannot represent them."""
    if isinstance(part, str):
        return spelled_out(part)
    if type(part) is tuple:
        return tuple(map(_with_plain_names, part))
    if not is_dataclass(part):
        return part
    found = {item.name: getattr(part, item.name) for item in fields(part)}
    plain = {name: _with_plain_names(value) for name, value in found.items()}
    changed = {name: value for name, value in plain.items() if value is not found[name]}
    return replace(cast(Any, part), **changed) if changed else part


def _of_one(
    result: object, color: Color, highlight: Sequence[str] | None, options: dict[str, Any]
) -> PlotSpec:
    if highlight is not None:
        raise InputError("`highlight` picks among several results, but only one was given.")
    if isinstance(color, Mapping):
        raise InputError("`color` must be one color for one result, such as '#0072B2'.")
    name = options.pop("name", None)
    function = function_for(result)
    check_options([function], options)
    return _recolored(function(result, name=name, **options), color)


def _of_several(
    results: Mapping[str, object],
    color: Color,
    highlight: Sequence[str] | None,
    options: dict[str, Any],
) -> PlotSpec:
    if not results:
        raise InputError("`results` is empty: there is nothing to draw. Pass {name: result}.")
    for name in results:
        if not isinstance(name, str):
            raise InputError(f"The keys of `results` must be names (str), but one is {name!r}.")
    if isinstance(color, str):
        raise InputError("`color` must be {name: color} for several results, or be left out.")
    if "name" in options:
        raise InputError("`name` is for one result; several are named by the keys of the dict.")
    functions = {name: function_for(result) for name, result in results.items()}
    check_options(functions.values(), options)
    _check_names("color", color or {}, results)
    _check_names("highlight", highlight or (), results)
    specs = {}
    for option, value in options.items():
        if isinstance(value, Mapping):
            _check_names(option, value, results)
    for name, function in functions.items():
        known, own = option_names(function), {**TOGETHER[function]}
        for option, value in options.items():
            by_name = value if isinstance(value, Mapping) else {name: value}
            if option in known and name in by_name:
                own[option] = by_name[name]
        spec = function(results[name], name=name, **own)
        specs[name] = _recolored(spec, (color or {}).get(name))
    if all(spec.rows for spec in specs.values()):
        return stack(specs, highlight)
    return overlay(specs, highlight)


def _check_names(option: str, names: Iterable[str], results: Mapping[str, object]) -> None:
    for name in names:
        if name not in results:
            raise InputError(
                f"`{option}` names {name!r}, which is not among the results: {listed(results)}."
            )


def _recolored(spec: PlotSpec, color: str | None) -> PlotSpec:
    if color is None:
        return spec
    layers = (each if is_reference(each) else replace(each, color=color) for each in spec.layers)
    return replace(spec, layers=tuple(layers))


def overlay(specs: Mapping[str, PlotSpec], highlight: Sequence[str] | None) -> PlotSpec:
    """Draw plots with the same axes over each other; those not in `highlight` become gray."""
    parts = list(specs.values())
    if len(parts) > 1:
        _check_no_areas(parts)
    picked = set(list(specs)[:MOST_COLORED] if highlight is None else highlight)
    colored = _in_color({name: part for name, part in specs.items() if name in picked})
    gray = _in_gray([part for name, part in specs.items() if name not in picked])
    return replace(
        parts[0],
        layers=(*_references(parts), *gray, *colored),
        x=_shared_axis([part.x for part in parts]),
        y=_shared_axis([part.y for part in parts]),
        caption=_shared_caption(parts),
        table=tuple(dict.fromkeys(row for part in parts for row in part.table)),
    )


def _in_color(parts: Mapping[str, PlotSpec]) -> list[Layer]:
    """Layers with slots of their own; several bands have edges, and a name or one entry for all."""
    several = {name: _own_layers(part) for name, part in parts.items()}
    bands = [[layer for layer in own if isinstance(layer, Band)] for own in several.values()]
    edges = sum(map(bool, bands)) > 1
    one_label = len({band.label for own in bands for band in own if band.label}) < 2
    layers: list[Layer] = []
    next_slot = 0
    for name, own in several.items():
        for layer in own:
            numbered = replace(layer, slot=layer.slot + next_slot)
            if isinstance(numbered, Label) and len(several) > 1:  # there is room for one line
                numbered = replace(numbered, text=numbered.text.split("\n")[0])
            if isinstance(numbered, Band) and edges:
                label = words.entry(name, numbered.label) if numbered.label else None
                numbered = replace(
                    numbered, label=numbered.label if one_label else label, edges=True
                )
            if isinstance(numbered, Line) and numbered.muted and _has_label(layers, numbered.label):
                numbered = replace(numbered, label=None)
            layers.append(numbered)
        next_slot += _next_slot(own)
    return _with_one_entry(layers)


def _has_label(layers: Iterable[Layer], label: str | None) -> bool:
    return any(isinstance(layer, Line) and layer.label == label for layer in layers)


def _with_one_entry(layers: Sequence[Layer]) -> list[Layer]:
    """The layers with one legend entry for several bands of one kind."""
    named = [layer for layer in layers if isinstance(layer, Band) and layer.label]
    if len(named) < 2 or len({band.label for band in named}) > 1:
        return list(layers)
    drawn = (replace(layer, label=None) if layer in named else layer for layer in layers)
    kept = [layer for layer in drawn if not isinstance(layer, Band) or len(layer.x)]
    return [*kept, band_entry(named[0].label or "")]


def _next_slot(layers: Iterable[Layer]) -> int:
    return 1 + max((layer.slot for layer in layers), default=-1)


def _in_gray(parts: Sequence[PlotSpec]) -> list[Layer]:
    """Gray layers with one legend entry for all."""
    layers = [
        replace(layer, muted=True, label=None) for part in parts for layer in _own_layers(part)
    ]
    if layers:
        layers[0] = replace(layers[0], label=f"{len(parts)} other{'s'[: len(parts) - 1]}")
    return layers


def stack(specs: Mapping[str, PlotSpec], highlight: Sequence[str] | None) -> PlotSpec:
    """Put plots of rows below each other, the first on top."""
    parts = list(specs.values())
    n_rows = sum(part.rows or 0 for part in parts)
    frame = (-0.5, n_rows - 0.5)
    layers: list[Layer] = [replace(line, y=np.array(frame)) for line in _references(parts)]
    ticks: dict[str, list[Tick]] = {"left": [], "right": []}
    lift = n_rows
    for name, part in specs.items():
        lift -= part.rows or 0
        gray = highlight is not None and name not in highlight
        layers += [replace(_lifted(layer, lift), muted=gray) for layer in _own_layers(part)]
        for side, own in (("left", part.y.ticks or ()), ("right", part.right_ticks)):
            ticks[side] += [replace(tick, position=tick.position + lift) for tick in own]
    return replace(
        parts[0],
        layers=tuple(layers),
        x=_shared_axis([part.x for part in parts]),
        y=replace(parts[0].y, limits=frame, ticks=tuple(ticks["left"])),
        right_ticks=tuple(ticks["right"]),
        caption=_shared_caption(parts),
        rows=n_rows,
    )


def _lifted(layer: Layer, lift: float) -> Layer:
    names = ("y", "lower", "upper")
    heights = {name: getattr(layer, name) + lift for name in names if hasattr(layer, name)}
    return cast(Layer, replace(cast(Any, layer), **heights))


def added(first: PlotSpec, second: PlotSpec) -> PlotSpec:
    """Add what is new in a second plot to a first one, whose labels and colors stay."""
    _check_no_areas([first, second])
    if (first.rows is None) != (second.rows is None):
        raise InputError(
            "`ax` contains a list of rows or a curve, and this is the other of the two."
        )
    second = replace(second, x=_renamed(second.x, first.x), y=_renamed(second.y, first.y))
    if first.rows:
        return stack({"first": first, "second": second}, None)
    return replace(
        first,
        layers=tuple(_with_one_entry(_joined(first, second))),
        x=_shared_axis([first.x, second.x]),
        y=_shared_axis([first.y, second.y]),
        title=second.title or first.title,
        caption=_shared_caption([first, second]),
        captioned=first.captioned or second.captioned,
        table=first.table or second.table,
    )


def _joined(first: PlotSpec, second: PlotSpec) -> list[Layer]:
    """The layers of the first plot and the new ones of the second, bands below lines."""
    old, own = list(first.layers), _own_layers(second)
    next_slot = _next_slot(_own_layers(first))
    twins = {id(layer): _twin(layer, old) for layer in own if isinstance(layer, Line)}
    found = ((layer.slot, twins.get(id(layer))) for layer in reversed(own))
    slots = {slot: twin.slot for slot, twin in found if twin is not None}
    new: list[Layer] = [line for line in _references([second]) if not _is_among(line, old)]
    new += [
        replace(layer, slot=slots.get(layer.slot, layer.slot + next_slot))
        for layer in own
        if twins.get(id(layer)) is None
    ]
    return sorted(old + new, key=lambda layer: not isinstance(layer, Band))


def _twin(line: Line, layers: Iterable[Layer]) -> Line | None:
    """The line that is the same curve of the same model, if there is one."""
    if len(line.x) < 3:
        return None
    same = (each for each in layers if isinstance(each, Line) and _is_same(line, each))
    return next((each for each in same if _model_of(each) == _model_of(line)), None)


def _is_same(one: Line, other: Line) -> bool:
    return np.array_equal(one.x, other.x) and np.array_equal(one.y, other.y)


def _model_of(line: Line) -> tuple[str, str]:
    """Role, and the name in the legend entry, before the measure."""
    name, comma, _ = (line.label or "").partition(", ")
    return line.role, name if comma else ""


def _renamed(axis: Axis, known: Axis) -> Axis:
    return replace(axis, title=known.title) if words.same_rate(axis.title, known.title) else axis


def _check_no_areas(parts: Iterable[PlotSpec]) -> None:
    if any(isinstance(layer, (Mesh, Cells)) for part in parts for layer in part.layers):
        raise InputError(
            "`results` cannot share one plot: a heat map would hide the others. Draw them "
            "apart, or their difference."
        )


def is_reference(layer: Layer) -> bool:
    """Whether a layer is a line to compare with, such as chance."""
    return isinstance(layer, Line) and layer.role == "reference"


def _own_layers(spec: PlotSpec) -> list[Layer]:
    return [layer for layer in spec.layers if not is_reference(layer)]


def _references(parts: Iterable[PlotSpec]) -> list[Line]:
    """The reference lines of all parts, each once, with one legend entry for each label."""
    kept: list[Line] = []
    for layer in (layer for part in parts for layer in part.layers):
        if isinstance(layer, Line) and is_reference(layer) and not _is_among(layer, kept):
            known = layer.label in {line.label for line in kept}
            kept.append(replace(layer, label=None) if known else layer)
    return kept


def _is_among(line: Line, layers: Iterable[Layer]) -> bool:
    lines = (layer for layer in layers if isinstance(layer, Line))
    return any(line.label == other.label and _is_same(line, other) for other in lines)


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
