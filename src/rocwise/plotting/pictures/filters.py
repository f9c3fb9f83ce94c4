"""Pictures of filtered series: what was forecast, what came, what is known afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocwise import checks, printing
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.plotting.layers import Axis, Band, Layer, Line, Picture, Points
from rocwise.plotting.pictures.dates import dated
from rocwise.plotting.registry import picture_of
from rocwise.plotting.wording import entry

if TYPE_CHECKING:
    from rocwise.regression.filters.noise_fits import NoiseFit
    from rocwise.regression.filters.results import FilterResult, SmoothedStates, StateForecast
    from rocwise.regression.network_training import TrainedNetwork

MARGIN = 0.04
LONG, SHOWN_OF_LONG, HISTORY = 600, 300, 60
OBSERVED_GREY = "#5A5A5A"
POINTS_UP_TO = 150  # observations are marks while one can tell them apart, then a line


@picture_of("FilterResult")
def filter_picture(
    result: FilterResult,
    *,
    name: str | None = None,
    column: int = 0,
    level: float = 0.95,
    last: int | None = None,
    dates: Any = None,
) -> Picture:
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
    picture = _framed(layers, times, "Observed value", _caption(result.method, words))
    return dated(picture, dates, total)


@picture_of("StateForecast")
def state_forecast_picture(
    result: StateForecast,
    *,
    name: str | None = None,
    column: int = 0,
    level: float = 0.95,
    last: int = HISTORY,
    dates: Any = None,
) -> Picture:
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
    picture = _framed(layers, times, "Observed value", _caption(result.method, words))
    return dated(picture, dates, n_before, ahead=int(result.steps.max()))


@picture_of("SmoothedStates")
def smoothed_picture(
    result: SmoothedStates, *, name: str | None = None, column: int = 0, level: float = 0.95
) -> Picture:
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


@picture_of("TrainedNetwork")
def trained_network_picture(
    result: TrainedNetwork, *, name: str | None = None, level: float = 0.95
) -> Picture:
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


@picture_of("NoiseFit")
def noise_fit_picture(result: NoiseFit, *, name: str | None = None) -> Picture:
    """Draw how the likelihood falls when one noise is multiplied, the other as found."""
    plausible = -result.plausible_drop
    layers: list[Layer] = [Line(result.factors[[0, -1]], np.full(2, plausible), role="reference")]
    for slot, (words, drop) in enumerate(result.profile_drops().items()):
        layers.append(Line(result.factors, drop, label=entry(name, words), slot=slot))
    return Picture(
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


def _framed(layers: list[Layer], times: Floats, title: str, caption: tuple[str, ...]) -> Picture:
    heights = np.concatenate(
        [
            each
            for layer in layers
            for each in ((layer.lower, layer.upper) if isinstance(layer, Band) else (_y(layer),))
        ]
    )
    low, high = float(np.nanmin(heights)), float(np.nanmax(heights))
    margin = MARGIN * (high - low) or 0.5
    side = max(0.5, 0.01 * (times[-1] - times[0]))
    return Picture(
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
