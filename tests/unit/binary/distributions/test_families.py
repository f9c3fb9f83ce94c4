"""Families fitted by likelihood."""

import numpy as np
import pytest
from scipy import stats

import rocwise as rw


@pytest.mark.parametrize(
    ("family", "kind"),
    [
        ("norm", stats.norm(3, 2)),
        ("gamma", stats.gamma(1.2, scale=2)),
        ("gumbel_r", stats.gumbel_r(1, 2)),
        ("lognorm", stats.lognorm(1.1)),
    ],
)
def test_the_family_that_made_the_sample_is_found(family, kind):
    sample = kind.rvs(5000, random_state=np.random.default_rng(4))
    fitted = rw.fit_distribution(sample)
    assert fitted.family == family
    grid = kind.ppf([0.1, 0.5, 0.9])
    np.testing.assert_allclose(fitted.distribution.cdf(grid), [0.1, 0.5, 0.9], atol=0.02)


def test_the_table_holds_likelihoods_and_aic():
    sample = np.random.default_rng(1).normal(size=300)
    fitted = rw.fit_distribution(sample, families=["norm", "logistic", "gamma"])
    assert set(fitted.table) == {"norm", "logistic"}  # gamma cannot hold negative numbers
    expected = stats.norm(sample.mean(), sample.std()).logpdf(sample).sum()
    assert fitted.table["norm"][0] == pytest.approx(expected, abs=1e-9)
    assert fitted.aic == pytest.approx(4 - 2 * fitted.log_likelihood)
    frame = fitted.to_frame()
    assert list(frame["aic"]) == sorted(frame["aic"])
    assert "distribution" not in fitted.to_dict()
    assert fitted.family in repr(fitted)


def test_predicted_roc_takes_fits():
    rng = np.random.default_rng(2)
    negative = rw.fit_distribution(rng.gamma(1.5, size=2000))
    positive = rw.fit_distribution(rng.gamma(4.0, size=2000))
    found = rw.predict_roc(negative, positive)
    exact = rw.predict_roc(stats.gamma(1.5), stats.gamma(4.0))
    assert found.auc == pytest.approx(exact.auc, abs=0.02)


def test_free_parameters_count_without_the_fixed_place():
    sample = np.random.default_rng(3).gamma(2.0, size=500)
    fitted = rw.fit_distribution(sample, families=["gamma"])
    assert fitted.aic == pytest.approx(2 * 2 - 2 * fitted.log_likelihood)
    unit = rw.fit_distribution(sample / (sample.max() + 1), families=["beta"])
    assert unit.parameters[2:] == (0.0, 1.0)
    assert unit.aic == pytest.approx(2 * 2 - 2 * unit.log_likelihood)


@pytest.mark.parametrize(
    ("families", "message"),
    [
        (["poisson"], "continuous distributions of scipy.stats; got 'poisson'"),
        (["gaussian"], "got 'gaussian'"),
        (["gamma"], "none that fits"),
        (["beta"], "none that fits"),
    ],
)
def test_refusals(families, message):
    with pytest.raises(rw.InputError, match=message):
        rw.fit_distribution([-1.0, 0.5, 2.0], families=families)


def test_a_family_whose_search_breaks_down_is_left_out():
    """Scores far from 0 with hardly any spread take the search for gamma beyond the floats."""
    sample = 1e6 + 1e-3 * np.random.default_rng(1).normal(size=20)
    fitted = rw.fit_distribution(sample, families=["norm", "gamma"])
    assert set(fitted.table) == {"norm"}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(3))
def test_the_search_is_silent(seed):
    rng = np.random.default_rng(seed)
    samples = rng.normal(size=5), rng.standard_t(1, size=30), 10 ** rng.uniform(-8, 8, size=30)
    for sample in (*samples, rng.integers(0, 4, size=30), rng.beta(0.2, 0.2, size=30)):
        assert len(rw.fit_distribution(sample).table) >= 5
