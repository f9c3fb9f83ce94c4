"""Lists on matplotlib axes: names at the left of the rows, numbers at their right.

Where names are long, or the axes are not ours to move, both are written inside the axes, on lines
of their own above each row.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocwise.plotting.layers import Picture
from rocwise.plotting.matplotlib_backend.layout import EDGE, POINTS_PER_INCH, Site
from rocwise.plotting.theme import FONT_SIZE, LETTER_WIDTH, ROW_HEIGHT, TEXT_COLOR

if TYPE_CHECKING:
    from matplotlib.artist import Artist

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


def plan_rows(site: Site, picture: Picture) -> RowPlan:
    """Decide where the words of a list go, and how high its rows are."""
    names = {tick.position: tick.text for tick in picture.y.ticks or ()}
    numbers = {tick.position: tick.text for tick in picture.right_ticks}
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
        if plan.height * (picture.rows or 1) <= total:
            return plan
    height = max(total / (picture.rows or 1), 1.0)
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


def write_rows(site: Site, picture: Picture, plan: RowPlan) -> list[Artist]:
    """Write names and numbers of a list; there is no axis line at its left."""
    ax = site.ax
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    if not plan.inside:
        return [
            _word(site, tick.text, (1.0, tick.position), (4, 0), plan.size, va="center")
            for tick in picture.right_ticks
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
        for tick in picture.right_ticks
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
