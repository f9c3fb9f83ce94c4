"""Filters of many states."""

import numpy as np
import pytest

from rocwise.regression import filters
from rocwise.regression.filters.steps import root_of_rows
from unit.regression.filters.filter_cases import SIGMA_POINT

SIZE = 60
RNG = np.random.default_rng(0)
MOVE = 0.9 * np.eye(SIZE) + 0.05 * np.eye(SIZE, k=1)
SHOW = RNG.normal(size=(2, SIZE))
MODEL = {
    "process_noise": np.cov(RNG.normal(size=(SIZE, 200))),
    "observation_noise": 0.5 * np.eye(2),
    "initial_mean": RNG.normal(size=SIZE),
    "initial_covariance": np.eye(SIZE),
}


@pytest.mark.parametrize("kind", SIGMA_POINT)
def test_all_filters_agree_on_a_linear_model(kind):
    series = np.random.default_rng(1).normal(size=(12, 2))
    made = kind(lambda x: MOVE @ x, lambda x: SHOW @ x, **MODEL)
    found = made.filter(series, progress=False)
    wanted = filters.KalmanFilter(MOVE, SHOW, **MODEL).filter(series, progress=False)
    np.testing.assert_allclose(found.mean, wanted.mean, atol=1e-9)
    np.testing.assert_allclose(found.covariance, wanted.covariance, atol=1e-9)
    assert found.log_likelihood == pytest.approx(wanted.log_likelihood, rel=1e-10)


@pytest.mark.parametrize("height", [20, 64, 200])
def test_roots_of_wide_rows(height):
    rows = np.random.default_rng(height).normal(size=(1, height, 64))
    root = root_of_rows(rows)[0]
    assert not np.triu(root, 1).any()
    np.testing.assert_allclose(root @ root.T, rows[0].T @ rows[0], atol=1e-12)
