"""The unscented Kalman filters, plain and in square-root form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rocwise.regression.filters.model_checks import NoiseForm
from rocwise.regression.filters.sigma.sigma_filter import SigmaPointFilter
from rocwise.regression.filters.sigma.sigma_points import (
    SigmaPointRule,
    checked_unscented,
    unscented_rule,
)


class UnscentedKalmanFilter(SigmaPointFilter):
    """Filter of x -> f(x) + v, y = h(x) + n by the unscented transform.

    Parameters
    ----------
    transition, observation, process_noise, observation_noise, initial_mean, initial_covariance
        As in `ExtendedKalmanFilter`; no derivatives are needed.
    alpha, beta, kappa : float
        With lambda = alpha² (L + kappa) - L, the points lie sqrt(L + lambda) standard deviations
        away. The defaults give no negative weight.
    noise : {"additive", "augmented"}
        "augmented": the functions take the noise as a second argument, f(x, v) and h(x, n), and
        the points spread over it too, so that L counts its dimensions.
    vectorized : bool
        Whether the functions take (k, L) and return (k, L), (k, d).

    Notes
    -----
    The points are drawn anew around the prediction before the observation is forecast.

    References
    ----------
    S. J. Julier and J. K. Uhlmann (2004), Unscented filtering and nonlinear estimation.

    Examples
    --------
    >>> import numpy as np
    >>> growth = UnscentedKalmanFilter(
    ...     lambda x: x + 0.5 * x * (1 - x), lambda x: x,
    ...     process_noise=0.001, observation_noise=0.02, initial_mean=0.1, initial_covariance=0.01)
    >>> growth.filter([0.2, 0.17, 0.3, 0.35]).forecast[:, 0].round(3).tolist()
    [0.14, 0.236, 0.28, 0.388]
    """

    name = "unscented Kalman"

    def __init__(
        self,
        transition: Callable[..., Any],
        observation: Callable[..., Any],
        *,
        process_noise: Any,
        observation_noise: Any,
        initial_mean: Any,
        initial_covariance: Any,
        alpha: float = 1.0,
        beta: float = 2.0,
        kappa: float = 0.0,
        noise: NoiseForm = "additive",
        vectorized: bool = False,
    ) -> None:
        super().__init__(
            transition,
            observation,
            process_noise=process_noise,
            observation_noise=observation_noise,
            initial_mean=initial_mean,
            initial_covariance=initial_covariance,
            noise=noise,
            vectorized=vectorized,
        )
        self.alpha: float
        self.beta: float
        self.kappa: float
        self.alpha, self.beta, self.kappa = checked_unscented(alpha, beta, kappa, self.n_states)

    def _rule(self, size: int) -> SigmaPointRule:
        return unscented_rule(size, self.alpha, self.beta, self.kappa)


class SquareRootUnscentedKalmanFilter(UnscentedKalmanFilter):
    """The unscented Kalman filter that carries a triangular root of the covariance.

    The answers are those of `UnscentedKalmanFilter`; the covariance cannot lose its definiteness
    to rounding. Arguments are the same.

    References
    ----------
    R. van der Merwe and E. A. Wan (2001), The square-root unscented Kalman filter for state and
    parameter-estimation.

    Examples
    --------
    >>> growth = SquareRootUnscentedKalmanFilter(
    ...     lambda x: x + 0.5 * x * (1 - x), lambda x: x,
    ...     process_noise=0.001, observation_noise=0.02, initial_mean=0.1, initial_covariance=0.01)
    >>> growth.filter([0.2, 0.17, 0.3, 0.35]).forecast[:, 0].round(3).tolist()
    [0.14, 0.236, 0.28, 0.388]
    """

    name = "square-root unscented Kalman"
    _carries_root = True
