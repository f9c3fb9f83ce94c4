"""Pictures of cross-validated areas: the folds, and one row per interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocwise import printing
from rocwise.plotting.layers import Axis, Layer, Line, Picture, Points, Tick, Whiskers
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import name_of

if TYPE_CHECKING:
    from rocwise.binary.cross_validation import CrossValidatedAuc

ROW_WORDS = {"corrected-t": "Corrected t", "influence": "Influence", "t": "t"}
MARGIN = 0.04


@picture_of("CrossValidatedAuc")
def crossval_picture(
    result: CrossValidatedAuc, *, name: str | None = None, chance: bool = True
) -> Picture:
    """Draw the AUC of every fold in the top row, and below it the mean with each interval.

    Parameters
    ----------
    result
        The cross-validated area.
    name
        Put before the words at each row.
    chance
        Whether to draw the area of a worthless test, one half.
    """
    n = result.n_pos + result.n_neg
    heights = np.arange(len(result.intervals))[::-1].astype(np.float64)
    low = np.array([interval.low for interval in result.intervals.values()])
    high = np.array([interval.high for interval in result.intervals.values()])
    top = float(len(low))
    layers: list[Layer] = [
        Points(result.fold_values, np.full(len(result.fold_values), top), muted=True),
        Whiskers(low, high, heights),
        Points(np.full(len(low), result.value), heights),
    ]
    reach = [low.min(), high.max(), result.fold_values.min(), result.fold_values.max()]
    if chance:
        layers.insert(0, Line(np.full(2, 0.5), np.array([-0.5, top + 0.5]), role="reference"))
        reach.append(0.5)
    margin = MARGIN * float(max(reach) - min(reach))
    called = name_of(result, name)
    before = "" if called is None else f"{called}: "
    words = {top: f"{before}Folds"} | {
        height: f"{before}{ROW_WORDS[method]}"
        for height, method in zip(heights.tolist(), result.intervals, strict=True)
    }
    return Picture(
        layers=tuple(layers),
        x=Axis(
            f"AUC ({printing.percent(result.interval.level)} CI)",
            (float(min(reach)) - margin, float(max(reach)) + margin),
        ),
        y=Axis("", (-0.5, top + 0.5), ticks=tuple(Tick(*item) for item in words.items())),
        right_ticks=tuple(
            Tick(height, f"{printing.rate(first, n)} to {printing.rate(last, n)}")
            for height, first, last in zip(heights.tolist(), low, high, strict=True)
        ),
        caption=(f"{before}{_means(result, n)}.",),
        rows=len(low) + 1,
    )


def _means(result: CrossValidatedAuc, n: float) -> str:
    return (
        f"AUC {printing.rate(result.value, n)} per fold, {printing.rate(result.pooled, n)} pooled"
    )
