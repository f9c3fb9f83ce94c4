"""Joint tests of several areas: Hotelling's F, and what stands in for it."""

import numpy as np
import pytest
from scipy import stats

import rocwise as rw
from rocwise.inference.comparison import hotelling, smallest_adjusted
from rocwise.inference.variance import CovarianceByClass


def test_one_difference_is_welchs_t():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=9), 0.5 + 2 * rng.normal(size=14)
    expected = stats.ttest_ind(x, y, equal_var=False)
    parts = (np.array([[x.var(ddof=1) / 9]]), np.array([[y.var(ddof=1) / 14]]))
    by_class = CovarianceByClass(parts[0] + parts[1], parts, (9, 14))
    found = hotelling(np.array([x.mean() - y.mean()]), by_class)
    assert found.statistic == pytest.approx(expected.statistic**2, rel=1e-12)
    assert found.df_denominator == pytest.approx(expected.df, rel=1e-12)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_one_class_alone_is_hotellings_one_sample_test():
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(12, 3)) + 0.4
    n, p = rows.shape
    mean, covariance = rows.mean(0), np.cov(rows.T) / n
    squared = mean @ np.linalg.solve(covariance, mean)
    expected = stats.f.sf(squared * (n - p) / ((n - 1) * p), p, n - p)
    found = hotelling(mean, CovarianceByClass(covariance, (covariance, np.zeros((p, p))), (n, 50)))
    assert (found.df, found.df_denominator) == (p, pytest.approx(n - p, rel=1e-9))
    assert found.p_value == pytest.approx(expected, rel=1e-9)


def test_three_classes_have_satterthwaites_degrees_of_freedom():
    variances, sizes = np.array([0.02, 0.005, 0.01]), (6.0, 30.0, 11.0)
    parts = tuple(np.array([[v]]) for v in variances)
    found = hotelling(np.array([0.3]), CovarianceByClass(sum(parts), parts, sizes))
    df = variances.sum() ** 2 / (variances**2 / (np.array(sizes) - 1)).sum()
    assert found.df_denominator == pytest.approx(df, rel=1e-12)
    t = 0.3 / np.sqrt(variances.sum())
    assert found.p_value == pytest.approx(2 * stats.t.sf(t, df), rel=1e-9)


def test_too_few_cases_leave_it_to_the_pairs():
    covariance = np.eye(2)
    halves = (covariance / 2, covariance / 2)
    assert hotelling(np.ones(2), CovarianceByClass(covariance, halves, (2, 50))) is None
    assert hotelling(np.ones(2), CovarianceByClass(0 * covariance, halves, (9, 9))) is None
    found = smallest_adjusted([0.4, 0.03, 0.2], [1.0, -2.5, 1.5])
    assert (found.p_value, found.statistic, found.df) == (0.03, -2.5, None)


def models(n_pos, n_neg, seed, shift=1.0, k=3):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_pos, n_neg])
    return rw.pair(y, {f"m{j}": rng.normal(size=len(y)) + shift * y for j in range(k)})


def test_the_text_of_a_comparison_of_several_models():
    few, some, many = (rw.compare(models(n, 5 * n, 3)) for n in (2, 8, 200))
    assert few.method == "paired DeLong, t distribution, smallest of Holm's p values"
    assert few.p_value == few.pairwise["p_adjusted"].min()
    assert some.method == many.method == "paired DeLong, t distribution, Hotelling's F"
    assert some.df == 2
    assert some.df_denominator > 1
    delong = rw.compare(models(200, 1000, 3), method="delong")
    assert delong.df_denominator is None
    assert many.p_value == pytest.approx(delong.p_value, rel=0.05)


@pytest.mark.parametrize("method", ["auto", "delong"])
def test_a_difference_without_variance_is_not_left_out_of_the_joint_test(method):
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [40, 70])
    scores = {"ideal": 2.0 * y, "noisy": y + rng.normal(size=110), "constant": np.zeros(110)}
    result = rw.compare(y, scores, method=method)
    assert result.pairwise["standard_error"][1] == 0.0
    assert result.p_value == result.pairwise["p_adjusted"].min() < 0.001
    assert result.method.endswith("smallest of Holm's p values")
    copies = rw.compare(y, scores | {"constant": scores["noisy"]}, method=method)
    assert "smallest" not in copies.method  # equal models differ by nothing


def test_two_positives_do_not_reject_everything():
    """The chi-square called three equal models different in up to 42 of 100 such samples."""
    wrong = {"auto": 0, "delong": 0}
    for seed in range(200):
        pairs = models(2, 18, seed, shift=0.0)
        for method in wrong:
            wrong[method] += rw.compare(pairs, method=method).p_value <= 0.05
    assert wrong["auto"] <= 10 < 40 < wrong["delong"]


@pytest.mark.parametrize("n", [6, 300])
def test_an_adjusted_interval_without_zero_has_an_adjusted_p_below_the_level(n):
    for seed in range(20):
        table = rw.compare(models(n, n, seed, shift=0.3)).pairwise
        for k, p in enumerate(table["p_adjusted"]):
            if not table["low_adjusted"][k] <= 0 <= table["high_adjusted"][k]:
                assert p < 0.05
            assert table["low_adjusted"][k] <= table["low"][k]
            assert table["high_adjusted"][k] >= table["high"][k]
