"""An autoregression of order 2, worked out by hand-made references to ten digits."""

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
    bent,
    bent_jacobian,
    newest,
    newest_jacobian,
    straight,
)

UKF = ([0.1, 0.3512667171, -0.0566958746, 0.4183484341, 0.2585854971], -3.7779668972)
CDKF = ([0.1, 0.3377695721, -0.0571990553, 0.4178241871, 0.2586839678], -3.6160076958)
EKF = ([0.1, 0.3791069504, -0.0457033185, 0.4240252607, 0.2628268107], -4.2783721768)
SMALL_ALPHA = ([0.1, 0.3681777083, -0.0519839084, 0.4190649440, 0.2582405428], -4.0280758030)


def check_linear(found, atol=1e-10):
    forecast = [0.1, 0.2061538462, -0.0051437700, 0.2733040944, 0.1455158822]
    variance = [0.52, 0.0963076923, 0.0770706070, 0.0757971206, 0.0757779707]
    np.testing.assert_allclose(found.forecast[:, 0], forecast, atol=atol)
    np.testing.assert_allclose(found.forecast_covariance[:, 0, 0], variance, atol=atol)
    np.testing.assert_allclose(found.mean[-1], [-0.1824154624, 0.1712085277], atol=atol)
    assert found.log_likelihood == pytest.approx(-2.1713360701, abs=atol)


def test_kalman_filter():
    model = KalmanFilter([[0.6, -0.3], [1, 0]], [[1, 0]], offset=[0.1, 0], **NOISES)
    check_linear(model.filter(SERIES))


@pytest.mark.parametrize("kind", NONLINEAR)
@pytest.mark.parametrize("vectorized", [False, True])
def test_all_filters_agree_on_a_linear_transition(kind, vectorized):
    if vectorized:
        step, view = lambda x: np.array(straight(x.T)).T, lambda x: x[:, :1]
        model = kind(step, view, vectorized=True, **NOISES)
    else:
        model = kind(straight, newest, **NOISES)
    check_linear(model.filter(SERIES))


@pytest.mark.parametrize(
    ("kind", "options", "wanted"),
    [
        (ExtendedKalmanFilter, {}, EKF),
        (
            ExtendedKalmanFilter,
            {"transition_jacobian": bent_jacobian, "observation_jacobian": newest_jacobian},
            EKF,
        ),
        (UnscentedKalmanFilter, {}, UKF),
        (SquareRootUnscentedKalmanFilter, {}, UKF),
        (CentralDifferenceKalmanFilter, {}, CDKF),
        (SquareRootCentralDifferenceKalmanFilter, {}, CDKF),
        (UnscentedKalmanFilter, {"alpha": 0.5, "kappa": 1}, SMALL_ALPHA),
        (SquareRootUnscentedKalmanFilter, {"alpha": 0.5, "kappa": 1}, SMALL_ALPHA),
    ],
)
def test_nonlinear_transition(kind, options, wanted):
    found = kind(bent, newest, **NOISES, **options).filter(SERIES)
    forecast, log_likelihood = wanted
    np.testing.assert_allclose(found.forecast[:, 0], forecast, atol=1e-10)
    assert found.log_likelihood == pytest.approx(log_likelihood, abs=2e-10)


@pytest.mark.parametrize("many_states", [False, True])
def test_jacobians_of_one_state_or_of_many_serve_a_vectorized_model(many_states):
    def slopes(x):
        return np.array([bent_jacobian(row) for row in np.asarray(x).reshape(-1, 2)])

    model = ExtendedKalmanFilter(
        lambda x: np.array(bent(x.T)).T,
        lambda x: x[:, :1],
        vectorized=True,
        transition_jacobian=slopes if many_states else bent_jacobian,
        observation_jacobian=newest_jacobian,
        **NOISES,
    )
    found = model.filter(SERIES)
    np.testing.assert_allclose(found.forecast[:, 0], EKF[0], atol=1e-10)
    each = model.forecast(found, steps=2, every=True)
    plain = ExtendedKalmanFilter(bent, newest, **NOISES).forecast(found, steps=2, every=True)
    np.testing.assert_allclose(each.forecast, plain.forecast, atol=1e-12)
    np.testing.assert_allclose(each.covariance, plain.covariance, atol=1e-8)


def test_central_differences_are_exact_for_squares():
    """Mean and variance of x² for x ~ N(m, s²) are m² + s² and 4 m² s² + 2 s⁴."""
    m, s2 = 0.7, 0.3
    for kind in (CentralDifferenceKalmanFilter, SquareRootCentralDifferenceKalmanFilter):
        model = kind(
            lambda x: x**2,
            lambda x: x,
            process_noise=0.0,
            observation_noise=1e-9,
            initial_mean=m,
            initial_covariance=s2,
        )
        found = model.filter([np.nan], missing="skip")
        assert found.mean[0, 0] == pytest.approx(m**2 + s2, abs=1e-12)
        assert found.covariance[0, 0, 0] == pytest.approx(4 * m**2 * s2 + 2 * s2**2, abs=1e-12)
