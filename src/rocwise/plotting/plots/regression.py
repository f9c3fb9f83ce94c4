"""Plots of regression models: REC and RROC curves, filters of series."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError, count_of, shown
from rocwise.plotting import forms, spec, words
from rocwise.plotting.plots.intervals import differences
from rocwise.plotting.registry import plot_of

if TYPE_CHECKING:
    from rocwise.regression.comparisons import RecComparison
    from rocwise.regression.filters.noise_fits import NoiseFit
    from rocwise.regression.filters.results import FilterResult, SmoothedStates, StateForecast
    from rocwise.regression.network_training import TrainedNetwork
    from rocwise.regression.rec_bands import RecBand
    from rocwise.regression.rec_curves import RecAccuracy, RecCurve, RecOrder
    from rocwise.regression.rroc_curves import RrocCurve


MARGIN = 0.015
BEYOND = 1e6  # curves go on at 1, for a plot with a model with larger errors
LABEL_DISTANCE = 0.12  # smallest distance between two labels, as a fraction of the axis
FEW_CROSSINGS = 3  # up to which crossings are labeled


@plot_of("RecCurve")
def rec_plot(
    curve: RecCurve, *, name: spec.Name = None, limit: float | None = None, null: bool = True
) -> spec.PlotSpec:
    """The steps of the curve and of the null model (`null`), the area over it in the legend.

    `limit` is the largest tolerance to show; by default the largest error of the null model, or
    without one that of the model.
    """
    measure = f"AOC {curve.aoc:.3g}"
    if curve.relative_aoc is not None:
        measure += f" ({curve.relative_aoc:.2g} of null)"
    layers: list[spec.Layer] = [_rec_line(curve, label=words.entry_of(curve, name, measure))]
    caption = []
    if null and curve.null_curve is not None:
        label = f"null model, AOC {curve.null_curve.aoc:.3g}"
        layers.insert(0, _rec_line(curve.null_curve, label=label, role="reference"))
    if null and curve.null is not None:
        caption.append(f"Dashed: null model, {curve.null}.")
    edge = _right_edge(curve, limit)
    hidden = curve.n - int(curve.hits_at(edge))
    if hidden:
        verb = "is" if hidden == 1 else "are"
        caption.append(f"{count_of(hidden, 'error')} {verb} larger than the axis shows.")
    return _rec_axes(curve.loss, layers, edge, *caption)


@plot_of("RecBand")
def rec_band_plot(
    band: RecBand, *, name: spec.Name = None, limit: float | None = None
) -> spec.PlotSpec:
    """The band around the curve; with its coverage in the caption."""
    x = _step_x(band.tolerance, beyond=10.0)
    upper = _step_y(min(1.0, band.half_width), band.upper)
    label = words.entry_of(band, name, f"AOC {band.curve.aoc:.3g}")
    layers: list[spec.Layer] = [
        spec.Band(x, _step_y(0.0, band.lower), upper, label=f"{printing.percent(band.level)} band"),
        _rec_line(band.curve, label=label),
    ]
    warning = band.warning()
    caption = (f"{band.description()}.", *([f"{words.capital(warning)}."] if warning else []))
    return _rec_axes(band.loss, layers, _right_edge(band.curve, limit), *caption)


@plot_of("RecOrder")
def rec_order_plot(
    order: RecOrder, *, name: spec.Name = None, limit: float | None = None
) -> spec.PlotSpec:
    """Both curves, with a marker wherever the better one changes."""
    layers: list[spec.Layer] = []
    for slot, (model, curve) in enumerate(zip(order.names, order.curves, strict=True)):
        called = model if name is None else f"{name} {model}"
        layers.append(_rec_line(curve, label=f"{called}, AOC {curve.aoc:.3g}", slot=slot))
    edge = max(_right_edge(curve, limit) for curve in order.curves)
    if len(order.crossings):
        heights = np.maximum(*(curve.share_at(order.crossings) for curve in order.curves))
        layers.append(spec.Points(order.crossings, heights, slot=2))
        if len(order.crossings) <= FEW_CROSSINGS:
            layers += _crossing_labels(order.crossings, heights, edge)
    return _rec_axes(order.curves[0].loss, layers, edge, f"{order}.")


def _crossing_labels(tolerances: Floats, heights: Floats, edge: float) -> list[spec.Layer]:
    """The tolerance at each marker, as long as there is room for it."""
    found: list[spec.Layer] = []
    last = -np.inf
    for x, y in zip(tolerances.tolist(), heights.tolist(), strict=True):
        if x - last >= LABEL_DISTANCE * edge:
            side: spec.Side = "below-right" if y > LABEL_DISTANCE else "above-right"
            found.append(spec.Label(x, y, f"{x:.3g}", side=side, slot=2))
            last = x
    return found


def _rec_line(curve: RecCurve, **style: Any) -> spec.Line:
    return spec.Line(_step_x(curve.tolerance), _step_y(0.0, curve.accuracy), **style)


def _step_x(tolerance: Floats, beyond: float = BEYOND) -> Floats:
    """Every tolerance twice, from 0 to far right of the last."""
    far = beyond * (float(tolerance[-1]) or 1.0)
    return np.concatenate([[0.0], np.repeat(tolerance, 2), [far]])


def _step_y(before: float, heights: Floats) -> Floats:
    """Heights just left and right of every tolerance."""
    return np.repeat(np.concatenate([[before], heights]), 2)


def _right_edge(curve: RecCurve, limit: float | None) -> float:
    if limit is not None:
        return checks.not_negative(limit, "limit") or 1.0
    return float((curve.null_curve or curve).tolerance[-1]) or 1.0


def _rec_axes(loss: str, layers: list[spec.Layer], edge: float, *caption: str) -> spec.PlotSpec:
    error = f"{loss} error" if loss in {"absolute", "squared"} else loss
    x = spec.Axis(f"Tolerance ({error})", (-MARGIN * edge, (1 + MARGIN) * edge))
    return forms.chart(layers, x, "Proportion within tolerance", *caption)


@plot_of("RecAccuracy")
def rec_accuracy_plot(accuracy: RecAccuracy, *, name: spec.Name = None) -> spec.PlotSpec:
    """The proportion of cases within each tolerance with its interval."""
    called = words.name_of(accuracy, name)
    columns = (accuracy.tolerance, accuracy.accuracy, accuracy.lower, accuracy.upper)
    rows = [
        forms.Row(
            words.entry(called, f"within {limit:.4g}"), rate, ends, printing.rate(rate, accuracy.n)
        )
        for limit, rate, *ends in zip(*(column.tolist() for column in columns), strict=True)
    ]
    caption = f"Intervals: {accuracy.method}, each alone."
    return forms.forest(rows, "Proportion of cases", level=accuracy.level, caption=caption)


@plot_of("RecComparison")
def rec_comparison_plot(comparison: RecComparison, *, name: spec.Name = None) -> spec.PlotSpec:
    """Every difference, with its interval where the method has one."""
    adjusted = "" if comparison.pairwise is None else "; limits of each pair, p adjusted by Holm"
    return differences(comparison, name, f"{comparison.method}{adjusted}.")


@plot_of("RrocCurve")
def rroc_plot(curve: RrocCurve, *, name: spec.Name = None) -> spec.PlotSpec:
    """Under- over overestimation for every shift, with a marker at the unshifted forecasts."""
    called = words.name_of(curve, name)
    right = max(float(curve.over.max()), curve.over_now) or 1.0
    bottom = min(float(curve.under.min()), curve.under_now) or -1.0
    line = spec.Line(curve.over, curve.under, label=called)
    dot = spec.marker(curve.over_now, curve.under_now)
    return forms.chart(
        (line, dot, spec.Label(curve.over_now, curve.under_now, "no shift")),
        spec.Axis("Total overestimation", (-MARGIN * right, right * (1 + MARGIN))),
        spec.Axis("Total underestimation", (bottom * (1 + MARGIN), -MARGIN * bottom)),
        "Dot: forecasts as they are; the curve: all forecasts shifted by one number.",
        f"Error variance{words.of(called)}: {curve.error_variance:.3g}.",
    )


MOST_TICKS = 4


def dated(plot: spec.PlotSpec, dates: Any, n_times: int, *, ahead: int = 0) -> spec.PlotSpec:
    """The same plot with dates, of `n_times` times or also of forecasts, as tick labels."""
    if dates is None:
        return plot
    try:
        days = np.asarray(dates).astype("datetime64[s]")
    except (TypeError, ValueError):
        raise InputError(f"`dates` must contain dates; got {shown(dates, 60)}.") from None
    if days.ndim != 1 or len(days) not in (n_times, n_times + ahead):
        raise InputError(
            f"`dates` must contain one date for each of {n_times:,} times; got {len(days):,}."
        )
    if len(days) == n_times and ahead and n_times > 1:
        days = np.concatenate([days, days[-1] + np.arange(1, ahead + 1) * (days[-1] - days[-2])])
    low, high = plot.x.limits
    first, last = max(0, int(np.ceil(low))), min(len(days) - 1, int(np.floor(high)))
    times = np.unique(np.linspace(first, last, MOST_TICKS).round().astype(np.intp))
    unit = _date_unit(days[last] - days[first])
    ticks = tuple(spec.Tick(float(k), str(days[k].astype(f"datetime64[{unit}]"))) for k in times)
    return replace(plot, x=replace(plot.x, title="", ticks=ticks))


def _date_unit(span: np.timedelta64) -> str:
    """The coarsest unit that still distinguishes the ticks."""
    days = float(span / np.timedelta64(1, "D"))
    longer_than = {"Y": 8 * 365, "M": 300, "D": MOST_TICKS}
    return next((unit for unit, least in longer_than.items() if days > least), "m")


SERIES_MARGIN = 0.04
LONG, SHOWN_OF_LONG, HISTORY = 600, 300, 60
OBSERVED_GRAY = "#5A5A5A"
POINTS_UP_TO = 150  # observations are markers, beyond a line


@plot_of("FilterResult")
def filter_plot(
    result: FilterResult,
    *,
    name: spec.Name = None,
    column: int = 0,
    level: float = 0.95,
    last: int | None = None,
    dates: Any = None,
) -> spec.PlotSpec:
    """The one-step forecasts of a column with their band, and the observations.

    `last` shows only the latest times (by default all, of long series 300); `dates` are those of
    the times, in any form that `numpy.datetime64` accepts.
    """
    column = _checked_column(column, result.forecast.shape[1])
    total = len(result.forecast)
    if last is None:
        last = SHOWN_OF_LONG if total > LONG else total
    start = max(0, total - checks.whole(last, "last"))
    times = np.arange(start, total, dtype=np.float64)
    low, high = (limit[start:, column] for limit in result.limits(level))
    label = words.entry(name, "one-step forecast")
    layers: list[spec.Layer] = [
        spec.Band(times, low, high, label=_interval(level)),
        _observations(times, result.observed[start:, column]),
        spec.Line(times, result.forecast[start:, column], label=label),
    ]
    sentence = f"{printing.percent(level)} of observations are expected in the band at each time"
    if start:
        sentence += f"; the latest {total - start:,} of {total:,} times"
    caption = f"{words.capital(result.method)} filter. {sentence}."
    return dated(_time_axes(layers, times, "Observed value", caption), dates, total)


@plot_of("StateForecast")
def state_forecast_plot(
    result: StateForecast,
    *,
    name: spec.Name = None,
    column: int = 0,
    level: float = 0.95,
    last: int = HISTORY,
    dates: Any = None,
) -> spec.PlotSpec:
    """The forecasts with their band, after the last observations.

    `last` is the number of observations shown; `dates` those of the observations, or of these and
    the forecasts.
    """
    column = _checked_column(column, result.forecast.shape[1])
    times = (result.origin_time + result.steps).astype(np.float64)
    forecast = result.forecast[:, column]
    low, high = (limit[:, column] for limit in result.limits(level))
    layers: list[spec.Layer] = [
        spec.Band(times, low, high, label=_interval(level)),
        spec.Line(times, forecast, label=words.entry(name, "forecast")),
    ]
    if len(times) <= POINTS_UP_TO:
        layers.append(spec.Points(times, forecast))
    n_before = 0 if result.history is None else len(result.history)
    if result.history is not None and len(times) and times[0] >= n_before:
        start = max(0, n_before - checks.whole(last, "last", at_least=0))
        before = np.arange(start, n_before, dtype=np.float64)
        layers.append(_observations(before, result.history[start:, column]))
        times = np.concatenate([before, times])
    caption = f"{words.capital(result.method)} filter. {_band_sentence(level)}."
    plot = _time_axes(layers, times, "Observed value", caption)
    return dated(plot, dates, n_before, ahead=int(result.steps.max()))


@plot_of("SmoothedStates")
def smoothed_plot(
    result: SmoothedStates, *, name: spec.Name = None, column: int = 0, level: float = 0.95
) -> spec.PlotSpec:
    """A smoothed state with its band, and the filtered one."""
    column = _checked_column(column, result.mean.shape[1])
    times = np.arange(len(result.mean), dtype=np.float64)
    low, high = (limit[:, column] for limit in result.limits(level))
    layers: list[spec.Layer] = [
        spec.Band(times, low, high, label=f"{printing.percent(level)} CI"),
        spec.Line(times, result.filtered_mean[:, column], label="filtered", slot=1),
        spec.Line(times, result.mean[:, column], label=words.entry(name, "smoothed")),
    ]
    sentence = f"{_band_sentence(level)}, given the whole series"
    caption = f"{words.capital(result.method)} filter. {sentence}."
    return _time_axes(layers, times, f"State {column}", caption)


@plot_of("TrainedNetwork")
def trained_network_plot(
    result: TrainedNetwork, *, name: spec.Name = None, level: float = 0.95
) -> spec.PlotSpec:
    """The forecasts made during training, with their band, and the observations."""
    times = np.arange(len(result.forecast), dtype=np.float64) + result.model.order
    layers: list[spec.Layer] = [
        spec.Band(times, *result.limits(level), label=_interval(level)),
        spec.Line(times, result.forecast, label=words.entry(name, "forecast while learning")),
        _observations(times, result.target),
    ]
    caption = f"{result.method.capitalize()} estimation. {_band_sentence(level)}."
    return _time_axes(layers, times, "Observed value", caption)


@plot_of("NoiseFit")
def noise_fit_plot(result: NoiseFit, *, name: spec.Name = None) -> spec.PlotSpec:
    """The log likelihood when one noise is multiplied by a factor, the other as estimated."""
    plausible = -result.plausible_drop
    drops = result.profile_drops()
    ends = result.factors[[0, -1]]
    layers: list[spec.Layer] = [spec.reference(ends, (plausible, plausible), label="95% CI")]
    for slot, (measure, drop) in enumerate(drops.items()):
        layers.append(spec.Line(result.factors, drop, label=words.entry(name, measure), slot=slot))
    highest = max(float(np.nanmax(drop)) for drop in drops.values())  # above 0 after a grid search
    limits = (4 * plausible, 0.4 + 1.1 * max(highest, 0.0))
    return forms.chart(
        layers,
        spec.Axis("Multiple of the estimated noise", (0.01, 100.0), scale="log"),
        spec.Axis("Relative log likelihood", limits),
        "Above the dashed line: compatible with the series at 95%, the other noise as found.",
        legend_places=forms.UPPER[::-1],
    )


def _checked_column(column: int, n_columns: int) -> int:
    number = checks.whole(column, "column", at_least=0)
    if number >= n_columns:
        raise InputError(f"`column` must be below {n_columns}; got {number}.")
    return number


def _observations(times: Floats, observed: Any) -> spec.Layer:
    """Markers; a thin line where there are too many to distinguish them."""
    values: Floats = np.ma.filled(np.ma.asarray(observed, dtype=float), np.nan)
    if len(times) > POINTS_UP_TO:
        return spec.Line(times, values, label="observed", muted=True, color=OBSERVED_GRAY)
    known = np.isfinite(values)
    return spec.Points(times[known], values[known], label="observed", slot=1)


def _time_axes(layers: list[spec.Layer], times: Floats, title: str, caption: str) -> spec.PlotSpec:
    names = ("lower", "upper", "y")
    columns = [getattr(layer, each) for layer in layers for each in names if hasattr(layer, each)]
    heights = np.concatenate(columns)
    low, high = float(np.nanmin(heights)), float(np.nanmax(heights))
    margin = SERIES_MARGIN * (high - low) or 0.5
    side = max(0.5, 0.01 * (times[-1] - times[0]))
    x = spec.Axis("Time", (float(times[0] - side), float(times[-1] + side)))
    return forms.chart(
        layers, x, spec.Axis(title, (low - margin, high + margin)), caption, legend_places=()
    )


def _interval(level: float) -> str:
    return f"{printing.percent(level)} prediction interval"


def _band_sentence(level: float) -> str:
    return f"Band: {printing.percent(level)} at each time"
