"""Pictures of ROC curves and their convex hulls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocwise import printing
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.plotting.layers import PADDED_UNIT, Axis, Layer, Line, Picture, Points
from rocwise.plotting.registry import picture_of
from rocwise.plotting.threshold_labels import LabelledCurve, label_layers
from rocwise.plotting.wording import TIES_SENTENCE, AxisWords, auc_words, entry, name_of, rate_word

if TYPE_CHECKING:
    from rocwise.binary.areas.empirical import Auc
    from rocwise.binary.curves.empirical import RocCurve, RocHull


@picture_of("RocCurve")
def roc_picture(
    curve: RocCurve,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: int | Iterable[float] | None = None,
    auc: Auc | None = None,
) -> Picture:
    """Draw the curve in the unit square, the area in the legend.

    Parameters
    ----------
    curve
        The curve.
    name
        What the legend calls it.
    axis
        "ml" for true and false positive rate, "clinical" for sensitivity and 1 − specificity.
    chance
        Whether to draw the diagonal of a worthless test.
    threshold_labels
        How many cut-offs to write on the curve, or a list of them.
    auc
        The area with its interval, from the same data, for the legend.
    """
    words = f"AUC {printing.rate(curve.auc, curve.n_pos + curve.n_neg)}"
    if auc is not None:
        _check_same_area(curve, auc)
        words = auc_words(auc)
    line = Line(curve.fpr, curve.tpr, label=entry(name_of(curve, name), words))
    labels = label_layers(
        LabelledCurve(
            curve.fpr,
            curve.tpr,
            curve.thresholds,
            direction=curve.origin.direction,
            complete=holds_every_score(curve),
            categories=curve.origin.categories,
        ),
        threshold_labels,
        side=None,
    )
    caption = (TIES_SENTENCE,) if has_diagonals(curve.fpr, curve.tpr) else ()
    return replace(roc_square((line, *labels), axis, chance), caption=caption)


@picture_of("RocHull")
def hull_picture(
    hull: RocHull,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: int | Iterable[float] | None = None,
) -> Picture:
    """Draw the hull as a thin line with a dot at each vertex; options as for a ROC curve."""
    words = f"hull, AUC {printing.rate(hull.auc, hull.n_pos + hull.n_neg)}"
    called = name_of(hull, name)
    label = f"{called} {words}" if called else words
    line = Line(hull.fpr, hull.tpr, role="hull", label=label)
    vertices = Points(hull.fpr, hull.tpr)
    labels = label_layers(
        LabelledCurve(
            hull.fpr,
            hull.tpr,
            hull.thresholds,
            direction=hull.origin.direction,
            complete=False,
            categories=hull.origin.categories,
        ),
        threshold_labels,
        side=None,
    )
    return roc_square((line, vertices, *labels), axis, chance)


def roc_square(layers: tuple[Layer, ...], axis: AxisWords, chance: bool) -> Picture:
    """Put layers into the ROC square, with its words, limits and the chance line below them."""
    diagonal = Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), role="reference")
    return Picture(
        layers=(diagonal, *layers) if chance else layers,
        x=Axis(rate_word("fpr", axis), PADDED_UNIT),
        y=Axis(rate_word("tpr", axis), PADDED_UNIT),
        square=True,
        legend_places=("lower right", "upper left"),
    )


def has_diagonals(x: Floats, y: Floats) -> bool:
    """Say whether some step of a curve moves both ways at once: a tie between the classes."""
    return bool(np.any((np.diff(x) != 0) & (np.diff(y) != 0)))


def holds_every_score(curve: RocCurve) -> bool:
    """Say whether it is certain that no point was left out by `drop_intermediate=True`.

    It is when every case without a weight moves the curve, or when a point lies inside a straight
    run upwards or to the right, since such points would have been left out.
    """
    unweighted = isinstance(curve.n_pos, int) and isinstance(curve.n_neg, int)
    if unweighted and len(curve.fpr) - 1 == curve.n_pos + curve.n_neg:
        return True
    upwards, rightwards = np.diff(curve.fpr) == 0, np.diff(curve.tpr) == 0
    runs = (upwards[1:] & upwards[:-1]) | (rightwards[1:] & rightwards[:-1])
    return bool(runs.any())


def _check_same_area(curve: RocCurve, auc: Auc) -> None:
    if type(auc).__name__ != "Auc":  # by name: drawing imports nothing that computes
        raise InputError(f"`auc` must be the answer of rw.auc(...); got {shown(auc)}.")
    if abs(auc.value - curve.auc) > 1e-9:
        raise InputError(
            f"`auc` is {auc.value:.6g}, but the curve has area {curve.auc:.6g}: they come from "
            "different data, or `auc` is a partial area. Pass the full AUC of the same data."
        )
