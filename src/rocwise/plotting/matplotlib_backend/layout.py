"""Axes and what surrounds them: size of the figure, caption, table, legend."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rocwise.arrays import Floats
from rocwise.plotting import theme
from rocwise.plotting.spec import PlotSpec
from rocwise.plotting.theme import Width

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.text import Annotation, Text
    from matplotlib.transforms import Bbox

    T = TypeVar("T", bound=Text)


POINTS_PER_INCH = 72.0
EDGE = 0.04  # inches left free on every side


def literal(text: T) -> T:
    """Show a text as it is, without mathtext and TeX."""
    text.set(parse_math=False, usetex=False)
    return text


@dataclass(frozen=True, eq=False)
class Site:
    """Axes and what may be done around them."""

    ax: Axes
    scale: float = 1.0  # font size over 8 points
    owned: bool = False  # the figure is ours: axes and height are fitted to the content
    width: Width = "column"  # of a figure of ours
    panel: bool = False  # one of several axes of one figure

    @property
    def figure(self) -> Figure:
        """The figure, the outermost one of nested figures."""
        return self.ax.figure.canvas.figure

    @property
    def has_layout(self) -> bool:
        """Whether axes are moved so that texts around them have room."""
        return self.panel or self.figure.get_layout_engine() is not None

    def font(self, factor: float = 1.0) -> float:
        """Font size in points, as a fraction of the normal one."""
        return factor * theme.FONT_SIZE * self.scale

    def settle(self) -> None:
        """Move the axes to where the layout engine of the figure puts them."""
        engine = self.figure.get_layout_engine()
        if engine is not None and not self.owned:
            engine.execute(self.figure)
        self.ax.apply_aspect()

    def size(self) -> tuple[float, float]:
        """Width and height of the axes in points."""
        box = self.ax.get_window_extent()
        per_dot = POINTS_PER_INCH / self.figure.dpi
        return float(box.width * per_dot), float(box.height * per_dot)

    def title_rooms(self) -> tuple[float, float]:
        """Lengths in pixels that the titles of both axes may have."""
        inside, whole = self.ax.get_window_extent(), self.figure.bbox
        if not self.owned:
            return 1.08 * inside.width, 1.08 * inside.height
        edge = EDGE * self.figure.dpi
        return whole.width - 2 * edge, inside.y1 - edge

    def fit(self, spec: PlotSpec, row_height: float, footer: float = 0.0) -> None:
        """Make the axes as large as the margins allow, the figure as large as needed."""
        total = theme.WIDTHS[self.width]
        for _ in range(2):  # ticks may change with the size of the axes
            left, right, bottom, top = margins(self.ax)
            width = theme.WIDTHS[self.width] - left - right - 2 * EDGE
            if spec.square:
                width = height = min(width, theme.SQUARES[self.width])
                total = left + width + right + 2 * EDGE
            elif spec.rows:
                height = row_height * spec.rows
            else:
                height = theme.NON_SQUARE_HEIGHTS[self.width] * theme.WIDTHS[self.width]
            total_height = height + bottom + top + 2 * EDGE + footer
            self.figure.set_size_inches(total, total_height)
            x, y = EDGE + left, EDGE + footer + bottom
            place = (x / total, y / total_height, width / total, height / total_height)
            self.ax.set_position(place)


def margins(ax: Axes) -> tuple[float, float, float, float]:
    """How far texts reach beyond axes: left, right, bottom, top, in inches."""
    # without the length of axis titles
    everything, inside = ax.get_tightbbox(for_layout_only=True), ax.get_window_extent()
    assert everything is not None
    dpi = ax.figure.canvas.figure.dpi
    return (
        (inside.x0 - everything.x0) / dpi,
        (everything.x1 - inside.x1) / dpi,
        (inside.y0 - everything.y0) / dpi,
        (everything.y1 - inside.y1) / dpi,
    )


FOOTER_MARK = "_rocwise_footer"
GAP = 4.0  # points between plot, table and caption
COLUMN_GAP = 10.0


def add_footer(
    site: Site, sentences: Sequence[str], table: Sequence[Sequence[str]]
) -> tuple[list[Artist], float]:
    """Write table and caption at the bottom of a figure of ours; the artists and their height."""
    left = EDGE * POINTS_PER_INCH
    width = site.figure.get_figwidth() * POINTS_PER_INCH - 2 * left
    axes_left = site.ax.get_window_extent().x0 / site.figure.dpi * POINTS_PER_INCH
    artists: list[Artist] = []
    bottom = left
    if sentences:
        caption = _text(site, wrapped(sentences, width, site.scale), (left, bottom), theme.CAPTION)
        caption.set_color(theme.CAPTION_COLOR)
        artists.append(caption)
        bottom += _height(site, caption) + GAP * site.scale
    if table:
        columns, height = _table(site, table, bottom, (axes_left, left + width))
        artists += columns
        bottom += height + GAP * site.scale
    return artists, (bottom - left) / POINTS_PER_INCH if artists else 0.0


def add_caption(site: Site, sentences: Sequence[str], below: Artist | None) -> Artist:
    """Write the caption below axes of the user, or below their legend."""
    text = wrapped(sentences, site.size()[0], site.scale)
    anchor: Any = ("axes fraction", site.ax.xaxis.label if below is None else below)
    offset: Any = {"xytext": (0.0, -3.0 * site.scale), "textcoords": "offset points"}
    caption = write(site, text, (0.0, 0.0), theme.CAPTION, xycoords=anchor, va="top", **offset)
    caption.set_color(theme.CAPTION_COLOR)
    setattr(caption, FOOTER_MARK, True)
    return caption


def write(
    site: Site, text: str, position: tuple[float, float], factor: float, **style: Any
) -> Annotation:
    """Write a text that may be outside the axes; `factor` is its part of the font size."""
    usual: dict[str, Any] = {"ha": "left", "fontsize": site.font(factor), "color": theme.TEXT_COLOR}
    return literal(site.ax.annotate(text, position, annotation_clip=False, **usual | style))


def wrapped(sentences: Sequence[str], width: float, scale: float) -> str:
    """A caption in lines of at most `width` points."""
    letters = width / (theme.LETTER_WIDTH * theme.CAPTION * theme.FONT_SIZE * scale)
    return textwrap.fill(" ".join(sentences), max(int(letters), 16))


def _text(site: Site, text: str, corner: tuple[float, float], factor: float) -> Annotation:
    """A text with its lower left corner at these points of the figure."""
    style: Any = {"xycoords": "figure points", "va": "bottom", "linespacing": 1.25}
    written = write(site, text, corner, factor, **style)
    written.set_in_layout(False)
    setattr(written, FOOTER_MARK, True)
    return written


def _height(site: Site, text: Annotation) -> float:
    return float(text.get_window_extent().height / site.figure.dpi * POINTS_PER_INCH)


def _table(
    site: Site, table: Sequence[Sequence[str]], bottom: float, ends: tuple[float, float]
) -> tuple[list[Artist], float]:
    """Columns of text, as far apart as the width allows, with a line below their headings."""
    from matplotlib.lines import Line2D

    left, width = ends[0], ends[1] - ends[0]
    columns = [
        _text(site, "\n".join(cells), (left, bottom), theme.SMALL)
        for cells in zip(*table, strict=True)
    ]
    per_dot = POINTS_PER_INCH / site.figure.dpi
    widths = [column.get_window_extent().width * per_dot for column in columns]
    spare = (width - sum(widths)) / max(1, len(columns) - 1)
    gap = max(2.0, min(spare, COLUMN_GAP * site.scale))
    if spare < gap:  # too wide: a smaller font
        shrink = width / (sum(widths) + 2.0 * (len(columns) - 1))
        widths = [each * shrink for each in widths]
        for column in columns:
            column.set_fontsize(site.font(shrink * theme.SMALL))
    x = left
    for column, each in zip(columns, widths, strict=True):
        column.xy = (x, bottom)
        column.set_position((x, bottom))
        x += each + gap
    height = max(_height(site, column) for column in columns)
    y = bottom + height * (1 - 1 / len(table)) + 0.5
    across = np.array([left, x - gap]) / POINTS_PER_INCH
    line = Line2D(across, np.full(2, y / POINTS_PER_INCH), transform=site.figure.dpi_scale_trans)
    line.set(color=theme.TEXT_COLOR, linewidth=0.5, in_layout=False)
    site.figure.add_artist(line)
    return [*columns, line], height


LONGEST_ENTRY = 44  # letters in a line of the legend; longer entries are broken
LABEL_MARK = "_rocwise_label"
RANK_MARK = "_rocwise_rank"
REFERENCE_MARK = "_rocwise_reference"
ALL_PLACES = (
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
HANDLE = 3.6  # room for the line before an entry, in font sizes
Entries = tuple[list[Any], list[str]]


def mark_label(artist: Artist, label: str, rank: int) -> None:
    """Give an artist its legend entry; entries of a higher rank come later."""
    artist.set_label(label)
    setattr(artist, LABEL_MARK, label)
    setattr(artist, RANK_MARK, rank)


def wrapped_entry(label: str, letters: int = LONGEST_ENTRY, *, always: bool = False) -> str:
    """Break a long entry, first before its interval, else between the name and the measure.

    With `always` one that has an interval is broken, as those of other curves are.
    """
    if len(label) <= letters and not (always and " CI " in label):
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
    obstacles = _obstacles(site)
    for place in places:
        if _covered(site, _legend(site, entries, loc=place), obstacles) == 0:
            return None
    if square and site.owned and site.width != "column":  # there is room at the right
        room = theme.WIDTHS[site.width] - theme.SQUARES[site.width] - 0.6 * site.scale
        letters = _letters(room * POINTS_PER_INCH, site.font(theme.SMALL), least=12)
        _legend(site, entries, letters, loc="center left", bbox_to_anchor=(1.02, 0.5))
        return None
    if site.owned or site.panel:
        return _legend_below(site, entries)
    _legend_inside(site, entries, places, obstacles)
    return None


def _letters(width: float, size: float, least: int) -> int:
    """Letters of a legend entry of this width in points."""
    return min(max(int((width / size - HANDLE) / theme.LETTER_WIDTH), least), LONGEST_ENTRY)


def _legend_inside(
    site: Site, entries: Entries, places: Sequence[str], obstacles: Obstacles
) -> None:
    """On axes of the user: the place that covers least, half transparent, if needed smaller."""
    style: dict[str, Any] = {"framealpha": 0.8, "edgecolor": "none", "facecolor": "white"}
    style["frameon"] = True
    order = tuple(dict.fromkeys((*places, *ALL_PLACES)))
    for factor in (1.0, 0.85, 0.7):
        size = site.font(factor * theme.SMALL)
        room = 0.94 * site.size()[0]
        least, best = np.inf, dict[str, Any]()
        for width in (room, room / 2):  # in half the width entries have more lines
            letters = _letters(width, size, least=10)
            for place in order:
                options: dict[str, Any] = {"fontsize": size, "letters": letters, "loc": place}
                covered = _covered(site, _legend(site, entries, **options, **style), obstacles)
                if covered < least or not best:
                    least, best = covered, options
            if least == 0:
                break
        if np.isfinite(least):
            break
    _legend(site, entries, **best, **style)


def _entries(site: Site) -> Entries:
    """Artists with an entry, models first, and their labels (also with a leading underscore)."""
    pairs: list[Any] = list(zip(*site.ax.get_legend_handles_labels(), strict=True))
    marked = ((artist, getattr(artist, LABEL_MARK, "")) for artist in site.ax.lines)
    pairs += [(artist, label) for artist, label in marked if label.startswith("_")]
    order = {id(artist): k for k, artist in enumerate(site.ax.get_children())}
    pairs.sort(key=lambda pair: (getattr(pair[0], RANK_MARK, 0), order.get(id(pair[0]), -1)))
    return [handle for handle, _ in pairs], [label for _, label in pairs]


def _legend(site: Site, entries: Entries, letters: int = LONGEST_ENTRY, **options: Any) -> Legend:
    handles, labels = entries
    usual: dict[str, Any] = {
        "fontsize": site.font(theme.SMALL),
        "frameon": False,
        "handlelength": 2.6,
        "borderaxespad": 0.6,
        "labelspacing": 0.45,
    }
    # texts are set afterwards, because some versions reject labels with a leading underscore
    legend = site.ax.legend(handles, ["."] * len(labels), **usual | options)
    is_line = [hasattr(handle, "get_marker") for handle in handles]
    always = any(len(label) > letters for label in np.array(labels)[is_line].tolist())
    for text, label, line in zip(legend.get_texts(), labels, is_line, strict=True):
        literal(text).set_text(wrapped_entry(label, letters, always=always and line))
    return legend


def _legend_below(site: Site, entries: Entries) -> Legend:
    from matplotlib.transforms import ScaledTranslation

    gap = site.ax.get_window_extent().y0 - site.ax.xaxis.label.get_window_extent().y0
    drop = ScaledTranslation(0, -gap / site.figure.dpi, site.figure.dpi_scale_trans)
    size = site.font(theme.SMALL)
    place: Any = {"loc": "upper left", "bbox_to_anchor": (0, 0)}
    if site.panel:
        place["letters"] = _letters(site.size()[0], size, least=12)
    return _legend(site, entries, **place, bbox_transform=site.ax.transAxes + drop)


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A line on the axes, or single markers, in pixels; reference lines have a small weight."""

    starts: Floats
    ends: Floats
    joined: bool = True
    weight: float = 1.0

    def near(self, box: Floats) -> Obstacle:
        """The part that may reach into a box."""
        low, high = np.minimum(self.starts, self.ends), np.maximum(self.starts, self.ends)
        some = ((high >= box[:2]) & (low <= box[2:])).all(axis=1)
        return Obstacle(self.starts[some], self.ends[some], self.joined, self.weight)

    def within(self, box: Floats) -> float:
        """Length of the lines, or number of the markers, in a box."""
        if self.joined:
            return length_inside(self.starts, self.ends, box)
        inside = (self.starts >= box[:2]) & (self.starts <= box[2:])
        return float(np.count_nonzero(inside.all(axis=1)))


Obstacles = tuple[list["Bbox"], list[Obstacle]]


def lines_of(site: Site) -> list[Obstacle]:
    """The lines and markers on the axes."""
    found = []
    for line in site.ax.lines:
        data = np.asarray(line.get_path().vertices, dtype=float)
        if len(data):
            points = np.asarray(line.get_transform().transform(data), dtype=float)
            weight = 0.25 if hasattr(line, REFERENCE_MARK) else 1.0
            joined = line.get_linestyle() != "None"
            ends = (points[:-1], points[1:]) if joined else (points, points)
            found.append(Obstacle(*ends, joined, weight))
    return found


def length_inside(start: Floats, end: Floats, box: Floats) -> float:
    """Length of the parts of straight segments that lie in a box."""
    step = end - start
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        low, high = (box[:2] - start) / step, (box[2:] - start) / step
    enter, leave = np.minimum(low, high), np.maximum(low, high)
    level = step == 0  # such a segment crosses no edge in this direction: all or nothing
    between = (start >= box[:2]) & (start <= box[2:])
    enter = np.where(level, np.where(between, 0.0, np.inf), enter).max(axis=1).clip(min=0.0)
    leave = np.where(level, np.where(between, 1.0, -np.inf), leave).min(axis=1).clip(max=1.0)
    fractions = np.nan_to_num(leave - enter, nan=0.0, posinf=0.0, neginf=0.0).clip(min=0.0)
    return float(np.nansum(fractions * np.hypot(step[:, 0], step[:, 1])))


def _obstacles(site: Site) -> Obstacles:
    """What a legend should not cover: boxes of texts, lines and markers."""
    texts = [text for text in site.ax.texts if not hasattr(text, FOOTER_MARK)]
    return [text.get_window_extent() for text in texts if text.get_text()], lines_of(site)


def _covered(site: Site, legend: Legend, obstacles: Obstacles) -> float:
    """How much a legend covers; infinite where it does not fit into the axes."""
    box, inside = legend.get_window_extent(), site.ax.get_window_extent()
    if box.width > inside.width or box.height > inside.height:
        return float("inf")
    texts, lines = obstacles
    covered = 3.0 * sum(box.overlaps(text) for text in texts)
    corners = np.asarray(box.extents, dtype=float)
    for line in lines:
        length = line.within(corners)
        diagonal = float(np.hypot(box.width, box.height))
        covered += 0.05 + length / diagonal if line.joined and length else length
    return covered
