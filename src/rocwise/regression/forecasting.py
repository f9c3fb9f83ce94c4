"""Filters of autoregressions: one series, or many short windows at once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Flags, Floats
from rocwise.errors import InputError, shown
from rocwise.progress import reporter
from rocwise.regression.filters import model_checks
from rocwise.regression.filters.base import StateSpaceFilter
from rocwise.regression.filters.extended import ExtendedKalmanFilter
from rocwise.regression.filters.sigma.central_difference import (
    CentralDifferenceKalmanFilter,
    SquareRootCentralDifferenceKalmanFilter,
)
from rocwise.regression.filters.sigma.unscented import (
    SquareRootUnscentedKalmanFilter,
    UnscentedKalmanFilter,
)
from rocwise.regression.filters.time_loop import steps_over_time
from rocwise.regression.linear_windows import followed, gains_of, innovation_beyond, is_linear
from rocwise.regression.state_space_models import (
    Autoregression,
    Companion,
    LinearAutoregression,
    NeuralAutoregression,
    fit_linear,
    fit_neural,
    lag_rows,
    newest,
    newest_jacobian,
)

__all__ = [
    "LinearAutoregression",
    "NeuralAutoregression",
    "fit_linear",
    "fit_neural",
    "lag_rows",
    "scaled_differences",
    "series_filter",
]

FilterKind = Literal["ekf", "ukf", "cdkf", "sr-ukf", "sr-cdkf"]
KINDS: dict[str, type[StateSpaceFilter]] = {
    "ekf": ExtendedKalmanFilter,
    "ukf": UnscentedKalmanFilter,
    "cdkf": CentralDifferenceKalmanFilter,
    "sr-ukf": SquareRootUnscentedKalmanFilter,
    "sr-cdkf": SquareRootCentralDifferenceKalmanFilter,
}
PROCESS_FACTORS = (0.25, 0.5, 1.0)
OBSERVATION_FACTORS = (1e-3, 1e-2, 0.1, 0.5)
ROWS_AT_ONCE = 20_000  # windows times pairs of noises in one batch, to bound the memory


def series_filter(
    model: Autoregression,
    *,
    kind: FilterKind = "sr-ukf",
    process_variance: float,
    observation_variance: float,
    initial_mean: Any,
    initial_covariance: Any,
) -> StateSpaceFilter:
    """Filter of a series that follows an autoregression and is observed with noise.

    Parameters
    ----------
    model : LinearAutoregression or NeuralAutoregression
    kind : {"ekf", "ukf", "cdkf", "sr-ukf", "sr-cdkf"}
    process_variance : float
        Of what is added to g(x) in each step.
    observation_variance : float
        Of what is added to the series when it is observed.
    initial_mean, initial_covariance : array_like (p,), (p, p)
        The p values before the first observation, newest first.

    Examples
    --------
    >>> from rocwise.regression.state_space_models import LinearAutoregression
    >>> follower = series_filter(
    ...     LinearAutoregression(0.1, np.array([0.6, -0.3])), process_variance=0.05,
    ...     observation_variance=0.02, initial_mean=[0, 0], initial_covariance=np.eye(2))
    >>> follower.filter([0.3, -0.1, 0.4, 0.2, -0.3]).forecast[:, 0].round(4).tolist()
    [0.1, 0.2062, -0.0051, 0.2733, 0.1455]
    """
    known = KINDS[checks.one_of(kind, "kind", get_args(FilterKind))]
    if isinstance(model, type) or not hasattr(model, "predict") or not hasattr(model, "order"):
        raise InputError(f"`model` must be an autoregression; got {shown(model, 60)}.")
    observation_variance = checks.positive(observation_variance, "observation_variance")
    checks.within(observation_variance, "observation_variance", 1e-300, np.inf)
    noise = np.zeros((model.order, model.order))
    noise[0, 0] = checks.not_negative(process_variance, "process_variance")
    moving, options = Companion(model), dict[str, Any]()
    if known is ExtendedKalmanFilter:
        options["transition_jacobian"] = moving.jacobian
        options["observation_jacobian"] = newest_jacobian
    build: Callable[..., StateSpaceFilter] = known
    return build(
        moving,
        newest,
        process_noise=noise,
        observation_noise=observation_variance,
        initial_mean=initial_mean,
        initial_covariance=initial_covariance,
        vectorized=True,
        **options,
    )


def window_forecasts(follower: StateSpaceFilter, windows: Floats) -> tuple[Floats, Floats, Floats]:
    """Filter each row (oldest value first) on its own, then look one step beyond it.

    Returns forecasts, their standard deviations, and the log likelihoods of the rows.
    """
    parts = [
        _batch_forecasts(follower, windows[start : start + ROWS_AT_ONCE])
        for start in range(0, len(windows), ROWS_AT_ONCE)
    ]
    together = [np.concatenate(each) for each in zip(*parts, strict=True)]
    return together[0], together[1], together[2]


def _batch_forecasts(follower: StateSpaceFilter, windows: Floats) -> tuple[Floats, Floats, Floats]:
    if is_linear(follower):
        forecast, deviation, total = followed(follower, windows, gains_of(follower, windows[0]))
    else:
        forecast, deviation, total = _one_by_one(follower, windows)
    if not np.isfinite(forecast).all():
        row = int(np.argmin(np.isfinite(forecast)))
        raise InputError(f"The forecast of row {row} is not finite: the model explodes there.")
    return forecast, deviation, total


def _one_by_one(follower: StateSpaceFilter, windows: Floats) -> tuple[Floats, Floats, Floats]:
    """The same with a covariance for each window, as functions that bend need it."""
    step, mean, spread = follower._ready(len(windows))
    total = np.zeros(len(windows))
    for reached in steps_over_time(step, mean, spread, windows[:, :, None], _all_seen(windows)):
        mean, spread = reached.mean, reached.spread
        total = total + reached.log_density
    innovation = innovation_beyond(step, mean, spread)
    return innovation.forecast[:, 0], np.abs(innovation.root[:, 0, 0]), total


def _all_seen(windows: Floats) -> Flags:
    return np.ones((windows.shape[1], 1), dtype=bool)


def noise_grid(
    follower: StateSpaceFilter, windows: Floats, variance: float
) -> tuple[StateSpaceFilter, float]:
    """The filter with the most likely noises for these windows, and their log likelihood.

    Process variances are 1/4, 1/2 and 1 times the residual variance of the model, observation
    variances 1/1000, 1/100, 1/10 and 1/2 of it.
    """
    pairs = variance * np.array(list(product(PROCESS_FACTORS, OBSERVATION_FACTORS)))
    noises = np.zeros((len(pairs), *follower.process_noise.shape))
    noises[:, 0, 0] = pairs[:, 0]
    total = np.zeros(len(pairs))
    n_rows = max(1, ROWS_AT_ONCE // len(pairs))
    report = reporter(True, f"noises of the {follower.name} filter")
    for start in range(0, len(windows), n_rows):
        total += _likelihoods(
            follower, windows[start : start + n_rows], noises, pairs[:, 1, None, None]
        )
        report(min(1.0, (start + n_rows) / len(windows)))
    best = int(np.argmax(total))
    if not np.isfinite(total[best]):
        raise InputError("No noises were found under which the filter can follow the rows.")
    return follower.with_noise(noises[best], pairs[best, 1]), float(total[best])


def _likelihoods(
    follower: StateSpaceFilter, windows: Floats, process: Floats, observation: Floats
) -> Floats:
    """Log likelihood of all windows under each pair of noises; minus infinity if one breaks."""
    n_pairs, n = len(process), len(windows)
    if is_linear(follower):
        alone = zip(process[:, None], observation[:, None], strict=True)
        return np.array([_linear_likelihood(follower, windows, *pair) for pair in alone])
    many = np.tile(windows, (n_pairs, 1))
    noises = np.repeat(process, n, axis=0), np.repeat(observation, n, axis=0)
    total = np.zeros(n_pairs)
    try:
        for reached in steps_over_time(
            *follower._ready(len(many), *noises), many[:, :, None], _all_seen(many)
        ):
            total += np.broadcast_to(reached.log_density, len(many)).reshape(-1, n).sum(axis=1)
    except InputError:
        if n_pairs == 1:
            return np.array([-np.inf])
        alone = zip(process[:, None], observation[:, None], strict=True)
        return np.concatenate([_likelihoods(follower, windows, *pair) for pair in alone])
    return np.where(np.isfinite(total), total, -np.inf)


def _linear_likelihood(
    follower: StateSpaceFilter, windows: Floats, process: Floats, observation: Floats
) -> float:
    """The same under one pair of noises, where the covariances of all windows are alike."""
    try:
        found = gains_of(follower, windows[0], process, observation)
    except InputError:
        return -np.inf
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(followed(follower, windows, found)[2].sum())
    return total if np.isfinite(total) else -np.inf


def window_start(rows: Floats, variance: float) -> tuple[Floats, Floats]:
    """What is known before a window: mean and covariance of the rows seen in training."""
    centred = rows - rows.mean(axis=0)
    covariance = centred.T @ centred / len(rows)
    ridge = max(variance, 1e-9 * float(np.trace(covariance)))  # rows may lie in a plane
    return rows.mean(axis=0), covariance + ridge * np.eye(rows.shape[1])


def scaled_differences(series: Any, n_fit: int) -> tuple[Floats, float, float]:
    """First differences, with the range of the first `n_fit` of them mapped to 0.1 to 0.9.

    Returns the scaled differences and the a, b of scaled = a + b · difference. Differences after
    the first `n_fit` may lie outside 0.1 to 0.9: scaling by them would use the future.

    Examples
    --------
    >>> scaled_differences([3, 5, 4, 8, 6, 7, 12], 4)[0].round(4).tolist()
    [0.6333, 0.2333, 0.9, 0.1, 0.5, 1.0333]
    """
    values = model_checks.numbers(series, "series")
    n_fit = checks.whole(n_fit, "n_fit", at_least=2)
    if values.ndim != 1 or len(values) <= n_fit:
        raise InputError(
            f"`series` must have one dimension and more than n_fit = {shown(n_fit)} values; got "
            f"the shape {values.shape}."
        )
    differences = np.diff(values)
    low, high = differences[:n_fit].min(), differences[:n_fit].max()
    if not high > low:
        raise InputError(f"The first {n_fit} differences of `series` are all the same.")
    slope = 0.8 / (high - low)
    return 0.1 + (differences - low) * slope, float(0.1 - low * slope), float(slope)
