"""Plots of costs and benefit: cost and decision curves, abstention, isometrics."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting import forms, words
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    Axis,
    AxisWords,
    Band,
    Label,
    Layer,
    LegendPlace,
    Limits,
    Line,
    Mesh,
    Name,
    PlotSpec,
    Points,
    Side,
    marker,
    reference,
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


MOST_LINES = 12
MOST_NAMED_LINES = 8
LINE_GRAY = "#D6D6D6"
TRIVIAL_SENTENCE = "Dashed: the better of 'always positive' and 'always negative'."


def _cost_plot(
    layers: list[Layer], y: Axis | str, *caption: str, places: tuple[LegendPlace, ...] = forms.UPPER
) -> PlotSpec:
    """Layers over the probability cost, the trivial classifiers below them."""
    sentences = (*caption, TRIVIAL_SENTENCE)
    return forms.chart(
        (_trivial(), *layers), "Probability cost", y, *sentences, legend_places=places
    )


def _trivial() -> Line:
    return reference((0, 0.5, 1), (0, 0.5, 0), label="trivial classifiers")


@plot_of("CostCurve")
def cost_plot(curve: CostCurve, *, name: Name = None, lines: bool | None = None) -> PlotSpec:
    """The lower envelope of the cost lines, and the trivial classifiers.

    `lines` draws the cost lines of the ROC points, of many points some; by default where there is
    no `name`.
    """
    layers: list[Layer] = []
    caption: tuple[str, ...] = ()
    if lines if lines is not None else name is None:
        layers, sentence = _gray_lines(curve.lines())
        caption = (sentence,)
    called = words.name_of(curve, name) or "lower envelope"
    label = f"{called}, area {curve.area:.3f}"
    layers.append(Line(curve.probability_cost, curve.cost, label=label))
    return _cost_plot(layers, Axis("Normalized expected cost", (-0.01, 0.56)), *caption)


def _is_trivial(lines: CostLines) -> Any:
    """Which lines are those of the trivial classifiers, which are drawn anyway."""
    return (lines.fpr == lines.tpr) & ((lines.fpr == 0) | (lines.fpr == 1))


def _gray_lines(every: CostLines) -> tuple[list[Layer], str]:
    """Gray lines of ROC points, evenly spaced along the ROC curve where there are many."""
    kept = np.flatnonzero(~_is_trivial(every))
    along = (every.fpr + every.tpr)[kept]
    chosen = kept
    if len(kept) > MOST_LINES:
        steps = np.linspace(along.min(), along.max(), MOST_LINES)
        order = np.argsort(along, kind="stable")
        chosen = kept[order[np.unique(np.searchsorted(along[order], steps))]]
    ends = np.column_stack((every.at_zero, every.at_one))
    lines: list[Layer] = [Line(forms.UNIT, ends[k], muted=True, color=LINE_GRAY) for k in chosen]
    number = "" if len(chosen) == len(kept) else f", {len(chosen)} of {len(kept):,} shown"
    return lines, f"Gray: one line for each ROC point{number}."


@plot_of("CostLines")
def lines_plot(lines: CostLines, *, name: Name = None) -> PlotSpec:
    """The cost lines of ROC points and the trivial classifiers; few lines have legend entries."""
    y = "Normalized expected cost"
    kept = np.flatnonzero(~_is_trivial(lines))
    if len(kept) > MOST_NAMED_LINES:
        drawn, sentence = _gray_lines(lines)
        drawn[0] = replace(drawn[0], label=name or None)
        return _cost_plot(drawn, y, sentence, places=("lower right", "upper left"))
    layers: list[Layer] = []
    for slot, k in enumerate(kept):
        measure = f"FPR {lines.fpr[k]:.3g}, TPR {lines.tpr[k]:.3g}"
        heights = np.array([lines.at_zero[k], lines.at_one[k]])
        label = f"{name}: {measure}" if name else measure
        layers.append(Line(forms.UNIT, heights, slot=slot, label=label))
    return _cost_plot(layers, y, "One line for each ROC point.", places=forms.UPPER[::-1])


@plot_of("DecisionCurve")
def decision_plot(curve: DecisionCurve, *, name: Name = None) -> PlotSpec:
    """The net benefit of the model, of treating all and of treating none."""
    floor = -0.05 - 0.1 * curve.prevalence
    label = words.name_of(curve, name) or "model"
    line = Line(curve.thresholds, _above(floor, curve.net_benefit), label=label)
    layers = (*_without_model(curve.thresholds, _above(floor, curve.treat_all)), line)
    y = Axis("Net benefit", (floor, 1.1 * curve.prevalence + 0.01))
    places = ("upper right", "center right")
    return forms.chart(layers, "Threshold probability", y, legend_places=places)


def _above(floor: float, values: Floats) -> Floats:
    return np.where(values >= floor, values, np.nan)


def _without_model(thresholds: Floats, treat_all: Floats) -> tuple[Line, Line]:
    """Decisions without a model."""
    return (
        reference(thresholds, treat_all, label="treat all"),
        reference(forms.UNIT, (0, 0), slot=1, label="treat none"),
    )


@plot_of("CurveBand")
def band_plot(band: CurveBand, *, name: Name = None) -> PlotSpec:
    """A curve with its pointwise confidence limits."""
    layers: list[Layer] = [
        Band(band.x, band.lower, band.upper, label=f"{printing.percent(band.level)} CI"),
        Line(band.x, band.value, label=words.name_of(band, name)),
    ]
    low, high = _limits_with_zero(band.lower, band.upper)
    treat_all = getattr(band, "treat_all", None)
    if band.x_name == "probability cost":
        layers.insert(0, _trivial())
        high = max(high, 0.56)
    elif treat_all is not None:
        low = min(low, -0.05)
        layers[:0] = _without_model(band.x, _above(low, treat_all))
    y = Axis(band.quantity.capitalize(), (low, high))
    caption = _pointwise(band.level)
    return forms.chart(layers, band.x_name.capitalize(), y, caption, legend_places=forms.UPPER)


def _pointwise(level: float) -> str:
    return f"Pointwise {printing.percent(level)} limits by bootstrap."


def _limits_with_zero(lower: Floats, upper: Floats) -> Limits:
    """The range of a band and 0, with room for the legend on top."""
    low, high = min(float(np.min(lower)), 0.0), max(float(np.max(upper)), 0.0)
    margin = 0.05 * max(high - low, 1e-6)
    return low - margin, high + 4 * margin


FLOOR = 0.03  # height of the line of a winner above the axis, as a fraction of it


@plot_of("CurveDifference")
def difference_plot(result: CurveDifference, *, name: Name = None) -> PlotSpec:
    """The difference of two models with its pointwise confidence limits."""
    first, second = result.names
    limits = _limits_with_zero(result.lower, result.upper)
    benefit = result.quantity == "net benefit"
    layers: list[Layer] = [reference(forms.UNIT, (0, 0))]
    wins = (result.lower > 0, result.upper < 0)
    winners = (first, second) if benefit else (second, first)
    for slot, (called, where) in enumerate(zip(winners, wins, strict=True), start=1):
        if where.any():  # a line above the axis
            label = f"{called} better ({printing.percent(result.level)})"
            floor = np.where(where, limits[0] + FLOOR * (limits[1] - limits[0]), np.nan)
            layers.append(Line(result.x, floor, slot=slot, label=label))
    level = printing.percent(result.level)
    layers.append(Band(result.x, result.lower, result.upper, label=f"{level} CI"))
    label = words.entry(name, f"{first} minus {second}")
    layers.append(Line(result.x, result.difference, label=label))
    better = f"Below 0: {first} is the cheaper."
    if benefit:
        better = f"Above 0: {first} has the larger net benefit."
    x, y = result.x_name.capitalize(), f"Difference of {result.quantity.split()[-1]}"
    form = {"legend_places": ("upper right", "lower right")}
    return forms.chart(layers, x, Axis(y, limits), better, _pointwise(result.level), **form)


Quantity: TypeAlias = Literal["cost", "rate", "lower", "upper"]
SurfaceKind: TypeAlias = Literal["map", "3d"]
TITLES: dict[Quantity, str] = {
    "cost": "Least expected cost",
    "rate": "Proportion undecided",
    "lower": "Lower threshold",
    "upper": "Upper threshold",
}
LINE_SENTENCE = (
    "Above the dashed line ν = μ/(1 + μ) abstaining never pays. A false negative costs 1."
)


@plot_of("AbstentionWindow")
def window_plot(window: AbstentionWindow, *, name: Name = None, axis: AxisWords = "ml") -> PlotSpec:
    """The ROC hull with the two thresholds; between them no decision is made."""
    points = strict, mild = window.single_thresholds()
    measure = f"no decision ({printing.percent(round(window.abstention_rate, 3))} of cases)"
    between = forms.arc(window.hull_fpr, window.hull_tpr, strict, mild)
    lower, upper = words.true_minus(window.lower_text), words.true_minus(window.upper_text)
    higher = window.origin.direction == "higher"
    rules = (f"≥ {upper}", f"≤ {lower}") if higher else (f"≤ {lower}", f"≥ {upper}")
    layers: list[Layer] = [
        Line(window.hull_fpr, window.hull_tpr, role="hull"),
        replace(between, label=words.entry_of(window, name, measure)),
        Points(*np.array(points).T),
        Label(*strict, f"positive if {rules[0]}"),
    ]
    if strict != mild:
        layers.append(Label(*mild, f"negative if {rules[1]}"))
    caption = "Bold: the part of the hull between the two thresholds, where no decision is made."
    return forms.roc_square(layers, axis, True, caption)


@plot_of("AbstentionUncertainty")
def uncertainty_plot(result: AbstentionUncertainty, *, name: Name = None) -> PlotSpec:
    """The two thresholds with their intervals."""
    window = result.window
    rows = [
        forms.Row(
            words.entry_of(result, name, side),
            getattr(window, side),
            tuple(interval),
            f"{getattr(window, f'{side}_text')} ({interval.ends})",
        )
        for side, interval in (("lower", result.lower), ("upper", result.upper))
    ]
    cost, rate = result.expected_cost, result.abstention_rate
    caption = (
        f"Intervals: bootstrap percentile. Cost {window.expected_cost:.3g} "
        f"({cost.low:.3g} to {cost.high:.3g}), abstention "
        f"{window.abstention_rate:.3g} ({rate.low:.3g} to {rate.high:.3g})."
    )
    return forms.forest(rows, "Threshold", level=result.lower.level, caption=caption)


@plot_of("AbstentionSurface")
def surface_plot(
    surface: AbstentionSurface,
    *,
    name: Name = None,
    quantity: Quantity = "cost",
    kind: SurfaceKind = "map",
    at: Any = None,
) -> PlotSpec:
    """A heat map, or a surface ("3d"), over both costs with the line where abstaining stops paying.

    `quantity` is "cost", "rate" (of abstention), "lower" or "upper" (threshold; infinite ones are
    drawn as the outermost finite one); `at` a pair (mu, nu) to mark.
    """
    checks.one_of(quantity, "quantity", tuple(TITLES))
    values = _with_finite_values(getattr(surface, quantity)).T
    called = words.name_of(surface, name)
    title = f"{TITLES[quantity]}, {called}" if called else TITLES[quantity]
    levels = round_levels(values) if quantity == "cost" else ()  # the others jump
    mesh = Mesh(surface.mu, surface.nu, values, title, levels=levels)
    return _cost_map(surface, mesh, kind, _marked_costs(at))


@plot_of("AbstentionDifference")
def surface_difference_plot(
    difference: AbstentionDifference, *, name: Name = None, kind: SurfaceKind = "map"
) -> PlotSpec:
    """A heat map, or a surface ("3d"), of the difference of the costs of two models."""
    first, second = difference.names
    title = f"Cost of {first} minus {second}" if name is None else name
    values = difference.cost.T
    levels = round_levels(values)
    mesh = Mesh(difference.mu, difference.nu, values, title, levels=levels, diverging=True)
    return _cost_map(difference, mesh, kind, (), f"Below 0: {first} is cheaper.")


def _cost_map(
    surface: AbstentionSurface | AbstentionDifference,
    mesh: Mesh,
    kind: SurfaceKind,
    marks: tuple[Layer, ...],
    *caption: str,
) -> PlotSpec:
    """A map over both costs, with the line where abstaining stops paying."""
    checks.one_of(kind, "kind", ("map", "3d"))
    mu = np.linspace(surface.mu[0], surface.mu[-1], 101)
    layers = (mesh, reference(mu, surface.highest_nu(mu), color="#D55E00"), *marks)
    x = Axis("Cost of a false positive, μ", (0.0, 1.0))
    y = Axis("Cost of abstaining, ν", (0.0, 1.0))
    form = {"square": True, "legend_places": forms.UPPER[::-1]}
    projection = "3d" if kind == "3d" else "plane"
    return forms.chart(layers, x, y, LINE_SENTENCE, *caption, projection=projection, **form)


def _marked_costs(at: Any) -> tuple[Layer, ...]:
    if at is None:
        return ()
    try:
        mu, nu = (checks.rate(value, "at") for value in at)
    except (TypeError, ValueError) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(f"`at` must be a pair (mu, nu) of costs; got {at!r}.") from None
    return (marker(mu, nu, color="#1A1A1A"),)


def _with_finite_values(values: Floats) -> Floats:
    """The values, infinite ones replaced by the outermost finite ones."""
    finite = values[np.isfinite(values)]
    return np.clip(values, finite.min(), finite.max()) if len(finite) else np.sign(values)


def round_levels(values: Floats, most: int = 7) -> tuple[float, ...]:
    """Round numbers inside the range of values, at most `most`."""
    low, high = float(values.min()), float(values.max())
    if not high > low:
        return ()
    unit = 10.0 ** np.floor(np.log10((high - low) / most))
    step = next(unit * k for k in (1, 2, 5, 10) if (high - low) / (unit * k) <= most)
    first = int(np.floor(low / step)) + 1
    return tuple(float(f"{k * step:.12g}") for k in range(first, int(np.ceil(high / step))))


@plot_of("Line")
def isometric_plot(line: Isometric, *, name: Name = None, axis: AxisWords = "ml") -> PlotSpec:
    """The part of an isometric in ROC space; on it and above it the value is reached."""
    label = words.entry(name, f"{line.metric} = {line.value:g}")
    drawn = Line(*forms.clipped_line(line.slope, line.intercept), label=label)
    return forms.roc_square((drawn,), axis, True, _skew_sentence(line.skew))


@plot_of("IsometricFan")
def fan_plot(fan: IsometricFan, *, name: Name = None, axis: AxisWords = "ml") -> PlotSpec:
    """The isometrics of a metric, each with its value where it leaves ROC space."""
    layers: list[Layer] = []
    label = words.entry(name, f"equal {fan.metric}")
    for line in fan.lines:
        x, y = forms.clipped_line(line.slope, line.intercept)
        if len(x):
            layers.append(Line(x, y, label=None if layers else label))
            layers.append(_value_label(x, y, f"{line.value:g}", positive=fan.metric.endswith("+")))
    if all(0 <= rate <= 1 for rate in fan.pivot):
        layers.append(marker(*fan.pivot))
    where = f"They meet in ({fan.pivot[0]:.3g}, {fan.pivot[1]:.3g})."
    return forms.roc_square(layers, axis, True, _skew_sentence(fan.skew), where)


def _skew_sentence(skew: float) -> str:
    return f"At skew {skew:.4g} (negatives per positive, times the ratio of error costs)."


def _value_label(x: Floats, y: Floats, text: str, *, positive: bool) -> Label:
    """The value at the end of a line that is away from the rotation point."""
    end = -1 if positive else 0
    at_edge = y[end] > 1 - 1e-9 if positive else y[end] > 1e-9
    side: Side = "below-right" if at_edge else "above-left"
    return Label(float(x[end]), float(y[end]), text, side=side)


Part: TypeAlias = Literal["both", "before", "after"]
CASES = {
    1: "One point of the hull reaches both targets exactly.",
    2: "One threshold reaches both targets, with room to spare.",
    3: "No single threshold reaches both targets: between a and b no decision is made.",
}
METRICS = {"precision": "precision", "f": "F", "m": "m-estimate"}


@plot_of("ReliableRule")
def reliable_plot(
    rule: ReliableRule, *, name: Name = None, axis: AxisWords = "ml", part: Part = "both"
) -> PlotSpec:
    """The hull with the isometrics of the targets ("before"), that of the decided cases ("after").

    By default both.
    """
    checks.one_of(part, "part", ("both", "before", "after"))
    layers: list[Layer] = []
    if part != "after":
        layers += _before_abstaining(rule, words.name_of(rule, name))
    if part != "before" and rule.case == 3:
        layers += _after_abstaining(rule, with_isometrics=part == "after")
    undecided = f"undecided: {rule.upr:.3g} of the positives, {rule.unr:.3g} of the negatives."
    return forms.roc_square(layers, axis, False, CASES[rule.case], words.capital(undecided))


def _before_abstaining(rule: ReliableRule, name: Name) -> list[Layer]:
    lines = (rule.positive_line, rule.negative_line)
    layers = _isometrics(rule, lines, rule.targets, rule.skew)
    layers.append(Line(rule.hull_fpr, rule.hull_tpr, label=words.entry(name, "hull of all cases")))
    points = [rule.point_a, rule.point_b] if rule.case == 3 else [rule.point_a]
    layers.append(Points(*np.array(points).T))
    if rule.case == 3:
        layers += [Label(x, y, text) for (x, y), text in zip(points, "ab", strict=True)]
    if rule.case == 2 and rule.interval is not None:
        reached = forms.arc(rule.hull_fpr, rule.hull_tpr, *rule.interval)
        layers.append(replace(reached, slot=1, label="reaches both targets"))
    return layers


def _after_abstaining(rule: ReliableRule, *, with_isometrics: bool) -> list[Layer]:
    layers: list[Layer] = []
    if with_isometrics:
        reached = (rule.positive_performance, rule.negative_performance)
        values = [value or target for value, target in zip(reached, rule.targets, strict=True)]
        layers += _isometrics(rule, rule.reached_lines(), values, rule.skew_after)
    label = f"hull of the decided cases (skew {rule.skew_after:.3g})"
    layers.append(Line(rule.transformed_fpr, rule.transformed_tpr, slot=1, label=label))
    layers.append(marker(*rule.point, slot=1))
    return layers


def _isometrics(rule: ReliableRule, lines: Any, values: Any, skew: float) -> list[Layer]:
    """Dashed isometrics of both classes with their values."""
    classes = zip(lines, rule.metric, ("positives", "negatives"), values, strict=True)
    return [
        reference(
            *forms.clipped_line(line.slope, line.intercept),
            slot=slot,
            label=f"{METRICS[metric]} of {side} = {value:.4g} (skew {skew:.3g})",
        )
        for slot, (line, metric, side, value) in enumerate(classes)
    ]
