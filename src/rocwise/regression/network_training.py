"""A small network whose weights are found by a filter, as parameters of a state-space model.

Three ways. *By rows*: the weights are the state, and each row of lags is an observation of them.
*Jointly*: lags and weights are one state. *Dually*: two filters take turns, one for the lags with
the weights as they are, one for the weights with the lags as they are.
Wan and van der Merwe (2000), The unscented Kalman filter for nonlinear estimation.
"""

from typing import Any, Literal, get_args

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.progress import reporter
from rocwise.regression import forecasting
from rocwise.regression.filters.kalman import SquareRootUnscentedKalmanFilter
from rocwise.regression.filters.results import normal_limits
from rocwise.regression.filters.steps import StepResult, steps_over_time
from rocwise.results import Result, result

__all__ = ["TrainedNetwork", "fit_neural_by_filter", "train_network"]

FIRST_VARIANCE = 0.5  # of each weight, in standardized units, before anything was seen
Estimation = Literal["joint", "dual"]
MOST_PASSES = 10_000
REPORT_EVERY = 500  # steps between two reports of progress
DRIFT = 1e-6  # variance by which a weight may wander in each step


@result
class TrainedNetwork(Result):
    """Neural autoregression trained along a series, with its one-step forecasts.

    Attributes
    ----------
    model : NeuralAutoregression
        With the weights after the last value.
    forecast, standard_error : ndarray (T - order,)
        Of each value after the first `order`, made before it was seen, in the last pass.
    target : ndarray (T - order,)
        Those values.
    method : {"joint", "dual"}
    n_passes : int
        How often the series was gone through. Only in a single pass are the forecasts honest:
        in a second one the weights have seen what they forecast.
    """

    model: forecasting.NeuralAutoregression
    forecast: Floats
    standard_error: Floats
    target: Floats
    method: str
    n_passes: int

    def limits(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Lower and upper limits of each value, as forecast before it was seen."""
        return normal_limits(self.forecast, self.standard_error, level)

    def _sentence(self) -> str:
        error = float(np.abs(self.forecast - self.target).mean())
        passes = "1 pass" if self.n_passes == 1 else f"the last of {self.n_passes} passes"
        return (
            f"Network of {len(self.model.output_weights)} units over {self.model.order} lags, "
            f"{self.method} estimation, {passes}; mean absolute error {error:.4g}"
        )


def first_weights(order: int, hidden: Any, random_state: Any) -> Floats:
    """Random weights of a network of `hidden` units, packed as `split_weights` takes them."""
    hidden = checks.whole(hidden, "hidden", at_most=forecasting.MOST_UNITS)
    checks.generator(random_state, "random_state")
    rng = np.random.default_rng(None if random_state is None else checks.seed(random_state))
    weights = rng.normal(size=hidden * (order + 2) + 1) / np.sqrt(order)
    weights[-1] = 0.0
    return np.asarray(weights)


def split_weights(packed: Floats, order: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Weights of inputs (..., h, p), biases (..., h), of h tanh units, and the last bias."""
    hidden = (packed.shape[-1] - 1) // (order + 2)
    cut = hidden * order
    first = packed[..., :cut].reshape(*packed.shape[:-1], hidden, order)
    return first, packed[..., cut : cut + hidden], packed[..., cut + hidden : -1], packed[..., -1]


def network_values(lags: Floats, weights: Floats) -> Floats:
    """g(x; w) for rows of lags (k, p), or one (1, p), and of weights (k, n)."""
    first, bias, last, last_bias = split_weights(weights, lags.shape[1])
    inner = np.tanh((first @ lags[:, :, None])[:, :, 0] + bias)
    return np.asarray((inner * last).sum(axis=1) + last_bias)


def _moved(lags: Floats, weights: Floats) -> Floats:
    """The lags one step later, with g(x; w) in front."""
    return np.column_stack([network_values(lags, weights), lags[:, :-1]])


class _WeightFilter:
    """A square-root unscented filter whose state is the weights."""

    def __init__(self, weights: Floats, order: int, variance: float) -> None:
        self.mean = weights
        self.lags = np.zeros((1, order))  # of which the next observation is a function
        follower = SquareRootUnscentedKalmanFilter(
            lambda weights: weights,
            lambda weights: network_values(self.lags, weights)[:, None],
            process_noise=DRIFT * np.eye(len(weights)),
            observation_noise=variance,
            initial_mean=weights,
            initial_covariance=FIRST_VARIANCE * np.eye(len(weights)),
            vectorized=True,
        )
        self.step, self.now, self.dispersion = follower._ready(1)

    def learn(self, lags: Floats, value: float) -> None:
        """Take in that `value` came after `lags`."""
        self.lags = lags[None]
        reached = _one_step(self.step, self.now, self.dispersion, value)
        self.now, self.dispersion, self.mean = reached.mean, reached.dispersion, reached.mean[0]


def _one_step(step: Any, mean: Floats, dispersion: Floats, value: float) -> StepResult:
    observed = np.full((1, 1, 1), value)
    return next(steps_over_time(step, mean, dispersion, observed, np.ones((1, 1), dtype=bool)))


def fit_neural_by_filter(
    rows: Floats, target: Floats, *, hidden: int = 4, random_state: Any = 0, passes: int = 5
) -> forecasting.NeuralAutoregression:
    """Fit a neural autoregression by a square-root unscented Kalman filter of its weights.

    Parameters
    ----------
    rows : ndarray of shape (n, p)
        Lagged values, from `lag_rows`.
    target : ndarray of shape (n,)
        Values that follow.
    hidden : int, default 4
        Number of tanh units.
    random_state : int or None, default 0
        Seed of the initial weights.
    passes : int, default 5
        Number of passes over the rows.

    Returns
    -------
    NeuralAutoregression
        Fitted model, with the method ``predict(rows)``.

    See Also
    --------
    regression.forecasting.fit_neural : Neural autoregression.
    regression.network_training.train_network : Online training of a neural autoregression.

    Examples
    --------
    >>> from rocwise.regression.forecasting import lag_rows
    >>> rows, target = lag_rows(np.sin(np.arange(60) / 3), 2)
    >>> fit_neural_by_filter(rows, target, hidden=2, passes=1).predict(rows[:1]).shape
    (1,)
    """
    rows, target = forecasting.checked_lags(rows, target)
    weights = first_weights(rows.shape[1], hidden, random_state)
    centre, scale = forecasting.standardization(rows, target)
    scaled, wanted = (rows - centre) / scale, (target - centre) / scale
    variance = max(forecasting.fit_linear(scaled, wanted).residual_variance, 1e-6)
    learner = _WeightFilter(weights, rows.shape[1], variance)
    n_passes = checks.whole(passes, "passes", at_most=MOST_PASSES)
    report = reporter(True, "weights of the network")
    for i in range(n_passes):
        for t, (lags, value) in enumerate(zip(scaled, wanted, strict=True)):
            learner.learn(lags, float(value))
            if t % REPORT_EVERY == 0:
                report((i + t / len(scaled)) / n_passes)
    report(1.0)
    return forecasting.network_of(
        split_weights(learner.mean, rows.shape[1]), rows, target, centre, scale
    )


def train_network(
    series: Any,
    *,
    order: int = 6,
    hidden: int = 4,
    method: Estimation = "joint",
    observation_share: float = 0.1,
    passes: int = 1,
    n_fit: int | None = None,
    random_state: Any = 0,
) -> TrainedNetwork:
    """Train a neural autoregression along a series, by joint or dual estimation.

    Parameters
    ----------
    series : array-like of shape (T,)
        Values in time order.
    order : int, default 6
        Number of lags.
    hidden : int, default 4
        Number of tanh units.
    method : {"joint", "dual"}, default "joint"
        One filter for lags and weights together, or two filters in alternation.
    observation_share : float, default 0.1
        Variance of the observation noise, as a proportion of the residual variance of a linear
        autoregression, which is the process variance.
    passes : int, default 1
        Number of passes over the series.
    n_fit : int, optional
        Number of first values from which scale and variances are computed; by default half of the
        series.
    random_state : int or None, default 0
        Seed of the initial weights.

    Returns
    -------
    TrainedNetwork
        Result with `model`, `forecast`, `standard_error` and `target`.

    See Also
    --------
    regression.network_training.fit_neural_by_filter : Neural autoregression trained by a filter.
    estimators.FilterRegressor : One-step-ahead forecasts of one filter.

    Examples
    --------
    >>> series = np.sin(np.arange(120) / 3)
    >>> train_network(series, order=2, hidden=2, method="dual").forecast.shape
    (118,)
    """
    checks.one_of(method, "method", get_args(Estimation))
    fraction = checks.not_negative(observation_share, "observation_share")
    rows, target = forecasting.lag_rows(series, order)
    order = rows.shape[1]
    weights = first_weights(order, hidden, random_state)
    n, least = len(target) + order, 2 * order + 2
    if n_fit is None:
        n_fit = max(n // 2, least)
    known = checks.whole(n_fit, "n_fit", at_least=least, at_most=n) - order
    centre, scale = forecasting.standardization(rows[:known], target[:known])
    scaled, wanted = (rows - centre) / scale, (target - centre) / scale
    variance = max(forecasting.fit_linear(scaled[:known], wanted[:known]).residual_variance, 1e-6)
    run = _joint if method == "joint" else _dual
    passes = checks.whole(passes, "passes", at_most=MOST_PASSES)
    observation = max(fraction, 1e-6) * variance
    weights, found = run(weights, scaled[0], wanted, variance, observation, passes)
    forecast, deviation = np.array(found[-len(wanted) :]).T
    return TrainedNetwork(
        model=forecasting.network_of(split_weights(weights, order), rows, target, centre, scale),
        forecast=centre + scale * forecast,
        standard_error=scale * deviation,
        target=target,
        method=method,
        n_passes=passes,
    )


def _joint(
    weights: Floats, lags: Floats, wanted: Floats, process: float, observation: float, passes: int
) -> tuple[Floats, list[tuple[float, float]]]:
    """Lags and weights as one state, over which the points spread together."""
    p, n = len(lags), len(weights)

    def transition(states: Floats) -> Floats:
        lags, weights = states[:, :p], states[:, p:]
        return np.concatenate([_moved(lags, weights), weights], axis=1)

    noise = np.diag(np.concatenate([[process], np.zeros(p - 1), np.full(n, DRIFT)]))
    weight_covariance = FIRST_VARIANCE * np.eye(n)
    found: list[tuple[float, float]] = []
    for _ in range(passes):
        covariance = np.zeros((p + n, p + n))
        covariance[:p, :p], covariance[p:, p:] = process * np.eye(p), weight_covariance
        follower = SquareRootUnscentedKalmanFilter(
            transition,
            lambda states: states[:, :1],
            process_noise=noise,
            observation_noise=observation,
            initial_mean=np.concatenate([lags, weights]),
            initial_covariance=covariance,
            vectorized=True,
        )
        result = follower.filter(wanted)
        weights, weight_covariance = result.mean[-1, p:], result.covariance[-1, p:, p:]
        found += zip(result.forecast[:, 0], result.standard_error[:, 0], strict=True)
    return np.array(weights), found


def _dual(
    weights: Floats, lags: Floats, wanted: Floats, process: float, observation: float, passes: int
) -> tuple[Floats, list[tuple[float, float]]]:
    """The lags are filtered with the weights as they are, then the weights learn from the lags."""
    learner = _WeightFilter(weights, len(lags), process + observation)
    follower = SquareRootUnscentedKalmanFilter(
        lambda states: _moved(states, learner.mean[None]),
        lambda states: states[:, :1],
        process_noise=np.diag([process] + [0.0] * (len(lags) - 1)),
        observation_noise=observation,
        initial_mean=lags,
        initial_covariance=process * np.eye(len(lags)),
        vectorized=True,
    )
    found: list[tuple[float, float]] = []
    report = reporter(True, "dual estimation")
    for i in range(passes):
        step, mean, dispersion = follower._ready(1)
        for t, value in enumerate(wanted.tolist()):
            if t % REPORT_EVERY == 0:
                report((i + t / len(wanted)) / passes)
            before = mean[0]
            reached = _one_step(step, mean, dispersion, value)
            mean, dispersion = reached.mean, reached.dispersion
            found.append((reached.innovation.forecast.item(), abs(reached.innovation.root.item())))
            learner.learn(before, value)
    report(1.0)
    return learner.mean, found
