"""Results of filters: the filtered series, forecasts beyond it, the smoothed states."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import count_of
from rocwise.inference.intervals import normal_quantile
from rocwise.results import ASIDE, Result, result


def _per_column(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """``forecast`` for one observed value, ``forecast_0``, ``forecast_1``, ... for several."""
    if values.shape[1] == 1:
        return {name: values[:, 0]}
    return {f"{name}_{j}": values[:, j] for j in range(values.shape[1])}


def _states(mean: Floats) -> str:
    return count_of(mean.shape[1], "state")


def normal_limits(center: Floats, deviation: Floats, level: float) -> tuple[Floats, Floats]:
    """Where normal values lie with this probability, each by itself."""
    reach = normal_quantile(checks.level(level)) * deviation
    return center - reach, center + reach


class _Normal(Result):
    """Normal values, one for each time, with their covariances."""

    normal_fields: ClassVar[tuple[str, str]] = ("forecast", "forecast_covariance")

    @property
    def standard_error(self) -> Floats:
        """Standard deviations (T, n) of the values."""
        diagonal = np.einsum("tii->ti", getattr(self, self.normal_fields[1]))
        return np.asarray(np.sqrt(np.maximum(diagonal, 0.0)))  # rounding may leave -1e-17

    def limits(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Lower and upper limits of each value, for each time separately."""
        return normal_limits(getattr(self, self.normal_fields[0]), self.standard_error, level)


@result
class FilterResult(_Normal):
    """Filtered series: state means, covariances and one-step forecasts.

    Attributes
    ----------
    forecast : ndarray (T, d)
        Each observation as forecast from those before it.
    forecast_covariance : ndarray (T, d, d)
    mean, covariance : ndarray (T, L), (T, L, L)
        The state given the observations up to and with each time.
    log_likelihood : float
        Sum of the log densities of the observations around their forecasts.
    observed : ndarray (T, d)
        The series itself, masked where nothing was observed.
    covariance_factor : ndarray (T, L, L) or None
        Lower triangles S with S S' = `covariance`; square-root filters only.
    method : str
        Which filter.
    """

    forecast: Floats
    forecast_covariance: Floats
    mean: Floats
    covariance: Floats
    log_likelihood: float
    observed: np.ndarray
    covariance_factor: Floats | None = None
    method: str = ""

    @property
    def n_missing(self) -> int:
        """How many values were missing."""
        return int(np.ma.getmaskarray(self.observed).sum())

    def _sentence(self) -> str:
        error = np.ma.abs(self.observed - self.forecast).mean()
        missed = f" ({self.n_missing:,} missing)" if self.n_missing else ""
        off = "" if error is np.ma.masked else f"mean absolute error {float(error):.4g}, "
        return (
            f"{self.method}: {count_of(len(self.forecast), 'time')}{missed}, {_states(self.mean)}; "
            f"{off}log likelihood {self.log_likelihood:.4f}"
        )

    def _columns(self) -> Mapping[str, Any]:
        return {
            "time": np.arange(len(self.forecast)),
            **_per_column("observed", self.observed),
            **_per_column("forecast", self.forecast),
            **_per_column("standard_error", self.standard_error),
        }


@result
class StateForecast(_Normal):
    """Forecasts of observations and states for one or more steps ahead.

    Attributes
    ----------
    steps : ndarray (k,)
        Steps ahead.
    origin_time : ndarray (k,)
        Last row of the series before each forecast.
    forecast, forecast_covariance : ndarray (k, d), (k, d, d)
    mean, covariance : ndarray (k, L), (k, L, L)
    history : ndarray (T, d) or None
        The series before the forecasts, masked where nothing was observed.
    """

    steps: np.ndarray
    origin_time: np.ndarray
    forecast: Floats
    forecast_covariance: Floats
    mean: Floats
    covariance: Floats
    method: str = ""
    history: np.ndarray | None = field(default=None, metadata=ASIDE)

    def _sentence(self) -> str:
        last = ", ".join(f"{value:.4g}" for value in self.forecast[-1])
        errors = ", ".join(f"{value:.4g}" for value in self.standard_error[-1])
        return (
            f"{self.method}: {count_of(len(self.steps), 'forecast')}, the last "
            f"{count_of(int(self.steps[-1]), 'step')} ahead: {last} (standard error {errors})"
        )

    def _columns(self) -> Mapping[str, Any]:
        return {
            "origin_time": self.origin_time,
            "steps": self.steps,
            **_per_column("forecast", self.forecast),
            **_per_column("standard_error", self.standard_error),
        }


@result
class SmoothedStates(_Normal):
    """Smoothed states: their distribution given the whole series.

    Attributes
    ----------
    mean, covariance : ndarray (T, L), (T, L, L)
        Smoothed states.
    filtered_mean : ndarray (T, L)
        What was known at the time.
    log_likelihood : float
    method : str
    """

    normal_fields: ClassVar[tuple[str, str]] = ("mean", "covariance")
    mean: Floats
    covariance: Floats
    filtered_mean: Floats
    log_likelihood: float
    method: str = ""

    def _sentence(self) -> str:
        moved = float(np.abs(self.mean - self.filtered_mean).mean())
        return (
            f"{self.method}, smoothed: {count_of(len(self.mean), 'time')}, {_states(self.mean)}; "
            f"mean absolute change from the filtered states {moved:.4g}"
        )

    def _columns(self) -> Mapping[str, Any]:
        return {
            "time": np.arange(len(self.mean)),
            **_per_column("mean", self.mean),
            **_per_column("standard_error", self.standard_error),
        }
