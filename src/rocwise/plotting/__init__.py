"""Plots: `plot` draws a result or several, `save` writes the plot to a file.

`compose` turns results into a plain specification (`spec.PlotSpec`), which a backend draws.
Nothing is computed here: a plot shows attributes and methods of the result. `registry` describes
how to add a plot.
"""

from os import PathLike
from pathlib import Path
from typing import Any

from rocwise import checks
from rocwise.plotting.composition import compose, compose_panels
from rocwise.plotting.matplotlib_backend.figure import draw, draw_figure, draw_panels
from rocwise.plotting.recording import record
from rocwise.plotting.registry import options_of, plot_of
from rocwise.plotting.saving import checked_path, write
from rocwise.plotting.theme import Backend, Width

__all__ = ["checked_path", "compose", "options_of", "plot", "plot_of", "save"]


def plot(
    results: object,
    *,
    ax: Any = None,
    backend: Backend = "matplotlib",
    width: Width = "column",
    beside: bool = False,
    **options: Any,
) -> Any:
    """Draw a result, or several in one plot.

    Parameters
    ----------
    results
        A result, or `{name: result}`.
    ax
        Matplotlib axes to draw on; a new figure without it. Axes of yours keep their size and
        font, and a second result adds what is new.
    backend
        "matplotlib", or "none" for a record of what would be drawn.
    width
        Of a new figure: "column" (85 mm), "page" (180 mm) or "slide" (254 mm, large fonts).
    beside
        Draw each on axes of its own, the results of `{title: result}` or the panels of one
        result. `ax` is then a sequence.
    **options
        `name`, `color`, `title`, `caption` (on axes of yours only if True), `highlight` and those
        of the plot, such as `axis` ("ml" or "clinical"), `auc`, `band`, `point`, `shade`,
        `table`, `scale`, `zoom` and `threshold_labels` of a ROC curve, or `view`.

    Returns
    -------
    matplotlib.axes.Axes
        With `backend="none"` a `recording.Recording`; with `beside` a list of axes.

    Examples
    --------
    >>> import rocwise as rw
    >>> from rocwise.plotting import plot
    >>> curve = rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> plot({"first": curve, "second": curve}, backend="none").legend
    ['first, AUC 0.75', 'second, AUC 0.75']
    """
    checks.one_of(backend, "backend", ("matplotlib", "none"))
    if beside:
        specs = compose_panels(results, options)
        if backend == "none":
            return [record(spec) for spec in specs]
        return draw_panels(specs, ax, width="page" if width == "column" else width)
    spec = compose(results, **options)
    if backend == "none":
        return record(spec)
    return draw(spec, ax, width=width, caption=options.get("caption"))


def save(
    results: object,
    path: str | PathLike[str],
    *,
    width: Width = "column",
    dpi: float = 300.0,
    beside: bool = False,
    **options: Any,
) -> Path:
    """Draw a result, or several, into a file of the format of its suffix.

    Parameters
    ----------
    results
        A result, or `{name: result}`.
    path
        Ends in `.svg`, `.pdf`, `.eps`, `.png` or `.tiff`. Text stays text in the first two, and
        the same plot always gives the same bytes.
    width
        "column" (85 mm), "page" (180 mm) or "slide" (254 mm).
    dpi
        Dots per inch of `.png` and `.tiff`.
    beside
        As for `plot`.
    **options
        As for `plot`.

    Examples
    --------
    >>> import tempfile
    >>> import rocwise as rw
    >>> from rocwise.plotting import save
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = save(rw.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), f"{folder}/roc.svg")
    ...     path.read_text()[:5]
    '<?xml'
    """
    target = checked_path(path)
    if beside and width == "column":
        width = "page"
    plots = compose_panels(results, options) if beside else compose(results, **options)
    write(draw_figure(plots, width=width), target, dpi)
    return target
