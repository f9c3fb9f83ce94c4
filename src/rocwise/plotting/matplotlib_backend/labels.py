"""Texts on the axes: labels near points where they cover least, and the texts of lists."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocwise.arrays import Floats
from rocwise.plotting.matplotlib_backend import layout
from rocwise.plotting.matplotlib_backend.layout import Obstacle, Site
from rocwise.plotting.spec import PlotSpec, Side
from rocwise.plotting.theme import LETTER_WIDTH, ROW_HEIGHT

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.text import Annotation


SIDES = {
    "on": ((0.0, 0.0), "center", "center"),
    "below-right": ((4.0, -3.0), "left", "top"),
    "below-left": ((-1.0, -4.0), "right", "top"),
    "above-left": ((-4.0, 3.0), "right", "bottom"),
    "above-right": ((4.0, 3.0), "left", "bottom"),
    "right": ((6.0, 0.0), "left", "center"),
    "left": ((-6.0, 0.0), "right", "center"),
}
"""Offset from the point in points, and alignment of the text."""
ALTERNATIVES: dict[Side, tuple[str, ...]] = {
    "below-right": ("below-right", "above-left", "above-right", "below-left", "right", "left"),
    "below-left": ("below-left", "below-right", "above-left", "above-right", "left", "right"),
    "above-left": ("above-left", "below-right", "below-left", "above-right", "left", "right"),
    "above-right": ("above-right", "below-left", "above-left", "below-right", "right", "left"),
}
"""Sides in the order in which they are tried: an increasing curve leaves two of them free."""
DISTANCES = (0.0, 4.0, 8.0, 13.0, 19.0, 26.0)
"""Further distances from the point in points, in the order in which they are tried."""
DISTANCE_COST = 0.005
"""Cost of a point of distance, where a line as long as the text is high costs 1."""
LEADER_DISTANCE = 8.0  # from this distance on a thin line connects the text with its point
CLEARANCE = 1.0  # points between a text and lines
OTHER_WIDTH = 0.06  # of a text, by which it may be wider in another resolution
RIM, RIM_ON_LINE = 1.6, 4.0
"""Width in points of the white rim of a text that covers a curve, or that belongs on one."""
ALIGN = {"left": 0.0, "center": 0.5, "right": 1.0, "bottom": 0.0, "top": 1.0}


class Candidate(NamedTuple):
    """A position of a text: offset from its point, alignment, and the box in pixels."""

    offset: tuple[float, float]
    align: tuple[str, str]
    box: Floats  # left, bottom, right, top
    distance: float = 0.0


def place_labels(
    site: Site, labels: list[tuple[Annotation, Side]], *, leaders: bool = True
) -> list[Artist]:
    """Give every text the first free position, or the best; returns lines from distant texts."""
    from matplotlib.patheffects import withStroke

    lines = layout.lines_of(site) + _interval_bars(site)
    legend = site.ax.get_legend()
    taken: list[Floats] = []
    if legend is not None:
        taken.append(np.asarray(legend.get_window_extent().extents, dtype=float))
    distant: list[tuple[Annotation, int]] = []
    for text, side in labels:
        best, covered = _best(site, text, side, lines, taken)
        text.set(position=best.offset, ha=best.align[0], va=best.align[1])
        rim = site.scale * (RIM_ON_LINE if side == "on" else RIM * (covered > 0))
        text.set_path_effects([withStroke(linewidth=rim, foreground="white")] if rim else [])
        if leaders and best.distance >= LEADER_DISTANCE:
            distant.append((text, len(taken)))
        taken.append(best.box)
    drawn = (_leader(site, text, taken, own) for text, own in distant)
    return [line for line in drawn if line is not None]


def _interval_bars(site: Site) -> list[Obstacle]:
    """The bars of intervals."""
    from matplotlib.collections import LineCollection

    several = (bars for bars in site.ax.collections if isinstance(bars, LineCollection))
    segments = (
        bars.get_transform().transform(each) for bars in several for each in bars.get_segments()
    )
    return [Obstacle(points[:-1], points[1:]) for points in segments]


def _best(
    site: Site, text: Annotation, side: Side, lines: list[Obstacle], taken: list[Floats]
) -> tuple[Candidate, float]:
    """The position that covers least, the first of equal ones, and how much it covers."""
    candidates = _candidates(site, text, side)
    boxes = np.array([candidate.box for candidate in candidates])
    around = np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])
    air = (
        CLEARANCE * site.scale * site.figure.dpi / layout.POINTS_PER_INCH * np.array([-1, -1, 1, 1])
    )
    near = [line.near(around + air) for line in lines]
    best, least, covers = candidates[0], np.inf, 0.0
    for candidate in candidates:  # the nearest come first
        covered = _covered(candidate.box, candidate.box + air, near, taken)
        cost = covered + DISTANCE_COST * candidate.distance
        if cost < least:
            best, least, covers = candidate, cost, covered
        if covered == 0:
            break
    return best, covers


def _covered(box: Floats, wider: Floats, lines: list[Obstacle], taken: list[Floats]) -> float:
    """How much a text in this box covers: lines, markers, and earlier texts."""
    covered = 10.0 * sum(
        bool((box[:2] < other[2:]).all() and (other[:2] < box[2:]).all()) for other in taken
    )
    for line in lines:
        unit = line.weight / float(box[3] - box[1]) if line.joined else 1.0
        covered += unit * line.within(wider)
    return covered


def _candidates(site: Site, text: Annotation, side: Side) -> list[Candidate]:
    """Positions around a point inside the axes; the preferred one if there is none."""
    low, high = site.ax.get_window_extent().intervaly
    found = [
        _candidate(site, text, way, distance, shift=True)
        for distance in DISTANCES
        for way in ALTERNATIVES.get(side, ())
    ]
    inside = [each for each in found if low <= each.box[1] and each.box[3] <= high]
    return inside or [_candidate(site, text, side)]


def _candidate(
    site: Site, text: Annotation, side: str, distance: float = 0.0, *, shift: bool = False
) -> Candidate:
    """The position on a side; `shift` moves a text that leaves the axes to the left or right."""
    dots = site.figure.dpi / layout.POINTS_PER_INCH
    extent, inside = text.get_window_extent(), site.ax.get_window_extent()
    direction, across, upright = SIDES[side]
    offset = (np.array(direction) + distance * np.sign(direction)) * site.scale
    size = np.array([extent.width, extent.height])
    corner = site.ax.transData.transform(text.xy) + offset * dots
    corner = corner - np.array([ALIGN[across], ALIGN[upright]]) * size
    if shift and extent.width < inside.width:
        right = corner[0] + size[0]
        air = dots + OTHER_WIDTH * extent.width
        along = max(inside.x0 + air - corner[0], 0.0) - max(right + air - inside.x1, 0.0)
        corner[0] += along
        offset[0] += along / dots
    box = np.concatenate([corner, corner + size])
    return Candidate((float(offset[0]), float(offset[1])), (across, upright), box, distance)


def _leader(site: Site, text: Annotation, boxes: list[Floats], own: int) -> Artist | None:
    """A thin line from a text to its point, unless it would cross other texts."""
    anchor = site.ax.transData.transform(text.xy)
    near = np.clip(anchor, boxes[own][:2], boxes[own][2:])
    others = boxes[:own] + boxes[own + 1 :]
    if any(layout.length_inside(anchor[None], near[None], box) > 0 for box in others):
        return None
    offset = (near - anchor) * layout.POINTS_PER_INCH / site.figure.dpi
    line = {"arrowstyle": "-", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2 * site.scale}
    return site.ax.annotate(
        "",
        text.xy,
        xytext=tuple(offset.tolist()),
        textcoords="offset points",
        arrowprops=line | {"color": text.get_color()},
        zorder=2.7,
    )


MOST_OUTSIDE = 0.62  # fraction of the figure width that names and numbers may take outside the axes
MOST_BROKEN = 0.7  # the same, for names that are broken into lines
MOST_LINES, FEWEST_LETTERS = 3, 10  # of names that are broken at the left of the axes
SHRINK = (1.0, 0.9, 0.8, 0.7, 0.62)
LINE_HEIGHT = 1.32
INTERVAL_HEIGHT = 11.0  # points of a row for the interval, below the texts
BELOW, ABOVE, SHORT_ABOVE, CLEAR_ABOVE = 5.0, 4.0, 1.5, 6.0
"""Points below a row, and between a row and the texts above it: usual, short, next to numbers."""
Texts = Mapping[float, str]


@dataclass(frozen=True)
class RowLayout:
    """How the rows of a list are written; lengths are in points."""

    inside: bool  # names are inside the axes, above their rows
    numbers_inside: bool  # so are the numbers
    size: float  # of the font
    height: float  # of a row
    above: float  # from a row to the texts above it
    names: Texts  # of each row by its position, broken into lines


def plan_rows(site: Site, spec: PlotSpec) -> RowLayout:
    """Decide where the texts of a list go, and how high its rows are."""
    names = {tick.position: tick.text for tick in spec.y.ticks or ()}
    numbers = {tick.position: tick.text for tick in spec.right_ticks}
    size = site.font()
    if site.owned:
        width = site.figure.get_figwidth() * layout.POINTS_PER_INCH
        return _outside(names, numbers, width, size, site.scale)
    width, total = site.size()
    n_rows = spec.rows or 1
    for factor in SHRINK:
        plan = _inside(names, numbers, width, factor * size)
        if plan.height * n_rows <= total:
            return plan
    height = max(total / n_rows, 1.0)
    fits = max((height - BELOW - SHORT_ABOVE) / 1.45, 3.0)
    return _shortened(names, numbers, width, min(plan.size, fits), height)


def _outside(names: Texts, numbers: Texts, width: float, size: float, scale: float) -> RowLayout:
    """Names at the left and numbers at the right of the axes; long names above their rows."""
    height = ROW_HEIGHT * layout.POINTS_PER_INCH * scale
    letter = LETTER_WIDTH * size
    longest, digits = (max(map(len, texts.values()), default=0) for texts in (names, numbers))
    if (longest + digits) * letter <= MOST_OUTSIDE * width:
        return RowLayout(False, False, size, height, 0.0, names)
    room = max(int(MOST_BROKEN * width / letter) - digits, FEWEST_LETTERS)
    broken = {at: "\n".join(_balanced(name, room)) for at, name in names.items()}
    most = max(name.count("\n") + 1 for name in broken.values())
    if most <= MOST_LINES and (room + digits) * letter <= MOST_BROKEN * width:
        height = max(height, most * LINE_HEIGHT * size + 2 * scale)
        return RowLayout(False, False, size, height, 0.0, broken)
    plan = _inside(names, {}, width - 2 * layout.EDGE * layout.POINTS_PER_INCH - 8, size)
    return replace(plan, numbers_inside=False, above=CLEAR_ABOVE, height=plan.height + 2.0)


def _balanced(name: str, room: int) -> list[str]:
    """A name in as few lines as the room needs, of about one length."""
    lines = textwrap.wrap(name, room)
    shortest = max(map(len, name.split()), default=1)
    for narrower in range(room - 1, shortest - 1, -1):
        found = textwrap.wrap(name, narrower)
        if len(found) > len(lines):
            break
        lines = found
    return lines


def _inside(names: Texts, numbers: Texts, width: float, size: float) -> RowLayout:
    """Names broken into lines, the number on the last line or on one of its own."""
    letters = max(int(width / (LETTER_WIDTH * size)), 8)
    broken: dict[float, str] = {}
    for position, name in names.items():
        lines = textwrap.wrap(name, letters) or [""]
        if position in numbers and len(lines[-1]) + len(numbers[position]) + 2 > letters:
            lines.append("")
        broken[position] = "\n".join(lines)
    most = max((name.count("\n") + 1 for name in broken.values()), default=1)
    return RowLayout(True, True, size, most * LINE_HEIGHT * size + INTERVAL_HEIGHT, ABOVE, broken)


def _shortened(names: Texts, numbers: Texts, width: float, size: float, height: float) -> RowLayout:
    """One line for each row: long names are truncated."""
    letters = max(int(width / (LETTER_WIDTH * size)), 8)
    cut = {}
    for position, name in names.items():
        room = max(letters - len(numbers.get(position, "")) - 2, 4)
        cut[position] = name if len(name) <= room else f"{name[: room - 1]}…"
    return RowLayout(True, True, size, height, SHORT_ABOVE, cut)


def write_rows(site: Site, spec: PlotSpec, plan: RowLayout) -> list[Artist]:
    """Write names and numbers of a list; there is no axis line at its left."""
    ax = site.ax
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    numbers = [(tick.text, (1.0, tick.position)) for tick in spec.right_ticks]
    written: list[Artist] = []
    if not plan.numbers_inside:
        style: Any = {"fontsize": plan.size, "va": "center"}
        written += [_row_text(site, *number, (4, 0), **style) for number in numbers]
    if not plan.inside:
        ax.set_yticks([*plan.names], [*plan.names.values()])
        for text in ax.get_yticklabels():
            layout.literal(text)
        return written
    ax.set_yticks([])
    style = {"fontsize": plan.size, "va": "bottom"}
    for position, name in plan.names.items():
        number_below = name.endswith("\n")
        offset = (0, plan.above + LINE_HEIGHT * plan.size * number_below)
        written.append(_row_text(site, name.rstrip(), (0.0, position), offset, **style))
    if not plan.numbers_inside:
        return written
    style["ha"], offset = "right", (0, plan.above)
    return written + [_row_text(site, *number, offset, **style) for number in numbers]


def row_limits(plan: RowLayout, n_rows: int) -> tuple[float, float]:
    """Limits of the vertical axis of a list with texts above its rows."""
    below = min(BELOW / plan.height, 0.4)
    return -below, n_rows - below


def _row_text(
    site: Site, text: str, position: tuple[float, float], offset: tuple[float, float], **style: Any
) -> Artist:
    box = {"boxstyle": "square,pad=0", "facecolor": "white", "alpha": 0.85, "linewidth": 0}
    style |= {"xytext": offset, "textcoords": "offset points", "linespacing": 1.2, "bbox": box}
    return layout.write(
        site, text, position, 1.0, xycoords=("axes fraction", "data"), zorder=3, **style
    )
