"""Pictures of smooth ROC curves and of the share of pairs that keep a margin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocwise import printing
from rocwise.plotting.pictures import PADDED_UNIT, Axis, Layer, Line, Picture, Points
from rocwise.plotting.registry import picture_of
from rocwise.plotting.roc_pictures import roc_square
from rocwise.plotting.wording import entry, name_of

if TYPE_CHECKING:
    from rocwise.binary.margins import ScoredRoc
    from rocwise.binary.smoothing import SmoothRoc

FEW = 60  # points up to which every segment's ends are marked


@picture_of("SmoothRoc")
def smooth_picture(
    curve: SmoothRoc, *, name: str | None = None, axis: str = "ml", chance: bool = True
) -> Picture:
    """Draw the smooth curve in the unit square, with the ends of its segments when they are few.

    Parameters
    ----------
    curve
        The curve.
    name
        What the legend calls it.
    axis
        "ml" or "clinical", as for a ROC curve, with which it may share a picture.
    chance
        Whether to draw the diagonal.
    """
    words = f"smAUC {printing.rate(curve.auc, curve.n_pos + curve.n_neg)}"
    layers: list[Layer] = [Line(curve.x, curve.y, label=entry(name_of(curve, name), words))]
    if len(curve.x) <= FEW:
        layers.append(Points(curve.x, curve.y))
    picture = roc_square(tuple(layers), axis, chance)
    sentence = f"Each score moves the smooth curve by its size; midpoint {curve.midpoint:.3g}."
    return Picture(
        layers=picture.layers,
        x=picture.x,
        y=picture.y,
        square=True,
        caption=(sentence,),
        legend_places=picture.legend_places,
    )


@picture_of("ScoredRoc")
def scored_picture(curve: ScoredRoc, *, name: str | None = None) -> Picture:
    """Draw the share of pairs over the margin by which the positive must be ahead."""
    label = entry(name_of(curve, name), f"sAUC {curve.auc:.3f}")
    return Picture(
        layers=(Line(curve.tau, curve.share, label=label),),
        x=Axis("Margin", PADDED_UNIT),
        y=Axis("Share of pairs ahead by more", PADDED_UNIT),
        legend_places=("upper right", "lower left"),
    )
