"""The likelihood of a linear model: both implementations against the joint normal density."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from rocwise.kernels import LinearModel, kalman


@pytest.fixture(params=["numpy", "compiled"], autouse=True)
def implementation(request, monkeypatch):
    if request.param == "compiled":
        monkeypatch.setattr(
            kalman, "_kalman", pytest.importorskip("rocwise.kernels.compiled._kalman")
        )
    else:
        monkeypatch.setattr(kalman, "_kalman", None)


def model(size=3, width=2, seed=0):
    rng = np.random.default_rng(seed)
    spread = rng.normal(size=(size, size))
    return LinearModel(
        0.5 * rng.normal(size=(size, size)),
        rng.normal(size=(width, size)),
        rng.normal(size=size),
        rng.normal(size=size),
        spread @ spread.T + np.eye(size),
    )


def noises(size=3, width=2, pairs=4, seed=1):
    rng = np.random.default_rng(seed)
    q, r = rng.normal(size=(pairs, size, size)), rng.normal(size=(pairs, width, width))
    return q @ q.transpose(0, 2, 1), r @ r.transpose(0, 2, 1) + 0.1 * np.eye(width)


def joint(told, Q, R, times):
    """Mean and covariance of all observations of a series, stacked."""
    A, H, offset, mean, cov = told
    means, blocks, cross = [], {}, {}
    for t in range(times):
        mean, cov = A @ mean + offset, A @ cov @ A.T + Q
        means.append(H @ mean)
        blocks[t, t], cross = H @ cov @ H.T + R, {s: A @ c for s, c in cross.items()}
        for s, c in cross.items():
            blocks[t, s] = H @ c @ H.T
            blocks[s, t] = blocks[t, s].T
        cross[t] = cov
    whole = np.block([[blocks[t, s] for s in range(times)] for t in range(times)])
    return np.concatenate(means), whole


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("width", [1, 2])
def test_likelihood_is_the_density_of_the_whole_series(width, gaps):
    told, (Q, R) = model(width=width), noises(width=width)
    rng = np.random.default_rng(3)
    observed, present = rng.normal(size=(6, width)), np.ones((6, width), bool)
    if gaps:
        present[2] = False
        present[4, 0] = False
    found = kalman.linear_log_likelihoods(told, observed, present, Q, R)
    flat = present.ravel()
    for value, q, r in zip(found, Q, R, strict=True):
        mean, cov = joint(told, q, r, 6)
        law = multivariate_normal(mean[flat], cov[np.ix_(flat, flat)])
        assert value == pytest.approx(law.logpdf(observed.ravel()[flat]), rel=1e-9)


def test_a_covariance_that_is_none_is_impossible():
    told, (Q, R) = model(width=1), noises(width=1, pairs=3)
    R[1] = -1e6
    found = kalman.linear_log_likelihoods(told, np.zeros((4, 1)), np.ones((4, 1), bool), Q, R)
    assert np.isneginf(found).tolist() == [False, True, False]


def test_shapes_are_checked():
    told, (Q, R) = model(), noises()
    with pytest.raises(ValueError, match="observed"):
        kalman.linear_log_likelihoods(told, np.zeros((4, 1)), np.ones((4, 1), bool), Q, R)
    with pytest.raises(ValueError, match="noises"):
        kalman.linear_log_likelihoods(told, np.zeros((4, 2)), np.ones((4, 2), bool), Q[:2], R)
