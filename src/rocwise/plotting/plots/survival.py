"""Plots of censored outcomes: AUC over time, ROC curves at horizons, calibration by a horizon."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise import printing
from rocwise.arrays import Places
from rocwise.plotting import forms, words
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    Axis,
    AxisWords,
    Band,
    Layer,
    Line,
    Name,
    PlotSpec,
    Points,
    padded,
    reference,
)

if TYPE_CHECKING:
    from rocwise.survival.areas import SurvivalAuc
    from rocwise.survival.comparisons import SurvivalComparison
    from rocwise.survival.concordance_indices import Concordance
    from rocwise.survival.curves import SurvivalCurve, SurvivalPoints
    from rocwise.survival.predicted_risks import SurvivalBrier, SurvivalCalibration

COLUMNS_AT_RISK = 6  # of the table of numbers at risk
FEW = 12  # times that are marked


@plot_of("SurvivalAuc")
def survival_auc_plot(result: SurvivalAuc, *, name: Name = None, chance: bool = True) -> PlotSpec:
    """The AUC over time with its limits, and below the numbers of cases and of controls.

    With a simultaneous band this is the area, and the pointwise limits are lines within it. A
    single time is a row of a forest plot.
    """
    called = words.name_of(result, name)
    kind = "by" if result.estimand == "cumulative" else "at"
    level = printing.percent(result.level)
    bounds = [result.value if each is None else each for each in (result.low, result.high)]
    if len(result.times) == 1:
        limits = (float(bounds[0][0]), float(bounds[1][0]))
        n = float(result.n_cases[0] + result.n_controls[0])
        row = forms.estimate_row(called or "", float(result.value[0]), *limits, n=n)
        title = f"AUC {kind} t = {result.times[0]:g}"
        null = 0.5 if chance else None
        return forms.forest([row], title, level=result.level, null=null, include=(0.5, 1.0))
    order = np.argsort(result.times)
    times, value = result.times[order], result.value[order]
    low, high = (each[order] for each in bounds)
    outer = low, high
    if result.low is None:
        layers: list[Layer] = []
        caption = "Without confidence limits."
    elif result.band_low is None or result.band_high is None:
        layers = [Band(times, low, high, label=f"{level} CI")]
        caption = f"Pointwise {level} limits."
    else:
        outer = result.band_low[order], result.band_high[order]
        layers = [Band(times, *outer, label=f"{level} band")]
        layers += [
            Line(times, low, muted=True, label=f"{level} CI at each time"),
            Line(times, high, muted=True),
        ]
        caption = f"Area: simultaneous {level} band; gray lines: pointwise {level} limits."
    lowest = min(float(np.min(outer[0])), 0.5 if chance else 1.0)
    y = Axis(f"AUC {kind} time t", (max(lowest - 0.03, -0.015), 1.015))
    form: Any = {"null": 0.5 if chance else None, "table": _numbers(result, order)}
    return _over_time(Line(times, value, label=called), y, layers, caption, **form)


def _over_time(
    line: Line, y: Axis, below: list[Layer], caption: str, null: float | None = None, **form: Any
) -> PlotSpec:
    """A line over time, with points where they are few, and the null value."""
    x = Axis("Time t", padded(line.x))
    layers: list[Layer] = [] if null is None else [reference(x.limits, (null, null))]
    points = [Points(line.x, line.y)] if len(line.x) <= FEW else []
    return forms.chart((*layers, *below, line, *points), x, y, caption, **form)


def _numbers(result: SurvivalAuc, order: Places) -> tuple[tuple[str, ...], ...]:
    """Cases and controls by some of the times, as rows of text."""
    some = order[np.unique(np.linspace(0, len(order) - 1, COLUMNS_AT_RISK).round().astype(int))]
    others = "at risk" if result.controls == "survivors" else "controls"
    columns = (("time", result.times), ("cases", result.n_cases), (others, result.n_controls))
    return tuple(
        (title, *(_time(x) if title == "time" else printing.count(x) for x in values[some]))
        for title, values in columns
    )


def _time(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


@plot_of("SurvivalCurve")
def survival_curve_plot(
    curve: SurvivalCurve, *, name: Name = None, axis: AxisWords = "ml", chance: bool = True
) -> PlotSpec:
    """The ROC curve at a horizon, with the AUC in the legend; several times are overlaid."""
    called = None if name == str(curve.time) else words.name_of(curve, name)
    measure = f"AUC {curve.auc:.3f} by t = {curve.time:g}"
    line = Line(curve.fpr, curve.tpr, label=words.entry(called, measure))
    return forms.roc_square([line], axis, chance)


@plot_of("SurvivalComparison")
def survival_comparison_plot(result: SurvivalComparison, *, name: Name = None) -> PlotSpec:
    """Differences over time with their limits, or as rows of a forest plot."""
    level, quantity = printing.percent(result.level), result.quantity
    if result.pairwise is not None or result.times is None or len(result.times) == 1:
        rows = [forms.Row(*row) for row in _pairs(result, words.name_of(result, name))]
        return forms.forest(rows, f"Difference in {quantity}", level=result.level, null=0.0)
    order = np.argsort(result.times)
    times, difference, low, high = (
        np.asarray(each)[order]
        for each in (result.times, result.difference, result.low, result.high)
    )
    edges, what = (low, high), "CI"
    if result.band_low is not None and result.band_high is not None:
        edges, what = (result.band_low[order], result.band_high[order]), "band"
    band = Band(times, *edges, label=f"{level} {what}")
    by = "at" if result.estimand == "incident" else "by"
    y = Axis(f"Difference in {quantity} {by} time t", padded([*edges[0], *edges[1], 0.0]))
    line = Line(times, difference, label=words.entry(name, " − ".join(result.names)))
    return _over_time(line, y, [band], f"Limits: {level} {what}.", 0.0)


def _pairs(result: SurvivalComparison, called: str | None) -> Iterator[tuple[Any, ...]]:
    """Name, difference, limits and text of each row."""
    columns = result._columns()
    several = result.pairwise is not None
    for k, value in enumerate(columns["difference"]):
        first, second = (columns["first"][k], columns["second"][k]) if several else result.names
        low, high = float(columns["low"][k]), float(columns["high"][k])
        row = called if called and len(columns["difference"]) == 1 else f"{first} − {second}"
        if several and "time" in columns and len(set(columns["time"])) > 1:
            row += f", t = {columns['time'][k]:g}"
        yield row, float(value), (low, high), f"{value:.3f} ({low:.3f} to {high:.3f})"


@plot_of("SurvivalPoints")
def survival_points_plot(table: SurvivalPoints, *, name: Name = None) -> PlotSpec:
    """Sensitivity, specificity and predictive values as rows with their confidence limits."""
    rows = []
    given = table.columns["threshold" if table.axis == "threshold" else "requested"].tolist()
    for k, (t, value) in enumerate(zip(table.times.tolist(), given, strict=True)):
        at = f" at {value:.4g}" if len(set(given)) > 1 else ""
        for measure in ("sensitivity", "specificity", "ppv", "npv"):
            title = f"{measure.upper() if len(measure) == 3 else measure}{at} by t = {t:g}"
            values = (table.columns[measure + end].tolist()[k] for end in ("", "_low", "_high"))
            if known := [each for each in values if each is not None]:
                rows.append(forms.estimate_row(words.entry(name, title), *known))
    title = f"At {table.axis}" + (f" {given[0]:.4g}" if len(set(given)) == 1 else "")
    caption = f"Intervals: {table.method}."
    return forms.forest(rows, title, level=table.level, caption=caption)


@plot_of("SurvivalBrier")
def survival_brier_plot(result: SurvivalBrier, *, name: Name = None) -> PlotSpec:
    """The Brier score over time with its limits and that of the null model; one time is a row."""
    called = words.name_of(result, name)
    if len(result.times) == 1:
        numbers = (result.value[0], result.low[0], result.high[0])
        row = forms.estimate_row(called or "", *map(float, numbers))
        title = f"Brier score by t = {result.times[0]:g}"
        return forms.forest([row], title, level=result.level, null=float(result.null[0]))
    order = np.argsort(result.times)
    times, value, low, high, null = (
        each[order] for each in (result.times, result.value, result.low, result.high, result.null)
    )
    below: list[Layer] = [Line(times, null, muted=True, label="null model")]
    below.append(Band(times, low, high, label=f"{printing.percent(result.level)} CI"))
    y = Axis("Brier score by time t", padded([0.0, *high, *null]))
    return _over_time(Line(times, value, label=called), y, below, "Null model: the incidence.")


@plot_of("SurvivalCalibration")
def survival_calibration_plot(result: SurvivalCalibration, *, name: Name = None) -> PlotSpec:
    """Observed incidence over predicted risk in groups, with limits."""
    slope = "" if result.slope is None else f", slope {result.slope:.2f}"
    label = words.entry_of(result, name, f"O/E {result.ratio:.2f}{slope}")
    caption = (
        f"{len(result.predicted)} groups of about equal size; observed: Aalen-Johansen, "
        f"{printing.percent(result.level)} limits."
    )
    titles = f"Predicted risk by t = {result.time:g}", f"Incidence by t = {result.time:g}"
    return forms.calibration_square(result, label, *titles, caption)


@plot_of("Concordance")
def concordance_plot(result: Concordance, *, name: Name = None, chance: bool = True) -> PlotSpec:
    """A row of a forest plot."""
    called, null = words.name_of(result, name), 0.5 if chance else None
    title = f"Concordance ({result.estimand.capitalize()})"
    return forms.one_row(result, called, title, n=result.n, null=null)
