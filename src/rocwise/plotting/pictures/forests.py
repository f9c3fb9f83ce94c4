"""Pictures of areas with their intervals: a row for each model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from rocwise import checks, printing
from rocwise.plotting.layers import Axis, Layer, Line, Picture, Points, Tick, Whiskers
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.pictures.roc_details import area_layer
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import (
    AxisWords,
    area_kind,
    area_words,
    auc_words,
    entry,
    interval_words,
    name_of,
)

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc

View: TypeAlias = Literal["curve", "row"]
MARGIN = 0.04


@picture_of("Auc", together={"view": "row"})
def auc_picture(
    auc: Auc,
    *,
    name: str | None = None,
    chance: bool = True,
    view: View = "curve",
    axis: AxisWords = "ml",
) -> Picture:
    """Draw the area under its curve; several areas as points with their intervals.

    Parameters
    ----------
    auc
        The area.
    name
        What curve or row is called.
    chance
        Whether to draw what is expected of a worthless test.
    view
        "curve": the curve with the area, or the part of it, shaded; "row": a point with its
        interval, the numbers at the right.
    axis
        Words of the view "curve".
    """
    checks.one_of(view, "view", ("curve", "row"))
    if view == "curve" and auc.data is not None:
        area = area_layer(auc, auc)
        words = auc_words(auc) if auc.part.is_whole else None
        label = entry(name_of(auc, name), words) if words else name_of(auc, name)
        picture = roc_square((area, Line(*auc.curve(), label=label)), axis, chance)
        return replace(picture, caption=_method(auc))
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
        caption=_method(auc),
        rows=1,
    )


def _method(auc: Auc) -> tuple[str, ...]:
    return (f"Interval: {auc.interval.method}.",) if auc.interval.method else ()
