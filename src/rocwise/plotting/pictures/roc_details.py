"""What a journal wants to see on one ROC curve: its band, a point, a shaded part, a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.plotting.layers import Axis, Band, Label, Layer, Line, Picture, Points, Side
from rocwise.plotting.wording import (
    area_kind,
    area_words,
    interval_words,
    true_minus,
    with_capitals,
)

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc
    from rocwise.binary.bands import Band as RocBand
    from rocwise.binary.roc import AboutData

RateScale: TypeAlias = Literal["linear", "log"]
NEAR_EDGE, NEAR_AXIS = 0.62, 0.12
SEED = 1
"""Of a band that the picture asks for: the same picture every time."""
TABLE = (
    ("Sensitivity", "sensitivity"),
    ("Specificity", "specificity"),
    ("Positive predictive value", "ppv"),
    ("Negative predictive value", "npv"),
)


def band_of(curve: AboutData, band: Any, level: float) -> RocBand:
    """The band given, or one of the kind named."""
    if band is True:
        band = "simultaneous"
    if isinstance(band, str):
        found: RocBand = curve.ask("band", kind=band, level=level, rng=SEED)
        return found
    if not hasattr(band, "lower") or not hasattr(band, "curve_fpr"):
        raise InputError(f"`band` must be True, a kind of band or a band; got {shown(band)}.")
    known: RocBand = band
    return known


def band_words(band: RocBand) -> str:
    """What a band is, and how wide: a narrow one cannot be seen."""
    width = printing.rate(band.area / 2, band.n_pos + band.n_neg)
    return f"{printing.percent(band.level)} {with_capitals(band.kind)} band (± {width} on average)"


def band_layer(band: RocBand, slot: int = 0) -> Band:
    """The area of a band with its entry in the legend."""
    return Band(band.fpr, band.lower, band.upper, label=band_words(band), slot=slot)


def shaded(curve: AboutData, shade: Any, level: float) -> Band:
    """The area under the curve, or under a part of it, with its value in the legend."""
    if shade is True:
        return part_layer(curve, (0.0, 1.0), "fpr", None)
    if type(shade).__name__ == "Auc":  # by name: drawing imports nothing that computes
        return area_layer(curve, shade)
    if np.ndim(shade) == 0:
        shade = (0.0, checks.rate(shade, "shade"))
    try:
        low, high = (checks.rate(end, "shade") for end in shade)
    except TypeError:
        raise InputError(
            f"`shade` must be True, a largest FPR, a range of FPR or an AUC; got {shown(shade)}."
        ) from None
    return area_layer(curve, curve.ask("auc", fpr_range=(low, high), level=level))


def area_layer(curve: AboutData, auc: Auc) -> Band:
    """The part of the curve that an area is about."""
    words = f"{area_kind(auc)}: {area_words(auc, auc.value)}"
    level = printing.percent(auc.interval.level)
    words = f"{words} ({level} CI {interval_words(auc)})"
    if auc.part.is_whole:
        return part_layer(curve, (0.0, 1.0), "fpr", None)
    return part_layer(curve, (auc.part.low, auc.part.high), auc.part.axis, words)


def part_layer(curve: AboutData, ends: tuple[float, float], axis: str, label: str | None) -> Band:
    """The area between the curve and the ends of a range of one of its rates."""
    fpr, tpr = curve.curve()
    low, high = ends
    if axis == "tpr":
        start, top = np.interp([low, high], tpr, fpr)
        rises, right = (fpr >= start) & (tpr <= high), tpr > high
        x = np.concatenate([[start], fpr[rises], [top], fpr[right]])
        upper = np.concatenate([[low], tpr[rises], [high], tpr[right]])
        order = np.argsort(x, kind="stable")
        x, upper = x[order], np.clip(upper[order], low, high)
        return Band(x, np.full(len(x), low), upper, label=label)
    inner = (fpr >= low) & (fpr <= high)
    x = np.concatenate([[low], fpr[inner], [high]])
    edges = np.interp([low, high], fpr, tpr)
    y = np.concatenate([edges[:1], tpr[inner], edges[1:]])
    return Band(x, np.zeros(len(x)), y, label=label)


class Marked(NamedTuple):
    """A threshold on a curve: what is drawn, its value, and how it is written."""

    layers: tuple[Layer, ...]
    threshold: float
    text: str


def point_layers(curve: AboutData, point: Any, direction: str) -> Marked:
    """The chosen point with its threshold and both rates."""
    if isinstance(point, str):
        point = curve.ask("threshold", rule=point)
    if isinstance(point, (int, float, np.number)) and not isinstance(point, bool):
        threshold = checks.real(point, "point")
        row = curve.ask("at", threshold=threshold)
        tpr = float(row.columns["sensitivity"][0])
        fpr = 1.0 - float(row.columns["specificity"][0])
        text = f"{threshold:.6g}"
    elif hasattr(point, "threshold_text") and hasattr(point, "tpr"):
        threshold, fpr, tpr, text = point.threshold, point.fpr, point.tpr, point.threshold_text
    else:
        raise InputError(
            f"`point` must be a rule such as 'youden', a threshold or the answer of "
            f"rw.threshold(...); got {shown(point)}."
        )
    n = getattr(curve, "n_pos", 1000) + getattr(curve, "n_neg", 1000)
    sign = "≥" if direction == "higher" else "≤"
    words = (
        f"{sign} {text}".replace("-", "−")
        + f"\nsens. {printing.rate(tpr, n)}, spec. {printing.rate(1 - fpr, n)}"
    )
    side: Side = "below-left" if fpr > NEAR_EDGE else "below-right"
    if tpr < NEAR_AXIS:
        side = "above-right"
    layers = (Points(np.array([fpr]), np.array([tpr])), Label(fpr, tpr, words, side))
    return Marked(layers, float(threshold), text)


def table_rows(curve: AboutData, marked: Marked, level: float) -> tuple[Any, ...]:
    """Rates with their intervals at a threshold, as rows of words below a picture."""
    found = curve.ask("at", threshold=marked.threshold, level=level).columns
    rows = [(f"At threshold {true_minus(marked.text)}", "", f"{printing.percent(level)} CI")]
    for word, name in TABLE:
        value, low, high = (found[f"{name}{end}"].tolist()[0] for end in ("", "_low", "_high"))
        if value is not None:
            rows.append((word, f"{value:.3f}", f"{low:.3f} to {high:.3f}"))
    return tuple(rows)


def zoomed(picture: Picture, zoom: Any) -> Picture:
    """The same picture over a part of the false positive rates."""
    if zoom is None:
        return picture
    try:
        low, high = (0.0, zoom) if np.ndim(zoom) == 0 else zoom
        low, high = checks.rate(low, "zoom"), checks.rate(high, "zoom")
    except (TypeError, ValueError) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(f"`zoom` must be a largest FPR or a range; got {shown(zoom)}.") from None
    if not low < high:
        raise InputError(f"`zoom` must be a range of FPR that is not empty; got {shown(zoom)}.")
    margin = 0.015 * (high - low)
    return replace(picture, x=replace(picture.x, limits=(low - margin, high + margin)))


def on_log_axis(picture: Picture, n_neg: float) -> Picture:
    """The same picture with the logarithm of the false positive rate as its axis.

    A rate of 0 has no place there: the curve starts at the left edge, below one false positive.
    """
    low = 10.0 ** np.floor(np.log10(0.5 / max(n_neg, 1.0)))
    high = max(picture.x.limits[1], 10 * low)

    def moved(layer: Layer) -> Layer:
        match layer:
            case Line() if layer.role == "reference":
                x = np.geomspace(low, 1.0, 200)
                return replace(layer, x=x, y=_along(layer, x))
            case Line() | Band() | Points():
                return replace(layer, x=np.maximum(layer.x, low))
            case Label():
                return replace(layer, x=max(layer.x, low))
        return layer

    return replace(
        picture,
        layers=tuple(map(moved, picture.layers)),
        x=Axis(picture.x.title, (low, high), scale="log"),
        legend_places=("upper left", "lower right"),
    )


def _along(line: Line, x: Floats) -> Floats:
    return np.asarray(np.interp(x, line.x, line.y))
