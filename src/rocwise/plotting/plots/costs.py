"""Plots of isometrics, and of reliable rules before and after abstaining."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting.plots.curves import roc_square
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    PADDED_UNIT,
    Axis,
    AxisWords,
    Band,
    Label,
    Layer,
    Line,
    Mesh,
    PlotSpec,
    Points,
    Side,
    Tick,
    Whiskers,
    entry,
    name_of,
    true_minus,
)

if TYPE_CHECKING:
    from rocwise.binary.abstention import AbstentionUncertainty, AbstentionWindow
    from rocwise.binary.abstention_surface import AbstentionDifference, AbstentionSurface
    from rocwise.binary.compare_curves import CurveDifference
    from rocwise.binary.cost_curves import CostCurve, CostLines
    from rocwise.binary.curve_bands import CurveBand
    from rocwise.binary.decision_curves import DecisionCurve
    from rocwise.binary.isometrics import IsometricFan
    from rocwise.binary.isometrics import Line as Isometric
    from rocwise.binary.reliable import ReliableRule


PROBABILITY_COST = "Probability cost"
NORMALIZED_COST = "Normalized expected cost"
THRESHOLD = "Threshold probability"
BENEFIT = "Net benefit"
MOST_LINES = 12
NAMED_LINES = 8
LINE_GREY = "#D6D6D6"
TRIVIAL_SENTENCE = "Dashed: the better of 'always positive' and 'always negative'."


@plot_of("CostCurve")
def cost_plot(curve: CostCurve, *, name: str | None = None, lines: bool | None = None) -> PlotSpec:
    """Draw the lines of the ROC points, their lower envelope and the trivial classifiers.

    Parameters
    ----------
    curve
        The curve.
    name
        What the legend calls it.
    lines
        Whether to draw the line of every ROC point, grey, from its false positive rate on the
        left to its false negative rate on the right; of many points an even choice. Without a
        word they are drawn where no `name` asks for room for other models.
    """
    layers: list[Layer] = [_trivial()]
    caption = [TRIVIAL_SENTENCE]
    if lines if lines is not None else name is None:
        drawn, sentence = _lines(curve.lines())
        layers += drawn
        caption.insert(0, sentence)
    words = f"area {curve.area:.3f}"
    called = name_of(curve, name)
    label = f"{called}, {words}" if called else f"lower envelope, {words}"
    layers.append(Line(curve.probability_cost, curve.cost, label=label))
    return PlotSpec(
        layers=tuple(layers),
        x=Axis(PROBABILITY_COST, PADDED_UNIT),
        y=Axis(NORMALIZED_COST, (-0.01, 0.56)),
        caption=tuple(caption),
        legend_places=("upper right", "upper left"),
    )


def _lines(every: CostLines) -> tuple[list[Layer], str]:
    """Grey lines of ROC points, evenly spread along the ROC curve where there are many."""
    trivial = (every.fpr == every.tpr) & ((every.fpr == 0) | (every.fpr == 1))  # dashed already
    along = (every.fpr + every.tpr)[~trivial]
    starts, stops = every.at_zero[~trivial], every.at_one[~trivial]
    chosen = np.arange(len(along))
    if len(along) > MOST_LINES:
        steps = np.linspace(along.min(), along.max(), MOST_LINES)
        order = np.argsort(along, kind="stable")
        chosen = order[np.unique(np.searchsorted(along[order], steps))]
    ends = np.array([0.0, 1.0])
    drawn: list[Layer] = [
        Line(ends, np.array([starts[k], stops[k]]), muted=True, color=LINE_GREY) for k in chosen
    ]
    of_how_many = "" if len(chosen) == len(along) else f", {len(chosen)} of {len(along):,} shown"
    return drawn, f"Grey: one line for each ROC point{of_how_many}."


@plot_of("CostLines")
def lines_plot(lines: CostLines, *, name: str | None = None) -> PlotSpec:
    """Draw the lines of ROC points and the trivial classifiers; of many lines an even choice."""
    drawn, sentence = _lines(lines)
    if len(drawn) <= NAMED_LINES:
        return _named_lines(lines, name)
    if drawn and name:
        drawn[0] = replace(drawn[0], label=name)
    return PlotSpec(
        layers=(_trivial(), *drawn),
        x=Axis(PROBABILITY_COST, PADDED_UNIT),
        y=Axis(NORMALIZED_COST, PADDED_UNIT),
        caption=(sentence, TRIVIAL_SENTENCE),
    )


def _named_lines(lines: CostLines, name: str | None) -> PlotSpec:
    """Few lines, each in its colour with the rates it stands for."""
    trivial = (lines.fpr == lines.tpr) & ((lines.fpr == 0) | (lines.fpr == 1))
    ends = np.array([0.0, 1.0])
    layers: list[Layer] = [_trivial()]
    for slot, k in enumerate(np.flatnonzero(~trivial)):
        words = f"FPR {lines.fpr[k]:.3g}, TPR {lines.tpr[k]:.3g}"
        heights = np.array([lines.at_zero[k], lines.at_one[k]])
        layers.append(Line(ends, heights, slot=slot, label=f"{name}: {words}" if name else words))
    return PlotSpec(
        layers=tuple(layers),
        x=Axis(PROBABILITY_COST, PADDED_UNIT),
        y=Axis(NORMALIZED_COST, PADDED_UNIT),
        caption=("One line for each ROC point.", TRIVIAL_SENTENCE),
        legend_places=("upper left", "upper right"),
    )


def _trivial() -> Line:
    return Line(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 0.0]), role="reference")


@plot_of("DecisionCurve")
def decision_plot(curve: DecisionCurve, *, name: str | None = None) -> PlotSpec:
    """Draw the net benefit of the model, of treating all and of treating none."""
    called = name_of(curve, name) or "model"
    floor = -0.05 - 0.1 * curve.prevalence
    everybody = np.where(curve.treat_all >= floor, curve.treat_all, np.nan)
    shown = np.where(curve.net_benefit >= floor, curve.net_benefit, np.nan)
    layers: tuple[Layer, ...] = (
        *_without_model(curve.thresholds, everybody),
        Line(curve.thresholds, shown, label=called),
    )
    return PlotSpec(
        layers=layers,
        x=Axis(THRESHOLD, PADDED_UNIT),
        y=Axis(BENEFIT, (floor, 1.1 * curve.prevalence + 0.01)),
        legend_places=("upper right", "center right"),
    )


def _without_model(thresholds: np.ndarray, everybody: np.ndarray) -> tuple[Line, Line]:
    """What can be done without a model: treat all, or nobody."""
    return (
        Line(thresholds, everybody, role="reference", label="treat all"),
        Line(np.array([0.0, 1.0]), np.zeros(2), role="reference", slot=1, label="treat none"),
    )


@plot_of("CurveBand")
def band_plot(band: CurveBand, *, name: str | None = None) -> PlotSpec:
    """Draw a curve with its pointwise limits."""
    called = name_of(band, name)
    label = f"{called}, {band.quantity}" if called else band.quantity
    layers: list[Layer] = [
        Band(band.x, band.lower, band.upper),
        Line(band.x, band.value, label=label),
    ]
    low, high = _limits(band.lower, band.upper)
    everybody = getattr(band, "treat_all", None)
    if band.x_name == "probability cost":
        layers.insert(0, _trivial())
        high = max(high, 0.56)
    elif everybody is not None:
        floor = min(low, -0.05)
        layers[:0] = _without_model(band.x, np.where(everybody >= floor, everybody, np.nan))
        low = floor
    return PlotSpec(
        layers=tuple(layers),
        x=Axis(band.x_name.capitalize(), PADDED_UNIT),
        y=Axis(band.quantity.capitalize(), (low, high)),
        caption=(f"Pointwise {100 * band.level:g} % limits by the bootstrap.",),
        legend_places=("upper right", "upper left"),
    )


@plot_of("CurveDifference")
def difference_plot(answer: CurveDifference, *, name: str | None = None) -> PlotSpec:
    """Draw the difference of two models with its pointwise limits; 0 is no difference."""
    words = f"{answer.names[0]} minus {answer.names[1]}"
    layers: tuple[Layer, ...] = (
        Line(np.array([0.0, 1.0]), np.zeros(2), role="reference"),
        *_won(answer),
        Band(answer.x, answer.lower, answer.upper),
        Line(answer.x, answer.difference, label=f"{name}, {words}" if name else words),
    )
    return PlotSpec(
        layers=layers,
        x=Axis(answer.x_name.capitalize(), PADDED_UNIT),
        y=Axis(f"Difference of {answer.quantity.split()[-1]}", _limits(answer.lower, answer.upper)),
        caption=(_better(answer), f"Pointwise {100 * answer.level:g} % limits by the bootstrap."),
        legend_places=("upper right", "lower right"),
    )


def _won(answer: CurveDifference) -> list[Line]:
    """Thick pieces along the axis where one of the models is better at the level of the band."""
    low = _limits(answer.lower, answer.upper)[0]
    benefit = answer.quantity == BENEFIT.lower()
    above, below = answer.names if benefit else answer.names[::-1]
    pieces = []
    for slot, (called, wins) in enumerate(
        ((above, answer.lower > 0), (below, answer.upper < 0)), start=1
    ):
        if wins.any():
            y = np.where(wins, low, np.nan)
            label = f"{called} better ({100 * answer.level:g} %)"
            pieces.append(Line(answer.x, y, slot=slot, label=label))
    return pieces


def _better(answer: CurveDifference) -> str:
    if answer.quantity == BENEFIT.lower():
        return f"Above 0: {answer.names[0]} has the larger net benefit."
    return f"Below 0: {answer.names[0]} is the cheaper."


def _limits(lower: np.ndarray, upper: np.ndarray) -> tuple[float, float]:
    low, high = min(float(np.min(lower)), 0.0), max(float(np.max(upper)), 0.0)
    margin = 0.05 * max(high - low, 1e-6)
    return low - margin, high + 4 * margin


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


@plot_of("AbstentionWindow")
def window_plot(
    window: AbstentionWindow, *, name: str | None = None, axis: AxisWords = "ml"
) -> PlotSpec:
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
    window: AbstentionWindow, strict: tuple[float, float], mild: tuple[float, float]
) -> tuple[Floats, Floats]:
    """The hull from one threshold to the other."""
    between = (window.hull_fpr > strict[0]) & (window.hull_fpr < mild[0])
    x = np.concatenate([[strict[0]], window.hull_fpr[between], [mild[0]]])
    y = np.concatenate([[strict[1]], window.hull_tpr[between], [mild[1]]])
    return x, y


@plot_of("AbstentionSurface")
def surface_plot(
    surface: AbstentionSurface,
    *,
    name: str | None = None,
    quantity: Quantity = "cost",
    kind: SurfaceKind = "map",
    at: Any = None,
) -> PlotSpec:
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


@plot_of("AbstentionDifference")
def surface_difference_plot(
    difference: AbstentionDifference, *, name: str | None = None, kind: SurfaceKind = "map"
) -> PlotSpec:
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


def _map(layers: tuple[Layer, ...], kind: SurfaceKind, sentence: str = "") -> PlotSpec:
    checks.one_of(kind, "kind", ("map", "3d"))
    return PlotSpec(
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


@plot_of("AbstentionUncertainty")
def uncertainty_plot(answer: AbstentionUncertainty, *, name: str | None = None) -> PlotSpec:
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
    return PlotSpec(
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


Part: TypeAlias = Literal["both", "before", "after"]
CASES = {
    1: "One point of the hull reaches both targets exactly.",
    2: "One threshold reaches both targets, with room to spare.",
    3: "No single threshold reaches both targets: between a and b no decision is made.",
}
WORDS = {"precision": "precision", "f": "F", "m": "m-estimate"}


@plot_of("Line")
def isometric_plot(line: Isometric, *, name: str | None = None, axis: AxisWords = "ml") -> PlotSpec:
    """Draw the part of an isometric inside ROC space; on it and above it the value is reached."""
    words = f"{line.metric} = {line.value:g}"
    x, y = inside(line.slope, line.intercept)
    layers = (Line(x, y, label=entry(name, words)),)
    return replace(roc_square(layers, axis, chance=True), caption=(_skew_words(line.skew),))


@plot_of("IsometricFan")
def fan_plot(fan: IsometricFan, *, name: str | None = None, axis: AxisWords = "ml") -> PlotSpec:
    """Draw the isometrics of a metric, each with its value where it leaves ROC space.

    Parameters
    ----------
    fan
        The isometrics.
    name
        What the legend calls them.
    axis
        "ml" for true and false positive rate, "clinical" for sensitivity and 1 − specificity.
    """
    layers: list[Layer] = []
    called = entry(name, f"{fan.metric} = {_listed(fan.values)}")
    for line in fan.lines:
        x, y = inside(line.slope, line.intercept)
        if len(x):
            layers.append(Line(x, y, label=called if not layers else None))
            layers.append(_value_label(x, y, f"{line.value:g}", positive=fan.metric.endswith("+")))
    pivot = np.array([fan.pivot])
    if np.all((pivot >= 0) & (pivot <= 1)):
        layers.append(Points(pivot[:, 0], pivot[:, 1]))
    where = f"They meet in ({fan.pivot[0]:.3g}, {fan.pivot[1]:.3g})."
    spec = roc_square(tuple(layers), axis, chance=True)
    return replace(spec, caption=(_skew_words(fan.skew), where))


def _listed(values: Floats) -> str:
    shown = [f"{value:g}" for value in values]
    return ", ".join(shown) if len(shown) <= 4 else f"{shown[0]}, {shown[1]}, ..., {shown[-1]}"


def _skew_words(skew: float) -> str:
    return f"At skew {skew:.4g} (negatives per positive, times the ratio of error costs)."


def _value_label(x: Floats, y: Floats, text: str, *, positive: bool) -> Label:
    """The value near the end of a line that is away from the rotation point."""
    end = -1 if positive else 0
    at_edge = y[end] > 1 - 1e-9 if positive else y[end] > 1e-9
    side: Side = "below-right" if at_edge else "above-left"
    return Label(float(x[end]), float(y[end]), text, side=side)


def inside(slope: float, intercept: float) -> tuple[Floats, Floats]:
    """The two ends of the part of a line inside the unit square; nothing where it misses it.

    >>> x, y = inside(2.0, 0.0)
    >>> x.tolist(), y.tolist()
    ([0.0, 0.5], [0.0, 1.0])
    """
    if np.isinf(slope):
        return np.zeros(2), np.array([0.0, 1.0])
    if slope == 0:
        low, high = (0.0, 1.0) if 0 <= intercept <= 1 else (1.0, 0.0)
    else:
        low, high = max(0.0, -intercept / slope), min(1.0, (1 - intercept) / slope)
    if low > high:
        return np.empty(0), np.empty(0)
    x = np.array([low, high])
    return x, np.clip(slope * x + intercept, 0.0, 1.0)


@plot_of("ReliableRule")
def reliable_plot(
    rule: ReliableRule, *, name: str | None = None, axis: AxisWords = "ml", part: Part = "both"
) -> PlotSpec:
    """Draw the hull with the isometrics of the targets, and the hull of the decided cases.

    Parameters
    ----------
    rule
        The rule.
    name
        What the legend calls the hull.
    axis
        "ml" for true and false positive rate, "clinical" for sensitivity and 1 − specificity.
    part
        "before" abstaining, "after" it, or "both".
    """
    checks.one_of(part, "part", ("both", "before", "after"))
    layers: list[Layer] = []
    if part in ("both", "before"):
        layers += _before(rule, name_of(rule, name))
    if part in ("both", "after") and rule.case == 3:
        layers += _after(rule, with_isometrics=part == "after")
    undecided = f"undecided: {rule.upr:.3g} of the positives, {rule.unr:.3g} of the negatives."
    caption = CASES[rule.case], f"{undecided[:1].upper()}{undecided[1:]}"
    return replace(roc_square(tuple(layers), axis, chance=False), caption=caption)


def _dashed_words(rule: ReliableRule, part: Part) -> list[str]:
    """What the dashed lines are: the targets, or what the decided cases reach."""
    values, skew = rule.targets, rule.skew
    if part == "after":
        skew = rule.skew_after
        reached = rule.positive_performance, rule.negative_performance
        values = reached[0] or values[0], reached[1] or values[1]
    return [
        f"{WORDS[metric]} of {side} = {value:.4g} (skew {skew:.3g})"
        for metric, side, value in zip(rule.metric, ("positives", "negatives"), values, strict=True)
    ]


def _before(rule: ReliableRule, name: str | None) -> list[Layer]:
    lines = (rule.positive_line, rule.negative_line)
    layers: list[Layer] = [
        Line(*inside(line.slope, line.intercept), role="reference", slot=slot, label=words)
        for slot, (line, words) in enumerate(zip(lines, _dashed_words(rule, "before"), strict=True))
    ]
    layers.append(Line(rule.hull_fpr, rule.hull_tpr, label=entry(name, "hull of all cases")))
    points = np.array([rule.point_a, rule.point_b] if rule.case == 3 else [rule.point_a])
    layers.append(Points(points[:, 0], points[:, 1]))
    for point, text in zip(points, "ab" if rule.case == 3 else [""], strict=True):
        if text:
            layers.append(Label(float(point[0]), float(point[1]), text, side="below-right"))
    if rule.case == 2 and rule.interval is not None:
        ends = np.array(rule.interval)
        between = (rule.hull_fpr > ends[0, 0]) & (rule.hull_fpr < ends[1, 0])
        path = np.vstack([ends[:1], np.c_[rule.hull_fpr, rule.hull_tpr][between], ends[1:]])
        layers.append(Line(path[:, 0], path[:, 1], slot=1, label="reaches both targets"))
    return layers


def _after(rule: ReliableRule, *, with_isometrics: bool) -> list[Layer]:
    layers: list[Layer] = []
    if with_isometrics:
        layers += [
            Line(*inside(line.slope, line.intercept), role="reference", slot=slot, label=words)
            for slot, (line, words) in enumerate(
                zip(rule.reached_lines(), _dashed_words(rule, "after"), strict=True)
            )
        ]
    label = f"hull of the decided cases (skew {rule.skew_after:.3g})"
    layers.append(Line(rule.transformed_fpr, rule.transformed_tpr, slot=1, label=label))
    x, y = rule.point
    layers.append(Points(np.array([x]), np.array([y]), slot=1))
    return layers
