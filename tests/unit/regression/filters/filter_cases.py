"""The small series that the filters are tried on, and their names."""

import numpy as np

from rocwise.regression.filters import (
    CentralDifferenceKalmanFilter,
    ExtendedKalmanFilter,
    SquareRootCentralDifferenceKalmanFilter,
    SquareRootUnscentedKalmanFilter,
    UnscentedKalmanFilter,
)

SERIES = [0.3, -0.1, 0.4, 0.2, -0.3]
NOISES = {
    "process_noise": np.diag([0.05, 0.0]),
    "observation_noise": 0.02,
    "initial_mean": [0.0, 0.0],
    "initial_covariance": np.eye(2),
}
SIGMA_POINT = [
    UnscentedKalmanFilter,
    SquareRootUnscentedKalmanFilter,
    CentralDifferenceKalmanFilter,
    SquareRootCentralDifferenceKalmanFilter,
]
NONLINEAR = [ExtendedKalmanFilter, *SIGMA_POINT]


def straight(x):
    return [0.1 + 0.6 * x[0] - 0.3 * x[1], x[0]]


def bent(x):
    return [0.1 + 1.2 * np.tanh(x[0]) - 0.5 * np.sin(x[1]), x[0]]


def bent_jacobian(x):
    return [[1.2 / np.cosh(x[0]) ** 2, -0.5 * np.cos(x[1])], [1.0, 0.0]]


def newest(x):
    return x[0]


def newest_jacobian(x):
    return [[1.0, 0.0]]
