"""Dates on the axis of a series that is numbered 0, 1, 2, ..."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError, count_of, shown
from rocwise.plotting.plots.intervals import Row, difference_rows, difference_title, forest
from rocwise.plotting.registry import plot_of
from rocwise.plotting.spec import (
    PADDED_UNIT,
    Axis,
    Band,
    Label,
    Layer,
    Line,
    PlotSpec,
    Points,
    Side,
    Tick,
    entry,
    name_of,
    with_capitals,
)

if TYPE_CHECKING:
    from rocwise.regression.comparisons import RecComparison
    from rocwise.regression.filters.noise_fits import NoiseFit
    from rocwise.regression.filters.results import FilterResult, SmoothedStates, StateForecast
    from rocwise.regression.network_training import TrainedNetwork
    from rocwise.regression.rec_bands import RecBand
    from rocwise.regression.rec_curves import RecAccuracy, RecCurve, RecOrder
    from rocwise.regression.rroc_curves import RrocCurve


MARGIN = 0.015
BEYOND = 1e6  # curves go on at 1 to the right; a plot with worse models shows more of that
LABEL_DISTANCE = 0.12  # smallest distance between two labels, as a share of the axis
FEW_CROSSINGS = 3  # that are named; with more the numbers would hide the curves
SHARE = "Share of cases within tolerance"


@plot_of("RecCurve")
def rec_plot(
    curve: RecCurve, *, name: str | None = None, limit: float | None = None, null: bool = True
) -> PlotSpec:
    """Draw the steps of the curve, the area over it in the legend.

    Parameters
    ----------
    curve
        The curve.
    name
        What the legend calls it.
    limit
        Largest tolerance to show; by default the largest error of the null model, or without one
        that of the model.
    null
        Whether to draw the curve of the null model, where there is one.
    """
    words = f"AOC {curve.aoc:.3g}"
    if curve.relative_aoc is not None:
        words += f" ({curve.relative_aoc:.2g} of null)"
    layers: list[Layer] = [_steps(curve, label=entry(name_of(curve, name), words))]
    if null and curve.null_curve is not None:
        label = f"null model, AOC {curve.null_curve.aoc:.3g}"
        layers.insert(0, replace(_steps(curve.null_curve, label=label), role="reference"))
    edge = _right_edge(curve, limit)
    return _rec_frame(curve.loss, tuple(layers), edge, _remarks(curve, edge, null))


def _remarks(curve: RecCurve, edge: float, null: bool) -> tuple[str, ...]:
    """What the null model is, and how many errors the plot does not show."""
    sentences = []
    if null and curve.null is not None:
        sentences.append(f"Dashed: null model, {curve.null}.")
    hidden = curve.n - int(curve.hits_at(edge))
    if hidden:
        verb = "is" if hidden == 1 else "are"
        sentences.append(f"{count_of(hidden, 'error')} {verb} larger than the axis shows.")
    return tuple(sentences)


@plot_of("RecBand")
def rec_band_plot(
    band: RecBand, *, name: str | None = None, limit: float | None = None
) -> PlotSpec:
    """Draw the band around the curve; the caption says what it promises.

    Parameters
    ----------
    band
        The band.
    name
        What the legend calls it.
    limit
        Largest tolerance to show.
    """
    x = _step_places(band.tolerance, beyond=10.0)
    shaded = Band(
        x, _step_heights(0.0, band.lower), _step_heights(min(1.0, band.half_width), band.upper)
    )
    words = f"AOC {band.curve.aoc:.3g}"
    line = _steps(band.curve, label=entry(name_of(band, name), words))
    warning = band.warning()
    caption = (f"{band.promise()}.", *([f"{warning[0].upper()}{warning[1:]}."] if warning else []))
    return _rec_frame(band.loss, (shaded, line), _right_edge(band.curve, limit), caption)


@plot_of("RecOrder")
def rec_order_plot(
    order: RecOrder, *, name: str | None = None, limit: float | None = None
) -> PlotSpec:
    """Draw both curves, with a dot wherever the better one changes.

    Parameters
    ----------
    order
        Two curves in order.
    name
        Words above the legend entries of both, if any.
    limit
        Largest tolerance to show.
    """
    layers: list[Layer] = []
    for slot, (called, curve) in enumerate(zip(order.names, order.curves, strict=True)):
        shown = called if name is None else f"{name} {called}"
        layers.append(replace(_steps(curve, label=f"{shown}, AOC {curve.aoc:.3g}"), slot=slot))
    edge = max(_right_edge(curve, limit) for curve in order.curves)
    if len(order.crossings):
        heights = np.maximum(*(c.share_at(order.crossings) for c in order.curves))
        layers.append(Points(order.crossings, heights, slot=2))
        if len(order.crossings) <= FEW_CROSSINGS:
            layers += _spaced_labels(order.crossings, heights, edge)
    caption = (f"{order}.",)  # may begin with the name of a model, which is left as it is
    return _rec_frame(order.curves[0].loss, tuple(layers), edge, caption)


def _spaced_labels(places: Floats, heights: Floats, edge: float) -> list[Layer]:
    """The tolerance beside each dot, as long as there is room for it."""
    found: list[Layer] = []
    last = -np.inf
    for x, y in zip(places.tolist(), heights.tolist(), strict=True):
        if x - last >= LABEL_DISTANCE * edge:
            side: Side = "below-right" if y > LABEL_DISTANCE else "above-right"
            found.append(Label(x, y, f"{x:.3g}", side=side, slot=2))
            last = x
    return found


@plot_of("RecAccuracy")
def rec_accuracy_plot(accuracy: RecAccuracy, *, name: str | None = None) -> PlotSpec:
    """Draw the share of cases within each tolerance as a point with its interval.

    Parameters
    ----------
    accuracy
        Shares with intervals.
    name
        What the model is called.
    """
    called = name_of(accuracy, name)
    rows = [
        Row(
            entry(called, f"within {limit:.4g}"),
            float(share),
            (float(low), float(high)),
            f"{printing.rate(share, accuracy.n)}",
        )
        for limit, share, low, high in zip(
            accuracy.tolerance, accuracy.accuracy, accuracy.lower, accuracy.upper, strict=True
        )
    ]
    title = f"Share of cases ({printing.percent(accuracy.level)} CI)"
    return forest(
        rows, title, null=None, caption=f"Intervals: {with_capitals(accuracy.method)}, each alone."
    )


@plot_of("RecComparison")
def rec_comparison_plot(comparison: RecComparison, *, name: str | None = None) -> PlotSpec:
    """Draw every difference, with its interval where the method has one.

    Parameters
    ----------
    comparison
        Two or more forecasters compared.
    name
        What the row is called, with two models.
    """
    adjusted = "" if comparison.pairwise is None else "; p adjusted by Holm"
    caption = f"{comparison.method[0].upper()}{comparison.method[1:]}{adjusted}."
    rows = difference_rows(comparison, name)
    return forest(rows, difference_title(comparison, rows), null=0.0, caption=caption)


@plot_of("RrocCurve")
def rroc_plot(curve: RrocCurve, *, name: str | None = None) -> PlotSpec:
    """Draw under- over overestimation for every shift, with a dot at the forecasts as they are.

    Parameters
    ----------
    curve
        The curve.
    name
        What the legend calls it.
    """
    words = f"error variance {curve.error_variance:.3g}"
    layers: tuple[Layer, ...] = (
        Line(curve.over, curve.under, label=entry(name_of(curve, name), words)),
        Points(np.array([curve.over_now]), np.array([curve.under_now])),
    )
    right = max(float(curve.over.max()), curve.over_now) or 1.0
    bottom = min(float(curve.under.min()), curve.under_now) or -1.0
    return PlotSpec(
        layers=layers,
        x=Axis("Total overestimation", (-MARGIN * right, right * (1 + MARGIN))),
        y=Axis("Total underestimation", (bottom * (1 + MARGIN), -MARGIN * bottom)),
        caption=("Dot: forecasts as they are; the curve: all forecasts shifted by one number.",),
        legend_places=("lower right", "upper left"),
    )


def _steps(curve: RecCurve, label: str | None) -> Line:
    """The curve as a line of steps that goes on at 1."""
    return Line(_step_places(curve.tolerance), _step_heights(0.0, curve.accuracy), label=label)


def _step_places(tolerance: Floats, beyond: float = BEYOND) -> Floats:
    """Every tolerance twice, from 0 to far right of the last."""
    far = beyond * (float(tolerance[-1]) or 1.0)
    return np.concatenate([[0.0], np.repeat(tolerance, 2), [far]])


def _step_heights(before: float, heights: Floats) -> Floats:
    """Heights just left and right of every tolerance."""
    return np.repeat(np.concatenate([[before], heights]), 2)


def _right_edge(curve: RecCurve, limit: float | None) -> float:
    if limit is not None:
        edge = checks.not_negative(limit, "limit")
    else:
        edge = float((curve.null_curve or curve).tolerance[-1])
    return edge or 1.0


def _rec_frame(
    loss: str, layers: tuple[Layer, ...], edge: float, caption: tuple[str, ...]
) -> PlotSpec:
    words = f"{loss} error" if loss in {"absolute", "squared"} else loss
    return PlotSpec(
        layers=layers,
        x=Axis(f"Tolerance ({words})", (-MARGIN * edge, (1 + MARGIN) * edge)),
        y=Axis(SHARE, PADDED_UNIT),
        caption=caption,
        legend_places=("lower right", "upper left"),
    )


MOST_TICKS = 4


def dated(spec: PlotSpec, dates: Any, n_times: int, *, ahead: int = 0) -> PlotSpec:
    """The same plot with dates in place of numbers at the axis of time.

    Parameters
    ----------
    plot
        Over times that count from 0.
    dates
        One for each of `n_times`, or of `n_times + ahead`, times; None leaves the numbers.
    n_times
        How long the series is.
    ahead
        How many times after it are forecast; their dates go on in steps like the last one.
    """
    if dates is None:
        return spec
    try:
        days = np.asarray(dates).astype("datetime64[s]")
    except (TypeError, ValueError):
        raise InputError(f"`dates` must hold dates; got {shown(dates, 60)}.") from None
    if days.ndim != 1 or len(days) not in (n_times, n_times + ahead):
        raise InputError(
            f"`dates` must hold one date for each of {n_times:,} times; got {len(days):,}."
        )
    if len(days) == n_times and ahead and n_times > 1:
        days = np.concatenate([days, days[-1] + np.arange(1, ahead + 1) * (days[-1] - days[-2])])
    low, high = spec.x.limits
    first, last = max(0, int(np.ceil(low))), min(len(days) - 1, int(np.floor(high)))
    places = np.unique(np.linspace(first, last, MOST_TICKS).round().astype(np.intp))
    unit = _unit(days[last] - days[first])
    ticks = tuple(Tick(float(k), str(days[k].astype(f"datetime64[{unit}]"))) for k in places)
    return replace(spec, x=replace(spec.x, title="", ticks=ticks))


def _unit(span: np.timedelta64) -> str:
    """The coarsest words that still tell the ticks apart.

    >>> _unit(np.timedelta64(10 * 366, "D")), _unit(np.timedelta64(3, "h"))
    ('Y', 'm')
    """
    days = float(span / np.timedelta64(1, "D"))
    if days > 8 * 365:
        return "Y"
    if days > 300:
        return "M"
    return "D" if days > MOST_TICKS else "m"


SERIES_MARGIN = 0.04
LONG, SHOWN_OF_LONG, HISTORY = 600, 300, 60
OBSERVED_GREY = "#5A5A5A"
POINTS_UP_TO = 150  # observations are marks while one can tell them apart, then a line


@plot_of("FilterResult")
def filter_plot(
    result: FilterResult,
    *,
    name: str | None = None,
    column: int = 0,
    level: float = 0.95,
    last: int | None = None,
    dates: Any = None,
) -> PlotSpec:
    """Draw the one-step forecasts with their band, and what was observed.

    Parameters
    ----------
    result
        The filtered series.
    name
        What the legend calls the forecasts.
    column
        Which of the observed values.
    level
        Of the band, for each time by itself.
    last
        Show only this many times, the latest; without it all, and of long series the latest 300.
    dates
        The date of each time (anything that `numpy.datetime64` reads), for the axis.
    """
    column = _column(column, result.forecast.shape[1])
    total = len(result.forecast)
    if last is None:
        last = SHOWN_OF_LONG if total > LONG else total
    start = max(0, total - checks.whole(last, "last"))
    times = np.arange(start, len(result.forecast), dtype=np.float64)
    observed: Floats = np.ma.filled(
        np.ma.asarray(result.observed[start:, column], dtype=float), np.nan
    )
    low, high = (limit[start:, column] for limit in result.limits(level))
    forecast = Line(times, result.forecast[start:, column], label=entry(name, "one-step forecast"))
    layers: list[Layer] = [Band(times, low, high), _observations(times, observed), forecast]
    words = f"{printing.percent(level)} of observations are expected in the band at each time"
    if start:
        words += f"; the latest {total - start:,} of {total:,} times"
    spec = _framed(layers, times, "Observed value", _caption(result.method, words))
    return dated(spec, dates, total)


@plot_of("StateForecast")
def state_forecast_plot(
    result: StateForecast,
    *,
    name: str | None = None,
    column: int = 0,
    level: float = 0.95,
    last: int = HISTORY,
    dates: Any = None,
) -> PlotSpec:
    """Draw the forecasts with their band over the times they are for, after what was observed.

    `last` is how many observations are shown before them; `dates` those of the observations, or
    of these and the forecasts.
    """
    column = _column(column, result.forecast.shape[1])
    times = (result.origin_time + result.steps).astype(np.float64)
    forecast = result.forecast[:, column]
    low, high = (limit[:, column] for limit in result.limits(level))
    layers: list[Layer] = [
        Band(times, low, high),
        Line(times, forecast, label=entry(name, "forecast")),
    ]
    if len(times) <= POINTS_UP_TO:
        layers.append(Points(times, forecast))
    words = f"Band: {printing.percent(level)} at each time"
    n_before = 0 if result.history is None else len(result.history)
    if result.history is not None and len(times) and times[0] >= n_before:
        start = max(0, n_before - checks.whole(last, "last", at_least=0))
        seen = np.arange(start, n_before, dtype=np.float64)
        known: Floats = np.ma.filled(
            np.ma.asarray(result.history[start:, column], dtype=float), np.nan
        )
        layers.append(_observations(seen, known))
        times = np.concatenate([seen, times])
    spec = _framed(layers, times, "Observed value", _caption(result.method, words))
    return dated(spec, dates, n_before, ahead=int(result.steps.max()))


@plot_of("SmoothedStates")
def smoothed_plot(
    result: SmoothedStates, *, name: str | None = None, column: int = 0, level: float = 0.95
) -> PlotSpec:
    """Draw one smoothed state with its band, and behind it what was known at the time."""
    column = _column(column, result.mean.shape[1])
    times = np.arange(len(result.mean), dtype=np.float64)
    low, high = (limit[:, column] for limit in result.limits(level))
    layers: list[Layer] = [
        Band(times, low, high),
        Line(times, result.filtered_mean[:, column], label="filtered", slot=1),
        Line(times, result.mean[:, column], label=entry(name, "smoothed")),
    ]
    words = f"Band: {printing.percent(level)} at each time, given the whole series"
    return _framed(layers, times, f"State {column}", _caption(result.method, words))


@plot_of("TrainedNetwork")
def trained_network_plot(
    result: TrainedNetwork, *, name: str | None = None, level: float = 0.95
) -> PlotSpec:
    """Draw the forecasts made while the network learned, with their band, and what came."""
    times = np.arange(len(result.forecast), dtype=np.float64) + result.model.order
    layers: list[Layer] = [
        Band(times, *result.limits(level)),
        Line(times, result.forecast, label=entry(name, "forecast while learning")),
        _observations(times, result.target),
    ]
    words = f"Band: {printing.percent(level)} at each time"
    caption = (f"{result.method.capitalize()} estimation. {words}.",)
    return _framed(layers, times, "Observed value", caption)


@plot_of("NoiseFit")
def noise_fit_plot(result: NoiseFit, *, name: str | None = None) -> PlotSpec:
    """Draw how the likelihood falls when one noise is multiplied, the other as found."""
    plausible = -result.plausible_drop
    layers: list[Layer] = [Line(result.factors[[0, -1]], np.full(2, plausible), role="reference")]
    for slot, (words, drop) in enumerate(result.profile_drops().items()):
        layers.append(Line(result.factors, drop, label=entry(name, words), slot=slot))
    return PlotSpec(
        layers=tuple(layers),
        x=Axis("Multiple of the noise found", (0.01, 100.0), scale="log"),
        y=Axis("Log likelihood, less that found", (4 * plausible, _above(result))),
        caption=(
            "Above the dashed line: compatible with the series at 95 %, the other noise as found.",
        ),
        legend_places=("upper left", "upper right"),
    )


def _above(result: NoiseFit) -> float:
    """Top of the axis: the best of a grid may lie below the top of a profile."""
    highest = max(float(np.nanmax(drop)) for drop in result.profile_drops().values())
    return 0.4 + 1.1 * max(highest, 0.0)


def _column(column: int, n_columns: int) -> int:
    number = checks.whole(column, "column", at_least=0)
    if number >= n_columns:
        raise InputError(f"`column` must be below {n_columns}; got {number}.")
    return number


def _observations(times: Floats, values: Floats) -> Layer:
    """Marks in the colour of a second model; a thin line where there are too many to tell apart."""
    if len(times) > POINTS_UP_TO:
        return Line(times, values, label="observed", muted=True, color=OBSERVED_GREY)
    seen = np.isfinite(values)
    return Points(times[seen], values[seen], label="observed", slot=1)


def _framed(layers: list[Layer], times: Floats, title: str, caption: tuple[str, ...]) -> PlotSpec:
    heights = np.concatenate(
        [
            each
            for layer in layers
            for each in ((layer.lower, layer.upper) if isinstance(layer, Band) else (_y(layer),))
        ]
    )
    low, high = float(np.nanmin(heights)), float(np.nanmax(heights))
    margin = SERIES_MARGIN * (high - low) or 0.5
    side = max(0.5, 0.01 * (times[-1] - times[0]))
    return PlotSpec(
        layers=tuple(layers),
        x=Axis("Time", (float(times[0] - side), float(times[-1] + side))),
        y=Axis(title, (low - margin, high + margin)),
        caption=caption,
        legend_places=(),
    )


def _y(layer: Layer) -> Floats:
    return layer.y if isinstance(layer, (Line, Points)) else np.empty(0)


def _caption(method: str, words: str) -> tuple[str, ...]:
    return (f"{method[:1].upper()}{method[1:]} filter. {words}.",)
