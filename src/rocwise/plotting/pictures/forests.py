"""Pictures of areas with their intervals: a row for each model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocwise import printing
from rocwise.plotting.layers import Axis, Layer, Line, Picture, Points, Tick, Whiskers
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import area_kind, area_words, interval_words, name_of

if TYPE_CHECKING:
    from rocwise.binary.areas.empirical import Auc

MARGIN = 0.04


@picture_of("Auc")
def auc_picture(auc: Auc, *, name: str | None = None, chance: bool = True) -> Picture:
    """Draw the area as a point with its interval, the numbers at the right.

    Parameters
    ----------
    auc
        The area.
    name
        What the row is called.
    chance
        Whether to draw the area of a worthless test: one half, or its share of a part.
    """
    low, value, high = auc.interval.low, auc.value, auc.interval.high
    row = np.zeros(1)
    layers: list[Layer] = [
        Whiskers(np.array([low]), np.array([high]), row),
        Points(np.array([value]), row),
    ]
    reach = [low, value, high]
    if chance:
        worthless = 0.5 if auc.standardized else auc.part.limits[0]
        layers.insert(0, Line(np.full(2, worthless), np.array([-0.5, 0.5]), role="reference"))
        reach.append(worthless)
    margin = MARGIN * (max(reach) - min(reach))
    return Picture(
        layers=tuple(layers),
        x=Axis(
            f"{area_kind(auc)} ({printing.percent(auc.interval.level)} CI)",
            (min(reach) - margin, max(reach) + margin),
        ),
        y=Axis("", (-0.5, 0.5), ticks=(Tick(0.0, name_of(auc, name) or ""),)),
        right_ticks=(Tick(0.0, f"{area_words(auc, value)} ({interval_words(auc)})"),),
        caption=(f"Intervals: {auc.interval.method}.",) if auc.interval.method else (),
        rows=1,
    )
