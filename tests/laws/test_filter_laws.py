"""What must contain for every state-space model."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.gaussian_series import random_model
from rocwise.regression.filters import (
    CentralDifferenceKalmanFilter,
    ExtendedKalmanFilter,
    KalmanFilter,
    SquareRootCentralDifferenceKalmanFilter,
    SquareRootUnscentedKalmanFilter,
    UnscentedKalmanFilter,
)
from rocwise.regression.filters.steps import (
    downdated_or_rebuilt,
    positive_diagonal,
    root_of_rows,
)
from unit.regression.filters.filter_cases import NONLINEAR

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 3)
few = settings(max_examples=25)


def drawn(seed, L, d, n_times=6, **options):
    rng = np.random.default_rng(seed)
    return random_model(rng, L, d, **options), rng.normal(size=(n_times, d))


def kalman(model):
    return KalmanFilter(model.transition, model.observation, offset=model.offset, **model.noises())


def general(kind, model, **options):
    return kind(
        lambda x: x @ model.transition.T + model.offset,
        lambda x: x @ model.observation.T,
        vectorized=True,
        **model.noises(),
        **options,
    )


def close(first, second, atol):
    np.testing.assert_allclose(first, second, atol=atol, rtol=atol)


@few
@given(seeds, sizes, st.integers(1, 2))
def test_likelihood_and_states_are_those_of_the_joint_gaussian(seed, L, d):
    model, y = drawn(seed, L, d)
    found = kalman(model).filter(y)
    assert found.log_likelihood == pytest.approx(model.log_likelihood(y), abs=1e-8)
    states, covariance = model.states_given(y, len(y))
    close(found.mean[-1], states[-1], 1e-8)
    close(found.covariance[-1], covariance[-L:, -L:], 1e-8)
    before, _ = model.states_given(y, len(y) - 1)
    close(found.forecast[-1], model.observation @ before[-1], 1e-8)


@few
@given(seeds, sizes, st.integers(1, 2), st.integers(1, 3))
def test_all_filters_are_the_kalman_filter_on_linear_models(seed, L, d, rank):
    model, y = drawn(seed, L, d, rank=rank)
    exact = kalman(model).filter(y)
    for kind in NONLINEAR:
        found = general(kind, model).filter(y)
        # derivatives by differences cost the extended filter a few digits
        atol = 1e-7 if kind is ExtendedKalmanFilter else 1e-10
        close(found.forecast, exact.forecast, atol)
        close(found.covariance, exact.covariance, atol)
        assert found.log_likelihood == pytest.approx(exact.log_likelihood, abs=100 * atol)


@few
@given(seeds, sizes, st.floats(0.3, 1.5), st.floats(0, 3), st.floats(-0.9, 2))
def test_parameters_of_the_unscented_transform_do_not_matter_on_linear_models(
    seed, L, alpha, beta, kappa
):
    model, y = drawn(seed, L, 1)
    exact = kalman(model).filter(y)
    for kind in (UnscentedKalmanFilter, SquareRootUnscentedKalmanFilter):
        found = general(kind, model, alpha=alpha, beta=beta, kappa=kappa).filter(y)
        close(found.mean, exact.mean, 1e-8)
        close(found.covariance, exact.covariance, 1e-8)


@few
@given(seeds, sizes)
def test_smoothing_is_conditioning_on_everything(seed, L):
    model, y = drawn(seed, L, 1, n_times=5)
    states, covariance = model.states_given(y, len(y))
    blocks = [covariance[i * L : (i + 1) * L, i * L : (i + 1) * L] for i in range(len(y))]
    for smoother in (kalman(model), general(SquareRootUnscentedKalmanFilter, model)):
        found = smoother.smooth(y)
        close(found.mean, states, 1e-7)
        close(found.covariance, blocks, 1e-7)


@few
@given(seeds, sizes, st.integers(1, 4))
def test_forecasting_is_filtering_over_missing_values(seed, L, steps):
    model, y = drawn(seed, L, 2)
    unseen = np.concatenate([y, np.full((steps, 2), np.nan)])
    for kind in (ExtendedKalmanFilter, SquareRootCentralDifferenceKalmanFilter):
        follower = general(kind, model)
        ahead = follower.forecast(follower.filter(y), steps=steps)
        over = follower.filter(unseen, missing="skip")
        close(ahead.forecast, over.forecast[-steps:], 1e-10)
        close(ahead.forecast_covariance, over.forecast_covariance[-steps:], 1e-10)


@few
@given(seeds, st.integers(0, 5))
def test_half_seen_rows_are_conditioned_on_what_was_seen(seed, row):
    model, y = drawn(seed, 2, 2)
    y[row, 1] = np.nan
    mean, covariance = model.joint(len(y))
    keep = np.flatnonzero(~np.isnan(y.ravel())) + 2 * len(y)
    last = slice(2 * len(y) - 2, 2 * len(y))
    gain = np.linalg.solve(covariance[np.ix_(keep, keep)], covariance[keep, last]).T
    wanted = mean[last] + gain @ (y.ravel()[~np.isnan(y.ravel())] - mean[keep])
    for follower in [kalman(model)] + [general(kind, model) for kind in NONLINEAR]:
        found = follower.filter(y, missing="skip")
        close(found.mean[-1], wanted, 1e-7)
        close(found.covariance[-1], covariance[last, last] - gain @ covariance[keep, last], 1e-7)


def bent(x):
    return np.column_stack([np.tanh(x[:, 0]) - 0.4 * np.sin(x[:, 1]), 0.7 * x[:, 0] + 0.1])


def view(x):
    return np.column_stack([x[:, 0] + 0.1 * x[:, 1] ** 2, np.arctan(x[:, 1])])


@few
@given(seeds, st.sampled_from(NONLINEAR))
def test_order_and_units_of_the_observations_do_not_matter(seed, kind):
    model, y = drawn(seed, 2, 2)
    noises = model.noises()
    plain = kind(bent, view, vectorized=True, **noises).filter(y)
    turn = np.array([[0.0, 2.0], [-0.5, 0.0]])  # swapped and stretched
    noises["observation_noise"] = turn @ noises["observation_noise"] @ turn.T
    turned = kind(bent, lambda x: view(x) @ turn.T + 3.0, vectorized=True, **noises)
    other = turned.filter(y @ turn.T + 3.0)
    close(other.mean, plain.mean, 1e-7)
    close(other.covariance, plain.covariance, 1e-7)
    close(other.forecast, plain.forecast @ turn.T + 3.0, 1e-7)
    stretched = len(y) * np.log(abs(np.linalg.det(turn)))
    assert other.log_likelihood == pytest.approx(plain.log_likelihood - stretched, abs=1e-6)


@few
@given(seeds)
def test_square_root_forms_are_the_plain_forms_on_nonlinear_models(seed):
    model, y = drawn(seed, 2, 2, n_times=30)
    pairs = [
        (UnscentedKalmanFilter, SquareRootUnscentedKalmanFilter),
        (CentralDifferenceKalmanFilter, SquareRootCentralDifferenceKalmanFilter),
    ]
    for plain, root in pairs:
        first = plain(bent, view, vectorized=True, **model.noises()).filter(y)
        second = root(bent, view, vectorized=True, **model.noises()).filter(y)
        for name in ("forecast", "forecast_covariance", "mean", "covariance"):
            close(getattr(first, name), getattr(second, name), 1e-10)
        assert first.log_likelihood == pytest.approx(second.log_likelihood, abs=1e-9)
        factor = second.covariance_factor
        assert (np.einsum("tii->ti", factor) >= 0).all()
        assert (np.triu(factor, 1) == 0).all()
        close(factor @ factor.swapaxes(1, 2), second.covariance, 1e-14)


@given(seeds, st.integers(1, 5), st.integers(1, 7))
def test_triangular_roots(seed, n, m):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(1, m, n))
    root = positive_diagonal(root_of_rows(rows))[0]
    close(root @ root.T, rows[0].T @ rows[0], 1e-12)
    assert (np.diag(root) >= 0).all()
    assert (np.triu(root, 1) == 0).all()
    definite = np.concatenate([rows, np.eye(n)[None]], axis=1)
    vector = 0.7 * rng.normal(size=(1, 1, n))
    raised = root_of_rows(np.concatenate([definite, vector], axis=1))
    lowered = positive_diagonal(downdated_or_rebuilt(raised, vector.transpose(0, 2, 1)))
    close(lowered, positive_diagonal(root_of_rows(definite)), 1e-10)
