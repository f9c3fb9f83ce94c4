"""Plots of estimates with intervals, of tests, study plans, published points and calibration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from rocwise import checks, printing
from rocwise.plotting import forms, words
from rocwise.plotting.plots.curves import area_layer, part_layer
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    Axis,
    AxisWords,
    Band,
    Label,
    Layer,
    Line,
    Name,
    PlotSpec,
    Points,
    marker,
    padded,
    reference,
    whisker,
)
from rocwise.plotting.theme import TEXT_COLOR

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc, AucIntervals, StepArea
    from rocwise.binary.auc_tests import AucTest
    from rocwise.binary.bootstrap import BootstrapResult
    from rocwise.binary.calibration import Calibration
    from rocwise.binary.cross_validation import CrossValidatedAuc
    from rocwise.binary.feature_ranking import FeatureRanking
    from rocwise.binary.operating_points import EqualErrorResult
    from rocwise.binary.planning import PowerCurve, StudyPlan
    from rocwise.binary.precision_recall import AveragePrecisionResult
    from rocwise.binary.reported_points import AucBounds, BoundContours, SignalDetection
    from rocwise.binary.roc import Lift
    from rocwise.binary.summary import ModelSummary
    from rocwise.inference.comparison import Comparison, ModelComparison
    from rocwise.results import Interval


View: TypeAlias = Literal["curve", "row"]


@plot_of("Auc", together={"view": "row"})
def auc_plot(
    auc: Auc,
    *,
    name: Name = None,
    chance: bool = True,
    view: View = "curve",
    axis: AxisWords = "ml",
) -> PlotSpec:
    """The curve with the area (or the part of it) shaded; view "row": a row of a forest plot."""
    checks.one_of(view, "view", ("curve", "row"))
    method = f"Interval: {auc.interval.method}." if auc.interval.method else ""
    called = words.name_of(auc, name)
    if view == "curve" and auc.data is not None:
        label = words.entry(called, words.auc_words(auc)) if auc.part.is_whole else called
        layers = (area_layer(auc, auc, axis), Line(*auc.curve(), label=label))
        return forms.roc_square(layers, axis, chance, *([method] if method else []))
    text = f"{words.area_words(auc, auc.value)} ({words.interval_words(auc)})"
    row = forms.Row(called or "", auc.value, tuple(auc.interval), text)
    random = 0.5 if auc.standardized else auc.part.limits[0]
    null = random if chance else None
    return forms.forest(
        [row], words.area_kind(auc, axis), level=auc.interval.level, null=null, caption=method
    )


@plot_of("Comparison")
def comparison_plot(comparison: Comparison, *, name: Name = None) -> PlotSpec:
    """Every difference with its interval, and the line of no difference."""
    caption = f"{comparison.method}."
    if comparison.pairwise is not None:
        equal = p_value_text(comparison.p_value)
        adjusted = "limits for all pairs (Bonferroni), p adjusted by Holm"
        caption = f"{comparison.method}; all equal: {equal}; {adjusted}."
    return differences(comparison, name, caption)


def differences(comparison: ModelComparison, name: Name, caption: str) -> PlotSpec:
    """Differences of models as rows, with the level of the intervals where there are any."""
    rows = _difference_rows(comparison, name)
    level = None
    if any(row.limits for row in rows):
        interval = comparison.interval
        level = getattr(comparison, "level", 0.95) if interval is None else interval.level
    title = f"Difference in {comparison.quantity}"
    return forms.forest(rows, title, level=level, null=0.0, caption=caption)


def _difference_rows(comparison: ModelComparison, name: Name) -> list[forms.Row]:
    """The difference of two models, or those of all pairs with their adjusted p values."""
    columns = comparison.pairwise
    if columns is None:
        limits = comparison.interval or (None, None)
        found = [(*comparison.estimates, comparison.difference or 0.0, *limits, comparison.p_value)]
    else:
        end = "_adjusted" if "low_adjusted" in columns else ""
        keys = ("first", "second", "difference", f"low{end}", f"high{end}", "p_adjusted")
        found = list(zip(*(columns[key] for key in keys), strict=True))
        name = None
    digits = getattr(comparison, "digits", None)
    form = ".3g" if digits is None else f".{digits}f"
    return [
        forms.Row(
            name or f"{first} − {second}",
            float(value),
            None if low is None else (float(low), float(high)),
            f"{value:{form}}, {p_value_text(p_value)}",
        )
        for first, second, value, low, high, p_value in found
    ]


def p_value_text(p_value: float | None) -> str:
    """A p value at the right of its row."""
    return "no p value" if p_value is None else printing.p_value(float(p_value))


@plot_of("AucIntervals")
def intervals_plot(intervals: AucIntervals, *, name: Name = None) -> PlotSpec:
    """The interval of every method, one below the other."""
    rows = [
        forms.Row(
            f"{method} (recommended)" if method == intervals.recommended else str(method),
            intervals.value,
            (float(low), float(high)),
            f"{low:.3f} to {high:.3f}",
        )
        for method, low, high in zip(intervals.method, intervals.low, intervals.high, strict=True)
    ]
    title = f"AUC{words.of(name)}"
    return forms.forest(rows, title, level=intervals.level, caption=intervals.advice)


@plot_of("AucTest", together={"view": "row"})
def test_plot(test: AucTest, *, name: Name = None, view: View = "curve") -> PlotSpec:
    """The curve with the p value in the legend; view "row": the AUC and its null value."""
    method = f"{test.alternative}, {test.method}"
    p_value = printing.p_value(test.p_value)
    if view == "curve" and test.data is not None:
        measure = f"AUC {printing.rate(test.value, test.n_pos + test.n_neg)}, {p_value}"
        line = Line(*test.curve(), label=words.entry_of(test, name, measure))
        return forms.roc_square((line,), "ml", True, f"Tested against {test.null:g}: {method}.")
    row = forms.Row(name or "", test.value, None, p_value)
    caption = f"Dashed: {test.null:g}, the null hypothesis; {method}."
    return forms.forest([row], "AUC", null=test.null, caption=caption)


TIES = {
    "simultaneous": "Tied scores are stepped over together.",
    "optimistic": "Of tied scores the positives come first.",
    "pessimistic": "Of tied scores the negatives come first.",
}


@plot_of("StepArea", together={"view": "row"})
def step_area_plot(area: StepArea, *, name: Name = None, view: View = "curve") -> PlotSpec:
    """The area under the curve; view "row": the proportion of the ideal area."""
    measure = f"{printing.count(area.area)} of {printing.count(area.perfect_area)}"
    if view == "curve" and area.data is not None:
        label = words.entry_of(area, name, f"step area {area.value:.3f}")
        layers = (part_layer(area), Line(*area.curve(), label=label))
        return forms.roc_square(layers, "ml", True, f"{measure} squares.", TIES[area.ties])
    row = forms.Row(name or "", area.value, None, measure)
    return forms.forest([row], "Step area", null=0.5, caption=TIES[area.ties])


@plot_of("Interval")
def interval_plot(interval: Interval, *, name: Name = None) -> PlotSpec:
    """The interval, with its mean where it has one."""
    low, high = interval.low, interval.high
    middle = (low + high) / 2 if interval.mean is None else interval.mean
    row = forms.Row(name or "", middle, (low, high), f"{low:.3f} to {high:.3f}")
    caption = f"{interval.method}." if interval.method else ""
    return forms.forest([row], "Estimate", level=interval.level, caption=caption)


@plot_of("AveragePrecisionResult")
def average_precision_plot(
    result: AveragePrecisionResult, *, name: Name = None, chance: bool = True
) -> PlotSpec:
    """The average precision with its interval; `chance` is the prevalence."""
    null = result.chance if chance else None
    called = words.name_of(result, name)
    return forms.one_row(result, called, words.capital(result.quantity), null=null)


@plot_of("EqualErrorResult")
def equal_error_plot(result: EqualErrorResult, *, name: Name = None) -> PlotSpec:
    """The equal error rate with its interval."""
    return forms.one_row(result, words.name_of(result, name), "Equal error rate")


@plot_of("ModelSummary")
def summary_plot(result: ModelSummary, *, name: Name = None) -> PlotSpec:
    """The AUC of all models with their intervals."""
    columns = (result.columns[column].tolist() for column in ("auc", "auc_low", "auc_high"))
    models = zip(result.names, *columns, strict=True)
    rows = [forms.estimate_row(words.entry(name, model), *values) for model, *values in models]
    caption = f"Intervals: {result.auc_method}."
    return forms.forest(rows, "AUC", level=result.level, null=0.5, caption=caption)


@plot_of("BootstrapResult")
def bootstrap_plot(result: BootstrapResult, *, name: Name = None) -> PlotSpec:
    """A histogram of the replicates, the estimate and its interval."""
    values, (low, high) = result.replicates, result.interval
    edges = forms.bin_edges(values, len(values))
    heights = np.histogram(values, edges)[0] / len(values)
    top = float(heights.max())
    seed = f"{printing.count(len(values))} resamples, seed {result.seed}."
    layers = (
        reference([result.value] * 2, (0, 1.2 * top)),
        forms.bars(edges, heights),
        whisker(1.1 * top, low, high),
        marker(result.value, 1.1 * top),
    )
    limits = padded([*values, low, high, result.value], forms.FOREST_MARGIN)
    x, y = (
        Axis(f"{result.statistic}{words.of(name)}", limits),
        Axis("Proportion of resamples", (0.0, 1.2 * top)),
    )
    return forms.chart(layers, x, y, f"Dashed: the estimate. Bar: {result.interval!r}. {seed}")


@plot_of("FeatureRanking")
def ranking_plot(ranking: FeatureRanking, *, name: Name = None, most: int = 20) -> PlotSpec:
    """The predicted AUC of the best features, at most `most`, with their intervals."""
    names = ("feature", "predicted_auc", "predicted_auc_low", "predicted_auc_high", "auc")
    most = checks.whole(most, "most")
    columns = (getattr(ranking, each)[:most] for each in names)
    rows = [
        forms.Row(str(feature), value, (low, high), f"empirical {auc:.3f}")
        for feature, value, low, high, auc in zip(*columns, strict=True)
    ]
    caption = f"{len(rows)} of {len(ranking.feature)} features{words.of(name)}."
    return forms.forest(rows, "Predicted AUC", level=ranking.level, null=0.5, caption=caption)


INTERVAL_NAMES = {"corrected-t": "Corrected t", "influence": "Influence", "t": "t"}


@plot_of("CrossValidatedAuc")
def crossval_plot(result: CrossValidatedAuc, *, name: Name = None, chance: bool = True) -> PlotSpec:
    """The AUC of every fold in the top row, and below it the mean with each interval."""
    n = result.n_pos + result.n_neg
    called = words.name_of(result, name)
    before = "" if called is None else f"{called}: "
    value, pooled = printing.rate(result.value, n), printing.rate(result.pooled, n)
    rows = [
        forms.Row(
            f"{before}{INTERVAL_NAMES[method]}",
            result.value,
            (interval.low, interval.high),
            f"{printing.rate(interval.low, n)} to {printing.rate(interval.high, n)}",
        )
        for method, interval in result.intervals.items()
    ]
    null, folds = 0.5 if chance else None, result.fold_values
    spec = forms.forest(rows, "AUC", level=result.interval.level, null=null, include=folds)
    spec = forms.with_top_row(spec, f"{before}Folds", folds)
    return replace(spec, caption=(f"{before}AUC {value} per fold, {pooled} pooled.",))


USUAL_POWER = 0.8


@plot_of("PowerCurve")
def power_plot(
    curve: PowerCurve, *, name: Name = None, wanted: float | None = USUAL_POWER
) -> PlotSpec:
    """Power over the number of positives; `wanted` is a power to compare with, or None."""
    order = np.argsort(curve.n_pos, kind="stable")
    most = float(curve.n_pos.max())
    label = curve.hypothesis if name is None else name
    line = Line(curve.n_pos[order].astype(np.float64), curve.power[order], label=label)
    target = () if wanted is None else (reference((0, most), (wanted, wanted)),)
    return forms.chart(
        (*target, line), Axis("Positives", (0.0, 1.03 * most)), "Power", *curve.conditions()
    )


@plot_of("StudyPlan")
def plan_plot(plan: StudyPlan, *, name: Name = None, wanted: float | None = None) -> PlotSpec:
    """The power curve of the design, with the plan as a point on it."""
    spec = power_plot(plan.curve(), name=name, wanted=plan.power if wanted is None else wanted)
    x, y = float(plan.n_pos), plan.achieved_power
    label = Label(x, y, printing.classes(plan.n_pos, plan.n_neg))
    return replace(spec, layers=(*spec.layers, marker(x, y), label))


@plot_of("SignalDetection")
def signal_plot(signal: SignalDetection, *, name: Name = None) -> PlotSpec:
    """The operating point in ROC space with its d', and the curve of equal d'."""
    text = f"d' = {signal.d_prime:.2f}" if name is None else f"{name}: d' = {signal.d_prime:.2f}"
    x, y = signal.curve()
    layers: list[Layer] = [Line(np.array(x), np.array(y), role="hull")] if x else []
    layers += [marker(signal.fpr, signal.tpr), Label(signal.fpr, signal.tpr, text)]
    equal = "Line: the same d' at other criteria, both classes normal and equally wide."
    layers.insert(0, reference(forms.UNIT, forms.UNIT))
    caption = (equal,) if x else ()
    return forms.chart(layers, "False alarm rate", "Hit rate", *caption, square=True)


@plot_of("AucBounds")
def bounds_plot(
    bounds: AucBounds, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The points and the region of all concave curves through them."""
    measure = f"AUC {bounds.lower:.3f} to {bounds.upper:.3f}"
    region = Band(*bounds.region(), label=words.entry(name, measure))
    caption = "Shaded: where concave curves through the points can run."
    return forms.roc_square((region, Points(bounds.fpr, bounds.tpr)), axis, chance, caption)


LABEL_POSITIONS = (0.5, 0.35, 0.65)  # where along its contour a value is written: neighbors differ


@plot_of("BoundContours")
def contours_plot(
    contours: BoundContours, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The contours with their values."""
    title = "equal A" if contours.quantity == "a" else "equal difference of the bounds"
    layers: list[Layer] = []
    lines = zip(contours.values, contours.fpr, contours.tpr, strict=True)
    for number, (value, x, y) in enumerate(lines):
        layers.append(Line(x, y, label=words.entry(name, title) if number == 0 else None))
        half = len(x) // 2
        above = np.where(np.isfinite(x[:half]), y[:half] - x[:half], -1.0)  # the diagonal
        shown = np.flatnonzero(above >= 0)
        if len(shown):
            fraction = LABEL_POSITIONS[number % len(LABEL_POSITIONS)]
            k = int(shown[int(fraction * (len(shown) - 1))])
            layers.append(Label(float(x[k]), float(y[k]), f"{value:g}", "on"))
    return forms.roc_square(layers, axis, chance)


HIGHEST_BAR = 0.125


@plot_of("Calibration")
def calibration_plot(result: Calibration, *, name: Name = None, histogram: bool = True) -> PlotSpec:
    """Observed proportions over predictions, with a small gray histogram of the predictions."""
    slope = "" if result.slope is None else f"slope {result.slope:.2f}, "
    label = words.entry_of(result, name, f"{slope}Brier {result.brier:.3f}")
    bars = [_prediction_bars(result)] if histogram and result.data is not None else []
    level = printing.percent(result.level)
    kind = {
        "quantile": f"{len(result.predicted)} bins of about equal size",
        "uniform": f"{len(result.predicted)} bins of equal width",
        "isotonic": "Blocks of the isotonic fit",
        "loess": "Local linear fit",
    }[result.strategy]
    gray = ("Gray: histogram of the predictions.",) if bars else ()
    caption = (f"{kind}, pointwise {level} limits.", *gray)
    titles, marked = ("Predicted probability", "Observed proportion"), result.strategy != "loess"
    return forms.calibration_square(result, label, *titles, *caption, bars=bars, marked=marked)


def _prediction_bars(result: Calibration) -> Band:
    """Bars at the bottom of the square, the highest an eighth of its height."""
    assert result.data is not None
    edges, negative, positive = forms.class_proportions(result.data)
    cases = negative * result.n_neg + positive * result.n_pos
    return forms.bars(edges, HIGHEST_BAR * cases / cases.max(), muted=True, edges=True)


@plot_of("Lift")
def lift_plot(
    result: Lift, *, name: Name = None, view: Literal["gain", "lift", "ks"] = "gain"
) -> PlotSpec:
    """The cumulative gain, the lift, or ("ks") both distribution functions and their distance."""
    checks.one_of(view, "view", ("gain", "lift", "ks"))
    label = words.name_of(result, name)
    if view == "ks":
        return _distance_plot(result, label)
    x = "Proportion of the cases, highest scores first"
    blind = reference(forms.UNIT, forms.UNIT if view == "gain" else (1, 1), label="random")
    if view == "gain":
        line = Line(result.share, result.gain, label=label)
        return forms.chart((blind, line), x, "Proportion of the positives", square=True)
    lift = np.asarray(result.lift[1:], np.float64)
    y = Axis("Lift", (0.0, max(float(lift.max()) * 1.05, 1.1)))
    line = Line(result.share[1:], lift, label=label)
    return forms.chart((blind, line), x, y, legend_places=("upper right",))


def _distance_plot(result: Lift, name: Name) -> PlotSpec:
    """The proportions of both classes that reach each threshold, and their largest distance."""
    fpr, tpr = result.curve()
    direction = result.origin.direction
    ends = forms.threshold_limits(np.asarray(result.thresholds, np.float64), "result")
    layers: list[Layer] = []
    for slot, (word, rates) in enumerate((("negatives", fpr), ("positives", tpr))):
        steps = forms.threshold_steps(result.thresholds, rates, direction, ends)
        layers.append(Line(*steps, slot=slot, label=words.entry(name, word)))
    best = int(np.argmax(np.abs(tpr - fpr)))
    if np.isfinite(result.ks_threshold):
        at, middle = float(result.ks_threshold), float(tpr[best] + fpr[best]) / 2
        text = f"KS {printing.rate(result.ks, result.n_pos + result.n_neg)}"
        layers.append(reference([at] * 2, (fpr[best], tpr[best])))
        layers.append(Label(at, middle, text, color=TEXT_COLOR))
    y = f"Proportion at or {'above' if direction == 'higher' else 'below'}"
    return forms.chart(
        layers, Axis("Threshold", ends), y, legend_places=("upper right", "lower left")
    )
