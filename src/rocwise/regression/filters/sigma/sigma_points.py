"""The two rules that put points around a mean and read mean and covariance off their images.

A rule gives *deviation rows*: D with D'D the covariance of the image, and E with E'D its covariance
with what went in. Plain and square-root filters differ only in what they do with these rows. Points
come in pairs on either side of the mean. Rows are formed of the difference and of the sum of each
pair, so that E is the transposed root itself, and zero beside the sums.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwise import checks
from rocwise.arrays import Floats
from rocwise.errors import InputError


@dataclass(frozen=True)
class SigmaPointRule:
    """Where the 2n + 1 points of an n-dimensional state lie, and what their images say.

    Attributes
    ----------
    size : int
        n.
    distance : float
        The points are the mean, then the mean plus this times each row of the transposed root,
        then the mean less this.
    weight : float
        Share in the mean of the image of each point but the first.
    of_difference, of_sum : float
        What differences and sums of pairs of images are multiplied by in the rows.
    from_mean : bool
        Whether the sums count from the mean of the image, and not from the image of the mean.
    centre : float or None
        Weight of the square of the row of the first point, which may be negative; None: no row.
    """

    size: int
    distance: float
    weight: float
    of_difference: float
    of_sum: float
    from_mean: bool = False
    centre: float | None = None

    def points(self, mean: Floats, turned: Floats) -> Floats:
        """The points (batch, 2n + 1, n) around means (batch, L), entries after L being noise."""
        batch, n, width = turned.shape
        around = np.empty((batch, 2 * n + 1, width))
        around[:, 0] = 0.0
        np.multiply(turned, self.distance, out=around[:, 1 : n + 1])
        np.negative(around[:, 1 : n + 1], out=around[:, n + 1 :])
        around[:, :, : mean.shape[1]] += mean[:, None, :]
        return around

    def rows_of(self, images: Floats) -> tuple[Floats, Floats]:
        """Mean of the images (batch, 2n + 1, d) less the first of them, and their rows.

        The first image must have been subtracted from all. The row of a centre comes last.
        """
        batch, n, width = len(images), self.size, images.shape[2]
        above, below = images[:, 1 : n + 1], images[:, n + 1 :]
        # column by column in memory, as LAPACK takes it
        height = 2 * n + (self.centre is not None)
        rows: Floats = np.empty((batch, width, height)).transpose(0, 2, 1)
        sums = above + below
        shift = self.weight * sums.sum(axis=1)
        np.multiply(above - below, self.of_difference, out=rows[:, :n])
        if self.from_mean:
            sums -= 2.0 * shift[:, None]
        np.multiply(sums, self.of_sum, out=rows[:, n : 2 * n])
        if self.centre is not None:
            rows[:, -1] = math.sqrt(abs(self.centre)) * shift
        return shift, rows


def unscented_rule(size: int, alpha: float, beta: float, kappa: float) -> SigmaPointRule:
    """The scaled unscented transform: lambda = alpha² (size + kappa) - size."""
    spread = alpha * alpha * (size + kappa)  # size + lambda
    first = 1 - size / spread  # lambda / (size + lambda)
    half = (
        math.sqrt(1 / spread) / 2
    )  # of the root of the weight of a point, half for each of a pair
    return SigmaPointRule(
        size=size,
        distance=math.sqrt(spread),
        weight=1 / (2 * spread),
        of_difference=half,
        of_sum=half,
        from_mean=True,
        centre=first + 1 - alpha * alpha + beta,
    )


def central_difference_rule(size: int, step: float) -> SigmaPointRule:
    """Stirling's interpolation: first and second differences over `step` standard deviations."""
    squared = step * step
    return SigmaPointRule(
        size=size,
        distance=step,
        weight=1 / (2 * squared),
        of_difference=1 / (2 * step),  # sqrt(c1)
        of_sum=math.sqrt(squared - 1) / (2 * squared),  # sqrt(c2)
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
