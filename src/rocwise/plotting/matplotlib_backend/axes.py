"""Paints a picture on matplotlib axes. Matplotlib is imported inside functions only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocwise import checks
from rocwise.errors import InputError, missing_package
from rocwise.plotting.layers import Picture
from rocwise.plotting.matplotlib_backend.canvas import MatplotlibCanvas
from rocwise.plotting.matplotlib_backend.layout import Site
from rocwise.plotting.matplotlib_backend.surface_3d import paint_surface
from rocwise.plotting.painting import paint
from rocwise.plotting.theme import (
    FONT_SIZE,
    RC,
    RC_OF_YOUR_AXES,
    SCREEN_DPI,
    START_HEIGHT,
    WIDTHS,
    Width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(picture: Picture, ax: Axes | None = None, *, width: Width = "column") -> Axes:
    """Paint a picture on the axes given, or on a new figure of pyplot, and return the axes.

    Axes of yours keep their size and font; what is already on them stays, and new models take
    the next colours. A new figure is 85 mm wide ("column") or 180 mm ("page").
    """
    matplotlib = import_matplotlib()
    checks.one_of(width, "width", tuple(WIDTHS))
    if ax is not None:
        _check_axes(ax, picture)
        with matplotlib.rc_context(RC_OF_YOUR_AXES):
            font_size = float(matplotlib.rcParams["font.size"])
            _paint(picture, Site(ax, font_size / FONT_SIZE))
        return ax
    from matplotlib import pyplot

    with matplotlib.rc_context(RC):
        figure = pyplot.figure(figsize=(WIDTHS[width], START_HEIGHT), dpi=SCREEN_DPI)
        try:
            return _paint_alone(picture, figure, width)
        except BaseException:
            pyplot.close(figure)  # half a picture would show up in the next notebook cell
            raise


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
    _paint(picture, Site(ax, owned=True, page=width == "page"))
    return ax


def _paint(picture: Picture, site: Site) -> None:
    if picture.projection == "3d":
        paint_surface(picture, site)
    else:
        paint(picture, MatplotlibCanvas(site))


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
