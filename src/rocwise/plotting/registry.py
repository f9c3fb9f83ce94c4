"""Which function draws which result.

A plot is registered under the *name* of the result class, so that this package imports no
analysis. To add a plot, write a function in a module of `plots` with `forms`::

    @plot_of("CostCurve")
    def cost_curve_plot(result, *, name=None, axis="ml"):
        return PlotSpec(layers=(...), x=Axis(...), y=Axis(...))

The keyword arguments after `name` are the options of `result.plot(...)`. Several results with
the same axes are overlaid; plots with `rows` (a forest plot) are stacked. Number the lines of a
result by `slot` from 0; the theme selects their colors.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

from rocwise.errors import InputError
from rocwise.plotting.spec import PlotSpec

PlotFunction: TypeAlias = Callable[..., PlotSpec]

MODULES = (
    *("classes", "costs", "curves", "decisions", "intervals", "readers", "regression", "survival"),
)
TOGETHER: dict[PlotFunction, Mapping[str, Any]] = {}  # options of several results in one plot
COMMON_OPTIONS = frozenset({"name", "color", "title", "caption", "highlight"})  # of every plot

_FUNCTIONS: dict[str, PlotFunction] = {}


def plot_of(
    class_name: str, *, together: Mapping[str, Any] | None = None
) -> Callable[[PlotFunction], PlotFunction]:
    """Register a function as the plot of a result class (decorator).

    Parameters
    ----------
    class_name : str
        Name of the result class, without its module.
    together : dict of str to object, optional
        Default options of several results in one plot.

    Returns
    -------
    callable
        Decorator that returns the function unchanged.

    See Also
    --------
    plotting.plot : Plot one result or several.
    plotting.compose : Plot specification of a result.

    Examples
    --------
    >>> from rocwise.plotting import compose, plot_of
    >>> from rocwise.plotting.spec import Axis, Line, PlotSpec
    >>> @plot_of("Ramp")
    ... def ramp_plot(result, *, name=None):
    ...     return PlotSpec((Line([0, 1], [0, 1]),), Axis("x", (0, 1)), Axis("y", (0, 1)))
    >>> class Ramp: ...
    >>> compose(Ramp()).x.title
    'x'
    """

    def register(function: PlotFunction) -> PlotFunction:
        present = _FUNCTIONS.get(class_name)
        if present is not None and present.__qualname__ != function.__qualname__:
            raise InputError(f"{class_name} already has a plot: {present.__qualname__}.")
        _FUNCTIONS[class_name] = function
        TOGETHER[function] = together or {}
        return function

    return register


def plot_functions() -> Mapping[str, PlotFunction]:
    """The function of every result class that has a plot, by its name."""
    for module in MODULES:
        import_module(f"rocwise.plotting.plots.{module}")
    return _FUNCTIONS


def function_for(result: object) -> PlotFunction:
    """The function of the class of a result, or of its nearest base class that has one."""
    functions = plot_functions()
    for base in type(result).__mro__:
        if base.__name__ in functions:
            return functions[base.__name__]
    raise InputError(f"`results` has a {type(result).__name__}, for which there is no plot.")


def option_names(function: PlotFunction) -> frozenset[str]:
    """The options of a plot, without the common ones."""
    parameters = inspect.signature(function).parameters.values()
    return frozenset(p.name for p in parameters if p.kind is p.KEYWORD_ONLY) - COMMON_OPTIONS


def options_of(result: object) -> frozenset[str]:
    """List the options of the plot of a result, without the common ones.

    Parameters
    ----------
    result : Result
        Result to be plotted.

    Returns
    -------
    frozenset of str
        Names of the options.

    See Also
    --------
    plotting.plot : Plot one result or several.

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.plotting import options_of
    >>> sorted(options_of(rw.det([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])))
    ['axis', 'chance', 'threshold_labels']
    """
    return option_names(function_for(result))


def check_options(functions: Iterable[PlotFunction], options: Mapping[str, Any]) -> None:
    """Raise for an option that none of the plots has, naming those that exist."""
    known = frozenset[str]().union(*map(option_names, functions))
    for option in options:
        if option not in known:
            raise InputError(
                f"`{option}` is not an option of this plot. "
                f"Its options are: {', '.join(sorted(known | COMMON_OPTIONS))}."
            )
