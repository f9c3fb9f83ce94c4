"""Errors of filters."""

import numpy as np
import pytest

from rocwise.errors import InputError
from rocwise.regression.filters import (
    CentralDifferenceKalmanFilter,
    ExtendedKalmanFilter,
    KalmanFilter,
    UnscentedKalmanFilter,
)
from unit.regression.filters.filter_cases import NOISES, NONLINEAR, SERIES, bent, newest

ONE_STATE = {"process_noise": 1, "initial_mean": 0, "initial_covariance": 1}


def build(kind=UnscentedKalmanFilter, **changes):
    return kind(bent, newest, **{**NOISES, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"process_noise": np.diag([0.1, -0.1])}, "`process_noise` must not have negative"),
        ({"process_noise": [[1, np.nan], [0, 1]]}, "`process_noise` must be finite"),
        ({"process_noise": 0.1}, r"`process_noise` must have the shape \(2, 2\).*np.eye\(2\)"),
        ({"process_noise": np.eye(3)}, r"`process_noise` must have the shape \(2, 2\); got"),
        ({"process_noise": [[1, 0.5], [0, 1]]}, "`process_noise` must be symmetric"),
        ({"observation_noise": 0.0}, "`observation_noise` must be positive definite"),
        ({"observation_noise": -1.0}, "`observation_noise` must be positive definite"),
        ({"observation_noise": np.inf}, "`observation_noise` must be finite"),
        ({"observation_noise": np.eye(2)}, r"`observation_noise` must have the shape \(1, 1\)"),
        ({"initial_mean": [0, np.nan]}, "`initial_mean` must be finite"),
        ({"initial_mean": [[0, 0]]}, "`initial_mean` must be a vector"),
        ({"initial_mean": "no"}, "`initial_mean` must contain numbers"),
        ({"initial_covariance": np.diag([1, 0])}, "`initial_covariance` must be positive definite"),
        ({"alpha": 0}, "`alpha` must be positive"),
        ({"alpha": np.nan}, "`alpha` must be a finite number"),
        ({"kappa": -2}, r"`kappa` must be above -2 with 2 states"),
        ({"noise": "other"}, "`noise` must be one of"),
    ],
)
def test_unusable_model(changes, message):
    with pytest.raises(InputError, match=message):
        build(**changes)


def test_step_below_one():
    with pytest.raises(InputError, match="`step` must be at least 1"):
        build(CentralDifferenceKalmanFilter, step=0.9)


@pytest.mark.parametrize("kind", NONLINEAR)
@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0.1, np.nan, 0.2], r"1 missing value \(first at row 1\).*missing='skip'"),
        ([0.1, 0.2, np.inf], "infinity in row 2"),
        ([], "`y` is empty"),
        ([[0.1, 0.2]], r"shape \(T,\) or \(T, 1\); got \(1, 2\)"),
        (["a"], "`y` must contain numbers"),
    ],
)
def test_unusable_series(kind, y, message):
    with pytest.raises(InputError, match=message):
        build(kind).filter(y)


def test_unknown_way_with_missing_values():
    with pytest.raises(InputError, match="`missing` must be one of 'raise', 'skip'"):
        build().filter(SERIES, missing="drop")


@pytest.mark.parametrize(
    ("transition", "observation", "message"),
    [
        (lambda x: x[:1], newest, r"`transition` must return an array of shape \(2,\)"),
        (bent, lambda x: np.ones((2, 2)), r"`observation` must return an array of shape \(d,\)"),
        (3, newest, "`transition` must be a function; got int"),
    ],
)
def test_functions_of_the_wrong_shape(transition, observation, message):
    with pytest.raises(InputError, match=message):
        UnscentedKalmanFilter(transition, observation, **NOISES)


def test_vectorized_functions_of_the_wrong_shape():
    with pytest.raises(InputError, match=r"`transition` must return an array of shape \(1, 2\)"):
        UnscentedKalmanFilter(lambda x: x[:, :1], lambda x: x, vectorized=True, **NOISES)


def test_jacobian_of_the_wrong_shape():
    model = build(ExtendedKalmanFilter, transition_jacobian=lambda x: np.eye(3))
    with pytest.raises(InputError, match=r"`transition_jacobian` must return .* \(2, 2\)"):
        model.filter(SERIES)


def test_matrices_of_the_wrong_shape():
    with pytest.raises(InputError, match=r"`transition` must have the shape \(2, 2\)"):
        KalmanFilter(np.eye(3), [[1, 0]], **NOISES)
    with pytest.raises(InputError, match=r"`observation` must have the shape \(d, 2\)"):
        KalmanFilter(np.eye(2), [[1, 0, 0]], **NOISES)
    with pytest.raises(InputError, match="`offset` must have 2 numbers"):
        KalmanFilter(np.eye(2), [[1, 0]], offset=[1, 2, 3], **NOISES)


@pytest.mark.parametrize("kind", NONLINEAR)
def test_a_model_that_explodes_is_named(kind):
    model = kind(
        lambda x: np.exp(np.minimum(x, 400.0) * 3.0) * np.where(x > 300, np.inf, 1.0),
        lambda x: x,
        process_noise=1.0,
        observation_noise=1.0,
        initial_mean=1.0,
        initial_covariance=1.0,
    )
    with pytest.raises(InputError, match="at row"), np.errstate(all="ignore"):
        model.filter(np.full(30, np.nan), missing="skip")


def test_noise_of_another_shape():
    with pytest.raises(InputError, match=r"`observation_noise` must keep its shape \(1, 1\)"):
        build().with_noise(np.eye(2), np.eye(2))


def test_forecast_from_the_result_of_another_filter():
    other = KalmanFilter(
        1, 1, process_noise=1, observation_noise=1, initial_mean=0, initial_covariance=1
    )
    with pytest.raises(InputError, match="has 1 states and the filter 2"):
        build().forecast(other.filter([1.0]), steps=1)
    with pytest.raises(InputError, match="`steps` must be an integer"):
        build().forecast(build().filter(SERIES), steps=0)


def test_covariance_that_grows_beyond_numbers_is_named():
    model = KalmanFilter(1e200, 1, **{**NOISES, **ONE_STATE})
    with pytest.raises(InputError, match="no longer finite at row"), np.errstate(all="ignore"):
        model.filter([np.nan] * 5, missing="skip")


@pytest.mark.parametrize("kind", NONLINEAR)
def test_forecast_that_grows_beyond_numbers_is_named(kind):
    model = kind(lambda x: 1e100 * x, lambda x: x, **{**NOISES, **ONE_STATE})
    found = model.filter([1.0])
    with pytest.raises(InputError, match="Use fewer steps"), np.errstate(all="ignore"):
        model.forecast(found, steps=9)


def test_first_covariance_without_a_root():
    almost = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-17]])
    with pytest.raises(InputError, match="`initial_covariance` must be positive definite"):
        build(initial_covariance=almost)
