"""Filters of many states take shortcuts, which must not be seen in their answers."""

import numpy as np
import pytest

from rocwise.regression import filters
from rocwise.regression.filters import steps
from rocwise.regression.filters import steps as square_roots

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
SIGMA_POINTS = [
    "UnscentedKalmanFilter",
    "CentralDifferenceKalmanFilter",
    "SquareRootUnscentedKalmanFilter",
    "SquareRootCentralDifferenceKalmanFilter",
]


@pytest.mark.parametrize("name", SIGMA_POINTS)
def test_all_filters_agree_on_a_linear_model(name):
    series = np.random.default_rng(1).normal(size=(12, 2))
    made = getattr(filters, name)(lambda x: MOVE @ x, lambda x: SHOW @ x, **MODEL)
    found = made.filter(series, progress=False)
    wanted = filters.KalmanFilter(MOVE, SHOW, **MODEL).filter(series, progress=False)
    np.testing.assert_allclose(found.mean, wanted.mean, atol=1e-9)
    np.testing.assert_allclose(found.covariance, wanted.covariance, atol=1e-9)
    assert found.log_likelihood == pytest.approx(wanted.log_likelihood, rel=1e-10)


@pytest.mark.parametrize("blocked", [True, False])
@pytest.mark.parametrize("height", [20, 64, 200])
def test_roots_of_wide_rows(monkeypatch, blocked, height):
    if not blocked:
        monkeypatch.setattr(square_roots, "_dgeqrt", None)  # as with an older scipy
    rows = np.random.default_rng(height).normal(size=(1, height, 64))
    root = square_roots.root_of_rows(rows)[0]
    assert not np.triu(root, 1).any()
    np.testing.assert_allclose(root @ root.T, rows[0].T @ rows[0], atol=1e-12)


@pytest.mark.parametrize("blocked", [True, False])
@pytest.mark.parametrize("height", [3, 200])
def test_roots_of_wide_rows_below_a_triangle(monkeypatch, blocked, height):
    if not blocked:
        monkeypatch.setattr(square_roots, "_dtpqrt", None)
    rng = np.random.default_rng(height)
    rows, triangle = rng.normal(size=(1, height, 64)), np.triu(rng.normal(size=(1, 64, 64)))
    root = square_roots.root_with_triangle(triangle, rows)[0]
    assert not np.triu(root, 1).any()
    wanted = triangle[0].T @ triangle[0] + rows[0].T @ rows[0]
    np.testing.assert_allclose(root @ root.T, wanted, atol=1e-12)


@pytest.mark.parametrize("noise", ["additive", "augmented"])
@pytest.mark.parametrize(
    ("name", "far"),
    [
        *((name, {}) for name in SIGMA_POINTS),
        *((name, {"alpha": 0.6}) for name in SIGMA_POINTS if "Unscented" in name),
        *((name, {"alpha": 0.01}) for name in SIGMA_POINTS if "Unscented" in name),
    ],
)
def test_pair_by_pair_or_by_one_product(monkeypatch, name, far, noise):
    """A bent model of three states, seen twice, with points that lie near or far."""

    def move(x, *more):
        return np.sin(x) + 0.2 * x[:, ::-1] ** 2 + sum(more)

    def show(x, *more):
        return np.stack([x[:, 0] * x[:, 1], np.exp(0.3 * x[:, 2])], axis=1) + sum(more)

    told = {"process_noise": 0.1, "observation_noise": 0.2, "initial_covariance": 0.3}
    sizes = {"process_noise": 3, "observation_noise": 2, "initial_covariance": 3}
    model = {argument: size * np.eye(sizes[argument]) for argument, size in told.items()}
    made = getattr(filters, name)(
        move, show, initial_mean=[0.1, 0.5, -0.3], noise=noise, vectorized=True, **model, **far
    )
    series = np.random.default_rng(3).normal(size=(6, 2))
    wanted = made.filter(series, progress=False)
    monkeypatch.setattr(steps, "FEWEST_BY_PAIRS", 1)
    found = made.filter(series, progress=False)
    np.testing.assert_allclose(found.mean, wanted.mean, rtol=1e-9)
    np.testing.assert_allclose(found.covariance, wanted.covariance, rtol=1e-9, atol=1e-12)
    assert found.log_likelihood == pytest.approx(wanted.log_likelihood, rel=1e-10)
