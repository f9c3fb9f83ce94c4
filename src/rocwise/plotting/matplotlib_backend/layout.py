"""Where things are on matplotlib axes, and a figure that fits them to the millimetre.

Matplotlib's own layouts leave blank paper around square axes or cut what hangs below them, so a
figure of ours is measured and fitted here. Axes of the user stay where their figure puts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocwise.plotting.layers import Picture
from rocwise.plotting.theme import NON_SQUARE_HEIGHT, ROW_HEIGHT, SQUARE_ON_PAGE

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
    page
        The figure is as wide as a page, so that a legend has room beside a square.
    """

    ax: Axes
    scale: float = 1.0
    owned: bool = False
    page: bool = False

    @property
    def figure(self) -> Figure:
        """The figure, the outermost one where axes are in a part of a figure."""
        return self.ax.figure.canvas.figure

    @property
    def makes_room(self) -> bool:
        """Whether the axes give way to what is written around them."""
        return self.owned or self.figure.get_layout_engine() is not None

    def lay_out(self, picture: Picture) -> None:
        """Put everything where it will be when the figure is shown."""
        if not self.owned:
            self.figure.draw_without_rendering()
            return
        # Other ticks may appear when the axes have their size, so measure twice.
        for _ in range(2):
            self._fit(picture)

    def _fit(self, picture: Picture) -> None:
        """Make the axes as large as the margins allow, and the figure as high as it needs be."""
        left, bottom, right, top = self._margins()
        total = self.figure.get_figwidth()
        width = total - left - right - 2 * EDGE
        if picture.square and self.page:
            width = min(width, SQUARE_ON_PAGE)
        if picture.square:
            height = width
        elif picture.rows:
            height = ROW_HEIGHT * picture.rows
        else:
            height = NON_SQUARE_HEIGHT * total
        spare = total - left - right - width - 2 * EDGE
        total_height = height + bottom + top + 2 * EDGE
        self.figure.set_figheight(total_height)
        place = (EDGE + spare / 2 + left, EDGE + bottom, width, height)
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
