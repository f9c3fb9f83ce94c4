"""A figure of panels: squares of one size whose edges line up, with one caption below them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rocwise import checks
from rocwise.errors import InputError, missing_package
from rocwise.plotting.composition import added
from rocwise.plotting.matplotlib_backend.canvas import MatplotlibCanvas, paint_surface
from rocwise.plotting.matplotlib_backend.layout import EDGE, POINTS_PER_INCH, Site, wrapped
from rocwise.plotting.spec import PlotSpec
from rocwise.plotting.theme import (
    CAPTION,
    CAPTION_COLOR,
    FONT_SIZE,
    RC,
    RC_OF_YOUR_AXES,
    SCALES,
    SCREEN_DPI,
    START_HEIGHT,
    WIDTHS,
    Width,
    paint,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


MARK = "_rocwise_drawn"
Limits = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Drawn:
    """What rocwise has put on axes.

    Attributes
    ----------
    plot
        All of it, as one plot.
    artists
        What it was painted with.
    limits
        Those the axes were given; others are the user's.
    site
        The axes and what may be done around them.
    """

    spec: PlotSpec
    artists: tuple[Artist, ...]
    limits: Limits
    site: Site


def earlier(ax: Axes) -> Drawn | None:
    """What rocwise has drawn on the axes, if it is still there."""
    known: Drawn | None = getattr(ax, MARK, None)
    if known is None or not set(ax.get_children()) & set(known.artists):
        return None
    return known


def paint_on(spec: PlotSpec, site: Site, *, words: bool = True) -> MatplotlibCanvas | None:
    """Paint a plot, together with what is on the axes already.

    Without `words` the legend waits for `add_legend`: many axes are laid out together.
    """
    known = earlier(site.ax)
    if spec.projection == "3d":
        paint_surface(spec, site)
        return None
    canvas = MatplotlibCanvas(site, framed=known is None, wordless=not words)
    if known is not None:
        spec = added(known.spec, spec)
        _widen(site.ax, known.limits, spec)
        for artist in known.artists:
            with suppress(ValueError, NotImplementedError):  # taken away by the user
                artist.remove()
    paint(spec, canvas)
    remember(canvas, spec)
    return canvas


def remember(canvas: MatplotlibCanvas, spec: PlotSpec) -> None:
    """Keep what is on the axes, for the next plot there."""
    ax = canvas.ax
    drawn = Drawn(spec, tuple(canvas.artists), (ax.get_xlim(), ax.get_ylim()), canvas.site)
    setattr(ax, MARK, drawn)


def _widen(ax: Axes, given: Limits, spec: PlotSpec) -> None:
    """Show the second plot as well, unless the user has chosen a part."""
    if ax.get_xlim() == given[0]:
        ax.set_xlim(*spec.x.limits)
    if ax.get_ylim() == given[1]:
        ax.set_ylim(*spec.y.limits)


def draw(
    spec: PlotSpec,
    ax: Axes | None = None,
    *,
    width: Width = "column",
    caption: bool | None = None,
) -> Axes:
    """Paint a plot on the axes given, or on a new figure of pyplot, and return the axes.

    Axes of yours keep their size and font, and everything stays within them; a caption is written
    below only if asked for. What an earlier plot put there stays, in its words and colours,
    and what is new is added. A new figure is 85 mm ("column"), 180 mm ("page") or 254 mm
    ("slide") wide.
    """
    matplotlib = import_matplotlib()
    checks.one_of(width, "width", tuple(WIDTHS))
    if ax is not None:
        _check_axes(ax, spec)
        known = earlier(ax)
        site = _site_of(ax, matplotlib.rcParams["font.size"], caption)
        settings = RC if known is not None and known.site.owned else RC_OF_YOUR_AXES
        with matplotlib.rc_context(settings):
            paint_on(spec, site if known is None else known.site)
        return ax
    from matplotlib import pyplot

    with matplotlib.rc_context(RC):
        figure = pyplot.figure(figsize=(WIDTHS[width], START_HEIGHT), dpi=SCREEN_DPI)
        try:
            return _paint_alone(spec, figure, width)
        except BaseException:
            pyplot.close(figure)  # half a plot would show up in the next notebook cell
            raise


def _site_of(ax: Axes, font_size: Any, caption: bool | None) -> Site:
    return Site(ax, float(font_size) / FONT_SIZE, captioned=bool(caption))


def draw_figure(spec: PlotSpec, *, width: Width = "column") -> Figure:
    """Paint a plot on a figure that pyplot does not know of: nothing to show or to close."""
    matplotlib = import_matplotlib()
    checks.one_of(width, "width", tuple(WIDTHS))
    from matplotlib.figure import Figure

    with matplotlib.rc_context(RC):
        figure = Figure(figsize=(WIDTHS[width], START_HEIGHT))
        _paint_alone(spec, figure, width)
    return figure


def import_matplotlib() -> Any:
    """Return the package, or an error that says how to install it."""
    try:
        import matplotlib
    except ImportError:
        raise missing_package("matplotlib", "plot", "Drawing") from None
    return matplotlib


def _paint_alone(spec: PlotSpec, figure: Figure, width: Width) -> Axes:
    options: Any = {"subplot_kw": {"projection": "3d"}} if spec.projection == "3d" else {}
    ax: Axes = figure.subplots(**options)
    paint_on(spec, Site(ax, SCALES[width], owned=True, width=width))
    return ax


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


GAP = 0.08
"""Inches between what belongs to different panels."""
LARGEST = 0.5
"""Side of a panel, as a share of the width of the figure."""
SMALL_PANELS = 0.875
"""Size of letters where three panels share a row."""


class Around(NamedTuple):
    """Inches that words need on each side of axes."""

    left: float
    right: float
    bottom: float
    top: float


USUAL = Around(0.45, 0.05, 0.35, 0.2)


def draw_panels(figure: Figure, specs: Sequence[PlotSpec], width: Width) -> list[Axes]:
    """Paint every plot on axes of its own, then lay them out once and add their words."""
    n_rows, n_columns = grid(len(specs))
    scale = SCALES[width] * (SMALL_PANELS if n_columns > 2 else 1.0)
    guess = Around(*(inches * scale for inches in USUAL))
    axes: list[Any] = []
    cells = figure.add_gridspec(n_rows, n_columns)
    for place, spec in enumerate(specs):
        kind: Any = {"projection": "3d"} if spec.projection == "3d" else {}
        axes.append(figure.add_subplot(cells[divmod(place, n_columns)], **kind))
        if not kind:
            axes[-1].set_box_aspect(1)
    _place(figure, axes, [guess] * len(axes), 0.0)
    waiting = []
    for ax, spec in zip(axes, specs, strict=True):
        canvas = paint_on(spec, Site(ax, scale, captioned=False, panel=True), words=False)
        if canvas is not None:
            canvas.fit_titles()
            waiting.append((canvas, spec))
    footer = _footer(figure, specs, scale)
    _place(figure, axes, [_around(figure, ax) for ax in axes], footer)
    for canvas, spec in waiting:
        canvas.add_legend(spec)
        remember(canvas, spec)
    return axes


def grid(n_panels: int) -> tuple[int, int]:
    """Rows and columns: up to three panels in a row, four as a square.

    >>> grid(2), grid(4), grid(7)
    ((1, 2), (2, 2), (3, 3))
    """
    columns = 2 if n_panels == 4 else min(n_panels, 3)
    return math.ceil(n_panels / columns), columns


def _around(figure: Figure, ax: Axes) -> Around:
    """How far words reach beyond axes."""
    box, everything = ax.get_window_extent(), ax.get_tightbbox()
    if everything is None or ax.name == "3d":
        return Around(0.0, 0.0, 0.0, 0.0)
    reach = (
        box.x0 - everything.x0,
        everything.x1 - box.x1,
        box.y0 - everything.y0,
        everything.y1 - box.y1,
    )
    return Around(*(max(dots, 0.0) / figure.dpi for dots in reach))


def _place(figure: Figure, axes: Sequence[Axes], around: Sequence[Around], footer: float) -> None:
    """Give all axes one size, edges that line up, and the room that their words need."""
    n_rows, n_columns = grid(len(axes))
    columns = [around[column::n_columns] for column in range(n_columns)]
    rows = [around[row * n_columns : (row + 1) * n_columns] for row in range(n_rows)]
    lefts = [max(each.left for each in part) for part in columns]
    rights = [max(each.right for each in part) + GAP for part in columns]
    bottoms = [max(each.bottom for each in part) + GAP for part in rows]
    tops = [max(each.top for each in part) for part in rows]
    total = figure.get_figwidth()
    side = (total - sum(lefts) - sum(rights) - 2 * EDGE) / n_columns
    side = min(side, LARGEST * total)
    height = footer + n_rows * side + sum(bottoms) + sum(tops) + 2 * EDGE
    figure.set_figheight(height)
    for place, ax in enumerate(axes):
        row, column = divmod(place, n_columns)
        x = EDGE + sum(lefts[: column + 1]) + sum(rights[:column]) + column * side
        y = height - EDGE - sum(tops[: row + 1]) - sum(bottoms[:row]) - (row + 1) * side
        ax.set_position((x / total, y / height, side / total, side / height))
        ax.apply_aspect()


def _footer(figure: Figure, specs: Sequence[PlotSpec], scale: float) -> float:
    """Write the captions of all panels across the figure; what all say is said once."""
    said = [spec.caption for spec in specs]
    shared = [s for s in dict.fromkeys(s for each in said for s in each) if _everywhere(s, said)]
    sentences = list(shared)
    for spec in specs:
        own = [sentence for sentence in spec.caption if sentence not in shared]
        if own:
            called = (spec.title or "").replace("\n", " ")
            sentences.append(f"{called}: {' '.join(own)}" if called else " ".join(own))
    if not sentences:
        return 0.0
    width = (figure.get_figwidth() - 4 * EDGE) * POINTS_PER_INCH
    text = figure.text(
        2 * EDGE,
        EDGE,
        wrapped(sentences, width, scale),
        transform=figure.dpi_scale_trans,
        fontsize=CAPTION * FONT_SIZE * scale,
        color=CAPTION_COLOR,
        va="bottom",
        linespacing=1.25,
    )
    text.set(parse_math=False, usetex=False, in_layout=False)
    return float(text.get_window_extent().height / figure.dpi + 2 * EDGE)


def _everywhere(sentence: str, said: Sequence[Sequence[str]]) -> bool:
    return all(sentence in each for each in said)
