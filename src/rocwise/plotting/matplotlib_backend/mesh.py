"""Heat maps on matplotlib axes, with contours and a colour bar; tables of tinted fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise.plotting.layers import Cells, Mesh
from rocwise.plotting.matplotlib_backend.layout import Site
from rocwise.plotting.theme import FONT_SIZE, SMALL, TEXT_COLOR

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.cm import ScalarMappable

SEQUENTIAL, DIVERGING = "cividis", "PuOr_r"
CONTOUR = 0.75
"""Size of the numbers on contours, as a share of the font size."""
DARK = 0.55
"""Shares of the scale up to this are dark colours, on which white can be read."""


def paint_mesh(site: Site, mesh: Mesh) -> None:
    """Paint the values smoothly between their places; as pixels also in a file of vectors."""
    painted = site.ax.pcolormesh(
        mesh.x,
        mesh.y,
        mesh.values,
        shading="gouraud",
        rasterized=True,
        zorder=1.2,
        **colour_scale(mesh),
    )
    _contours(site, mesh)
    if site.owned or site.laid_out:
        bar = site.ax.inset_axes((1.04, 0.0, 0.05, 1.0))
    else:  # nothing gives way here, so that the bar takes a piece of the axes
        from matplotlib.colorbar import make_axes

        bar, _ = make_axes(site.ax, fraction=0.2, pad=0.04, aspect=18, anchor=(0.0, 0.5))
    add_bar(site, painted, bar, mesh.title)


def paint_cells(site: Site, cells: Cells, color: str) -> list[Artist]:
    """Paint the fields of a table, the first row on top, and write into them."""
    from matplotlib.colors import LinearSegmentedColormap

    n_rows, n_columns = cells.shares.shape
    tint = LinearSegmentedColormap.from_list("tint", ["white", color])
    painted = site.ax.pcolormesh(
        np.arange(n_columns + 1) - 0.5,
        np.arange(n_rows + 1) - 0.5,
        np.nan_to_num(cells.shares[::-1]),
        cmap=tint,
        vmin=0.0,
        vmax=1.6,  # the darkest field still carries dark words
        edgecolors="white",
        linewidth=1.5,
        zorder=1.2,
    )
    artists: list[Artist] = [painted]
    room = min(site.size()[0] / n_columns / 9.0, FONT_SIZE * site.scale)
    for row, words in enumerate(cells.texts):
        for column, text in enumerate(words):
            written = site.ax.text(
                column,
                n_rows - 1 - row,
                text,
                ha="center",
                va="center",
                fontsize=max(room, 4.0),
                color=TEXT_COLOR,
                zorder=2,
                clip_on=True,
            )
            written.set(parse_math=False, usetex=False)
            artists.append(written)
    return artists


def colour_scale(mesh: Mesh) -> dict[str, Any]:
    """Colours and the values at their ends; differences have white at 0."""
    low, high = _range(mesh)
    if mesh.diverging:
        reach = max(abs(low), abs(high)) or 1.0
        return {"cmap": DIVERGING, "vmin": -reach, "vmax": reach}
    return {"cmap": SEQUENTIAL, "vmin": low, "vmax": high if high > low else low + 1.0}


def _range(mesh: Mesh) -> tuple[float, float]:
    return float(np.min(mesh.values)), float(np.max(mesh.values))


def add_bar(site: Site, painted: ScalarMappable, bar: Any, title: str) -> None:
    """Put the colour bar into axes of its own."""
    colours = site.figure.colorbar(painted, cax=bar)
    colours.outline.set_visible(False)
    bar.tick_params(labelsize=SMALL * FONT_SIZE * site.scale, length=2 * site.scale, width=0.6)
    bar.set_ylabel(title, fontsize=FONT_SIZE * site.scale, color=TEXT_COLOR)
    bar.yaxis.label.set(parse_math=False, usetex=False)


def _contours(site: Site, mesh: Mesh) -> None:
    low, high = _range(mesh)
    levels = [level for level in mesh.levels if low < level < high]
    if not levels:
        return
    dark = [_is_dark(mesh, level) for level in levels]
    lines = site.ax.contour(
        mesh.x,
        mesh.y,
        mesh.values,
        levels=levels,
        colors=["white" if is_dark else TEXT_COLOR for is_dark in dark],
        linewidths=0.6 * site.scale,
        linestyles="solid",
        zorder=1.4,
    )
    size = CONTOUR * FONT_SIZE * site.scale
    site.ax.clabel(lines, fontsize=size, fmt=_with_minus, inline_spacing=2)


def _is_dark(mesh: Mesh, level: float) -> bool:
    """Whether the colour of a value is dark: low ones, or in a difference those far from 0."""
    scale = colour_scale(mesh)
    share = (level - scale["vmin"]) / (scale["vmax"] - scale["vmin"])
    return bool(abs(share - 0.5) > DARK / 2 if mesh.diverging else share < DARK)


def _with_minus(level: float) -> str:
    return f"{level:g}".replace("-", "\N{MINUS SIGN}")
