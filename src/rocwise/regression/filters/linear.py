"""The Kalman filter of linear models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwise import kernels
from rocwise.arrays import Floats
from rocwise.errors import InputError
from rocwise.regression.filters import model_checks
from rocwise.regression.filters.base import StateSpaceFilter
from rocwise.regression.filters.model_functions import ModelFunction
from rocwise.regression.filters.steps import FilterStep, LinearisedStep


class KalmanFilter(StateSpaceFilter):
    """Exact filter of x -> A x + offset + v, y = H x + n with Gaussian noises.

    Parameters
    ----------
    transition : array_like (L, L)
        The matrix A.
    observation : array_like (d, L)
        The matrix H.
    process_noise, observation_noise : array_like (L, L), (d, d)
        Covariances Q of v and R of n. Numbers are allowed where the size is 1, here and below.
    initial_mean, initial_covariance : array_like (L,), (L, L)
        The state one step before the first observation.
    offset : array_like (L,), optional

    References
    ----------
    R. E. Kalman (1960), A new approach to linear filtering and prediction problems.

    Examples
    --------
    >>> level = KalmanFilter(1.0, 1.0, process_noise=0.1, observation_noise=0.5,
    ...                      initial_mean=0.0, initial_covariance=10.0)
    >>> found = level.filter([1.1, 0.9, 1.4, 1.2])
    >>> found
    Kalman: 4 times, 1 state; forecasts off by 0.4319 on average, log likelihood -4.8937
    >>> level.forecast(found, steps=2).forecast.round(3).tolist()
    [[1.17], [1.17]]
    """

    name = "Kalman"

    def __init__(
        self,
        transition: Any,
        observation: Any,
        *,
        process_noise: Any,
        observation_noise: Any,
        initial_mean: Any,
        initial_covariance: Any,
        offset: Any = None,
    ) -> None:
        size = len(model_checks.state(initial_mean))
        matrix = model_checks.matrix(transition, "transition", (size, size))
        view = model_checks.matrix(observation, "observation", (None, size))
        shift = np.zeros(size) if offset is None else model_checks.state(offset, "offset")
        if len(shift) != size:
            raise InputError(f"`offset` must have {size} numbers, one per state; got {len(shift)}.")
        self._matrices = matrix, view, shift
        super().__init__(
            _linear_function(matrix, shift, "transition"),
            _linear_function(view, np.zeros(len(view)), "observation"),
            process_noise=process_noise,
            observation_noise=observation_noise,
            initial_mean=initial_mean,
            initial_covariance=initial_covariance,
        )

    def _step(self, batch: int, process: Floats, observation: Floats) -> FilterStep:
        return LinearisedStep(
            self._transition, self._observation, process, observation, self.augmented
        )

    def _linear_model(self) -> kernels.LinearModel:
        return kernels.LinearModel(*self._matrices, self.initial_mean, self.initial_covariance)


@dataclass(frozen=True, eq=False)
class _Linear:
    matrix: Floats
    shift: Floats

    def __call__(self, states: Floats) -> Floats:
        return np.asarray(states @ self.matrix.T + self.shift)

    def jacobian(self, states: Floats) -> Floats:
        return np.broadcast_to(self.matrix, (len(states), *self.matrix.shape))


def _linear_function(matrix: Floats, shift: Floats, argument: str) -> ModelFunction:
    linear = _Linear(matrix, shift)
    return ModelFunction(
        linear, argument, width=len(matrix), vectorized=True, jacobian=linear.jacobian
    )
