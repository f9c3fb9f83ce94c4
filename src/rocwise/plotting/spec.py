"""Plot specifications: layers, axes and labels as plain data, independent of a drawing library."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr as normal_cdf
from scipy.special import ndtri as probit

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
Limits: TypeAlias = tuple[float, float]
AxisWords: TypeAlias = Literal["ml", "clinical"]
Name: TypeAlias = str | None  # of a result, in the legend or at its row

SCHEMA = 1  # of `PlotSpec.to_dict`: grows when a field changes its name or its meaning


def read_only(values: ArrayLike) -> Floats:
    """The values as a float64 array that cannot be changed; the caller's array stays as it is."""
    array = np.asarray(values, dtype=np.float64).view()
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False, kw_only=True)
class Styled:
    """Style of all layers; their arrays are read-only."""

    label: str | None = None  # legend entry
    slot: int = 0  # number of the model in the plot; it selects color and dash pattern
    color: str | None = None  # in place of that of the slot
    muted: bool = False  # gray and thin: a model in the background

    def __post_init__(self) -> None:
        names = [item.name for item in fields(self) if item.type == Floats]
        for name in names:
            object.__setattr__(self, name, read_only(getattr(self, name)))
        self._check_shapes(names)

    def _check_shapes(self, names: list[str]) -> None:
        """The arrays must have one length."""
        shapes = {getattr(self, name).shape for name in names}
        if len(shapes) > 1:
            raise InputError(
                f"The arrays {', '.join(names)} of a {type(self).__name__} layer must have one "
                f"length, but their shapes are {', '.join(map(str, sorted(shapes)))}."
            )

    @property
    def kind(self) -> str:
        """Such as "line", "band" or "points"."""
        return type(self).__name__.lower()

    def to_dict(self) -> dict[str, Any]:
        """The layer as plain JSON-safe values, with its `kind`."""
        values = {item.name: json_safe(getattr(self, item.name)) for item in fields(self)}
        return {"kind": self.kind, **values}


@dataclass(frozen=True, eq=False)
class Line(Styled):
    """Straight segments through the points; a nan leaves a gap."""

    x: Floats
    y: Floats
    role: Role = "model"


@dataclass(frozen=True, eq=False)
class Band(Styled):
    """The area between two curves over the same x; with `edges` thin lines along both."""

    x: Floats
    lower: Floats
    upper: Floats
    edges: bool = False
    hatched: bool = False  # differs from another area in gray, too


@dataclass(frozen=True, eq=False)
class Points(Styled):
    """Markers."""

    x: Floats
    y: Floats


@dataclass(frozen=True, eq=False)
class Whiskers(Styled):
    """Horizontal intervals: one at each y."""

    low: Floats
    high: Floats
    y: Floats


@dataclass(frozen=True, eq=False)
class Label(Styled):
    """A short text near a point of a curve."""

    x: float
    y: float
    text: str
    side: Side = "below-right"


@dataclass(frozen=True, eq=False)
class Mesh(Styled):
    """A heat map over increasing x and y, with its color bar."""

    x: Floats
    y: Floats
    values: Floats  # one row per y, one column per x
    title: str  # of the color bar
    levels: tuple[float, ...] = ()  # of the labeled contours
    diverging: bool = False  # colors diverge from 0, for differences

    def _check_shapes(self, names: list[str]) -> None:
        if self.values.shape != (len(self.y), len(self.x)):
            raise InputError(
                f"The values of a Mesh layer must have a row for each of {len(self.y)} y and a "
                f"column for each of {len(self.x)} x; their shape is {self.values.shape}."
            )


@dataclass(frozen=True, eq=False)
class Cells(Styled):
    """A table of tinted cells with text, the first row on top: a confusion matrix."""

    shades: Floats  # how dark each cell is, from 0 to 1
    texts: tuple[tuple[str, ...], ...]

    def _check_shapes(self, names: list[str]) -> None:
        shape = (len(self.texts), len(self.texts[0]) if self.texts else 0)
        if self.shades.shape != shape:
            raise InputError(
                f"`shades` of a Cells layer must have the shape of its texts, {shape}; theirs is "
                f"{self.shades.shape}."
            )

    def parts(self) -> list[Band | Label]:
        """The same as bands and labels, the darkest cells first."""
        n_rows, n_columns = self.shades.shape
        found: list[Band | Label] = []
        for cell in np.argsort(-self.shades, axis=None, kind="stable").tolist():
            row, column = divmod(cell, n_columns)
            y = n_rows - 1.0 - row
            x = np.array([column - 0.5, column + 0.5])
            if self.shades[row, column] > 0:
                found.append(Band(x, np.full(2, y - 0.5), np.full(2, y + 0.5)))
            found.append(Label(column - 0.3, y, self.texts[row][column].split("\n")[0]))
        return found


Layer: TypeAlias = Line | Band | Points | Whiskers | Label | Mesh | Cells


def reference(x: ArrayLike, y: ArrayLike, **style: Any) -> Line:
    """A dashed gray line to compare with, such as chance."""
    return Line(read_only(x), read_only(y), role="reference", **style)


def band_entry(label: str) -> Band:
    """A gray legend entry of the bands of several lines, which have the colors of these."""
    return Band(*np.empty((3, 0)), label=label, muted=True)


def marker(x: float, y: float, **style: Any) -> Points:
    """A single marker."""
    return Points(read_only([x]), read_only([y]), **style)


def whisker(y: float, low: float, high: float, **style: Any) -> Whiskers:
    """A single horizontal interval."""
    return Whiskers(read_only([low]), read_only([high]), read_only([y]), **style)


@dataclass(frozen=True)
class Tick:
    """A position on an axis and its label."""

    position: float
    text: str


@dataclass(frozen=True)
class Axis:
    """Title, limits, scale and (where the default ones will not do) ticks of an axis."""

    title: str
    limits: Limits
    scale: Scale = "linear"
    ticks: tuple[Tick, ...] | None = None


def unit_axis(title: str) -> Axis:
    """The axis of a rate: a little more than 0 to 1, so that end points are not cut in half."""
    return Axis(title, (-0.015, 1.015))


def list_axis(title: str, texts: Iterable[str], *, downwards: bool = False) -> Axis:
    """An axis with a text at 0, 1, 2, ...; `downwards` has the first on top."""
    words = list(texts)
    positions = range(len(words))[:: -1 if downwards else 1]
    ticks = tuple(Tick(float(k), text) for k, text in zip(positions, words, strict=True))
    return Axis(title, (-0.5, len(words) - 0.5), ticks=ticks)


def padded(values: ArrayLike, fraction: float = 0.03) -> Limits:
    """Limits of an axis: the range of the finite values and a fraction of it on both sides."""
    array = np.asarray(values, dtype=np.float64)
    finite = array[np.isfinite(array)]
    low, high = float(finite.min()), float(finite.max())
    margin = fraction * (high - low) or fraction * max(abs(low), 1.0)
    return low - margin, high + margin


@dataclass(frozen=True, eq=False)
class PlotSpec:
    """A plot as plain data; the legend goes to the first free place, or below the axes."""

    layers: tuple[Layer, ...]  # drawn in this order, the later ones on top
    x: Axis
    y: Axis
    title: str | None = None
    caption: tuple[str, ...] = ()  # sentences that explain the plot
    captioned: bool = False  # whether they are written below it
    square: bool = False
    legend_places: tuple[LegendPlace, ...] = ("lower right", "upper left")
    right_ticks: tuple[Tick, ...] = ()  # labels at the right margin
    rows: int | None = None  # of a list (one row per model), which sets the height
    table: tuple[tuple[str, ...], ...] = ()  # text below the plot, the headings first
    bare: bool = False  # without axis lines, ticks and grid
    projection: Projection = "plane"  # "3d" draws the mesh as a surface, with the lines on it
    azimuth: float = -125.0  # viewing angle of a surface in degrees

    def to_dict(self) -> dict[str, Any]:
        """The plot as plain JSON-safe values: a gap in a line (nan) becomes None."""
        plain = {item.name: json_safe(getattr(self, item.name)) for item in fields(self)[1:]}
        parts = (layer.parts() if isinstance(layer, Cells) else [layer] for layer in self.layers)
        layers = [layer.to_dict() for several in parts for layer in several]
        return {"kind": "PlotSpec", "schema": SCHEMA, "rocwise": VERSION, **plain, "layers": layers}


FRAME_MARGIN = 0.2  # normal deviates between the outermost rate and the frame
EMPTY_FRAME = (0.01, 0.99)
ROUND_RATES = (0.5, 0.2, 0.8, 0.05, 0.95, *(10.0**-k for k in range(2, 16)))
TICK_DISTANCE = 0.09  # smallest distance between two ticks, as a fraction of the axis


def probit_frame(*rates: Floats) -> Limits:
    """Limits that contain every rate but 0 and 1; symmetric, so that chance is the diagonal."""
    pooled = np.concatenate(rates)
    inner = pooled[(pooled > 0) & (pooled < 1)]
    if len(inner) == 0:
        return EMPTY_FRAME
    outermost = np.minimum(inner, 1 - inner).min()
    low = float(normal_cdf(probit(outermost) - FRAME_MARGIN))
    return low, 1 - low


def probit_ticks(limits: Limits) -> tuple[Tick, ...]:
    """Round percentages inside the limits, with enough distance to be read."""
    low, high = probit(np.array(limits))
    least = TICK_DISTANCE * (high - low)
    chosen: list[tuple[float, float]] = []
    for small in ROUND_RATES:
        for rate in dict.fromkeys((small, 1 - small)):
            position = float(probit(rate))
            clear = all(abs(position - other) >= least for other, _ in chosen)
            if low <= position <= high and clear:
                chosen.append((position, rate))
    return tuple(Tick(rate, f"{100 * rate:.12g}") for _, rate in sorted(chosen))


def clipped_to_frame(spec: PlotSpec) -> PlotSpec:
    """The plot with infinite normal deviates moved onto the frame, and ticks on such axes."""
    if spec.x.scale != "probit" and spec.y.scale != "probit":
        return spec
    axes, layers = {"x": spec.x, "y": spec.y}, list(spec.layers)
    for names, axis in ((("x", "low", "high"), "x"), (("y", "lower", "upper"), "y")):
        limits = axes[axis].limits
        if axes[axis].scale == "probit":
            axes[axis] = replace(axes[axis], ticks=axes[axis].ticks or probit_ticks(limits))
            for k, layer in enumerate(layers):
                present = [name for name in names if hasattr(layer, name)]
                inside = {name: np.clip(getattr(layer, name), *limits) for name in present}
                layers[k] = replace(layer, **inside)
    return replace(spec, layers=tuple(layers), x=axes["x"], y=axes["y"])
