"""Regressors: model trees, naive Bayes, and forecasts of filters, alone or combined."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, count_of, shown
from rocwise.estimators.base import checked_model
from rocwise.regression import forecasting
from rocwise.regression.filters.kalman import StateSpaceFilter
from rocwise.regression.filters.results import FilterResult
from rocwise.regression.model_trees import Node, grow
from rocwise.regression.network_training import fit_neural_by_filter


@dataclass(eq=False, repr=False, kw_only=True)
class ModelTreeRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A tree with a linear model at each leaf, like M5'.

    Splits lower the standard deviation of the target most; at every node a linear model loses
    coefficients as long as its estimated error, MAE (n + v) / (n - v) with v coefficients, falls;
    a node is cut back to a leaf where its own model does no worse than its children.

    Parameters
    ----------
    min_samples_leaf : int
        Fewest cases on each side of a split.
    smoothing : float
        A prediction is drawn towards the models above its leaf: p becomes
        (n p + smoothing q) / (n + smoothing) for the n cases below a node with the model q.
        0 for none.
    prune : bool
        Whether to cut back.

    Attributes
    ----------
    tree_ : Node
        The root.

    References
    ----------
    Y. Wang and I. H. Witten (1997), Inducing model trees for continuous classes.

    Examples
    --------
    >>> X = np.arange(10.0)[:, None]
    >>> y = np.array([0, 1, 2, 3, 4, 10, 9, 8, 7, 6])
    >>> ModelTreeRegressor(smoothing=0).fit(X, y).predict([[2.5], [7.5]]).round(6).tolist()
    [2.5, 7.5]
    """

    min_samples_leaf: int = 2
    smoothing: float = 15.0
    prune: bool = True

    def fit(self, X: Any, y: Any) -> "ModelTreeRegressor":
        """Grow the tree."""
        fewest = checks.whole(self.min_samples_leaf, "min_samples_leaf")
        checks.within(checks.not_negative(self.smoothing, "smoothing"), "smoothing", 0, 1e100)
        prune = checks.flag(self.prune, "prune")
        X, y = validate_data(self, X, y, y_numeric=True, dtype=np.float64)
        self.tree_: Node = grow(X, np.asarray(y, float), min_samples_leaf=fewest, prune=prune)
        return self

    def predict(self, X: Any) -> Any:
        """One value per row."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return self.tree_.predict(X, float(self.smoothing))

    def get_n_leaves(self) -> int:
        """How many leaves the tree has."""
        check_is_fitted(self)
        return len(self.tree_.leaves())


@dataclass(eq=False, repr=False, kw_only=True)
class NaiveBayesRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes for regression: the density of the target by kernel density estimates.

    p(y | x) is proportional to p(y) and to every p(x_j | y). Kernels are Gaussian with Silverman's
    bandwidths, on a grid of 200 values from the smallest to the largest target.

    Parameters
    ----------
    statistic : {"median", "mean"}
        Statistic of p(y | x) that is predicted, for small absolute or squared errors.

    References
    ----------
    E. Frank, L. Trigg, G. Holmes and I. H. Witten (2000), Naive Bayes for regression.

    Examples
    --------
    >>> x = np.linspace(0, 10, 200)
    >>> NaiveBayesRegressor().fit(x[:, None], x**2).predict([[5.0], [8.0]]).round(1).tolist()
    [26.3, 62.9]
    """

    statistic: Literal["median", "mean"] = "median"

    def fit(self, X: Any, y: Any) -> "NaiveBayesRegressor":
        """Keep the rows, in bandwidths, and the kernels of the target at the grid."""
        checks.one_of(self.statistic, "statistic", ("median", "mean"))
        X, y = validate_data(self, X, y, y_numeric=True, dtype=np.float64)
        self.bandwidths_: Floats = _bandwidths(X)
        self._rows = X / self.bandwidths_
        self.grid_: Floats = np.linspace(np.min(y), np.max(y), GRID)
        width = _bandwidths(np.asarray(y, float)[:, None])
        self._kernels = np.exp(-(((self.grid_[:, None] - y) / width) ** 2) / 2)
        return self

    def predict(self, X: Any) -> Any:
        """One value per row."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64) / self.bandwidths_
        tiny = np.finfo(float).tiny
        prior = np.log(np.maximum(self._kernels.sum(axis=1), tiny))
        logs = np.tile(prior, (len(X), 1))
        for new, old in zip(X.T, self._rows.T, strict=True):
            powers = (new[:, None] - old) ** 2 / 2
            powers -= powers.min(axis=1, keepdims=True)  # the same factor for every target
            joint = np.exp(-powers) @ self._kernels.T
            logs += np.log(np.maximum(joint, tiny)) - prior
        masses = np.exp(logs - logs.max(axis=1, keepdims=True))
        masses /= masses.sum(axis=1, keepdims=True)
        if self.statistic == "mean":
            return masses @ self.grid_
        below = np.cumsum(masses, axis=1) - masses / 2
        return np.array([np.interp(0.5, own, self.grid_) for own in below])


GRID = 200


def _bandwidths(X: Floats) -> Floats:
    """Silverman's rule; 1 for columns without variation."""
    if len(X) < 2:
        return np.ones(X.shape[1])
    size = np.abs(X).max(axis=0)
    size[size == 0] = 1.0
    sd = (X / size).std(axis=0, ddof=1) * size
    return np.where(sd > 0, 1.06 * sd * len(X) ** -0.2, 1.0)


TransitionName = Literal["linear", "mlp", "mlp-filter"]
VAGUE_PRIOR = 1e5  # prior to residual variance, from where rounding would be visible


@dataclass(eq=False, repr=False)
class FilterRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Forecasts of the next value of a series by a filter over its latest values.

    Rows are in time order; `X[t]` contains the p latest values known before `y[t]`, newest first
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

    filter: forecasting.FilterKind = "sr-ukf"
    _: KW_ONLY
    transition: TransitionName = "linear"
    hidden: int = 4
    random_state: Any = None

    def fit(self, X: Any, y: Any) -> "FilterRegressor":
        """Learn the autoregression and the noises."""
        checks.one_of(self.filter, "filter", tuple(forecasting.KINDS))
        X, y = validate_data(self, X, y, y_numeric=True, dtype=np.float64)
        check_n_rows(X)
        y = np.asarray(y, dtype=np.float64)
        self.model_: forecasting.Autoregression = fitted_transition(self, X, y)
        self.filter_: StateSpaceFilter
        self.log_likelihood_: float
        self.filter_, self.log_likelihood_ = fitted_filter(self.model_, self.filter, X)
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Forecast of the value after each row; with its standard deviation if requested."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        forecast, deviation = forecasting.window_forecasts(self.filter_, X[:, ::-1])
        return (forecast, deviation) if checks.flag(return_std, "return_std") else forecast

    def filter_series(
        self, series: Any, *, missing: Literal["raise", "skip"] = "raise"
    ) -> FilterResult:
        """Follow a whole series, each forecast from everything before it."""
        check_is_fitted(self)
        return self.filter_.filter(series, missing=missing)


def check_n_rows(X: np.ndarray, n_used: int | None = None) -> None:
    """A row per coefficient, and one more, is the least; `n_used`: rows to fit a filter."""
    n, order = X.shape
    used = n if n_used is None else n_used
    if used < order + 2:
        more = "" if n_used is None else f", of which `meta_fraction` leaves the filters {used}"
        raise InputError(
            f"`X` has {count_of(n, 'sample')}{more} to learn {order} lags from; at least "
            f"{order + 2} are needed."
        )


def fitted_transition(
    model: "FilterRegressor | StackedFilterRegressor", X: np.ndarray, y: np.ndarray
) -> forecasting.Autoregression:
    """The autoregression that a model names."""
    checks.one_of(model.transition, "transition", get_args(TransitionName))
    checks.whole(model.hidden, "hidden", at_most=forecasting.MOST_UNITS)
    checks.random_state(model.random_state)
    if model.transition == "linear":
        return forecasting.fit_linear(X, y)
    train = forecasting.fit_neural if model.transition == "mlp" else fit_neural_by_filter
    return train(X, y, hidden=model.hidden, random_state=model.random_state)


def fitted_filter(
    model: forecasting.Autoregression, kind: forecasting.FilterKind, X: np.ndarray
) -> tuple[StateSpaceFilter, float]:
    """The filter of this kind with the noises of largest likelihood, and that likelihood."""
    variance = model.residual_variance
    mean, covariance = forecasting.window_start(X, variance)

    follower = partial(
        forecasting.series_filter,
        model,
        process_variance=variance,
        observation_variance=variance,
        initial_mean=mean,
        initial_covariance=covariance,
    )
    windows, wanted = X[:, ::-1], follower(kind=kind)
    linear = isinstance(model, forecasting.LinearAutoregression)
    if linear and np.trace(covariance) < VAGUE_PRIOR * variance:
        # All filters agree, and the extended one tries the noises five times as fast; where the
        # model explodes it raises, and only roots of covariances survive that.
        with suppress(InputError):
            quick, likelihood = forecasting.noise_grid(follower(kind="ekf"), windows, variance)
            return wanted.with_noise(quick.process_noise, quick.observation_noise), likelihood
    return forecasting.noise_grid(wanted, windows, variance)


StackName = Literal["stack-1", "stack-2", "stack-3", "stack-4"]
STACKS: dict[StackName, tuple[forecasting.FilterKind, ...]] = {
    "stack-1": ("ekf", "sr-cdkf"),
    "stack-2": ("ekf", "sr-ukf"),
    "stack-3": ("sr-cdkf", "sr-ukf"),
    "stack-4": ("ekf", "sr-ukf", "sr-cdkf"),
}
"""The four ensembles of de Pina and Zaverucha (2006), Table 2."""


@dataclass(eq=False, repr=False)
class StackedFilterRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """One-step-ahead forecasts of several filters, combined by a second regressor.

    Rows are in time order; `X[t]` contains the p latest values known before `y[t]`, newest first.
    The first rows teach the filters, the last `meta_fraction` of them teach the second regressor,
    which so sees only forecasts of values that the filters were not fitted on.

    Parameters
    ----------
    filters : sequence of str, or "stack-1" to "stack-4"
        Names as in `FilterRegressor`, or an ensemble of de Pina and Zaverucha.
    transition : {"linear", "mlp", "mlp-filter"}
        As in `FilterRegressor`; with "linear" all filters agree, and stacking them adds nothing.
    final_estimator : regressor, optional
        What combines the forecasts; a `ModelTreeRegressor` by default.
    meta_fraction : float
        Proportion of the rows, the latest ones, kept for it.
    hidden : int
        Units of the network, as in `FilterRegressor`.
    random_state : int or None
        Seed of the first weights of the network.

    Attributes
    ----------
    model_ : the autoregression of all filters
    filters_ : dict of name to filter
    final_estimator_ : the fitted second regressor

    References
    ----------
    A. C. de Pina and G. Zaverucha (2006), Applying REC analysis to ensembles of sigma-point Kalman
    filters, ROCML workshop.

    Examples
    --------
    >>> from rocwise.regression.forecasting import lag_rows
    >>> series = np.sin(np.arange(90) / 3) + np.random.default_rng(0).normal(0, 0.1, 90)
    >>> X, y = lag_rows(series, 4)
    >>> stack = StackedFilterRegressor("stack-2", transition="mlp", random_state=0)
    >>> stack.fit(X[:70], y[:70]).base_forecasts(X[70:]).shape
    (16, 2)
    """

    filters: Sequence[forecasting.FilterKind] | StackName = ("ekf", "sr-ukf", "sr-cdkf")
    _: KW_ONLY
    transition: TransitionName = "linear"
    final_estimator: Any = None
    meta_fraction: float = 1 / 3
    hidden: int = 4
    random_state: Any = None

    def fit(self, X: Any, y: Any) -> "StackedFilterRegressor":
        """Fit the filters on the earlier rows, then the second regressor on the later ones."""
        names = _names(self.filters)
        fraction = checks.fraction(self.meta_fraction, "meta_fraction")
        X, y = validate_data(self, X, y, y_numeric=True, dtype=np.float64)
        y = np.asarray(y, dtype=np.float64)
        n_first = len(X) - max(1, round(fraction * len(X)))
        check_n_rows(X, n_first)
        first = X[:n_first]
        self.model_: forecasting.Autoregression = fitted_transition(self, first, y[:n_first])
        self.filters_: dict[str, StateSpaceFilter] = {
            name: fitted_filter(self.model_, name, first)[0] for name in names
        }
        self.n_first_rows_ = n_first
        final = ModelTreeRegressor() if self.final_estimator is None else self.final_estimator
        final = clone(checked_model(final, "final_estimator"))
        self.final_estimator_: Any = final.fit(self._forecasts(X[n_first:]), y[n_first:])
        return self

    def _forecasts(self, X: np.ndarray) -> np.ndarray:
        oldest_first = X[:, ::-1]
        found = [
            forecasting.window_forecasts(each, oldest_first)[0] for each in self.filters_.values()
        ]
        return np.column_stack(found)

    def base_forecasts(self, X: Any) -> Any:
        """Forecasts of the single filters: one row per row of `X`, one column per filter."""
        check_is_fitted(self)
        return self._forecasts(validate_data(self, X, reset=False, dtype=np.float64))

    def predict(self, X: Any) -> Any:
        """Combined forecast of the value after each row; no row sees another."""
        forecasts = self.base_forecasts(X)
        return self.final_estimator_.predict(forecasts)


def _names(
    filters: Sequence[forecasting.FilterKind] | StackName,
) -> tuple[forecasting.FilterKind, ...]:
    if isinstance(filters, str):
        if filters in forecasting.KINDS:
            raise InputError(f"`filters` must be a sequence of names; got {shown(filters)} alone.")
        checks.one_of(filters, "filters", tuple(STACKS))
        return STACKS[filters]
    names = tuple(checks.members(filters, "filters", "names"))
    all_text = all(isinstance(name, str) for name in names)
    if not names or not all_text or len(set(names)) < len(names):
        raise InputError(f"`filters` must name at least one filter, each once; got {shown(names)}.")
    for name in names:
        checks.one_of(name, "filters", tuple(forecasting.KINDS))
    return names
