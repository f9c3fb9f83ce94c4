"""The binormal fit: the specification's values, refusals, and independent optimisation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

import rocwise as rw
from oracles.spec_samples import SAMPLES, tally_of
from rocwise.binary import binormal as binormal_module
from rocwise.binary.binormal import categories


def test_categories_of_c():
    data = tally_of(SAMPLES["C"])
    n, m = categories(data.tp, data.fp)
    expected = [
        (2, 0), (0, 1), (2, 0), (0, 1), (3, 0), (0, 1), (1, 0), (0, 2), (2, 0), (0, 1), (1, 0),
        (0, 2), (1, 0), (0, 2),
    ]  # fmt: skip
    assert list(zip(n, m, strict=True)) == expected


def test_categories_of_b():
    data = tally_of(SAMPLES["B"])
    assert list(zip(*categories(data.tp, data.fp), strict=True)) == [
        (1, 0), (2, 1), (1, 1), (1, 1), (0, 1)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "a", "b", "log_likelihood", "covariance"),
    [
        ("C", 0.7908356078, 0.911339619, -54.64971723,
         [[0.2117613834, 0.05227738934], [0.05227738934, 0.1168496954]]),
        ("B", 1.079475712, 0.9690081544, -12.61236483,
         [[0.7129230102, 0.2591358863], [0.2591358863, 0.4195941258]]),
    ],
)  # fmt: skip
def test_published_fits(name, a, b, log_likelihood, covariance):
    fit = rw.binormal(tally_of(SAMPLES[name]))
    assert (fit.a, fit.b) == pytest.approx((a, b), abs=1e-7)
    assert fit.log_likelihood == pytest.approx(log_likelihood, abs=1e-7)
    np.testing.assert_allclose(fit.covariance, covariance, atol=1e-6)


def test_area_of_c():
    assert rw.binormal(tally_of(SAMPLES["C"])).auc == pytest.approx(0.720563494, abs=1e-7)


def test_small_regular_fits():
    fit = rw.binormal(tally_of(SAMPLES["A"]))
    assert (fit.a, fit.b) == pytest.approx((2.197316103, 1.132857463), abs=1e-7)
    saturated = rw.binormal(tally_of(([0, 0, 1, 2], [2, 1, 2, 0])))
    assert (saturated.a, saturated.b) == pytest.approx((0.6744897502, 1.0), abs=1e-7)


@pytest.mark.parametrize(
    "sample",
    [
        ([1, 2, 9], [4, 5, 6]),
        ([4, 5, 6], [1, 2, 9]),
        ([0] * 6 + [1], [1, 1, 1, 1, 2, 2]),
    ],
)
def test_degenerate_data_are_refused(sample):
    with pytest.raises(rw.InputError, match="degenerate"):
        rw.binormal(tally_of(sample))


@pytest.mark.parametrize(
    "sample", [([1, 2], [3, 4]), ([3, 4], [1, 2]), ([1, 1], [1, 1]), ([0, 1], [0, 1])]
)
def test_too_few_categories_are_refused(sample):
    with pytest.raises(rw.InputError, match="no interior maximum"):
        rw.binormal(tally_of(sample))


def random_tally(seed, n, decimals=6, shift=1.0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rw.tally(y, (rng.normal(size=n) * (1 + 0.3 * y) + shift * y).round(decimals))


def slow_fit(data):
    """General-purpose maximisation over (a, log b, first cut, log gaps)."""
    n, m = categories(data.tp, data.fp)

    def unfolded(theta):
        t = theta[2] + np.concatenate([[0], np.cumsum(np.exp(theta[3:]))])
        return theta[0], np.exp(theta[1]), t

    def loss(theta):
        a, b, t = unfolded(theta)
        bounds = np.concatenate([[-np.inf], t, [np.inf]])
        p = np.diff(stats.norm.cdf(bounds))
        q = np.diff(stats.norm.cdf(b * bounds - a))
        return -(n @ np.log(np.maximum(p, 1e-300)) + m @ np.log(np.maximum(q, 1e-300)))

    start = np.concatenate([[1.0, 0.0, -1.5], np.full(len(n) - 2, np.log(3 / len(n)))])
    found = optimize.minimize(loss, start, method="BFGS", options={"gtol": 1e-7, "maxiter": 3000})
    a, b, _ = unfolded(found.x)
    return a, b, -found.fun


@pytest.mark.parametrize("seed", [1, 2])
def test_agrees_with_general_optimisation(seed):
    data = random_tally(seed, 40, decimals=1)
    fit = rw.binormal(data)
    a, b, value = slow_fit(data)
    assert (fit.a, fit.b) == pytest.approx((a, b), abs=2e-4)
    assert fit.log_likelihood >= value - 1e-8


def dense_covariance(data, fit):
    """Inverse of the whole expected information at the fit, its cut points found one by one."""
    n, m = categories(data.tp, data.fp)
    total_n, total_m = n.sum(), m.sum()

    def shares(t, a, b):
        bounds = np.concatenate([[-np.inf], t, [np.inf]])
        return np.diff(stats.norm.cdf(bounds)), np.diff(stats.norm.cdf(b * bounds - a))

    t = stats.norm.ppf((np.cumsum(n)[:-1] + 0.5) / (total_n + 1))
    t = np.maximum.accumulate(t + 1e-4 * np.arange(len(t)))

    def loss(t):
        found = shares(np.sort(t), fit.a, fit.b)
        return -sum(
            np.sum(counts * np.log(np.maximum(share, 1e-300)))
            for counts, share in zip((n, m), found, strict=True)
        )

    t = np.sort(optimize.minimize(loss, t, method="BFGS", options={"gtol": 1e-9}).x)
    theta = np.concatenate([[fit.a, fit.b], t])
    jacobians = []
    for which in (0, 1):
        columns = []
        for k in range(len(theta)):
            step = np.zeros(len(theta))
            step[k] = 1e-5
            high, low = (shares((theta + s)[2:], *(theta + s)[:2])[which] for s in (step, -step))
            columns.append((high - low) / 2e-5)
        jacobians.append(np.stack(columns, axis=1))
    p, q = shares(t, fit.a, fit.b)
    information = (
        total_n * jacobians[0].T @ (jacobians[0] / p[:, None])
        + total_m * jacobians[1].T @ (jacobians[1] / q[:, None])
    )  # fmt: skip
    return np.linalg.inv(information)[:2, :2]


def test_banded_elimination_is_the_dense_inverse():
    data = random_tally(5, 60, decimals=1)
    fit = rw.binormal(data)
    np.testing.assert_allclose(fit.covariance, dense_covariance(data, fit), rtol=1e-4)


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), power=st.sampled_from([0.5, 3.0]))
def test_any_increasing_function_of_the_scores_gives_the_same_fit(seed, power):
    rng = np.random.default_rng(seed)
    y = np.arange(60) % 2
    x = np.exp(rng.normal(size=60) + y)
    first, second = rw.binormal(y, x), rw.binormal(y, x**power)
    assert (first.a, first.b) == pytest.approx((second.a, second.b), abs=1e-9)


def test_recovers_the_truth():
    rng = np.random.default_rng(3)
    n = 20_000
    y = np.arange(n) % 2
    fit = rw.binormal(y, np.where(y == 1, rng.normal(1.5, 1.25, n), rng.normal(0, 1, n)))
    errors = np.sqrt(np.diag(fit.covariance))
    assert abs(fit.a - 1.2) < 4 * errors[0]
    assert abs(fit.b - 0.8) < 4 * errors[1]
    assert fit.interval.low < stats.norm.cdf(1.2 / np.sqrt(1.64)) < fit.interval.high


def test_area_interval_is_the_delta_method():
    fit = rw.binormal(tally_of(SAMPLES["C"]), level=0.9)
    draws = np.random.default_rng(1).multivariate_normal([fit.a, fit.b], fit.covariance, 400_000)
    z = draws[:, 0] / np.sqrt(1 + draws[:, 1] ** 2)
    center = fit.a / np.sqrt(1 + fit.b**2)
    reach = stats.norm.ppf(fit.interval.high) - center
    assert reach == pytest.approx(1.645 * z.std(), rel=0.1)
    assert fit.tpr(np.array([0.0, 0.5, 1.0])) == pytest.approx([0, stats.norm.cdf(fit.a), 1])


def test_curve_has_the_area():
    fit = rw.binormal(tally_of(SAMPLES["C"]))
    fpr, tpr = fit.curve()
    assert np.trapezoid(tpr, fpr) == pytest.approx(fit.auc, abs=1e-4)
    assert "AUC 0.72" in repr(fit)


def test_classes_that_rounding_alone_tells_apart_have_no_negative_distance():
    fit = rw.binormal(tally_of(SAMPLES["C"]))
    assert "a = 0.000, b" in repr(replace(fit, a=-1e-16))
    assert "a = -0.001, b" in repr(replace(fit, a=-1e-3))


def test_weights_are_refused():
    with pytest.raises(rw.InputError, match="weights"):
        rw.binormal([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 1, 2, 1])


def test_a_fit_of_a_million_scores_is_judged_by_what_a_step_would_gain(monkeypatch):
    # rounding of the gradient grows with the cases: 1e-4 in the steepest is none of a true slope
    rng = np.random.default_rng(0)
    y = (rng.random(4000) < 0.3).astype(int)
    score = rng.normal(size=4000) + y
    plain = rw.binormal(y, score)
    monkeypatch.setattr(binormal_module, "LARGEST_SCORE", 0.0)
    again = rw.binormal(y, score)
    assert (again.a, again.b) == (plain.a, plain.b)
    monkeypatch.setattr(binormal_module, "LARGEST_GAIN", -1.0)
    with pytest.raises(rw.InputError, match="not level"):
        rw.binormal(y, score)


def test_a_fit_that_starts_from_one_of_fewer_categories_is_the_same(monkeypatch):
    data = random_tally(7, 3000)
    plain = rw.binormal(data)
    monkeypatch.setattr(binormal_module, "MOST_AT_ONCE", 200)
    nested = rw.binormal(data)
    assert (nested.a, nested.b) == pytest.approx((plain.a, plain.b), abs=1e-9)
    assert nested.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-13)
    np.testing.assert_allclose(nested.covariance, plain.covariance, rtol=1e-8)
    assert nested.n_steps < plain.n_steps


def test_cut_points_of_fewer_categories_are_followed_by_those_between_them(monkeypatch):
    monkeypatch.setattr(binormal_module, "MOST_AT_ONCE", 200)
    data = random_tally(8, 3000)
    counts = categories(data.tp, data.fp)
    start = binormal_module._start_from_merged(counts)
    assert np.all(np.diff(start.t) > 0)
    at, _, _ = binormal_module._maximized(counts, 1e-10)
    assert np.abs(start.t - at.t)[20:-20].max() < 0.01
