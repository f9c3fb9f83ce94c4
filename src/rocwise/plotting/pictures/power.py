"""Pictures of planned studies: power against the number of cases."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocwise import printing
from rocwise.plotting.layers import PADDED_UNIT, Axis, Label, Layer, Line, Picture, Points
from rocwise.plotting.registry import picture_of

if TYPE_CHECKING:
    from rocwise.binary.planning import PowerCurve, StudyPlan

USUAL_POWER = 0.8
MARGIN = 0.03


@picture_of("PowerCurve")
def power_picture(
    curve: PowerCurve, *, name: str | None = None, wanted: float | None = USUAL_POWER
) -> Picture:
    """Draw power over the number of positives.

    Parameters
    ----------
    curve
        The curve.
    name
        Its entry in the legend; without it the AUCs that are told apart.
    wanted
        Power at which to draw a line to compare with; None for no line.
    """
    order = np.argsort(curve.n_pos, kind="stable")
    most = float(curve.n_pos.max())
    layers: list[Layer] = [
        Line(
            curve.n_pos[order].astype(np.float64),
            curve.power[order],
            label=curve.question if name is None else name,
        )
    ]
    if wanted is not None:
        layers.insert(0, Line(np.array([0.0, most]), np.full(2, wanted), role="reference"))
    return Picture(
        layers=tuple(layers),
        x=Axis("Positives", (0.0, most * (1 + MARGIN))),
        y=Axis("Power", PADDED_UNIT),
        caption=curve.conditions(),
        legend_places=("lower right", "upper left"),
    )


@picture_of("StudyPlan")
def plan_picture(
    plan: StudyPlan, *, name: str | None = None, wanted: float | None = None
) -> Picture:
    """Draw the power curve of the design, with the plan as a point on it.

    Options as for a power curve; the line to compare with is by default at the power asked for.
    """
    picture = power_picture(
        plan.curve(), name=name, wanted=plan.power if wanted is None else wanted
    )
    x, y = float(plan.n_pos), plan.achieved_power
    marks: tuple[Layer, ...] = (
        Points(np.array([x]), np.array([y])),
        Label(x, y, printing.classes(plan.n_pos, plan.n_neg)),
    )
    return replace(picture, layers=(*picture.layers, *marks))
