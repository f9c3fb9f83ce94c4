"""`regression.compare`: its methods, parts of the curve, several models, and errors."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import rocwise as rw
from unit.regression.forecast_vectors import C1, C2

TINY = {"abs": 1e-10, "rel": 0}


@pytest.mark.parametrize("vector", [C1, C2])
def test_worked_examples(vector):
    for method, expected in (
        ("permutation", vector.swap),
        ("permutation-sup", vector.swap_sup),
        ("diebold-mariano", vector.diebold_mariano),
    ):
        result = rw.regression.compare(vector.y, vector.models, method=method)
        assert (result.statistic, result.p_value) == pytest.approx(expected, **TINY)
    assert result.difference == pytest.approx(vector.aoc[0] - vector.aoc[1])


def test_diebold_mariano_two_steps_ahead():
    result = rw.regression.compare(C1.y, C1.models, method="diebold-mariano", horizon=2)
    assert result.statistic == pytest.approx(-0.1992047682, **TINY)
    assert result.p_value == pytest.approx(0.8499500591, **TINY)


@pytest.mark.parametrize(
    ("models", "horizon", "message"),
    [
        (C2.models, 2, "long-run variance of the differences is not positive"),
        ({"a": [0.1] * 8, "b": [0.3] * 8}, 1, "the same on every row"),
        ({"a": [0.1] * 8, "b": [0.1] * 8}, 3, "the same on every row"),
    ],
)
def test_no_p_value_without_a_variance(models, horizon, message):
    result = rw.regression.compare([0] * 8, models, method="diebold-mariano", horizon=horizon)
    assert result.p_value is None
    assert result.statistic is None
    assert result.interval is None
    assert message in repr(result)
    assert "nan" not in repr(result)


@pytest.mark.parametrize("seed", range(5))
def test_diebold_mariano_one_step_ahead_is_the_paired_t_test(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.exponential(size=(2, 30))
    result = rw.regression.compare(
        np.zeros(30), {"a": a, "b": b}, method="diebold-mariano", level=0.9
    )
    expected = stats.ttest_rel(a, b)
    assert (result.statistic, result.p_value) == pytest.approx(tuple(expected), rel=1e-9)
    low, high = expected.confidence_interval(0.9)
    assert tuple(result.interval) == pytest.approx((low, high), rel=1e-9)


def test_diebold_mariano_by_its_formula():
    rng = np.random.default_rng(9)
    a, b = np.abs(rng.normal(size=(2, 40)))
    d, n, h = a - b, 40, 3
    c = d - d.mean()
    g = [sum(c[t] * c[t - k] for t in range(k, n)) / n for k in range(h)]
    variance = (g[0] + 2 * g[1] + 2 * g[2]) / n
    t = d.mean() / variance**0.5 * ((n + 1 - 2 * h + h * (h - 1) / n) / n) ** 0.5
    result = rw.regression.compare(
        np.zeros(n), {"a": a, "b": b}, method="diebold-mariano", horizon=h
    )
    assert result.statistic == pytest.approx(t, rel=1e-12)
    assert result.p_value == pytest.approx(2 * stats.t.sf(abs(t), n - 1), rel=1e-12)


def test_wilcoxon_is_that_of_scipy():
    for vector in (C2,):  # exact binary fractions: nothing to merge
        d = np.abs(np.array(vector.a)) - np.abs(np.array(vector.b))
        expected = stats.wilcoxon(d, zero_method="wilcox")
        result = rw.regression.compare(vector.y, vector.models, method="wilcoxon")
        assert (result.statistic, result.p_value) == pytest.approx(tuple(expected))


def test_wilcoxon_ties_equal_differences():
    """0.3 - 0.2 is a little less than 0.2 - 0.1 in floating point, but they are tied."""
    assert 0.3 - 0.2 < 0.2 - 0.1
    models = {"a": [0.2, 0.2, 0.4, 0.9, 1.5], "b": [0.3, 0.1, 0.3, 0.2, 0.5]}
    result = rw.regression.compare([0] * 5, models, method="wilcoxon")
    tenths = stats.wilcoxon([-1, 1, 1, 7, 10])
    assert (result.statistic, result.p_value) == pytest.approx(tuple(tenths))
    assert result.statistic == 2.0


def test_no_interval_of_the_bootstrap_where_none_can_be_had():
    """Of three rows most resamples repeat one; the most extreme of them have no variance."""
    result = rw.regression.compare(
        [0, 0, 0], {"a": [1, 2, 4], "b": [1, 1, 1]}, method="bootstrap", rng=1
    )
    assert result.interval is None
    assert result.p_value is not None
    same = rw.regression.compare([0, 0], {"a": [1, 1], "b": [2, 2]}, method="bootstrap")
    assert same.p_value is None
    assert "its variance is 0" in repr(same)


def test_accuracy_at_a_tolerance():
    rng = np.random.default_rng(6)
    a, b = rng.exponential(size=(2, 80)) * np.array([[1.0], [1.5]])
    result = rw.regression.compare(np.zeros(80), {"a": a, "b": b}, tolerance=1.0)
    gained, lost = int(((a <= 1) & (b > 1)).sum()), int(((a > 1) & (b <= 1)).sum())
    assert result.difference == pytest.approx((gained - lost) / 80)
    assert result.p_value == pytest.approx(stats.binomtest(gained, gained + lost).pvalue)
    expected = rw.inference.tango_interval(gained, lost, 80)
    assert tuple(result.interval) == tuple(expected)
    assert repr(result).startswith("accuracy within 1 a ")


def test_tolerance_forgives_rounding():
    models = {"a": [1.7, 2.3], "b": [2.4, 2.4]}
    assert rw.regression.compare([2, 2], models, tolerance=0.3).estimates == {"a": 1.0, "b": 0.0}
    squared = rw.regression.compare([2, 2], models, loss="squared", tolerance=0.09)
    assert squared.estimates == {"a": 1.0, "b": 0.0}


def test_area_up_to_a_tolerance():
    result = rw.regression.compare(C2.y, C2.models, up_to=0.5)
    assert tuple(result.estimates.values()) == pytest.approx(C2.up_to_half)
    assert result.quantity == "AOC up to 0.5"


def test_several_models():
    models = {**C2.models, "c": [0.125] * 8}
    result = rw.regression.compare(C2.y, models)
    table = result.to_frame()
    assert list(zip(table["first"], table["second"], strict=True)) == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    for k, (first, second) in enumerate((("a", "b"), ("a", "c"), ("b", "c"))):
        two = rw.regression.compare(C2.y, {n: models[n] for n in (first, second)})
        assert table["p_value"][k] == two.p_value
        assert table["difference"][k] == two.difference
    smallest = min(table["p_value"])
    assert result.p_value == pytest.approx(3 * smallest)
    assert result.difference is None
    assert json.loads(json.dumps(result.to_dict()))["pairwise"]["low"] == [None, None, None]


@pytest.mark.parametrize(
    ("models", "options", "message"),
    [
        ({"a": [1, 2]}, {}, "at least two models"),
        ([1.0, 2.0], {}, "`predictions` must be a dict"),
        ({"a": [1, 2], "b": [1]}, {}, r"`predictions\['b'\]` has 1"),
        ({"a": [1, 2], "b": [1, np.inf]}, {}, r"`predictions\['b'\]` has 1 infinite value"),
        ({"a": [1, 2], "b": [2, 1]}, {"method": "ks"}, "`method` must be one of 'permutation'"),
        ({"a": [1, 2], "b": [2, 1]}, {"horizon": 0}, "`horizon` must be an integer"),
        (
            {"a": [1, 2], "b": [2, 1]},
            {"method": "diebold-mariano", "horizon": 2},
            "`horizon` must be smaller than the 2 rows",
        ),
        (
            {"a": [1, 2], "b": [2, 1]},
            {"method": "permutation", "block": 2},
            "`block` is for method='block-bootstrap'",
        ),
        (
            {"a": [1, 2], "b": [2, 1]},
            {"method": "block-bootstrap", "block": 2},
            "at least two blocks",
        ),
        ({"a": [1, 2], "b": [2, 1]}, {"tolerance": 1, "up_to": 2}, "exclude each other"),
        (
            {"a": [1, 2], "b": [2, 1]},
            {"method": "wilcoxon", "tolerance": 1},
            "`tolerance` does not go with method='wilcoxon'",
        ),
        ({"a": [1, 2], "b": [2, 1]}, {"tolerance": -1}, "`tolerance` must not be negative"),
        (
            {"a": [1, 2], "b": [2, 1]},
            {"method": "diebold-mariano", "missing": "drop"},
            "no longer one step apart",
        ),
    ],
)
def test_errors(models, options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.regression.compare([1, 2], models, **options)


@pytest.mark.parametrize("method", ["permutation", "permutation-sup", "wilcoxon", "bootstrap"])
def test_an_unused_horizon_warns(method):
    models = {"a": C1.a, "b": C1.b}
    note = rw.regression.compare(C1.y, models, method=method, horizon=2, rng=0).note
    assert note is not None
    assert "horizon 2 was not used" in note
    plain = rw.regression.compare(C1.y, models, method=method, rng=0).note
    assert plain is None or "horizon" not in plain


def test_errors_that_differ_by_rounding_only_do_not_differ():
    y = np.arange(1, 31) * 0.1
    above, below = y + 0.1, y - 0.1
    result = rw.regression.compare(y, {"above": above, "below": below})
    assert result.estimates["above"] != result.estimates["below"]
    assert result.difference == 0.0


# --- series ---------------------------------------------------------------------------------------


def autoregressive(rng, n, phi=0.8):
    noise = rng.normal(size=n + 100)
    for k in range(1, len(noise)):
        noise[k] += phi * noise[k - 1]
    return noise[100:]


@pytest.mark.parametrize(("n", "horizon", "count"), [(64, 1, 6), (200, 1, 13), (50, 12, 2)])
def test_the_test_for_series_by_its_formula(n, horizon, count):
    """The t statistic of the mean next to those of cosines, which have its variance."""
    from scipy.fft import dct

    rng = np.random.default_rng(n)
    a, b = autoregressive(rng, n), autoregressive(rng, n)
    found = rw.regression.compare(np.zeros(n), {"a": a, "b": b}, order="time", horizon=horizon)
    differences = np.abs(a) - np.abs(b)
    waves = dct(differences, norm="ortho")  # the first is sqrt(n) times the mean
    statistic = waves[0] / np.sqrt(np.mean(waves[1 : count + 1] ** 2))
    assert found.statistic == pytest.approx(statistic)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(statistic), count))
    margin = stats.t.ppf(0.975, count) * abs(differences.mean() / statistic)
    limits = differences.mean() - margin, differences.mean() + margin
    assert (found.interval.low, found.interval.high) == pytest.approx(limits)
    assert found.method.startswith("Diebold-Mariano test, HAC variance")


def test_the_test_for_series_keeps_its_level():
    rng, rejected, repeats = np.random.default_rng(8), 0, 500
    for _ in range(repeats):
        models = {"a": autoregressive(rng, 60), "b": autoregressive(rng, 60)}
        rejected += rw.regression.compare(np.zeros(60), models, order="time").p_value < 0.05
    assert rejected / repeats < 0.07 + 3 * np.sqrt(0.07 * 0.93 / repeats)


def test_rows_with_rising_times_are_a_series():
    rng = np.random.default_rng(2)
    models = {"a": autoregressive(rng, 60), "b": autoregressive(rng, 60)}
    expected = rw.regression.compare(np.zeros(60), models, order="time")
    days = pd.date_range("2024-01-01", periods=60)
    for index in (days, days.to_period("D")):
        found = rw.regression.compare(pd.Series(np.zeros(60), index), pd.DataFrame(models, index))
        assert (found.p_value, found.method) == (expected.p_value, expected.method)
    for index in (days[::-1], pd.RangeIndex(60), days.repeat(2)[:60]):  # none has an order
        with pytest.warns(rw.errors.MisuseWarning, match="order='time'"):
            found = rw.regression.compare(
                pd.Series(np.zeros(60), index), pd.DataFrame(models, index), rng=1
            )
        assert "sign-flip" in found.method


def test_correlated_rows_are_warned_of_unless_a_test_was_chosen():
    rng = np.random.default_rng(2)
    models = {"a": autoregressive(rng, 60), "b": autoregressive(rng, 60)}
    with pytest.warns(rw.errors.MisuseWarning, match="successive rows are correlated"):
        found = rw.regression.compare(np.zeros(60), models, rng=1)
    chosen = rw.regression.compare(np.zeros(60), models, method="permutation", rng=1)
    assert (chosen.p_value, chosen.method) == (found.p_value, found.method)
    shuffled = {name: rng.permutation(values) for name, values in models.items()}
    rw.regression.compare(np.zeros(60), shuffled, rng=1)


def test_an_order_that_does_not_go_with_the_test():
    models = {"a": [1.0, 2, 3], "b": [2.0, 2, 1]}
    with pytest.raises(rw.InputError, match="`order` 'time' does not go with method='permutation'"):
        rw.regression.compare([1, 2, 3], models, order="time", method="permutation")
    with pytest.raises(rw.InputError, match="`order` must be one of 'time'"):
        rw.regression.compare([1, 2, 3], models, order="rows")
