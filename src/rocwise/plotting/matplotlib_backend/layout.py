"""Where things are on matplotlib axes, and a figure that fits them to the millimetre.

Matplotlib's own layouts leave blank paper around square axes or cut what hangs below them, so a
figure of ours is measured and fitted here. Axes of the user stay where their figure puts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocwise.plotting.layers import Picture
from rocwise.plotting.theme import NON_SQUARE_HEIGHTS, SQUARES, WIDTHS, Width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
        Whether the sentences below a picture are written.
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

    def fit(self, picture: Picture, row_height: float, footer: float) -> None:
        """Make the axes as large as the margins allow, and the figure as high as it needs be.

        Parameters
        ----------
        picture
            What is on the axes.
        row_height
            Inches for each row of a list.
        footer
            Inches at the bottom for caption and table.
        """
        # Other ticks may appear when the axes have their size, so measure twice.
        for _ in range(2):
            self._fit(picture, row_height, footer)

    def _fit(self, picture: Picture, row_height: float, footer: float) -> None:
        left, bottom, right, top = self._margins()
        total = self.figure.get_figwidth()
        width = total - left - right - 2 * EDGE
        if picture.square:
            width = height = min(width, SQUARES[self.width])
        elif picture.rows:
            height = row_height * picture.rows
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
