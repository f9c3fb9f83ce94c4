"""The order in which any drawing library is asked to paint a picture."""

from __future__ import annotations

from typing import Literal, Protocol, TypeAlias

from rocwise.plotting.layers import Band, Cells, Label, Line, Mesh, Picture, Points, Whiskers
from rocwise.plotting.scales import on_the_frame

Backend: TypeAlias = Literal["matplotlib", "none"]


class Canvas(Protocol):
    """What a drawing library must be able to do; one method per kind of layer."""

    def frame(self, picture: Picture) -> None:
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

    def finish(self, picture: Picture) -> None:
        """Add legend and caption, when everything else is in place."""


def paint(picture: Picture, canvas: Canvas) -> None:
    """Paint a picture, layer by layer."""
    framed = on_the_frame(picture)
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
