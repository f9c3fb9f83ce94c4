"""The recording backend: what would be drawn, without a drawing library."""

from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from rocwise.plotting.spec import Layer, PlotSpec, Styled, clipped_to_frame
from rocwise.plotting.theme import Look, look_of

L = TypeVar("L", bound=Styled)


class Stroke(NamedTuple):
    """A layer and its look: color, dash pattern and width."""

    layer: Layer
    look: Look


@dataclass(frozen=True, eq=False)
class Recording:
    """What would be drawn."""

    spec: PlotSpec  # with everything inside the frame
    strokes: list[Stroke]  # the layers in order

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
    """Record what would be drawn."""
    framed = clipped_to_frame(spec)
    return Recording(framed, [Stroke(layer, look_of(layer)) for layer in framed.layers])
