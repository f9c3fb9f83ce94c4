"""Weights of a network with one layer of tanh units, by L-BFGS.

The loss, the first weights and the stopping rule are those of scikit-learn's `MLPRegressor`; that
one warns whenever it stops early, as it does here on purpose, and silencing a warning for a while
silences those of other threads as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwise.arrays import Floats

MOST_ITERATIONS, MOST_EVALUATIONS = 500, 15_000
SMALL_GRADIENT = 1e-4

Weights = tuple[Floats, Floats, Floats, Floats]  # (p, h) of inputs, (h, 1) of units, biases


def trained_weights(
    rows: Floats, target: Floats, *, hidden: int, penalty: float, random_state: Any
) -> Weights:
    """Weights that minimise half the mean squared error plus weight decay.

    Parameters
    ----------
    rows, target
        Standardised inputs (n, p) and outputs (n,).
    hidden, penalty
        Number of units; weight of half the sum of squared weights, divided by n.
    random_state : None, int or RandomState
        Of the first weights.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 50)[:, None]
    >>> w = trained_weights(x, np.tanh(2 * x[:, 0]), hidden=1, penalty=0.0, random_state=0)
    >>> round(abs(float(w[0][0, 0])), 1)
    2.0
    """
    from scipy.optimize import minimize

    shapes = ((rows.shape[1], hidden), (hidden, 1), (hidden,), (1,))
    found = minimize(
        _loss_and_slope,
        _first_weights(rows.shape[1], hidden, random_state),
        args=(shapes, rows, target[:, None], penalty),
        jac=True,
        method="L-BFGS-B",
        options={"maxfun": MOST_EVALUATIONS, "maxiter": MOST_ITERATIONS, "gtol": SMALL_GRADIENT},
    )
    return _parts(found.x, shapes)


def _first_weights(n_inputs: int, hidden: int, random_state: Any) -> Floats:
    """Uniform within bounds that keep the spread of a layer (Glorot and Bengio, 2010)."""
    fixed = isinstance(random_state, np.random.RandomState)
    rng = random_state if fixed else np.random.RandomState(random_state)
    layers = []
    for fan_in, fan_out in ((n_inputs, hidden), (hidden, 1)):
        bound = np.sqrt(6.0 / (fan_in + fan_out))
        layers.append(
            (rng.uniform(-bound, bound, (fan_in, fan_out)), rng.uniform(-bound, bound, fan_out))
        )
    (first, first_bias), (last, last_bias) = layers
    return np.concatenate([first.ravel(), last.ravel(), first_bias, last_bias])


def _parts(packed: Floats, shapes: Any) -> Weights:
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    pieces = np.split(packed, ends[:-1])
    first, last, bias, last_bias = (p.reshape(s) for p, s in zip(pieces, shapes, strict=True))
    return first, last, bias, last_bias


def _loss_and_slope(
    packed: Floats, shapes: Any, rows: Floats, target: Floats, penalty: float
) -> tuple[float, Floats]:
    first, last, bias, last_bias = _parts(packed, shapes)
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
