"""Plots of curves: ROC, hull, DET, precision and recall, bands, averages, distributions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from scipy.special import ndtr as normal_cdf
from scipy.special import ndtri as probit

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.plotting import forms, words
from rocwise.plotting.plots.decisions import DEFAULT_METRICS, METRICS, equal_points
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    Axis,
    AxisWords,
    Band,
    Label,
    Layer,
    Limits,
    Line,
    Name,
    PlotSpec,
    Points,
    marker,
    padded,
    probit_frame,
    reference,
)
from rocwise.plotting.threshold_labels import threshold_label_layers

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc
    from rocwise.binary.bands import Band as RocBand
    from rocwise.binary.bands import BinormalBand, RateRegions
    from rocwise.binary.binormal import BinormalFit
    from rocwise.binary.confident_segment import ConfidentSegment
    from rocwise.binary.covariate_adjustment import AdjustedRoc
    from rocwise.binary.distributions import FittedDistribution
    from rocwise.binary.precision_recall import PrecisionRecallBand, PrecisionRecallCurve
    from rocwise.binary.predicted_roc import ClassDensities, PredictedRoc
    from rocwise.binary.roc import DataResult, DetCurve, RocCurve, RocHull
    from rocwise.binary.roc_averages import ThresholdAverage, VerticalAverage
    from rocwise.binary.scored_auc import ScoredRoc
    from rocwise.binary.smooth_roc import SmoothRoc


RateScale: TypeAlias = Literal["linear", "log"]
ThresholdLabels: TypeAlias = int | Iterable[float] | None
TIES_SENTENCE = "Diagonals are tied scores; a tied pair counts one half."
VISIBLE_TIES = 0.01
BELOW_BAND = "#6E6E6E"  # color of a shaded area where a band has that of the curve
BAND_SEED = 1


@plot_of("RocCurve")
def roc_plot(
    curve: RocCurve,
    *,
    name: Name = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: ThresholdLabels = None,
    auc: Auc | bool | None = None,
    band: Any = None,
    point: Any = None,
    shade: Any = None,
    table: bool = False,
    scale: RateScale = "linear",
    zoom: Any = None,
    level: float = 0.95,
) -> PlotSpec:
    """The curve in the unit square, with the AUC in the legend.

    `threshold_labels` is a number of thresholds to write on the curve, or a list of them; `auc`
    True or the result of `rw.auc` for the same data, its interval in the legend; `band` True, a
    kind of band or the result of `rw.band`; `point` a rule ("youden"), a threshold or the result
    of `rw.threshold`; `shade` True, a largest FPR, a range of FPR or a partial AUC. `table` writes
    rates at the point below, `scale` "log" shows small FPR, `zoom` is a largest FPR or a range
    that the axis shows, `level` the confidence level of what is computed for the plot.
    """
    checks.one_of(scale, "scale", ("linear", "log"))
    label = f"AUC {printing.rate(curve.auc, curve.n_pos + curve.n_neg)}"
    if _given(auc):
        known: Any = curve.compute("auc", level=level) if auc is True else auc
        _check_same_area(curve, known)
        label = words.auc_words(known)
    layers: list[Layer] = []
    caption = (TIES_SENTENCE,) if ties_show(curve.fpr, curve.tpr) else ()
    if _given(shade):
        color = BELOW_BAND if _given(band) else None
        layers.append(replace(_shaded(curve, shade, level, axis), color=color))
    if _given(band):
        found = _band_of(curve, band, level)
        layers.append(_band_layer(found))
        caption = (_band_caption(found), *caption)
    layers.append(Line(curve.fpr, curve.tpr, label=words.entry_of(curve, name, label)))
    complete = has_every_score(curve)
    rates = (curve.fpr, curve.tpr)
    layers += threshold_label_layers(curve, *rates, threshold_labels, complete=complete)
    rows: tuple[Any, ...] = ()
    if _given(point):
        threshold, text, marks = _point_layers(curve, point)
        layers += marks
        rows = _table_rows(curve, threshold, text, level) if table else ()
    elif table:
        raise InputError("`table` shows rates at a point; pass `point`, such as 'youden'.")
    spec = replace(forms.roc_square(layers, axis, chance, *caption), table=rows)
    return _zoomed(spec, zoom) if scale == "linear" else _on_log_axis(spec, curve.n_neg)


def _given(option: Any) -> bool:
    return option is not None and option is not False


def _check_same_area(curve: RocCurve, auc: Auc) -> None:
    if type(auc).__name__ != "Auc":  # by name: plotting imports nothing that computes
        raise InputError(f"`auc` must be the result of rw.auc(...); got {shown(auc)}.")
    if abs(auc.value - curve.auc) > 1e-9:
        raise InputError(
            f"`auc` is {auc.value:.6g}, but the curve has area {curve.auc:.6g}: they come from "
            "different data, or `auc` is a partial area. Pass the full AUC of the same data."
        )


def _band_of(curve: DataResult, band: Any, level: float) -> Any:
    """The band given, or one of the kind given."""
    if band is True:
        band = "simultaneous"
    if isinstance(band, str):
        band = curve.compute("band", kind=band, level=level, rng=BAND_SEED)
    if not hasattr(band, "lower") or not hasattr(band, "curve_fpr"):
        raise InputError(f"`band` must be True, a kind of band or a band; got {shown(band)}.")
    return band


def _band_layer(band: RocBand) -> Band:
    kind = band.kind.replace("working-hotelling", "Working-Hotelling")
    label = f"{printing.percent(band.level)} {kind} band"
    return Band(band.fpr, band.lower, band.upper, label=label)


def _band_caption(band: RocBand) -> str:
    """What the band covers, and its half-width: a narrow band cannot be seen."""
    width = printing.rate(band.area / 2, band.n_pos + band.n_neg)
    return f"{band.description()}; half-width {width} on average."


def _shaded(curve: DataResult, shade: Any, level: float, axis: AxisWords) -> Band:
    """The area under the curve, or under a part of it, with its value in the legend."""
    if shade is True:
        return part_layer(curve)
    if type(shade).__name__ == "Auc":  # by name: plotting imports nothing that computes
        return area_layer(curve, shade, axis)
    if np.ndim(shade) == 0:
        shade = (0.0, checks.rate(shade, "shade"))
    try:
        low, high = (checks.rate(end, "shade") for end in shade)
    except TypeError:
        raise InputError(
            f"`shade` must be True, a largest FPR, a range of FPR or an AUC; got {shown(shade)}."
        ) from None
    return area_layer(curve, curve.compute("auc", fpr_range=(low, high), level=level), axis)


def area_layer(curve: DataResult, auc: Auc, axis: AxisWords = "ml") -> Band:
    """The part of the area under a curve that an AUC or partial AUC is of."""
    if auc.part.is_whole:
        return part_layer(curve)
    level = printing.percent(auc.interval.level)
    value = f"{words.area_kind(auc, axis)}: {words.area_words(auc, auc.value)}"
    label = f"{value} ({level} CI {words.interval_words(auc)})"
    return part_layer(curve, (auc.part.low, auc.part.high), auc.part.axis, label)


def part_layer(
    curve: DataResult, ends: Limits = (0.0, 1.0), axis: str = "fpr", label: str | None = None
) -> Band:
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
    start, end = np.interp([low, high], fpr, tpr)
    x = np.concatenate([[low], fpr[inner], [high]])
    upper = np.concatenate([[start], tpr[inner], [end]])
    return Band(x, np.zeros(len(x)), upper, label=label)


def _point_layers(curve: RocCurve, point: Any) -> tuple[float, str, tuple[Layer, ...]]:
    """A threshold, its text, and its point labeled with the threshold and both rates.

    Equally good points are marked too, where they are few.
    """
    if isinstance(point, str):
        point = curve.compute("threshold", rule=point)
    if isinstance(point, (int, float, np.number)) and not isinstance(point, bool):
        threshold = checks.real(point, "point")
        row = curve.compute("at", threshold=threshold).columns
        sign = "≥" if curve.origin.direction == "higher" else "≤"
        found = [(1.0 - row["specificity"][0], row["sensitivity"][0], f"{sign} {threshold:.6g}")]
        text = f"{threshold:.6g}"
    elif hasattr(point, "threshold_text") and hasattr(point, "tpr"):
        threshold, text = point.threshold, point.threshold_text
        found = [(each.fpr, each.tpr, words.decision(each)) for each in equal_points(point)]
    else:
        raise InputError(
            f"`point` must be a rule such as 'youden', a threshold or the result of "
            f"rw.threshold(...); got {shown(point)}."
        )
    n = curve.n_pos + curve.n_neg
    marks: list[Layer] = []
    for fpr, tpr, decision in found:
        label = words.true_minus(decision)
        if len(found) == 1:
            label += f"\nsens. {printing.rate(tpr, n)}, spec. {printing.rate(1 - fpr, n)}"
        marks += forms.marked_point(float(fpr), float(tpr), label, edge=0.62, bottom=0.12)
    return float(threshold), text, tuple(marks)


def _table_rows(curve: DataResult, threshold: float, text: str, level: float) -> tuple[Any, ...]:
    """Rates with their intervals at a threshold, as rows of text below a plot."""
    found = curve.compute("at", threshold=threshold, level=level).columns
    rows = [(f"At threshold {words.true_minus(text)}", "", f"{printing.percent(level)} CI")]
    for name in DEFAULT_METRICS:
        value, low, high = (found[f"{name}{end}"].tolist()[0] for end in ("", "_low", "_high"))
        if value is not None:
            rows.append((METRICS[name], f"{value:.3f}", f"{low:.3f} to {high:.3f}"))
    return tuple(rows)


def _zoomed(spec: PlotSpec, zoom: Any) -> PlotSpec:
    """The same plot over a range of the false positive rate."""
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
    return replace(spec, x=replace(spec.x, limits=padded([low, high], 0.015)))


def _on_log_axis(spec: PlotSpec, n_neg: float) -> PlotSpec:
    """The same plot with a logarithmic axis of the FPR; 0 is drawn at the left edge."""
    low = 10.0 ** np.floor(np.log10(0.5 / max(n_neg, 1.0)))
    high = max(spec.x.limits[1], 10 * low)

    def moved(layer: Any) -> Any:
        if isinstance(layer, Line) and layer.role == "reference":
            x = np.geomspace(low, 1.0, 200)
            return replace(layer, x=x, y=np.interp(x, layer.x, layer.y))
        return replace(layer, x=np.maximum(layer.x, low))

    x = Axis(spec.x.title, (low, high), scale="log")
    places: Any = ("upper left", "lower right")
    return replace(spec, layers=tuple(map(moved, spec.layers)), x=x, legend_places=places)


def ties_show(x: Floats, y: Floats) -> bool:
    """Whether ties between the classes make up a hundredth of all pairs, enough to be seen."""
    return bool(np.abs(np.diff(x) * np.diff(y)).sum() >= VISIBLE_TIES)


def has_every_score(curve: RocCurve) -> bool:
    """Whether it is certain that no point was left out by `drop_intermediate=True`."""
    unweighted = isinstance(curve.n_pos, int) and isinstance(curve.n_neg, int)
    if unweighted and len(curve.fpr) - 1 == curve.n_pos + curve.n_neg:
        return True
    upwards, rightwards = np.diff(curve.fpr) == 0, np.diff(curve.tpr) == 0
    runs = (upwards[1:] & upwards[:-1]) | (rightwards[1:] & rightwards[:-1])
    return bool(runs.any())


@plot_of("RocHull")
def hull_plot(
    hull: RocHull,
    *,
    name: Name = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: ThresholdLabels = None,
) -> PlotSpec:
    """The hull as a thin line with a marker at each vertex, the curve itself below it."""
    label = f"hull, AUC {printing.rate(hull.auc, hull.n_pos + hull.n_neg)}"
    called = words.name_of(hull, name)
    known, rates = hull.data is not None, (hull.fpr, hull.tpr)
    layers: list[Layer] = [Line(*hull.curve(), muted=True)] if known else []
    layers.append(Line(*rates, role="hull", label=f"{called} {label}" if called else label))
    layers.append(Points(*rates))
    layers += threshold_label_layers(hull, *rates, threshold_labels, complete=False)
    caption = ("Gray: the curve itself.",) if known else ()
    return forms.roc_square(layers, axis, chance, *caption)


INFINITY_SENTENCE = "Rates of 0 and 100% lie infinitely far out; they are drawn at the edge."
TIED_SENTENCE = "Slanted segments are tied scores."
VISIBLE_BEND = 0.05
"""Slanted segments longer than this, in normal deviates, are drawn with their curvature."""
POINTS_PER_BEND = 16


@plot_of("DetCurve")
def det_plot(
    curve: DetCurve,
    *,
    name: Name = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: ThresholdLabels = None,
) -> PlotSpec:
    """False negative over false positive rate, both in percent on normal-deviate axes."""
    frame = probit_frame(curve.fpr, curve.fnr)
    drawn = probit(np.clip(curve.fpr, *frame)), probit(np.clip(curve.fnr, *frame))
    layers: list[Layer] = [reference(forms.UNIT, forms.UNIT[::-1])] if chance else []
    layers.append(Line(*bent(curve.fpr, curve.fnr, frame), label=words.name_of(curve, name)))
    points = (curve, curve.fpr, curve.fnr, threshold_labels, "above-right")
    layers += threshold_label_layers(*points, drawn=drawn)  # type: ignore[arg-type]
    equal = curve.equal_rate()
    if threshold_labels is None and 0 < equal < 0.5:
        text = f"equal errors {printing.rate(equal, curve.n_pos + curve.n_neg)}"
        layers += [marker(equal, equal), Label(equal, equal, text, "above-right")]
    tied = bool(np.any((np.diff(curve.fpr) != 0) & (np.diff(curve.fnr) != 0)))
    caption = (INFINITY_SENTENCE, TIED_SENTENCE) if tied else (INFINITY_SENTENCE,)
    titles = (f"{words.rate_word(rate, axis)} (%)" for rate in ("fpr", "fnr"))
    x, y = (Axis(title, frame, scale="probit") for title in titles)
    return forms.chart(
        layers, x, y, *caption, square=True, legend_places=("upper right", "lower left")
    )


def bent(x: Floats, y: Floats, frame: Limits) -> tuple[Floats, Floats]:
    """Add points to slanted segments, which are straight in rates and bend on probit axes."""
    slanted = (np.diff(x) != 0) & (np.diff(y) != 0)
    steps = [np.abs(np.diff(probit(np.clip(rates, *frame)))) for rates in (x, y)]
    where = np.flatnonzero(slanted & (np.maximum(*steps) > VISIBLE_BEND))
    if not len(where):
        return x, y
    fractions = [_bend_fractions(x[k : k + 2], y[k : k + 2], frame) for k in where]
    at = np.repeat(where + 1, [len(each) for each in fractions])
    pooled = np.concatenate(fractions)
    more_x, more_y = (rates[at - 1] + pooled * (rates[at] - rates[at - 1]) for rates in (x, y))
    return np.insert(x, at, more_x), np.insert(y, at, more_y)


def _bend_fractions(x: Floats, y: Floats, frame: Limits) -> Floats:
    """Where on a segment (0 to 1) to add points: even steps of either normal deviate."""
    found = []
    for rates in (x, y):
        ends = probit(np.clip(rates, *frame))
        inner = normal_cdf(np.linspace(ends[0], ends[1], POINTS_PER_BEND))
        found.append((inner - rates[0]) / (rates[1] - rates[0]))
    pooled = np.unique(np.concatenate(found))
    return pooled[(pooled > 0) & (pooled < 1)]


FEW = 60  # points up to which the ends of segments are marked
LABELED = 13  # points up to which segments are labeled with their scores


@plot_of("SmoothRoc")
def smooth_plot(
    curve: SmoothRoc, *, name: Name = None, axis: AxisWords | None = None, chance: bool = True
) -> PlotSpec:
    """The smooth curve in the unit square, with the ends of its segments when they are few.

    With an `axis` it has the axis titles of a ROC curve and may share a plot with one.
    """
    measure = f"smAUC {printing.rate(curve.auc, curve.n_pos + curve.n_neg)}"
    layers: list[Layer] = [Line(curve.x, curve.y, label=words.entry_of(curve, name, measure))]
    if len(curve.x) <= FEW:
        layers.append(Points(curve.x, curve.y))
    if len(curve.x) <= LABELED and name is None:
        middles = ((each[1:] + each[:-1]) / 2 for each in (curve.x, curve.y))
        places = zip(*(each.tolist() for each in middles), curve.scores[1:].tolist(), strict=True)
        layers += [Label(across, up, f"{score:.3g}") for across, up, score in places]
    midpoint = f"Midpoint{words.of(words.name_of(curve, name))}: {curve.midpoint:.3g}."
    caption = ("Each score moves the smooth curve by its size.", midpoint)
    spec = forms.roc_square(layers, axis or "ml", chance, *caption)
    x, y = "Run: proportion of the sum of 1 − Θ", "Rise: proportion of the sum of Θ"
    return spec if axis else forms.chart(spec.layers, x, y, *caption, square=True)


@plot_of("AdjustedRoc")
def adjusted_plot(
    curve: AdjustedRoc, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The covariate-adjusted curve, and in gray the pooled one of the same rows."""
    n = curve.n_pos + curve.n_neg
    measure = f"adjusted AUC {printing.rate(curve.auc, n)}"
    layers: list[Layer] = [Line(curve.fpr, curve.tpr, label=words.entry_of(curve, name, measure))]
    if curve.data is not None:
        label = f"pooled AUC {printing.rate(curve.pooled_auc, n)}"
        layers.insert(0, Line(*curve.curve(), label=label, muted=True))
    caption = f"Adjusted for {', '.join(curve.covariates)}."
    return forms.roc_square(layers, axis, chance, caption)


@plot_of("ScoredRoc")
def scored_plot(curve: ScoredRoc, *, name: Name = None) -> PlotSpec:
    """The proportion of pairs over the margin by which the positive must exceed the negative."""
    line = Line(curve.tau, curve.share, label=words.entry_of(curve, name, f"sAUC {curve.auc:.3f}"))
    places = ("upper right", "lower left")
    return forms.chart((line,), "Margin", "Proportion of pairs", legend_places=places)


@plot_of("PrecisionRecallCurve")
def precision_recall_plot(
    curve: PrecisionRecallCurve,
    *,
    name: Name = None,
    axis: AxisWords = "ml",
    chance: bool = True,
    threshold_labels: ThresholdLabels = None,
) -> PlotSpec:
    """Precision over recall in steps, whose area is the average precision.

    The first precision is left out: no case is positive there, and its value of 1 is a convention.
    """
    n = curve.n_pos + curve.n_neg
    label = words.entry_of(curve, name, f"AP {printing.rate(curve.average_precision, n)}")
    x, y = np.repeat(curve.recall, 2)[1:-1], np.repeat(curve.precision, 2)[2:]
    layers: list[Layer] = [forms.prevalence_line(curve.prevalence, n)] if chance else []
    layers.append(Line(x, y, label=label))
    points = (curve.recall, curve.precision)
    layers += threshold_label_layers(curve, *points, threshold_labels, "above-right")
    sentence = "Drawn in steps: the area below the line is the average precision."
    return _precision_recall_square(layers, axis, sentence)


@plot_of("PrecisionRecallBand")
def precision_band_plot(
    result: PrecisionRecallBand, *, name: Name = None, axis: AxisWords = "ml"
) -> PlotSpec:
    """The band of the precision over the recall, with the observed precision."""
    label = f"{printing.percent(result.level)} {result.kind} band"
    layers: list[Layer] = [
        forms.prevalence_line(result.prevalence, result.n_pos + result.n_neg),
        Band(result.recall, result.lower, result.upper, label=label),
        Line(result.recall, result.precision, label=words.name_of(result, name)),
    ]
    return _precision_recall_square(layers, axis)


def _precision_recall_square(layers: list[Layer], axis: AxisWords, *caption: str) -> PlotSpec:
    x, y = words.rate_word("recall", axis), words.rate_word("precision", axis)
    places = ("lower left", "upper right", "lower right")
    return forms.chart(layers, x, y, *caption, square=True, legend_places=places)


MOST_INTERVALS = 1500
SEGMENT_MARGIN = 0.04


@plot_of("ConfidentSegment")
def segment_plot(
    segment: ConfidentSegment,
    *,
    name: Name = None,
    view: Literal["curve", "intervals", "plane"] = "curve",
    axis: AxisWords = "ml",
    chance: bool = True,
) -> PlotSpec:
    """The segment in one of three views.

    "curve": the ROC curve with its confident part in bold; "intervals": (FN - FP)/n with its
    interval against the threshold; "plane": the mean difference and the CAUC as a point, to
    compare several models.
    """
    checks.one_of(view, "view", ("curve", "intervals", "plane"))
    called = words.name_of(segment, name)
    if view == "intervals":
        return _segment_intervals(segment, called)
    if view == "plane":
        return _segment_plane(segment, called)
    measure = f"CAUC {printing.rate(segment.cauc, segment.n_pos + segment.n_neg)}"
    label = words.entry(called, measure) if called else "confident segment"
    layers: list[Layer] = [
        Line(segment.curve_fpr, segment.curve_tpr, muted=True),
        Line(segment.fpr, segment.tpr, label=label),
    ]
    if len(segment.fpr) and not called:
        middle = len(segment.fpr) // 2
        layers.append(Label(float(segment.fpr[middle]), float(segment.tpr[middle]), measure))
    level = printing.percent(segment.level)
    sentence = f"In color: thresholds where Tango's {level} interval of (FN − FP)/n contains 0."
    return forms.roc_square(layers, axis, chance, sentence)


def _segment_intervals(segment: ConfidentSegment, called: Name) -> PlotSpec:
    """Differences and their confidence limits over the threshold."""
    finite = np.flatnonzero(np.isfinite(segment.curve_thresholds))
    if not len(finite):
        raise InputError("`segment` has no finite threshold, so there is no axis to draw it on.")
    even = np.linspace(0, len(finite) - 1, min(len(finite), MOST_INTERVALS)).round()
    rows = finite[np.unique(even.astype(np.intp))]
    rows = rows[np.argsort(segment.curve_thresholds[rows], kind="stable")]
    x = segment.curve_thresholds[rows].astype(np.float64)
    difference, low, high = segment.intervals(rows)
    level = printing.percent(segment.level)
    heights = (float(low.min()) - SEGMENT_MARGIN, float(high.max()) + SEGMENT_MARGIN)
    line = Line(x, difference, label=called)
    return forms.chart(
        (reference(x[[0, -1]], (0, 0)), Band(x, low, high, label=f"{level} CI"), line),
        Axis("Threshold", padded(x, SEGMENT_MARGIN)),
        Axis("(FN − FP) / n", heights),
        f"Shaded: Tango's {level} intervals; confident where they contain 0.",
        legend_places=("lower right", "upper left", "upper right", "lower left"),
    )


def _segment_plane(segment: ConfidentSegment, called: Name) -> PlotSpec:
    """The mean imbalance of errors along the segment and its area, as a point."""
    if segment.mean_difference is None:
        raise InputError("`segment` is empty, so it has no place in this plot.")
    x, y = segment.mean_difference, segment.cauc
    reach = max(abs(x) * 1.5, 0.01)
    return forms.chart(
        (reference((0, 0), forms.UNIT), marker(x, y, label=called)),
        Axis("Mean (FN − FP) / n on the segment (AveD)", (-reach, reach)),
        "Confident area (CAUC)",
        "Best: high, and near the line of no difference.",
        legend_places=("lower right", "upper left", "lower left", "upper right"),
    )


MOST_CROSSES = 8
NOT_A_BAND = "Pointwise intervals, not a band for the whole curve."


@plot_of("Band")
def band_plot(
    band: RocBand, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The band around the curve; with its coverage in the caption."""
    label = words.entry_of(band, name, f"AUC {printing.rate(band.auc, band.n_pos + band.n_neg)}")
    line = Line(band.curve_fpr, band.curve_tpr, label=label)
    return _around(band, (line,), axis, chance)


def _around(band: RocBand, lines: tuple[Line, ...], axis: AxisWords, chance: bool) -> PlotSpec:
    """A band below lines; with its coverage in the caption."""
    further = () if band.simultaneous else (NOT_A_BAND,)
    captions = (_band_caption(band), *further)
    return forms.roc_square((_band_layer(band), *lines), axis, chance, *captions)


@plot_of("BinormalBand")
def binormal_band_plot(
    band: BinormalBand, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The band around the fitted curve, with the observed one."""
    return _around(band, _fitted_curve(band, band.fit, name), axis, chance)


@plot_of("BinormalFit")
def binormal_plot(
    fit: BinormalFit, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The fitted curve over the observed one."""
    n = fit.n_pos + fit.n_neg
    level = printing.percent(fit.interval.level)
    sentence = (
        f"Probit of TPR = {fit.a:.3f} + {fit.b:.3f} probit of FPR, by maximum likelihood; AUC "
        f"{level} CI {printing.rate(fit.interval.low, n)} to {printing.rate(fit.interval.high, n)}."
    )
    return forms.roc_square(_fitted_curve(fit, fit, name), axis, chance, sentence)


def _fitted_curve(
    result: BinormalBand | BinormalFit, fit: BinormalFit, name: Name
) -> tuple[Line, Line]:
    measure = f"binormal fit, AUC {printing.rate(fit.auc, result.n_pos + result.n_neg)}"
    return (
        Line(result.curve_fpr, result.curve_tpr, muted=True, label="observed"),
        Line(*fit.curve(), label=words.entry_of(result, name, measure)),
    )


@plot_of("VerticalAverage")
def vertical_average_plot(
    average: VerticalAverage, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The average with its confidence limits over the single curves."""
    measure = f"average of {len(average.curves)}"
    areas = average.areas()
    if areas is not None:
        measure += f", AUC {areas.mean():.3f} ± {areas.std(ddof=1):.3f}"
    level = printing.percent(average.level)
    kind, *note = f"{level} {average.interval} intervals at each FPR", NOT_A_BAND
    label = f"{level} CI at each FPR"
    if average.interval == "fixed-width":
        kind, note = f"{level} band that contains the whole expected curve", []
        label = f"{level} fixed-width band"
    layers: tuple[Layer, ...] = (
        *(Line(average.fpr, curve, muted=True) for curve in average.curves),
        Band(average.fpr, average.lower, average.upper, label=label),
        Line(average.fpr, average.tpr, label=words.entry_of(average, name, measure)),
    )
    return forms.roc_square(layers, axis, chance, f"Shaded: {kind}.", *note)


@plot_of("ThresholdAverage")
def threshold_average_plot(
    average: ThresholdAverage, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The average point of each threshold, with crosses for the confidence limits of some."""
    measure = f"threshold average of {average.n_curves}"
    line = Line(average.fpr, average.tpr, label=words.entry_of(average, name, measure))
    return _with_crosses(average, average.interval, (line, *_crosses(average)), axis, chance)


@plot_of("RateRegions")
def regions_plot(
    regions: RateRegions, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """Points of the curve with the confidence intervals of both rates."""
    rows = _chosen(regions)
    fpr, tpr = regions.fpr[rows], regions.tpr[rows]
    layers: list[Layer] = [*_crosses(regions), Points(fpr, tpr, label=words.name_of(regions, name))]
    if regions.data is not None:
        layers.insert(0, Line(*regions.curve(), muted=True))
    places = zip(fpr.tolist(), tpr.tolist(), regions.thresholds[rows], strict=True)
    layers += [Label(x, y, words.true_minus(f"{t:.4g}")) for x, y, t in places]
    return _with_crosses(regions, regions.method, layers, axis, chance)


def _with_crosses(
    rates: ThresholdAverage | RateRegions, method: str, layers: Iterable[Layer], *form: Any
) -> PlotSpec:
    sentence = f"Crosses: {printing.percent(rates.level)} {method} intervals of both rates."
    return forms.roc_square(layers, *form, sentence, NOT_A_BAND)


def _crosses(rates: ThresholdAverage | RateRegions) -> tuple[Line, Line]:
    """Horizontal and vertical intervals at a few thresholds, each a line with gaps."""
    rows = _chosen(rates)
    fpr, tpr = rates.fpr[rows], rates.tpr[rows]

    def joined(start: Floats, end: Floats) -> Floats:
        return np.column_stack((start, end, np.full(len(rows), np.nan))).ravel()

    across = joined(rates.fpr_lower[rows], rates.fpr_upper[rows])
    up = joined(rates.tpr_lower[rows], rates.tpr_upper[rows])
    return (
        Line(across, joined(tpr, tpr), role="hull"),
        Line(joined(fpr, fpr), up, role="hull"),
    )


def _chosen(rates: ThresholdAverage | RateRegions) -> np.ndarray:
    """Evenly spaced rows, no more than can be read."""
    last = len(rates.fpr) - 1
    return np.unique(np.linspace(0, last, min(last + 1, MOST_CROSSES)).round().astype(np.intp))


TAIL = 0.002  # fraction of the highest density below which a tail is not drawn


@plot_of("PredictedRoc")
def predicted_plot(
    curve: PredictedRoc, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The predicted curve with its optimal threshold."""
    label = words.entry_of(curve, name, f"predicted AUC {curve.auc:.3f}")
    layers: list[Layer] = [Line(curve.fpr, curve.tpr, label=label)]
    if math.isfinite(curve.best_threshold):
        sign = ">" if curve.direction == "higher" else "<"
        text = f"score {sign} {curve.best_threshold:.3g}"
        layers += [marker(*curve.best_point), Label(*curve.best_point, text)]
    return forms.roc_square(layers, axis, chance)


@plot_of("ClassDensities")
def densities_plot(classes: ClassDensities, *, name: Name = None) -> PlotSpec:
    """The densities of both classes and the optimal threshold."""
    curve = classes.curve
    x, *densities = curve.densities()
    top = 1.1 * float(np.nanmax(densities))
    visible = x[np.maximum(*densities) > TAIL * top]
    layers: list[Layer] = []
    for slot, (density, word) in enumerate(zip(densities, ("negatives", "positives"), strict=True)):
        layers.append(Band(x, np.zeros(len(x)), density, slot=slot))
        layers.append(Line(x, density, slot=slot, label=words.entry(name, word)))
    if math.isfinite(curve.best_threshold):
        layers.append(reference([curve.best_threshold] * 2, (0, top), label="best threshold"))
    return _density_plot(layers, visible, top, forms.UPPER[::-1])


@plot_of("FittedDistribution")
def fitted_plot(fit: FittedDistribution, *, name: Name = None) -> PlotSpec:
    """The fitted density over a histogram of the sample."""
    x, y = fit.density()
    layers: list[Layer] = [Line(x, y, label=words.entry(name, fit.family))]
    top = float(np.nanmax(y))
    if fit.sample is not None:
        edges = forms.bin_edges(fit.sample, fit.n)
        heights, _ = np.histogram(fit.sample, edges, density=True)
        layers.insert(0, forms.bars(edges, heights, muted=True, edges=True, label="sample"))
        top = max(top, float(heights.max()))
    return _density_plot(layers, x, 1.15 * top, forms.UPPER)


def _density_plot(layers: list[Layer], scores: Floats, top: float, places: Any) -> PlotSpec:
    x = Axis("Score", (float(scores[0]), float(scores[-1])))
    return forms.chart(layers, x, Axis("Density", (0.0, top)), legend_places=places)
