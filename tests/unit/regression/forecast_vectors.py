"""Two small sets of forecasts whose results were worked out by hand and by brute force."""

from typing import NamedTuple


class Vector(NamedTuple):
    """Targets, two models, and what must come out (a, b)."""

    y: list[float]
    a: list[float]
    b: list[float]
    aoc: tuple[float, float]
    trapezoid: tuple[float, float]
    up_to_half: tuple[float, float]
    mean_square: tuple[float, float]
    swap: tuple[float, float]
    swap_sup: tuple[float, float]
    diebold_mariano: tuple[float, float]

    @property
    def models(self):
        return {"a": self.a, "b": self.b}


C1 = Vector(
    y=[1, 2, 3, 4, 5, 6],
    a=[1.2, 1.7, 3.1, 4.8, 4.6, 6.0],
    b=[1.1, 2.6, 3.0, 4.2, 5.3, 5.1],
    aoc=(0.3, 0.35),
    trapezoid=(0.2333333333333, 0.275),
    up_to_half=(0.25, 0.2666666666667),
    mean_square=(0.1566666666667, 0.2183333333333),
    swap=(0.05, 0.8125),
    swap_sup=(1 / 6, 1.0),
    diebold_mariano=(-0.2425356250, 0.8179998571),
)
C2 = Vector(
    y=[0] * 8,
    a=[0.25, 0.5, 0.5, 0.75, 1, 0.25, 0, 0.5],
    b=[0, 0.125, 1.5, 0.25, 2, 0.125, 0.25, 0.5],
    aoc=(0.46875, 0.59375),
    trapezoid=(0.359375, 0.453125),
    up_to_half=(0.375, 0.28125),
    mean_square=(0.3046875, 0.83203125),
    swap=(0.125, 0.59375),
    swap_sup=(0.25, 0.96875),
    diebold_mariano=(-0.6030226892, 0.5655109874),
)
