"""Paints a picture on matplotlib axes. Matplotlib is imported inside functions only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocwise import checks
from rocwise.errors import InputError, missing_package
from rocwise.plotting.layers import Picture
from rocwise.plotting.matplotlib_backend.layout import Site
from rocwise.plotting.matplotlib_backend.repainting import earlier, paint_on
from rocwise.plotting.theme import (
    FONT_SIZE,
    RC,
    RC_OF_YOUR_AXES,
    SCALES,
    SCREEN_DPI,
    START_HEIGHT,
    WIDTHS,
    Width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(
    picture: Picture,
    ax: Axes | None = None,
    *,
    width: Width = "column",
    caption: bool | None = None,
) -> Axes:
    """Paint a picture on the axes given, or on a new figure of pyplot, and return the axes.

    Axes of yours keep their size and font, and everything stays within them; a caption is written
    below only if asked for. What an earlier picture put there stays, in its words and colours,
    and what is new is added. A new figure is 85 mm ("column"), 180 mm ("page") or 254 mm
    ("slide") wide.
    """
    matplotlib = import_matplotlib()
    checks.one_of(width, "width", tuple(WIDTHS))
    if ax is not None:
        _check_axes(ax, picture)
        known = earlier(ax)
        site = _site_of(ax, matplotlib.rcParams["font.size"], caption)
        settings = RC if known is not None and known.site.owned else RC_OF_YOUR_AXES
        with matplotlib.rc_context(settings):
            paint_on(picture, site if known is None else known.site)
        return ax
    from matplotlib import pyplot

    with matplotlib.rc_context(RC):
        figure = pyplot.figure(figsize=(WIDTHS[width], START_HEIGHT), dpi=SCREEN_DPI)
        try:
            return _paint_alone(picture, figure, width)
        except BaseException:
            pyplot.close(figure)  # half a picture would show up in the next notebook cell
            raise


def _site_of(ax: Axes, font_size: Any, caption: bool | None) -> Site:
    return Site(ax, float(font_size) / FONT_SIZE, captioned=bool(caption))


def draw_figure(picture: Picture, *, width: Width = "column") -> Figure:
    """Paint a picture on a figure that pyplot does not know of: nothing to show or to close."""
    matplotlib = import_matplotlib()
    checks.one_of(width, "width", tuple(WIDTHS))
    from matplotlib.figure import Figure

    with matplotlib.rc_context(RC):
        figure = Figure(figsize=(WIDTHS[width], START_HEIGHT))
        _paint_alone(picture, figure, width)
    return figure


def import_matplotlib() -> Any:
    """Return the package, or an error that says how to install it."""
    try:
        import matplotlib
    except ImportError:
        raise missing_package("matplotlib", "plot", "Drawing") from None
    return matplotlib


def _paint_alone(picture: Picture, figure: Figure, width: Width) -> Axes:
    options: Any = {"subplot_kw": {"projection": "3d"}} if picture.projection == "3d" else {}
    ax: Axes = figure.subplots(**options)
    paint_on(picture, Site(ax, SCALES[width], owned=True, width=width))
    return ax


def _check_axes(ax: object, picture: Picture) -> None:
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise InputError(f"`ax` must be matplotlib axes, such as plt.gca(); got {ax!r}.")
    needs_3d = picture.projection == "3d"
    if needs_3d != (ax.name == "3d"):
        kind, option = ("three-dimensional", "projection='3d'") if needs_3d else ("plain", "")
        raise InputError(
            f"`ax` must be {kind} axes for this picture, such as "
            f"plt.figure().add_subplot({option}); got {ax!r}."
        )
