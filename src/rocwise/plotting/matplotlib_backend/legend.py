"""The legend on matplotlib axes: in a free corner, and below the axes where none is free."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise.plotting.matplotlib_backend.caption import SENTENCES_MARK
from rocwise.plotting.matplotlib_backend.layout import Site
from rocwise.plotting.theme import FONT_SIZE, SMALL

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.transforms import Bbox

LONGEST_ENTRY = 40
"""Letters in a line of the legend; longer entries go on below."""
LABEL_MARK = "_rocwise_label"
RANK_MARK = "_rocwise_rank"
REFERENCE_MARK = "_rocwise_reference"


def mark_label(artist: Artist, label: str, rank: int) -> None:
    """Give an artist its legend entry; entries of a higher rank come later."""
    entry = wrapped_entry(label)
    artist.set_label(entry)
    setattr(artist, LABEL_MARK, entry)
    setattr(artist, RANK_MARK, rank)


def wrapped_entry(label: str) -> str:
    """Break a long entry, first between the name and the measure.

    Examples
    --------
    >>> print(wrapped_entry("gradient boosting, AUC 0.731 (95 % CI 0.630 to 0.833)"))
    gradient boosting,
    AUC 0.731 (95 % CI 0.630 to 0.833)
    """
    if len(label) <= LONGEST_ENTRY:
        return label
    name, comma, measure = label.rpartition(", ")
    parts = [name + ",", measure] if comma else [label]
    return "\n".join(line for part in parts for line in textwrap.wrap(part, LONGEST_ENTRY))


def add_legend(site: Site, places: Sequence[str], *, square: bool) -> Legend | None:
    """Put the legend where it covers nothing; return it if that is below the axes."""
    if not _entries(site)[1]:
        return None
    if site.page and square:
        _legend(site, loc="center left", bbox_to_anchor=(1.02, 0.5))
        return None
    for avoid_references in (True, False):
        for place in places:
            if _is_free(site, _legend(site, loc=place), avoid_references):
                return None
    if site.makes_room:
        return _legend_below(site)
    # Below the axes of a plain figure it could be cut off; rather cover a piece of a curve.
    corner = places[0] if places else "upper left"
    _legend(site, loc=corner, frameon=True, framealpha=0.85, edgecolor="none")
    return None


def _entries(site: Site) -> tuple[list[Artist], list[str]]:
    """Return what has an entry, models first, names that start with an underscore included."""
    handles, labels = site.ax.get_legend_handles_labels()
    pairs: list[tuple[Any, str]] = list(zip(handles, labels, strict=True))
    for artist in site.ax.lines:
        label = getattr(artist, LABEL_MARK, "")
        if label.startswith("_"):
            pairs.append((artist, label))
    painted = site.ax.get_children()
    pairs.sort(key=lambda pair: (getattr(pair[0], RANK_MARK, 0), _place(pair[0], painted)))
    return [handle for handle, _ in pairs], [label for _, label in pairs]


def _place(artist: object, painted: list[Artist]) -> int:
    """Return when an artist was painted; groups of artists, which have no place, come first."""
    return next((place for place, other in enumerate(painted) if other is artist), -1)


def _legend(site: Site, **options: Any) -> Legend:
    handles, labels = _entries(site)
    usual: dict[str, Any] = {
        "fontsize": SMALL * FONT_SIZE * site.scale,
        "frameon": False,
        "handlelength": 2.6,
        "borderaxespad": 0.6,
        "labelspacing": 0.45,
    }
    # Written afterwards, because some versions refuse entries that start with an underscore.
    legend = site.ax.legend(handles, ["."] * len(labels), **usual | options)
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set(text=label, parse_math=False, usetex=False)
    return legend


def _legend_below(site: Site) -> Legend:
    from matplotlib.transforms import ScaledTranslation

    gap = site.ax.get_window_extent().y0 - site.ax.xaxis.label.get_window_extent().y0
    drop = ScaledTranslation(0, -gap / site.figure.dpi, site.figure.dpi_scale_trans)
    return _legend(
        site, loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=site.ax.transAxes + drop
    )


def _is_free(site: Site, legend: Legend, avoid_references: bool) -> bool:
    """Say whether the legend lies inside the axes and covers no curve, point or text."""
    box, inside = legend.get_window_extent(), site.ax.get_window_extent()
    if box.width > inside.width or box.height > inside.height:
        return False
    words = (text for text in site.ax.texts if not hasattr(text, SENTENCES_MARK))
    if any(box.overlaps(text.get_window_extent()) for text in words):
        return False
    lines = site.ax.lines
    return not any(
        _crosses(line, box)
        for line in lines
        if avoid_references or not hasattr(line, REFERENCE_MARK)
    )


def _crosses(line: Line2D, box: Bbox) -> bool:
    path = line.get_path()
    points = line.get_transform().transform(path.vertices)
    if line.get_linestyle() == "None":
        within = (points >= box.min) & (points <= box.max)
        return bool(np.any(within.all(axis=1)))
    return bool(type(path)(points).intersects_bbox(box, filled=False))
