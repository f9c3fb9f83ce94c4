"""Where things are on matplotlib axes: known only once matplotlib has laid the figure out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocwise.plotting.pictures import Picture
from rocwise.plotting.theme import NON_SQUARE_HEIGHT, ROW_HEIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS_PER_INCH = 72.0
EDGE = 0.04
"""Inches left free above and below."""


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
        The figure is ours: its height may be fitted to what is on it.
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
        figure = self.ax.get_figure(root=True)
        assert figure is not None
        return figure

    @property
    def makes_room(self) -> bool:
        """Whether matplotlib moves the axes to make room for what is written around them."""
        return self.figure.get_layout_engine() is not None

    def lay_out(self) -> None:
        """Have matplotlib work out where everything is."""
        self.figure.draw_without_rendering()

    def settle_axes(self, picture: Picture) -> float:
        """Give the axes their final size on a figure of ours; return their height in inches."""
        self.lay_out()
        if picture.square:
            # A new figure is higher than need be, so the width decides.
            return self.ax.get_window_extent().width / self.figure.dpi
        if picture.rows:
            height = ROW_HEIGHT * picture.rows
        else:
            height = NON_SQUARE_HEIGHT * self.figure.get_figwidth()
        if self.owned:
            self.fit_figure(height)
            self.lay_out()
        return height

    def fit_figure(self, axes_height: float) -> None:
        """Make a figure of ours just as high as its axes and what is written around them."""
        if not self.owned:
            return
        inside, everything = self.ax.get_window_extent(), self.ax.get_tightbbox()
        assert everything is not None
        around = (everything.height - inside.height) / self.figure.dpi
        self.figure.set_figheight(axes_height + around + 2 * EDGE)
