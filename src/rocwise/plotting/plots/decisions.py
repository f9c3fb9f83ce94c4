"""Plots of measures at points and of values with an interval: a row for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError, count_of
from rocwise.plotting.plots.costs import inside
from rocwise.plotting.plots.curves import bars, class_shares, roc_square
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    PADDED_UNIT,
    Axis,
    AxisWords,
    Cells,
    Label,
    Layer,
    Line,
    PlotSpec,
    Points,
    Side,
    Tick,
    Whiskers,
    entry,
    name_of,
    true_minus,
    with_capitals,
)
from rocwise.plotting.theme import TEXT_COLOR
from rocwise.plotting.threshold_marks import score_ends, share_steps, threshold_steps

if TYPE_CHECKING:
    from rocwise.binary.compare_at import PointsComparison
    from rocwise.binary.guarantees import GuaranteedThreshold
    from rocwise.binary.operating_points import EqualErrorResult, PointsTable
    from rocwise.binary.precision_recall import AveragePrecisionResult
    from rocwise.binary.summary import ModelSummary
    from rocwise.binary.threshold import MeasureCurve, OperatingPoint, ThresholdUncertainty
    from rocwise.binary.threshold_groups import GroupThresholds
    from rocwise.binary.thresholds_table import ThresholdTable
    from rocwise.binary.unlabeled import NrocCurve, UnlabeledRule


METRIC_WORDS = {
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
MARGIN = 0.03
"""Room left and right of the scores, as a share of their range."""


@plot_of("ThresholdTable")
def threshold_plot(
    table: ThresholdTable,
    *,
    name: str | None = None,
    metrics: str | Sequence[str] = DEFAULT_METRICS,
) -> PlotSpec:
    """Draw chosen columns of the table as steps over the threshold.

    Parameters
    ----------
    table
        The table.
    name
        Put before each entry of the legend.
    metrics
        Columns to draw; one alone also names the axis.
    """
    chosen = _checked_metrics(table, metrics)
    ends = score_ends(table.threshold, "table")
    lines = []
    called = name_of(table, name) if len(chosen) == 1 else name  # once is enough
    for slot, metric in enumerate(chosen):
        x, y = threshold_steps(
            table.threshold, _column(table, metric), table.origin.direction, ends
        )
        lines.append(Line(x, y, slot=slot, label=_label(called, chosen, metric)))
    return PlotSpec(
        layers=tuple(lines),
        x=Axis("Threshold", ends),
        y=Axis(METRIC_WORDS[chosen[0]] if len(chosen) == 1 else "Value", _limits(lines)),
        caption=_gaps(table, chosen),
        legend_places=("lower left", "lower right", "upper left", "upper right", "center right"),
    )


def _checked_metrics(table: ThresholdTable, metrics: str | Sequence[str]) -> list[str]:
    chosen = [metrics] if isinstance(metrics, str) else list(metrics)
    present = [metric for metric in METRIC_WORDS if getattr(table, metric, None) is not None]
    if not chosen:
        raise InputError(f"`metrics` is empty. Choose from: {', '.join(present)}.")
    for metric in chosen:
        if metric not in present:
            raise InputError(
                f"`metrics` holds {metric!r}, which is not a column of this table. "
                f"Choose from: {', '.join(present)}."
            )
    return chosen


def _column(table: ThresholdTable, metric: str) -> Floats:
    column: Floats = np.ma.filled(np.ma.asarray(getattr(table, metric)).astype(float), np.nan)
    # Nothing undefined or infinite has a place on paper; the caption says how often that is.
    column[~np.isfinite(column)] = np.nan
    return column


def _label(name: str | None, chosen: Sequence[str], metric: str) -> str | None:
    if name is None:
        return METRIC_WORDS[metric] if len(chosen) > 1 else None
    return f"{name}: {METRIC_WORDS[metric]}" if len(chosen) > 1 else name


def _limits(lines: Sequence[Line]) -> tuple[float, float]:
    """Return the unit interval if it holds all values, else as much as they need."""
    values = np.concatenate([line.y for line in lines])
    values = values[np.isfinite(values)]
    low, high = min(0.0, values.min(initial=0.0)), max(1.0, values.max(initial=1.0))
    if (low, high) == (0.0, 1.0):
        return PADDED_UNIT
    margin = MARGIN * (high - low)
    return float(low - margin), float(high + margin)


def _gaps(table: ThresholdTable, chosen: Sequence[str]) -> tuple[str, ...]:
    sentences = []
    for metric in chosen:
        n_missing = int(np.count_nonzero(np.isnan(_column(table, metric))))
        if n_missing:
            where = count_of(n_missing, "threshold")
            sentences.append(f"{METRIC_WORDS[metric]}: undefined or infinite at {where}.")
    return tuple(sentences)


PointView: TypeAlias = Literal["curve", "measure", "scores", "matrix"]
VIEWS = get_args(PointView)
NEAR_EDGE = 0.85
NEAR_AXIS = 0.06


@plot_of("OperatingPoint")
def operating_point_plot(
    point: OperatingPoint,
    *,
    name: str | None = None,
    view: PointView = "curve",
    axis: AxisWords = "ml",
    chance: bool = True,
    tangent: bool | None = None,
) -> PlotSpec:
    """Draw the chosen threshold.

    Parameters
    ----------
    point
        The operating point.
    name
        What the legend calls it.
    view
        "curve": the point on its ROC curve; "measure": what the rule looks at, over the threshold;
        "scores": the scores of both classes with the cut; "matrix": the confusion matrix.
    axis, chance
        As for a ROC curve, in the view "curve".
    tangent
        Whether to draw the line of equal cost through the point; as long as there are costs.
    """
    checks.one_of(view, "view", VIEWS)
    called = name_of(point, name)
    if view == "measure":
        return measure_plot(point.measure_curve(), name=name)
    if view == "scores":
        return scores_plot(point, called)
    if view == "matrix":
        return _matrix(point, called)
    layers = _on_curve(point, called, slot=0)
    caption = [_reason(point, called)]
    slope = point.iso_cost_slope
    if tangent is None or tangent:
        if slope is not None:
            x, y = inside(slope, point.tpr - slope * point.fpr)
            layers = (Line(x, y, role="reference", slot=1, label="equal cost"), *layers)
        elif tangent:
            raise InputError("`tangent` needs a threshold that was chosen with `costs`.")
    return replace(roc_square(layers, axis, chance), caption=tuple(caption))


def scores_plot(point: OperatingPoint, called: str | None) -> PlotSpec:
    """Draw how the scores of both classes are spread, and the cut between them."""
    edges, negative, positive = class_shares(point.data)
    top = 1.18 * float(max(negative.max(), positive.max()))
    layers: list[Layer] = [
        bars(edges, negative, slot=0, edges=True, label="negatives"),
        bars(edges, positive, slot=1, edges=True, label="positives"),
    ]
    if np.isfinite(point.threshold):
        cut = float(point.threshold)
        layers.append(Line(np.full(2, cut), np.array([0.0, top]), role="reference"))
        text = point.threshold_text.replace("-", "−")
        layers.append(Label(cut, 0.97 * top, text, "below-right", color=TEXT_COLOR))
    margin = MARGIN * float(edges[-1] - edges[0])
    return PlotSpec(
        layers=tuple(layers),
        x=Axis("Score", (float(edges[0]) - margin, float(edges[-1]) + margin)),
        y=Axis("Share of the class", (0.0, top)),
        caption=(_reason(point, called),),
        legend_places=("upper left", "upper right"),
    )


def _matrix(point: OperatingPoint, called: str | None) -> PlotSpec:
    """Draw the confusion matrix, each field with its share of the true class."""
    counts = ((point.tp, point.fn), (point.fp, point.tn))
    words = (("true positives", "misses"), ("false alarms", "true negatives"))
    totals = (point.n_pos, point.n_neg)
    shares = np.array([[count / totals[k] for count in counts[k]] for k in range(2)])
    texts = tuple(
        tuple(
            f"{printing.count(count)}\n{word}\n{printing.percent(round(share, 3))}"
            for count, word, share in zip(counts[k], words[k], shares[k], strict=True)
        )
        for k in range(2)
    )
    return table_plot(
        Cells(shares, texts),
        rows=("Positive", "Negative"),
        columns=("Positive", "Negative"),
        caption=(
            _reason(point, called),
            f"{point.decision[:1].upper()}{point.decision[1:]}; shares are of the true class.",
        ),
    )


def table_plot(
    cells: Cells, *, rows: Sequence[str], columns: Sequence[str], caption: tuple[str, ...]
) -> PlotSpec:
    """A table of true classes (lines) and what they are called (columns)."""
    return PlotSpec(
        layers=(cells,),
        x=Axis(
            "Called",
            (-0.5, len(columns) - 0.5),
            ticks=tuple(Tick(float(k), word) for k, word in enumerate(columns)),
        ),
        y=Axis(
            "True class",
            (-0.5, len(rows) - 0.5),
            ticks=tuple(Tick(float(len(rows) - 1 - k), word) for k, word in enumerate(rows)),
        ),
        square=True,
        bare=True,
        caption=caption,
        legend_places=(),
    )


@plot_of("GuaranteedThreshold")
def guaranteed_plot(
    point: GuaranteedThreshold,
    *,
    name: str | None = None,
    axis: AxisWords = "ml",
    chance: bool = True,
) -> PlotSpec:
    """Draw the threshold on the ROC curve; a line shows the limit of a rate of one class."""
    layers = _on_curve(point, name_of(point, name), slot=0)
    limit: tuple[Layer, ...] = ()
    ends, there = np.array([0.0, 1.0]), np.full(2, point.alpha)
    if point.rate == "fpr":
        limit = (Line(there, ends, role="reference"),)
    elif point.rate == "fnr":
        limit = (Line(ends, 1 - there, role="reference"),)
    caption = (f"{_capital(point.promise())}.",)
    return replace(roc_square((*limit, *layers), axis, chance), caption=caption)


@plot_of("GroupThresholds")
def groups_plot(
    answer: GroupThresholds, *, name: str | None = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """Draw the curve and the point of every group."""
    layers: list[Layer] = []
    for slot, group in enumerate(answer.groups):
        point = answer[group]
        called = f"{name}, {group}" if name else str(group)
        curve, mark, _ = _on_curve(point, called, slot=slot)
        layers += [curve, mark]  # the legend has the thresholds: texts would overlap
    words = f"Each group at its own threshold by rule '{answer.rule}'."
    return replace(roc_square(tuple(layers), axis, chance), caption=(words,))


def _on_curve(
    point: OperatingPoint | GuaranteedThreshold, called: str | None, slot: int
) -> tuple[Layer, ...]:
    text = point.threshold_text.replace("-", "−")
    side: Side = "below-left" if point.fpr > NEAR_EDGE else "below-right"
    if point.tpr < NEAR_AXIS:  # below it are the numbers of the axis
        side = "above-left" if point.fpr > NEAR_EDGE else "above-right"
    return (
        Line(*point.curve(), label=entry(called, f"threshold {text}"), slot=slot),
        Points(np.array([point.fpr]), np.array([point.tpr]), slot=slot),
        Label(point.fpr, point.tpr, text, side, slot=slot),
    )


def _reason(point: OperatingPoint, called: str | None) -> str:
    return f"{called or 'Chosen'}: {point.reason}."


@plot_of("MeasureCurve")
def measure_plot(curve: MeasureCurve, *, name: str | None = None) -> PlotSpec:
    """Draw what the rule looks at over the threshold, with the chosen place marked.

    Parameters
    ----------
    curve
        The measure of a rule at every threshold.
    name
        What the legend calls it.
    """
    point, called = curve.point, name_of(curve, name)
    threshold = curve.thresholds[1:].astype(np.float64)  # the first one calls nobody positive
    values = np.ma.filled(curve.values[1:], np.nan)
    ends = score_ends(threshold, "point")
    x, y = threshold_steps(threshold, values, curve.origin.direction, ends)
    layers: list[Layer] = [Line(x, y, label=called)]
    if np.isfinite(point.threshold):
        layers.append(Points(np.array([float(point.threshold)]), np.array([point.value])))
        near_end = float(point.threshold) > (ends[0] + 2 * ends[1]) / 3
        side = _outside(smallest=curve.smallest, near_end=near_end)
        text = point.threshold_text.replace("-", "−")
        layers.append(Label(float(point.threshold), point.value, text, side))
    reason = _reason(point, called)
    caption = reason if np.isfinite(point.threshold) else f"{reason} Nobody is called positive."
    return PlotSpec(
        layers=tuple(layers),
        x=Axis("Threshold", ends),
        y=Axis(_capital(curve.name), _padded_range(y)),
        caption=(caption,),
        legend_places=("lower left", "lower right", "upper left", "upper right"),
    )


def _outside(*, smallest: bool, near_end: bool) -> Side:
    """The side on which the curve is not: below a minimum, above a maximum."""
    if smallest:
        return "below-left" if near_end else "below-right"
    return "above-left" if near_end else "above-right"


@plot_of("ThresholdUncertainty")
def uncertainty_plot(
    answer: ThresholdUncertainty,
    *,
    name: str | None = None,
    view: Literal["measure", "scores"] = "measure",
) -> PlotSpec:
    """Draw the measure over the threshold, the chosen one with its interval, and out of the bag.

    In the view "scores" the interval lies over the scores of both classes.
    """
    checks.one_of(view, "view", ("measure", "scores"))
    if view == "scores":
        spec = scores_plot(answer.point, name_of(answer, name))
        low, high = (float(np.clip(end, *spec.x.limits)) for end in answer.interval)
        height = np.array([0.87 * spec.y.limits[1]])  # below the number, above the bars
        whiskers = Whiskers(np.array([low]), np.array([high]), height, color=TEXT_COLOR)
        return replace(spec, layers=(*spec.layers, whiskers))
    spec = measure_plot(answer.point.measure_curve(), name=name_of(answer, name))
    low, high = (float(np.clip(end, *spec.x.limits)) for end in answer.interval)
    whiskers = Whiskers(np.array([low]), np.array([high]), np.array([answer.point.value]))
    layers: tuple[Layer, ...] = (*spec.layers, whiskers)
    words = [
        f"{printing.percent(answer.interval.level)} interval of the threshold: "
        f"{answer.interval.ends}."
    ]
    if answer.measures[0] in (answer.point.value_name, "expected cost"):
        honest = float(answer.out_of_bag[0])
        layers = (Line(np.array(spec.x.limits), np.full(2, honest), role="reference"), *layers)
        words.append(f"Dashed: the value out of the bag, {honest:.4g}.")
    return replace(spec, layers=layers, caption=(*spec.caption, *words))


@plot_of("NrocCurve")
def nroc_plot(curve: NrocCurve, *, name: str | None = None, chance: bool = True) -> PlotSpec:
    """Draw the curve that the scores promise."""
    line = Line(curve.x, curve.y, label=entry(name_of(curve, name), f"area {curve.auc:.3f}"))
    square = roc_square((line,), "ml", chance)
    return replace(
        square,
        x=Axis("Expected false positive rate", PADDED_UNIT),
        y=Axis("Expected true positive rate", PADDED_UNIT),
        caption=("From the scores alone, taken for probabilities; no labels were used.",),
    )


@plot_of("UnlabeledRule")
def unlabelled_plot(rule: UnlabeledRule, *, name: str | None = None) -> PlotSpec:
    """Draw which share of the cases each threshold calls positive, the one set being marked."""
    x, below = share_steps(rule.scores)  # from each score on the case is no longer positive
    low, high = float(x[0]), float(x[-1])
    span = high - low or 1.0
    label = f"threshold {rule.threshold_text} ({rule.method})".replace("-", "−")
    return PlotSpec(
        layers=(
            Line(x, 1 - below, label=entry(name_of(rule, name), label)),
            Points(np.array([rule.threshold]), np.array([rule.share_from_threshold])),
        ),
        x=Axis(
            "Threshold",
            (
                min(low, rule.threshold) - MARGIN * span,
                max(high, rule.threshold) + MARGIN * span,
            ),
        ),
        y=Axis("Share called positive", PADDED_UNIT),
        caption=("Set without labels.",),
        legend_places=("lower left", "upper right"),
    )


def _padded_range(values: Floats) -> tuple[float, float]:
    finite = values[np.isfinite(values)]
    low, high = float(finite.min(initial=0.0)), float(finite.max(initial=0.0))
    span = (high - low) or 1.0
    room = 5 * MARGIN * span  # for the text beside the extreme
    return low - (MARGIN * span if low >= 0 else room), high + room


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


ROW_MARGIN = 0.04
SHOWN = ("sensitivity", "specificity", "ppv", "npv", "accuracy", "f1")


def _forest(
    rows: list[tuple[str, float, float, float]],
    title: str,
    *,
    caption: tuple[str, ...] = (),
    reference: float | None = None,
    decimals: int = 3,
) -> PlotSpec:
    """Values with their limits, one row each, the first on top."""
    heights = np.arange(len(rows) - 1, -1, -1, dtype=np.float64)
    values, low, high = (np.array([row[k] for row in rows]) for k in (1, 2, 3))
    reach = [*low.tolist(), *high.tolist()]
    layers: list[Layer] = [Whiskers(low, high, heights), Points(values, heights)]
    if reference is not None:
        reach.append(reference)
        ends = np.array([-0.5, len(rows) - 0.5])
        layers.insert(0, Line(np.full(2, reference), ends, role="reference"))
    margin = ROW_MARGIN * (max(reach) - min(reach) or 1.0)
    texts = [f"{v:.{decimals}f} ({a:.{decimals}f} to {b:.{decimals}f})" for _, v, a, b in rows]
    return PlotSpec(
        layers=tuple(layers),
        x=Axis(title, (min(reach) - margin, max(reach) + margin)),
        y=Axis(
            "",
            (-0.5, len(rows) - 0.5),
            ticks=tuple(Tick(float(h), row[0]) for h, row in zip(heights, rows, strict=True)),
        ),
        right_ticks=tuple(
            Tick(float(h), true_minus(text)) for h, text in zip(heights, texts, strict=True)
        ),
        caption=caption,
        rows=len(rows),
    )


def _words(measure: str) -> str:
    return measure.upper() if measure in ("ppv", "npv", "f1") else measure


@plot_of("PointsTable")
def points_plot(
    table: PointsTable, *, name: str | None = None, measures: tuple[str, ...] = SHOWN
) -> PlotSpec:
    """Draw measures at the points as rows with their limits.

    Parameters
    ----------
    table
        The measures at points.
    name
        Stands before the names of the rows.
    measures
        Which of them.
    """
    for measure in measures:
        checks.one_of(
            measure, "measures", [c for c in table.columns if f"{c}_low" in table.columns]
        )
    rows = []
    for row, asked in enumerate(table.asked.tolist()):
        for measure in measures:
            value, low, high = (
                table.columns[f"{measure}{end}"].tolist()[row] for end in ("", "_low", "_high")
            )
            if value is not None:
                where = f" at {asked:.4g}" if len(table) > 1 else ""
                rows.append((entry(name, f"{_words(measure)}{where}"), value, low, high))
    at = "" if len(table) > 1 else f" {table.asked[0]:.4g}"
    title = f"At {table.axis}{at} ({printing.percent(table.level)} CI)"
    return _forest(rows, title, caption=(f"Intervals: {with_capitals(table.method)}.",))


@plot_of("PointsComparison")
def points_comparison_plot(found: PointsComparison, *, name: str | None = None) -> PlotSpec:
    """Draw differences of rates of two models with their limits.

    Parameters
    ----------
    found
        The comparison at points.
    name
        Stands before the names of the rows.
    """
    table = found.table
    columns = zip(*(table[c].tolist() for c in ("asked", "measure", *LIMITS)), strict=True)
    rows = [
        (entry(name, f"{_words(measure)} at {asked:.4g}"), value, low, high)
        for asked, measure, value, low, high in columns
        if measure in SHOWN
    ]
    first, second = found.names
    title = f"{first} minus {second} ({printing.percent(found.level)} CI)"
    return _forest(rows, title, reference=0.0)


LIMITS = ("difference", "low", "high")


@plot_of("AveragePrecisionResult")
def average_precision_plot(
    result: AveragePrecisionResult, *, name: str | None = None, chance: bool = True
) -> PlotSpec:
    """Draw the average precision as a point with its interval.

    Parameters
    ----------
    result
        The average precision.
    name
        What the row is called.
    chance
        Whether to draw the prevalence, what a worthless model has.
    """
    return _one_row(result, result.quantity, name, result.chance if chance else None)


@plot_of("EqualErrorResult")
def equal_error_plot(result: EqualErrorResult, *, name: str | None = None) -> PlotSpec:
    """Draw the equal error rate as a point with its interval.

    Parameters
    ----------
    result
        The equal error rate.
    name
        What the row is called.
    """
    return _one_row(result, "equal error rate", name, None)


def _one_row(result: Any, quantity: str, name: str | None, reference: float | None) -> PlotSpec:
    interval = result.interval
    title = f"{quantity[0].upper()}{quantity[1:]} ({printing.percent(interval.level)} CI)"
    row = (name_of(result, name) or "", result.value, interval.low, interval.high)
    return _forest([row], title, caption=(f"Intervals: {interval.method}.",), reference=reference)


@plot_of("ModelSummary")
def summary_plot(result: ModelSummary, *, name: str | None = None) -> PlotSpec:
    """Draw the areas of all models with their intervals.

    Parameters
    ----------
    result
        The summary.
    name
        Stands before the names of the rows.
    """
    columns = (result.columns[c].tolist() for c in ("auc", "auc_low", "auc_high"))
    rows = [(entry(name, model), *row) for model, *row in zip(result.names, *columns, strict=True)]
    title = f"AUC ({printing.percent(result.level)} CI)"
    return _forest(rows, title, reference=0.5, caption=(f"Intervals: {result.auc_method}.",))
