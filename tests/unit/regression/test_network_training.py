"""Networks whose weights a filter finds."""

import numpy as np
import pytest

from rocwise.errors import InputError
from rocwise.regression.forecasting import fit_linear, fit_neural, lag_rows, network_of
from rocwise.regression.network_training import (
    first_weights,
    fit_neural_by_filter,
    network_values,
    split_weights,
    train_network,
)


def bent_series(n=250, seed=0):
    """Each value is a bump of the one before it: a line explains next to nothing."""
    rng = np.random.default_rng(seed)
    values = [0.3]
    for _ in range(n):
        values.append(1 - 1.6 * values[-1] ** 2 + rng.normal(0, 0.02))
    return np.array(values)


def test_weights_have_the_order_of_the_network():
    weights = first_weights(3, 2, 0)
    rows = np.random.default_rng(1).normal(size=(5, 3))
    model = network_of(split_weights(weights, 3), rows, np.zeros(5), 0.0, 1.0)
    np.testing.assert_allclose(network_values(rows, weights[None]), model.predict(rows), atol=1e-13)
    many = np.tile(weights, (5, 1))
    np.testing.assert_allclose(network_values(rows[:1], many), np.full(5, model.predict(rows[:1])))


def test_weights_by_rows_come_near_those_of_the_library():
    rows, target = lag_rows(bent_series(), 1)
    line = fit_linear(rows, target).residual_variance
    by_filter = fit_neural_by_filter(rows, target, hidden=4, random_state=0)
    by_library = fit_neural(rows, target, hidden=4, random_state=0)
    assert by_filter.residual_variance < 0.05 * line
    assert by_filter.residual_variance < 20 * by_library.residual_variance
    again = fit_neural_by_filter(rows, target, hidden=4, random_state=0)
    np.testing.assert_array_equal(by_filter.input_weights, again.input_weights)


@pytest.mark.parametrize("method", ["joint", "dual"])
def test_network_learns_along_the_series(method):
    series = bent_series()
    found = train_network(series, order=1, hidden=4, method=method, random_state=0)
    np.testing.assert_array_equal(found.target, series[1:])
    errors = np.abs(found.forecast - found.target)
    null = np.abs(found.target - found.target.mean())
    assert errors[-100:].mean() < 0.5 * null[-100:].mean()
    assert errors[-100:].mean() < 0.7 * errors[:50].mean()
    assert f"{method} estimation, 1 pass;" in repr(found)
    assert found.to_dict()["method"] == method


@pytest.mark.parametrize("method", ["joint", "dual"])
def test_forecasts_do_not_see_what_they_forecast(method):
    series = bent_series(60)
    changed = series.copy()
    changed[40:] += 0.2
    options = {"order": 2, "hidden": 2, "method": method, "random_state": 1, "n_fit": 40}
    first = train_network(series, **options).forecast
    second = train_network(changed, **options).forecast
    np.testing.assert_allclose(first[:38], second[:38], rtol=1e-9)
    assert np.abs(first[40:] - second[40:]).max() > 0.01


def test_a_second_pass_starts_with_the_weights_of_the_first():
    once = train_network(bent_series(80), order=1, hidden=3, random_state=0)
    twice = train_network(bent_series(80), order=1, hidden=3, random_state=0, passes=2)
    assert "the last of 2 passes" in repr(twice)
    first = slice(0, 30)
    assert (
        np.abs(twice.forecast - twice.target)[first].mean()
        < np.abs(once.forecast - once.target)[first].mean()
    )


def test_errors():
    with pytest.raises(InputError, match="`method` must be one of 'joint', 'dual'"):
        train_network(bent_series(), method="other")
    with pytest.raises(InputError, match="at least 14 values"):
        train_network(np.arange(10.0))
    with pytest.raises(InputError, match="`hidden` must be an integer"):
        train_network(bent_series(), hidden=0)
