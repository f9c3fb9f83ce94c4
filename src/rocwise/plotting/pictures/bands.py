"""Pictures of bands, of binormal fits, of averages of curves, and of rates with their intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocwise import printing
from rocwise.plotting.layers import Band as BandLayer
from rocwise.plotting.layers import Label, Layer, Line, Picture, Points
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.pictures.roc_details import band_layer
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import AxisWords, entry, name_of, with_capitals

if TYPE_CHECKING:
    from rocwise.binary.bands import Band, BinormalBand, RateRegions
    from rocwise.binary.binormal import BinormalFit
    from rocwise.binary.roc_averages import ThresholdAverage, VerticalAverage

MOST_RECTANGLES = 8
NOT_A_BAND = "Each interval holds alone; joined they are not a band for the whole curve."


@picture_of("Band")
def band_picture(
    band: Band, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> Picture:
    """Draw the band around the curve it was made from; the caption says what it promises.

    Parameters
    ----------
    band
        The band.
    name
        What the legend calls it.
    axis
        "ml" for true and false positive rate, "clinical" for sensitivity and 1 − specificity.
    chance
        Whether to draw the diagonal of a worthless test.
    """
    words = f"AUC {printing.rate(band.auc, band.n_pos + band.n_neg)}"
    layers = (
        band_layer(band),
        Line(band.curve_fpr, band.curve_tpr, label=entry(name_of(band, name), words)),
    )
    return replace(roc_square(layers, axis, chance), caption=_promise(band))


@picture_of("BinormalBand")
def binormal_band_picture(
    band: BinormalBand, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> Picture:
    """Draw the band around the fitted curve, the observed one beside it; options as for a band."""
    n = band.n_pos + band.n_neg
    words = f"binormal fit, AUC {printing.rate(band.fit.auc, n)}"
    fpr, tpr = band.fit.curve()
    layers: tuple[Layer, ...] = (
        band_layer(band),
        Line(band.curve_fpr, band.curve_tpr, muted=True, label="observed"),
        Line(fpr, tpr, label=entry(name_of(band, name), words)),
    )
    return replace(roc_square(layers, axis, chance), caption=_promise(band))


@picture_of("BinormalFit")
def binormal_picture(
    fit: BinormalFit, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> Picture:
    """Draw the fitted curve over the observed one; options as for a band."""
    n = fit.n_pos + fit.n_neg
    words = f"binormal fit, AUC {printing.rate(fit.auc, n)}"
    fpr, tpr = fit.curve()
    layers: tuple[Layer, ...] = (
        Line(fit.curve_fpr, fit.curve_tpr, muted=True, label="observed"),
        Line(fpr, tpr, label=entry(name_of(fit, name), words)),
    )
    level = printing.percent(fit.interval.level)
    sentence = (
        f"Probit of TPR = {fit.a:.3f} + {fit.b:.3f} probit of FPR, by maximum likelihood; AUC "
        f"{level} CI {printing.rate(fit.interval.low, n)} to {printing.rate(fit.interval.high, n)}."
    )
    return replace(roc_square(layers, axis, chance), caption=(sentence,))


@picture_of("VerticalAverage")
def vertical_average_picture(
    average: VerticalAverage,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
) -> Picture:
    """Draw the average with its limits over the curves it is made of; options as for a band."""
    words = f"average of {len(average.curves)}"
    areas = average.areas()
    if areas is not None:
        words += f", AUC {areas.mean():.3f} ± {areas.std(ddof=1):.3f}"
    layers: tuple[Layer, ...] = (
        *(Line(average.fpr, curve, muted=True) for curve in average.curves),
        BandLayer(average.fpr, average.lower, average.upper),
        Line(average.fpr, average.tpr, label=entry(name_of(average, name), words)),
    )
    level = printing.percent(average.level)
    caption = (f"Shaded: {level} {average.interval} intervals at each FPR.", NOT_A_BAND)
    return replace(roc_square(layers, axis, chance), caption=caption)


@picture_of("ThresholdAverage")
def threshold_average_picture(
    average: ThresholdAverage,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
) -> Picture:
    """Draw the average point of each threshold, and crosses for the limits of some."""
    words = f"threshold average of {average.n_curves}"
    line = Line(average.fpr, average.tpr, label=entry(name_of(average, name), words))
    level = printing.percent(average.level)
    return replace(
        roc_square((line, *_crosses(average)), axis, chance),
        caption=(f"Crosses: {level} {average.interval} intervals of both rates.", NOT_A_BAND),
    )


@picture_of("RateRegions")
def regions_picture(
    regions: RateRegions, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> Picture:
    """Draw points of the curve with the intervals of both rates; options as for a band."""
    rows = _chosen(regions)
    layers: list[Layer] = [*_crosses(regions)]
    if regions.data is not None:
        layers.insert(0, Line(*regions.curve(), muted=True))
    layers.append(Points(regions.fpr[rows], regions.tpr[rows], label=name_of(regions, name)))
    places = zip(regions.fpr[rows], regions.tpr[rows], regions.thresholds[rows], strict=True)
    layers += [Label(float(x), float(y), f"{t:.4g}".replace("-", "−")) for x, y, t in places]
    level = printing.percent(regions.level)
    return replace(
        roc_square(tuple(layers), axis, chance),
        caption=(
            f"Crosses: {level} {with_capitals(regions.method)} intervals of both rates.",
            NOT_A_BAND,
        ),
    )


def _crosses(rates: ThresholdAverage | RateRegions) -> tuple[Layer, ...]:
    """Horizontal and vertical intervals at a few thresholds, one line with gaps for each way."""
    rows = _chosen(rates)
    gap = np.full(len(rows), np.nan)
    fpr, tpr = rates.fpr[rows], rates.tpr[rows]

    def joined(*columns: np.ndarray) -> np.ndarray:
        return np.column_stack(columns).ravel()

    return (
        Line(
            joined(rates.fpr_lower[rows], rates.fpr_upper[rows], gap),
            joined(tpr, tpr, gap),
            role="hull",
        ),
        Line(
            joined(fpr, fpr, gap),
            joined(rates.tpr_lower[rows], rates.tpr_upper[rows], gap),
            role="hull",
        ),
    )


def _chosen(rates: ThresholdAverage | RateRegions) -> np.ndarray:
    """Some places, evenly spread: more crosses than that cannot be read."""
    last = len(rates.fpr) - 1
    return np.unique(np.linspace(0, last, min(last + 1, MOST_RECTANGLES)).round().astype(np.intp))


def _promise(band: Band) -> tuple[str, ...]:
    sentence = f"{band.promise()}."
    if band.simultaneous:
        return (sentence,)
    return (sentence, NOT_A_BAND)
