"""The order in which any drawing library is asked to paint a plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from rocwise.plotting.spec import (
    Band,
    Cells,
    Label,
    Line,
    Mesh,
    PlotSpec,
    Points,
    Styled,
    Whiskers,
    on_the_frame,
)

COLORS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#1A1A1A",
    "#8844EE",
    "#880000",
    "#770066",
)
MOST_COLORED = 5
"""Results in colour in one plot, unless `highlight` names more: others are grey."""
DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (5.0, 1.6),
    (5.0, 1.4, 1.2, 1.4),
    (1.4, 1.2),
    (8.0, 1.4, 1.2, 1.4, 1.2, 1.4),
    (10.0, 2.2),
    (2.6, 1.2),
    (3.0, 1.2, 3.0, 1.2, 1.2, 1.2),
)
"""On and off lengths in multiples of the line width; () is solid."""
REFERENCE_COLOR = "#767676"
REFERENCE_DASHES: tuple[tuple[float, ...], ...] = ((3.0, 3.0), (1.0, 2.0), (7.0, 2.0, 1.0, 2.0))
MUTED_COLOR = "#A6A6A6"
GRID_COLOR = "#E6E6E6"
TEXT_COLOR = "#1A1A1A"
CAPTION_COLOR = "#4D4D4D"

MILLIMETRE = 1 / 25.4
Width: TypeAlias = Literal["column", "page", "slide"]
WIDTHS: dict[Width, float] = {
    "column": 85 * MILLIMETRE,
    "page": 180 * MILLIMETRE,
    "slide": 254 * MILLIMETRE,
}
SQUARES: dict[Width, float] = {
    "column": 85 * MILLIMETRE,
    "page": 90 * MILLIMETRE,
    "slide": 118 * MILLIMETRE,
}
"""Largest side of a square."""
SCALES: dict[Width, float] = {"column": 1.0, "page": 1.0, "slide": 2.0}
"""Size of letters and lines, as a multiple of those in a journal."""
START_HEIGHT = 85 * MILLIMETRE
"""Height of a new figure before it is fitted to what is on it."""
NON_SQUARE_HEIGHTS: dict[Width, float] = {"column": 0.5, "page": 0.45, "slide": 0.4}
"""Height of axes that are not square, as a share of the width of the figure."""
ROW_HEIGHT = 6 * MILLIMETRE
FONT_SIZE = 8.0
SMALL = 0.875
"""Size of legend and labels, as a share of the font size."""
CAPTION = 0.75
"""Size of the caption, likewise."""
LETTER_WIDTH = 0.56
"""Average width of a letter, as a share of its size."""
LINE_WIDTH = 1.4
SCREEN_DPI = 160

RC_OF_YOUR_AXES: dict[str, Any] = {"text.usetex": False, "path.simplify": True}
RC: dict[str, Any] = {
    **RC_OF_YOUR_AXES,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": FONT_SIZE,
    "axes.unicode_minus": True,
    "axes.linewidth": 0.6,
    "figure.autolayout": False,
    "figure.constrained_layout.use": False,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "rocwise",
}
"""Settings of matplotlib while rocwise draws or saves; the user's own come back afterwards."""


@dataclass(frozen=True)
class Look:
    """Colour, dash pattern (in line widths) and width (in points) of a line."""

    color: str
    dash: tuple[float, ...]
    width: float


def look_of(layer: Styled, scale: float = 1.0) -> Look:
    """Return the look of a layer; `scale` is the font size over 8 points.

    Examples
    --------
    >>> from rocwise.plotting.spec import Line
    >>> look_of(Line([0, 1], [0, 1], slot=1)).color
    '#D55E00'
    """
    role = layer.role if isinstance(layer, Line) else "model"
    if role == "reference":
        dash = REFERENCE_DASHES[layer.slot % len(REFERENCE_DASHES)]
        return Look(layer.color or REFERENCE_COLOR, dash, 0.8 * scale)
    if layer.muted:
        return Look(layer.color or MUTED_COLOR, (), 0.8 * scale)
    color = layer.color or COLORS[layer.slot % len(COLORS)]
    # After the last colour they start again, each with the next dash, so pairs stay unlike.
    dash = DASHES[(layer.slot + layer.slot // len(COLORS)) % len(DASHES)]
    if role == "hull":
        return Look(color, dash, 0.9 * scale)
    return Look(color, dash, LINE_WIDTH * scale)


Backend: TypeAlias = Literal["matplotlib", "none"]


class Canvas(Protocol):
    """What a drawing library must be able to do; one method per kind of layer."""

    def frame(self, spec: PlotSpec) -> None:
        """Set axes, limits, ticks and title, before anything is painted."""

    def line(self, line: Line) -> None:
        """Paint straight segments."""

    def band(self, band: Band) -> None:
        """Paint the area between two curves."""

    def points(self, points: Points) -> None:
        """Paint marks."""

    def whiskers(self, whiskers: Whiskers) -> None:
        """Paint horizontal intervals."""

    def label(self, label: Label) -> None:
        """Write a text beside a point."""

    def mesh(self, mesh: Mesh) -> None:
        """Paint a heat map with its contours and colour bar."""

    def cells(self, cells: Cells) -> None:
        """Paint a table of tinted fields."""

    def finish(self, spec: PlotSpec) -> None:
        """Add legend and caption, when everything else is in place."""


def paint(spec: PlotSpec, canvas: Canvas) -> None:
    """Paint a plot, layer by layer."""
    framed = on_the_frame(spec)
    canvas.frame(framed)
    for layer in framed.layers:
        match layer:
            case Line():
                canvas.line(layer)
            case Band():
                canvas.band(layer)
            case Points():
                canvas.points(layer)
            case Whiskers():
                canvas.whiskers(layer)
            case Label():
                canvas.label(layer)
            case Mesh():
                canvas.mesh(layer)
            case Cells():
                canvas.cells(layer)
    canvas.finish(framed)
