"""Autoregressions as transitions of a state: linear, and a small neural network.

The state is x = (z_k, ..., z_{k-p+1}), newest first; one step later it is
f(x) = (g(x), x_1, ..., x_{p-1}), and g is what is fitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError, shown
from rocwise.regression.filters import model_checks
from rocwise.regression.tanh_networks import trained_weights

__all__ = [
    "LinearAutoregression",
    "NeuralAutoregression",
    "fit_linear",
    "fit_neural",
    "lag_rows",
]

MOST_UNITS = 1_000


class Autoregression(Protocol):
    """What the filters need of a fitted g."""

    @property
    def order(self) -> int:
        """How many past values g looks at."""

    @property
    def residual_variance(self) -> float:
        """Mean square of what g left unexplained."""

    def predict(self, rows: Floats) -> Floats:
        """G for each row of lags (n, p)."""

    def gradient(self, rows: Floats) -> Floats:
        """Derivatives of g by the lags (n, p)."""


def lag_rows(series: Any, order: int) -> tuple[Floats, Floats]:
    """Rows of the `order` values before each value of a series, newest first, and that value.

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
        """How many past values g looks at."""
        return len(self.coefficients)

    def predict(self, rows: Floats) -> Floats:
        """G for each row of lags."""
        with np.errstate(over="ignore", invalid="ignore"):  # the filters refuse infinite states
            return np.asarray(self.intercept + rows @ self.coefficients)

    def gradient(self, rows: Floats) -> Floats:
        """Derivatives of g by the lags."""
        return np.broadcast_to(self.coefficients, rows.shape)


@dataclass(frozen=True, eq=False)
class NeuralAutoregression:
    """g(x) = output_bias + output_weights · tanh(input_weights x + input_bias).

    Both sides are standardised: x by `centre` and `scale`, and g is given back in their units.

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
        """How many past values g looks at."""
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
    """Least squares; where the rows leave it open, the shortest coefficients."""
    rows, target = checked_lags(rows, target)
    design = np.column_stack([np.ones(len(rows)), rows])
    found = np.asarray(np.linalg.lstsq(design, target)[0], dtype=np.float64)
    variance = variance_kept_off_zero(target - design @ found, target)
    return LinearAutoregression(float(found[0]), found[1:], variance)


def fit_neural(
    rows: Floats,
    target: Floats,
    *,
    hidden: int = 4,
    penalty: float = 1e-4,
    random_state: Any = 0,
) -> NeuralAutoregression:
    """A network with one layer of tanh units, by L-BFGS as scikit-learn's `MLPRegressor` does.

    Parameters
    ----------
    rows, target
        As made by `lag_rows`.
    hidden
        Number of units.
    penalty
        Weight decay (`alpha` of `MLPRegressor`), on standardised data.
    random_state
        Seed of the first weights.
    """
    rows, target = checked_lags(rows, target)
    centre, scale = standardisation(rows, target)
    first, last, bias, last_bias = trained_weights(
        (rows - centre) / scale,
        (target - centre) / scale,
        hidden=checks.whole(hidden, "hidden", at_most=MOST_UNITS),
        penalty=checks.not_negative(penalty, "penalty"),
        random_state=checked_seed(random_state),
    )
    weights = (first.T.copy(), bias, last[:, 0], float(last_bias[0]))
    model = NeuralAutoregression(*weights, centre, scale)
    variance = variance_kept_off_zero(target - model.predict(rows), target)
    return NeuralAutoregression(*weights, centre, scale, variance)


def checked_lags(rows: Any, target: Any) -> tuple[Floats, Floats]:
    """Rows of lags (n, p) and the n values after them, as `lag_rows` makes them."""
    table, values = model_checks.numbers(rows, "rows"), model_checks.numbers(target, "target")
    if table.ndim != 2 or not table.size:
        raise InputError(f"`rows` must have the shape (n, p); got the shape {table.shape}.")
    if values.shape != (len(table),):
        raise InputError(
            f"`target` must hold one value for each of the {len(table)} `rows`; got the shape "
            f"{values.shape}."
        )
    return table, values


def checked_seed(random_state: Any) -> Any:
    """None, a seed of scikit-learn or a RandomState."""
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return random_state
    return checks.whole(random_state, "random_state", at_least=0, at_most=2**32 - 1)


def standardisation(rows: Floats, target: Floats) -> tuple[float, float]:
    """Mean and standard deviation of all values; a constant series is not stretched."""
    values = np.concatenate([rows.ravel(), target])
    spread = float(values.std())
    return float(values.mean()), spread if spread > 0 else 1.0


def variance_kept_off_zero(residuals: Floats, target: Floats) -> float:
    """Residual variance, kept off zero so that a perfect fit still makes a filter."""
    floor = 1e-12 * max(float(np.mean(target**2)), 1e-12)
    return max(float(np.mean(residuals**2)), floor)
