"""Pictures of isometrics, and of reliable rules before and after abstaining."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.plotting.layers import Label, Layer, Line, Picture, Points, Side
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import AxisWords, entry, name_of

if TYPE_CHECKING:
    from rocwise.binary.isometrics import IsometricFan
    from rocwise.binary.isometrics import Line as Isometric
    from rocwise.binary.reliable import ReliableRule

Part: TypeAlias = Literal["both", "before", "after"]
CASES = {
    1: "One point of the hull reaches both targets exactly.",
    2: "One threshold reaches both targets, with room to spare.",
    3: "No single threshold reaches both targets: between a and b no decision is made.",
}
WORDS = {"precision": "precision", "f": "F", "m": "m-estimate"}


@picture_of("Line")
def isometric_picture(
    line: Isometric, *, name: str | None = None, axis: AxisWords = "ml"
) -> Picture:
    """Draw the part of an isometric inside ROC space; on it and above it the value is reached."""
    words = f"{line.metric} = {line.value:g}"
    x, y = inside(line.slope, line.intercept)
    layers = (Line(x, y, label=entry(name, words)),)
    return replace(roc_square(layers, axis, chance=True), caption=(_skew_words(line.skew),))


@picture_of("IsometricFan")
def fan_picture(fan: IsometricFan, *, name: str | None = None, axis: AxisWords = "ml") -> Picture:
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
    picture = roc_square(tuple(layers), axis, chance=True)
    return replace(picture, caption=(_skew_words(fan.skew), where))


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


@picture_of("ReliableRule")
def reliable_picture(
    rule: ReliableRule, *, name: str | None = None, axis: AxisWords = "ml", part: Part = "both"
) -> Picture:
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
