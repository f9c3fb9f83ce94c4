"""Pictures of calibration, lift, and measures at points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from rocwise import checks, printing
from rocwise.plotting.layers import (
    PADDED_UNIT,
    Axis,
    Band,
    Layer,
    Line,
    Picture,
    Points,
)
from rocwise.plotting.pictures.histograms import bars, class_shares
from rocwise.plotting.pictures.thresholds import score_ends, threshold_steps
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import AxisWords, entry, name_of, rate_word

if TYPE_CHECKING:
    from rocwise.binary.calibration import Calibration
    from rocwise.binary.precision_recall import PrecisionRecallBand
    from rocwise.binary.roc import Lift

DIAGONAL = np.array([0.0, 1.0])
HIGHEST_BAR = 0.125


@picture_of("Calibration")
def calibration_picture(
    result: Calibration, *, name: str | None = None, histogram: bool = True
) -> Picture:
    """Draw observed shares over predicted ones, with their limits and the diagonal.

    Parameters
    ----------
    result
        The calibration.
    name
        What the legend calls it.
    histogram
        Whether to draw, small and grey, how the predictions are spread.
    """
    slope = "" if result.slope is None else f"slope {result.slope:.2f}, "
    words = entry(name_of(result, name), f"{slope}Brier {result.brier:.3f}")
    layers: list[Layer] = [Line(DIAGONAL, DIAGONAL, role="reference", label="perfect")]
    if histogram and result.data is not None:
        layers.append(_predictions(result))
    layers += [
        Band(result.predicted, result.low, result.high),
        Line(result.predicted, result.observed, label=words),
    ]
    if result.strategy != "loess":
        layers.append(Points(result.predicted, result.observed))
    level = printing.percent(result.level)
    kind = {
        "quantile": f"{len(result.predicted)} bins of about equal size",
        "uniform": f"{len(result.predicted)} bins of equal width",
        "isotonic": "blocks of the isotonic fit",
        "loess": "local linear fit",
    }[result.strategy]
    grey = ("Grey: how the predictions are spread.",) if histogram and result.data else ()
    return Picture(
        layers=tuple(layers),
        x=Axis("Predicted probability", PADDED_UNIT),
        y=Axis("Observed share", PADDED_UNIT),
        square=True,
        caption=(f"{kind[0].upper()}{kind[1:]}, pointwise {level} limits.", *grey),
        legend_places=("upper left", "lower right"),
    )


def _predictions(result: Calibration) -> Band:
    """Bars at the bottom of the square, the highest an eighth of its height."""
    assert result.data is not None
    edges, negative, positive = class_shares(result.data)
    cases = negative * result.n_neg + positive * result.n_pos
    return bars(edges, HIGHEST_BAR * cases / cases.max(), muted=True)


@picture_of("Lift")
def lift_picture(
    result: Lift, *, name: str | None = None, view: Literal["gain", "lift", "ks"] = "gain"
) -> Picture:
    """Draw the cumulative gain, the lift, or the distance of the classes.

    Parameters
    ----------
    result
        The curve.
    name
        What the legend calls it.
    view
        "gain" or "lift" over the share of the cases; "ks": the shares of both classes at or beyond
        each threshold, with the largest distance between them.
    """
    checks.one_of(view, "view", ("gain", "lift", "ks"))
    n = result.n_pos + result.n_neg
    words = entry(name_of(result, name), f"KS {printing.rate(result.ks, n)}")
    if view == "ks":
        return _distance(result, words)
    if view == "lift":
        x, y = result.share[1:], np.asarray(result.lift[1:], np.float64)
        layers: tuple[Layer, ...] = (
            Line(DIAGONAL, np.ones(2), role="reference", label="drawn blindly"),
            Line(x, y, label=words),
        )
        top = float(y.max()) * 1.05
        return Picture(
            layers=layers,
            x=Axis("Share of the cases, highest scores first", PADDED_UNIT),
            y=Axis("Lift", (0.0, max(top, 1.1))),
            legend_places=("upper right",),
        )
    return Picture(
        layers=(
            Line(DIAGONAL, DIAGONAL, role="reference", label="drawn blindly"),
            Line(result.share, result.gain, label=words),
        ),
        x=Axis("Share of the cases, highest scores first", PADDED_UNIT),
        y=Axis("Share of the positives", PADDED_UNIT),
        square=True,
        legend_places=("lower right", "upper left"),
    )


def _distance(result: Lift, words: str) -> Picture:
    """The shares of both classes that reach each threshold, and where they are farthest apart."""
    fpr, tpr = result.curve()
    ends = score_ends(np.asarray(result.thresholds, np.float64), "result")
    layers: list[Layer] = []
    for slot, (label, rates) in enumerate((("negatives", fpr), ("positives", tpr))):
        x, y = threshold_steps(result.thresholds, rates, result.origin.direction, ends)
        layers.append(Line(x, y, slot=slot, label=label))
    best = int(np.argmax(np.abs(tpr - fpr)))
    if np.isfinite(result.ks_threshold):
        there = np.full(2, result.ks_threshold)
        gap = Line(there, np.array([fpr[best], tpr[best]]), role="reference", label=words)
        layers.append(gap)
    reach = "at or above" if result.origin.direction == "higher" else "at or below"
    return Picture(
        layers=tuple(layers),
        x=Axis("Threshold", ends),
        y=Axis(f"Share of the class {reach}", PADDED_UNIT),
        legend_places=("upper right", "lower left"),
    )


@picture_of("PrecisionRecallBand")
def precision_band_picture(
    result: PrecisionRecallBand, *, name: str | None = None, axis: AxisWords = "ml"
) -> Picture:
    """Draw the band of the precision over the recall, and the observed precision in it.

    Parameters
    ----------
    result
        The band.
    name
        What the legend calls it.
    axis
        "ml": precision and recall; "clinical": positive predictive value and sensitivity.
    """
    words = entry(name_of(result, name), f"{printing.percent(result.level)} {result.kind} band")
    level = np.full(2, result.prevalence)
    chance = printing.rate(result.prevalence, result.n_pos + result.n_neg)
    return Picture(
        layers=(
            Line(DIAGONAL, level, role="reference", label=f"chance (prevalence {chance})"),
            Band(result.recall, result.lower, result.upper),
            Line(result.recall, result.precision, label=words),
        ),
        x=Axis(rate_word("recall", axis), PADDED_UNIT),
        y=Axis(rate_word("precision", axis), PADDED_UNIT),
        square=True,
        legend_places=("lower left", "upper right", "lower right"),
    )
