"""Forecasts by several filters, combined."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from rocwise.errors import InputError
from rocwise.estimators import FilterRegressor, ModelTreeRegressor, StackedFilterRegressor
from rocwise.estimators.forecasters import STACKS
from rocwise.regression.forecasting import lag_rows


def rows(n=130, order=3, seed=0):
    rng = np.random.default_rng(seed)
    values = [0.1, 0.3]
    for _ in range(n):
        values.append(0.1 + 1.4 * np.tanh(values[-1]) - 0.9 * np.sin(values[-2]))
    return lag_rows(np.array(values) + rng.normal(0, 0.15, n + 2), order)


@parametrize_with_checks([StackedFilterRegressor()])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


def test_base_forecasts_are_those_of_the_single_filters():
    X, y = rows()
    stack = StackedFilterRegressor(transition="mlp", random_state=0).fit(X[:90], y[:90])
    found = stack.base_forecasts(X[90:])
    assert stack.n_first_rows_ == 60
    for column, name in zip(found.T, ("ekf", "sr-ukf", "sr-cdkf"), strict=True):
        alone = FilterRegressor(name, transition="mlp", random_state=0).fit(X[:60], y[:60])
        np.testing.assert_allclose(column, alone.predict(X[90:]), atol=1e-12)
    assert np.abs(found[:, 0] - found[:, 1]).max() > 1e-6


def test_with_a_linear_transition_all_filters_coincide():
    X, y = rows()
    found = StackedFilterRegressor().fit(X[:90], y[:90]).base_forecasts(X[90:])
    np.testing.assert_allclose(found[:, 1:], found[:, :1] * np.ones(2), atol=1e-8)


def test_second_regressor_learns_from_later_rows_only():
    X, y = rows()
    stack = StackedFilterRegressor(final_estimator=LinearRegression()).fit(X[:90], y[:90])
    again = LinearRegression().fit(stack.base_forecasts(X[60:90]), y[60:90])
    np.testing.assert_allclose(
        stack.predict(X[90:]), again.predict(stack.base_forecasts(X[90:])), atol=1e-10
    )
    changed = y.copy()
    changed[60:] += 5.0  # what the filters learn does not change, what the second one learns does
    other = StackedFilterRegressor(final_estimator=LinearRegression()).fit(X[:90], changed[:90])
    np.testing.assert_allclose(other.base_forecasts(X), stack.base_forecasts(X), atol=1e-12)
    np.testing.assert_allclose(other.predict(X), stack.predict(X) + 5.0, atol=1e-8)


def test_the_model_tree_is_the_default():
    X, y = rows()
    stack = StackedFilterRegressor("stack-3").fit(X[:90], y[:90])
    assert isinstance(stack.final_estimator_, ModelTreeRegressor)
    assert stack.final_estimator is None


def test_a_row_is_forecast_on_its_own():
    X, y = rows()
    stack = StackedFilterRegressor(transition="mlp", random_state=0).fit(X[:90], y[:90])
    together = stack.predict(X[90:])
    np.testing.assert_allclose(stack.predict(X[90:95]), together[:5], atol=1e-10)
    later = X.copy()
    later[100:] = 77.0
    np.testing.assert_allclose(stack.predict(later[90:])[:10], together[:10], atol=1e-10)


@pytest.mark.parametrize("name", STACKS)
def test_published_ensembles_by_name(name):
    X, y = rows()
    by_name = StackedFilterRegressor(name).fit(X, y)
    by_list = StackedFilterRegressor(STACKS[name]).fit(X, y)
    assert tuple(by_name.filters_) == STACKS[name]
    np.testing.assert_array_equal(by_name.predict(X), by_list.predict(X))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"filters": "stack-5"}, "`filters` must be one of 'stack-1'"),
        ({"filters": ("ekf", "kf")}, "`filters` must be one of 'ekf'"),
        ({"filters": "ekf"}, "`filters` must be a sequence of names; got 'ekf' alone"),
        ({"filters": None}, "`filters` must be a list of names; got None"),
        ({"filters": ()}, "`filters` must name at least one filter"),
        ({"filters": ("ekf", "ekf")}, "each once"),
        ({"meta_fraction": 1.0}, "`meta_fraction` must lie strictly between 0 and 1"),
        ({"transition": "cubic"}, "`transition` must be one of"),
    ],
)
def test_unusable_options(options, message):
    X, y = rows()
    with pytest.raises(InputError, match=message):
        StackedFilterRegressor(**options).fit(X, y)
