"""Pictures of cost curves, decision curves, their bands and differences."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocwise.plotting.layers import PADDED_UNIT, Axis, Band, Layer, Line, Picture
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import name_of

if TYPE_CHECKING:
    from rocwise.binary.compare_curves import CurveDifference
    from rocwise.binary.cost_curves import CostCurve, CostLines
    from rocwise.binary.curve_bands import CurveBand
    from rocwise.binary.decision_curves import DecisionCurve

PROBABILITY_COST = "Probability cost"
NORMALISED_COST = "Normalised expected cost"
THRESHOLD = "Threshold probability"
BENEFIT = "Net benefit"
MOST_LINES = 12
NAMED_LINES = 8
LINE_GREY = "#D6D6D6"
TRIVIAL_SENTENCE = "Dashed: the better of 'always positive' and 'always negative'."


@picture_of("CostCurve")
def cost_picture(
    curve: CostCurve, *, name: str | None = None, lines: bool | None = None
) -> Picture:
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
    return Picture(
        layers=tuple(layers),
        x=Axis(PROBABILITY_COST, PADDED_UNIT),
        y=Axis(NORMALISED_COST, (-0.01, 0.56)),
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


@picture_of("CostLines")
def lines_picture(lines: CostLines, *, name: str | None = None) -> Picture:
    """Draw the lines of ROC points and the trivial classifiers; of many lines an even choice."""
    drawn, sentence = _lines(lines)
    if len(drawn) <= NAMED_LINES:
        return _named_lines(lines, name)
    if drawn and name:
        drawn[0] = replace(drawn[0], label=name)
    return Picture(
        layers=(_trivial(), *drawn),
        x=Axis(PROBABILITY_COST, PADDED_UNIT),
        y=Axis(NORMALISED_COST, PADDED_UNIT),
        caption=(sentence, TRIVIAL_SENTENCE),
    )


def _named_lines(lines: CostLines, name: str | None) -> Picture:
    """Few lines, each in its colour with the rates it stands for."""
    trivial = (lines.fpr == lines.tpr) & ((lines.fpr == 0) | (lines.fpr == 1))
    ends = np.array([0.0, 1.0])
    layers: list[Layer] = [_trivial()]
    for slot, k in enumerate(np.flatnonzero(~trivial)):
        words = f"FPR {lines.fpr[k]:.3g}, TPR {lines.tpr[k]:.3g}"
        heights = np.array([lines.at_zero[k], lines.at_one[k]])
        layers.append(Line(ends, heights, slot=slot, label=f"{name}: {words}" if name else words))
    return Picture(
        layers=tuple(layers),
        x=Axis(PROBABILITY_COST, PADDED_UNIT),
        y=Axis(NORMALISED_COST, PADDED_UNIT),
        caption=("One line for each ROC point.", TRIVIAL_SENTENCE),
        legend_places=("upper left", "upper right"),
    )


def _trivial() -> Line:
    return Line(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 0.0]), role="reference")


@picture_of("DecisionCurve")
def decision_picture(curve: DecisionCurve, *, name: str | None = None) -> Picture:
    """Draw the net benefit of the model, of treating all and of treating none."""
    called = name_of(curve, name) or "model"
    floor = -0.05 - 0.1 * curve.prevalence
    everybody = np.where(curve.treat_all >= floor, curve.treat_all, np.nan)
    shown = np.where(curve.net_benefit >= floor, curve.net_benefit, np.nan)
    layers: tuple[Layer, ...] = (
        *_without_model(curve.thresholds, everybody),
        Line(curve.thresholds, shown, label=called),
    )
    return Picture(
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


@picture_of("CurveBand")
def band_picture(band: CurveBand, *, name: str | None = None) -> Picture:
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
    return Picture(
        layers=tuple(layers),
        x=Axis(band.x_name.capitalize(), PADDED_UNIT),
        y=Axis(band.quantity.capitalize(), (low, high)),
        caption=(f"Pointwise {100 * band.level:g} % limits by the bootstrap.",),
        legend_places=("upper right", "upper left"),
    )


@picture_of("CurveDifference")
def difference_picture(answer: CurveDifference, *, name: str | None = None) -> Picture:
    """Draw the difference of two models with its pointwise limits; 0 is no difference."""
    words = f"{answer.names[0]} minus {answer.names[1]}"
    layers: tuple[Layer, ...] = (
        Line(np.array([0.0, 1.0]), np.zeros(2), role="reference"),
        *_won(answer),
        Band(answer.x, answer.lower, answer.upper),
        Line(answer.x, answer.difference, label=f"{name}, {words}" if name else words),
    )
    return Picture(
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
