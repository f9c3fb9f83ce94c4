"""The recording backend: draws nothing and writes down what would be drawn, without pixels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from rocwise.plotting.spec import (
    Band,
    Cells,
    Label,
    Layer,
    Line,
    Mesh,
    PlotSpec,
    Points,
    Styled,
    Whiskers,
)
from rocwise.plotting.theme import Look, look_of, paint

L = TypeVar("L", bound=Styled)


@dataclass(frozen=True, eq=False)
class Stroke:
    """One thing that would have been painted, and its looks."""

    layer: Layer
    look: Look


@dataclass(eq=False)
class Recording:
    """What would have been drawn.

    Attributes
    ----------
    plot
        The plot as it was painted, with everything inside the frame.
    strokes
        The layers in order, with the colour, dash and width of each.
    legend
        Legend entries in order.
    caption
        The text below the plot.
    """

    spec: PlotSpec | None = None
    strokes: list[Stroke] = field(default_factory=list)
    legend: list[str] = field(default_factory=list)
    caption: str = ""

    def layers(self, kind: type[L]) -> list[L]:
        """Return the painted layers of one kind, such as `Line`."""
        return [stroke.layer for stroke in self.strokes if isinstance(stroke.layer, kind)]

    def frame(self, spec: PlotSpec) -> None:
        """Remember the frame."""
        self.spec = spec

    def line(self, line: Line) -> None:
        """Remember a line."""
        self._remember(line)

    def band(self, band: Band) -> None:
        """Remember a band."""
        self._remember(band)

    def points(self, points: Points) -> None:
        """Remember marks."""
        self._remember(points)

    def whiskers(self, whiskers: Whiskers) -> None:
        """Remember intervals."""
        self._remember(whiskers)

    def label(self, label: Label) -> None:
        """Remember a text."""
        self._remember(label)

    def mesh(self, mesh: Mesh) -> None:
        """Remember a heat map."""
        self._remember(mesh)

    def cells(self, cells: Cells) -> None:
        """Remember a table of fields."""
        self._remember(cells)

    def finish(self, spec: PlotSpec) -> None:
        """Remember the caption."""
        self.caption = " ".join(spec.caption)

    def _remember(self, layer: Layer) -> None:
        self.strokes.append(Stroke(layer, look_of(layer)))
        if layer.label is not None:
            self.legend.append(layer.label)


def record(spec: PlotSpec) -> Recording:
    """Return what would be drawn.

    Examples
    --------
    >>> from rocwise.plotting.spec import Axis, Line, PlotSpec
    >>> ramp = Line([0, 1], [0, 1], label="ramp")
    >>> recording = record(PlotSpec((ramp,), Axis("x", (0, 1)), Axis("y", (0, 1))))
    >>> recording.legend, recording.strokes[0].look.color
    (['ramp'], '#0072B2')
    """
    recording = Recording()
    paint(spec, recording)
    return recording
