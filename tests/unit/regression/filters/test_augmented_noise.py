"""Noise that the functions take as an argument."""

import numpy as np
import pytest

from rocwise.regression.filters import (
    CentralDifferenceKalmanFilter,
    ExtendedKalmanFilter,
    KalmanFilter,
    SquareRootCentralDifferenceKalmanFilter,
    SquareRootUnscentedKalmanFilter,
    UnscentedKalmanFilter,
)
from unit.regression.filters.filter_cases import (
    NOISES,
    NONLINEAR,
    SERIES,
    SIGMA_POINT,
    bent,
    newest,
    straight,
)


def adding(function):
    return lambda x, noise: np.asarray(function(x)) + noise


def both(kind, function):
    added = kind(function, newest, **NOISES).filter(SERIES)
    taken = kind(adding(function), adding(newest), noise="augmented", **NOISES).filter(SERIES)
    return added, taken


@pytest.mark.parametrize("kind", NONLINEAR)
def test_on_linear_models_it_is_the_kalman_filter(kind):
    added, taken = both(kind, straight)
    np.testing.assert_allclose(taken.forecast, added.forecast, atol=1e-9)
    np.testing.assert_allclose(taken.covariance, added.covariance, atol=1e-9)


@pytest.mark.parametrize(
    "kind",
    [ExtendedKalmanFilter, CentralDifferenceKalmanFilter, SquareRootCentralDifferenceKalmanFilter],
)
def test_where_noise_is_added_it_changes_nothing(kind):
    added, taken = both(kind, bent)
    np.testing.assert_allclose(taken.forecast, added.forecast, atol=1e-9)
    assert taken.log_likelihood == pytest.approx(added.log_likelihood, abs=1e-8)


def test_unscented_points_differ():
    for kind in (UnscentedKalmanFilter, SquareRootUnscentedKalmanFilter):
        added, taken = both(kind, bent)
        assert abs(taken.log_likelihood - added.log_likelihood) > 1e-3
    first, second = (
        both(UnscentedKalmanFilter, bent)[1],
        both(SquareRootUnscentedKalmanFilter, bent)[1],
    )
    np.testing.assert_allclose(first.covariance, second.covariance, atol=1e-12)


@pytest.mark.parametrize("kind", NONLINEAR)
def test_one_source_of_noise_for_two_states(kind):
    """x -> A x + G v with one v is a linear model with the singular noise G G' q."""
    A, G = np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([0.005, 0.1])
    common = {"observation_noise": 0.3, "initial_mean": [0, 1], "initial_covariance": np.eye(2)}
    taken = kind(
        lambda x, v: A @ x + G * v,
        lambda x, n: x[:1] + n,
        process_noise=2.0,
        noise="augmented",
        **common,
    )
    exact = KalmanFilter(A, [[1, 0]], process_noise=2.0 * np.outer(G, G), **common)
    np.testing.assert_allclose(taken.filter(SERIES).mean, exact.filter(SERIES).mean, atol=1e-8)


def test_noise_that_multiplies():
    """y = x (1 + n) with x ~ N(m, s²), n ~ N(0, r): the variance is s² + r m² + r s²."""
    m, s2, r = 2.0, 0.25, 0.04
    for kind in (CentralDifferenceKalmanFilter, SquareRootCentralDifferenceKalmanFilter):
        model = kind(
            lambda x, v: x + v,
            lambda x, n: x * (1 + n),
            process_noise=0.0,
            observation_noise=r,
            initial_mean=m,
            initial_covariance=s2,
            noise="augmented",
        )
        found = model.filter([2.1])
        assert found.forecast.item() == pytest.approx(m, abs=1e-12)
        # the product of the two deviations, r s², is of the fourth order and not seen
        assert found.forecast_covariance.item() == pytest.approx(s2 + r * m**2, abs=1e-12)


@pytest.mark.parametrize("kind", SIGMA_POINT)
def test_vectorized(kind):
    one = kind(adding(bent), adding(newest), noise="augmented", **NOISES).filter(SERIES)
    many = kind(
        lambda x, v: np.array(bent(x.T)).T + v,
        lambda x, n: x[:, :1] + n,
        noise="augmented",
        vectorized=True,
        **NOISES,
    ).filter(SERIES)
    np.testing.assert_allclose(one.mean, many.mean, atol=1e-13)
