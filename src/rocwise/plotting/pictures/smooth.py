"""Pictures of smooth ROC curves and of the share of pairs that keep a margin."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocwise import printing
from rocwise.plotting.layers import PADDED_UNIT, Axis, Label, Layer, Line, Picture, Points
from rocwise.plotting.pictures.roc import roc_square
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import AxisWords, entry, name_of

if TYPE_CHECKING:
    from rocwise.binary.scored_auc import ScoredRoc
    from rocwise.binary.smooth_roc import SmoothRoc

FEW = 60  # points up to which every segment's ends are marked
LABELLED = 13  # points up to which every segment has its score written beside it
RUN, RISE = "Run: share of the sum of 1 − Θ", "Rise: share of the sum of Θ"


@picture_of("SmoothRoc")
def smooth_picture(
    curve: SmoothRoc, *, name: str | None = None, axis: AxisWords | None = None, chance: bool = True
) -> Picture:
    """Draw the smooth curve in the unit square, with the ends of its segments when they are few.

    Parameters
    ----------
    curve
        The curve.
    name
        What the legend calls it.
    axis
        "ml" or "clinical" gives the axes the titles of a ROC curve, with which it may then share
        a picture; without it they say what the smooth curve shows.
    chance
        Whether to draw the diagonal.
    """
    words = f"smAUC {printing.rate(curve.auc, curve.n_pos + curve.n_neg)}"
    layers: list[Layer] = [Line(curve.x, curve.y, label=entry(name_of(curve, name), words))]
    if len(curve.x) <= FEW:
        layers.append(Points(curve.x, curve.y))
    if len(curve.x) <= LABELLED and name is None:
        layers += _scores(curve)
    picture = roc_square(tuple(layers), axis or "ml", chance)
    called = name_of(curve, name)
    midpoint = f"Midpoint{f' of {called}' if called else ''}: {curve.midpoint:.3g}."
    return replace(
        picture,
        x=picture.x if axis else replace(picture.x, title=RUN),
        y=picture.y if axis else replace(picture.y, title=RISE),
        caption=("Each score moves the smooth curve by its size.", midpoint),
    )


def _scores(curve: SmoothRoc) -> list[Label]:
    """The score of each segment, below its middle: the steeper, the more it speaks for positive."""
    x, y = (curve.x[1:] + curve.x[:-1]) / 2, (curve.y[1:] + curve.y[:-1]) / 2
    places = zip(x.tolist(), y.tolist(), curve.scores[1:].tolist(), strict=True)
    return [Label(across, up, f"{score:.3g}") for across, up, score in places]


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
