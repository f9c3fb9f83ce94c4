"""Forecasts of several filters, combined by a regressor that learned on later data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from rocwise import checks
from rocwise.errors import InputError, shown
from rocwise.estimators.base.parameters import checked_model
from rocwise.estimators.filter_regressor import (
    TransitionName,
    fitted_filter,
    fitted_transition,
    refuse_few_rows,
)
from rocwise.estimators.model_tree import ModelTreeRegressor
from rocwise.regression.filters.base import StateSpaceFilter
from rocwise.regression.forecasting import KINDS, FilterKind, window_forecasts
from rocwise.regression.state_space_models import Autoregression

StackName = Literal["stack-1", "stack-2", "stack-3", "stack-4"]
STACKS: dict[StackName, tuple[FilterKind, ...]] = {
    "stack-1": ("ekf", "sr-cdkf"),
    "stack-2": ("ekf", "sr-ukf"),
    "stack-3": ("sr-cdkf", "sr-ukf"),
    "stack-4": ("ekf", "sr-ukf", "sr-cdkf"),
}
"""The four ensembles of de Pina and Zaverucha (2006), Table 2."""


class StackedFilterRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """One-step-ahead forecasts of several filters, combined by a second regressor.

    Rows are in time order; `X[t]` holds the p latest values known before `y[t]`, newest first.
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
        Share of the rows, the latest ones, kept for it.
    hidden, random_state
        As in `FilterRegressor`.

    Attributes
    ----------
    model_ : the autoregression that all filters share
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

    def __init__(
        self,
        filters: Sequence[FilterKind] | StackName = ("ekf", "sr-ukf", "sr-cdkf"),
        *,
        transition: TransitionName = "linear",
        final_estimator: Any = None,
        meta_fraction: float = 1 / 3,
        hidden: int = 4,
        random_state: Any = None,
    ) -> None:
        self.filters = filters
        self.transition = transition
        self.final_estimator = final_estimator
        self.meta_fraction = meta_fraction
        self.hidden = hidden
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> StackedFilterRegressor:
        """Fit the filters on the earlier rows, then the second regressor on the later ones."""
        names = _names(self.filters)
        share = checks.fraction(self.meta_fraction, "meta_fraction")
        X, y = validate_data(self, X, y, y_numeric=True, dtype=np.float64)
        y = np.asarray(y, dtype=np.float64)
        n_first = len(X) - max(1, round(share * len(X)))
        refuse_few_rows(X, n_first)
        first = X[:n_first]
        self.model_: Autoregression = fitted_transition(
            first, y[:n_first], self.transition, hidden=self.hidden, random_state=self.random_state
        )
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
        found = [window_forecasts(each, oldest_first)[0] for each in self.filters_.values()]
        return np.column_stack(found)

    def base_forecasts(self, X: Any) -> Any:
        """Forecasts of the single filters: one row per row of `X`, one column per filter."""
        check_is_fitted(self)
        return self._forecasts(validate_data(self, X, reset=False, dtype=np.float64))

    def predict(self, X: Any) -> Any:
        """Combined forecast of the value after each row; no row sees another."""
        forecasts = self.base_forecasts(X)
        return self.final_estimator_.predict(forecasts)


def _names(filters: Sequence[FilterKind] | StackName) -> tuple[FilterKind, ...]:
    if isinstance(filters, str):
        if filters in KINDS:
            raise InputError(f"`filters` must be a sequence of names; got {shown(filters)} alone.")
        checks.one_of(filters, "filters", tuple(STACKS))
        return STACKS[filters]
    names = tuple(checks.members(filters, "filters", "names"))
    all_text = all(isinstance(name, str) for name in names)
    if not names or not all_text or len(set(names)) < len(names):
        raise InputError(f"`filters` must name at least one filter, each once; got {shown(names)}.")
    for name in names:
        checks.one_of(name, "filters", tuple(KINDS))
    return names
