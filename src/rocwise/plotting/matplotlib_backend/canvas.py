"""Matplotlib axes as a canvas: one method for every kind of layer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise.errors import InputError
from rocwise.plotting.layers import Axis, Band, Label, Line, Mesh, Picture, Points, Styled, Whiskers
from rocwise.plotting.matplotlib_backend.caption import add_caption, settle_caption
from rocwise.plotting.matplotlib_backend.layout import Site
from rocwise.plotting.matplotlib_backend.legend import REFERENCE_MARK, add_legend, mark_label
from rocwise.plotting.matplotlib_backend.mesh import paint_mesh
from rocwise.plotting.scales import normal_cdf, probit
from rocwise.plotting.theme import FONT_SIZE, GRID_COLOR, SMALL, TEXT_COLOR, Look, look_of

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axis import Axis as MatplotlibAxis

SLOT_MARK = "_rocwise_slot"
SIDES = {
    "below-right": ((4.0, -3.0), "left", "top"),
    "below-left": ((-1.0, -4.0), "right", "top"),
    "above-left": ((-4.0, 3.0), "right", "bottom"),
    "above-right": ((4.0, 3.0), "left", "bottom"),
}


class MatplotlibCanvas:
    """Matplotlib axes as a canvas."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.ax = site.ax
        self.scale = site.scale
        slots = (getattr(line, SLOT_MARK, -1) for line in self.ax.lines)
        self.first_slot = 1 + max(slots, default=-1)

    def frame(self, picture: Picture) -> None:
        """Set axes, limits, ticks and title."""
        ax = self.ax
        _set_up(ax.xaxis, picture.x, ax.set_xscale)
        _set_up(ax.yaxis, picture.y, ax.set_yscale)
        ax.set_xlim(*self._wide_enough(picture.x.limits, ax.get_xlim()))
        ax.set_ylim(*self._wide_enough(picture.y.limits, ax.get_ylim()))
        if picture.square:
            ax.set_box_aspect(1)
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_axisbelow(True)
        ax.grid(True, axis="x" if picture.rows else "both", color=GRID_COLOR, linewidth=0.6)
        ax.tick_params(labelsize=FONT_SIZE * self.scale, length=3 * self.scale, width=0.6)
        for words in (ax.xaxis.label, ax.yaxis.label):
            words.set(fontsize=FONT_SIZE * self.scale, color=TEXT_COLOR, usetex=False)
        if picture.rows:
            self._list_rows(picture)
        if picture.title is not None:
            title = ax.set_title(picture.title, loc="left", fontsize=1.1 * FONT_SIZE * self.scale)
            title.set(parse_math=False, usetex=False)

    def line(self, line: Line) -> None:
        """Paint straight segments; a reference line that is already there is not repeated."""
        look = self._look(line)
        is_reference = line.role == "reference"
        if is_reference and self._has_line(line):
            return
        (artist,) = self.ax.plot(line.x, line.y, **_pen(look), zorder=1.8 if is_reference else 2.6)
        if is_reference:
            setattr(artist, REFERENCE_MARK, True)
        elif not line.muted:
            setattr(artist, SLOT_MARK, self.first_slot + line.slot)
        self._enter(artist, line)

    def band(self, band: Band) -> None:
        """Paint the area between two curves."""
        artist = self.ax.fill_between(
            band.x, band.lower, band.upper, color=self._look(band).color, alpha=0.2, linewidth=0
        )
        self._enter(artist, band)

    def points(self, points: Points) -> None:
        """Paint dots with a white rim, which keeps them apart from the line they sit on."""
        look = self._look(points)
        (artist,) = self.ax.plot(
            points.x,
            points.y,
            linestyle="none",
            marker="o",
            markersize=3.6 * self.scale,
            markerfacecolor=look.color,
            markeredgecolor="white",
            markeredgewidth=0.5,
            clip_on=False,
            zorder=2.8,
        )
        self._enter(artist, points)

    def whiskers(self, whiskers: Whiskers) -> None:
        """Paint horizontal intervals with a short stroke at each end."""
        look = self._look(whiskers)
        artist = self.ax.hlines(
            whiskers.y, whiskers.low, whiskers.high, color=look.color, linewidth=look.width
        )
        ends = np.concatenate((whiskers.low, whiskers.high))
        self.ax.plot(ends, np.tile(whiskers.y, 2), "|", color=look.color, markersize=5 * self.scale)
        self._enter(artist, whiskers)

    def label(self, label: Label) -> None:
        """Write a text beside a point, on the free side of the curve."""
        (right, up), horizontal, vertical = SIDES[label.side]
        text = self.ax.annotate(
            label.text,
            (label.x, label.y),
            xytext=(right * self.scale, up * self.scale),
            textcoords="offset points",
            ha=horizontal,
            va=vertical,
            fontsize=SMALL * FONT_SIZE * self.scale,
            color=self._look(label).color,
            bbox={
                "boxstyle": "square,pad=0.05",
                "facecolor": "white",
                "alpha": 0.7,
                "linewidth": 0,
            },
            zorder=3,
        )
        text.set(parse_math=False, usetex=False)

    def mesh(self, mesh: Mesh) -> None:
        """Paint a heat map, its contours and its colour bar; the grid would lie over it."""
        self.ax.grid(False)
        paint_mesh(self.site, mesh)

    def finish(self, picture: Picture) -> None:
        """Add caption and legend, which need to know where everything else came to lie."""
        caption = add_caption(self.site, picture.caption)
        self.site.lay_out(picture)
        below = add_legend(self.site, picture.legend_places, square=picture.square)
        if caption is not None:
            settle_caption(self.site, caption, below)
        self.site.lay_out(picture)

    def _look(self, layer: Styled) -> Look:
        from matplotlib.colors import is_color_like

        if layer.color is not None and not is_color_like(layer.color):
            raise InputError(
                f"`color` must be a colour such as '#0072B2' or 'black'; got {layer.color!r}."
            )
        return look_of(replace(layer, slot=self.first_slot + layer.slot), self.scale)

    def _enter(self, artist: Artist, layer: Styled) -> None:
        if layer.label is not None:
            is_reference = isinstance(layer, Line) and layer.role == "reference"
            mark_label(artist, layer.label, rank=2 if is_reference else int(layer.muted))

    def _has_line(self, line: Line) -> bool:
        return any(
            np.array_equal(line.x, np.asarray(other.get_xdata()))
            and np.array_equal(line.y, np.asarray(other.get_ydata()))
            for other in self.ax.lines
        )

    def _wide_enough(
        self, limits: tuple[float, float], present: tuple[float, float]
    ) -> tuple[float, float]:
        """Keep earlier models in view: limits never shrink on axes that hold some already."""
        if self.first_slot == 0:
            return limits
        return min(limits[0], present[0]), max(limits[1], present[1])

    def _list_rows(self, picture: Picture) -> None:
        """Write names at the left and numbers at the right of a list, without an axis line."""
        self.ax.spines["left"].set_visible(False)
        self.ax.tick_params(axis="y", length=0)
        for tick in picture.right_ticks:
            text = self.ax.annotate(
                tick.text,
                (1.0, tick.position),
                xycoords=("axes fraction", "data"),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=FONT_SIZE * self.scale,
                annotation_clip=False,
            )
            text.set(parse_math=False, usetex=False)


def _pen(look: Look) -> dict[str, Any]:
    style: Any = (0, look.dash) if look.dash else "-"
    return {
        "color": look.color,
        "linestyle": style,
        "linewidth": look.width,
        "marker": "none",
        "solid_joinstyle": "miter",
        "dash_joinstyle": "miter",
    }


def _set_up(target: MatplotlibAxis, axis: Axis, set_scale: Callable[..., None]) -> None:
    if axis.scale == "probit":
        set_scale("function", functions=(probit, normal_cdf))
    elif axis.scale == "log":
        set_scale("log")
    if axis.ticks is not None:
        target.set_ticks([tick.position for tick in axis.ticks])
        target.set_ticklabels([tick.text for tick in axis.ticks])
        for words in target.get_ticklabels():
            words.set(parse_math=False, usetex=False)
    target.set_label_text(axis.title)
