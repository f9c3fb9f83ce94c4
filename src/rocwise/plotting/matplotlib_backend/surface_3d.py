"""Heat maps as surfaces in three dimensions, on matplotlib axes of that kind."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.plotting.layers import Axis, Line, Mesh, Picture, Points
from rocwise.plotting.matplotlib_backend.layout import Site
from rocwise.plotting.matplotlib_backend.mesh import colour_scale
from rocwise.plotting.theme import CAPTION, CAPTION_COLOR, FONT_SIZE, SMALL, look_of

ELEVATION = 28.0
MOST_STEPS = 60
"""Rows and columns of patches: enough for a smooth surface, few enough for a small file."""
LIFT = 0.005
"""How far lines are lifted above the surface, as a share of its height, to be seen."""

LETTERS = 60
"""In a line of the caption."""


def paint_surface(picture: Picture, site: Site) -> None:
    """Paint the mesh of a picture as a surface, and its lines and points on it."""
    ax: Any = site.ax
    (mesh,) = (layer for layer in picture.layers if isinstance(layer, Mesh))
    x, y = np.meshgrid(mesh.x, mesh.y)
    ax.plot_surface(
        x, y, mesh.values, rcount=MOST_STEPS, ccount=MOST_STEPS, linewidth=0, **colour_scale(mesh)
    )
    for layer in picture.layers:
        if isinstance(layer, Line):
            look = look_of(layer, site.scale)
            ax.plot(
                *_on(mesh, layer.x, layer.y),
                color=look.color,
                linewidth=1.5,
                dashes=(3, 2),
                zorder=9,
            )
        elif isinstance(layer, Points):
            ax.plot(*_on(mesh, layer.x, layer.y), "o", color=look_of(layer).color, zorder=10)
    _words(site, picture, mesh.title)
    ax.view_init(elev=ELEVATION, azim=picture.azimuth)
    if site.owned:
        site.figure.set_figheight(site.figure.get_figwidth())
        ax.set_position((0.06, 0.1, 0.9, 0.94))
        ax.set_box_aspect(None, zoom=0.78)  # room for the words around the box


def _on(mesh: Mesh, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """Points with the height that the surface has there, and a little more."""
    column = np.clip(np.searchsorted(mesh.x, x) - 1, 0, len(mesh.x) - 2)
    row = np.clip(np.searchsorted(mesh.y, y) - 1, 0, len(mesh.y) - 2)
    right = (x - mesh.x[column]) / (mesh.x[column + 1] - mesh.x[column])
    up = (y - mesh.y[row]) / (mesh.y[row + 1] - mesh.y[row])
    near = mesh.values[row, column] * (1 - right) + mesh.values[row, column + 1] * right
    far = mesh.values[row + 1, column] * (1 - right) + mesh.values[row + 1, column + 1] * right
    lift = LIFT * float(np.ptp(mesh.values))
    return x, y, near * (1 - up) + far * up + lift


def _words(site: Site, picture: Picture, height: str) -> None:
    ax: Any = site.ax
    scale = site.scale
    size = FONT_SIZE * scale
    for axis, words in (
        (ax.xaxis, picture.x),
        (ax.yaxis, picture.y),
        (ax.zaxis, Axis(height, (0, 0))),
    ):
        axis.set_label_text(words.title, fontsize=size)
        axis.label.set(parse_math=False, usetex=False)
        axis.labelpad = (7.0 if axis is ax.zaxis else 2.0) * scale
        axis.set_tick_params(labelsize=SMALL * size)
    if picture.caption and site.captioned:
        sentences = textwrap.fill(" ".join(picture.caption), LETTERS)
        text = ax.text2D(0.0, -0.07, sentences, transform=ax.transAxes, va="bottom")
        text.set(fontsize=CAPTION * size, color=CAPTION_COLOR, parse_math=False, usetex=False)
    ax.set_xlim(*picture.x.limits)
    ax.set_ylim(*picture.y.limits)
    if picture.title is not None:
        ax.set_title(picture.title, loc="left", fontsize=1.1 * size)
