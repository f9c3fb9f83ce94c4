"""The two rules that put points around a mean and read mean and covariance off their images.

A rule gives *deviation rows*: D with D'D the covariance of the image, and E with E'D its covariance
with what went in. Plain and square-root filters differ only in what they do with these rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError


@dataclass(frozen=True, eq=False)
class SigmaPointRule:
    """Where the k points of an n-dimensional state lie, and what their images Z (k, .) say.

    Attributes
    ----------
    offsets : ndarray (k, n)
        The points are the mean plus these times the transposed root.
    mean_weights : ndarray (k,)
        Their product with Z is the mean of the image.
    row_weights : ndarray (m, k)
        Their product with Z is D.
    input_weights : ndarray (m, n)
        Their product with the transposed root is E.
    removed_weights : ndarray (1, k) or None
        Their product with Z is a row whose square is subtracted from D'D; only a negative weight
        of the centre makes one.
    """

    offsets: Floats
    mean_weights: Floats
    row_weights: Floats
    input_weights: Floats
    removed_weights: Floats | None = None


def _offsets(size: int, distance: float) -> Floats:
    return distance * np.concatenate([np.zeros((1, size)), np.eye(size), -np.eye(size)])


def unscented_rule(size: int, alpha: float, beta: float, kappa: float) -> SigmaPointRule:
    """The scaled unscented transform: lambda = alpha² (size + kappa) - size."""
    spread = alpha * alpha * (size + kappa)  # size + lambda
    outer = 1 / (2 * spread)
    mean_weights = np.full(2 * size + 1, outer)
    mean_weights[0] = 1 - size / spread  # lambda / (size + lambda)
    centre = mean_weights[0] + 1 - alpha * alpha + beta
    from_mean = np.eye(2 * size + 1) - mean_weights  # Z to its deviations from the mean
    rows = math.sqrt(outer) * from_mean[1:]
    centre_row = math.sqrt(abs(centre)) * from_mean[:1]
    half = math.sqrt(0.5) * np.eye(size)  # sqrt(outer) times the distance of the points
    inputs = np.concatenate([half, -half])
    negative = centre < 0
    return SigmaPointRule(
        offsets=_offsets(size, math.sqrt(spread)),
        mean_weights=mean_weights,
        row_weights=rows if negative else np.concatenate([rows, centre_row]),
        input_weights=inputs if negative else np.concatenate([inputs, np.zeros((1, size))]),
        removed_weights=centre_row if negative else None,
    )


def central_difference_rule(size: int, step: float) -> SigmaPointRule:
    """Stirling's interpolation: first and second differences over `step` standard deviations."""
    squared, identity = step * step, np.eye(size)
    mean_weights = np.full(2 * size + 1, 1 / (2 * squared))
    mean_weights[0] = (squared - size) / squared
    first = np.concatenate([np.zeros((size, 1)), identity, -identity], axis=1)
    second = np.concatenate([np.full((size, 1), -2.0), identity, identity], axis=1)
    # sqrt(c1) = 1 / (2 h) and sqrt(c2) = sqrt(h² - 1) / (2 h²)
    rows = [first / (2 * step), second * (math.sqrt(squared - 1) / (2 * squared))]
    return SigmaPointRule(
        offsets=_offsets(size, step),
        mean_weights=mean_weights,
        row_weights=np.concatenate(rows),
        input_weights=np.concatenate([identity, np.zeros((size, size))]),
    )


def checked_unscented(
    alpha: float, beta: float, kappa: float, size: int
) -> tuple[float, float, float]:
    """The three parameters, or an error that says which of them cannot be used."""
    alpha, beta = checks.real(alpha, "alpha"), checks.real(beta, "beta")
    kappa = checks.real(kappa, "kappa")
    if alpha <= 0:
        raise InputError(f"`alpha` must be positive; got {alpha:g}.")
    alpha = checks.within(alpha, "alpha", 1e-100, 1e100)  # its square is a divisor
    if size + kappa <= 0:
        raise InputError(
            f"`kappa` must be above -{size} with {size} states, so that L + lambda > 0; "
            f"got {kappa:g}."
        )
    return alpha, beta, kappa


def checked_step(step: float) -> float:
    """The step of the central differences, at least 1."""
    number = checks.real(step, "step")
    if number < 1:
        raise InputError(
            f"`step` must be at least 1 (sqrt(3) fits Gaussian states); got {number:g}."
        )
    return number
