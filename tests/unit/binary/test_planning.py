"""Sample size and power: the values of the specification, other packages, and simulation."""

import math
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal

import rocwise as rw
from rocwise.binary import detectable_auc, significance_level
from rocwise.binary.planning import (
    PlannedCurve,
    bivariate_normal,
    planned_variance,
    power,
    sample_size,
)

NORMAL = NormalDist()


@pytest.mark.parametrize(
    ("arguments", "options", "expected"),
    [
        ((0.8,), {"power": 0.9}, 16.61854234),
        ((0.8,), {"null": 0.7, "ratio": 2}, 84.68436241),
        ((0.8, 0.9), {"variance": "hanley-mcneil"}, 141.8845107),
        ((0.8, 0.9), {"variance": "hanley-mcneil", "power": 0.9, "sides": 1}, 149.1788801),
        ((0.85, 0.78), {"variance": "obuchowski", "correlation": 0.4}, 183.8289435),
        ((0.85, 0.78), {"variance": "obuchowski", "correlation": 0}, 326.4027777),
        (
            ((2.6, 1), (1.9, 1)),
            {
                "variance": "binormal",
                "correlation": (0.6, 0.6),
                "difference": 0.037,
                "power": 0.9,
            },
            250.1395028,
        ),
    ],
)
def test_sample_sizes_of_the_specification(arguments, options, expected):
    plan = sample_size(*arguments, **options)
    ratio = options.get("ratio", 1)
    assert plan.n_pos_exact == pytest.approx(expected, abs=1e-7)
    assert plan.n_neg_exact == pytest.approx(ratio * expected, abs=2e-7)
    assert (plan.n_pos, plan.n_neg) == (math.ceil(expected), math.ceil(ratio * expected))
    assert plan.power == options.get("power", 0.8)
    assert plan.achieved_power >= plan.power


def test_power_and_variances_of_the_specification():
    assert power(0.7, n_pos=40, n_neg=80).power == pytest.approx(0.9602306185, abs=1e-9)
    curve = PlannedCurve.of_area(0.8)
    assert planned_variance("hanley-mcneil", curve, 2) == pytest.approx(0.08444444444, abs=1e-11)
    assert planned_variance("obuchowski", curve, 2) == pytest.approx(0.0964925228, abs=1e-10)
    chance = PlannedCurve.of_area(0.5)
    assert planned_variance("obuchowski", chance, 4) == pytest.approx(0.0792 * 1.25, abs=1e-15)


def with_rounded_root(theta, kappa):
    """Obuchowski's variance with 1.414 for the square root of 2, as pROC has it."""
    a = 1.414 * NORMAL.inv_cdf(theta)
    return 0.0099 * math.exp(-a * a / 2) * ((5 * a * a + 8) + (a * a + 8) / kappa)


def test_agrees_with_proc_up_to_its_rounded_root_of_two():
    z = NORMAL.inv_cdf(0.975)
    kappa = 72 / 41
    gap = math.sqrt(41) * 0.23 - z * math.sqrt(with_rounded_root(0.5, kappa))
    rounded = NORMAL.cdf(gap / math.sqrt(with_rounded_root(0.73, kappa)))
    assert rounded == pytest.approx(0.9897453, abs=5e-8)  # printed by pROC
    assert power(0.73, n_pos=41, n_neg=72).power == pytest.approx(0.9897453, abs=2e-6)

    auc = 2159 / 2952
    V0, VA = with_rounded_root(0.5, 1.7), with_rounded_root(auc, 1.7)
    reach = z * math.sqrt(V0) + NORMAL.inv_cdf(0.95) * math.sqrt(VA)
    assert (reach / (auc - 0.5)) ** 2 == pytest.approx(29.29764, abs=5e-6)  # printed by pROC
    plan = sample_size(auc, power=0.95, ratio=1.7)
    assert plan.n_pos_exact == pytest.approx(29.29764, abs=1e-3)
    assert (plan.n_pos, plan.n_neg) == (30, 50)


def test_swapping_two_aucs_changes_the_size_because_h0_takes_the_first_variance():
    method: Any = "hanley-mcneil"
    ordered = sample_size(0.8, 0.9, variance=method)
    swapped = sample_size(0.9, 0.8, variance=method)
    assert swapped.n_pos_exact < ordered.n_pos_exact
    V8, V9 = (planned_variance(method, PlannedCurve.of_area(theta), 1) for theta in (0.8, 0.9))
    reach = NORMAL.inv_cdf(0.975) * math.sqrt(2 * V9) + NORMAL.inv_cdf(0.8) * math.sqrt(V8 + V9)
    assert swapped.n_pos_exact == pytest.approx((reach / 0.1) ** 2, rel=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "rho", "ratio"), [(0.75, 0.9, 0.5, 2), (0.9, 0.75, None, 1)]
)
def test_plans_of_two_aucs_reach_their_power_with_the_default_test(first, second, rho, ratio):
    pair = None if rho is None else (rho, rho)
    plan = sample_size(first, second, correlation=pair, ratio=ratio)
    assert plan.n_pos_exact == sample_size(second, first, correlation=pair, ratio=ratio).n_pos_exact
    assert "by compare (DeLong's variance" in str(plan)
    labels = np.repeat([1, 0], [plan.n_pos, plan.n_neg])
    rng, found, repeats = np.random.default_rng(6), 0, 150
    for _ in range(repeats):
        noise = rng.normal(size=(2, len(labels)))
        noise[1] = (rho or 0) * noise[0] + math.sqrt(1 - (rho or 0) ** 2) * noise[1]
        shifts = (math.sqrt(2) * NORMAL.inv_cdf(auc) * labels for auc in (first, second))
        scores = [own + shift for own, shift in zip(noise, shifts, strict=True)]
        tallies = [rw.tally(labels, own) for own in scores]
        models = dict(zip("ab", scores, strict=True))
        test = rw.compare(*tallies) if rho is None else rw.compare(labels, models)
        assert test.p_value is not None
        found += test.p_value < 0.05
    assert abs(found / repeats - 0.8) < 0.04 + 3 * math.sqrt(0.16 / repeats)


def test_obuchowski_is_the_binormal_variance_of_slope_one_with_a_rounded_constant():
    exact = 1 / (32 * math.pi)
    for theta, kappa in product((0.55, 0.7, 0.9, 0.99), (0.3, 1, 4)):
        curve = PlannedCurve.of_area(theta)
        rounded = planned_variance("obuchowski", curve, kappa)
        binormal = planned_variance("binormal", curve, kappa)
        assert binormal == pytest.approx(rounded * exact / 0.0099, rel=1e-12)


@pytest.mark.parametrize("rho", [-0.95, -0.4, 0.0, 0.3, 0.9])
def test_bivariate_normal_probabilities(rho):
    for h, k in product([-2.0, -0.3, 0.0, 0.2, 1.5], [-1.7, 0.0, 0.2, 1.3]):
        expected = multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([h, k])
        assert bivariate_normal(h, k, rho) == pytest.approx(expected, abs=1e-9)


def test_alpha_and_detectable_auc_undo_power():
    reached = power(0.7, n_pos=40, n_neg=80, alpha=0.03, sides=1)
    back = significance_level(0.7, n_pos=40, n_neg=80, power=reached.power, sides=1)
    assert back.alpha == pytest.approx(0.03, abs=1e-12)
    found = detectable_auc(n_pos=40, n_neg=80, alpha=0.03, sides=1, power=reached.power)
    assert found.auc == pytest.approx(0.7, abs=1e-10)
    below = detectable_auc(n_pos=40, n_neg=80, larger=False)
    assert below.auc == pytest.approx(1 - detectable_auc(n_pos=40, n_neg=80).auc, abs=1e-10)
    other = detectable_auc(0.8, n_pos=200, n_neg=250, correlation=0.5)
    assert other.solved_for == "other"
    again = power(0.8, other.other, n_pos=200, n_neg=250, correlation=0.5)
    assert again.power == pytest.approx(0.8, abs=1e-9)


def test_curve_is_power_at_each_size():
    plan = sample_size(0.85, 0.78, correlation=0.4, ratio=1.5)
    curve = plan.curve(n_pos=[50, 200, 100])
    assert curve.n_neg.tolist() == [75, 300, 150]
    for n_pos, n_neg, reached in zip(curve.n_pos, curve.n_neg, curve.power, strict=True):
        single = power(0.85, 0.78, correlation=0.4, n_pos=n_pos, n_neg=n_neg)
        assert reached == single.power
    assert list(curve.to_frame()) == ["n_pos", "n_neg", "power"]
    usual = sample_size(0.8, null=0.7).curve()
    assert usual.n_pos[0] == 2
    assert usual.n_pos[-1] == sample_size(0.8, null=0.7, power=0.99).n_pos
    assert usual.power[-1] >= 0.99 > usual.power[-2]


def test_curve_with_another_ratio():
    plan = power(0.8, null=0.7, n_pos=50, n_neg=100)
    assert plan.curve(n_pos=[50]).power.tolist() == [plan.power]
    assert plan.curve(n_pos=[50], ratio=4).n_neg.tolist() == [200]
    with pytest.raises(ValueError, match=r"`ratio` must be above 0; got -1"):
        plan.curve(ratio=-1)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: sample_size(0.8, 0.8), "no difference to detect"),
        (lambda: sample_size(0.5), "no difference to detect"),
        (lambda: sample_size(1.0), "`auc` must lie strictly between 0 and 1; got 1.0"),
        (lambda: sample_size(0.8, power=1), "`power` must lie strictly between 0 and 1"),
        (lambda: sample_size(0.8, alpha=0), "`alpha` must lie strictly between 0 and 1"),
        (lambda: sample_size(0.8, power=0.01), "`power` 0.01 is reached without any cases"),
        (lambda: sample_size(0.8, ratio=0), "`ratio` must be above 0; got 0"),
        (lambda: sample_size(0.8, sides=3), "`sides` must be 1 or 2; got 3"),
        (lambda: sample_size(0.8, sides=True), "`sides` must be 1 or 2; got True"),
        (lambda: sample_size(0.8, 0.7, null=0.6), "`null` is for one AUC"),
        (lambda: sample_size(0.8, correlation=0.2), "`other` was not given"),
        (lambda: sample_size(0.8, difference=0.1), "`other` was not given"),
        (lambda: sample_size(0.8, 0.7, correlation=1), "between -1 and 1; got 1"),
        (
            lambda: sample_size(0.9, 0.7, correlation=0.95, variance="obuchowski"),
            "`correlation` 0.95 is too high",
        ),
        (lambda: sample_size(0.8, 0.7, correlation=(0.2,)), "must be a number, or the pair"),
        (
            lambda: sample_size(0.8, 0.7, correlation=(0.2, 0.3), variance="obuchowski"),
            "needs variance='binormal' or variance='delong'; got 'obuchowski'",
        ),
        (lambda: sample_size(0.8, variance="exact"), "`variance` must be one of 'obuchowski'"),
        (lambda: sample_size((1, 2, 3)), r"the pair \(a, b\) of a binormal curve"),
        (lambda: sample_size((1, 0)), "slope b must lie between 0.001 and 1000; got 0"),
        (lambda: sample_size((90, 1)), "has an AUC of 1"),
        (lambda: power(0.8, n_pos=0, n_neg=5), "`n_pos` must be an integer of at least 1"),
        (lambda: power(0.8, n_pos=5, n_neg=2.5), "`n_neg` must be an integer"),
        (lambda: detectable_auc(n_pos=2, n_neg=2), "no AUC above 0.5 is detected"),
        (lambda: detectable_auc(n_pos=9, n_neg=9, power=0.02), "`power` must exceed"),
        (
            lambda: significance_level(0.55, n_pos=5, n_neg=5, power=0.95),
            "which is not between 0 and 1",
        ),
        (lambda: sample_size(0.8).curve(n_pos=[]), "`n_pos` must be a list of integers"),
        (lambda: sample_size(0.8).curve(n_pos=[10, 0]), "`n_pos` must be an integer"),
    ],
)
def test_errors(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_power_to_detect_nothing_is_one_tail_of_alpha():
    assert power(0.5, n_pos=50, n_neg=50).power == pytest.approx(0.025, abs=1e-12)
    assert power(0.5, n_pos=50, n_neg=50, sides=1).power == pytest.approx(0.05, abs=1e-12)
