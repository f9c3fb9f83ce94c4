"""Rauch, Tung and Striebel's pass backwards over a filtered series."""

from __future__ import annotations

import numpy as np

from rocwise.arrays import Floats


def smoothed_backwards(
    mean: Floats,
    covariance: Floats,
    predicted_mean: Floats,
    predicted: Floats,
    cross_covariance: Floats,
) -> tuple[Floats, Floats]:
    """Means and covariances given the whole series.

    `cross_covariance[t]` is that of the state at t - 1 with the state at t, both before the
    observation at t. A singular prediction (no noise in some direction) takes its pseudo-inverse.
    """
    gains = cross_covariance @ np.linalg.pinv(predicted, hermitian=True)
    means, covariances = mean.copy(), covariance.copy()
    # what stays unknown even when the next state is known; a sum of squares in exact arithmetic
    remaining = covariance[:-1] - gains[1:] @ predicted[1:] @ gains[1:].swapaxes(-1, -2)
    for t in range(len(mean) - 2, -1, -1):
        gain = gains[t + 1]
        means[t] += gain @ (means[t + 1] - predicted_mean[t + 1])
        smoothed = remaining[t] + gain @ covariances[t + 1] @ gain.T
        covariances[t] = (smoothed + smoothed.T) / 2
    return means, covariances
