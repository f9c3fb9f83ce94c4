"""The sentences below a picture, on matplotlib axes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rocwise.plotting.matplotlib_backend.layout import POINTS_PER_INCH, Site
from rocwise.plotting.theme import CAPTION, CAPTION_COLOR, FONT_SIZE, LETTER_WIDTH

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.text import Annotation

SENTENCES_MARK = "_rocwise_sentences"


def add_caption(site: Site, sentences: Sequence[str]) -> Annotation | None:
    """Write sentences below the axes, after those that earlier pictures put there."""
    known: dict[str, None] = {}
    for text in list(site.ax.texts):
        if hasattr(text, SENTENCES_MARK):
            known |= getattr(text, SENTENCES_MARK)
            text.remove()
    known |= dict.fromkeys(sentences)
    if not known:
        return None
    caption = site.ax.annotate(
        " ".join(known),
        (0.0, 0.0),
        xycoords=("axes fraction", site.ax.xaxis.label),
        xytext=(0.0, -3.0 * site.scale),
        textcoords="offset points",
        ha="left",
        va="top",
        fontsize=CAPTION * FONT_SIZE * site.scale,
        color=CAPTION_COLOR,
        annotation_clip=False,
    )
    caption.set(parse_math=False, usetex=False, in_layout=False)
    setattr(caption, SENTENCES_MARK, known)
    return caption


def settle_caption(site: Site, caption: Annotation, below: Artist | None) -> None:
    """Break the caption to the width of the axes, and move it where it can be read.

    Parameters
    ----------
    site
        The axes, laid out.
    caption
        What `add_caption` wrote.
    below
        The legend, when it stands under the axes; the caption then follows it.
    """
    width = site.ax.get_window_extent().width / site.figure.dpi * POINTS_PER_INCH
    letters = width / (LETTER_WIDTH * CAPTION * FONT_SIZE * site.scale)
    caption.set_text(textwrap.fill(caption.get_text(), max(int(letters), 20)))
    caption.set_in_layout(True)
    if below is not None:
        caption.xycoords = ("axes fraction", below)
    has_title = any(site.ax.get_title(loc) for loc in ("left", "center", "right"))
    if not site.makes_room and not has_title and _is_cut(site, caption):
        # No room is made below axes of a plain figure; above them there is some.
        caption.xycoords = "axes fraction"
        caption.xy = (0.0, 1.0)
        caption.set(position=(0.0, 4.0 * site.scale), va="bottom")


def _is_cut(site: Site, caption: Annotation) -> bool:
    return bool(caption.get_window_extent().y0 < site.figure.bbox.y0)
