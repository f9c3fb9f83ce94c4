"""Matplotlib axes as a canvas: one method for every kind of layer."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise.errors import InputError
from rocwise.plotting.layers import (
    Axis,
    Band,
    Cells,
    Label,
    Line,
    Mesh,
    Picture,
    Points,
    Styled,
    Whiskers,
)
from rocwise.plotting.matplotlib_backend.caption import add_caption, add_footer
from rocwise.plotting.matplotlib_backend.label_places import SIDES, Written, place_labels
from rocwise.plotting.matplotlib_backend.layout import POINTS_PER_INCH, Site
from rocwise.plotting.matplotlib_backend.legend import REFERENCE_MARK, add_legend, mark_label
from rocwise.plotting.matplotlib_backend.mesh import paint_cells, paint_mesh
from rocwise.plotting.matplotlib_backend.row_lists import (
    RowPlan,
    plan_rows,
    row_limits,
    write_rows,
)
from rocwise.plotting.scales import normal_cdf, probit
from rocwise.plotting.theme import (
    FONT_SIZE,
    GRID_COLOR,
    LETTER_WIDTH,
    SMALL,
    TEXT_COLOR,
    Look,
    look_of,
)
from rocwise.plotting.thinning import thinned_band, thinned_line

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis as MatplotlibAxis


class MatplotlibCanvas:
    """Matplotlib axes as a canvas.

    Attributes
    ----------
    site
        The axes.
    framed
        The axes are new: they are given words, scales and limits. Otherwise they keep theirs.
    wordless
        Legend and caption are added later by others.
    artists
        What was painted, to be taken away when the axes are painted anew.
    """

    def __init__(self, site: Site, *, framed: bool = True, wordless: bool = False) -> None:
        self.site = site
        self.ax: Axes = site.ax
        self.scale: float = site.scale
        self.framed = framed
        self.wordless = wordless
        self.artists: list[Artist] = []
        self.labels: list[Written] = []
        self.plan: RowPlan | None = None
        self.x: Axis = Axis("", (0.0, 1.0))

    def frame(self, picture: Picture) -> None:
        """Set axes, limits, ticks and title."""
        ax = self.ax
        self.x = picture.x
        if self.framed:
            _set_up(ax.xaxis, picture.x, ax.set_xscale)
            _set_up(ax.yaxis, picture.y, ax.set_yscale)
            ax.set_xlim(*picture.x.limits)
            ax.set_ylim(*picture.y.limits)
            self._dress(picture)
        elif picture.rows and picture.y.ticks is not None:
            _set_ticks(ax.yaxis, picture.y)
        if picture.rows:
            self.site.settle()
            self.plan = plan_rows(self.site, picture)
            if self.plan.inside:
                ax.set_ylim(*row_limits(self.plan, picture.rows))
            self.artists += write_rows(self.site, picture, self.plan)
        if picture.title is not None:
            title = ax.set_title(picture.title, loc="left", fontsize=1.1 * FONT_SIZE * self.scale)
            title.set(parse_math=False, usetex=False)

    def _dress(self, picture: Picture) -> None:
        """Give the axes their looks."""
        ax = self.ax
        if picture.square:
            ax.set_box_aspect(1)
        ax.spines[["top", "right"]].set_visible(False)
        if picture.bare:
            ax.spines[["left", "bottom"]].set_visible(False)
        ax.set_axisbelow(True)
        if not picture.bare:
            ax.grid(True, axis="x" if picture.rows else "both", color=GRID_COLOR, linewidth=0.6)
        ax.tick_params(labelsize=FONT_SIZE * self.scale, length=3 * self.scale, width=0.6)
        if picture.bare:
            ax.tick_params(length=0)
        for words in (ax.xaxis.label, ax.yaxis.label):
            words.set(fontsize=FONT_SIZE * self.scale, color=TEXT_COLOR, usetex=False)

    def line(self, line: Line) -> None:
        """Paint straight segments."""
        look = self._look(line)
        is_reference = line.role == "reference"
        x, y = thinned_line(line, self.x)
        if is_reference and self.plan is not None:  # the null of a list goes all the way up
            y = np.array(self.ax.get_ylim())
        (artist,) = self.ax.plot(x, y, **_pen(look), zorder=1.8 if is_reference else 2.6)
        artist.set_clip_on(self.x.scale != "probit")  # a line on that frame keeps its whole width
        if is_reference:
            setattr(artist, REFERENCE_MARK, True)
        self._enter(artist, line)

    def band(self, band: Band) -> None:
        """Paint the area between two curves, with edges where several areas overlap."""
        color = self._look(band).color
        x, lower, upper = thinned_band(band, self.x)
        artist = self.ax.fill_between(
            x, lower, upper, color=color, alpha=0.1 if band.edges else 0.2, linewidth=0
        )
        self._enter(artist, band)
        if band.edges:
            for edge in (lower, upper):
                self.artists += self.ax.plot(
                    x, edge, color=color, linewidth=0.5 * self.scale, zorder=2.2
                )

    def points(self, points: Points) -> None:
        """Paint dots with a white rim, which keeps them apart from the line they sit on."""
        look = self._look(points)
        (low, high), (bottom, top) = self.ax.get_xlim(), self.ax.get_ylim()
        outside = (points.x < low) | (points.x > high) | (points.y < bottom) | (points.y > top)
        (artist,) = self.ax.plot(
            np.where(outside, np.nan, points.x),
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
        self.artists += self.ax.plot(
            ends, np.tile(whiskers.y, 2), "|", color=look.color, markersize=5 * self.scale
        )
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
            zorder=3,
        )
        text.set(parse_math=False, usetex=False)
        self.artists.append(text)
        self.labels.append(Written(text, label.side))

    def mesh(self, mesh: Mesh) -> None:
        """Paint a heat map, its contours and its colour bar; the grid would lie over it."""
        self.ax.grid(False)
        paint_mesh(self.site, mesh)

    def cells(self, cells: Cells) -> None:
        """Paint a table of tinted fields with words in them."""
        self.ax.grid(False)
        self.artists += paint_cells(self.site, cells, self._look(cells).color)

    def add_legend(self, picture: Picture) -> None:
        """Add the legend alone, when the axes have their place."""
        self.artists += place_labels(self.site, self.labels)
        add_legend(self.site, picture.legend_places, square=picture.square)

    def finish(self, picture: Picture) -> None:
        """Add legend, caption and table, which need to know where everything else came to lie."""
        if self.wordless:
            return
        site = self.site
        caption = picture.caption if site.captioned else ()
        if not site.owned:
            self.fit_titles()
            site.settle()
            self.artists += place_labels(site, self.labels)
            below = add_legend(site, picture.legend_places, square=picture.square)
            written = add_caption(site, caption, below)
            self.artists += [] if written is None else [written]
            return
        row_height = 0.0 if self.plan is None else self.plan.height / POINTS_PER_INCH
        footer, room = add_footer(site, caption, picture.table)
        self.artists += footer
        site.fit(picture, row_height, room)
        self.fit_titles()
        place_labels(site, self.labels, leaders=False)
        add_legend(site, picture.legend_places, square=picture.square)
        site.fit(picture, row_height, room)
        self.artists += place_labels(site, self.labels)  # on axes that have their last size
        for artist in footer:
            artist.set_in_layout(True)  # for `bbox_inches="tight"`

    def fit_titles(self) -> None:
        """Break titles of axes that are longer than their axis."""
        if not self.framed:
            return
        letter = LETTER_WIDTH * FONT_SIZE * self.scale
        titles = (self.ax.xaxis.label, self.ax.yaxis.label)
        for words, room in zip(titles, self.site.size(), strict=True):
            letters = max(int(1.08 * room / letter), 12)
            words.set_text(textwrap.fill(words.get_text(), letters, break_long_words=False))

    def _look(self, layer: Styled) -> Look:
        from matplotlib.colors import is_color_like

        if layer.color is not None and not is_color_like(layer.color):
            raise InputError(
                f"`color` must be a colour such as '#0072B2' or 'black'; got {layer.color!r}."
            )
        return look_of(layer, self.scale)

    def _enter(self, artist: Artist, layer: Styled) -> None:
        self.artists.append(artist)
        if layer.label is not None:
            is_reference = isinstance(layer, Line) and layer.role == "reference"
            later = layer.muted or isinstance(layer, Band)
            mark_label(artist, layer.label, rank=2 if is_reference else int(later))


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
        _set_ticks(target, axis)
    target.set_label_text(axis.title)


def _set_ticks(target: MatplotlibAxis, axis: Axis) -> None:
    ticks = axis.ticks or ()
    target.set_ticks([tick.position for tick in ticks])
    target.set_ticklabels([tick.text for tick in ticks])
    for words in target.get_ticklabels():
        words.set(parse_math=False, usetex=False)
