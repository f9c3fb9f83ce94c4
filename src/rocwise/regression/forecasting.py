"""Autoregressions, linear and neural, and filters of series that follow them.

An autoregression g forecasts the next value of a series from its latest ones; as the transition of
a state (`Companion`) it makes a filter, of one series or of many short windows at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.progress import reporter
from rocwise.regression.filters import kalman, model_checks
from rocwise.regression.filters.noise_fits import (
    OBSERVATION_FACTORS,
    PROCESS_FACTORS,
    log_likelihoods,
)
from rocwise.regression.filters.steps import steps_over_time

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
KINDS: dict[str, type[kalman.StateSpaceFilter]] = {
    "ekf": kalman.ExtendedKalmanFilter,
    "ukf": kalman.UnscentedKalmanFilter,
    "cdkf": kalman.CentralDifferenceKalmanFilter,
    "sr-ukf": kalman.SquareRootUnscentedKalmanFilter,
    "sr-cdkf": kalman.SquareRootCentralDifferenceKalmanFilter,
}
ROWS_AT_ONCE = 20_000  # windows times pairs of noises in one batch, to bound the memory
MOST_UNITS = 1_000  # of a network
MOST_ITERATIONS, MOST_EVALUATIONS = 500, 15_000
SMALL_GRADIENT = 1e-4
Weights = tuple[Floats, Floats, Floats, Any]  # of inputs and of units, and biases


def trained_weights(
    rows: Floats, target: Floats, *, hidden: int, penalty: float, random_state: Any
) -> Weights:
    """Weights that minimize half the mean squared error plus weight decay, by L-BFGS."""
    from scipy.optimize import minimize

    found = minimize(
        _loss_and_slope,
        _first_weights(rows.shape[1], hidden, random_state),
        args=(rows, target[:, None], penalty),
        jac=True,
        method="L-BFGS-B",
        options={"maxfun": MOST_EVALUATIONS, "maxiter": MOST_ITERATIONS, "gtol": SMALL_GRADIENT},
    )
    return _parts(found.x, rows.shape[1])


def _first_weights(n_inputs: int, hidden: int, random_state: Any) -> Floats:
    """Uniform within bounds that keep the variance of a layer (Glorot and Bengio, 2010)."""
    fixed = isinstance(random_state, np.random.RandomState)
    rng = random_state if fixed else np.random.RandomState(random_state)
    inner, outer = (np.sqrt(6.0 / (size + hidden)) for size in (n_inputs, 1))
    first = rng.uniform(-inner, inner, n_inputs * hidden)
    bias = rng.uniform(-inner, inner, hidden)
    *last, last_bias = rng.uniform(-outer, outer, hidden + 1)
    return np.concatenate([first, last, bias, [last_bias]])


def _parts(packed: Floats, n_inputs: int) -> Weights:
    hidden = (len(packed) - 1) // (n_inputs + 2)
    cut = n_inputs * hidden
    first, last, bias, last_bias = np.split(packed, [cut, cut + hidden, cut + 2 * hidden])
    return first.reshape(n_inputs, hidden), last[:, None], bias, last_bias


def _loss_and_slope(
    packed: Floats, rows: Floats, target: Floats, penalty: float
) -> tuple[float, Floats]:
    first, last, bias, last_bias = _parts(packed, rows.shape[1])
    n = len(rows)
    inner = np.tanh(rows @ first + bias)
    error = inner @ last + last_bias - target
    decay = penalty * (float((first**2).sum()) + float((last**2).sum())) / n
    loss = (float((error**2).mean()) + decay) / 2
    back = (error @ last.T) * (1 - inner**2)
    slopes = (
        (rows.T @ back + penalty * first) / n,
        (inner.T @ error + penalty * last) / n,
        back.mean(axis=0),
        error.mean(axis=0),
    )
    return loss, np.concatenate([slope.ravel() for slope in slopes])


def lag_rows(series: Any, order: int) -> tuple[Floats, Floats]:
    """Arrange the lagged values of a series as rows of features.

    Parameters
    ----------
    series : array-like
        Values in time order.
    order : int
        Number of lags.

    Returns
    -------
    rows : ndarray of shape (T - order, order)
        Values before each target, newest first.
    target : ndarray of shape (T - order,)
        Value that follows each row.

    See Also
    --------
    regression.forecasting.fit_linear : Least-squares autoregression.
    estimators.StackedFilterRegressor : Stacked forecasts of several filters.

    Examples
    --------
    >>> rows, target = lag_rows([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2)
    >>> rows.tolist(), target.tolist()
    ([[2.0, 1.0], [3.0, 2.0], [4.0, 3.0], [5.0, 4.0]], [3.0, 4.0, 5.0, 6.0])
    """
    order = checks.whole(order, "order")
    values = model_checks.numbers(series, "series")
    if values.ndim != 1:
        raise InputError(f"`series` must have one dimension; got the shape {values.shape}.")
    if len(values) < 2 * order + 2:
        raise InputError(
            f"`series` must have at least {shown(2 * order + 2)} values for order "
            f"{shown(order)}; got {len(values)}."
        )
    windows = np.lib.stride_tricks.sliding_window_view(values, order + 1)
    return windows[:, -2::-1].copy(), windows[:, -1].copy()


@dataclass(frozen=True, eq=False)
class LinearAutoregression:
    """g(x) = intercept + coefficients · x.

    Examples
    --------
    >>> model = LinearAutoregression(0.1, np.array([0.6, -0.3]))
    >>> model.predict(np.array([[1.0, 2.0]])).round(3).tolist()
    [0.1]
    """

    intercept: float
    coefficients: Floats
    residual_variance: float = 1.0

    @property
    def order(self) -> int:
        """Number of lags."""
        return len(self.coefficients)

    def predict(self, rows: Floats) -> Floats:
        """G for each row of lags."""
        with np.errstate(over="ignore", invalid="ignore"):  # filters raise for infinite states
            return np.asarray(self.intercept + rows @ self.coefficients)

    def gradient(self, rows: Floats) -> Floats:
        """Derivatives of g by the lags."""
        return np.broadcast_to(self.coefficients, rows.shape)


@dataclass(frozen=True, eq=False)
class NeuralAutoregression:
    """g(x) = output_bias + output_weights · tanh(input_weights x + input_bias).

    Both sides are standardized by `centre` and `scale`.

    Examples
    --------
    >>> model = NeuralAutoregression(np.array([[1.0, -1.0]]), np.zeros(1), np.array([2.0]), 0.5)
    >>> model.predict(np.array([[0.3, 0.1]])).round(4).tolist()
    [0.8948]
    """

    input_weights: Floats
    input_bias: Floats
    output_weights: Floats
    output_bias: float
    centre: float = 0.0
    scale: float = 1.0
    residual_variance: float = 1.0

    @property
    def order(self) -> int:
        """Number of lags."""
        return int(self.input_weights.shape[1])

    def _hidden(self, rows: Floats) -> Floats:
        scaled = (rows - self.centre) / self.scale
        return np.asarray(np.tanh(scaled @ self.input_weights.T + self.input_bias))

    def predict(self, rows: Floats) -> Floats:
        """G for each row of lags."""
        value = self._hidden(rows) @ self.output_weights + self.output_bias
        return np.asarray(self.centre + self.scale * value)

    def gradient(self, rows: Floats) -> Floats:
        """Derivatives of g by the lags: W2 diag(1 - tanh²) W1."""
        slopes = (1 - self._hidden(rows) ** 2) * self.output_weights
        return np.asarray(slopes @ self.input_weights)


Autoregression: TypeAlias = LinearAutoregression | NeuralAutoregression


@dataclass(frozen=True, eq=False)
class Companion:
    """The transition f of a fitted g, from (n, p) to (n, p)."""

    model: Autoregression

    def __call__(self, states: Floats) -> Floats:
        """The states one step later."""
        moved = np.empty_like(states)
        moved[:, 0] = self.model.predict(states)
        moved[:, 1:] = states[:, :-1]
        return moved

    def jacobian(self, states: Floats) -> Floats:
        """The derivative of f: (n, p) to (n, p, p)."""
        found = np.repeat(np.eye(self.model.order, k=-1)[None], len(states), axis=0)
        found[:, 0] = self.model.gradient(states)
        return found


def newest(states: Floats) -> Floats:
    """What is observed of the states (n, p): the newest value, (n, 1)."""
    return states[:, :1]


def newest_jacobian(states: Floats) -> Floats:
    """Its derivative (n, 1, p)."""
    return np.broadcast_to(np.eye(1, states.shape[1]), (len(states), 1, states.shape[1]))


def fit_linear(rows: Floats, target: Floats) -> LinearAutoregression:
    """Fit a linear autoregression by least squares.

    Parameters
    ----------
    rows : ndarray of shape (n, p)
        Lagged values, from `lag_rows`.
    target : ndarray of shape (n,)
        Values that follow.

    Returns
    -------
    LinearAutoregression
        Model with `intercept` and `coefficients`, those of smallest norm if they are not unique.

    See Also
    --------
    regression.forecasting.fit_neural : Neural autoregression.
    regression.forecasting.series_filter : Filter of a noisy autoregression.

    Examples
    --------
    >>> rows, target = lag_rows([1.0, 2.0, 4.0, 8.0, 16.0], 1)
    >>> fit_linear(rows, target).coefficients.round(6).tolist()
    [2.0]
    """
    rows, target = checked_lags(rows, target)
    design = np.column_stack([np.ones(len(rows)), rows])
    found = np.asarray(np.linalg.lstsq(design, target)[0], dtype=np.float64)
    variance = floored_variance(target - design @ found, target)
    return LinearAutoregression(float(found[0]), found[1:], variance)


def fit_neural(
    rows: Floats,
    target: Floats,
    *,
    hidden: int = 4,
    penalty: float = 1e-4,
    random_state: Any = 0,
) -> NeuralAutoregression:
    """Fit a neural autoregression with one layer of tanh units.

    The weights are found by L-BFGS, as in scikit-learn's `MLPRegressor`.

    Parameters
    ----------
    rows : ndarray of shape (n, p)
        Lagged values, from `lag_rows`.
    target : ndarray of shape (n,)
        Values that follow.
    hidden : int, default 4
        Number of units.
    penalty : float, default 1e-4
        Weight decay on standardized data, `alpha` of `MLPRegressor`.
    random_state : int or None, default 0
        Seed of the initial weights.

    Returns
    -------
    NeuralAutoregression
        Fitted model, with the method ``predict(rows)``.

    See Also
    --------
    regression.forecasting.fit_linear : Least-squares autoregression.
    regression.network_training.fit_neural_by_filter : Neural autoregression trained by a filter.

    Examples
    --------
    >>> rows, target = lag_rows(np.sin(np.arange(60) / 3), 2)
    >>> model = fit_neural(rows, target, hidden=2)
    >>> model.predict(rows[:1]).shape
    (1,)
    """
    rows, target = checked_lags(rows, target)
    centre, scale = standardization(rows, target)
    first, last, bias, last_bias = trained_weights(
        (rows - centre) / scale,
        (target - centre) / scale,
        hidden=checks.whole(hidden, "hidden", at_most=MOST_UNITS),
        penalty=checks.not_negative(penalty, "penalty"),
        random_state=checks.random_state(random_state),
    )
    weights = (first.T.copy(), bias, last[:, 0], last_bias[0])
    return network_of(weights, rows, target, centre, scale)


def network_of(
    weights: Weights, rows: Floats, target: Floats, centre: float, scale: float
) -> NeuralAutoregression:
    """The network with these weights, and its residual variance on the rows."""
    fields = (*weights[:3], float(weights[3]), centre, scale)
    residuals = target - NeuralAutoregression(*fields).predict(rows)
    return NeuralAutoregression(*fields, floored_variance(residuals, target))


def checked_lags(rows: Any, target: Any) -> tuple[Floats, Floats]:
    """Rows of lags (n, p) and the n values after them, as `lag_rows` makes them."""
    table, values = model_checks.numbers(rows, "rows"), model_checks.numbers(target, "target")
    if table.ndim != 2 or not table.size:
        raise InputError(f"`rows` must have the shape (n, p); got the shape {table.shape}.")
    if values.shape != (len(table),):
        raise InputError(
            f"`target` must contain one value for each of the {len(table)} `rows`; got the shape "
            f"{values.shape}."
        )
    return table, values


def standardization(rows: Floats, target: Floats) -> tuple[float, float]:
    """Mean and standard deviation of all values; a constant series is not stretched."""
    values = np.concatenate([rows.ravel(), target])
    deviation = float(values.std())
    return float(values.mean()), deviation if deviation > 0 else 1.0


def floored_variance(residuals: Floats, target: Floats) -> float:
    """Residual variance, above zero so that a perfect fit still makes a filter."""
    floor = 1e-12 * max(float(np.mean(target**2)), 1e-12)
    return max(float(np.mean(residuals**2)), floor)


def series_filter(
    model: Autoregression,
    *,
    kind: FilterKind = "sr-ukf",
    process_variance: float,
    observation_variance: float,
    initial_mean: Any,
    initial_covariance: Any,
) -> kalman.StateSpaceFilter:
    """Build the filter of a series that follows an autoregression and is observed with noise.

    Parameters
    ----------
    model : LinearAutoregression or NeuralAutoregression
        Transition of the series.
    kind : {"ekf", "ukf", "cdkf", "sr-ukf", "sr-cdkf"}, default "sr-ukf"
        Extended, unscented or central-difference filter; "sr-" for the square-root form.
    process_variance : float
        Variance of the innovation of each step.
    observation_variance : float
        Variance of the observation noise.
    initial_mean : array-like of shape (p,)
        Mean of the p values before the first observation, newest first.
    initial_covariance : array-like of shape (p, p)
        Their covariance.

    Returns
    -------
    StateSpaceFilter
        Filter with the methods ``filter(y)``, ``smooth(...)`` and ``forecast(...)``.

    See Also
    --------
    regression.filters.UnscentedKalmanFilter : Unscented Kalman filter.
    regression.filters.fit_noise : Maximum likelihood fit of noise covariances.

    Examples
    --------
    >>> from rocwise.regression.forecasting import LinearAutoregression
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
    if known is kalman.ExtendedKalmanFilter:
        options["transition_jacobian"] = moving.jacobian
        options["observation_jacobian"] = newest_jacobian
    build: Callable[..., kalman.StateSpaceFilter] = known
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


def window_forecasts(follower: kalman.StateSpaceFilter, windows: Floats) -> tuple[Floats, Floats]:
    """Forecasts one step after each row (oldest value first), and their standard deviations."""
    series = np.pad(windows, [(0, 0), (0, 1)])[:, :, None]
    present = np.arange(series.shape[1])[:, None] < windows.shape[1]  # the last is not observed
    innovations = []
    for start in range(0, len(windows), ROWS_AT_ONCE):
        rows = series[start : start + ROWS_AT_ONCE]
        *_, last = steps_over_time(*follower._ready(len(rows)), rows, present)
        innovations.append(last.innovation)
    forecast = np.concatenate([each.forecast[:, 0] for each in innovations])
    if not np.isfinite(forecast).all():
        row = int(np.argmin(np.isfinite(forecast)))
        raise InputError(f"The forecast of row {row} is not finite: the model explodes there.")
    return forecast, np.abs(np.concatenate([each.root[:, 0, 0] for each in innovations]))


def noise_grid(
    follower: kalman.StateSpaceFilter, windows: Floats, variance: float
) -> tuple[kalman.StateSpaceFilter, float]:
    """The filter with the most likely noises, of a few multiples of the residual variance."""
    pairs = variance * np.array(list(product(PROCESS_FACTORS, OBSERVATION_FACTORS)))
    noises = np.zeros((len(pairs), *follower.process_noise.shape))
    noises[:, 0, 0] = pairs[:, 0]
    observation, present = pairs[:, 1, None, None], np.ones((windows.shape[1], 1), np.bool_)
    total = np.zeros(len(pairs))
    n_rows = max(1, ROWS_AT_ONCE // len(pairs))
    report = reporter(True, f"noises of the {follower.name} filter")
    for start in range(0, len(windows), n_rows):
        series = windows[start : start + n_rows, :, None]
        total += log_likelihoods(follower, series, present, noises, observation, lambda _done: None)
        report(min(1.0, (start + n_rows) / len(windows)))
    best = int(np.argmax(total))
    if not np.isfinite(total[best]):
        raise InputError("No noises were found under which the filter can follow the rows.")
    return follower.with_noise(noises[best], pairs[best, 1]), float(total[best])


def window_start(rows: Floats, variance: float) -> tuple[Floats, Floats]:
    """What is known before a window: mean and covariance of the rows seen in training."""
    centered = rows - rows.mean(axis=0)
    covariance = centered.T @ centered / len(rows)
    ridge = max(variance, 1e-9 * float(np.trace(covariance)))  # rows may lie in a plane
    return rows.mean(axis=0), covariance + ridge * np.eye(rows.shape[1])


def scaled_differences(series: Any, n_fit: int) -> tuple[Floats, float, float]:
    """Scale the first differences of a series to the range 0.1 to 0.9 of its first part.

    Later differences may lie outside that range, since the scale does not depend on them.

    Parameters
    ----------
    series : array-like
        Values in time order.
    n_fit : int
        Number of differences that determine the scale.

    Returns
    -------
    scaled : ndarray
        Scaled differences.
    intercept : float
        Intercept a of scaled = a + b difference.
    slope : float
        Slope b.

    See Also
    --------
    regression.forecasting.lag_rows : Lagged values of a series as rows.

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
