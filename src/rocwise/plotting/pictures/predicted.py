"""Pictures of ROC curves that follow from distributions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocwise.plotting.layers import Axis, Label, Layer, Line, Picture, Points
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import AxisWords, entry, name_of

if TYPE_CHECKING:
    from rocwise.binary.distributions.families import FittedDistribution
    from rocwise.binary.distributions.predicted_curves import PredictedRoc


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


@picture_of("FittedDistribution")
def fitted_picture(fit: FittedDistribution, *, name: str | None = None) -> Picture:
    """Draw the density of the distribution that was chosen, without its outermost tails."""
    x, y = fit.density()
    return Picture(
        layers=(Line(x, y, label=entry(name, fit.family)),),
        x=Axis("Score", (float(x[0]), float(x[-1]))),
        y=Axis("Density", (0.0, 1.15 * float(np.nanmax(y)))),
        legend_places=("upper right", "upper left"),
    )
