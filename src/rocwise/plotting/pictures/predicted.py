"""Pictures of ROC curves that follow from distributions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocwise.plotting.layers import Axis, Band, Label, Layer, Line, Picture, Points
from rocwise.plotting.pictures.histograms import bars, bin_edges
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import AxisWords, entry, name_of

if TYPE_CHECKING:
    from rocwise.binary.distributions import FittedDistribution
    from rocwise.binary.predicted_roc import ClassDensities, PredictedRoc

TAIL = 0.002
"""Share of the highest density below which a tail is not drawn."""


@picture_of("PredictedRoc")
def predicted_picture(
    curve: PredictedRoc, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> Picture:
    """Draw the predicted curve and mark its best threshold; options as for a ROC curve."""
    label = entry(name_of(curve, name), f"predicted AUC {curve.auc:.3f}")
    layers: list[Layer] = [Line(curve.fpr, curve.tpr, label=label)]
    if math.isfinite(curve.best_threshold):
        x, y = curve.best_point
        sign = ">" if curve.direction == "higher" else "<"
        layers += [
            Points(np.array([x]), np.array([y])),
            Label(x, y, f"score {sign} {curve.best_threshold:.3g}"),
        ]
    return roc_square(tuple(layers), axis, chance)


@picture_of("ClassDensities")
def densities_picture(classes: ClassDensities, *, name: str | None = None) -> Picture:
    """Draw the densities of both classes, with the best threshold between them."""
    curve = classes.curve
    x, negative, positive = curve.densities()
    top = 1.1 * float(max(np.nanmax(negative), np.nanmax(positive)))
    seen = x[np.maximum(negative, positive) > TAIL * top]
    layers: list[Layer] = [
        Band(x, np.zeros(len(x)), negative),
        Line(x, negative, label=entry(name, "negatives")),
        Band(x, np.zeros(len(x)), positive, slot=1),
        Line(x, positive, slot=1, label=entry(name, "positives")),
    ]
    if math.isfinite(curve.best_threshold):
        cut = np.full(2, curve.best_threshold)
        layers.append(Line(cut, np.array([0.0, top]), role="reference", label="best threshold"))
    return Picture(
        layers=tuple(layers),
        x=Axis("Score", (float(seen[0]), float(seen[-1]))),
        y=Axis("Density", (0.0, top)),
        legend_places=("upper left", "upper right"),
    )


@picture_of("FittedDistribution")
def fitted_picture(fit: FittedDistribution, *, name: str | None = None) -> Picture:
    """Draw the density of the distribution that was chosen over a histogram of the sample."""
    x, y = fit.density()
    layers: list[Layer] = [Line(x, y, label=entry(name, fit.family))]
    top = float(np.nanmax(y))
    if fit.sample is not None:
        edges = bin_edges(fit.sample, fit.n)
        heights, _ = np.histogram(fit.sample, edges, density=True)
        layers.insert(0, bars(edges, heights, muted=True, label="sample"))
        top = max(top, float(heights.max()))
    return Picture(
        layers=tuple(layers),
        x=Axis("Score", (float(x[0]), float(x[-1]))),
        y=Axis("Density", (0.0, 1.15 * top)),
        legend_places=("upper right", "upper left"),
    )
