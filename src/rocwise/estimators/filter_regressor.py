"""One-step-ahead forecasts by a filter, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from rocwise import checks
from rocwise.errors import InputError
from rocwise.regression.filters.base import StateSpaceFilter
from rocwise.regression.filters.results import FilterResult
from rocwise.regression.forecasting import (
    KINDS,
    FilterKind,
    noise_grid,
    series_filter,
    window_forecasts,
    window_start,
)
from rocwise.regression.network_training import fit_neural_by_filter
from rocwise.regression.state_space_models import (
    MOST_UNITS,
    Autoregression,
    LinearAutoregression,
    checked_seed,
    fit_linear,
    fit_neural,
)

TransitionName = Literal["linear", "mlp", "mlp-filter"]
FAR_APART = 1e5  # variance known before to residual variance, from where rounding would be seen


class FilterRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Forecasts of the next value of a series by a filter over its latest values.

    Rows are in time order; `X[t]` holds the p latest values known before `y[t]`, newest first
    (`rocwise.regression.forecasting.lag_rows` makes them). `fit` learns how the series moves on
    and how noisy it is; `predict` filters each row on its own, oldest value first, and looks one
    step beyond it. So a forecast never uses another row.

    Parameters
    ----------
    filter : {"sr-ukf", "sr-cdkf", "ekf", "ukf", "cdkf"}
    transition : {"linear", "mlp", "mlp-filter"}
        A linear autoregression (all filters then agree), a network of `hidden` tanh units trained
        by scikit-learn, or the same network with its weights found by a filter.
    hidden : int
        Units of the network.
    random_state : int or None
        Seed of the first weights of the network.

    Attributes
    ----------
    model_ : LinearAutoregression or NeuralAutoregression
    filter_ : StateSpaceFilter
        With the process and observation noise of largest likelihood among a grid of twelve.
    log_likelihood_ : float

    Examples
    --------
    >>> from rocwise.regression.forecasting import lag_rows
    >>> series = np.sin(np.arange(60) / 3) + np.random.default_rng(0).normal(0, 0.1, 60)
    >>> X, y = lag_rows(series, 4)
    >>> FilterRegressor().fit(X[:40], y[:40]).predict(X[40:43]).round(2).tolist()
    [1.04, 0.63, 0.29]
    """

    def __init__(
        self,
        filter: FilterKind = "sr-ukf",
        *,
        transition: TransitionName = "linear",
        hidden: int = 4,
        random_state: Any = None,
    ) -> None:
        self.filter = filter
        self.transition = transition
        self.hidden = hidden
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> FilterRegressor:
        """Learn the autoregression and the noises."""
        checks.one_of(self.filter, "filter", tuple(KINDS))
        X, y = validate_data(self, X, y, y_numeric=True, dtype=np.float64)
        refuse_few_rows(X)
        y = np.asarray(y, dtype=np.float64)
        self.model_: Autoregression = fitted_transition(
            X, y, self.transition, hidden=self.hidden, random_state=self.random_state
        )
        self.filter_: StateSpaceFilter
        self.log_likelihood_: float
        self.filter_, self.log_likelihood_ = fitted_filter(self.model_, self.filter, X)
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Forecast of the value after each row; with its standard deviation if asked for."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        forecast, deviation, _ = window_forecasts(self.filter_, X[:, ::-1])
        return (forecast, deviation) if checks.flag(return_std, "return_std") else forecast

    def filter_series(
        self, series: Any, *, missing: Literal["raise", "skip"] = "raise"
    ) -> FilterResult:
        """Follow a whole series, each forecast from everything before it."""
        check_is_fitted(self)
        return self.filter_.filter(series, missing=missing)


def refuse_few_rows(X: np.ndarray, n_used: int | None = None) -> None:
    """A row per coefficient, and one more, is the least; `n_used`: how many rows teach a filter."""
    n, order = X.shape
    used = n if n_used is None else n_used
    if used < order + 2:
        samples = "1 sample" if n == 1 else f"{n} samples"
        share = "" if n_used is None else f", of which `meta_fraction` leaves the filters {used}"
        raise InputError(
            f"`X` has {samples}{share} to learn {order} lags from; at least {order + 2} are needed."
        )


def fitted_transition(
    X: np.ndarray, y: np.ndarray, transition: TransitionName, *, hidden: int, random_state: Any
) -> Autoregression:
    """The autoregression by its name."""
    checks.one_of(transition, "transition", get_args(TransitionName))
    checks.whole(hidden, "hidden", at_most=MOST_UNITS)
    checked_seed(random_state)
    if transition == "linear":
        return fit_linear(X, y)
    train = fit_neural if transition == "mlp" else fit_neural_by_filter
    return train(X, y, hidden=hidden, random_state=random_state)


def fitted_filter(
    model: Autoregression, kind: FilterKind, X: np.ndarray
) -> tuple[StateSpaceFilter, float]:
    """The filter of this kind with the noises of largest likelihood, and that likelihood."""
    variance = model.residual_variance
    mean, covariance = window_start(X, variance)

    def follower(kind: FilterKind) -> StateSpaceFilter:
        return series_filter(
            model,
            kind=kind,
            process_variance=variance,
            observation_variance=variance,
            initial_mean=mean,
            initial_covariance=covariance,
        )

    windows = X[:, ::-1]
    if isinstance(model, LinearAutoregression) and np.trace(covariance) < FAR_APART * variance:
        # All filters agree, and the extended one tries the noises five times as fast.
        try:
            quick, likelihood = noise_grid(follower("ekf"), windows, variance)
        except InputError:  # the model explodes, and only roots of covariances survive that
            return noise_grid(follower(kind), windows, variance)
        return follower(kind).with_noise(quick.process_noise, quick.observation_noise), likelihood
    return noise_grid(follower(kind), windows, variance)
