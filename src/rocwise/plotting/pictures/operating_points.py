"""Pictures of chosen thresholds: on the ROC curve, and against the threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting.layers import (
    PADDED_UNIT,
    Axis,
    Cells,
    Label,
    Layer,
    Line,
    Picture,
    Points,
    Side,
    Tick,
    Whiskers,
)
from rocwise.plotting.pictures.histograms import bars, class_shares
from rocwise.plotting.pictures.inference import share_steps
from rocwise.plotting.pictures.isometrics import inside
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.pictures.thresholds import score_ends, threshold_steps
from rocwise.plotting.registry import picture_of
from rocwise.plotting.theme import TEXT_COLOR
from rocwise.plotting.wording import AxisWords, entry, name_of

if TYPE_CHECKING:
    from rocwise.binary.guarantees import GuaranteedThreshold
    from rocwise.binary.threshold import MeasureCurve, OperatingPoint, ThresholdUncertainty
    from rocwise.binary.threshold_groups import GroupThresholds
    from rocwise.binary.unlabeled import NrocCurve, UnlabelledRule

PointView: TypeAlias = Literal["curve", "measure", "scores", "matrix"]
VIEWS = get_args(PointView)
MARGIN = 0.03
NEAR_EDGE = 0.85
NEAR_AXIS = 0.06


@picture_of("OperatingPoint")
def operating_point_picture(
    point: OperatingPoint,
    *,
    name: str | None = None,
    view: PointView = "curve",
    axis: AxisWords = "ml",
    chance: bool = True,
    tangent: bool | None = None,
) -> Picture:
    """Draw the chosen threshold.

    Parameters
    ----------
    point
        The operating point.
    name
        What the legend calls it.
    view
        "curve": the point on its ROC curve; "measure": what the rule looks at, over the threshold;
        "scores": the scores of both classes with the cut; "matrix": the confusion matrix.
    axis, chance
        As for a ROC curve, in the view "curve".
    tangent
        Whether to draw the line of equal cost through the point; as long as there are costs.
    """
    checks.one_of(view, "view", VIEWS)
    called = name_of(point, name)
    if view == "measure":
        return measure_picture(point.measure_curve(), name=name)
    if view == "scores":
        return scores_picture(point, called)
    if view == "matrix":
        return _matrix(point, called)
    layers = _on_curve(point, called, slot=0)
    caption = [_reason(point, called)]
    slope = point.iso_cost_slope
    if tangent is None or tangent:
        if slope is not None:
            x, y = inside(slope, point.tpr - slope * point.fpr)
            layers = (Line(x, y, role="reference", slot=1, label="equal cost"), *layers)
        elif tangent:
            raise InputError("`tangent` needs a threshold that was chosen with `costs`.")
    return replace(roc_square(layers, axis, chance), caption=tuple(caption))


def scores_picture(point: OperatingPoint, called: str | None) -> Picture:
    """Draw how the scores of both classes are spread, and the cut between them."""
    edges, negative, positive = class_shares(point.data)
    top = 1.18 * float(max(negative.max(), positive.max()))
    layers: list[Layer] = [
        bars(edges, negative, slot=0, edges=True, label="negatives"),
        bars(edges, positive, slot=1, edges=True, label="positives"),
    ]
    if np.isfinite(point.threshold):
        cut = float(point.threshold)
        layers.append(Line(np.full(2, cut), np.array([0.0, top]), role="reference"))
        text = point.threshold_text.replace("-", "−")
        layers.append(Label(cut, 0.97 * top, text, "below-right", color=TEXT_COLOR))
    margin = MARGIN * float(edges[-1] - edges[0])
    return Picture(
        layers=tuple(layers),
        x=Axis("Score", (float(edges[0]) - margin, float(edges[-1]) + margin)),
        y=Axis("Share of the class", (0.0, top)),
        caption=(_reason(point, called),),
        legend_places=("upper left", "upper right"),
    )


def _matrix(point: OperatingPoint, called: str | None) -> Picture:
    """Draw the confusion matrix, each field with its share of the true class."""
    counts = ((point.tp, point.fn), (point.fp, point.tn))
    words = (("true positives", "misses"), ("false alarms", "true negatives"))
    totals = (point.n_pos, point.n_neg)
    shares = np.array([[count / totals[k] for count in counts[k]] for k in range(2)])
    texts = tuple(
        tuple(
            f"{printing.count(count)}\n{word}\n{printing.percent(round(share, 3))}"
            for count, word, share in zip(counts[k], words[k], shares[k], strict=True)
        )
        for k in range(2)
    )
    return table_picture(
        Cells(shares, texts),
        rows=("Positive", "Negative"),
        columns=("Positive", "Negative"),
        caption=(
            _reason(point, called),
            f"{point.decision[:1].upper()}{point.decision[1:]}; shares are of the true class.",
        ),
    )


def table_picture(
    cells: Cells, *, rows: Sequence[str], columns: Sequence[str], caption: tuple[str, ...]
) -> Picture:
    """A table of true classes (lines) and what they are called (columns)."""
    return Picture(
        layers=(cells,),
        x=Axis(
            "Called",
            (-0.5, len(columns) - 0.5),
            ticks=tuple(Tick(float(k), word) for k, word in enumerate(columns)),
        ),
        y=Axis(
            "True class",
            (-0.5, len(rows) - 0.5),
            ticks=tuple(Tick(float(len(rows) - 1 - k), word) for k, word in enumerate(rows)),
        ),
        square=True,
        bare=True,
        caption=caption,
        legend_places=(),
    )


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
        called = f"{name}, {group}" if name else str(group)
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
def uncertainty_picture(
    answer: ThresholdUncertainty,
    *,
    name: str | None = None,
    view: Literal["measure", "scores"] = "measure",
) -> Picture:
    """Draw the measure over the threshold, the chosen one with its interval, and out of the bag.

    In the view "scores" the interval lies over the scores of both classes.
    """
    checks.one_of(view, "view", ("measure", "scores"))
    if view == "scores":
        picture = scores_picture(answer.point, name_of(answer, name))
        low, high = (float(np.clip(end, *picture.x.limits)) for end in answer.interval)
        height = np.array([0.87 * picture.y.limits[1]])  # below the number, above the bars
        whiskers = Whiskers(np.array([low]), np.array([high]), height, color=TEXT_COLOR)
        return replace(picture, layers=(*picture.layers, whiskers))
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
    span = (high - low) or 1.0
    room = 5 * MARGIN * span  # for the text beside the extreme
    return low - (MARGIN * span if low >= 0 else room), high + room


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
