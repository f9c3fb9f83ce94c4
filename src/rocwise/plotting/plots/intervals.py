"""Plots of calibration, lift, and measures at points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from rocwise import checks, printing
from rocwise.plotting.plots.curves import (
    area_layer,
    bars,
    class_shares,
    histogram,
    part_layer,
    roc_square,
)
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    PADDED_UNIT,
    Axis,
    AxisWords,
    Band,
    Label,
    Layer,
    Line,
    PlotSpec,
    Points,
    Tick,
    Whiskers,
    area_kind,
    area_words,
    auc_words,
    entry,
    interval_words,
    name_of,
    rate_word,
    true_minus,
    with_capitals,
)
from rocwise.plotting.threshold_marks import score_ends, threshold_steps

if TYPE_CHECKING:
    from rocwise.binary.auc import Auc, AucIntervals, StepArea
    from rocwise.binary.auc_tests import AucTest
    from rocwise.binary.bootstrap import BootstrapResult
    from rocwise.binary.calibration import Calibration
    from rocwise.binary.cross_validation import CrossValidatedAuc
    from rocwise.binary.feature_ranking import FeatureRanking
    from rocwise.binary.planning import PowerCurve, StudyPlan
    from rocwise.binary.precision_recall import PrecisionRecallBand
    from rocwise.binary.reported_points import AucBounds, BoundContours, SignalDetection
    from rocwise.binary.roc import Lift
    from rocwise.inference.comparison import Comparison, ModelComparison
    from rocwise.results import Interval


View: TypeAlias = Literal["curve", "row"]
MARGIN = 0.04


@plot_of("Auc", together={"view": "row"})
def auc_plot(
    auc: Auc,
    *,
    name: str | None = None,
    chance: bool = True,
    view: View = "curve",
    axis: AxisWords = "ml",
) -> PlotSpec:
    """Draw the area under its curve; several areas as points with their intervals.

    Parameters
    ----------
    auc
        The area.
    name
        What curve or row is called.
    chance
        Whether to draw what is expected of a worthless test.
    view
        "curve": the curve with the area, or the part of it, shaded; "row": a point with its
        interval, the numbers at the right.
    axis
        Words of the view "curve".
    """
    checks.one_of(view, "view", ("curve", "row"))
    if view == "curve" and auc.data is not None:
        area = area_layer(auc, auc)
        words = auc_words(auc) if auc.part.is_whole else None
        label = entry(name_of(auc, name), words) if words else name_of(auc, name)
        spec = roc_square((area, Line(*auc.curve(), label=label)), axis, chance)
        return replace(spec, caption=_method(auc))
    low, value, high = auc.interval.low, auc.value, auc.interval.high
    row = np.zeros(1)
    layers: list[Layer] = [
        Whiskers(np.array([low]), np.array([high]), row),
        Points(np.array([value]), row),
    ]
    reach = [low, value, high]
    if chance:
        worthless = 0.5 if auc.standardized else auc.part.limits[0]
        layers.insert(0, Line(np.full(2, worthless), np.array([-0.5, 0.5]), role="reference"))
        reach.append(worthless)
    margin = MARGIN * (max(reach) - min(reach))
    return PlotSpec(
        layers=tuple(layers),
        x=Axis(
            f"{area_kind(auc)} ({printing.percent(auc.interval.level)} CI)",
            (min(reach) - margin, max(reach) + margin),
        ),
        y=Axis("", (-0.5, 0.5), ticks=(Tick(0.0, name_of(auc, name) or ""),)),
        right_ticks=(Tick(0.0, f"{area_words(auc, value)} ({interval_words(auc)})"),),
        caption=_method(auc),
        rows=1,
    )


def _method(auc: Auc) -> tuple[str, ...]:
    return (f"Interval: {auc.interval.method}.",) if auc.interval.method else ()


class Row(NamedTuple):
    """One estimate: what it is called, its value, its limits if it has any, words at the right."""

    name: str
    value: float
    limits: tuple[float, float] | None
    words: str


@plot_of("Comparison")
def comparison_plot(comparison: Comparison, *, name: str | None = None) -> PlotSpec:
    """Draw every difference with its interval, and the line of no difference.

    Parameters
    ----------
    comparison
        Two or more models compared.
    name
        What the row is called, with two models.
    """
    caption = f"{comparison.method}."
    if comparison.pairwise is not None:
        equal = p_words(comparison.p_value)
        caption = f"{comparison.method}; all equal: {equal}; p of pairs adjusted by Holm."
    rows = difference_rows(comparison, name)
    return forest(rows, difference_title(comparison, rows), null=0.0, caption=caption)


def difference_title(comparison: ModelComparison, rows: Sequence[Row]) -> str:
    """What the axis shows, and the level of the intervals where there are any."""
    title = f"Difference in {comparison.quantity}"
    if not any(row.limits for row in rows):
        return title
    interval = comparison.interval
    level = getattr(comparison, "level", 0.95) if interval is None else interval.level
    return f"{title} ({printing.percent(level)} CI)"


def difference_rows(comparison: ModelComparison, name: str | None) -> list[Row]:
    """The difference of two models, or those of all pairs with their adjusted p values."""
    columns = comparison.pairwise
    if columns is None:
        first, second = comparison.estimates
        interval = comparison.interval
        limits = None if interval is None else (interval.low, interval.high)
        called = name or f"{first} − {second}"
        value, p_value = comparison.difference or 0.0, comparison.p_value
        return [Row(called, value, limits, _difference_words(comparison, value, p_value))]
    rows = []
    for k in range(len(columns["first"])):
        called = f"{columns['first'][k]} − {columns['second'][k]}"
        value, low, high = (columns[each][k] for each in ("difference", "low", "high"))
        limits = None if low is None else (float(low), float(high))
        words = _difference_words(comparison, float(value), columns["p_adjusted"][k])
        rows.append(Row(called, float(value), limits, words))
    return rows


def _difference_words(comparison: ModelComparison, value: float, p_value: float | None) -> str:
    """A difference and its p value; the limits are drawn."""
    digits = getattr(comparison, "digits", None)
    shown = f"{value:.3g}" if digits is None else f"{value:.{digits}f}"
    return f"{shown}, {p_words(p_value)}"


def p_words(p_value: float | None) -> str:
    """A p value at the right of its row."""
    return "no p value" if p_value is None else printing.p_value(float(p_value))


@plot_of("AucIntervals")
def intervals_plot(intervals: AucIntervals, *, name: str | None = None) -> PlotSpec:
    """Draw the interval of every method, one below the other.

    Parameters
    ----------
    intervals
        One area with all its intervals.
    name
        What the model is called.
    """
    rows = [
        Row(
            f"{method} *" if method == intervals.recommended else str(method),
            intervals.value,
            (float(low), float(high)),
            f"{low:.3f} to {high:.3f}",
        )
        for method, low, high in zip(intervals.method, intervals.low, intervals.high, strict=True)
    ]
    of_model = "" if name is None else f" of {name}"
    title = f"AUC{of_model} ({printing.percent(intervals.level)} CI)"
    return forest(rows, title, null=None, caption=f"* {intervals.advice}")


@plot_of("AucTest", together={"view": "row"})
def test_plot(
    test: AucTest, *, name: str | None = None, view: Literal["curve", "row"] = "curve"
) -> PlotSpec:
    """Draw the curve of the area that was tested; several as rows beside their null values.

    Parameters
    ----------
    test
        One area tested.
    name
        What curve or row is called.
    view
        "curve" or "row".
    """
    method = f"{test.alternative}, {with_capitals(test.method)}"
    if view == "curve" and test.data is not None:
        n = test.n_pos + test.n_neg
        words = f"AUC {printing.rate(test.value, n)}, {printing.p_value(test.p_value)}"
        line = Line(*test.curve(), label=entry(name_of(test, name), words))
        caption = f"Tested against {test.null:g}: {method}."
        return replace(roc_square((line,), "ml", chance=True), caption=(caption,))
    row = Row(name or "", test.value, None, printing.p_value(test.p_value))
    caption = f"Dashed: {test.null:g}, the null hypothesis; {method}."
    return forest([row], "AUC", null=test.null, caption=caption)


@plot_of("StepArea", together={"view": "row"})
def step_area_plot(
    area: StepArea, *, name: str | None = None, view: Literal["curve", "row"] = "curve"
) -> PlotSpec:
    """Draw the area under the curve; several as rows of shares of the perfect area.

    Parameters
    ----------
    area
        Komarek's step area.
    name
        What curve or row is called.
    view
        "curve" or "row".
    """
    words = f"{printing.count(area.area)} of {printing.count(area.perfect_area)}"
    if view == "curve" and area.data is not None:
        label = entry(name_of(area, name), f"step area {area.value:.3f}: {words} squares")
        layers = (part_layer(area, (0.0, 1.0), "fpr", None), Line(*area.curve(), label=label))
        return replace(roc_square(layers, "ml", chance=True), caption=(_ties(area),))
    row = Row(name or "", area.value, None, words)
    return forest([row], "Step area", null=0.5, caption=_ties(area))


def _ties(area: StepArea) -> str:
    """How tied scores were counted, as a sentence."""
    ways = {
        "simultaneous": "Tied scores are stepped over together.",
        "optimistic": "Of tied scores the positives come first.",
        "pessimistic": "Of tied scores the negatives come first.",
    }
    return ways[area.ties]


@plot_of("Interval")
def interval_plot(interval: Interval, *, name: str | None = None) -> PlotSpec:
    """Draw the interval, with its mean where it has one.

    Parameters
    ----------
    interval
        A confidence interval.
    name
        What the row is called.
    """
    low, high = interval.low, interval.high
    middle = (low + high) / 2 if interval.mean is None else interval.mean
    row = Row(name or "", middle, (low, high), f"{low:.3f} to {high:.3f}")
    title = f"Estimate ({printing.percent(interval.level)} CI)"
    return forest([row], title, null=None, caption=f"{interval.method}." if interval.method else "")


@plot_of("BootstrapResult")
def bootstrap_plot(result: BootstrapResult, *, name: str | None = None) -> PlotSpec:
    """Draw a histogram of the replicates, the estimate and its interval.

    Parameters
    ----------
    result
        A statistic with its replicates.
    name
        What the model is called.
    """
    values = result.replicates
    low, high = result.interval.low, result.interval.high
    reach = [float(values.min()), float(values.max()), low, high, result.value]
    margin = MARGIN * (max(reach) - min(reach)) or MARGIN
    of_model = "" if name is None else f" of {name}"
    seed = f"{printing.count(len(values))} resamples, seed {result.seed}."
    bars = histogram(values)
    top = float(bars.upper.max())
    return PlotSpec(
        layers=(
            Line(np.full(2, result.value), np.array([0.0, 1.2 * top]), role="reference"),
            bars,
            Whiskers(np.array([low]), np.array([high]), np.array([1.1 * top])),
            Points(np.array([result.value]), np.array([1.1 * top])),
        ),
        x=Axis(f"{result.statistic}{of_model}", (min(reach) - margin, max(reach) + margin)),
        y=Axis("Share of resamples", (0.0, 1.2 * top)),
        caption=(f"Dashed: the estimate. Bar: {result.interval!r}. {seed}",),
    )


@plot_of("FeatureRanking")
def ranking_plot(ranking: FeatureRanking, *, name: str | None = None, most: int = 20) -> PlotSpec:
    """Draw the predicted AUC of the leading features with their intervals.

    Parameters
    ----------
    ranking
        Features in order.
    name
        What the table of features is called.
    most
        How many to draw at most, the best first.
    """
    rows = [
        Row(
            str(ranking.feature[k]),
            float(ranking.predicted_auc[k]),
            (float(ranking.predicted_auc_low[k]), float(ranking.predicted_auc_high[k])),
            f"empirical {ranking.auc[k]:.3f}",
        )
        for k in range(min(most, len(ranking.feature)))
    ]
    title = f"Predicted AUC ({printing.percent(ranking.level)} CI)"
    of_table = "" if name is None else f" of {name}"
    drawn = f"{len(rows)} of {len(ranking.feature)} features{of_table}."
    return forest(rows, title, null=0.5, caption=drawn)


@plot_of("SignalDetection")
def signal_plot(signal: SignalDetection, *, name: str | None = None) -> PlotSpec:
    """Draw the operating point in ROC space, with d' beside it.

    Parameters
    ----------
    signal
        Indices of one operating point.
    name
        What the point is called.
    """
    words = f"d' = {signal.d_prime:.2f}" if name is None else f"{name}: d' = {signal.d_prime:.2f}"
    place = np.array([signal.fpr]), np.array([signal.tpr])
    ends = np.array([0.0, 1.0])
    x, y = signal.curve()
    layers: list[Layer] = [Line(ends, ends, role="reference")]
    if x:
        layers.append(Line(np.array(x), np.array(y), role="hull"))
    layers += [Points(*place), Label(signal.fpr, signal.tpr, words)]
    equal = "Line: the same d' at other criteria, both classes normal and equally wide."
    return PlotSpec(
        layers=tuple(layers),
        x=Axis("False alarm rate", (-0.015, 1.015)),
        y=Axis("Hit rate", (-0.015, 1.015)),
        square=True,
        caption=(equal,) if x else (),
    )


def forest(rows: Sequence[Row], title: str, *, null: float | None, caption: str) -> PlotSpec:
    """Rows from top to bottom, the null as a dashed line; a caption starts with a capital."""
    places = np.arange(len(rows), dtype=np.float64)[::-1]
    reach = [value for row in rows for value in (row.value, *(row.limits or ()))]
    layers: list[Layer] = []
    if null is not None:
        reach.append(null)
        ends = np.array([-0.5, len(rows) - 0.5])
        layers.append(Line(np.full(2, null), ends, role="reference"))
    limited = [(row.limits, place) for row, place in zip(rows, places, strict=True) if row.limits]
    if limited:
        lows, highs = (np.array([limits[end] for limits, _ in limited]) for end in (0, 1))
        layers.append(Whiskers(lows, highs, np.array([place for _, place in limited])))
    layers.append(Points(np.array([row.value for row in rows]), places))
    margin = MARGIN * (max(reach) - min(reach)) or MARGIN
    named = list(zip(rows, places, strict=True))
    return PlotSpec(
        layers=tuple(layers),
        x=Axis(title, (min(reach) - margin, max(reach) + margin)),
        y=Axis(
            "",
            (-0.5, len(rows) - 0.5),
            ticks=tuple(Tick(float(place), row.name) for row, place in named),
        ),
        right_ticks=tuple(Tick(float(place), true_minus(row.words)) for row, place in named),
        caption=(caption[0].upper() + caption[1:],) if caption else (),
        rows=len(rows),
    )


ROW_WORDS = {"corrected-t": "Corrected t", "influence": "Influence", "t": "t"}


@plot_of("CrossValidatedAuc")
def crossval_plot(
    result: CrossValidatedAuc, *, name: str | None = None, chance: bool = True
) -> PlotSpec:
    """Draw the AUC of every fold in the top row, and below it the mean with each interval.

    Parameters
    ----------
    result
        The cross-validated area.
    name
        Put before the words at each row.
    chance
        Whether to draw the area of a worthless test, one half.
    """
    n = result.n_pos + result.n_neg
    heights = np.arange(len(result.intervals))[::-1].astype(np.float64)
    low = np.array([interval.low for interval in result.intervals.values()])
    high = np.array([interval.high for interval in result.intervals.values()])
    top = float(len(low))
    layers: list[Layer] = [
        Points(result.fold_values, np.full(len(result.fold_values), top), muted=True),
        Whiskers(low, high, heights),
        Points(np.full(len(low), result.value), heights),
    ]
    reach = [low.min(), high.max(), result.fold_values.min(), result.fold_values.max()]
    if chance:
        layers.insert(0, Line(np.full(2, 0.5), np.array([-0.5, top + 0.5]), role="reference"))
        reach.append(0.5)
    margin = MARGIN * float(max(reach) - min(reach))
    called = name_of(result, name)
    before = "" if called is None else f"{called}: "
    words = {top: f"{before}Folds"} | {
        height: f"{before}{ROW_WORDS[method]}"
        for height, method in zip(heights.tolist(), result.intervals, strict=True)
    }
    return PlotSpec(
        layers=tuple(layers),
        x=Axis(
            f"AUC ({printing.percent(result.interval.level)} CI)",
            (float(min(reach)) - margin, float(max(reach)) + margin),
        ),
        y=Axis("", (-0.5, top + 0.5), ticks=tuple(Tick(*item) for item in words.items())),
        right_ticks=tuple(
            Tick(height, f"{printing.rate(first, n)} to {printing.rate(last, n)}")
            for height, first, last in zip(heights.tolist(), low, high, strict=True)
        ),
        caption=(f"{before}{_means(result, n)}.",),
        rows=len(low) + 1,
    )


def _means(result: CrossValidatedAuc, n: float) -> str:
    return (
        f"AUC {printing.rate(result.value, n)} per fold, {printing.rate(result.pooled, n)} pooled"
    )


USUAL_POWER = 0.8
POWER_MARGIN = 0.03


@plot_of("PowerCurve")
def power_plot(
    curve: PowerCurve, *, name: str | None = None, wanted: float | None = USUAL_POWER
) -> PlotSpec:
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
    return PlotSpec(
        layers=tuple(layers),
        x=Axis("Positives", (0.0, most * (1 + POWER_MARGIN))),
        y=Axis("Power", PADDED_UNIT),
        caption=curve.conditions(),
        legend_places=("lower right", "upper left"),
    )


@plot_of("StudyPlan")
def plan_plot(plan: StudyPlan, *, name: str | None = None, wanted: float | None = None) -> PlotSpec:
    """Draw the power curve of the design, with the plan as a point on it.

    Options as for a power curve; the line to compare with is by default at the power asked for.
    """
    spec = power_plot(plan.curve(), name=name, wanted=plan.power if wanted is None else wanted)
    x, y = float(plan.n_pos), plan.achieved_power
    marks: tuple[Layer, ...] = (
        Points(np.array([x]), np.array([y])),
        Label(x, y, printing.classes(plan.n_pos, plan.n_neg)),
    )
    return replace(spec, layers=(*spec.layers, *marks))


PLACES = (0.5, 0.35, 0.65)
"""Where along its contour a value is written."""


@plot_of("AucBounds")
def bounds_plot(
    bounds: AucBounds, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """Draw the points and the region in which every concave curve through them must run.

    Options as for a ROC curve.
    """
    words = f"AUC {bounds.lower:.3f} to {bounds.upper:.3f}"
    layers: tuple[Layer, ...] = (
        Band(*bounds.region(), label=entry(name, words)),
        Points(bounds.fpr, bounds.tpr),
    )
    caption = ("Shaded: where concave curves through the points can run.",)
    return replace(roc_square(layers, axis, chance), caption=caption)


@plot_of("BoundContours")
def contours_plot(
    contours: BoundContours, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """Draw the contours with their values; options as for a ROC curve."""
    layers: list[Layer] = []
    lines = zip(contours.values, contours.fpr, contours.tpr, strict=True)
    for number, (value, x, y) in enumerate(lines):
        label = _title(contours.quantity, name) if number == 0 else None
        layers.append(Line(x, y, label=label))
        half = len(x) // 2
        away = np.where(np.isfinite(x[:half]), y[:half] - x[:half], -1.0)  # from the diagonal
        if away.max(initial=-1.0) >= 0:
            # along the lines in turn, so that neighbours do not meet
            shown = np.flatnonzero(away >= 0)
            place = int(shown[int(PLACES[number % len(PLACES)] * (len(shown) - 1))])
            layers.append(Label(float(x[place]), float(y[place]), f"{value:g}", "on"))
    return roc_square(tuple(layers), axis, chance)


def _title(quantity: str, name: str | None) -> str:
    words = "equal A" if quantity == "a" else "equal gap between the bounds"
    return entry(name, words)


DIAGONAL = np.array([0.0, 1.0])
HIGHEST_BAR = 0.125


@plot_of("Calibration")
def calibration_plot(
    result: Calibration, *, name: str | None = None, histogram: bool = True
) -> PlotSpec:
    """Draw observed shares over predicted ones, with their limits and the diagonal.

    Parameters
    ----------
    result
        The calibration.
    name
        What the legend calls it.
    histogram
        Whether to draw, small and grey, how the predictions are spread.
    """
    slope = "" if result.slope is None else f"slope {result.slope:.2f}, "
    words = entry(name_of(result, name), f"{slope}Brier {result.brier:.3f}")
    layers: list[Layer] = [Line(DIAGONAL, DIAGONAL, role="reference", label="perfect")]
    if histogram and result.data is not None:
        layers.append(_predictions(result))
    layers += [
        Band(result.predicted, result.low, result.high),
        Line(result.predicted, result.observed, label=words),
    ]
    if result.strategy != "loess":
        layers.append(Points(result.predicted, result.observed))
    level = printing.percent(result.level)
    kind = {
        "quantile": f"{len(result.predicted)} bins of about equal size",
        "uniform": f"{len(result.predicted)} bins of equal width",
        "isotonic": "blocks of the isotonic fit",
        "loess": "local linear fit",
    }[result.strategy]
    grey = ("Grey: how the predictions are spread.",) if histogram and result.data else ()
    return PlotSpec(
        layers=tuple(layers),
        x=Axis("Predicted probability", PADDED_UNIT),
        y=Axis("Observed share", PADDED_UNIT),
        square=True,
        caption=(f"{kind[0].upper()}{kind[1:]}, pointwise {level} limits.", *grey),
        legend_places=("upper left", "lower right"),
    )


def _predictions(result: Calibration) -> Band:
    """Bars at the bottom of the square, the highest an eighth of its height."""
    assert result.data is not None
    edges, negative, positive = class_shares(result.data)
    cases = negative * result.n_neg + positive * result.n_pos
    return bars(edges, HIGHEST_BAR * cases / cases.max(), muted=True)


@plot_of("Lift")
def lift_plot(
    result: Lift, *, name: str | None = None, view: Literal["gain", "lift", "ks"] = "gain"
) -> PlotSpec:
    """Draw the cumulative gain, the lift, or the distance of the classes.

    Parameters
    ----------
    result
        The curve.
    name
        What the legend calls it.
    view
        "gain" or "lift" over the share of the cases; "ks": the shares of both classes at or beyond
        each threshold, with the largest distance between them.
    """
    checks.one_of(view, "view", ("gain", "lift", "ks"))
    n = result.n_pos + result.n_neg
    words = entry(name_of(result, name), f"KS {printing.rate(result.ks, n)}")
    if view == "ks":
        return _distance(result, words)
    if view == "lift":
        x, y = result.share[1:], np.asarray(result.lift[1:], np.float64)
        layers: tuple[Layer, ...] = (
            Line(DIAGONAL, np.ones(2), role="reference", label="drawn blindly"),
            Line(x, y, label=words),
        )
        top = float(y.max()) * 1.05
        return PlotSpec(
            layers=layers,
            x=Axis("Share of the cases, highest scores first", PADDED_UNIT),
            y=Axis("Lift", (0.0, max(top, 1.1))),
            legend_places=("upper right",),
        )
    return PlotSpec(
        layers=(
            Line(DIAGONAL, DIAGONAL, role="reference", label="drawn blindly"),
            Line(result.share, result.gain, label=words),
        ),
        x=Axis("Share of the cases, highest scores first", PADDED_UNIT),
        y=Axis("Share of the positives", PADDED_UNIT),
        square=True,
        legend_places=("lower right", "upper left"),
    )


def _distance(result: Lift, words: str) -> PlotSpec:
    """The shares of both classes that reach each threshold, and where they are farthest apart."""
    fpr, tpr = result.curve()
    ends = score_ends(np.asarray(result.thresholds, np.float64), "result")
    layers: list[Layer] = []
    for slot, (label, rates) in enumerate((("negatives", fpr), ("positives", tpr))):
        x, y = threshold_steps(result.thresholds, rates, result.origin.direction, ends)
        layers.append(Line(x, y, slot=slot, label=label))
    best = int(np.argmax(np.abs(tpr - fpr)))
    if np.isfinite(result.ks_threshold):
        there = np.full(2, result.ks_threshold)
        gap = Line(there, np.array([fpr[best], tpr[best]]), role="reference", label=words)
        layers.append(gap)
    reach = "at or above" if result.origin.direction == "higher" else "at or below"
    return PlotSpec(
        layers=tuple(layers),
        x=Axis("Threshold", ends),
        y=Axis(f"Share of the class {reach}", PADDED_UNIT),
        legend_places=("upper right", "lower left"),
    )


@plot_of("PrecisionRecallBand")
def precision_band_plot(
    result: PrecisionRecallBand, *, name: str | None = None, axis: AxisWords = "ml"
) -> PlotSpec:
    """Draw the band of the precision over the recall, and the observed precision in it.

    Parameters
    ----------
    result
        The band.
    name
        What the legend calls it.
    axis
        "ml": precision and recall; "clinical": positive predictive value and sensitivity.
    """
    words = entry(name_of(result, name), f"{printing.percent(result.level)} {result.kind} band")
    level = np.full(2, result.prevalence)
    chance = printing.rate(result.prevalence, result.n_pos + result.n_neg)
    return PlotSpec(
        layers=(
            Line(DIAGONAL, level, role="reference", label=f"chance (prevalence {chance})"),
            Band(result.recall, result.lower, result.upper),
            Line(result.recall, result.precision, label=words),
        ),
        x=Axis(rate_word("recall", axis), PADDED_UNIT),
        y=Axis(rate_word("precision", axis), PADDED_UNIT),
        square=True,
        legend_places=("lower left", "upper right", "lower right"),
    )
