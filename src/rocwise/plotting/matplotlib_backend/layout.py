"""The legend on matplotlib axes: in a free corner, and where none is free, off the curves."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise.plotting.spec import PlotSpec
from rocwise.plotting.theme import (
    CAPTION,
    CAPTION_COLOR,
    FONT_SIZE,
    LETTER_WIDTH,
    NON_SQUARE_HEIGHTS,
    SMALL,
    SQUARES,
    TEXT_COLOR,
    WIDTHS,
    Width,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox


POINTS_PER_INCH = 72.0
EDGE = 0.04
"""Inches left free on every side."""


@dataclass(frozen=True, eq=False)
class Site:
    """Axes and what may be done around them.

    Attributes
    ----------
    ax
        The axes.
    scale
        Font size over 8 points.
    owned
        The figure is ours: axes and height are fitted to what is on it.
    width
        Of a figure of ours.
    captioned
        Whether the sentences below a plot are written.
    panel
        One of several axes that are placed when all are painted.
    """

    ax: Axes
    scale: float = 1.0
    owned: bool = False
    width: Width = "column"
    captioned: bool = True
    panel: bool = False

    @property
    def figure(self) -> Figure:
        """The figure, the outermost one where axes are in a part of a figure."""
        return self.ax.figure.canvas.figure

    @property
    def wide(self) -> bool:
        """Whether a legend has room beside a square."""
        return self.owned and self.width != "column"

    @property
    def laid_out(self) -> bool:
        """Whether the figure moves its axes so that words around them have room."""
        return self.panel or self.figure.get_layout_engine() is not None

    def settle(self) -> None:
        """Let the figure put the axes where they will be when it is shown."""
        engine = self.figure.get_layout_engine()
        if engine is not None and not self.owned:
            engine.execute(self.figure)
        self.ax.apply_aspect()

    def size(self) -> tuple[float, float]:
        """Width and height of the axes in points."""
        box = self.ax.get_window_extent()
        per_dot = POINTS_PER_INCH / self.figure.dpi
        return float(box.width * per_dot), float(box.height * per_dot)

    def fit(self, spec: PlotSpec, row_height: float, footer: float) -> None:
        """Make the axes as large as the margins allow, and the figure as high as it needs be.

        Parameters
        ----------
        plot
            What is on the axes.
        row_height
            Inches for each row of a list.
        footer
            Inches at the bottom for caption and table.
        """
        # Other ticks may appear when the axes have their size, so measure twice.
        for _ in range(2):
            self._fit(spec, row_height, footer)

    def _fit(self, spec: PlotSpec, row_height: float, footer: float) -> None:
        left, bottom, right, top = self._margins()
        total = self.figure.get_figwidth()
        width = total - left - right - 2 * EDGE
        if spec.square:
            width = height = min(width, SQUARES[self.width])
        elif spec.rows:
            height = row_height * spec.rows
        else:
            height = NON_SQUARE_HEIGHTS[self.width] * WIDTHS[self.width]
        spare = total - left - right - width - 2 * EDGE
        total_height = height + bottom + top + 2 * EDGE + footer
        self.figure.set_figheight(total_height)
        place = (EDGE + spare / 2 + left, EDGE + footer + bottom, width, height)
        self.ax.set_position(
            (place[0] / total, place[1] / total_height, width / total, height / total_height)
        )

    def _margins(self) -> tuple[float, float, float, float]:
        """Return how far things reach beyond the axes: left, bottom, right, top, in inches."""
        everything, inside = self.ax.get_tightbbox(), self.ax.get_window_extent()
        assert everything is not None
        dpi = self.figure.dpi
        return (
            (inside.x0 - everything.x0) / dpi,
            (inside.y0 - everything.y0) / dpi,
            (everything.x1 - inside.x1) / dpi,
            (everything.y1 - inside.y1) / dpi,
        )


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
