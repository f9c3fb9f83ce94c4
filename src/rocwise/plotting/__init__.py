"""Plots: `plot` draws a result or several, `save` writes the plot to a file.

`compose` turns results into a plain specification (`spec.PlotSpec`), which a backend draws.
Nothing is computed here: a plot shows attributes and methods of the result. `registry` describes
how to add a plot.
"""

from os import PathLike
from pathlib import Path
from typing import Any

from rocwise import checks
from rocwise.errors import ends_traceback
from rocwise.plotting.composition import compose, compose_panels
from rocwise.plotting.matplotlib_backend.figure import draw, draw_figure, draw_panels
from rocwise.plotting.recording import record
from rocwise.plotting.registry import options_of, plot_of
from rocwise.plotting.saving import checked_path, write
from rocwise.plotting.theme import Backend, Width

__all__ = ["checked_path", "compose", "options_of", "plot", "plot_of", "save"]


@ends_traceback
def plot(
    results: object,
    *,
    ax: Any = None,
    backend: Backend = "matplotlib",
    width: Width = "column",
    subplots: bool = False,
    **options: Any,
) -> Any:
    """Plot one result, or several in one plot.

    Parameters
    ----------
    results : Result or dict of str to Result
        One result, or several by name.
    ax : matplotlib.axes.Axes or sequence of Axes, optional
        Axes to draw on; by default a new figure. Given axes keep their size and font. A sequence is
        needed with `subplots`.
    backend : {"matplotlib", "none"}, default "matplotlib"
        "none" returns a record of what would be drawn.
    width : {"column", "page", "slide"}, default "column"
        Width of a new figure: 85 mm, 180 mm, or 254 mm with large fonts; square plots are narrower
        on a page and on a slide.
    subplots : bool, default False
        Whether to draw each result of ``{title: result}``, or each panel of one result, on axes of
        its own.
    **options
        `name`, `color`, `title`, `caption`, `highlight`, and the options of the plot: of a ROC
        curve `axis` ("ml" or "clinical"), `auc`, `band`, `point`, `shade`, `table`, `scale`, `zoom`
        and `threshold_labels`; of others see `options_of`.

    Returns
    -------
    matplotlib.axes.Axes
        Axes; a list of axes with `subplots`, a `Recording` with ``backend="none"``.

    See Also
    --------
    plotting.save : Write a plot to a file.
    plotting.compose : Plot specification of a result.
    plotting.options_of : Options of the plot of a result.

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.plotting import plot
    >>> curve = rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> plot({"first": curve, "second": curve}, backend="none").legend
    ['first, AUC 0.75', 'second, AUC 0.75']
    >>> ax = plot(curve, axis="clinical", width="page")
    """
    checks.one_of(backend, "backend", ("matplotlib", "none"))
    if subplots:
        specs = compose_panels(results, options)
        if backend == "none":
            return [record(spec) for spec in specs]
        return draw_panels(specs, ax, width="page" if width == "column" else width)
    spec = compose(results, **options)
    if backend == "none":
        return record(spec)
    return draw(spec, ax, width=width)


@ends_traceback
def save(
    results: object,
    path: str | PathLike[str],
    *,
    width: Width = "column",
    dpi: float = 300.0,
    subplots: bool = False,
    **options: Any,
) -> Path:
    """Plot one result, or several in one plot, and write the figure to a file.

    Parameters
    ----------
    results : Result or dict of str to Result
        One result, or several by name.
    path : str or path
        Path with the suffix `.svg`, `.pdf`, `.eps`, `.png` or `.tiff`. Text remains text in the
        first two, and the same plot always gives the same bytes.
    width : {"column", "page", "slide"}, default "column"
        Width of the figure, as in `plot`.
    dpi : float, default 300
        Dots per inch of `.png` and `.tiff`.
    subplots : bool, default False
        Whether to draw each result on axes of its own, as in `plot`.
    **options
        As in `plot`.

    Returns
    -------
    pathlib.Path
        Path of the file.

    See Also
    --------
    plotting.plot : Plot one result or several.

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.plotting import save
    >>> save(rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), "roc.svg").name
    'roc.svg'
    """
    target = checked_path(path)
    if subplots and width == "column":
        width = "page"
    plots = compose_panels(results, options) if subplots else compose(results, **options)
    write(draw_figure(plots, width=width), target, dpi)
    return target
