"""The words on plots: axis titles in two dialects, legend entries, captions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from rocwise import checks, printing
from rocwise.about import VERSION
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.results import json_safe

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc


Role: TypeAlias = Literal["model", "hull", "reference"]
Scale: TypeAlias = Literal["linear", "log", "probit"]
Side: TypeAlias = Literal["below-right", "below-left", "above-left", "above-right", "on"]
LegendPlace: TypeAlias = Literal[
    "lower right", "lower left", "upper left", "upper right", "center right", "center left"
]

Projection: TypeAlias = Literal["plane", "3d"]

SCHEMA = 1  # of `PlotSpec.to_dict`: grows when a field changes its name or its meaning
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
        Which model of the plot this is, from 0; it picks colour and dash.
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
class PlotSpec:
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
        Sentences a reader needs in order not to misread the plot.
    legend_places
        Free corners, best first; when all are taken the legend goes below the axes.
    right_ticks
        Words at the right margin, at these heights.
    rows
        For plots that are lists (one row per model): how many; the height follows.
    table
        Rows of words below the plot, the headings first.
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
        """The plot as plain JSON-safe values: a gap in a line (nan) becomes None.

        Examples
        --------
        >>> ramp = PlotSpec((Line([0, 1], [0, 1]),), Axis("x", (0, 1)), Axis("y", (0, 1)))
        >>> plain = ramp.to_dict()
        >>> plain["kind"], plain["schema"], plain["layers"][0]["kind"], plain["layers"][0]["y"]
        ('PlotSpec', 1, 'line', [0.0, 1.0])
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
        return {"kind": "PlotSpec", "schema": SCHEMA, "rocwise": VERSION, **plain, "layers": layers}


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


FRAME_MARGIN = 0.2
"""Normal deviates between the outermost rate and the frame."""
EMPTY_FRAME = (0.01, 0.99)
ROUND_RATES = (0.5, 0.2, 0.8, 0.05, 0.95, *(10.0**-k for k in range(2, 16)))
TICK_DISTANCE = 0.09
"""Smallest distance between two ticks, as a share of the axis."""


def probit(rates: Floats) -> Floats:
    """Return the normal deviates of rates; 0 and 1 become infinite."""
    from scipy.special import ndtri

    deviates: Floats = ndtri(rates)
    return deviates


def normal_cdf(deviates: Floats) -> Floats:
    """Return the rates of normal deviates, the inverse of `probit`."""
    from scipy.special import ndtr

    rates: Floats = ndtr(deviates)
    return rates


def probit_frame(*rates: Floats) -> tuple[float, float]:
    """Return limits that hold every rate but 0 and 1, symmetric about one half.

    Symmetric, so that the chance line runs from corner to corner.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = probit_frame(np.array([0.0, 0.02, 0.7, 1.0]))
    >>> low < 0.02, round(low + high, 12)
    (True, 1.0)
    """
    pooled = np.concatenate(rates)
    inner = pooled[(pooled > 0) & (pooled < 1)]
    if len(inner) == 0:
        return EMPTY_FRAME
    outermost = np.minimum(inner, 1 - inner).min(keepdims=True)
    low = float(normal_cdf(probit(outermost) - FRAME_MARGIN)[0])
    return low, 1 - low


def probit_ticks(limits: tuple[float, float]) -> tuple[Tick, ...]:
    """Return round percentages inside the limits that are far enough apart to be read.

    Examples
    --------
    >>> [tick.text for tick in probit_ticks((0.004, 0.996))]
    ['1', '5', '20', '50', '80', '95', '99']
    """
    low, high = probit(np.array(limits))
    chosen: list[tuple[float, float]] = []
    for small in ROUND_RATES:
        for rate in dict.fromkeys((small, 1 - small)):
            place = float(probit(np.array([rate]))[0])
            far_enough = all(
                abs(place - other) >= TICK_DISTANCE * (high - low) for other, _ in chosen
            )
            if low <= place <= high and far_enough:
                chosen.append((place, rate))
    return tuple(Tick(rate, f"{100 * rate:.12g}") for _, rate in sorted(chosen))


def on_the_frame(spec: PlotSpec) -> PlotSpec:
    """Move what lies infinitely far away onto the frame, and choose ticks for such axes."""
    if spec.x.scale != "probit" and spec.y.scale != "probit":
        return spec
    layers = tuple(_moved(layer, spec.x, spec.y) for layer in spec.layers)
    return replace(spec, layers=layers, x=_ticked(spec.x), y=_ticked(spec.y))


def _ticked(axis: Axis) -> Axis:
    if axis.scale != "probit" or axis.ticks is not None:
        return axis
    return replace(axis, ticks=probit_ticks(axis.limits))


def _moved(layer: Layer, x: Axis, y: Axis) -> Layer:
    match layer:
        case Band():
            lower, upper = _clip(layer.lower, y), _clip(layer.upper, y)
            return replace(layer, x=_clip(layer.x, x), lower=lower, upper=upper)
        case Whiskers():
            low, high = _clip(layer.low, x), _clip(layer.high, x)
            return replace(layer, low=low, high=high, y=_clip(layer.y, y))
        case Label():
            place = _clip(np.array([layer.x]), x), _clip(np.array([layer.y]), y)
            return replace(layer, x=float(place[0][0]), y=float(place[1][0]))
        case Line() | Points() | Mesh():
            return replace(layer, x=_clip(layer.x, x), y=_clip(layer.y, y))
        case Cells():
            return layer


def _clip(values: Floats, axis: Axis) -> Floats:
    return np.clip(values, *axis.limits) if axis.scale == "probit" else values


AxisWords: TypeAlias = Literal["ml", "clinical"]
RATE_WORDS: Final = {
    "ml": {
        "fpr": "False positive rate",
        "tpr": "True positive rate",
        "fnr": "False negative rate",
        "precision": "Precision",
        "recall": "Recall",
    },
    "clinical": {
        "fpr": "1 − specificity",
        "tpr": "Sensitivity",
        "fnr": "1 − sensitivity",
        "precision": "Positive predictive value",
        "recall": "Sensitivity",
    },
}

TIES_SENTENCE = "Diagonals are tied scores; a tied pair counts one half."


def rate_word(rate: str, axis: AxisWords) -> str:
    """Return the axis title of a rate: `axis` is "ml" or "clinical".

    Examples
    --------
    >>> rate_word("tpr", "clinical")
    'Sensitivity'
    """
    return RATE_WORDS[checks.one_of(axis, "axis", tuple(RATE_WORDS))][rate]


def same_words(one: str, other: str) -> bool:
    """Say whether two axis titles mean the same rate, be it in the words of different fields.

    Examples
    --------
    >>> same_words("Sensitivity", "True positive rate"), same_words("Sensitivity", "Precision")
    (True, False)
    """
    if one == other:
        return True
    meant = (
        {rate for words in RATE_WORDS.values() for rate, word in words.items() if word == title}
        for title in (one, other)
    )
    return bool(set.intersection(*meant))


def entry(name: str | None, measure: str) -> str:
    """Return a legend entry: the name (if any), then the measure.

    Examples
    --------
    >>> entry("gbm", "AUC 0.911"), entry(None, "AUC 0.911")
    ('gbm, AUC 0.911', 'AUC 0.911')
    """
    return f"{name}, {measure}" if name else measure


def true_minus(words: str) -> str:
    """Return words with a minus sign in place of the hyphen before a number.

    Examples
    --------
    >>> true_minus("0.033 (-0.079 to 0.145), one-sided")
    '0.033 (−0.079 to 0.145), one-sided'
    """
    return re.sub(r"(?<![\w.])-(?=[\d.])", "−", words)


SURNAMES: Final = {
    "wilson": "Wilson",
    "delong": "DeLong",
    "clopper": "Clopper",
    "pearson": "Pearson",
    "hotelling": "Hotelling",
    "working-Hotelling": "Working-Hotelling",
}


def with_capitals(words: str) -> str:
    """Return the name of a method with the names of people in it as these write them.

    Examples
    --------
    >>> with_capitals("two-sided, delong"), with_capitals("working-hotelling")
    ('two-sided, DeLong', 'Working-Hotelling')
    """
    for plain, name in SURNAMES.items():
        words = re.sub(rf"\b{plain}\b", name, words)
    return words


def area_kind(auc: Auc) -> str:
    """Return what the area is: `AUC`, or `Partial AUC over FPR 0 to 0.1`."""
    if auc.part.is_whole:
        return "AUC"
    kind = f"artial AUC over {auc.part}"
    return f"Standardised p{kind}" if auc.standardized else f"P{kind}"


def area_words(auc: Auc, value: float) -> str:
    """Return a value on the scale of an area, with as many digits as the data support."""
    digits = 3 if auc.n_pos + auc.n_neg >= 100 else 2
    # A raw partial area is small, so that it needs a digit more to say as much.
    raw_part = not (auc.part.is_whole or auc.standardized)
    return f"{value:.{digits + raw_part}f}"


def interval_words(auc: Auc) -> str:
    """Return `0.630 to 0.833`."""
    return f"{area_words(auc, auc.interval.low)} to {area_words(auc, auc.interval.high)}"


def auc_words(auc: Auc) -> str:
    """Return `AUC 0.731 (95 % CI 0.630 to 0.833)`."""
    level = printing.percent(auc.interval.level)
    return f"AUC {area_words(auc, auc.value)} ({level} CI {interval_words(auc)})"


def name_of(result: Any, name: str | None) -> str | None:
    """Return the name the user gave, else the one the data came with."""
    return result.origin.name if name is None else name
