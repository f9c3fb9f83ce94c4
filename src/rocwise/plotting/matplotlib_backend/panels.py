"""A figure of panels: squares of one size whose edges line up, with one caption below them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rocwise.plotting.layers import Picture
from rocwise.plotting.matplotlib_backend.caption import wrapped
from rocwise.plotting.matplotlib_backend.layout import EDGE, POINTS_PER_INCH, Site
from rocwise.plotting.matplotlib_backend.repainting import paint_on, remember
from rocwise.plotting.theme import CAPTION, CAPTION_COLOR, FONT_SIZE, SCALES, Width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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


def draw_panels(figure: Figure, pictures: Sequence[Picture], width: Width) -> list[Axes]:
    """Paint every picture on axes of its own, then lay them out once and add their words."""
    n_rows, n_columns = grid(len(pictures))
    scale = SCALES[width] * (SMALL_PANELS if n_columns > 2 else 1.0)
    guess = Around(*(inches * scale for inches in USUAL))
    axes: list[Any] = []
    cells = figure.add_gridspec(n_rows, n_columns)
    for place, picture in enumerate(pictures):
        kind: Any = {"projection": "3d"} if picture.projection == "3d" else {}
        axes.append(figure.add_subplot(cells[divmod(place, n_columns)], **kind))
        if not kind:
            axes[-1].set_box_aspect(1)
    _place(figure, axes, [guess] * len(axes), 0.0)
    waiting = []
    for ax, picture in zip(axes, pictures, strict=True):
        canvas = paint_on(picture, Site(ax, scale, captioned=False, panel=True), words=False)
        if canvas is not None:
            canvas.fit_titles()
            waiting.append((canvas, picture))
    footer = _footer(figure, pictures, scale)
    _place(figure, axes, [_around(figure, ax) for ax in axes], footer)
    for canvas, picture in waiting:
        canvas.add_legend(picture)
        remember(canvas, picture)
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


def _footer(figure: Figure, pictures: Sequence[Picture], scale: float) -> float:
    """Write the captions of all panels across the figure; what all say is said once."""
    said = [picture.caption for picture in pictures]
    shared = [s for s in dict.fromkeys(s for each in said for s in each) if _everywhere(s, said)]
    sentences = list(shared)
    for picture in pictures:
        own = [sentence for sentence in picture.caption if sentence not in shared]
        if own:
            called = (picture.title or "").replace("\n", " ")
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
