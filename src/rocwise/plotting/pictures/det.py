"""Pictures of detection error trade-off (DET) curves, on normal-deviate axes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from rocwise import printing
from rocwise.arrays import Floats
from rocwise.plotting.layers import Axis, Label, Layer, Line, Picture, Points
from rocwise.plotting.pictures.roc import has_diagonals
from rocwise.plotting.registry import picture_of
from rocwise.plotting.scales import normal_cdf, probit, probit_frame
from rocwise.plotting.threshold_labels import LabelledCurve, label_layers
from rocwise.plotting.wording import AxisWords, name_of, rate_word

if TYPE_CHECKING:
    from rocwise.binary.roc import DetCurve

INFINITY_SENTENCE = "Rates of 0 and 100 % lie infinitely far out; they are drawn at the edge."
TIED_SENTENCE = "Slanted segments are tied scores."
VISIBLE_BEND = 0.05
"""Slanted segments longer than this, in normal deviates, are drawn with their curvature."""
POINTS_PER_BEND = 16


@picture_of("DetCurve")
def det_picture(
    curve: DetCurve,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: int | Iterable[float] | None = None,
) -> Picture:
    """Draw false negatives over false positives, both on normal-deviate axes in percent.

    Two normal distributions of scores give a straight line there. Options as for a ROC curve.
    """
    frame = probit_frame(curve.fpr, curve.fnr)
    x, y = bent(curve.fpr, curve.fnr, frame)
    layers: list[Layer] = [Line(x, y, label=name_of(curve, name))]
    if chance:
        layers.insert(0, Line(np.array([0.0, 1.0]), np.array([1.0, 0.0]), role="reference"))
    labelled = LabelledCurve(
        curve.fpr,
        curve.fnr,
        curve.thresholds,
        direction=curve.origin.direction,
        categories=curve.origin.categories,
        drawn=(_framed_probit(curve.fpr, frame), _framed_probit(curve.fnr, frame)),
    )
    layers += label_layers(labelled, threshold_labels, side="above-right")
    equal = curve.equal_rate()
    if threshold_labels is None and 0 < equal < 0.5:
        words = f"equal errors {printing.rate(equal, curve.n_pos + curve.n_neg)}"
        layers.append(Points(np.array([equal]), np.array([equal])))
        layers.append(Label(equal, equal, words, "above-right"))
    tied = has_diagonals(curve.fpr, curve.fnr)
    return Picture(
        layers=tuple(layers),
        x=Axis(f"{rate_word('fpr', axis)} (%)", frame, scale="probit"),
        y=Axis(f"{rate_word('fnr', axis)} (%)", frame, scale="probit"),
        square=True,
        caption=(INFINITY_SENTENCE, TIED_SENTENCE) if tied else (INFINITY_SENTENCE,),
        legend_places=("upper right", "lower left"),
    )


def bent(x: Floats, y: Floats, frame: tuple[float, float]) -> tuple[Floats, Floats]:
    """Add points to slanted segments, which are straight in rates and so bend on these axes."""
    slanted = (np.diff(x) != 0) & (np.diff(y) != 0)
    across, upwards = _framed_probit(x, frame), _framed_probit(y, frame)
    reach = np.maximum(np.abs(np.diff(across)), np.abs(np.diff(upwards)))
    where = np.flatnonzero(slanted & (reach > VISIBLE_BEND))
    shares = [_shares(x[k : k + 2], y[k : k + 2], frame) for k in where]
    at = np.repeat(where + 1, [len(share) for share in shares])
    more_x = [x[k] + share * (x[k + 1] - x[k]) for k, share in zip(where, shares, strict=True)]
    more_y = [y[k] + share * (y[k + 1] - y[k]) for k, share in zip(where, shares, strict=True)]
    if not len(where):
        return x, y
    return np.insert(x, at, np.concatenate(more_x)), np.insert(y, at, np.concatenate(more_y))


def _shares(x: Floats, y: Floats, frame: tuple[float, float]) -> Floats:
    """Return where on a segment (0 to 1) to add points: even steps of either normal deviate."""
    shares = []
    for rates in (x, y):
        ends = _framed_probit(rates, frame)
        inner = normal_cdf(np.linspace(ends[0], ends[1], POINTS_PER_BEND))
        shares.append((inner - rates[0]) / (rates[1] - rates[0]))
    pooled = np.unique(np.concatenate(shares))
    return pooled[(pooled > 0) & (pooled < 1)]


def _framed_probit(rates: Floats, frame: tuple[float, float]) -> Floats:
    return probit(np.clip(rates, *frame))
