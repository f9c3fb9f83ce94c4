"""The extended Kalman filter: nonlinear functions, replaced by their tangents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rocwise.arrays import Floats
from rocwise.regression.filters.base import FunctionFilter
from rocwise.regression.filters.model_checks import NoiseForm
from rocwise.regression.filters.steps import FilterStep, LinearisedStep


class ExtendedKalmanFilter(FunctionFilter):
    """Kalman filter of x -> f(x) + v, y = h(x) + n on the tangents of f and h.

    Parameters
    ----------
    transition, observation : callable
        f, from x (L,) to (L,); h, from x (L,) to (d,).
    process_noise, observation_noise, initial_mean, initial_covariance
        As in `KalmanFilter`.
    transition_jacobian, observation_jacobian : callable, optional
        From x to (L, L) and (d, L); central differences without them.
    noise : {"additive", "augmented"}
        "augmented": the functions take the noise as a second argument, f(x, v) and h(x, n), and
        do with it what they like; `process_noise` is (q, q) for v (q,), and Jacobians are
        (L, L + q) and (d, L + r).
    vectorized : bool
        Whether the functions take (k, L) and return (k, L), (k, d); Jacobians may take either
        (k, L), returning (k, ., .), or one state x (L,).

    References
    ----------
    A. H. Jazwinski (1970), Stochastic Processes and Filtering Theory.

    Examples
    --------
    >>> import numpy as np
    >>> pendulum = ExtendedKalmanFilter(
    ...     lambda x: [x[0] + 0.1 * x[1], x[1] - 0.981 * np.sin(x[0])], lambda x: [np.sin(x[0])],
    ...     process_noise=0.001 * np.eye(2), observation_noise=0.1,
    ...     initial_mean=[1.0, 0.0], initial_covariance=np.eye(2))
    >>> pendulum.filter([0.9, 0.7, 0.6, 0.2]).forecast[:, 0].round(3).tolist()
    [0.841, 0.839, 0.659, 0.427]
    """

    name = "extended Kalman"

    def __init__(
        self,
        transition: Callable[..., Any],
        observation: Callable[..., Any],
        *,
        process_noise: Any,
        observation_noise: Any,
        initial_mean: Any,
        initial_covariance: Any,
        transition_jacobian: Callable[..., Any] | None = None,
        observation_jacobian: Callable[..., Any] | None = None,
        noise: NoiseForm = "additive",
        vectorized: bool = False,
    ) -> None:
        super().__init__(
            transition,
            observation,
            vectorized=vectorized,
            jacobians=(transition_jacobian, observation_jacobian),
            process_noise=process_noise,
            observation_noise=observation_noise,
            initial_mean=initial_mean,
            initial_covariance=initial_covariance,
            noise=noise,
        )

    def _step(self, batch: int, process: Floats, observation: Floats) -> FilterStep:
        return LinearisedStep(
            self._transition, self._observation, process, observation, self.augmented
        )
