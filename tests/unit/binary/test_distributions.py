"""Families fitted by maximum likelihood: against scipy's search, in odd units, of ties."""

import numpy as np
import pytest
from scipy import optimize, stats

import rocwise as rw
from rocwise.binary.distributions import FAMILIES, POSITIVE_ONLY


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


@pytest.mark.parametrize(
    ("families", "message"),
    [
        (["poisson"], "continuous distributions of scipy.stats; got 'poisson'"),
        (["gaussian"], "got 'gaussian'"),
        (["gamma"], "none that fits"),
        (["beta"], "none that fits"),
    ],
)
def test_errors(families, message):
    with pytest.raises(rw.InputError, match=message):
        rw.fit_distribution([-1.0, 0.5, 2.0], families=families)


def test_a_family_whose_search_breaks_down_is_left_out():
    """Scores far from 0 with hardly any variance take the search for gamma beyond the floats."""
    sample = 1e6 + 1e-3 * np.random.default_rng(1).normal(size=20)
    fitted = rw.fit_distribution(sample, families=["norm", "gamma"])
    assert set(fitted.table) == {"norm"}


RNG = np.random.default_rng(8)
SAMPLES = {
    "normal": RNG.normal(3, 2, 60),
    "skewed": RNG.gamma(1.3, size=80),
    "steep": RNG.weibull(0.6, 50),
    "heavy tails": RNG.standard_t(2, 70),
    "shares": RNG.beta(2, 5, 90),
    "counts": RNG.integers(1, 6, 40).astype(float),
    "three": np.array([0.5, 1.0, 4.0]),
}


def searched(family, sample, start):
    """The largest likelihood that a simplex finds around parameters, in scipy's density."""
    kind = getattr(stats, family)
    fixed = family in POSITIVE_ONLY
    free = [k for k in range(len(start)) if not (fixed and k == len(start) - 2)]

    def loss(values):
        parameters = np.array(start)
        parameters[free] = values
        with np.errstate(all="ignore"):
            total = -kind.logpdf(sample, *parameters).sum()
        return total if np.isfinite(total) else 1e300

    at = np.array(start)[free]
    for _ in range(3):
        found = optimize.minimize(
            loss,
            at,
            method="Nelder-Mead",
            options={"xatol": 1e-10, "fatol": 1e-12, "maxiter": 5000},
        )
        at = found.x
    return -found.fun


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", SAMPLES)
def test_no_search_finds_more(name, family):
    sample = SAMPLES[name]
    if family in POSITIVE_ONLY and sample.min() <= 0:
        pytest.skip("the family has no values of 0 or below")
    fit = rw.fit_distribution(sample, families=family)
    assert fit.log_likelihood == pytest.approx(fit.distribution.logpdf(sample).sum(), abs=1e-8)
    if family == "t" and fit.parameters[0] > 1e6:
        return  # the normal distribution, which is looked at below
    assert searched(family, sample, fit.parameters) <= fit.log_likelihood + 1e-7
    if family != "t":  # its simplex may end in one value, where the likelihood has no bound
        fixed = {"floc": 0} if family in POSITIVE_ONLY else {}
        theirs = getattr(stats, family).fit(sample, **fixed)
        assert getattr(stats, family).logpdf(sample, *theirs).sum() <= fit.log_likelihood + 1e-8


@pytest.mark.parametrize("freedom", [0.5, 1.0, 2.5, 8.0, 60.0])
def test_degrees_of_freedom_are_those_of_the_sample(freedom):
    sample = stats.t(freedom, 4, 0.3).ppf((np.arange(100_000) + 0.5) / 100_000)
    fit = rw.fit_distribution(sample, families="t")
    np.testing.assert_allclose(fit.parameters, (freedom, 4, 0.3), rtol=0.02)


def test_light_tails_have_the_normal_distribution_as_their_t():
    sample = RNG.random(500)
    fit = rw.fit_distribution(sample, families=["t", "norm"])
    assert fit.family == "norm"
    assert fit.table["t"][0] == pytest.approx(fit.log_likelihood, abs=1e-7)
    alone = rw.fit_distribution(sample, families="t")
    np.testing.assert_allclose(alone.parameters[1:], fit.parameters, rtol=1e-12)
    assert alone.distribution.logpdf(sample).sum() == pytest.approx(fit.log_likelihood, abs=1e-7)


def test_student_is_left_out_where_its_likelihood_has_no_bound():
    sample = np.where(RNG.random(100) < 0.5, 0.0, RNG.normal(size=100))
    assert "t" not in rw.fit_distribution(sample).table
    with pytest.raises(rw.InputError, match="none that fits this sample; got 't'"):
        rw.fit_distribution(sample, families="t")


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("power", [-900, -60, 60, 900])
def test_units_change_nothing_else(family, power):
    sample = SAMPLES["skewed"]
    unit = 2.0**power
    fit = rw.fit_distribution(sample, families=family)
    other = rw.fit_distribution(unit * sample, families=family)
    shapes = len(fit.parameters) - 2
    np.testing.assert_allclose(other.parameters[:shapes], fit.parameters[:shapes], rtol=1e-9)
    np.testing.assert_allclose(other.parameters[shapes:], unit * np.array(fit.parameters[shapes:]))
    expected = fit.log_likelihood - len(sample) * power * np.log(2)
    assert other.log_likelihood == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_two_values_have_known_fits():
    fit = rw.fit_distribution([1.0, 3.0], families="norm")
    assert fit.parameters == (2.0, 1.0)
    assert rw.fit_distribution([1.0, 3.0], families="logistic").parameters[0] == pytest.approx(2.0)
    shape, _, scale = rw.fit_distribution([1.0, np.e], families="lognorm").parameters
    assert (shape, scale) == pytest.approx((0.5, np.exp(0.5)))


@pytest.mark.parametrize(
    ("sample", "families", "message"),
    [
        ([1, 2, 3.0], [], "`families` must name at least one family"),
        (np.r_[np.ones(95), 2:7], "t", "many values are equal"),
        (1e9 + np.linspace(0, 1, 50), "gamma", "all are nearly so"),
        ([-1.0, 2.0], "lognorm", "values above 0"),
    ],
)
def test_why_no_family_fits(sample, families, message):
    with pytest.raises(rw.InputError, match=message):
        rw.fit_distribution(sample, families=families)
