"""Pictures of abstaining: windows on the ROC hull, heat maps of costs, and intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting.layers import Axis, Label, Layer, Line, Mesh, Picture, Points, Tick, Whiskers
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import AxisWords, entry, name_of, true_minus

if TYPE_CHECKING:
    from rocwise.binary.abstention import AbstentionUncertainty
    from rocwise.binary.abstention_surface import AbstentionDifference, AbstentionSurface
    from rocwise.binary.abstention_windows import Window

Quantity: TypeAlias = Literal["cost", "rate", "lower", "upper"]
SurfaceKind: TypeAlias = Literal["map", "3d"]
MU, NU = "Cost of a false alarm, μ", "Cost of abstaining, ν"
TITLES: dict[Quantity, str] = {
    "cost": "Least expected cost",
    "rate": "Share of cases undecided",
    "lower": "Lower threshold",
    "upper": "Upper threshold",
}
LINE_SENTENCE = "Above the dashed line ν = μ/(1 + μ) abstaining never pays. A miss costs 1."


@picture_of("Window")
def window_picture(window: Window, *, name: str | None = None, axis: AxisWords = "ml") -> Picture:
    """Draw the ROC hull with the two thresholds on it; what lies between them is undecided.

    Parameters
    ----------
    window
        The window.
    name
        What the legend calls it.
    axis
        "ml" for true and false positive rate, "clinical" for sensitivity and 1 − specificity.
    """
    strict, mild = window.single_thresholds()
    words = f"{printing.rate(window.abstention_rate)} undecided"
    places = np.array([strict, mild]).T
    layers: list[Layer] = [
        Line(window.hull_fpr, window.hull_tpr, role="hull"),
        Line(*_arc(window, strict, mild), label=entry(name_of(window, name), words)),
        Points(*places),
    ]
    higher = window.origin.direction == "higher"
    ends = [window.lower_text.replace("-", "−"), window.upper_text.replace("-", "−")]
    if higher:
        ends.reverse()
    texts = [f"{sign} {end}" for sign, end in zip(("≥≤", "≤≥")[not higher], ends, strict=True)]
    for (x, y), text, word in zip((strict, mild), texts, ("positive", "negative"), strict=True):
        layers.append(Label(x, y, f"{word} if {text}", side="below-right"))
    if strict == mild:
        layers.pop()
    caption = "Bold: the part of the hull between the two thresholds, where no decision is made."
    return replace(roc_square(tuple(layers), axis, chance=True), caption=(caption,))


def _arc(
    window: Window, strict: tuple[float, float], mild: tuple[float, float]
) -> tuple[Floats, Floats]:
    """The hull from one threshold to the other."""
    between = (window.hull_fpr > strict[0]) & (window.hull_fpr < mild[0])
    x = np.concatenate([[strict[0]], window.hull_fpr[between], [mild[0]]])
    y = np.concatenate([[strict[1]], window.hull_tpr[between], [mild[1]]])
    return x, y


@picture_of("AbstentionSurface")
def surface_picture(
    surface: AbstentionSurface,
    *,
    name: str | None = None,
    quantity: Quantity = "cost",
    kind: SurfaceKind = "map",
    at: Any = None,
) -> Picture:
    """Draw a heat map over the two costs, with the line above which abstaining never pays.

    Parameters
    ----------
    surface
        The surface.
    name
        Written in the title of the colour bar.
    quantity
        "cost", "rate" (abstention), "lower" or "upper" (threshold; infinite ones are drawn as
        the outermost finite one).
    kind
        "map", or "3d" for a surface in three dimensions.
    at
        A pair (mu, nu) to mark: the costs of the user.
    """
    checks.one_of(quantity, "quantity", tuple(TITLES))
    values = _finite(getattr(surface, quantity)).T
    called = name_of(surface, name)
    title = f"{TITLES[quantity]}, {called}" if called else TITLES[quantity]
    # abstention and thresholds jump, so that only the cost has contours worth the name
    levels = round_levels(values) if quantity == "cost" else ()
    mesh = Mesh(surface.mu, surface.nu, values, title, levels=levels)
    return _map((mesh, *_border(surface), *_marked(at)), kind)


@picture_of("AbstentionDifference")
def difference_picture(
    difference: AbstentionDifference, *, name: str | None = None, kind: SurfaceKind = "map"
) -> Picture:
    """Draw where which of two is cheaper; colours part at 0.

    Parameters
    ----------
    difference
        The difference of two surfaces.
    name
        Written in the title of the colour bar.
    kind
        "map", or "3d" for a surface in three dimensions.
    """
    first, second = difference.names
    title = f"Cost of {first} minus {second}" if name is None else name
    values = difference.cost.T
    mesh = Mesh(
        difference.mu, difference.nu, values, title, levels=round_levels(values), diverging=True
    )
    return _map((mesh, *_border(difference)), kind, f"Below 0: {first} is cheaper.")


def _map(layers: tuple[Layer, ...], kind: SurfaceKind, sentence: str = "") -> Picture:
    checks.one_of(kind, "kind", ("map", "3d"))
    return Picture(
        layers=layers,
        x=Axis(MU, (0.0, 1.0)),
        y=Axis(NU, (0.0, 1.0)),
        square=True,
        caption=(LINE_SENTENCE, sentence) if sentence else (LINE_SENTENCE,),
        legend_places=("upper left", "upper right"),
        projection="3d" if kind == "3d" else "plane",
    )


def _border(surface: AbstentionSurface | AbstentionDifference) -> tuple[Line]:
    """The never-abstain line."""
    mu = np.linspace(surface.mu[0], surface.mu[-1], 101)
    return (Line(mu, surface.highest_nu(mu), role="reference", color="#D55E00"),)


def _marked(at: Any) -> tuple[Layer, ...]:
    if at is None:
        return ()
    try:
        mu, nu = (checks.rate(value, "at") for value in at)
    except (TypeError, ValueError) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(f"`at` must be a pair (mu, nu) of costs; got {at!r}.") from None
    return (Points(np.array([mu]), np.array([nu]), color="#1A1A1A"),)


def _finite(values: Floats) -> Floats:
    """The values with infinities drawn in to the outermost finite ones."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return np.sign(values)
    return np.clip(values, finite.min(), finite.max())


def round_levels(values: Floats, most: int = 7) -> tuple[float, ...]:
    """Round numbers inside the range of values, at most so many.

    >>> round_levels(np.array([0.0, 0.31]))
    (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
    """
    low, high = float(values.min()), float(values.max())
    if not high > low:
        return ()
    unit = 10.0 ** np.floor(np.log10((high - low) / most))
    step = next(unit * k for k in (1, 2, 5, 10) if (high - low) / (unit * k) <= most)
    first = int(np.floor(low / step)) + 1
    return tuple(float(f"{k * step:.12g}") for k in range(first, int(np.ceil(high / step))))


@picture_of("AbstentionUncertainty")
def uncertainty_picture(answer: AbstentionUncertainty, *, name: str | None = None) -> Picture:
    """Draw the two thresholds with their intervals; infinite limits end at the frame."""
    intervals = {"lower": answer.lower, "upper": answer.upper}
    values = np.array([answer.window.lower, answer.window.upper])
    reach = [x for x in (*values, *answer.lower, *answer.upper) if np.isfinite(x)] or [0.0]
    margin = 0.06 * (max(reach) - min(reach)) or 1.0
    frame = min(reach) - margin, max(reach) + margin
    rows = np.array([1.0, 0.0])
    low, high = (
        np.clip([getattr(each, end) for each in intervals.values()], *frame)
        for end in ("low", "high")
    )
    called = name_of(answer, name)
    ticks = [
        Tick(row, f"{called}, {side}" if called else side)
        for row, side in zip(rows, intervals, strict=True)
    ]
    right = [
        Tick(row, true_minus(f"{getattr(answer.window, f'{side}_text')} ({each.ends})"))
        for row, (side, each) in zip(rows, intervals.items(), strict=True)
    ]
    level = printing.percent(answer.lower.level)
    cost, rate = answer.expected_cost, answer.abstention_rate
    return Picture(
        layers=(Whiskers(low, high, rows), Points(np.clip(values, *frame), rows)),
        x=Axis(f"Threshold ({level} CI)", frame),
        y=Axis("", (-0.5, 1.5), ticks=tuple(ticks)),
        right_ticks=tuple(right),
        caption=(
            f"Intervals: bootstrap percentile. Cost {answer.window.expected_cost:.3g} "
            f"({cost.low:.3g} to {cost.high:.3g}), abstention "
            f"{answer.window.abstention_rate:.3g} ({rate.low:.3g} to {rate.high:.3g}).",
        ),
        rows=2,
    )
