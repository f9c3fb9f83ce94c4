"""The central-difference Kalman filters, plain and in square-root form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rocwise.regression.filters.model_checks import NoiseForm
from rocwise.regression.filters.sigma.sigma_filter import SigmaPointFilter
from rocwise.regression.filters.sigma.sigma_points import (
    SigmaPointRule,
    central_difference_rule,
    checked_step,
)


class CentralDifferenceKalmanFilter(SigmaPointFilter):
    """Filter of x -> f(x) + v, y = h(x) + n by Stirling's interpolation.

    Parameters
    ----------
    transition, observation, process_noise, observation_noise, initial_mean, initial_covariance
        As in `ExtendedKalmanFilter`; no derivatives are needed.
    step : float
        How many standard deviations away the points lie; sqrt(3) fits Gaussian states.
    noise : {"additive", "augmented"}
        "augmented": the functions take the noise as a second argument, f(x, v) and h(x, n), and
        the points spread over it too. Where the noise is only added, both give the same.
    vectorized : bool
        Whether the functions take (k, L) and return (k, L), (k, d).

    References
    ----------
    M. Nørgaard, N. K. Poulsen and O. Ravn (2000), New developments in state estimation for
    nonlinear systems.

    Examples
    --------
    >>> growth = CentralDifferenceKalmanFilter(
    ...     lambda x: x + 0.5 * x * (1 - x), lambda x: x,
    ...     process_noise=0.001, observation_noise=0.02, initial_mean=0.1, initial_covariance=0.01)
    >>> growth.filter([0.2, 0.17, 0.3, 0.35]).forecast[:, 0].round(3).tolist()
    [0.14, 0.236, 0.28, 0.388]
    """

    name = "central-difference Kalman"

    def __init__(
        self,
        transition: Callable[..., Any],
        observation: Callable[..., Any],
        *,
        process_noise: Any,
        observation_noise: Any,
        initial_mean: Any,
        initial_covariance: Any,
        step: float = 3**0.5,
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
        self.step: float = checked_step(step)

    def _rule(self, size: int) -> SigmaPointRule:
        return central_difference_rule(size, self.step)


class SquareRootCentralDifferenceKalmanFilter(CentralDifferenceKalmanFilter):
    """The central-difference Kalman filter that carries a triangular root of the covariance.

    The answers are those of `CentralDifferenceKalmanFilter`; the covariance cannot lose its
    definiteness to rounding, as nothing is ever subtracted. Arguments are the same.

    References
    ----------
    R. van der Merwe (2004), Sigma-Point Kalman Filters for Probabilistic Inference in Dynamic
    State-Space Models.

    Examples
    --------
    >>> growth = SquareRootCentralDifferenceKalmanFilter(
    ...     lambda x: x + 0.5 * x * (1 - x), lambda x: x,
    ...     process_noise=0.001, observation_noise=0.02, initial_mean=0.1, initial_covariance=0.01)
    >>> growth.filter([0.2, 0.17, 0.3, 0.35]).forecast[:, 0].round(3).tolist()
    [0.14, 0.236, 0.28, 0.388]
    """

    name = "square-root central-difference Kalman"
    _carries_root = True
