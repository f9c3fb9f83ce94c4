"""Where rounding uses up a covariance: plain filters break, square-root filters do not."""

import warnings

import numpy as np
import pytest

from rocwise.errors import InputError
from rocwise.regression.filters import (
    CentralDifferenceKalmanFilter,
    LostDefinitenessWarning,
    SquareRootCentralDifferenceKalmanFilter,
    SquareRootUnscentedKalmanFilter,
    UnscentedKalmanFilter,
)
from rocwise.regression.filters.steps import downdated_or_rebuilt

TIMES = np.arange(30.0)
PRECISE = 1e-12  # variance of the observations
VAGUE = 1e7  # variance of the first state


def straight_line(kind):
    """Level and slope of a line, about which nothing is known and which is then seen precisely."""
    A = np.array([[1.0, 1.0], [0.0, 1.0]])
    return kind(
        lambda x: x @ A.T,
        lambda x: x[:, :1],
        process_noise=np.zeros((2, 2)),
        observation_noise=PRECISE,
        initial_mean=[0, 0],
        initial_covariance=VAGUE * np.eye(2),
        vectorized=True,
    )


@pytest.mark.parametrize("kind", [UnscentedKalmanFilter, CentralDifferenceKalmanFilter])
def test_plain_filters_lose_definiteness(kind):
    with pytest.raises(InputError, match=r"no longer positive definite at row [12].*square-root"):
        straight_line(kind).filter(1 + 2 * TIMES)


@pytest.mark.parametrize(
    "kind", [SquareRootUnscentedKalmanFilter, SquareRootCentralDifferenceKalmanFilter]
)
def test_square_root_filters_stay_definite_and_right(kind):
    found = straight_line(kind).filter(1 + 2 * TIMES)
    assert np.linalg.eigvalsh(found.covariance).min() > 0
    assert np.linalg.cond(found.covariance[0]) > 1e17  # what no covariance matrix could hold
    # least squares of a line on 30 points, read at the last one
    design = np.column_stack([np.ones(30), TIMES - TIMES[-1]])
    exact = PRECISE * np.linalg.inv(design.T @ design)
    np.testing.assert_allclose(found.covariance[-1], exact, rtol=1e-6)
    np.testing.assert_allclose(found.mean[-1], [59, 2], rtol=1e-12)


def with_negative_weight(kind):
    """The centre has the weight -1, and x -> x² turns that into a negative variance."""
    return kind(
        lambda x: x**2,
        lambda x: x,
        process_noise=0.0,
        observation_noise=0.1,
        initial_mean=0.0,
        initial_covariance=1.0,
        alpha=1.0,
        beta=0.0,
        kappa=-0.5,
    )


def test_failed_downdate_is_rebuilt_with_a_warning():
    with pytest.raises(InputError, match="no longer positive definite at row 0"):
        with_negative_weight(UnscentedKalmanFilter).filter([1.0])
    with pytest.warns(LostDefinitenessWarning, match="rebuilt"):
        found = with_negative_weight(SquareRootUnscentedKalmanFilter).filter([1.0])
    assert found.covariance.item() > 0
    assert np.isfinite(found.log_likelihood)


def test_no_warning_where_nothing_fails():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        straight_line(SquareRootUnscentedKalmanFilter).filter(1 + 2 * TIMES)


def test_downdate_of_a_root_with_an_empty_direction():
    root = np.array([[[0.0, 0.0], [0.0, 2.0]]])
    lowered = downdated_or_rebuilt(root, np.array([[[0.0], [1.0]]]))[0]
    np.testing.assert_allclose(lowered @ lowered.T, np.diag([0.0, 3.0]), atol=1e-14)
