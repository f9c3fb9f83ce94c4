"""Pictures of ROC curves that follow from distributions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocwise.plotting.pictures import Label, Layer, Line, Picture, Points
from rocwise.plotting.registry import picture_of
from rocwise.plotting.roc_pictures import roc_square
from rocwise.plotting.wording import entry, name_of

if TYPE_CHECKING:
    from rocwise.binary.predicted import PredictedRoc


@picture_of("PredictedRoc")
def predicted_picture(
    curve: PredictedRoc, *, name: str | None = None, axis: str = "ml", chance: bool = True
) -> Picture:
    """Draw the predicted curve and mark its best threshold; options as for a ROC curve."""
    label = entry(name_of(curve, name), f"predicted AUC {curve.auc:.3f}")
    layers: list[Layer] = [Line(curve.fpr, curve.tpr, label=label)]
    if math.isfinite(curve.best_threshold):
        best = int(np.argmax(curve.ameans))
        x, y = float(curve.fpr[best]), float(curve.tpr[best])
        sign = ">" if curve.direction == "higher" else "<"
        layers += [
            Points(np.array([x]), np.array([y])),
            Label(x, y, f"score {sign} {curve.best_threshold:.3g}"),
        ]
    return roc_square(tuple(layers), axis, chance)
