"""Which function draws which result.

A picture is registered under the *name* of the result class, so that this package need not
import any analysis. To give a result of the library a picture, write the function in a module of
`pictures`, mark it, and enter class and module in `picture_list`; a picture of your own needs the
mark only::

    @picture_of("CostCurve")
    def cost_curve_picture(result, *, name=None, axis="ml"):
        return Picture(layers=(...), x=Axis(...), y=Axis(...))

The keyword arguments after `name` are the options of `result.plot(...)`. Several results in
one picture are laid over each other, in colours and dashes of their own, if their axes agree;
pictures with `rows` (a forest plot) are stacked instead. Number the lines of one result by
`slot` from 0, and leave colours to the theme.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

from rocwise.errors import InputError
from rocwise.plotting.layers import Picture
from rocwise.plotting.picture_list import MODULE_OF

PictureFunction: TypeAlias = Callable[..., Picture]

PICTURES = "rocwise.plotting.pictures"

_FUNCTIONS: dict[str, PictureFunction] = {}
_TOGETHER: dict[PictureFunction, Mapping[str, Any]] = {}

COMMON_OPTIONS = frozenset({"name", "color", "title", "caption", "highlight"})
"""Options of every picture, dealt with in `composing`."""


def picture_of(
    class_name: str, *, together: Mapping[str, Any] | None = None
) -> Callable[[PictureFunction], PictureFunction]:
    """Register the decorated function as the one that draws results of this class.

    Parameters
    ----------
    class_name
        Name of the result class, without its module.
    together
        Options that several results in one picture have by default.

    Examples
    --------
    >>> from rocwise.plotting.layers import Axis, Line, Picture
    >>> from rocwise.plotting.registry import has_picture, picture_of
    >>> @picture_of("Ramp")
    ... def ramp_picture(result, *, name=None):
    ...     return Picture((Line([0, 1], [0, 1]),), Axis("x", (0, 1)), Axis("y", (0, 1)))
    >>> class Ramp: ...
    >>> has_picture(Ramp())
    True
    """

    def register(function: PictureFunction) -> PictureFunction:
        present = _registered(class_name, function.__module__)
        if present is not None and present.__qualname__ != function.__qualname__:
            raise InputError(f"{class_name} already has a picture: {present.__qualname__}.")
        _FUNCTIONS[class_name] = function
        _TOGETHER[function] = together or {}
        return function

    return register


def has_picture(result: object) -> bool:
    """Say whether some function draws results of this class or of a class it derives from."""
    return _drawn_class(result) is not None


def function_for(result: object) -> PictureFunction:
    """Return the function that draws this result; an error names the classes that have one."""
    name = _drawn_class(result)
    function = None if name is None else _registered(name)
    if function is None:
        raise InputError(
            f"`results` holds a {type(result).__name__}, for which there is no picture. "
            f"These can be drawn: {', '.join(sorted(_FUNCTIONS.keys() | MODULE_OF.keys()))}."
        )
    return function


def _drawn_class(result: object) -> str | None:
    """The name of its class, or of the nearest one it derives from, that has a picture."""
    names = (base.__name__ for base in type(result).__mro__)
    return next((name for name in names if name in _FUNCTIONS or name in MODULE_OF), None)


def _registered(class_name: str, asking: str = "") -> PictureFunction | None:
    """The function of a class, if it has one; its module is loaded, unless it is the one asking."""
    if class_name in MODULE_OF and class_name not in _FUNCTIONS:
        home = f"{PICTURES}.{MODULE_OF[class_name]}"
        if home != asking:
            import_module(home)
    return _FUNCTIONS.get(class_name)


def options_together(function: PictureFunction) -> Mapping[str, Any]:
    """Return the options that several results of a class in one picture have by default."""
    return _TOGETHER.get(function, {})


def option_names(function: PictureFunction) -> frozenset[str]:
    """Return the options that a picture understands, besides those all have in common."""
    parameters = inspect.signature(function).parameters.values()
    return frozenset(p.name for p in parameters if p.kind is p.KEYWORD_ONLY) - COMMON_OPTIONS


def options_of(result: object) -> frozenset[str]:
    """Return the options that the picture of a result understands, besides the common ones."""
    return option_names(function_for(result))


def check_options(functions: Iterable[PictureFunction], options: Mapping[str, Any]) -> None:
    """Refuse an option that none of the pictures understands, naming those that exist."""
    known = frozenset[str]().union(*map(option_names, functions))
    for option in options:
        if option not in known:
            raise InputError(
                f"`{option}` is not an option of this picture. "
                f"Its options are: {', '.join(sorted(known | COMMON_OPTIONS))}."
            )
