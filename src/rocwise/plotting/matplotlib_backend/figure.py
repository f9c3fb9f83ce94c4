"""Figures: one plot on new axes or on those of the user, or panels of one size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, missing_package
from rocwise.plotting import theme
from rocwise.plotting.composition import added
from rocwise.plotting.matplotlib_backend import layout
from rocwise.plotting.matplotlib_backend.canvas import MatplotlibCanvas, draw_surface
from rocwise.plotting.matplotlib_backend.layout import EDGE, Site
from rocwise.plotting.spec import PlotSpec
from rocwise.plotting.theme import Width

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARK = "_rocwise_drawn"


class Drawn(NamedTuple):
    """What rocwise has drawn on axes: plot, artists, the limits it set, and the site."""

    spec: PlotSpec
    artists: tuple[Artist, ...]
    limits: tuple[tuple[float, float], tuple[float, float]]
    site: Site


def drawn_before(ax: Axes) -> Drawn | None:
    """What rocwise has drawn on the axes, if it is still there."""
    known: Drawn | None = getattr(ax, MARK, None)
    if known is None or not set(ax.get_children()) & set(known.artists):
        return None
    return known


def draw_on(spec: PlotSpec, site: Site, *, finish: bool = True) -> MatplotlibCanvas | None:
    """Draw a plot together with what is on the axes; without `finish` no legend and caption."""
    if spec.projection == "3d":
        draw_surface(spec, site)
        return None
    ax, known = site.ax, drawn_before(site.ax)
    canvas = MatplotlibCanvas(site, framed=known is None)
    if known is not None:
        spec = added(known.spec, spec)
        if ax.get_xlim() == known.limits[0]:  # otherwise the user has chosen a range
            ax.set_xlim(*spec.x.limits)
        if ax.get_ylim() == known.limits[1]:
            ax.set_ylim(*spec.y.limits)
        for artist in known.artists:
            with suppress(ValueError, NotImplementedError):  # removed by the user
                artist.remove()
    canvas.draw(spec)
    if finish:
        canvas.finish(spec)
    remember(canvas, spec)
    return canvas


def remember(canvas: MatplotlibCanvas, spec: PlotSpec) -> None:
    """Keep what is on the axes, for the next plot there."""
    ax = canvas.ax
    drawn = Drawn(spec, tuple(canvas.artists), (ax.get_xlim(), ax.get_ylim()), canvas.site)
    setattr(ax, MARK, drawn)


def draw(
    spec: PlotSpec,
    ax: Axes | None = None,
    *,
    width: Width = "column",
) -> Axes:
    """Draw a plot on the axes given, added to what is there, or on a new figure of pyplot."""
    matplotlib = import_matplotlib()
    checks.one_of(width, "width", tuple(theme.WIDTHS))
    if ax is not None:
        _check_axes(ax, spec)
        known = drawn_before(ax)
        scale = float(matplotlib.rcParams["font.size"]) / theme.FONT_SIZE
        site = Site(ax, scale) if known is None else known.site
        with matplotlib.rc_context(theme.RC if site.owned else theme.RC_OF_YOUR_AXES):
            draw_on(spec, site)
        return ax
    return _on_pyplot_figure(spec, width)[0]


def draw_panels(
    specs: Sequence[PlotSpec], axes: Sequence[Axes] | None, *, width: Width
) -> list[Axes]:
    """Draw every plot on axes of its own, those given or new ones of one figure."""
    if axes is None:
        return _on_pyplot_figure(specs, width)
    import_matplotlib()
    if len(axes) != len(specs):
        raise InputError(
            f"`ax` must contain as many axes as there are panels; got {len(axes)} for {len(specs)}."
        )
    return [draw(spec, ax) for spec, ax in zip(specs, axes, strict=True)]


def _on_pyplot_figure(plots: PlotSpec | Sequence[PlotSpec], width: Width) -> list[Axes]:
    """Draw on a new figure of pyplot, which is closed after an error."""
    matplotlib = import_matplotlib()
    from matplotlib import pyplot

    dpi = theme.SCREEN_DPI if isinstance(plots, PlotSpec) else None
    with matplotlib.rc_context(theme.RC):
        figure = pyplot.figure(figsize=(theme.WIDTHS[width], theme.START_HEIGHT), dpi=dpi)
        try:
            return _fill(figure, plots, width)
        except BaseException:
            pyplot.close(figure)  # half a plot would appear in the next notebook cell
            raise


def draw_figure(plots: PlotSpec | Sequence[PlotSpec], *, width: Width = "column") -> Figure:
    """Draw a plot, or panels, on a figure unknown to pyplot: nothing to show or to close."""
    matplotlib = import_matplotlib()
    checks.one_of(width, "width", tuple(theme.WIDTHS))
    from matplotlib.figure import Figure

    with matplotlib.rc_context(theme.RC):
        figure = Figure(figsize=(theme.WIDTHS[width], theme.START_HEIGHT))
        _fill(figure, plots, width)
    return figure


def import_matplotlib() -> Any:
    """The package, or an error with the command to install it."""
    try:
        import matplotlib
    except ImportError:
        raise missing_package("matplotlib", "plot", "Drawing") from None
    return matplotlib


def _fill(figure: Figure, plots: PlotSpec | Sequence[PlotSpec], width: Width) -> list[Axes]:
    if not isinstance(plots, PlotSpec):
        return _panels(figure, plots, width)
    options: Any = {"subplot_kw": {"projection": "3d"}} if plots.projection == "3d" else {}
    ax: Axes = figure.subplots(**options)
    draw_on(plots, Site(ax, theme.SCALES[width], owned=True, width=width))
    return [ax]


def _check_axes(ax: object, spec: PlotSpec) -> None:
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise InputError(f"`ax` must be matplotlib axes, such as plt.gca(); got {ax!r}.")
    needs_3d = spec.projection == "3d"
    if needs_3d != (ax.name == "3d"):
        kind, option = ("three-dimensional", "projection='3d'") if needs_3d else ("plain", "")
        raise InputError(
            f"`ax` must be {kind} axes for this plot, such as "
            f"plt.figure().add_subplot({option}); got {ax!r}."
        )


GAP = 0.08  # inches between panels with their texts
LARGEST = 0.5  # side of a panel, as a fraction of the figure width
SMALL_PANELS = 0.875  # font scale of three panels in a row
USUAL = (0.45, 0.05, 0.35, 0.2)  # inches for texts at the left, right, bottom and top of axes


def _panels(figure: Figure, specs: Sequence[PlotSpec], width: Width) -> list[Axes]:
    """Draw every plot on axes of its own, then lay them out once and add legends and caption."""
    n_rows, n_columns = grid(len(specs))
    scale = theme.SCALES[width] * (SMALL_PANELS if n_columns > 2 else 1.0)
    axes: list[Any] = []
    cells = figure.add_gridspec(n_rows, n_columns)
    for k, spec in enumerate(specs):
        kind: Any = {"projection": "3d"} if spec.projection == "3d" else {}
        axes.append(figure.add_subplot(cells[divmod(k, n_columns)], **kind))
        if not kind:
            axes[-1].set_box_aspect(1)
    _arrange(figure, axes, np.tile(USUAL, (len(axes), 1)) * scale, 0.0)
    drawn = []
    for ax, spec in zip(axes, specs, strict=True):
        spec = replace(spec, captioned=False)
        canvas = draw_on(spec, Site(ax, scale, panel=True), finish=False)
        if canvas is not None:
            canvas.fit_texts()
            drawn.append((canvas, spec))
    footer = _shared_caption(figure, specs, scale) if specs[0].captioned else 0.0
    around = [(0.0,) * 4 if ax.name == "3d" else layout.margins(ax) for ax in axes]
    needed = np.maximum(around, 0.0)
    _arrange(figure, axes, needed, footer)
    for canvas, spec in drawn:
        canvas.add_legend(spec)
        remember(canvas, spec)
    below = [0.0 if ax.get_legend() is None else layout.margins(ax)[2] for ax in axes]
    needed[:, 2] = np.maximum(needed[:, 2], below)
    _arrange(figure, axes, needed, footer)
    return axes


def grid(n_panels: int) -> tuple[int, int]:
    """Rows and columns: up to three panels in a row, four as a square."""
    columns = 2 if n_panels == 4 else min(n_panels, 3)
    return math.ceil(n_panels / columns), columns


def _arrange(figure: Figure, axes: Sequence[Axes], around: Floats, footer: float) -> None:
    """Give all axes one size, aligned edges, and the room that their texts need."""
    n_rows, n_columns = grid(len(axes))
    columns = [around[column::n_columns].max(axis=0) for column in range(n_columns)]
    rows = [around[k : k + n_columns].max(axis=0) for k in range(0, len(axes), n_columns)]
    lefts, rights = [each[0] for each in columns], [each[1] + GAP for each in columns]
    bottoms, tops = [each[2] + GAP for each in rows], [each[3] for each in rows]
    total = figure.get_figwidth()
    side = (total - sum(lefts) - sum(rights) - 2 * EDGE) / n_columns
    side = min(side, LARGEST * total)
    height = footer + n_rows * side + sum(bottoms) + sum(tops) + 2 * EDGE
    figure.set_figheight(height)
    for k, ax in enumerate(axes):
        row, column = divmod(k, n_columns)
        x = EDGE + sum(lefts[: column + 1]) + sum(rights[:column]) + column * side
        y = height - EDGE - sum(tops[: row + 1]) - sum(bottoms[:row]) - (row + 1) * side
        ax.set_position((x / total, y / height, side / total, side / height))
        ax.apply_aspect()


def _shared_caption(figure: Figure, specs: Sequence[PlotSpec], scale: float) -> float:
    """Write the captions of all panels across the figure, common sentences once; its height."""
    common = [each for each in specs[0].caption if all(each in spec.caption for spec in specs)]
    sentences = list(common)
    for spec in specs:
        own = " ".join(sentence for sentence in spec.caption if sentence not in common)
        if own:
            title = (spec.title or "").replace("\n", " ")
            sentences.append(f"{title}: {own}" if title else own)
    if not sentences:
        return 0.0
    width = (figure.get_figwidth() - 4 * EDGE) * layout.POINTS_PER_INCH
    style: Any = {"color": theme.CAPTION_COLOR, "va": "bottom", "linespacing": 1.25}
    style["fontsize"] = theme.CAPTION * theme.FONT_SIZE * scale
    lines = layout.wrapped(sentences, width, scale)
    text = figure.text(2 * EDGE, EDGE, lines, transform=figure.dpi_scale_trans, **style)
    layout.literal(text).set_in_layout(False)
    return float(text.get_window_extent().height / figure.dpi + 2 * EDGE)
