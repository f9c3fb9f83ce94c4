"""Pictures of chosen thresholds: on the ROC curve, and against the threshold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.plotting.layers import (
    PADDED_UNIT,
    Axis,
    Label,
    Layer,
    Line,
    Picture,
    Points,
    Side,
    Whiskers,
)
from rocwise.plotting.pictures.inference import share_steps
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.pictures.thresholds import score_ends, threshold_steps
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import AxisWords, entry, name_of

if TYPE_CHECKING:
    from rocwise.binary.thresholds.guarantees import GuaranteedThreshold
    from rocwise.binary.thresholds.operating_points import MeasureCurve, OperatingPoint
    from rocwise.binary.thresholds.subgroups import GroupThresholds
    from rocwise.binary.thresholds.uncertainty import ThresholdUncertainty
    from rocwise.binary.thresholds.unlabelled import NrocCurve, UnlabelledRule

VIEWS = ("curve", "measure")
MARGIN = 0.03
NEAR_EDGE = 0.85
NEAR_AXIS = 0.06


@picture_of("OperatingPoint")
def operating_point_picture(
    point: OperatingPoint,
    *,
    name: str | None = None,
    view: Literal["curve", "measure"] = "curve",
    axis: AxisWords = "ml",
    chance: bool = True,
) -> Picture:
    """Draw the chosen threshold.

    Parameters
    ----------
    point
        The operating point.
    name
        What the legend calls it.
    view
        "curve": the point on its ROC curve; "measure": what the rule looks at, over the threshold.
    axis, chance
        As for a ROC curve, in the view "curve".
    """
    checks.one_of(view, "view", VIEWS)
    if view == "measure":
        return measure_picture(point.measure_curve(), name=name)
    called = name_of(point, name)
    layers = _on_curve(point, called, slot=0)
    return replace(roc_square(layers, axis, chance), caption=(_reason(point, called),))


@picture_of("GuaranteedThreshold")
def guaranteed_picture(
    point: GuaranteedThreshold,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
) -> Picture:
    """Draw the threshold on the ROC curve; a line shows the limit of a rate of one class."""
    layers = _on_curve(point, name_of(point, name), slot=0)
    limit: tuple[Layer, ...] = ()
    ends, there = np.array([0.0, 1.0]), np.full(2, point.alpha)
    if point.rate == "fpr":
        limit = (Line(there, ends, role="reference"),)
    elif point.rate == "fnr":
        limit = (Line(ends, 1 - there, role="reference"),)
    caption = (f"{_capital(point.promise())}.",)
    return replace(roc_square((*limit, *layers), axis, chance), caption=caption)


@picture_of("GroupThresholds")
def groups_picture(
    answer: GroupThresholds, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> Picture:
    """Draw the curve and the point of every group."""
    layers: list[Layer] = []
    for slot, group in enumerate(answer.groups):
        point = answer[group]
        called = f"{name}, {group}" if name else group
        curve, mark, _ = _on_curve(point, called, slot=slot)
        layers += [curve, mark]  # the legend has the thresholds: texts would overlap
    words = f"Each group at its own threshold by rule '{answer.rule}'."
    return replace(roc_square(tuple(layers), axis, chance), caption=(words,))


def _on_curve(
    point: OperatingPoint | GuaranteedThreshold, called: str | None, slot: int
) -> tuple[Layer, ...]:
    text = point.threshold_text.replace("-", "−")
    side: Side = "below-left" if point.fpr > NEAR_EDGE else "below-right"
    if point.tpr < NEAR_AXIS:  # below it are the numbers of the axis
        side = "above-left" if point.fpr > NEAR_EDGE else "above-right"
    return (
        Line(*point.curve(), label=entry(called, f"threshold {text}"), slot=slot),
        Points(np.array([point.fpr]), np.array([point.tpr]), slot=slot),
        Label(point.fpr, point.tpr, text, side, slot=slot),
    )


def _reason(point: OperatingPoint, called: str | None) -> str:
    return f"{called or 'Chosen'}: {point.reason}."


@picture_of("MeasureCurve")
def measure_picture(curve: MeasureCurve, *, name: str | None = None) -> Picture:
    """Draw what the rule looks at over the threshold, with the chosen place marked.

    Parameters
    ----------
    curve
        The measure of a rule at every threshold.
    name
        What the legend calls it.
    """
    point, called = curve.point, name_of(curve, name)
    threshold = curve.thresholds[1:].astype(np.float64)  # the first one calls nobody positive
    values = np.ma.filled(curve.values[1:], np.nan)
    ends = score_ends(threshold, "point")
    x, y = threshold_steps(threshold, values, curve.origin.direction, ends)
    layers: list[Layer] = [Line(x, y, label=called)]
    if np.isfinite(point.threshold):
        layers.append(Points(np.array([float(point.threshold)]), np.array([point.value])))
        near_end = float(point.threshold) > (ends[0] + 2 * ends[1]) / 3
        side = _outside(smallest=curve.smallest, near_end=near_end)
        text = point.threshold_text.replace("-", "−")
        layers.append(Label(float(point.threshold), point.value, text, side))
    reason = _reason(point, called)
    caption = reason if np.isfinite(point.threshold) else f"{reason} Nobody is called positive."
    return Picture(
        layers=tuple(layers),
        x=Axis("Threshold", ends),
        y=Axis(_capital(curve.name), _limits(y)),
        caption=(caption,),
        legend_places=("lower left", "lower right", "upper left", "upper right"),
    )


def _outside(*, smallest: bool, near_end: bool) -> Side:
    """The side on which the curve is not: below a minimum, above a maximum."""
    if smallest:
        return "below-left" if near_end else "below-right"
    return "above-left" if near_end else "above-right"


@picture_of("ThresholdUncertainty")
def uncertainty_picture(answer: ThresholdUncertainty, *, name: str | None = None) -> Picture:
    """Draw the measure over the threshold, the chosen one with its interval, and out of the bag."""
    picture = measure_picture(answer.point.measure_curve(), name=name_of(answer, name))
    low, high = (float(np.clip(end, *picture.x.limits)) for end in answer.interval)
    whiskers = Whiskers(np.array([low]), np.array([high]), np.array([answer.point.value]))
    layers: tuple[Layer, ...] = (*picture.layers, whiskers)
    words = [
        f"{printing.percent(answer.interval.level)} interval of the threshold: "
        f"{answer.interval.ends}."
    ]
    if answer.measures[0] in (answer.point.value_name, "expected cost"):
        honest = float(answer.out_of_bag[0])
        layers = (Line(np.array(picture.x.limits), np.full(2, honest), role="reference"), *layers)
        words.append(f"Dashed: the value out of the bag, {honest:.4g}.")
    return replace(picture, layers=layers, caption=(*picture.caption, *words))


@picture_of("NrocCurve")
def nroc_picture(curve: NrocCurve, *, name: str | None = None, chance: bool = True) -> Picture:
    """Draw the curve that the scores promise."""
    line = Line(curve.x, curve.y, label=entry(name_of(curve, name), f"area {curve.auc:.3f}"))
    square = roc_square((line,), "ml", chance)
    return replace(
        square,
        x=Axis("Expected false positive rate", PADDED_UNIT),
        y=Axis("Expected true positive rate", PADDED_UNIT),
        caption=("From the scores alone, taken for probabilities; no labels were used.",),
    )


@picture_of("UnlabelledRule")
def unlabelled_picture(rule: UnlabelledRule, *, name: str | None = None) -> Picture:
    """Draw which share of the cases each threshold calls positive, the one set being marked."""
    x, below = share_steps(rule.scores)  # from each score on the case is no longer positive
    low, high = float(x[0]), float(x[-1])
    span = high - low or 1.0
    label = f"threshold {rule.threshold_text} ({rule.method})".replace("-", "−")
    return Picture(
        layers=(
            Line(x, 1 - below, label=entry(name_of(rule, name), label)),
            Points(np.array([rule.threshold]), np.array([rule.share_from_threshold])),
        ),
        x=Axis(
            "Threshold",
            (
                min(low, rule.threshold) - MARGIN * span,
                max(high, rule.threshold) + MARGIN * span,
            ),
        ),
        y=Axis("Share called positive", PADDED_UNIT),
        caption=("Set without labels.",),
        legend_places=("lower left", "upper right"),
    )


def _limits(values: Floats) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    low, high = float(finite.min(initial=0.0)), float(finite.max(initial=0.0))
    margin = 4 * MARGIN * ((high - low) or 1.0)  # room for the text beside the extreme
    return low - margin, high + margin


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
