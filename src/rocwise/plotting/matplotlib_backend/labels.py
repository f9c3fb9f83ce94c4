"""Lists on matplotlib axes: names at the left of the rows, numbers at their right.

Where names are long, or the axes are not ours to move, both are written inside the axes, on lines
of their own above each row.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocwise.arrays import Floats
from rocwise.plotting.matplotlib_backend.layout import EDGE, POINTS_PER_INCH, REFERENCE_MARK, Site
from rocwise.plotting.spec import PlotSpec, Side
from rocwise.plotting.theme import FONT_SIZE, LETTER_WIDTH, ROW_HEIGHT, TEXT_COLOR

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox


SIDES = {
    "on": ((0.0, 0.0), "center", "center"),
    "below-right": ((4.0, -3.0), "left", "top"),
    "below-left": ((-1.0, -4.0), "right", "top"),
    "above-left": ((-4.0, 3.0), "right", "bottom"),
    "above-right": ((4.0, 3.0), "left", "bottom"),
    "right": ((6.0, 0.0), "left", "center"),
    "left": ((-6.0, 0.0), "right", "center"),
}
"""Points to the right and upwards, and how the text lies to that place."""
ELSEWHERE: dict[Side, tuple[str, ...]] = {
    "below-right": ("below-right", "above-left", "above-right", "below-left", "right", "left"),
    "below-left": ("below-left", "below-right", "above-left", "above-right", "left", "right"),
    "above-left": ("above-left", "below-right", "below-left", "above-right", "left", "right"),
    "above-right": ("above-right", "below-left", "above-left", "below-right", "right", "left"),
    "on": ("on",),
}
"""The sides in the order in which they are tried: a rising curve leaves two of them free."""
FURTHER = (0.0, 4.0, 8.0, 13.0, 19.0)
"""Points that a text may stand further away from its point, the nearest place first."""
AWAY = 0.005
"""What a point of distance weighs against a line under the text, in heights of the text."""
FAR = 8.0
"""From this distance on a thin line leads from the text to its point."""
AIR = 1.0
"""Points between a text and what is beside it."""
RIM, ON_LINE = 1.6, 4.0
"""Width of the white rim of a text, in points: where it must lie on a curve, where it is to."""


class Written(NamedTuple):
    """A text on the axes, and the side of its point that it was meant for."""

    text: Annotation
    side: Side


class Obstacle(NamedTuple):
    """Segments, or dots where they start and end in one place, and how much they matter."""

    starts: Floats
    ends: Floats
    joined: bool
    weight: float

    def within(self, box: Floats) -> Obstacle:
        """Those that may reach into a box."""
        low, high = np.minimum(self.starts, self.ends), np.maximum(self.starts, self.ends)
        some = ((high >= box[:2]) & (low <= box[2:])).all(axis=1)
        return self._replace(starts=self.starts[some], ends=self.ends[some])


class Place(NamedTuple):
    """A place that a text may take: its offset from the point, and the box it would fill."""

    offset: tuple[float, float]
    across: str
    upright: str
    box: Floats  # left, bottom, right, top, in dots
    further: float = 0.0


def place_labels(site: Site, labels: list[Written], *, leaders: bool = True) -> list[Artist]:
    """Give every text the first free place around its point, else the one that hides least.

    Returns the thin lines that lead texts at some distance back to their points.
    """
    lines, far = _lines(site), list[tuple[Any, int]]()
    legend = site.ax.get_legend()
    taken: list[Floats] = []
    if legend is not None:
        taken.append(np.asarray(legend.get_window_extent().extents, dtype=float))
    for written in labels:
        (offset, across, upright, box, further), hidden = _best(site, written, lines, taken)
        written.text.set(position=offset, ha=across, va=upright)
        rim = ON_LINE if written.side == "on" else RIM * (hidden > 0)
        _give_rim(written.text, rim * site.scale)
        if leaders and further >= FAR:
            far.append((written.text, len(taken)))
        taken.append(box)
    drawn = (_leader(site, text, taken, place) for text, place in far)
    return [line for line in drawn if line is not None]


def _best(
    site: Site, written: Written, lines: list[Obstacle], taken: list[Floats]
) -> tuple[Place, float]:
    """The place that hides least, the first of equals, and how much it hides."""
    places = list(_places(site, written))
    corners = np.array([place.box for place in places])
    around = np.concatenate([corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)])
    air = AIR * site.scale * site.figure.dpi / POINTS_PER_INCH * np.array([-1.0, -1.0, 1.0, 1.0])
    near = [line.within(around + air) for line in lines]
    best, least, hides = places[0], np.inf, 0.0
    for place in places:  # the nearest come first
        hidden = _hidden(place.box, place.box + air, near, taken)
        cost = hidden + AWAY * place.further
        if cost < least:
            best, least, hides = place, cost, hidden
        if hidden == 0:  # whatever follows is further away
            break
    return best, hides


def _places(site: Site, written: Written) -> Iterator[Place]:
    """The places around a point that lie inside the axes; the wanted one if none does."""
    text, side = written
    dots = site.figure.dpi / POINTS_PER_INCH
    anchor = site.ax.transData.transform(text.xy)
    extent, inside = text.get_window_extent(), site.ax.get_window_extent()
    found = False
    for further in FURTHER if side != "on" else (0.0,):
        for way in ELSEWHERE[side]:
            (right, up), across, upright = SIDES[way]
            offset = np.array([right, up]) * site.scale
            offset += further * site.scale * np.sign([right, up])
            box = _box(anchor + offset * dots, (extent.width, extent.height), across, upright)
            along = max(inside.x0 + dots - box[0], 0.0) - max(box[2] - inside.x1, 0.0)
            if extent.width < inside.width:  # moved along, where it would leave the axes
                offset[0] += along / dots
                box[[0, 2]] += along
            if _is_within(box, inside) or side == "on":
                found = True
                x, y = offset.tolist()
                yield Place((x, y), across, upright, box, further)
    if not found:
        (right, up), across, upright = SIDES[side]
        offset = np.array([right, up]) * site.scale
        box = _box(anchor + offset * dots, (extent.width, extent.height), across, upright)
        yield Place((float(offset[0]), float(offset[1])), across, upright, box)


def _box(corner: Any, size: tuple[float, float], across: str, upright: str) -> Floats:
    width, height = size
    left = corner[0] - {"left": 0.0, "center": 0.5, "right": 1.0}[across] * width
    bottom = corner[1] - {"bottom": 0.0, "center": 0.5, "top": 1.0}[upright] * height
    return np.array([left, bottom, left + width, bottom + height])


def _is_within(box: Floats, inside: Bbox) -> bool:
    return bool(inside.y0 <= box[1] and box[3] <= inside.y1)


def _lines(site: Site) -> list[Obstacle]:
    """What texts should not lie on."""
    from matplotlib.collections import LineCollection

    found = []
    for line in site.ax.lines:
        data = np.asarray(line.get_path().vertices, dtype=float)
        if len(data):
            points = np.asarray(line.get_transform().transform(data), dtype=float)
            weight = 0.01 if hasattr(line, REFERENCE_MARK) else 1.0
            joined = line.get_linestyle() != "None"
            ends = (points[:-1], points[1:]) if joined else (points, points)
            found.append(Obstacle(*ends, joined, weight))
    for bars in (each for each in site.ax.collections if isinstance(each, LineCollection)):
        for segment in bars.get_segments():
            points = np.asarray(bars.get_transform().transform(segment), dtype=float)
            found.append(Obstacle(points[:-1], points[1:], True, 1.0))
    return found


def _hidden(box: Floats, wider: Floats, lines: list[Obstacle], taken: list[Floats]) -> float:
    """How much a text in this box lies on: the length of lines, dots, and earlier texts."""
    hidden = 10.0 * sum(_overlap(box, other) for other in taken)
    for line in lines:
        if line.joined:
            length = length_inside(line.starts, line.ends, wider)
            hidden += line.weight * length / float(box[3] - box[1])
        else:
            within = (line.starts >= wider[:2]) & (line.starts <= wider[2:])
            hidden += float(np.count_nonzero(within.all(axis=1)))
    return hidden


def _overlap(one: Floats, other: Floats) -> bool:
    return bool((one[:2] < other[2:]).all() and (other[:2] < one[2:]).all())


def length_inside(start: Floats, end: Floats, box: Floats) -> float:
    """Length of the parts of straight segments that lie in a box.

    Examples
    --------
    >>> import numpy as np
    >>> start, end = np.array([[-1.0, 0.5]]), np.array([[3.0, 0.5]])
    >>> length_inside(start, end, np.array([0.0, 0.0, 2.0, 1.0]))
    2.0
    """
    step = end - start
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        low, high = (box[:2] - start) / step, (box[2:] - start) / step
    enter, leave = np.minimum(low, high), np.maximum(low, high)
    level = step == 0  # such a segment crosses no edge in this direction: all or nothing
    between = (start >= box[:2]) & (start <= box[2:])
    enter = np.where(level, np.where(between, 0.0, np.inf), enter).max(axis=1).clip(min=0.0)
    leave = np.where(level, np.where(between, 1.0, -np.inf), leave).min(axis=1).clip(max=1.0)
    shares = np.nan_to_num(leave - enter, nan=0.0, posinf=0.0, neginf=0.0).clip(min=0.0)
    return float(np.nansum(shares * np.hypot(step[:, 0], step[:, 1])))


def _leader(site: Site, text: Annotation, boxes: list[Floats], own: int) -> Artist | None:
    """A thin line from a text to its point, unless it would go through other texts."""
    anchor = site.ax.transData.transform(text.xy)
    near = np.clip(anchor, boxes[own][:2], boxes[own][2:])
    others = (box for place, box in enumerate(boxes) if place != own)
    if any(length_inside(anchor[None], near[None], box) > 0 for box in others):
        return None
    offset = (near - anchor) * POINTS_PER_INCH / site.figure.dpi
    line = {"arrowstyle": "-", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2 * site.scale}
    return site.ax.annotate(
        "",
        text.xy,
        xytext=tuple(offset.tolist()),
        textcoords="offset points",
        arrowprops=line | {"color": text.get_color()},
        zorder=2.7,
    )


def _give_rim(text: Annotation, width: float) -> None:
    from matplotlib.patheffects import withStroke

    text.set_path_effects([withStroke(linewidth=width, foreground="white")] if width else [])


MOST_BESIDE = 0.62
"""Share of a figure that names and numbers may take at the sides of the axes."""
SMALLER = (1.0, 0.9, 0.8, 0.7, 0.62)
LINE_HEIGHT = 1.32
ROOM_FOR_INTERVAL = 11.0
"""Points of a row that belong to the interval, below the words."""
BELOW, ABOVE, LOW_ABOVE = 5.0, 4.0, 1.5
"""Points from a row to what is below it, and to the words above it, where room is short too."""


@dataclass(frozen=True)
class RowPlan:
    """How a list is written.

    Attributes
    ----------
    inside
        Words are inside the axes, above their rows.
    size
        Of the letters, in points.
    height
        Of a row, in points.
    above
        Points from a row to the words above it.
    names
        The name of each row by its place, broken into lines.
    """

    inside: bool
    size: float
    height: float
    above: float
    names: Mapping[float, str]


def plan_rows(site: Site, spec: PlotSpec) -> RowPlan:
    """Decide where the words of a list go, and how high its rows are."""
    names = {tick.position: tick.text for tick in spec.y.ticks or ()}
    numbers = {tick.position: tick.text for tick in spec.right_ticks}
    size = FONT_SIZE * site.scale
    if site.owned:
        width = site.figure.get_figwidth() * POINTS_PER_INCH
        letters = max(map(len, names.values()), default=0) + max(
            map(len, numbers.values()), default=0
        )
        if letters * LETTER_WIDTH * size <= MOST_BESIDE * width:
            height = ROW_HEIGHT * POINTS_PER_INCH * site.scale
            return RowPlan(inside=False, size=size, height=height, above=0.0, names=names)
        return _inside(names, numbers, width - 2 * EDGE * POINTS_PER_INCH - 8, size)
    width, total = site.size()
    for share in SMALLER:
        plan = _inside(names, numbers, width, share * size)
        if plan.height * (spec.rows or 1) <= total:
            return plan
    height = max(total / (spec.rows or 1), 1.0)
    fits = max((height - BELOW - LOW_ABOVE) / 1.45, 3.0)
    return _shortened(names, numbers, width, min(plan.size, fits), height)


def _inside(
    names: Mapping[float, str], numbers: Mapping[float, str], width: float, size: float
) -> RowPlan:
    letters = max(int(width / (LETTER_WIDTH * size)), 8)
    broken: dict[float, str] = {}
    for place, name in names.items():
        lines = textwrap.wrap(name, letters) or [""]
        if len(lines[-1]) + len(numbers.get(place, "")) + 2 > letters:
            lines.append("")
        broken[place] = "\n".join(lines)
    most = max((name.count("\n") + 1 for name in broken.values()), default=1)
    height = most * LINE_HEIGHT * size + ROOM_FOR_INTERVAL
    return RowPlan(inside=True, size=size, height=height, above=ABOVE, names=broken)


def _shortened(
    names: Mapping[float, str],
    numbers: Mapping[float, str],
    width: float,
    size: float,
    height: float,
) -> RowPlan:
    """One line for each row, whatever it takes."""
    letters = max(int(width / (LETTER_WIDTH * size)), 8)
    cut = {}
    for place, name in names.items():
        room = max(letters - len(numbers.get(place, "")) - 2, 4)
        cut[place] = name if len(name) <= room else f"{name[: room - 1]}…"
    return RowPlan(inside=True, size=size, height=height, above=LOW_ABOVE, names=cut)


def write_rows(site: Site, spec: PlotSpec, plan: RowPlan) -> list[Artist]:
    """Write names and numbers of a list; there is no axis line at its left."""
    ax = site.ax
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    if not plan.inside:
        return [
            _word(site, tick.text, (1.0, tick.position), (4, 0), plan.size, va="center")
            for tick in spec.right_ticks
        ]
    ax.set_yticks([])
    up = plan.above
    written: list[Artist] = []
    for place, name in plan.names.items():
        own_line = name.endswith("\n")  # the number stands on a line below the name
        above = up + LINE_HEIGHT * plan.size * own_line
        written.append(_word(site, name.rstrip(), (0.0, place), (0, above), plan.size, va="bottom"))
    numbers = {"va": "bottom", "ha": "right"}
    written += [
        _word(site, tick.text, (1.0, tick.position), (0, up), plan.size, **numbers)
        for tick in spec.right_ticks
    ]
    return written


def row_limits(plan: RowPlan, n_rows: int) -> tuple[float, float]:
    """The limits of the vertical axis of a list with words above its rows."""
    below = min(BELOW / plan.height, 0.4)
    return -below, n_rows - below


def _word(
    site: Site,
    text: str,
    place: tuple[float, float],
    offset: tuple[float, float],
    size: float,
    **align: Any,
) -> Artist:
    word = site.ax.annotate(
        text,
        place,
        xycoords=("axes fraction", "data"),
        xytext=offset,
        textcoords="offset points",
        fontsize=size,
        color=TEXT_COLOR,
        annotation_clip=False,
        linespacing=1.2,
        zorder=3,
        bbox={"boxstyle": "square,pad=0.0", "facecolor": "white", "alpha": 0.85, "linewidth": 0},
        **align,
    )
    word.set(parse_math=False, usetex=False)
    return word
