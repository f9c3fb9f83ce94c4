"""The sentences and the table below a picture, on matplotlib axes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rocwise.plotting.matplotlib_backend.layout import EDGE, POINTS_PER_INCH, Site
from rocwise.plotting.theme import (
    CAPTION,
    CAPTION_COLOR,
    FONT_SIZE,
    LETTER_WIDTH,
    SMALL,
    TEXT_COLOR,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.text import Annotation

SENTENCES_MARK = "_rocwise_sentences"
GAP = 4.0
"""Points between what is above, table and caption."""
BETWEEN_COLUMNS = 10.0


def add_footer(
    site: Site, sentences: Sequence[str], table: Sequence[Sequence[str]]
) -> tuple[list[Artist], float]:
    """Write table and sentences at the bottom of a figure of ours, across its whole width.

    Returns the artists, and how many inches of the figure they need.
    """
    left = EDGE * POINTS_PER_INCH
    width = site.figure.get_figwidth() * POINTS_PER_INCH - 2 * left
    artists: list[Artist] = []
    bottom = left
    if sentences:
        caption = _text(site, wrapped(sentences, width, site.scale), (left, bottom), CAPTION)
        caption.set_color(CAPTION_COLOR)
        artists.append(caption)
        bottom += _height(site, caption) + GAP * site.scale
    if table:
        columns, height = _table(site, table, left, bottom, width)
        artists += columns
        bottom += height + GAP * site.scale
    return artists, (bottom - left) / POINTS_PER_INCH if artists else 0.0


def add_caption(site: Site, sentences: Sequence[str], below: Artist | None) -> Annotation | None:
    """Write sentences below axes of the user, who asked for them, or below their legend."""
    if not sentences:
        return None
    width = site.size()[0]
    caption = site.ax.annotate(
        wrapped(sentences, width, site.scale),
        (0.0, 0.0),
        xycoords=("axes fraction", site.ax.xaxis.label if below is None else below),
        xytext=(0.0, -3.0 * site.scale),
        textcoords="offset points",
        ha="left",
        va="top",
        fontsize=CAPTION * FONT_SIZE * site.scale,
        color=CAPTION_COLOR,
        annotation_clip=False,
    )
    caption.set(parse_math=False, usetex=False)
    setattr(caption, SENTENCES_MARK, True)
    return caption


def wrapped(sentences: Sequence[str], width: float, scale: float) -> str:
    """The sentences as lines of at most so many points.

    >>> print(wrapped(["One sentence.", "Another."], 60, 1.0))
    One sentence.
    Another.
    """
    letters = width / (LETTER_WIDTH * CAPTION * FONT_SIZE * scale)
    return textwrap.fill(" ".join(sentences), max(int(letters), 16))


def _text(site: Site, words: str, place: tuple[float, float], share: float) -> Annotation:
    """Words whose lower left corner is at so many points from that of the figure."""
    text = site.ax.annotate(
        words,
        place,
        xycoords="figure points",
        ha="left",
        va="bottom",
        fontsize=share * FONT_SIZE * site.scale,
        color=TEXT_COLOR,
        annotation_clip=False,
        linespacing=1.25,
    )
    text.set(parse_math=False, usetex=False, in_layout=False)
    setattr(text, SENTENCES_MARK, True)
    return text


def _height(site: Site, text: Annotation) -> float:
    return float(text.get_window_extent().height / site.figure.dpi * POINTS_PER_INCH)


def _table(
    site: Site, table: Sequence[Sequence[str]], left: float, bottom: float, width: float
) -> tuple[list[Artist], float]:
    """Columns of words side by side, as far apart as the width allows, a line below their heads."""
    from matplotlib.lines import Line2D

    columns = [
        _text(site, "\n".join(cells), (left, bottom), SMALL) for cells in zip(*table, strict=True)
    ]
    per_dot = POINTS_PER_INCH / site.figure.dpi
    widths = [column.get_window_extent().width * per_dot for column in columns]
    spare = (width - sum(widths)) / max(1, len(columns) - 1)
    gap = max(2.0, min(spare, BETWEEN_COLUMNS * site.scale))
    if spare < gap:  # too wide: smaller letters
        shrink = width / (sum(widths) + 2.0 * (len(columns) - 1))
        for column in columns:
            column.set_fontsize(shrink * SMALL * FONT_SIZE * site.scale)
        widths = [each * shrink for each in widths]
    place = left
    for column, each in zip(columns, widths, strict=True):
        column.xy = (place, bottom)
        column.set_position((place, bottom))
        place += each + gap
    height = max(_height(site, column) for column in columns)
    under_heads = bottom + height * (1 - 1 / len(table)) + 0.5
    per_point = site.figure.dpi_scale_trans
    line = Line2D([left / 72, (place - gap) / 72], [under_heads / 72] * 2, transform=per_point)
    line.set(color=TEXT_COLOR, linewidth=0.5, in_layout=False)
    site.figure.add_artist(line)
    return [*columns, line], height
