"""A second picture on the same axes: what was there is painted anew, with what is added."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocwise.plotting.layers import Picture
from rocwise.plotting.matplotlib_backend.canvas import MatplotlibCanvas
from rocwise.plotting.matplotlib_backend.layout import Site
from rocwise.plotting.matplotlib_backend.surface_3d import paint_surface
from rocwise.plotting.overlays import added
from rocwise.plotting.painting import paint

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

MARK = "_rocwise_drawn"
Limits = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Drawn:
    """What rocwise has put on axes.

    Attributes
    ----------
    picture
        All of it, as one picture.
    artists
        What it was painted with.
    limits
        Those the axes were given; others are the user's.
    site
        The axes and what may be done around them.
    """

    picture: Picture
    artists: tuple[Artist, ...]
    limits: Limits
    site: Site


def earlier(ax: Axes) -> Drawn | None:
    """What rocwise has drawn on the axes, if it is still there."""
    known: Drawn | None = getattr(ax, MARK, None)
    if known is None or not set(ax.get_children()) & set(known.artists):
        return None
    return known


def paint_on(picture: Picture, site: Site, *, words: bool = True) -> MatplotlibCanvas | None:
    """Paint a picture, together with what is on the axes already.

    Without `words` the legend waits for `add_legend`: many axes are laid out together.
    """
    known = earlier(site.ax)
    if picture.projection == "3d":
        paint_surface(picture, site)
        return None
    canvas = MatplotlibCanvas(site, framed=known is None, wordless=not words)
    if known is not None:
        picture = added(known.picture, picture)
        _widen(site.ax, known.limits, picture)
        for artist in known.artists:
            with suppress(ValueError, NotImplementedError):  # taken away by the user
                artist.remove()
    paint(picture, canvas)
    remember(canvas, picture)
    return canvas


def remember(canvas: MatplotlibCanvas, picture: Picture) -> None:
    """Keep what is on the axes, for the next picture there."""
    ax = canvas.ax
    drawn = Drawn(picture, tuple(canvas.artists), (ax.get_xlim(), ax.get_ylim()), canvas.site)
    setattr(ax, MARK, drawn)


def _widen(ax: Axes, given: Limits, picture: Picture) -> None:
    """Show the second picture as well, unless the user has chosen a part."""
    if ax.get_xlim() == given[0]:
        ax.set_xlim(*picture.x.limits)
    if ax.get_ylim() == given[1]:
        ax.set_ylim(*picture.y.limits)
