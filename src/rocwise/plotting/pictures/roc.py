"""Pictures of ROC curves and their convex hulls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.plotting.layers import PADDED_UNIT, Axis, Layer, Line, Picture, Points
from rocwise.plotting.pictures.roc_details import (
    RateScale,
    band_layer,
    band_of,
    on_log_axis,
    point_layers,
    shaded,
    table_rows,
    zoomed,
)
from rocwise.plotting.registry import picture_of
from rocwise.plotting.threshold_labels import LabelledCurve, label_layers
from rocwise.plotting.wording import TIES_SENTENCE, AxisWords, auc_words, entry, name_of, rate_word

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc
    from rocwise.binary.roc import RocCurve, RocHull

VISIBLE_TIES = 0.01
BELOW_BAND = "#6E6E6E"
"""Colour of a shaded part where a band has that of the curve."""


@picture_of("RocCurve")
def roc_picture(
    curve: RocCurve,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: int | Iterable[float] | None = None,
    auc: Auc | bool | None = None,
    band: Any = None,
    point: Any = None,
    shade: Any = None,
    table: bool = False,
    scale: RateScale = "linear",
    zoom: Any = None,
    level: float = 0.95,
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
        True, or the answer of `rw.auc` from the same data: its interval in the legend.
    band
        True, a kind of band, or the answer of `rw.band`.
    point
        A rule ("youden"), a threshold, or the answer of `rw.threshold`: marked on the curve.
    shade
        True, a largest FPR, a range of FPR, or a partial area: shaded, its value in the legend.
    table
        Whether to write sensitivity, specificity and predictive values at the point below.
    scale
        "log" shows rare false positives.
    zoom
        A largest FPR, or a range, that the axis shows.
    level
        Of what is computed for the picture.
    """
    words = f"AUC {printing.rate(curve.auc, curve.n_pos + curve.n_neg)}"
    if auc is not None and auc is not False:
        known = curve.ask("auc", level=level) if auc is True else auc
        _check_same_area(curve, known)
        words = auc_words(known)
    layers: list[Layer] = []
    caption = (TIES_SENTENCE,) if ties_show(curve.fpr, curve.tpr) else ()
    if shade is not None and shade is not False:
        layers.append(shaded(curve, shade, level))
    if band is not None and band is not False:
        layers = [replace(layer, color=BELOW_BAND) for layer in layers]  # to tell the two apart
        found = band_of(curve, band, level)
        layers.append(band_layer(found))
        caption = (f"{found.promise()}.", *caption)
    layers.append(Line(curve.fpr, curve.tpr, label=entry(name_of(curve, name), words)))
    layers += _labels(curve, threshold_labels, complete=holds_every_score(curve))
    rows: tuple[Any, ...] = ()
    if point is not None and point is not False:
        marked = point_layers(curve, point, curve.origin.direction)
        layers += marked.layers
        rows = table_rows(curve, marked, level) if table else ()
    elif table:
        raise InputError("`table` shows rates at a point; pass `point`, such as 'youden'.")
    picture = replace(roc_square(tuple(layers), axis, chance), caption=caption, table=rows)
    checks.one_of(scale, "scale", ("linear", "log"))
    return zoomed(picture, zoom) if scale == "linear" else on_log_axis(picture, curve.n_neg)


@picture_of("RocHull")
def hull_picture(
    hull: RocHull,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: int | Iterable[float] | None = None,
) -> Picture:
    """Draw the hull as a thin line with a dot at each vertex, the curve itself below it.

    Options as for a ROC curve.
    """
    words = f"hull, AUC {printing.rate(hull.auc, hull.n_pos + hull.n_neg)}"
    called = name_of(hull, name)
    label = f"{called} {words}" if called else words
    layers: list[Layer] = []
    if hull.data is not None:
        layers.append(Line(*hull.curve(), muted=True))
    layers.append(Line(hull.fpr, hull.tpr, role="hull", label=label))
    layers.append(Points(hull.fpr, hull.tpr))
    layers += _labels(hull, threshold_labels, complete=False)
    caption = ("Grey: the curve itself.",) if hull.data is not None else ()
    return replace(roc_square(tuple(layers), axis, chance), caption=caption)


def _labels(
    curve: RocCurve, wanted: int | Iterable[float] | None, *, complete: bool
) -> tuple[Layer, ...]:
    labelled = LabelledCurve(
        curve.fpr,
        curve.tpr,
        curve.thresholds,
        direction=curve.origin.direction,
        complete=complete,
        categories=curve.origin.categories,
    )
    return label_layers(labelled, wanted, side=None)


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


def ties_show(x: Floats, y: Floats) -> bool:
    """Say whether ties between the classes make up a hundredth of all pairs, enough to be seen."""
    return bool(np.abs(np.diff(x) * np.diff(y)).sum() >= VISIBLE_TIES)


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
