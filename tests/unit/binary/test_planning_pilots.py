"""Plans from a pilot."""

import numpy as np
import pytest
from scipy.stats import norm

import rocwise as rw

RNG = np.random.default_rng(1)
Y = np.repeat([1, 0], [30, 60])
NOISE = RNG.normal(size=90)
PAIRS = rw.pair(Y, {"a": Y + NOISE, "b": 0.6 * Y + 0.7 * NOISE + 0.7 * RNG.normal(size=90)})


def test_a_study_as_large_as_the_pilot_has_delongs_standard_error():
    found = rw.compare(PAIRS, method="delong")
    z = abs(found.difference) / found.standard_error
    plan = rw.power(PAIRS, n_pos=30, n_neg=60)
    assert plan.power == pytest.approx(norm.cdf(z - norm.ppf(0.975)))
    assert plan.auc == found.estimates["a"]
    assert plan.other == found.estimates["b"]
    covariance = rw.auc_covariance(PAIRS)
    r = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert plan.design.correlation == pytest.approx(r)


def test_each_class_shrinks_its_own_part():
    large = rw.pair(
        np.repeat(Y, 50),
        {name: np.repeat(PAIRS.scores(name), 50) for name in PAIRS.names},
    )
    few = rw.power(PAIRS, n_pos=1500, n_neg=3000, difference=0.02).power
    assert few == pytest.approx(
        rw.power(large, n_pos=1500, n_neg=3000, difference=0.02).power, abs=0.02
    )


def test_needed_cases_reach_the_power():
    plan = rw.sample_size(PAIRS, difference=0.05, ratio=2, power=0.9)
    assert plan.achieved_power >= 0.9
    assert plan.n_neg == pytest.approx(2 * plan.n_pos, abs=1)
    assert "of a pilot with 30 positives, 60 negatives" in repr(plan)
    assert plan.curve().power.max() > 0.9


def test_one_model():
    tally = PAIRS.tally("a")
    error = rw.auc(tally, method="delong").standard_error
    plan = rw.power(tally, n_pos=30, n_neg=60, null=0.6)
    z = (rw.auc(tally).value - 0.6) / error
    assert plan.power == pytest.approx(norm.cdf(z - norm.ppf(0.975)))


@pytest.mark.parametrize(
    ("pilot", "options", "message"),
    [
        (PAIRS, {"other": 0.7}, "`other` comes from the pilot"),
        (PAIRS, {"correlation": 0.5}, "`correlation` comes from the pilot"),
        (PAIRS, {"null": 0.7}, "two are compared"),
        (rw.pair(Y, {"a": Y, "b": Y, "c": Y}), {}, "needs one or two models; got 3"),
        (rw.tally([0, 0, 1, 1], [1, 2, 3, 4]), {}, "has no variance"),
        (rw.tally([0, 0, 1], [1, 2, 3]), {}, "at least two cases in each class"),
    ],
)
def test_errors(pilot, options, message):
    with pytest.raises(rw.InputError, match=message):
        rw.sample_size(pilot, **options)


def test_a_plan_for_the_difference_of_the_pilot_warns():
    assert "(the pilot's difference, uncertain)" in str(rw.sample_size(PAIRS))
    assert "uncertain" not in str(rw.sample_size(PAIRS, difference=0.05))
