"""Which function draws which result.

A picture is registered under the *name* of the result class, so that this package need not
import every analysis. To give a new result a picture, write in a module of this folder whose name
ends in ``_pictures`` (all of those are loaded when the first picture is asked for)::

    @picture_of("CostCurve")
    def cost_curve_picture(result, *, name=None, axis="ml"):
        return Picture(layers=(...), x=Axis(...), y=Axis(...))

The keyword arguments after ``name`` are the options of ``result.plot(...)``. Several results in
one picture are laid over each other, in colours and dashes of their own, if their axes agree;
pictures with ``rows`` (a forest plot) are stacked instead. Number the lines of one result by
``slot`` from 0, and leave colours to the theme.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, TypeAlias

from rocwise.errors import InputError
from rocwise.plotting.layers import Picture

PictureFunction: TypeAlias = Callable[..., Picture]


_FUNCTIONS: dict[str, PictureFunction] = {}

COMMON_OPTIONS = frozenset({"name", "color", "title", "caption", "highlight"})
"""Options of every picture, dealt with in ``composing``."""


def picture_of(class_name: str) -> Callable[[PictureFunction], PictureFunction]:
    """Register the decorated function as the one that draws results of this class.

    Parameters
    ----------
    class_name
        Name of the result class, without its module.

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
        present = _FUNCTIONS.get(class_name, function)
        if present.__qualname__ != function.__qualname__:
            raise InputError(f"{class_name} already has a picture: {present.__qualname__}.")
        _FUNCTIONS[class_name] = function
        return function

    return register


def has_picture(result: object) -> bool:
    """Say whether some function draws results of this class or of a class it derives from."""
    _load_pictures()
    return any(base.__name__ in _FUNCTIONS for base in type(result).__mro__)


def function_for(result: object) -> PictureFunction:
    """Return the function that draws this result; an error names the classes that have one."""
    _load_pictures()
    for base in type(result).__mro__:
        if base.__name__ in _FUNCTIONS:
            return _FUNCTIONS[base.__name__]
    raise InputError(
        f"`result` is a {type(result).__name__}, for which there is no picture. "
        f"These can be drawn: {', '.join(sorted(_FUNCTIONS))}."
    )


@cache
def _load_pictures() -> None:
    """Import the modules whose functions register themselves."""
    for module in iter_modules([str(Path(__file__).parent / "pictures")]):
        import_module(f"rocwise.plotting.pictures.{module.name}")


def option_names(function: PictureFunction) -> frozenset[str]:
    """Return the options that a picture understands, besides those all have in common."""
    parameters = inspect.signature(function).parameters.values()
    return frozenset(p.name for p in parameters if p.kind is p.KEYWORD_ONLY) - COMMON_OPTIONS


def check_options(functions: Iterable[PictureFunction], options: Mapping[str, Any]) -> None:
    """Refuse an option that none of the pictures understands, naming those that exist."""
    known = frozenset[str]().union(*map(option_names, functions))
    for option in options:
        if option not in known:
            raise InputError(
                f"`{option}` is not an option of this picture. "
                f"Its options are: {', '.join(sorted(known | COMMON_OPTIONS))}."
            )
