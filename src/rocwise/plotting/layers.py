"""What a picture is: plain numbers and words, before any drawing library is asked.

A picture is a tuple of layers, two axes and a few sentences. The functions registered with
`picture_of` make one from a result; `matplotlib_backend` draws it, `recording` writes down what
would be drawn, and `Picture.to_dict` gives it to whoever draws elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from rocwise.about import VERSION
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.results import json_safe

Role: TypeAlias = Literal["model", "hull", "reference"]
Scale: TypeAlias = Literal["linear", "log", "probit"]
Side: TypeAlias = Literal["below-right", "below-left", "above-left", "above-right", "on"]
LegendPlace: TypeAlias = Literal[
    "lower right", "lower left", "upper left", "upper right", "center right", "center left"
]

Projection: TypeAlias = Literal["plane", "3d"]

SCHEMA = 1  # of `Picture.to_dict`: grows when a field changes its name or its meaning
PADDED_UNIT = (-0.015, 1.015)
"""Limits of a rate axis: a little more than 0 to 1, so that end points are not cut in half."""


def read_only(values: ArrayLike) -> Floats:
    """Return the values as float64 that nobody can change; the caller's array stays as it is."""
    array = np.asarray(values, dtype=np.float64).view()
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False, kw_only=True)
class Styled:
    """What the layers of a model share.

    Attributes
    ----------
    label
        Text in the legend, or None for no entry.
    slot
        Which model of the picture this is, from 0; it picks colour and dash.
    color
        A colour in place of the one of the slot.
    muted
        Grey and thin: one of the models that are only there for company.
    """

    label: str | None = None
    slot: int = 0
    color: str | None = None
    muted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The layer as plain JSON-safe values; its `kind` is "line", "band", "points" and so on."""
        values = {item.name: json_safe(getattr(self, item.name)) for item in fields(self)}
        return {"kind": type(self).__name__.lower(), **values}


@dataclass(frozen=True, eq=False)
class Line(Styled):
    """Straight segments through the points; a nan leaves a gap."""

    x: Floats
    y: Floats
    role: Role = "model"

    def __post_init__(self) -> None:
        _freeze(self, "x", "y")


@dataclass(frozen=True, eq=False)
class Band(Styled):
    """The area between two curves over the same x; with `edges` thin lines along both."""

    x: Floats
    lower: Floats
    upper: Floats
    edges: bool = False

    def __post_init__(self) -> None:
        _freeze(self, "x", "lower", "upper")


@dataclass(frozen=True, eq=False)
class Points(Styled):
    """Marks at single places."""

    x: Floats
    y: Floats

    def __post_init__(self) -> None:
        _freeze(self, "x", "y")


@dataclass(frozen=True, eq=False)
class Whiskers(Styled):
    """Horizontal intervals: one at each y."""

    low: Floats
    high: Floats
    y: Floats

    def __post_init__(self) -> None:
        _freeze(self, "low", "high", "y")


@dataclass(frozen=True, eq=False)
class Label(Styled):
    """A short text beside a point of a curve."""

    x: float
    y: float
    text: str
    side: Side = "below-right"


@dataclass(frozen=True, eq=False)
class Mesh(Styled):
    """A heat map with its colour bar: a value at every pair of an x and a y.

    Attributes
    ----------
    x, y
        Rising places along the axes.
    values
        One row per y, one column per x.
    title
        What the colour bar shows.
    levels
        Values at which labelled contours are drawn.
    diverging
        Colours that part at 0, for differences.
    """

    x: Floats
    y: Floats
    values: Floats
    title: str
    levels: tuple[float, ...] = ()
    diverging: bool = False

    def __post_init__(self) -> None:
        for name in ("x", "y", "values"):
            object.__setattr__(self, name, read_only(getattr(self, name)))
        if self.values.shape != (len(self.y), len(self.x)):
            raise InputError(
                f"The values of a Mesh layer must have a row for each of {len(self.y)} y and a "
                f"column for each of {len(self.x)} x; their shape is {self.values.shape}."
            )


@dataclass(frozen=True, eq=False)
class Cells(Styled):
    """A table of tinted fields with words in them: a confusion matrix.

    Attributes
    ----------
    shares
        How dark each field is, from 0 to 1: one row per line of the table, the first on top.
    texts
        What is written into each, in the same order.
    """

    shares: Floats
    texts: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "shares", read_only(self.shares))
        shape = (len(self.texts), len(self.texts[0]) if self.texts else 0)
        if self.shares.shape != shape:
            raise InputError(
                f"The shares of a Cells layer must have the shape of its texts, {shape}; theirs is "
                f"{self.shares.shape}."
            )

    def parts(self) -> list[Band | Label]:
        """The same in layers that every drawer knows, the darkest fields first."""
        n_rows, n_columns = self.shares.shape
        found: list[Band | Label] = []
        for place in np.argsort(-self.shares, axis=None, kind="stable").tolist():
            row, column = divmod(place, n_columns)
            y = n_rows - 1.0 - row
            x = np.array([column - 0.5, column + 0.5])
            if self.shares[row, column] > 0:
                found.append(Band(x, np.full(2, y - 0.5), np.full(2, y + 0.5)))
            found.append(Label(column - 0.3, y, self.texts[row][column].split("\n")[0]))
        return found


Layer: TypeAlias = Line | Band | Points | Whiskers | Label | Mesh | Cells


@dataclass(frozen=True)
class Tick:
    """A place on an axis and what is written there."""

    position: float
    text: str


@dataclass(frozen=True)
class Axis:
    """Title, limits, scale and (when the usual ones will not do) ticks of one axis."""

    title: str
    limits: tuple[float, float]
    scale: Scale = "linear"
    ticks: tuple[Tick, ...] | None = None


@dataclass(frozen=True, eq=False)
class Picture:
    """Everything there is to draw.

    Attributes
    ----------
    layers
        Painted in this order, the later ones on top.
    x, y
        The axes.
    square
        One unit of x is as long as one unit of y.
    caption
        Sentences a reader needs in order not to misread the picture.
    legend_places
        Free corners, best first; when all are taken the legend goes below the axes.
    right_ticks
        Words at the right margin, at these heights.
    rows
        For pictures that are lists (one row per model): how many; the height follows.
    table
        Rows of words below the picture, the headings first.
    bare
        No axis lines, ticks or grid: a drawing that is no graph.
    projection
        "3d" draws the mesh as a surface in three dimensions, with the lines on it.
    azimuth
        From which side a surface in three dimensions is seen, in degrees.
    """

    layers: tuple[Layer, ...]
    x: Axis
    y: Axis
    title: str | None = None
    caption: tuple[str, ...] = ()
    square: bool = False
    legend_places: tuple[LegendPlace, ...] = ("lower right", "upper left")
    right_ticks: tuple[Tick, ...] = field(default=())
    rows: int | None = None
    table: tuple[tuple[str, ...], ...] = ()
    bare: bool = False
    projection: Projection = "plane"
    azimuth: float = -125.0

    def to_dict(self) -> dict[str, Any]:
        """The picture as plain JSON-safe values: a gap in a line (nan) becomes None.

        Examples
        --------
        >>> ramp = Picture((Line([0, 1], [0, 1]),), Axis("x", (0, 1)), Axis("y", (0, 1)))
        >>> plain = ramp.to_dict()
        >>> plain["kind"], plain["schema"], plain["layers"][0]["kind"], plain["layers"][0]["y"]
        ('Picture', 1, 'line', [0.0, 1.0])
        """
        plain = {
            item.name: json_safe(getattr(self, item.name))
            for item in fields(self)
            if item.name != "layers"
        }
        known = (
            part
            for layer in self.layers
            for part in (layer.parts() if isinstance(layer, Cells) else [layer])
        )
        layers = [layer.to_dict() for layer in known]
        return {"kind": "Picture", "schema": SCHEMA, "rocwise": VERSION, **plain, "layers": layers}


def _freeze(layer: Styled, *names: str) -> None:
    lengths = set()
    for name in names:
        array = read_only(getattr(layer, name))
        object.__setattr__(layer, name, array)
        lengths.add(array.shape)
    if len(lengths) > 1:
        raise InputError(
            f"The arrays {', '.join(names)} of a {type(layer).__name__} layer must have one "
            f"length, but their shapes are {', '.join(map(str, sorted(lengths)))}."
        )
