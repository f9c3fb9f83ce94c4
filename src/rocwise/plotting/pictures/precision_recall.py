"""Pictures of precision-recall curves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from rocwise import printing
from rocwise.arrays import Floats
from rocwise.plotting.layers import PADDED_UNIT, Axis, Layer, Line, Picture
from rocwise.plotting.registry import picture_of
from rocwise.plotting.threshold_labels import LabelledCurve, label_layers
from rocwise.plotting.wording import AxisWords, entry, name_of, rate_word

if TYPE_CHECKING:
    from rocwise.binary.precision_recall import PrecisionRecallCurve

STEPS_SENTENCE = "Drawn in steps: the area below the line is the average precision."


@picture_of("PrecisionRecallCurve")
def precision_recall_picture(
    curve: PrecisionRecallCurve,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: int | Iterable[float] | None = None,
) -> Picture:
    """Draw precision over recall in steps, whose area is the average precision.

    Parameters
    ----------
    curve
        The curve.
    name
        What the legend calls it.
    axis
        "ml" for precision and recall, "clinical" for positive predictive value and sensitivity.
    chance
        Whether to draw the prevalence, the precision of a worthless test.
    threshold_labels
        How many cut-offs to write on the curve, or a list of them.
    """
    n = curve.n_pos + curve.n_neg
    words = f"AP {printing.rate(curve.average_precision, n)}"
    x, y = step_path(curve.recall, curve.precision)
    layers: list[Layer] = [Line(x, y, label=entry(name_of(curve, name), words))]
    if chance:
        layers.insert(0, _prevalence_line(curve))
    labelled = LabelledCurve(
        curve.recall,
        curve.precision,
        curve.thresholds,
        direction=curve.origin.direction,
        categories=curve.origin.categories,
    )
    layers += label_layers(labelled, threshold_labels, side="above-right")
    return Picture(
        layers=tuple(layers),
        x=Axis(rate_word("recall", axis), PADDED_UNIT),
        y=Axis(rate_word("precision", axis), PADDED_UNIT),
        square=True,
        caption=(STEPS_SENTENCE,),
        legend_places=("lower left", "upper right", "lower right"),
    )


def step_path(recall: Floats, precision: Floats) -> tuple[Floats, Floats]:
    """Return the corners of the steps: from one recall to the next at the later precision.

    A straight line between two points of this curve would promise precisions that no mixture of
    the two rules reaches. The first precision is left out: nobody is called positive there, and
    its value of 1 is only a custom.
    """
    return np.repeat(recall, 2)[1:-1], np.repeat(precision, 2)[2:]


def _prevalence_line(curve: PrecisionRecallCurve) -> Line:
    level = np.full(2, curve.prevalence)
    words = f"chance (prevalence {printing.rate(curve.prevalence, curve.n_pos + curve.n_neg)})"
    return Line(np.array([0.0, 1.0]), level, role="reference", label=words)
