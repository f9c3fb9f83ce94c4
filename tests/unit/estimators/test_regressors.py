"""Forecasts by filters, their combination, and the model tree."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from rocwise.errors import InputError
from rocwise.estimators import (
    FilterRegressor,
    ModelTreeRegressor,
    NaiveBayesRegressor,
    StackedFilterRegressor,
)
from rocwise.estimators.regressors import STACKS
from rocwise.regression.forecasting import KINDS, lag_rows, noise_grid


def noisy_swing(n=160, noise=0.3, seed=0):
    rng = np.random.default_rng(seed)
    return np.sin(np.arange(n) / 2.5) + rng.normal(0, noise, n)


def test_all_filters_agree_on_a_linear_transition():
    X, y = lag_rows(noisy_swing(), 4)
    found = [
        FilterRegressor(name).fit(X[:100], y[:100]).predict(X[100:])
        for name in ("ekf", "ukf", "cdkf", "sr-ukf", "sr-cdkf")
    ]
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], atol=1e-8)


@pytest.mark.parametrize("kind", ["sr-ukf", "cdkf"])
@pytest.mark.parametrize("noise", [0.3, 1e-4])
def test_noises_are_the_most_likely_ones_of_the_filter_itself(kind, noise):
    """Whichever filter tried them: on a linear model all have the same likelihood."""
    X, y = lag_rows(noisy_swing(noise=noise), 4)
    found = FilterRegressor(kind).fit(X, y)
    variance = found.model_.residual_variance
    best, likelihood = noise_grid(found.filter_, X[:, ::-1], variance)
    assert type(found.filter_) is type(best) is KINDS[kind]
    np.testing.assert_array_equal(found.filter_.process_noise, best.process_noise)
    np.testing.assert_array_equal(found.filter_.observation_noise, best.observation_noise)
    assert found.log_likelihood_ == pytest.approx(likelihood, rel=1e-9)


def test_without_noise_the_forecast_is_the_autoregression():
    values = [0.2, 0.5]
    for _ in range(60):
        values.append(0.1 + 1.5 * values[-1] - 0.9 * values[-2])
    X, y = lag_rows(values, 2)
    model = FilterRegressor().fit(X[:40], y[:40])
    np.testing.assert_allclose(model.predict(X[40:]), y[40:], atol=1e-5)


def test_a_row_is_forecast_on_its_own():
    X, y = lag_rows(noisy_swing(), 3)
    model = FilterRegressor("sr-cdkf", transition="mlp", random_state=0).fit(X[:100], y[:100])
    together = model.predict(X[100:])
    np.testing.assert_allclose([model.predict(X[[t]])[0] for t in range(100, 110)], together[:10])
    np.testing.assert_allclose(model.predict(X[:99:-1]), together[::-1], atol=1e-12)


def test_standard_deviations_are_those_of_the_errors():
    X, y = lag_rows(noisy_swing(600), 4)
    model = FilterRegressor().fit(X[:400], y[:400])
    forecast, deviation = model.predict(X[400:], return_std=True)
    assert 0.8 < np.std((y[400:] - forecast) / deviation) < 1.25


def test_following_a_whole_series():
    series = noisy_swing()
    X, y = lag_rows(series, 4)
    model = FilterRegressor().fit(X[:100], y[:100])
    found = model.filter_series(series)
    assert found.forecast.shape == (160, 1)
    gap = series.copy()
    gap[50] = np.nan
    with pytest.raises(InputError, match="1 missing value"):
        model.filter_series(gap)
    assert model.filter_series(gap, missing="skip").n_missing == 1


@pytest.mark.parametrize("transition", ["mlp", "mlp-filter"])
def test_networks_are_repeatable_and_follow_a_bent_series(transition):
    values = [0.3]
    rng = np.random.default_rng(0)
    for _ in range(150):
        values.append(1 - 1.6 * values[-1] ** 2 + rng.normal(0, 0.02))
    X, y = lag_rows(values, 1)

    def forecasts(kind):
        model = FilterRegressor("sr-ukf", transition=kind, random_state=0)
        return model.fit(X[:100], y[:100]).predict(X[100:])

    first = forecasts(transition)
    np.testing.assert_array_equal(first, forecasts(transition))
    assert np.abs(first - y[100:]).mean() < 0.5 * np.abs(forecasts("linear") - y[100:]).mean()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"filter": "kf"}, "`filter` must be one of 'ekf'"),
        ({"transition": "cubic"}, "`transition` must be one of 'linear', 'mlp'"),
        ({"transition": "mlp", "hidden": 0}, "`hidden` must be an integer"),
    ],
)
def test_unusable_options(options, message):
    X, y = lag_rows(noisy_swing(), 3)
    with pytest.raises(InputError, match=message):
        FilterRegressor(**options).fit(X, y)


def rows(n=130, order=3, seed=0):
    rng = np.random.default_rng(seed)
    values = [0.1, 0.3]
    for _ in range(n):
        values.append(0.1 + 1.4 * np.tanh(values[-1]) - 0.9 * np.sin(values[-2]))
    return lag_rows(np.array(values) + rng.normal(0, 0.15, n + 2), order)


def test_base_forecasts_are_those_of_the_single_filters():
    X, y = rows()
    stack = StackedFilterRegressor(transition="mlp", random_state=0).fit(X[:90], y[:90])
    found = stack.base_forecasts(X[90:])
    assert stack.n_first_rows_ == 60
    for column, name in zip(found.T, ("ekf", "sr-ukf", "sr-cdkf"), strict=True):
        alone = FilterRegressor(name, transition="mlp", random_state=0).fit(X[:60], y[:60])
        np.testing.assert_allclose(column, alone.predict(X[90:]), atol=1e-12)
    assert np.abs(found[:, 0] - found[:, 1]).max() > 1e-6


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


def test_a_row_is_forecast_on_its_own_by_a_stack():
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
def test_unusable_options_by_a_stack(options, message):
    X, y = rows()
    with pytest.raises(InputError, match=message):
        StackedFilterRegressor(**options).fit(X, y)


X = np.arange(10.0)[:, None]
ROOF = np.array([0, 1, 2, 3, 4, 10, 9, 8, 7, 6.0])


def test_worked_example():
    plain = ModelTreeRegressor(smoothing=0).fit(X, ROOF)
    np.testing.assert_allclose(plain.predict([[2.5], [7.5]]), [2.5, 7.5], atol=1e-9)
    smooth = ModelTreeRegressor().fit(X, ROOF)
    wanted = [3.0113636364, 7.6704545455]
    np.testing.assert_allclose(smooth.predict([[2.5], [7.5]]), wanted, atol=1e-9)
    assert smooth.tree_.cut == 4.5
    assert smooth.get_n_leaves() == 2
    np.testing.assert_allclose([leaf.error for leaf in smooth.tree_.leaves()], [0, 0])


def brute_split(X, y, min_leaf):
    """Best reduction of the standard deviation over all features and midpoints."""
    best = (-1.0, None, None)
    for feature in range(X.shape[1]):
        values = np.unique(X[:, feature])
        for cut in (values[:-1] + values[1:]) / 2:
            left = X[:, feature] <= cut
            if min(left.sum(), (~left).sum()) < min_leaf:
                continue
            parts = left.mean() * y[left].std() + (~left).mean() * y[~left].std()
            if y.std() - parts > best[0] + 1e-12:
                best = (y.std() - parts, feature, cut)
    return best


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("min_leaf", [1, 2, 6])
def test_first_split_is_the_best(seed, min_leaf):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 6, size=(25, 3)).astype(float)  # many ties
    target = rows[:, 1] ** 2 + rng.integers(0, 4, 25)
    tree = ModelTreeRegressor(min_samples_leaf=min_leaf, prune=False).fit(rows, target).tree_
    _, feature, cut = brute_split(rows, target, min_leaf)
    assert (tree.feature, tree.cut) == (feature, cut)


def brute_model(rows, target):
    """Backward elimination, each model fitted on its own."""
    n, kept = len(target), list(range(rows.shape[1]))

    def fit(columns):
        design = np.column_stack([np.ones(n), rows[:, columns]])
        found = np.linalg.lstsq(design, target)[0]
        v = len(columns) + 1
        size = np.abs(target - design @ found).mean()
        return (size * (n + v) / (n - v) if n > v else np.inf), found

    error, found = fit(kept)
    while kept:
        tried = [fit([c for c in kept if c != drop]) for drop in kept]
        best = int(np.argmin([each[0] for each in tried]))
        if tried[best][0] > error:
            break
        error, found = tried[best]
        del kept[best]
    return error, kept, found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("twins", [False, True])
def test_models_by_backward_elimination(seed, twins):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(40, 5))
    target = 2 + rows[:, 1] - 0.7 * rows[:, 3] + rng.normal(0, 0.8, 40)
    if twins:  # columns that depend on each other
        rows[:, 4] = 2 * rows[:, 1] - 1
    root = ModelTreeRegressor().fit(rows, target).tree_
    error, kept, found = brute_model(rows, target)
    assert root.error == pytest.approx(error, abs=1e-9)
    wanted = found[0] + rows[:, kept] @ found[1:]
    np.testing.assert_allclose(root.model(rows), wanted, atol=1e-8)


def test_pruning_keeps_a_split_only_where_it_lowers_the_error():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(200, 2))
    line = rows @ [1.0, -2.0]
    assert ModelTreeRegressor().fit(rows, line).get_n_leaves() == 1
    assert ModelTreeRegressor(prune=False).fit(rows, line).get_n_leaves() > 20
    kinked = np.abs(rows[:, 0]) * 3 + rng.normal(0, 0.1, 200)
    assert 2 <= ModelTreeRegressor().fit(rows, kinked).get_n_leaves() < 30


def test_few_cases():
    one = ModelTreeRegressor().fit([[1.0, 2.0]], [3.0])
    assert one.predict([[9.0, 9.0]]).tolist() == [3.0]
    two = ModelTreeRegressor().fit([[1.0], [2.0]], [3.0, 5.0])
    assert two.predict([[9.0]]).tolist() == [4.0]  # the mean: a line has no estimated error
    three = ModelTreeRegressor().fit([[1.0], [2.0], [3.0]], [3.0, 5.0, 7.0])
    assert three.predict([[9.0]]) == pytest.approx([19.0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_samples_leaf": 0}, "`min_samples_leaf` must be an integer"),
        ({"smoothing": -1}, "`smoothing` must not be negative"),
    ],
)
def test_unusable_options_of_the_tree(options, message):
    with pytest.raises(InputError, match=message):
        ModelTreeRegressor(**options).fit(X, ROOF)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_that_are_not_finite(bad):
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        ModelTreeRegressor().fit(X, np.where(ROOF == 3, bad, ROOF))
    with pytest.raises(ValueError, match="0 sample"):
        ModelTreeRegressor().fit(np.empty((0, 1)), [])


@pytest.mark.parametrize("unit", [1.0, 1e-200, 1e200])
def test_naive_bayes_for_regression(unit):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    y = X @ [1.0, -0.5] + 0.1 * rng.normal(size=30)
    new = np.vstack([rng.normal(size=(5, 2)), [[40.0, -40.0]]])
    widths = [1.06 * column.std(ddof=1) * 30**-0.2 for column in (*X.T, y)]
    grid = np.linspace(y.min(), y.max(), 200)
    found = {
        name: NaiveBayesRegressor(statistic=name).fit(unit * X, y).predict(unit * new)
        for name in ("median", "mean")
    }
    for row, median, mean in zip(new, *found.values(), strict=True):
        masses = []
        for value in grid:
            near = np.exp(-(((value - y) / widths[2]) ** 2) / 2)
            mass = near.sum()
            for j in (0, 1):  # p(x_j | y)
                squares = ((row[j] - X[:, j]) / widths[j]) ** 2
                mass *= (np.exp((squares.min() - squares) / 2) * near).sum() / near.sum()
            masses.append(mass)
        shares = np.array(masses) / np.sum(masses)
        assert mean == pytest.approx(shares @ grid)
        assert np.sum(shares[grid <= median]) == pytest.approx(0.5, abs=shares.max())
    with pytest.raises(InputError, match="statistic"):
        NaiveBayesRegressor(statistic="mode").fit(X, y)
