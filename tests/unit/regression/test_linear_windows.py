from types import SimpleNamespace

import numpy as np
import pytest

from rocwise.errors import InputError
from rocwise.estimators import FilterRegressor
from rocwise.regression import forecasting
from rocwise.regression.forecasting import innovation_beyond, lag_rows


def rows(n=80):
    rng = np.random.default_rng(4)
    return lag_rows(np.sin(np.arange(n) / 3) + 0.2 * rng.normal(size=n), 3)


@pytest.mark.parametrize("kind", ["ekf", "ukf", "cdkf", "sr-ukf", "sr-cdkf"])
def test_windows_at_once_are_windows_filtered_one_by_one(monkeypatch, kind):
    X, y = rows()
    quick = FilterRegressor(kind).fit(X, y)
    forecast, deviation = quick.predict(X, return_std=True)
    monkeypatch.setattr(forecasting, "is_linear", lambda follower: False)
    slow = FilterRegressor(kind).fit(X, y)
    expected = slow.predict(X, return_std=True)
    np.testing.assert_allclose(forecast, expected[0], rtol=1e-10)
    np.testing.assert_allclose(deviation, expected[1], rtol=1e-10)
    assert quick.log_likelihood_ == pytest.approx(slow.log_likelihood_, rel=1e-11)


def test_networks_keep_a_covariance_for_each_window():
    X, y = rows(40)
    model = FilterRegressor("ekf", transition="mlp", hidden=2, random_state=0).fit(X, y)
    assert not forecasting.is_linear(model.filter_)
    assert len(set(model.predict(X, return_std=True)[1].round(9))) > 1


def test_a_covariance_that_rounding_used_up_is_refused_in_words():
    def broken(*_):
        raise np.linalg.LinAlgError("Matrix is not positive definite")

    step = SimpleNamespace(predict=broken)
    with pytest.raises(InputError, match="one step after the window"):
        innovation_beyond(step, np.zeros((1, 2)), np.eye(2)[None])
