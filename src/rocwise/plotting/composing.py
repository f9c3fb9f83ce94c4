"""From one result, or several by name, to one picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

from rocwise.errors import InputError, listed, spelled_out
from rocwise.plotting.layers import Picture
from rocwise.plotting.overlays import is_reference, overlay, stack
from rocwise.plotting.registry import (
    PictureFunction,
    check_options,
    function_for,
    option_names,
    options_together,
)
from rocwise.results import SeveralAnswers

LONGEST_TITLE = 300


def compose(
    results: object,
    *,
    color: str | Mapping[str, str] | None = None,
    title: str | None = None,
    caption: bool = True,
    highlight: Sequence[str] | None = None,
    **options: Any,
) -> Picture:
    """Describe the picture of a result, or of `{name: result}`, without drawing it.

    Parameters
    ----------
    results
        A result, or several by name; the answers of `by=`, or for several models, are several.
    color
        A colour; for several results `{name: colour}`.
    title
        Words above the picture.
    caption
        False leaves out the sentences below the picture.
    highlight
        With several results: the names to show in colour. The others are grey. Without it the
        first five are shown in colour.
    **options
        Options of the picture in question. With several results a dict gives each its own.

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.plotting import compose
    >>> picture = compose(rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), title="Four cases")
    >>> picture.x.title, picture.y.title
    ('False positive rate', 'True positive rate')
    """
    if title is not None and len(title) > LONGEST_TITLE:
        raise InputError(
            f"`title` has {len(title):,} characters, more than fit above a picture; "
            f"{LONGEST_TITLE} at most."
        )
    if isinstance(results, SeveralAnswers):
        results = results.panels()
    if isinstance(results, Mapping):
        picture = _of_several(results, color, highlight, options)
    else:
        picture = _of_one(results, color, highlight, options)
    picture = replace(picture, title=title, caption=picture.caption if caption else ())
    return cast(Picture, _spelled_out(picture))


def _spelled_out(part: Any) -> Any:
    """The same picture with control characters of names written out: SVG cannot hold them."""
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
) -> Picture:
    if highlight is not None:
        raise InputError("`highlight` picks among several results, but only one was given.")
    if isinstance(color, Mapping):
        raise InputError("`color` must be one colour for one result, such as '#0072B2'.")
    name = options.pop("name", None)
    function = function_for(result)
    check_options([function], options)
    picture = function(result, name=name, **options)
    return picture if color is None else _recolored(picture, color)


def _of_several(
    results: Mapping[str, object],
    color: str | Mapping[str, str] | None,
    highlight: Sequence[str] | None,
    options: dict[str, Any],
) -> Picture:
    _check_names(results)
    if isinstance(color, str):
        raise InputError("`color` must be {name: colour} for several results, or be left out.")
    if "name" in options:
        raise InputError("`name` is for one result; several are named by the keys of the dict.")
    functions = {name: function_for(result) for name, result in results.items()}
    check_options(functions.values(), options)
    colors = _for_known_names("color", color or {}, results)
    pictures = {}
    for name, function in functions.items():
        own = {**options_together(function), **_options_of(name, function, results, options)}
        pictures[name] = function(results[name], name=name, **own)
        if name in colors:
            pictures[name] = _recolored(pictures[name], colors[name])
    if highlight is not None:
        _for_known_names("highlight", dict.fromkeys(highlight), results)
    if all(picture.rows for picture in pictures.values()):
        return stack(pictures, highlight)
    return overlay(pictures, highlight)


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
    function: PictureFunction,
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


def _recolored(picture: Picture, color: str) -> Picture:
    layers = (
        layer if is_reference(layer) else replace(layer, color=color) for layer in picture.layers
    )
    return replace(picture, layers=tuple(layers))
