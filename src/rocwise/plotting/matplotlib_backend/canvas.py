"""A plot specification on matplotlib axes: frame, layers, legend and caption."""

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr as normal_cdf
from scipy.special import ndtri as probit

from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting import theme, words
from rocwise.plotting.matplotlib_backend import labels, layout
from rocwise.plotting.matplotlib_backend.layout import Site, literal
from rocwise.plotting.matplotlib_backend.thinning import thinned
from rocwise.plotting.spec import (
    Axis,
    Band,
    Cells,
    Label,
    Line,
    Mesh,
    PlotSpec,
    Points,
    Side,
    Styled,
    Whiskers,
    clipped_to_frame,
)
from rocwise.plotting.theme import Look, look_of

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis as MatplotlibAxis
    from matplotlib.text import Annotation, Text

HATCH = "////"
SMALLEST_TITLE = 0.85  # of an axis, as a fraction of the font size, before it is broken
TITLE = 1.1  # size of a title, as a fraction of the font size


class MatplotlibCanvas:
    """Draws a plot on matplotlib axes: a method for each kind of layer."""

    def __init__(self, site: Site, *, framed: bool = True) -> None:
        self.site = site
        self.ax: Axes = site.ax
        self.scale: float = site.scale
        self.framed = framed  # the axes are new: they get titles, scales and limits
        self.artists: list[Artist] = []  # to be removed when the axes are drawn again
        self.labels: list[tuple[Annotation, Side]] = []
        self.rows: labels.RowLayout | None = None
        self.x: Axis = Axis("", (0.0, 1.0))

    def draw(self, spec: PlotSpec) -> None:
        """Draw axes and layers, without legend and caption."""
        inside = clipped_to_frame(spec)
        self._frame(inside)
        for layer in inside.layers:
            getattr(self, layer.kind)(layer)

    def _frame(self, spec: PlotSpec) -> None:
        """Set axes, limits, ticks and title."""
        ax = self.ax
        self.x = spec.x
        if self.framed:
            _set_up(ax.xaxis, spec.x, ax.set_xscale)
            _set_up(ax.yaxis, spec.y, ax.set_yscale)
            ax.set_xlim(*spec.x.limits)
            ax.set_ylim(*spec.y.limits)
            self._style(spec)
        elif spec.rows and spec.y.ticks is not None:
            _set_ticks(ax.yaxis, spec.y)
        if spec.rows:
            self.site.settle()
            self.rows = labels.plan_rows(self.site, spec)
            if self.rows.inside:
                ax.set_ylim(*labels.row_limits(self.rows, spec.rows))
            self.artists += labels.write_rows(self.site, spec, self.rows)
        if spec.title is not None:
            literal(ax.set_title(spec.title, loc="left", fontsize=self.site.font(TITLE)))

    def _style(self, spec: PlotSpec) -> None:
        """Set spines, grid, ticks and fonts."""
        ax = self.ax
        if spec.square:
            ax.set_box_aspect(1)
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_axisbelow(True)
        if spec.bare:
            ax.spines[["left", "bottom"]].set_visible(False)
        else:
            ax.grid(True, axis="x" if spec.rows else "both", color=theme.GRID_COLOR, linewidth=0.6)
        length = 0.0 if spec.bare else 3 * self.scale
        ax.tick_params(labelsize=self.site.font(), length=length, width=0.6)
        for title in (ax.xaxis.label, ax.yaxis.label):
            title.set(fontsize=self.site.font(), color=theme.TEXT_COLOR, usetex=False)

    def line(self, line: Line) -> None:
        """Draw straight segments."""
        is_reference = line.role == "reference"
        x, y = thinned(self.x, line.x, line.y)
        if is_reference and self.rows is not None:  # the null value of a list
            y = np.array(self.ax.get_ylim())
        look = self._look(line)
        (artist,) = self.ax.plot(
            x,
            y,
            color=look.color,
            linestyle=(0, look.dash) if look.dash else "-",
            linewidth=look.width,
            marker="none",
            solid_joinstyle="miter",
            dash_joinstyle="miter",
            zorder=1.8 if is_reference else 2.6,
        )
        artist.set_clip_on(self.x.scale != "probit")  # full width also on the frame
        if is_reference:
            setattr(artist, layout.REFERENCE_MARK, True)
        self._add(artist, line)

    def band(self, band: Band) -> None:
        """Draw the area between two curves, with edges where several areas overlap."""
        color = self._look(band).color
        x, lower, upper = thinned(self.x, band.x, band.lower, band.upper)
        style: dict[str, Any] = {"alpha": 0.1 if band.edges else 0.2, "linewidth": 0}
        if band.hatched:
            style |= {"hatch": HATCH, "alpha": 0.5, "facecolor": "none", "edgecolor": color}
        else:
            style["color"] = color
        artist = self.ax.fill_between(x, lower, upper, **style)
        self._add(artist, band)
        if band.edges:
            pen: Any = {"color": color, "linewidth": 0.5 * self.scale, "zorder": 2.2}
            self.artists += [*self.ax.plot(x, lower, **pen), *self.ax.plot(x, upper, **pen)]

    def points(self, points: Points) -> None:
        """Draw markers with a white rim, which separates them from the line below."""
        (low, high), (bottom, top) = self.ax.get_xlim(), self.ax.get_ylim()
        outside = (points.x < low) | (points.x > high) | (points.y < bottom) | (points.y > top)
        (artist,) = self.ax.plot(
            np.where(outside, np.nan, points.x),
            points.y,
            linestyle="none",
            marker="o",
            markersize=3.6 * self.scale,
            markerfacecolor=self._look(points).color,
            markeredgecolor="white",
            markeredgewidth=0.5,
            clip_on=False,
            zorder=2.8,
        )
        self._add(artist, points)

    def whiskers(self, whiskers: Whiskers) -> None:
        """Draw horizontal intervals with a short stroke at each end."""
        low, high, y = whiskers.low, whiskers.high, whiskers.y
        look = self._look(whiskers)
        bars = self.ax.hlines(y, low, high, color=look.color, linewidth=look.width)
        ends = np.concatenate((low, high)), np.tile(y, 2)
        self.artists += self.ax.plot(*ends, "|", color=look.color, markersize=5 * self.scale)
        self._add(bars, whiskers)

    def label(self, label: Label) -> None:
        """Write a text near a point."""
        (right, up), horizontal, vertical = labels.SIDES[label.side]
        text = self.ax.annotate(
            label.text,
            (label.x, label.y),
            xytext=(right * self.scale, up * self.scale),
            textcoords="offset points",
            ha=horizontal,
            va=vertical,
            fontsize=self.site.font(theme.SMALL),
            color=self._look(label).color,
            zorder=3,
        )
        self.artists.append(literal(text))
        self.labels.append((text, label.side))

    def mesh(self, mesh: Mesh) -> None:
        """Draw a heat map, its contours and its color bar, without grid."""
        site = self.site
        self.ax.grid(False)
        options: dict[str, Any] = {"shading": "gouraud", "rasterized": True, "zorder": 1.2}
        drawn = self.ax.pcolormesh(mesh.x, mesh.y, mesh.values, **options, **color_scale(mesh))
        _contours(site, mesh)
        if site.owned or site.has_layout:
            bar = self.ax.inset_axes((1.04, 0.0, 0.05, 1.0))
        else:  # the layout is fixed: the bar takes a part of the axes
            from matplotlib.colorbar import make_axes

            bar, _ = make_axes(self.ax, fraction=0.2, pad=0.04, aspect=18, anchor=(0.0, 0.5))
        colors = site.figure.colorbar(drawn, cax=bar)
        colors.outline.set_visible(False)
        bar.tick_params(labelsize=site.font(theme.SMALL), length=2 * site.scale, width=0.6)
        literal(bar.set_ylabel(mesh.title, fontsize=site.font(), color=theme.TEXT_COLOR))

    def cells(self, cells: Cells) -> None:
        """Draw a table of tinted cells, the first row on top, with their texts."""
        from matplotlib.colors import LinearSegmentedColormap

        self.ax.grid(False)
        n_rows, n_columns = cells.shades.shape
        colors = ["white", self._look(cells).color]
        drawn = self.ax.pcolormesh(
            np.arange(n_columns + 1) - 0.5,
            np.arange(n_rows + 1) - 0.5,
            np.nan_to_num(cells.shades[::-1]),
            cmap=LinearSegmentedColormap.from_list("tint", colors),
            vmin=0.0,
            vmax=1.6,  # dark text is legible on the darkest cell
            edgecolors="white",
            linewidth=1.5,
            zorder=1.2,
        )
        self.artists.append(drawn)
        size = max(min(self.site.size()[0] / n_columns / 9.0, self.site.font()), 4.0)
        style = {"fontsize": size, "color": theme.TEXT_COLOR, "zorder": 2, "clip_on": True}
        for row, texts in enumerate(cells.texts):
            for column, text in enumerate(texts):
                y = n_rows - 1 - row
                word = self.ax.text(column, y, text, ha="center", va="center", **style)
                self.artists.append(literal(word))

    def add_legend(self, spec: PlotSpec) -> "Artist | None":
        """Place labels and legend, when the axes have their position."""
        self.artists += labels.place_labels(self.site, self.labels)
        return layout.add_legend(self.site, spec.legend_places, square=spec.square)

    def finish(self, spec: PlotSpec) -> None:
        """Add legend, caption and table, when everything else has its position."""
        site = self.site
        caption = spec.caption if spec.captioned else ()
        if not site.owned:
            self.fit_texts()
            site.settle()
            below = self.add_legend(spec)
            if caption:
                self.artists.append(layout.add_caption(site, caption, below))
            return
        row_height = 0.0 if self.rows is None else self.rows.height / layout.POINTS_PER_INCH
        site.fit(spec, row_height)
        self.fit_texts()
        labels.place_labels(site, self.labels, leaders=False)
        layout.add_legend(site, spec.legend_places, square=spec.square)
        site.fit(spec, row_height)
        footer, room = layout.add_footer(site, caption, spec.table)
        self.artists += footer
        site.fit(spec, row_height, room)
        self.center_titles()
        self.artists += labels.place_labels(site, self.labels)  # on axes of the final size
        for artist in footer:
            artist.set_in_layout(True)  # for `bbox_inches="tight"`

    def fit_texts(self) -> None:
        """Shrink axis titles that have no room, by a little, and break those still too long."""
        if not self.framed:
            return
        self._thin_ticks()
        titles = (self.ax.xaxis.label, self.ax.yaxis.label)
        for k, (title, room) in enumerate(zip(titles, self.site.title_rooms(), strict=True)):
            low, high = _ends(title, k)
            fraction = room / max(high - low, 1.0)
            if fraction < 1:
                title.set_fontsize(max(fraction, SMALLEST_TITLE) * self.site.font())
            if fraction < SMALLEST_TITLE:
                letters = max(int(fraction / SMALLEST_TITLE * len(title.get_text())), 12)
                title.set_text(textwrap.fill(title.get_text(), letters, break_long_words=False))

    def _thin_ticks(self) -> None:
        """Leave out every second tick of the horizontal axis where texts would nearly touch."""
        from matplotlib.ticker import AutoLocator

        axis, inside = self.ax.xaxis, self.ax.get_window_extent()
        if not isinstance(axis.get_major_locator(), AutoLocator):
            return
        low, high = sorted(self.ax.get_xlim())
        places = [place for place in axis.get_majorticklocs() if low <= place <= high]
        points = inside.width / (high - low) * layout.POINTS_PER_INCH / self.site.figure.dpi
        letter = theme.LETTER_WIDTH * self.site.font()
        while len(places) > 2:
            longest = max(map(len, axis.get_major_formatter().format_ticks(places)))
            if (places[1] - places[0]) * points > (longest + 1) * letter:
                return
            places = places[int(np.argmin(np.abs(places))) % 2 :: 2]  # zero stays
            axis.set_ticks(places)

    def center_titles(self) -> None:
        """Center axis titles on the axes, those longer than an axis as far as the figure allows."""
        inside, whole = self.ax.get_window_extent(), self.site.figure.bbox
        edge = layout.EDGE * self.site.figure.dpi
        for k, title in enumerate((self.ax.xaxis.label, self.ax.yaxis.label)):
            low, high = _ends(title, k)
            start, end = inside.get_points()[:, k]
            last = whole.get_points()[1, k] - edge
            moved = max(edge - low, 0.0) - max(high - last, 0.0)
            place = 0.5 + moved / (end - start)
            title.set(**{"xy"[k]: place})

    def _look(self, layer: Styled) -> Look:
        from matplotlib.colors import is_color_like

        if layer.color is not None and not is_color_like(layer.color):
            raise InputError(
                f"`color` must be a color such as '#0072B2' or 'black'; got {layer.color!r}."
            )
        return look_of(layer, self.scale)

    def _add(self, artist: "Artist", layer: Styled) -> None:
        self.artists.append(artist)
        if layer.label is not None:
            is_reference = isinstance(layer, Line) and layer.role == "reference"
            later = layer.muted or isinstance(layer, Band)
            layout.mark_label(artist, layer.label, rank=2 if is_reference else int(later))


def _ends(title: "Text", way: int) -> tuple[float, float]:
    """Where a title begins and ends along its axis, in pixels."""
    low, high = title.get_window_extent().get_points()[:, way].tolist()
    return low, high


def _set_up(target: "MatplotlibAxis", axis: Axis, set_scale: Callable[..., None]) -> None:
    if axis.scale == "probit":
        set_scale("function", functions=(probit, normal_cdf))
    elif axis.scale == "log":
        set_scale("log")
    if axis.ticks is not None:
        _set_ticks(target, axis)
    target.set_label_text(axis.title)


def _set_ticks(target: "MatplotlibAxis", axis: Axis) -> None:
    ticks = axis.ticks or ()
    target.set_ticks([tick.position for tick in ticks])
    target.set_ticklabels([tick.text for tick in ticks])
    for text in target.get_ticklabels():
        literal(text)


DARK = 0.55  # up to this fraction of the scale colors are dark: white is legible on them


def color_scale(mesh: Mesh) -> dict[str, Any]:
    """Color map and the values at its ends; differences have white at 0."""
    low, high = float(np.min(mesh.values)), float(np.max(mesh.values))
    if mesh.diverging:
        reach = max(abs(low), abs(high)) or 1.0
        return {"cmap": "PuOr_r", "vmin": -reach, "vmax": reach}
    return {"cmap": "cividis", "vmin": low, "vmax": high if high > low else low + 1.0}


def _contours(site: Site, mesh: Mesh) -> None:
    """Labeled contours, white on dark colors."""
    low, high = np.min(mesh.values), np.max(mesh.values)
    levels = [level for level in mesh.levels if low < level < high]
    if not levels:
        return
    scale = color_scale(mesh)
    fractions = (np.array(levels) - scale["vmin"]) / (scale["vmax"] - scale["vmin"])
    dark = np.abs(fractions - 0.5) > DARK / 2 if mesh.diverging else fractions < DARK
    lines = site.ax.contour(
        mesh.x,
        mesh.y,
        mesh.values,
        levels=levels,
        colors=["white" if is_dark else theme.TEXT_COLOR for is_dark in dark],
        linewidths=0.6 * site.scale,
        linestyles="solid",
        zorder=1.4,
    )
    texts = {level: words.true_minus(f"{level:g}") for level in levels}
    site.ax.clabel(lines, fontsize=site.font(0.75), fmt=texts, inline_spacing=2)


ELEVATION = 28.0
MOST_STEPS = 60
"""Rows and columns of patches: enough for a smooth surface, few enough for a small file."""
LIFT = 0.005  # height of lines above the surface, as a fraction of its height range
SURFACE_CAPTION_WIDTH = 60


def draw_surface(spec: PlotSpec, site: Site) -> None:
    """Draw the mesh of a plot as a surface, and its lines and points on it."""
    ax: Any = site.ax
    (mesh,) = (layer for layer in spec.layers if isinstance(layer, Mesh))
    x, y = np.meshgrid(mesh.x, mesh.y)
    steps = {"rcount": MOST_STEPS, "ccount": MOST_STEPS, "linewidth": 0}
    ax.plot_surface(x, y, mesh.values, **steps, **color_scale(mesh))
    for layer in spec.layers:
        if isinstance(layer, (Line, Points)):
            dashed = {"linewidth": 1.5, "dashes": (3, 2), "zorder": 9}
            dots = {"linestyle": "none", "marker": "o", "zorder": 10}
            style = dashed if isinstance(layer, Line) else dots
            ax.plot(*_on_surface(mesh, layer.x, layer.y), color=look_of(layer).color, **style)
    _surface_texts(site, spec, mesh.title)
    ax.set_xlim(*spec.x.limits)
    ax.set_ylim(*spec.y.limits)
    ax.view_init(elev=ELEVATION, azim=spec.azimuth)
    if site.owned:
        side = max(theme.SQUARES[site.width], theme.SQUARES["column"] * site.scale)
        below, above = 0.1 * bool(spec.caption and spec.captioned), 0.08 * (spec.title is not None)
        height = 0.8 + below + above  # all as fractions of the width
        site.figure.set_size_inches(side, height * side)
        ax.set_position((0.04, (below - 0.035) / height, 0.9, 0.9 / height))  # empty at its edges
        ax.set_box_aspect(None, zoom=0.78)  # room for the texts around the box


def _on_surface(mesh: Mesh, x: Floats, y: Floats) -> tuple[Floats, Floats, Floats]:
    """Points slightly above the surface, by bilinear interpolation."""
    from scipy.interpolate import RegularGridInterpolator

    height = RegularGridInterpolator(
        (mesh.y, mesh.x), mesh.values, bounds_error=False, fill_value=None
    )
    return x, y, height((y, x)) + LIFT * float(np.ptp(mesh.values))


def _surface_texts(site: Site, spec: PlotSpec, height: str) -> None:
    """Titles of the three axes, caption and title."""
    ax: Any = site.ax
    titles = ((ax.xaxis, spec.x.title), (ax.yaxis, spec.y.title), (ax.zaxis, height))
    for axis, title in titles:
        axis.set_label_text(title, fontsize=site.font())
        literal(axis.label)
        pad = (7.0 if axis is ax.zaxis else 2.0) * site.scale
        axis.labelpad = pad + 10.0 * (site.scale - 1.0)  # beyond larger numbers
        axis.set_tick_params(labelsize=site.font(theme.SMALL))
    if spec.caption and spec.captioned:
        style: dict[str, Any] = {"color": theme.CAPTION_COLOR, "va": "bottom"}
        style["fontsize"] = site.font(theme.CAPTION)
        text = textwrap.fill(" ".join(spec.caption), SURFACE_CAPTION_WIDTH)
        if site.owned:
            literal(site.figure.text(0.03, 0.01, text, **style))
        else:
            literal(ax.text2D(0.0, -0.07, text, transform=ax.transAxes, **style))
    if spec.title is not None and site.owned:
        size = site.font(TITLE)
        literal(site.figure.text(0.03, 0.99, spec.title, fontsize=size, va="top"))
    elif spec.title is not None:
        literal(ax.set_title(spec.title, loc="left", fontsize=site.font(TITLE)))
