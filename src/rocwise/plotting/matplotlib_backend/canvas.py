"""Heat maps as surfaces in three dimensions, on matplotlib axes of that kind."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting.matplotlib_backend.labels import (
    SIDES,
    RowPlan,
    Written,
    place_labels,
    plan_rows,
    row_limits,
    write_rows,
)
from rocwise.plotting.matplotlib_backend.layout import (
    POINTS_PER_INCH,
    REFERENCE_MARK,
    Site,
    add_caption,
    add_footer,
    add_legend,
    mark_label,
)
from rocwise.plotting.spec import (
    Axis,
    Band,
    Cells,
    Label,
    Line,
    Mesh,
    PlotSpec,
    Points,
    Styled,
    Whiskers,
    normal_cdf,
    probit,
)
from rocwise.plotting.theme import (
    CAPTION,
    CAPTION_COLOR,
    FONT_SIZE,
    GRID_COLOR,
    LETTER_WIDTH,
    SMALL,
    TEXT_COLOR,
    Look,
    look_of,
)
from rocwise.plotting.threshold_marks import thinned_band, thinned_line

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis as MatplotlibAxis
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

    def frame(self, spec: PlotSpec) -> None:
        """Set axes, limits, ticks and title."""
        ax = self.ax
        self.x = spec.x
        if self.framed:
            _set_up(ax.xaxis, spec.x, ax.set_xscale)
            _set_up(ax.yaxis, spec.y, ax.set_yscale)
            ax.set_xlim(*spec.x.limits)
            ax.set_ylim(*spec.y.limits)
            self._dress(spec)
        elif spec.rows and spec.y.ticks is not None:
            _set_ticks(ax.yaxis, spec.y)
        if spec.rows:
            self.site.settle()
            self.plan = plan_rows(self.site, spec)
            if self.plan.inside:
                ax.set_ylim(*row_limits(self.plan, spec.rows))
            self.artists += write_rows(self.site, spec, self.plan)
        if spec.title is not None:
            title = ax.set_title(spec.title, loc="left", fontsize=1.1 * FONT_SIZE * self.scale)
            title.set(parse_math=False, usetex=False)

    def _dress(self, spec: PlotSpec) -> None:
        """Give the axes their looks."""
        ax = self.ax
        if spec.square:
            ax.set_box_aspect(1)
        ax.spines[["top", "right"]].set_visible(False)
        if spec.bare:
            ax.spines[["left", "bottom"]].set_visible(False)
        ax.set_axisbelow(True)
        if not spec.bare:
            ax.grid(True, axis="x" if spec.rows else "both", color=GRID_COLOR, linewidth=0.6)
        ax.tick_params(labelsize=FONT_SIZE * self.scale, length=3 * self.scale, width=0.6)
        if spec.bare:
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

    def add_legend(self, spec: PlotSpec) -> None:
        """Add the legend alone, when the axes have their place."""
        self.artists += place_labels(self.site, self.labels)
        add_legend(self.site, spec.legend_places, square=spec.square)

    def finish(self, spec: PlotSpec) -> None:
        """Add legend, caption and table, which need to know where everything else came to lie."""
        if self.wordless:
            return
        site = self.site
        caption = spec.caption if site.captioned else ()
        if not site.owned:
            self.fit_titles()
            site.settle()
            self.artists += place_labels(site, self.labels)
            below = add_legend(site, spec.legend_places, square=spec.square)
            written = add_caption(site, caption, below)
            self.artists += [] if written is None else [written]
            return
        row_height = 0.0 if self.plan is None else self.plan.height / POINTS_PER_INCH
        footer, room = add_footer(site, caption, spec.table)
        self.artists += footer
        site.fit(spec, row_height, room)
        self.fit_titles()
        place_labels(site, self.labels, leaders=False)
        add_legend(site, spec.legend_places, square=spec.square)
        site.fit(spec, row_height, room)
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


ELEVATION = 28.0
MOST_STEPS = 60
"""Rows and columns of patches: enough for a smooth surface, few enough for a small file."""
LIFT = 0.005
"""How far lines are lifted above the surface, as a share of its height, to be seen."""

LETTERS = 60
"""In a line of the caption."""


def paint_surface(spec: PlotSpec, site: Site) -> None:
    """Paint the mesh of a plot as a surface, and its lines and points on it."""
    ax: Any = site.ax
    (mesh,) = (layer for layer in spec.layers if isinstance(layer, Mesh))
    x, y = np.meshgrid(mesh.x, mesh.y)
    ax.plot_surface(
        x, y, mesh.values, rcount=MOST_STEPS, ccount=MOST_STEPS, linewidth=0, **colour_scale(mesh)
    )
    for layer in spec.layers:
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
    _words(site, spec, mesh.title)
    ax.view_init(elev=ELEVATION, azim=spec.azimuth)
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


def _words(site: Site, spec: PlotSpec, height: str) -> None:
    ax: Any = site.ax
    scale = site.scale
    size = FONT_SIZE * scale
    for axis, words in (
        (ax.xaxis, spec.x),
        (ax.yaxis, spec.y),
        (ax.zaxis, Axis(height, (0, 0))),
    ):
        axis.set_label_text(words.title, fontsize=size)
        axis.label.set(parse_math=False, usetex=False)
        axis.labelpad = (7.0 if axis is ax.zaxis else 2.0) * scale
        axis.set_tick_params(labelsize=SMALL * size)
    if spec.caption and site.captioned:
        sentences = textwrap.fill(" ".join(spec.caption), LETTERS)
        text = ax.text2D(0.0, -0.07, sentences, transform=ax.transAxes, va="bottom")
        text.set(fontsize=CAPTION * size, color=CAPTION_COLOR, parse_math=False, usetex=False)
    ax.set_xlim(*spec.x.limits)
    ax.set_ylim(*spec.y.limits)
    if spec.title is not None:
        ax.set_title(spec.title, loc="left", fontsize=1.1 * size)
