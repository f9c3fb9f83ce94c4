"""The recording backend: what would be drawn, without a drawing library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from rocwise.plotting.spec import Layer, PlotSpec, Styled, clipped_to_frame
from rocwise.plotting.theme import Look, look_of

L = TypeVar("L", bound=Styled)


@dataclass(frozen=True, eq=False)
class Stroke:
    """A layer and its look."""

    layer: Layer
    look: Look


@dataclass(frozen=True, eq=False)
class Recording:
    """What would be drawn.

    Attributes
    ----------
    spec
        The plot, with everything inside the frame.
    strokes
        The layers in order, with color, dash pattern and width.
    """

    spec: PlotSpec
    strokes: list[Stroke]

    @property
    def legend(self) -> list[str]:
        """Legend entries in order."""
        return [layer.label for layer in self.spec.layers if layer.label is not None]

    @property
    def caption(self) -> str:
        """The text below the plot."""
        return " ".join(self.spec.caption)

    def layers(self, kind: type[L]) -> list[L]:
        """The layers of one kind, such as `Line`."""
        return [layer for layer in self.spec.layers if isinstance(layer, kind)]


def record(spec: PlotSpec) -> Recording:
    """Record what would be drawn.

    Examples
    --------
    >>> from rocwise.plotting.spec import Axis, Line, PlotSpec
    >>> ramp = Line([0, 1], [0, 1], label="ramp")
    >>> recording = record(PlotSpec((ramp,), Axis("x", (0, 1)), Axis("y", (0, 1))))
    >>> recording.legend, recording.strokes[0].look.color
    (['ramp'], '#0072B2')
    """
    framed = clipped_to_frame(spec)
    return Recording(framed, [Stroke(layer, look_of(layer)) for layer in framed.layers])
