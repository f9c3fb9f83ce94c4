"""One-step forecasts of a chaotic series by filters and by their stacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import LinearRegression

from rocwise.estimators import ModelTreeRegressor, StackedFilterRegressor
from rocwise.regression.forecasting import lag_rows, scaled_differences

ORDER = 6
STACKS = {  # de Pina and Zaverucha (2006), Table 2
    "stack-1": ("ekf", "sr-cdkf"),
    "stack-2": ("ekf", "sr-ukf"),
    "stack-3": ("sr-cdkf", "sr-ukf"),
    "stack-4": ("ekf", "sr-ukf", "sr-cdkf"),
}
Series = NDArray[np.float64]


def mackey_glass(noise: float, n: int = 400, delay: float = 30.0, every: int = 6) -> Series:
    """Mackey-Glass series with noise, whose SD is this fraction of the SD of the series."""
    step = 0.1
    lag, skip = round(delay / step), round(every / step)
    x = np.full((n + 100) * skip + lag, 1.2)
    for t in range(lag, len(x) - 1):
        past = x[t - lag]
        x[t + 1] = x[t] + step * (0.2 * past / (1 + past**10) - 0.1 * x[t])
    values = x[lag::skip][100 : 100 + n]
    return np.asarray(values + np.random.default_rng(0).normal(0, noise * values.std(), n))


def lags_of(series: Series) -> tuple[Series, Series, int]:
    """Lags and values of the scaled differences, and where the last quarter begins."""
    values = scaled_differences(series, (len(series) - 1) // 2)[0]
    X, y = lag_rows(values, ORDER)
    return X, y, len(y) - len(values) // 4


def forecasts(
    series: Series, seed: int, filters: str | tuple[Any, ...] = "stack-4"
) -> tuple[Series, dict[str, Series]]:
    """The last quarter of the scaled differences, and one-step forecasts of it by name.

    The first half fits the filters, the third quarter what combines them.
    """
    X, y, cut = lags_of(series)
    stack = StackedFilterRegressor(filters, transition="mlp", random_state=seed)
    stack.fit(X[:cut], y[:cut])
    base, first, names = stack.base_forecasts(X), stack.n_first_rows_, list(stack.filters_)

    def combined(members: Sequence[str], regressor: Any) -> Series:
        columns = [names.index(each) for each in members]
        fitted = clone(regressor).fit(base[first:cut, columns], y[first:cut])
        return np.asarray(fitted.predict(base[cut:, columns]))

    found = {
        "null": np.full(len(y) - cut, y[:cut].mean()),
        "network": stack.model_.predict(X[cut:]),
    }
    found |= {name: base[cut:, names.index(name)] for name in names}
    found |= {name: combined(each, ModelTreeRegressor()) for name, each in STACKS.items()}
    return y[cut:], found | {"linear stack": combined(names, LinearRegression())}
