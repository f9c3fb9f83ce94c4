"""Colors, dash patterns, sizes and matplotlib settings of all plots."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rocwise.plotting.spec import Line, Styled

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
MOST_COLORED = 5  # results in color in one plot, unless `highlight` names more; others are gray
# on and off lengths in multiples of the line width; () is solid
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
REFERENCE_COLOR = "#767676"
REFERENCE_DASHES: tuple[tuple[float, ...], ...] = ((3.0, 3.0), (1.0, 2.0), (7.0, 2.0, 1.0, 2.0))
MUTED_COLOR = "#A6A6A6"
GRID_COLOR = "#E6E6E6"
TEXT_COLOR = "#1A1A1A"
CAPTION_COLOR = "#4D4D4D"

MILLIMETER = 1 / 25.4
Backend: TypeAlias = Literal["matplotlib", "none"]
Width: TypeAlias = Literal["column", "page", "slide"]
WIDTHS: dict[Width, float] = {
    "column": 85 * MILLIMETER,
    "page": 180 * MILLIMETER,
    "slide": 254 * MILLIMETER,
}
SQUARES: dict[Width, float] = {
    "column": 85 * MILLIMETER,
    "page": 120 * MILLIMETER,
    "slide": 118 * MILLIMETER,
}
"""Largest side of a square."""
SCALES: dict[Width, float] = {"column": 1.0, "page": 1.0, "slide": 2.0}
"""Scale of fonts and lines, as a multiple of those in a journal."""
START_HEIGHT = 85 * MILLIMETER  # height of a new figure before it is fitted to its content
NON_SQUARE_HEIGHTS: dict[Width, float] = {"column": 0.5, "page": 0.45, "slide": 0.4}
"""Height of axes that are not square, as a fraction of the figure width."""
ROW_HEIGHT = 6 * MILLIMETER
FONT_SIZE = 8.0
SMALL = 0.875  # size of legend and labels, as a fraction of the font size
CAPTION = 0.75  # size of the caption, as a fraction of the font size
LETTER_WIDTH = 0.56  # average width of a letter, as a fraction of the font size
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
"""Matplotlib settings while rocwise draws or saves; those of the user are restored."""


@dataclass(frozen=True)
class Look:
    """Color, dash pattern (in line widths) and width (in points) of a line."""

    color: str
    dash: tuple[float, ...]
    width: float


def look_of(layer: Styled, scale: float = 1.0) -> Look:
    """The look of a layer; `scale` is the font size over 8 points."""
    role = layer.role if isinstance(layer, Line) else "model"
    if role == "reference":
        dash = REFERENCE_DASHES[layer.slot % len(REFERENCE_DASHES)]
        return Look(layer.color or REFERENCE_COLOR, dash, 0.8 * scale)
    if layer.muted:
        return Look(layer.color or MUTED_COLOR, (), 0.8 * scale)
    color = layer.color or COLORS[layer.slot % len(COLORS)]
    # after the last color they start again, with other dashes
    dash = DASHES[(layer.slot + layer.slot // len(COLORS)) % len(DASHES)]
    if role == "hull":
        return Look(color, dash, 0.9 * scale)
    return Look(color, dash, LINE_WIDTH * scale)
