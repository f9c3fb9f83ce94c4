"""The legend on matplotlib axes: in a free corner, and where none is free, off the curves."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise.plotting.matplotlib_backend.caption import SENTENCES_MARK
from rocwise.plotting.matplotlib_backend.layout import POINTS_PER_INCH, Site
from rocwise.plotting.theme import FONT_SIZE, LETTER_WIDTH, SMALL, SQUARES

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
EVERYWHERE = (
    "lower right",
    "upper left",
    "upper right",
    "lower left",
    "center right",
    "center left",
    "lower center",
    "upper center",
    "center",
)
HANDLE = 3.6
"""Room for the piece of a line before an entry, in letters of its size."""


def mark_label(artist: Artist, label: str, rank: int) -> None:
    """Give an artist its legend entry; entries of a higher rank come later."""
    artist.set_label(label)
    setattr(artist, LABEL_MARK, label)
    setattr(artist, RANK_MARK, rank)


def wrapped_entry(label: str, letters: int = LONGEST_ENTRY) -> str:
    """Break a long entry, first before its interval, else between the name and the measure.

    Examples
    --------
    >>> print(wrapped_entry("gradient boosting, AUC 0.731 (95 % CI 0.630 to 0.833)"))
    gradient boosting, AUC 0.731
    (95 % CI 0.630 to 0.833)
    """
    if len(label) <= letters:
        return label
    first, bracket, limits = label.partition(" (")
    if bracket and len(first) <= letters:
        parts = [first, f"({limits}"]
    else:
        name, comma, measure = label.rpartition(", ")
        parts = [name + ",", measure] if comma else [label]
    return "\n".join(line for part in parts for line in textwrap.wrap(part, letters))


def add_legend(site: Site, places: Sequence[str], *, square: bool) -> Legend | None:
    """Put the legend where it covers nothing; return it if that is below the axes."""
    entries = _entries(site)
    if not entries[1]:
        return None
    if site.wide and square:
        _legend(site, entries, _letters_beside(site), loc="center left", bbox_to_anchor=(1.02, 0.5))
        return None
    blocks = _obstacles(site)
    for place in places:
        if _covered(site, _legend(site, entries, loc=place), blocks) == 0:
            return None
    if site.owned:
        return _legend_below(site, entries)
    _legend_inside(site, entries, places, blocks)
    return None


def _letters_beside(site: Site) -> int:
    """Letters of an entry that fit at the right of a square."""
    room = site.figure.get_figwidth() - SQUARES[site.width] - 0.6 * site.scale
    letter = LETTER_WIDTH * SMALL * FONT_SIZE * site.scale / POINTS_PER_INCH
    return min(max(int(room / letter - HANDLE / LETTER_WIDTH), 12), LONGEST_ENTRY)


def _legend_inside(
    site: Site, entries: tuple[list[Artist], list[str]], places: Sequence[str], blocks: Any
) -> None:
    """On axes of the user: the place that hides least, on a veil, in smaller letters if need be."""
    width = site.size()[0]
    veil = {"frameon": True, "framealpha": 0.8, "edgecolor": "none", "facecolor": "white"}
    order = dict.fromkeys((*places, *EVERYWHERE))
    for share in (1.0, 0.85, 0.7):
        size = share * SMALL * FONT_SIZE * site.scale
        letters = max(int(0.94 * width / (LETTER_WIDTH * size) - HANDLE / LETTER_WIDTH / 1.2), 10)
        options: dict[str, Any] = {"fontsize": size, "letters": min(letters, LONGEST_ENTRY), **veil}
        found = {
            place: _covered(site, _legend(site, entries, loc=place, **options), blocks)
            for place in order
        }
        best = min(found, key=lambda place: found[place])
        if np.isfinite(found[best]):
            break
    _legend(site, entries, loc=best, **options)


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


def _legend(
    site: Site,
    entries: tuple[list[Artist], list[str]],
    letters: int = LONGEST_ENTRY,
    **options: Any,
) -> Legend:
    handles, labels = entries
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
        text.set(text=wrapped_entry(label, letters), parse_math=False, usetex=False)
    return legend


def _legend_below(site: Site, entries: tuple[list[Artist], list[str]]) -> Legend:
    from matplotlib.transforms import ScaledTranslation

    gap = site.ax.get_window_extent().y0 - site.ax.xaxis.label.get_window_extent().y0
    drop = ScaledTranslation(0, -gap / site.figure.dpi, site.figure.dpi_scale_trans)
    return _legend(
        site,
        entries,
        loc="upper left",
        bbox_to_anchor=(0, 0),
        bbox_transform=site.ax.transAxes + drop,
    )


def _obstacles(site: Site) -> tuple[list[Bbox], list[tuple[Any, bool]]]:
    """What a legend should not cover: boxes of words, and paths of lines (False: single marks)."""
    words = [text for text in site.ax.texts if not hasattr(text, SENTENCES_MARK)]
    boxes = [text.get_window_extent() for text in words if text.get_text()]
    return boxes, [_path(line) for line in site.ax.lines if len(line.get_xdata())]  # type: ignore[arg-type]


def _path(line: Line2D) -> tuple[Any, bool]:
    path = line.get_path()
    points = line.get_transform().transform(path.vertices)
    return type(path)(points), line.get_linestyle() != "None"


def _covered(
    site: Site, legend: Legend, blocks: tuple[list[Bbox], list[tuple[Any, bool]]]
) -> float:
    """How much a legend hides; infinite where it does not fit into the axes."""
    box, inside = legend.get_window_extent(), site.ax.get_window_extent()
    if box.width > inside.width or box.height > inside.height:
        return float("inf")
    boxes, paths = blocks
    hidden = 3.0 * sum(box.overlaps(words) for words in boxes)
    for path, joined in paths:
        if joined:
            hidden += _length_within(path, box) if path.intersects_bbox(box, filled=False) else 0.0
        else:
            within = (path.vertices >= box.min) & (path.vertices <= box.max)
            hidden += float(within.all(axis=1).sum())
    return hidden


def _length_within(path: Any, box: Bbox) -> float:
    """Length of the path in the box over the diagonal of the box, and a little for touching it."""
    points = path.vertices
    ends = np.stack([points[:-1], points[1:]])
    middles = ends.mean(axis=0)
    within = ((middles >= box.min) & (middles <= box.max)).all(axis=1)
    steps = np.hypot(*(ends[1] - ends[0]).T)
    return 0.05 + float(np.nansum(steps[within])) / float(np.hypot(box.width, box.height))
