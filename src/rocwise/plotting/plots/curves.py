"""Plots of ROC curves that follow from distributions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    PADDED_UNIT,
    TIES_SENTENCE,
    Axis,
    AxisWords,
    Band,
    Label,
    Layer,
    Line,
    PlotSpec,
    Points,
    Side,
    area_kind,
    area_words,
    auc_words,
    entry,
    interval_words,
    name_of,
    normal_cdf,
    probit,
    probit_frame,
    rate_word,
    true_minus,
    with_capitals,
)
from rocwise.plotting.spec import Band as BandLayer
from rocwise.plotting.threshold_marks import LabelledCurve, label_layers

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc
    from rocwise.binary.bands import Band as RocBand
    from rocwise.binary.bands import BinormalBand, RateRegions
    from rocwise.binary.binormal import BinormalFit
    from rocwise.binary.confident_segment import ConfidentSegment
    from rocwise.binary.distributions import FittedDistribution
    from rocwise.binary.precision_recall import PrecisionRecallCurve
    from rocwise.binary.predicted_roc import ClassDensities, PredictedRoc
    from rocwise.binary.roc import DataResult, DetCurve, RocCurve, RocHull
    from rocwise.binary.roc_averages import ThresholdAverage, VerticalAverage
    from rocwise.binary.scored_auc import ScoredRoc
    from rocwise.binary.smooth_roc import SmoothRoc
    from rocwise.data.tally import Tally


RateScale: TypeAlias = Literal["linear", "log"]
NEAR_EDGE, NEAR_AXIS = 0.62, 0.12
SEED = 1
"""Of a band that the plot asks for: the same plot every time."""
TABLE = (
    ("Sensitivity", "sensitivity"),
    ("Specificity", "specificity"),
    ("Positive predictive value", "ppv"),
    ("Negative predictive value", "npv"),
)


def band_of(curve: DataResult, band: Any, level: float) -> RocBand:
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


def shaded(curve: DataResult, shade: Any, level: float) -> Band:
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


def area_layer(curve: DataResult, auc: Auc) -> Band:
    """The part of the curve that an area is about."""
    words = f"{area_kind(auc)}: {area_words(auc, auc.value)}"
    level = printing.percent(auc.interval.level)
    words = f"{words} ({level} CI {interval_words(auc)})"
    if auc.part.is_whole:
        return part_layer(curve, (0.0, 1.0), "fpr", None)
    return part_layer(curve, (auc.part.low, auc.part.high), auc.part.axis, words)


def part_layer(curve: DataResult, ends: tuple[float, float], axis: str, label: str | None) -> Band:
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


def point_layers(curve: DataResult, point: Any, direction: str) -> Marked:
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


def table_rows(curve: DataResult, marked: Marked, level: float) -> tuple[Any, ...]:
    """Rates with their intervals at a threshold, as rows of words below a plot."""
    found = curve.ask("at", threshold=marked.threshold, level=level).columns
    rows = [(f"At threshold {true_minus(marked.text)}", "", f"{printing.percent(level)} CI")]
    for word, name in TABLE:
        value, low, high = (found[f"{name}{end}"].tolist()[0] for end in ("", "_low", "_high"))
        if value is not None:
            rows.append((word, f"{value:.3f}", f"{low:.3f} to {high:.3f}"))
    return tuple(rows)


def zoomed(spec: PlotSpec, zoom: Any) -> PlotSpec:
    """The same plot over a part of the false positive rates."""
    if zoom is None:
        return spec
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
    return replace(spec, x=replace(spec.x, limits=(low - margin, high + margin)))


def on_log_axis(spec: PlotSpec, n_neg: float) -> PlotSpec:
    """The same plot with the logarithm of the false positive rate as its axis.

    A rate of 0 has no place there: the curve starts at the left edge, below one false positive.
    """
    low = 10.0 ** np.floor(np.log10(0.5 / max(n_neg, 1.0)))
    high = max(spec.x.limits[1], 10 * low)

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
        spec,
        layers=tuple(map(moved, spec.layers)),
        x=Axis(spec.x.title, (low, high), scale="log"),
        legend_places=("upper left", "lower right"),
    )


def _along(line: Line, x: Floats) -> Floats:
    return np.asarray(np.interp(x, line.x, line.y))


VISIBLE_TIES = 0.01
BELOW_BAND = "#6E6E6E"
"""Colour of a shaded part where a band has that of the curve."""


@plot_of("RocCurve")
def roc_plot(
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
) -> PlotSpec:
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
        Of what is computed for the plot.
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
    spec = replace(roc_square(tuple(layers), axis, chance), caption=caption, table=rows)
    checks.one_of(scale, "scale", ("linear", "log"))
    return zoomed(spec, zoom) if scale == "linear" else on_log_axis(spec, curve.n_neg)


@plot_of("RocHull")
def hull_plot(
    hull: RocHull,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: int | Iterable[float] | None = None,
) -> PlotSpec:
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


def roc_square(layers: tuple[Layer, ...], axis: AxisWords, chance: bool) -> PlotSpec:
    """Put layers into the ROC square, with its words, limits and the chance line below them."""
    diagonal = Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), role="reference")
    return PlotSpec(
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


INFINITY_SENTENCE = "Rates of 0 and 100 % lie infinitely far out; they are drawn at the edge."
TIED_SENTENCE = "Slanted segments are tied scores."
VISIBLE_BEND = 0.05
"""Slanted segments longer than this, in normal deviates, are drawn with their curvature."""
POINTS_PER_BEND = 16


@plot_of("DetCurve")
def det_plot(
    curve: DetCurve,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: int | Iterable[float] | None = None,
) -> PlotSpec:
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
    return PlotSpec(
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


FEW = 60  # points up to which every segment's ends are marked
LABELLED = 13  # points up to which every segment has its score written beside it
RUN, RISE = "Run: share of the sum of 1 − Θ", "Rise: share of the sum of Θ"


@plot_of("SmoothRoc")
def smooth_plot(
    curve: SmoothRoc, *, name: str | None = None, axis: AxisWords | None = None, chance: bool = True
) -> PlotSpec:
    """Draw the smooth curve in the unit square, with the ends of its segments when they are few.

    Parameters
    ----------
    curve
        The curve.
    name
        What the legend calls it.
    axis
        "ml" or "clinical" gives the axes the titles of a ROC curve, with which it may then share
        a plot; without it they say what the smooth curve shows.
    chance
        Whether to draw the diagonal.
    """
    words = f"smAUC {printing.rate(curve.auc, curve.n_pos + curve.n_neg)}"
    layers: list[Layer] = [Line(curve.x, curve.y, label=entry(name_of(curve, name), words))]
    if len(curve.x) <= FEW:
        layers.append(Points(curve.x, curve.y))
    if len(curve.x) <= LABELLED and name is None:
        layers += _scores(curve)
    spec = roc_square(tuple(layers), axis or "ml", chance)
    called = name_of(curve, name)
    midpoint = f"Midpoint{f' of {called}' if called else ''}: {curve.midpoint:.3g}."
    return replace(
        spec,
        x=spec.x if axis else replace(spec.x, title=RUN),
        y=spec.y if axis else replace(spec.y, title=RISE),
        caption=("Each score moves the smooth curve by its size.", midpoint),
    )


def _scores(curve: SmoothRoc) -> list[Label]:
    """The score of each segment, below its middle: the steeper, the more it speaks for positive."""
    x, y = (curve.x[1:] + curve.x[:-1]) / 2, (curve.y[1:] + curve.y[:-1]) / 2
    places = zip(x.tolist(), y.tolist(), curve.scores[1:].tolist(), strict=True)
    return [Label(across, up, f"{score:.3g}") for across, up, score in places]


@plot_of("ScoredRoc")
def scored_plot(curve: ScoredRoc, *, name: str | None = None) -> PlotSpec:
    """Draw the share of pairs over the margin by which the positive must be ahead."""
    label = entry(name_of(curve, name), f"sAUC {curve.auc:.3f}")
    return PlotSpec(
        layers=(Line(curve.tau, curve.share, label=label),),
        x=Axis("Margin", PADDED_UNIT),
        y=Axis("Share of pairs ahead by more", PADDED_UNIT),
        legend_places=("upper right", "lower left"),
    )


STEPS_SENTENCE = "Drawn in steps: the area below the line is the average precision."


@plot_of("PrecisionRecallCurve")
def precision_recall_plot(
    curve: PrecisionRecallCurve,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: int | Iterable[float] | None = None,
) -> PlotSpec:
    """Draw precision over recall in steps, whose area is the average precision.

    Parameters
    ----------
    curve
        The curve.
    name
        What the legend calls it.
    axis
        "ml" for precision and recall, "clinical" for positive predictive value and sensitivity.
    chance
        Whether to draw the prevalence, the precision of a worthless test.
    threshold_labels
        How many cut-offs to write on the curve, or a list of them.
    """
    n = curve.n_pos + curve.n_neg
    words = f"AP {printing.rate(curve.average_precision, n)}"
    x, y = step_path(curve.recall, curve.precision)
    layers: list[Layer] = [Line(x, y, label=entry(name_of(curve, name), words))]
    if chance:
        layers.insert(0, _prevalence_line(curve))
    labelled = LabelledCurve(
        curve.recall,
        curve.precision,
        curve.thresholds,
        direction=curve.origin.direction,
        categories=curve.origin.categories,
    )
    layers += label_layers(labelled, threshold_labels, side="above-right")
    return PlotSpec(
        layers=tuple(layers),
        x=Axis(rate_word("recall", axis), PADDED_UNIT),
        y=Axis(rate_word("precision", axis), PADDED_UNIT),
        square=True,
        caption=(STEPS_SENTENCE,),
        legend_places=("lower left", "upper right", "lower right"),
    )


def step_path(recall: Floats, precision: Floats) -> tuple[Floats, Floats]:
    """Return the corners of the steps: from one recall to the next at the later precision.

    A straight line between two points of this curve would promise precisions that no mixture of
    the two rules reaches. The first precision is left out: nobody is called positive there, and
    its value of 1 is only a custom.
    """
    return np.repeat(recall, 2)[1:-1], np.repeat(precision, 2)[2:]


def _prevalence_line(curve: PrecisionRecallCurve) -> Line:
    level = np.full(2, curve.prevalence)
    words = f"chance (prevalence {printing.rate(curve.prevalence, curve.n_pos + curve.n_neg)})"
    return Line(np.array([0.0, 1.0]), level, role="reference", label=words)


MOST_INTERVALS = 1500
MARGIN = 0.04
VIEWS = ("curve", "intervals", "plane")


@plot_of("ConfidentSegment")
def segment_plot(
    segment: ConfidentSegment,
    *,
    name: str | None = None,
    view: Literal["curve", "intervals", "plane"] = "curve",
    axis: AxisWords = "ml",
    chance: bool = True,
) -> PlotSpec:
    """Draw the segment.

    Parameters
    ----------
    segment
        The segment.
    name
        What the legend calls it.
    view
        "curve": the ROC curve with its confident part in bold; "intervals": (FN - FP)/n with its
        interval against the threshold; "plane": the mean difference and the CAUC as a point, to
        compare several models.
    axis, chance
        As for a ROC curve, in the view "curve".
    """
    checks.one_of(view, "view", VIEWS)
    called = name_of(segment, name)
    if view == "intervals":
        return _intervals(segment, called)
    if view == "plane":
        return _plane(segment, called)
    words = f"CAUC {printing.rate(segment.cauc, segment.n_pos + segment.n_neg)}"
    layers: tuple[Layer, ...] = (
        Line(segment.curve_fpr, segment.curve_tpr, muted=True),
        Line(segment.fpr, segment.tpr, label=entry(called, words)),
    )
    return replace(roc_square(layers, axis, chance), caption=(_sentence(segment),))


def _sentence(segment: ConfidentSegment) -> str:
    level = printing.percent(segment.level)
    return f"In colour: thresholds where Tango's {level} interval of (FN − FP)/n contains 0."


def _intervals(segment: ConfidentSegment, called: str | None) -> PlotSpec:
    """Differences and their limits over the threshold."""
    finite = np.flatnonzero(np.isfinite(segment.curve_thresholds))
    if not len(finite):
        raise InputError("`segment` has no finite threshold, so there is no axis to draw it on.")
    spread = np.linspace(0, len(finite) - 1, min(len(finite), MOST_INTERVALS)).round()
    rows = finite[np.unique(spread.astype(np.intp))]
    rows = rows[np.argsort(segment.curve_thresholds[rows], kind="stable")]
    x = segment.curve_thresholds[rows].astype(np.float64)
    difference, low, high = segment.intervals(rows)
    margin = MARGIN * (float(x[-1] - x[0]) or 1.0)
    level = printing.percent(segment.level)
    return PlotSpec(
        layers=(
            Line(np.array([x[0], x[-1]]), np.zeros(2), role="reference"),
            Band(x, low, high),
            Line(x, difference, label=called),
        ),
        x=Axis("Threshold", (float(x[0]) - margin, float(x[-1]) + margin)),
        y=Axis("(FN − FP) / n", (float(low.min()) - MARGIN, float(high.max()) + MARGIN)),
        caption=(f"Shaded: Tango's {level} intervals; confident where they contain 0.",),
        legend_places=("lower right", "upper left", "upper right", "lower left"),
    )


def _plane(segment: ConfidentSegment, called: str | None) -> PlotSpec:
    """One point: how balanced the errors are along the segment, and how much area it has."""
    if segment.mean_difference is None:
        raise InputError("`segment` is empty, so it has no place in this plot.")
    x, y = segment.mean_difference, segment.cauc
    reach = max(abs(x) * 1.5, 0.01)
    layers: tuple[Layer, ...] = (
        Line(np.zeros(2), np.array([0.0, 1.0]), role="reference"),
        Points(np.array([x]), np.array([y]), label=called),
    )
    return PlotSpec(
        layers=layers,
        x=Axis("Mean (FN − FP) / n on the segment (AveD)", (-reach, reach)),
        y=Axis("Area of the confident segment (CAUC)", PADDED_UNIT),
        caption=("Best: high, and near the line of no difference.",),
        legend_places=("lower right", "upper left", "lower left", "upper right"),
    )


MOST_RECTANGLES = 8
NOT_A_BAND = "Each interval holds alone; joined they are not a band for the whole curve."


@plot_of("Band")
def band_plot(
    band: RocBand, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """Draw the band around the curve it was made from; the caption says what it promises.

    Parameters
    ----------
    band
        The band.
    name
        What the legend calls it.
    axis
        "ml" for true and false positive rate, "clinical" for sensitivity and 1 − specificity.
    chance
        Whether to draw the diagonal of a worthless test.
    """
    words = f"AUC {printing.rate(band.auc, band.n_pos + band.n_neg)}"
    layers = (
        band_layer(band),
        Line(band.curve_fpr, band.curve_tpr, label=entry(name_of(band, name), words)),
    )
    return replace(roc_square(layers, axis, chance), caption=_promise(band))


@plot_of("BinormalBand")
def binormal_band_plot(
    band: BinormalBand, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """Draw the band around the fitted curve, the observed one beside it; options as for a band."""
    n = band.n_pos + band.n_neg
    words = f"binormal fit, AUC {printing.rate(band.fit.auc, n)}"
    fpr, tpr = band.fit.curve()
    layers: tuple[Layer, ...] = (
        band_layer(band),
        Line(band.curve_fpr, band.curve_tpr, muted=True, label="observed"),
        Line(fpr, tpr, label=entry(name_of(band, name), words)),
    )
    return replace(roc_square(layers, axis, chance), caption=_promise(band))


@plot_of("BinormalFit")
def binormal_plot(
    fit: BinormalFit, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """Draw the fitted curve over the observed one; options as for a band."""
    n = fit.n_pos + fit.n_neg
    words = f"binormal fit, AUC {printing.rate(fit.auc, n)}"
    fpr, tpr = fit.curve()
    layers: tuple[Layer, ...] = (
        Line(fit.curve_fpr, fit.curve_tpr, muted=True, label="observed"),
        Line(fpr, tpr, label=entry(name_of(fit, name), words)),
    )
    level = printing.percent(fit.interval.level)
    sentence = (
        f"Probit of TPR = {fit.a:.3f} + {fit.b:.3f} probit of FPR, by maximum likelihood; AUC "
        f"{level} CI {printing.rate(fit.interval.low, n)} to {printing.rate(fit.interval.high, n)}."
    )
    return replace(roc_square(layers, axis, chance), caption=(sentence,))


@plot_of("VerticalAverage")
def vertical_average_plot(
    average: VerticalAverage,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
) -> PlotSpec:
    """Draw the average with its limits over the curves it is made of; options as for a band."""
    words = f"average of {len(average.curves)}"
    areas = average.areas()
    if areas is not None:
        words += f", AUC {areas.mean():.3f} ± {areas.std(ddof=1):.3f}"
    layers: tuple[Layer, ...] = (
        *(Line(average.fpr, curve, muted=True) for curve in average.curves),
        BandLayer(average.fpr, average.lower, average.upper),
        Line(average.fpr, average.tpr, label=entry(name_of(average, name), words)),
    )
    level = printing.percent(average.level)
    caption = (f"Shaded: {level} {average.interval} intervals at each FPR.", NOT_A_BAND)
    return replace(roc_square(layers, axis, chance), caption=caption)


@plot_of("ThresholdAverage")
def threshold_average_plot(
    average: ThresholdAverage,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
) -> PlotSpec:
    """Draw the average point of each threshold, and crosses for the limits of some."""
    words = f"threshold average of {average.n_curves}"
    line = Line(average.fpr, average.tpr, label=entry(name_of(average, name), words))
    level = printing.percent(average.level)
    return replace(
        roc_square((line, *_crosses(average)), axis, chance),
        caption=(f"Crosses: {level} {average.interval} intervals of both rates.", NOT_A_BAND),
    )


@plot_of("RateRegions")
def regions_plot(
    regions: RateRegions, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """Draw points of the curve with the intervals of both rates; options as for a band."""
    rows = _chosen(regions)
    layers: list[Layer] = [*_crosses(regions)]
    if regions.data is not None:
        layers.insert(0, Line(*regions.curve(), muted=True))
    layers.append(Points(regions.fpr[rows], regions.tpr[rows], label=name_of(regions, name)))
    places = zip(regions.fpr[rows], regions.tpr[rows], regions.thresholds[rows], strict=True)
    layers += [Label(float(x), float(y), f"{t:.4g}".replace("-", "−")) for x, y, t in places]
    level = printing.percent(regions.level)
    return replace(
        roc_square(tuple(layers), axis, chance),
        caption=(
            f"Crosses: {level} {with_capitals(regions.method)} intervals of both rates.",
            NOT_A_BAND,
        ),
    )


def _crosses(rates: ThresholdAverage | RateRegions) -> tuple[Layer, ...]:
    """Horizontal and vertical intervals at a few thresholds, one line with gaps for each way."""
    rows = _chosen(rates)
    gap = np.full(len(rows), np.nan)
    fpr, tpr = rates.fpr[rows], rates.tpr[rows]

    def joined(*columns: np.ndarray) -> np.ndarray:
        return np.column_stack(columns).ravel()

    return (
        Line(
            joined(rates.fpr_lower[rows], rates.fpr_upper[rows], gap),
            joined(tpr, tpr, gap),
            role="hull",
        ),
        Line(
            joined(fpr, fpr, gap),
            joined(rates.tpr_lower[rows], rates.tpr_upper[rows], gap),
            role="hull",
        ),
    )


def _chosen(rates: ThresholdAverage | RateRegions) -> np.ndarray:
    """Some places, evenly spread: more crosses than that cannot be read."""
    last = len(rates.fpr) - 1
    return np.unique(np.linspace(0, last, min(last + 1, MOST_RECTANGLES)).round().astype(np.intp))


def _promise(band: RocBand) -> tuple[str, ...]:
    sentence = f"{band.promise()}."
    if band.simultaneous:
        return (sentence,)
    return (sentence, NOT_A_BAND)


TAIL = 0.002
"""Share of the highest density below which a tail is not drawn."""


@plot_of("PredictedRoc")
def predicted_plot(
    curve: PredictedRoc, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """Draw the predicted curve and mark its best threshold; options as for a ROC curve."""
    label = entry(name_of(curve, name), f"predicted AUC {curve.auc:.3f}")
    layers: list[Layer] = [Line(curve.fpr, curve.tpr, label=label)]
    if math.isfinite(curve.best_threshold):
        x, y = curve.best_point
        sign = ">" if curve.direction == "higher" else "<"
        layers += [
            Points(np.array([x]), np.array([y])),
            Label(x, y, f"score {sign} {curve.best_threshold:.3g}"),
        ]
    return roc_square(tuple(layers), axis, chance)


@plot_of("ClassDensities")
def densities_plot(classes: ClassDensities, *, name: str | None = None) -> PlotSpec:
    """Draw the densities of both classes, with the best threshold between them."""
    curve = classes.curve
    x, negative, positive = curve.densities()
    top = 1.1 * float(max(np.nanmax(negative), np.nanmax(positive)))
    seen = x[np.maximum(negative, positive) > TAIL * top]
    layers: list[Layer] = [
        Band(x, np.zeros(len(x)), negative),
        Line(x, negative, label=entry(name, "negatives")),
        Band(x, np.zeros(len(x)), positive, slot=1),
        Line(x, positive, slot=1, label=entry(name, "positives")),
    ]
    if math.isfinite(curve.best_threshold):
        cut = np.full(2, curve.best_threshold)
        layers.append(Line(cut, np.array([0.0, top]), role="reference", label="best threshold"))
    return PlotSpec(
        layers=tuple(layers),
        x=Axis("Score", (float(seen[0]), float(seen[-1]))),
        y=Axis("Density", (0.0, top)),
        legend_places=("upper left", "upper right"),
    )


@plot_of("FittedDistribution")
def fitted_plot(fit: FittedDistribution, *, name: str | None = None) -> PlotSpec:
    """Draw the density of the distribution that was chosen over a histogram of the sample."""
    x, y = fit.density()
    layers: list[Layer] = [Line(x, y, label=entry(name, fit.family))]
    top = float(np.nanmax(y))
    if fit.sample is not None:
        edges = bin_edges(fit.sample, fit.n)
        heights, _ = np.histogram(fit.sample, edges, density=True)
        layers.insert(0, bars(edges, heights, muted=True, label="sample"))
        top = max(top, float(heights.max()))
    return PlotSpec(
        layers=tuple(layers),
        x=Axis("Score", (float(x[0]), float(x[-1]))),
        y=Axis("Density", (0.0, 1.15 * top)),
        legend_places=("upper right", "upper left"),
    )


FEWEST, MOST = 8, 40


def bin_edges(values: Floats, n_values: float) -> Floats:
    """Edges of equal bins over the values: about twice the cube root of their number.

    >>> bin_edges(np.array([0.0, 1.0]), 1000).shape
    (21,)
    """
    low, high = float(np.min(values)), float(np.max(values))
    if not high > low:
        reach = 0.5 * max(abs(low), 1.0)
        low, high = low - reach, high + reach
    n_bins = int(np.clip(round(2 * n_values ** (1 / 3)), FEWEST, MOST))
    return np.linspace(low, high, n_bins + 1)


def bars(places: Floats, heights: Floats, *, base: float = 0.0, **styled: Any) -> Band:
    """The outline of bars that stand side by side, filled."""
    x = np.repeat(places, 2)[1:-1]
    upper = np.repeat(heights, 2)
    return Band(x, np.full(len(x), base), base + upper, **styled)


def histogram(values: Floats, **styled: Any) -> Band:
    """Shares of values in equal bins."""
    edges = bin_edges(values, len(values))
    counts, _ = np.histogram(values, edges)
    return bars(edges, counts / len(values), **styled)


def class_shares(data: Tally) -> tuple[Floats, Floats, Floats]:
    """Edges of bins of the scores, and the shares of negatives and of positives in them."""
    scores = np.asarray(data.scores, dtype=np.float64)
    finite = np.isfinite(scores)
    if not finite.any():
        raise InputError("`data` has no finite score, so there is no axis to draw it on.")
    edges = bin_edges(scores[finite], float(data.n_pos + data.n_neg))
    shares = (
        np.histogram(scores[finite], edges, weights=np.asarray(counts, np.float64)[finite])[0]
        / total
        for counts, total in ((data.neg, data.n_neg), (data.pos, data.n_pos))
    )
    negative, positive = shares
    return edges, negative, positive
