"""Plots of thresholds: chosen points, measures over the threshold, values at given points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError, count_of
from rocwise.plotting import forms, words
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    Axis,
    AxisWords,
    Label,
    Layer,
    Limits,
    Line,
    Name,
    PlotSpec,
    marker,
    padded,
    reference,
    whisker,
)
from rocwise.plotting.theme import TEXT_COLOR

if TYPE_CHECKING:
    from rocwise.binary.compare_at import PointsComparison
    from rocwise.binary.guarantees import GuaranteedThreshold
    from rocwise.binary.operating_points import PointsTable
    from rocwise.binary.threshold import MeasureCurve, OperatingPoint, ThresholdUncertainty
    from rocwise.binary.threshold_groups import GroupThresholds
    from rocwise.binary.thresholds_table import ThresholdTable
    from rocwise.binary.unlabeled import NrocCurve, UnlabeledRule


METRICS = {
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "ppv": "Positive predictive value",
    "npv": "Negative predictive value",
    "accuracy": "Accuracy",
    "balanced_accuracy": "Balanced accuracy",
    "f1": "F1",
    "mcc": "Matthews correlation",
    "youden": "Youden index",
    "lr_positive": "Positive likelihood ratio",
    "lr_negative": "Negative likelihood ratio",
    "expected_cost": "Expected cost",
    "tp": "True positives",
    "fp": "False positives",
    "fn": "False negatives",
    "tn": "True negatives",
}
DEFAULT_METRICS = ("sensitivity", "specificity", "ppv", "npv")
CORNERS = ("lower left", "lower right", "upper left", "upper right")
MARGIN = 0.03


@plot_of("ThresholdTable")
def threshold_plot(
    table: ThresholdTable, *, name: Name = None, metrics: str | Sequence[str] = DEFAULT_METRICS
) -> PlotSpec:
    """Columns of the table as steps over the threshold; one alone also names the axis."""
    chosen = _checked_metrics(table, metrics)
    alone = len(chosen) == 1
    called = words.name_of(table, name) if alone else name
    ends = forms.threshold_limits(table.threshold, "table")
    lines, caption = [], []
    for slot, metric in enumerate(chosen):
        title, values = METRICS[metric], _finite_column(table, metric)
        label = called if alone else f"{called}: {title}" if called else title
        steps = forms.threshold_steps(table.threshold, values, table.origin.direction, ends)
        lines.append(Line(*steps, slot=slot, label=label))
        n_missing = int(np.count_nonzero(np.isnan(values)))
        if n_missing:
            where = count_of(n_missing, "threshold")
            caption.append(f"{title}: undefined or infinite at {where}.")
    y = _value_axis(METRICS[chosen[0]] if alone else "Value", lines)
    places = (*CORNERS, "center right")
    return forms.chart(lines, Axis("Threshold", ends), y, *caption, legend_places=places)


def _checked_metrics(table: ThresholdTable, metrics: str | Sequence[str]) -> list[str]:
    chosen = [metrics] if isinstance(metrics, str) else list(metrics)
    present = [metric for metric in METRICS if getattr(table, metric, None) is not None]
    if not chosen:
        raise InputError(f"`metrics` is empty. Choose from: {', '.join(present)}.")
    for metric in chosen:
        if metric not in present:
            raise InputError(
                f"`metrics` contains {metric!r}, which is not a column of this table. "
                f"Choose from: {', '.join(present)}."
            )
    return chosen


def _finite_column(table: ThresholdTable, metric: str) -> Floats:
    """A column with nan where the metric is undefined or infinite."""
    column: Floats = np.ma.filled(np.ma.asarray(getattr(table, metric)).astype(float), np.nan)
    return np.where(np.isfinite(column), column, np.nan)


def _value_axis(title: str, lines: Sequence[Line]) -> Axis | str:
    """The unit interval if it contains all values, else as much as they need."""
    values = np.concatenate([line.y for line in lines])
    values = values[np.isfinite(values)]
    in_unit = ((values >= 0) & (values <= 1)).all()
    return title if in_unit else Axis(title, padded([0.0, 1.0, *values], MARGIN))


PointView: TypeAlias = Literal["curve", "measure", "scores", "matrix"]


@plot_of("OperatingPoint")
def operating_point_plot(
    point: OperatingPoint,
    *,
    name: Name = None,
    view: PointView = "curve",
    axis: AxisWords = "ml",
    chance: bool = True,
    tangent: bool | None = None,
) -> PlotSpec:
    """The chosen threshold in one of four views.

    "curve": the point on its ROC curve; "measure": what the rule optimizes, over the threshold;
    "scores": the scores of both classes with the threshold; "matrix": the confusion matrix.
    `tangent` draws the line of equal cost through the point, by default when costs were given.
    """
    checks.one_of(view, "view", get_args(PointView))
    called = words.name_of(point, name)
    if view == "measure":
        return measure_plot(point.measure_curve(), name=name)
    if view == "scores":
        return _scores_plot(point, called)
    if view == "matrix":
        return _matrix_plot(point, called)
    layers: list[Layer] = [*_on_curve(point, called)]
    slope = point.iso_cost_slope
    if slope is not None and tangent is not False:
        line = forms.clipped_line(slope, point.tpr - slope * point.fpr)
        layers.insert(0, reference(*line, slot=1, label="equal cost"))
    elif tangent:
        raise InputError("`tangent` needs a threshold that was chosen with `costs`.")
    return forms.roc_square(layers, axis, chance, _reason(point, called))


def _reason(point: OperatingPoint, called: Name) -> str:
    return f"{called or 'Chosen'}: {point.reason}."


def _on_curve(
    point: OperatingPoint | GuaranteedThreshold, called: Name, slot: int = 0
) -> tuple[Layer, ...]:
    """The ROC curve with the point and its threshold."""
    layers: list[Layer] = [Line(*point.curve(), label=called, slot=slot)]
    for each in equal_points(point):
        layers += forms.marked_point(each.fpr, each.tpr, words.decision(each), slot=slot)
    return tuple(layers)


MOST_EQUAL = 4


def equal_points(point: OperatingPoint | GuaranteedThreshold) -> Sequence[Any]:
    """The point, with those of equally good thresholds where they are few."""
    several = 1 < len(getattr(point, "equals", ())) <= MOST_EQUAL
    return point.equal_points() if several else [point]  # type: ignore[union-attr]


def _scores_plot(point: OperatingPoint, called: Name) -> PlotSpec:
    """Histograms of the scores of both classes, with the threshold."""
    edges, negative, positive = forms.class_proportions(point.data)
    top = 1.18 * float(max(negative.max(), positive.max()))
    layers: list[Layer] = [
        forms.bars(edges, negative, slot=0, edges=True, label="negatives"),
        forms.bars(edges, positive, slot=1, edges=True, hatched=True, label="positives"),
    ]
    if np.isfinite(point.threshold):
        x, text = float(point.threshold), words.decision(point)
        if edges[0] % 1 == 0.5 and edges[1] - edges[0] == 1:  # at the edge of the bar of an integer
            x += 0.5 if point.data.direction == "lower" else -0.5
        layers.append(reference((x, x), (0, top)))
        layers.append(Label(x, 0.97 * top, text, color=TEXT_COLOR))
    x_axis = Axis("Score", padded(edges, MARGIN))
    y_axis = Axis("Proportion of the class", (0.0, top))
    return forms.chart(
        layers, x_axis, y_axis, _reason(point, called), legend_places=forms.UPPER[::-1]
    )


def _matrix_plot(point: OperatingPoint, called: Name) -> PlotSpec:
    """The confusion matrix, each cell with its rate of the true class."""
    counts = ((point.tp, point.fn), (point.fp, point.tn))
    meanings = (
        ("true positives\n", "false negatives\n"),
        ("false positives\n", "true negatives\n"),
    )
    rates = np.array(counts, dtype=float) / [[point.n_pos], [point.n_neg]]
    classes = ("Positive", "Negative")
    rule = f"{words.capital(point.decision)}; percentages are of the true class."
    cells = (counts, rates, meanings)
    return forms.confusion_plot(cells, classes, classes, _reason(point, called), rule)


@plot_of("GuaranteedThreshold")
def guaranteed_plot(
    point: GuaranteedThreshold, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The threshold on the ROC curve, with the constraint on a rate of one class as a line."""
    layers = [*_on_curve(point, words.name_of(point, name))]
    if point.rate == "fpr":
        layers.insert(0, reference([point.alpha] * 2, forms.UNIT, label=f"FPR {point.alpha:g}"))
    elif point.rate == "fnr":
        tpr = 1 - point.alpha
        layers.insert(0, reference(forms.UNIT, [tpr] * 2, label=f"TPR {tpr:g}"))
    return forms.roc_square(layers, axis, chance, f"{words.capital(point.description())}.")


@plot_of("GroupThresholds")
def groups_plot(
    result: GroupThresholds, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The curve of every group with its threshold."""
    layers: list[Layer] = []
    for slot, group in enumerate(result.groups):
        called = f"{name}, {group}" if name else str(group)
        layers += _on_curve(result[group], called, slot)
    sentence = f"Each group at its own threshold by rule '{result.rule}'."
    return forms.roc_square(layers, axis, chance, sentence)


@plot_of("MeasureCurve")
def measure_plot(curve: MeasureCurve, *, name: Name = None) -> PlotSpec:
    """What the rule optimizes over the threshold, with the chosen threshold marked."""
    point, called = curve.point, words.name_of(curve, name)
    threshold = curve.thresholds[1:].astype(np.float64)  # at the first one no case is positive
    ends = forms.threshold_limits(threshold, "point")
    values = np.ma.filled(curve.values[1:], np.nan)
    x, y = forms.threshold_steps(threshold, values, curve.origin.direction, ends)
    layers: list[Layer] = [Line(x, y, label=called)]
    caption = _reason(point, called)
    if np.isfinite(point.threshold):
        at, text = float(point.threshold), words.decision(point)
        side: Any = "below" if curve.smallest else "above"
        side += "-left" if at > (ends[0] + 2 * ends[1]) / 3 else "-right"
        layers += [marker(at, point.value), Label(at, point.value, text, side)]
    else:
        caption += " No case is predicted positive."
    heights = Axis(words.capital(curve.name), _range_with_room(y))
    return forms.chart(layers, Axis("Threshold", ends), heights, caption, legend_places=CORNERS)


def _range_with_room(values: Floats) -> Limits:
    """The range of values and 0, with room for the text at the extreme."""
    finite = values[np.isfinite(values)]
    low, high = float(finite.min(initial=0.0)), float(finite.max(initial=0.0))
    margin = MARGIN * ((high - low) or 1.0)
    return low - (margin if low >= 0 else 5 * margin), high + 5 * margin


@plot_of("ThresholdUncertainty")
def uncertainty_plot(
    result: ThresholdUncertainty,
    *,
    name: Name = None,
    view: Literal["measure", "scores"] = "measure",
) -> PlotSpec:
    """The measure over the threshold, with the interval of the threshold and the out-of-bag value.

    In the view "scores" the interval lies over the scores of both classes.
    """
    checks.one_of(view, "view", ("measure", "scores"))
    point, called = result.point, words.name_of(result, name)
    if view == "scores":
        spec = _scores_plot(point, called)
        height = 0.87 * spec.y.limits[1]  # below the number, above the bars
        interval = whisker(height, *np.clip([*result.interval], *spec.x.limits), color=TEXT_COLOR)
        return replace(spec, layers=(*spec.layers, interval))
    spec = measure_plot(point.measure_curve(), name=called)
    interval = whisker(point.value, *np.clip([*result.interval], *spec.x.limits))
    layers: tuple[Layer, ...] = (*spec.layers, interval)
    level = printing.percent(result.interval.level)
    caption = (*spec.caption, f"{level} interval of the threshold: {result.interval.ends}.")
    if result.measures[0] in (point.value_name, "expected cost"):
        out_of_bag = float(result.out_of_bag[0])
        label = f"out-of-bag {out_of_bag:.3g}"
        layers = (reference(spec.x.limits, [out_of_bag] * 2, label=label), *layers)
    return replace(spec, layers=layers, caption=caption)


@plot_of("NrocCurve")
def nroc_plot(curve: NrocCurve, *, name: Name = None, chance: bool = True) -> PlotSpec:
    """The ROC curve expected from the scores."""
    line = Line(curve.x, curve.y, label=words.entry_of(curve, name, f"area {curve.auc:.3f}"))
    sentence = "From the scores alone, taken for probabilities; no labels were used."
    x, y = "Expected false positive rate", "Expected true positive rate"
    diagonal = (reference(forms.UNIT, forms.UNIT),) if chance else ()
    return forms.chart((*diagonal, line), x, y, sentence, square=True)


@plot_of("UnlabeledRule")
def unlabeled_plot(rule: UnlabeledRule, *, name: Name = None) -> PlotSpec:
    """The rate of positive predictions over the threshold, with the chosen one."""
    x, below = forms.ecdf_steps(rule.scores)  # above each score the case is no longer positive
    text = words.decision(rule)
    rate = rule.share_from_threshold
    span = float(x[-1] - x[0]) or 1.0
    low, high = min(x[0], rule.threshold), max(x[-1], rule.threshold)
    line = Line(x, 1 - below, label=words.name_of(rule, name))
    return forms.chart(
        (
            line,
            marker(rule.threshold, rate),
            Label(rule.threshold, rate, text, "above-right"),
        ),
        Axis("Threshold", (float(low) - MARGIN * span, float(high) + MARGIN * span)),
        "Proportion predicted positive",
        f"Threshold set without labels (rule {rule.method}).",
        legend_places=("lower left", "upper right"),
    )


SHOWN = ("sensitivity", "specificity", "ppv", "npv", "accuracy", "f1")


def _short(measure: str) -> str:
    return measure.upper() if measure in ("ppv", "npv", "f1") else measure


@plot_of("PointsTable")
def points_plot(
    table: PointsTable, *, name: Name = None, measures: tuple[str, ...] = SHOWN
) -> PlotSpec:
    """Measures at the points as rows with their confidence limits."""
    with_limits = [column for column in table.columns if f"{column}_low" in table.columns]
    for measure in measures:
        checks.one_of(measure, "measures", with_limits)
    several = len(table) > 1
    rows = []
    for k, requested in enumerate(table.requested.tolist()):
        for measure in measures:
            ends = ("", "_low", "_high")
            values = [table.columns[f"{measure}{end}"].tolist()[k] for end in ends]
            if values[0] is not None:
                title = f"{_short(measure)} at {requested:.4g}" if several else _short(measure)
                known = [value for value in values if value is not None]
                rows.append(forms.estimate_row(words.entry(name, title), *known))
    title = f"At {table.axis}" if several else f"At {table.axis} {table.requested[0]:.4g}"
    caption = f"Intervals: {table.method}."
    return forms.forest(rows, title, level=table.level, caption=caption)


@plot_of("PointsComparison")
def points_comparison_plot(found: PointsComparison, *, name: Name = None) -> PlotSpec:
    """Differences of rates of two models with their confidence limits."""
    names = ("requested", "measure", "difference", "low", "high")
    columns = (found.table[column].tolist() for column in names)
    rows = [
        forms.estimate_row(words.entry(name, f"{_short(measure)} at {requested:.4g}"), *values)
        for requested, measure, *values in zip(*columns, strict=True)
        if measure in SHOWN
    ]
    first, second = found.names
    return forms.forest(rows, f"{first} minus {second}", level=found.level, null=0.0)
