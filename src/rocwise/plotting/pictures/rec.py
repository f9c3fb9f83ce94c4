"""Pictures of forecasts: REC curves, their bands, order and comparison; RROC curves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import count_of
from rocwise.plotting.layers import (
    PADDED_UNIT,
    Axis,
    Band,
    Label,
    Layer,
    Line,
    Picture,
    Points,
    Side,
)
from rocwise.plotting.pictures.inference import Row, difference_rows, difference_title, forest
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import entry, name_of, with_capitals

if TYPE_CHECKING:
    from rocwise.regression.comparisons import RecComparison
    from rocwise.regression.rec_bands import RecBand
    from rocwise.regression.rec_curves import RecAccuracy, RecCurve, RecOrder
    from rocwise.regression.rroc_curves import RrocCurve

MARGIN = 0.015
BEYOND = 1e6  # curves go on at 1 to the right; a picture with worse models shows more of that
LABEL_DISTANCE = 0.12  # smallest distance between two labels, as a share of the axis
FEW_CROSSINGS = 3  # that are named; with more the numbers would hide the curves
SHARE = "Share of cases within tolerance"


@picture_of("RecCurve")
def rec_picture(
    curve: RecCurve, *, name: str | None = None, limit: float | None = None, null: bool = True
) -> Picture:
    """Draw the steps of the curve, the area over it in the legend.

    Parameters
    ----------
    curve
        The curve.
    name
        What the legend calls it.
    limit
        Largest tolerance to show; by default the largest error of the null model, or without one
        that of the model.
    null
        Whether to draw the curve of the null model, where there is one.
    """
    words = f"AOC {curve.aoc:.3g}"
    if curve.relative_aoc is not None:
        words += f" ({curve.relative_aoc:.2g} of null)"
    layers: list[Layer] = [_steps(curve, label=entry(name_of(curve, name), words))]
    if null and curve.null_curve is not None:
        label = f"null model, AOC {curve.null_curve.aoc:.3g}"
        layers.insert(0, replace(_steps(curve.null_curve, label=label), role="reference"))
    edge = _right_edge(curve, limit)
    return _rec_frame(curve.loss, tuple(layers), edge, _remarks(curve, edge, null))


def _remarks(curve: RecCurve, edge: float, null: bool) -> tuple[str, ...]:
    """What the null model is, and how many errors the picture does not show."""
    sentences = []
    if null and curve.null is not None:
        sentences.append(f"Dashed: null model, {curve.null}.")
    hidden = curve.n - int(curve.hits_at(edge))
    if hidden:
        verb = "is" if hidden == 1 else "are"
        sentences.append(f"{count_of(hidden, 'error')} {verb} larger than the axis shows.")
    return tuple(sentences)


@picture_of("RecBand")
def rec_band_picture(
    band: RecBand, *, name: str | None = None, limit: float | None = None
) -> Picture:
    """Draw the band around the curve; the caption says what it promises.

    Parameters
    ----------
    band
        The band.
    name
        What the legend calls it.
    limit
        Largest tolerance to show.
    """
    x = _step_places(band.tolerance, beyond=10.0)
    shaded = Band(
        x, _step_heights(0.0, band.lower), _step_heights(min(1.0, band.half_width), band.upper)
    )
    words = f"AOC {band.curve.aoc:.3g}"
    line = _steps(band.curve, label=entry(name_of(band, name), words))
    warning = band.warning()
    caption = (f"{band.promise()}.", *([f"{warning[0].upper()}{warning[1:]}."] if warning else []))
    return _rec_frame(band.loss, (shaded, line), _right_edge(band.curve, limit), caption)


@picture_of("RecOrder")
def rec_order_picture(
    order: RecOrder, *, name: str | None = None, limit: float | None = None
) -> Picture:
    """Draw both curves, with a dot wherever the better one changes.

    Parameters
    ----------
    order
        Two curves in order.
    name
        Words above the legend entries of both, if any.
    limit
        Largest tolerance to show.
    """
    layers: list[Layer] = []
    for slot, (called, curve) in enumerate(zip(order.names, order.curves, strict=True)):
        shown = called if name is None else f"{name} {called}"
        layers.append(replace(_steps(curve, label=f"{shown}, AOC {curve.aoc:.3g}"), slot=slot))
    edge = max(_right_edge(curve, limit) for curve in order.curves)
    if len(order.crossings):
        heights = np.maximum(*(c.share_at(order.crossings) for c in order.curves))
        layers.append(Points(order.crossings, heights, slot=2))
        if len(order.crossings) <= FEW_CROSSINGS:
            layers += _spaced_labels(order.crossings, heights, edge)
    caption = (f"{order}.",)  # may begin with the name of a model, which is left as it is
    return _rec_frame(order.curves[0].loss, tuple(layers), edge, caption)


def _spaced_labels(places: Floats, heights: Floats, edge: float) -> list[Layer]:
    """The tolerance beside each dot, as long as there is room for it."""
    found: list[Layer] = []
    last = -np.inf
    for x, y in zip(places.tolist(), heights.tolist(), strict=True):
        if x - last >= LABEL_DISTANCE * edge:
            side: Side = "below-right" if y > LABEL_DISTANCE else "above-right"
            found.append(Label(x, y, f"{x:.3g}", side=side, slot=2))
            last = x
    return found


@picture_of("RecAccuracy")
def rec_accuracy_picture(accuracy: RecAccuracy, *, name: str | None = None) -> Picture:
    """Draw the share of cases within each tolerance as a point with its interval.

    Parameters
    ----------
    accuracy
        Shares with intervals.
    name
        What the model is called.
    """
    called = name_of(accuracy, name)
    rows = [
        Row(
            entry(called, f"within {limit:.4g}"),
            float(share),
            (float(low), float(high)),
            f"{printing.rate(share, accuracy.n)}",
        )
        for limit, share, low, high in zip(
            accuracy.tolerance, accuracy.accuracy, accuracy.lower, accuracy.upper, strict=True
        )
    ]
    title = f"Share of cases ({printing.percent(accuracy.level)} CI)"
    return forest(
        rows, title, null=None, caption=f"Intervals: {with_capitals(accuracy.method)}, each alone."
    )


@picture_of("RecComparison")
def rec_comparison_picture(comparison: RecComparison, *, name: str | None = None) -> Picture:
    """Draw every difference, with its interval where the method has one.

    Parameters
    ----------
    comparison
        Two or more forecasters compared.
    name
        What the row is called, with two models.
    """
    adjusted = "" if comparison.pairwise is None else "; p adjusted by Holm"
    caption = f"{comparison.method[0].upper()}{comparison.method[1:]}{adjusted}."
    rows = difference_rows(comparison, name)
    return forest(rows, difference_title(comparison, rows), null=0.0, caption=caption)


@picture_of("RrocCurve")
def rroc_picture(curve: RrocCurve, *, name: str | None = None) -> Picture:
    """Draw under- over overestimation for every shift, with a dot at the forecasts as they are.

    Parameters
    ----------
    curve
        The curve.
    name
        What the legend calls it.
    """
    words = f"error variance {curve.error_variance:.3g}"
    layers: tuple[Layer, ...] = (
        Line(curve.over, curve.under, label=entry(name_of(curve, name), words)),
        Points(np.array([curve.over_now]), np.array([curve.under_now])),
    )
    right = max(float(curve.over.max()), curve.over_now) or 1.0
    bottom = min(float(curve.under.min()), curve.under_now) or -1.0
    return Picture(
        layers=layers,
        x=Axis("Total overestimation", (-MARGIN * right, right * (1 + MARGIN))),
        y=Axis("Total underestimation", (bottom * (1 + MARGIN), -MARGIN * bottom)),
        caption=("Dot: forecasts as they are; the curve: all forecasts shifted by one number.",),
        legend_places=("lower right", "upper left"),
    )


def _steps(curve: RecCurve, label: str | None) -> Line:
    """The curve as a line of steps that goes on at 1."""
    return Line(_step_places(curve.tolerance), _step_heights(0.0, curve.accuracy), label=label)


def _step_places(tolerance: Floats, beyond: float = BEYOND) -> Floats:
    """Every tolerance twice, from 0 to far right of the last."""
    far = beyond * (float(tolerance[-1]) or 1.0)
    return np.concatenate([[0.0], np.repeat(tolerance, 2), [far]])


def _step_heights(before: float, heights: Floats) -> Floats:
    """Heights just left and right of every tolerance."""
    return np.repeat(np.concatenate([[before], heights]), 2)


def _right_edge(curve: RecCurve, limit: float | None) -> float:
    if limit is not None:
        edge = checks.not_negative(limit, "limit")
    else:
        edge = float((curve.null_curve or curve).tolerance[-1])
    return edge or 1.0


def _rec_frame(
    loss: str, layers: tuple[Layer, ...], edge: float, caption: tuple[str, ...]
) -> Picture:
    words = f"{loss} error" if loss in {"absolute", "squared"} else loss
    return Picture(
        layers=layers,
        x=Axis(f"Tolerance ({words})", (-MARGIN * edge, (1 + MARGIN) * edge)),
        y=Axis(SHARE, PADDED_UNIT),
        caption=caption,
        legend_places=("lower right", "upper left"),
    )
