"""What must contain for every planned study and every set of folds."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rocwise.binary import detectable_auc, significance_level
from rocwise.binary.planning import (
    PlannedCurve,
    needed_positives,
    planned_covariance,
    planned_design,
    planned_variance,
    power,
    reached_power,
    sample_size,
)
from rocwise.errors import InputError
from rocwise.inference.intervals import cv_interval

areas = st.floats(0.55, 0.97)
powers = st.floats(0.3, 0.99)
alphas = st.floats(0.001, 0.2)
ratios = st.floats(0.2, 5)
sides = st.sampled_from([1, 2])
formulas = st.sampled_from(["obuchowski", "hanley-mcneil", "binormal", "delong"])


@given(areas, areas, formulas, powers, alphas, ratios, sides)
@example(0.9375, 0.5625, "hanley-mcneil", 0.3046875, 0.1875, 1.0, 1)
def test_power_at_the_exact_size_is_the_target(auc, other, variance, wanted, alpha, ratio, n):
    assume(abs(auc - other) > 0.01)
    design = planned_design(auc, other, variance=variance, alpha=alpha, sides=n)
    try:
        exact = needed_positives(design, wanted, ratio)
    except InputError:  # reached by rejections of a null with more variance
        assert reached_power(design, 1e-12, ratio * 1e-12) > wanted
        return
    reached = reached_power(design, exact, ratio * exact)
    assert reached == pytest.approx(wanted, abs=1e-9)


@given(areas, st.floats(0.5, 0.9), powers, alphas, ratios, sides)
def test_whole_cases_reach_the_power(auc, null, wanted, alpha, ratio, n):
    assume(abs(auc - null) > 0.02)
    assume(wanted > 0.5)  # below, less variance can mean less power
    plan = sample_size(auc, null=null, power=wanted, alpha=alpha, ratio=ratio, sides=n)
    assert plan.achieved_power >= wanted - 1e-12
    assert 0 <= plan.n_pos - plan.n_pos_exact < 1
    assert 0 <= plan.n_neg - plan.n_neg_exact < 1


@given(areas, areas, formulas, st.integers(20, 5000), st.integers(20, 5000), alphas, sides)
def test_alpha_undoes_power(auc, other, variance, n_pos, n_neg, alpha, n):
    options = {"n_pos": n_pos, "n_neg": n_neg, "variance": variance, "sides": n}
    reached = power(auc, other, alpha=alpha, **options).power
    assume(1e-6 < reached < 1 - 1e-6)
    back = significance_level(auc, other, power=reached, **options)
    assert back.alpha == pytest.approx(alpha, rel=1e-6)


@given(st.floats(0.5, 0.85), st.integers(30, 3000), ratios, st.floats(0.5, 0.95), alphas)
def test_detectable_auc_has_the_power_and_no_nearer_one_has(null, n_pos, ratio, wanted, alpha):
    n_neg = max(round(ratio * n_pos), 1)
    options = {"n_pos": n_pos, "n_neg": n_neg, "alpha": alpha, "null": null}
    try:
        found = detectable_auc(power=wanted, **options).auc
    except ValueError:
        assert power(1 - 1e-9, **options).power < wanted
        return
    assert power(found, **options).power == pytest.approx(wanted, abs=1e-8)
    nearer = null + np.linspace(0.001, 0.999, 50) * (found - null)
    assert all(power(float(auc), **options).power < wanted + 1e-8 for auc in nearer)


@given(areas, areas, ratios, powers)
def test_uncorrelated_pairs_are_two_groups(auc, other, ratio, wanted):
    assume(abs(auc - other) > 0.01)
    options = {"ratio": ratio, "power": wanted, "variance": "obuchowski"}
    paired = sample_size(auc, other, correlation=0.0, **options)
    assert paired.n_pos_exact == sample_size(auc, other, **options).n_pos_exact


@given(st.floats(-3, 3), st.floats(0.3, 3), ratios)
def test_variance_of_delong_does_not_depend_on_which_class_is_positive(a, b, kappa):
    """Turned round, positives are negatives: (a, b) becomes (a/b, 1/b) and kappa 1/kappa."""
    there = planned_variance("delong", PlannedCurve.of_line(a, b), kappa)
    back = planned_variance("delong", PlannedCurve.of_line(a / b, 1 / b), 1 / kappa)
    assert there == pytest.approx(back / kappa, rel=1e-9, abs=1e-12)


@given(
    st.tuples(st.floats(-2, 3), st.floats(0.4, 2.5)),
    st.tuples(st.floats(-2, 3), st.floats(0.4, 2.5)),
    st.tuples(st.floats(-0.95, 0.95), st.floats(-0.95, 0.95)),
    ratios,
    st.sampled_from(["binormal", "delong"]),
)
def test_covariances_are_symmetric_and_bounded(first, second, correlations, kappa, method):
    one, two = PlannedCurve.of_line(*first), PlannedCurve.of_line(*second)
    covariance = planned_covariance(method, one, two, kappa, correlations)
    turned = planned_covariance(method, two, one, kappa, correlations)
    assert covariance == pytest.approx(turned, abs=1e-12)
    itself = [planned_covariance(method, curve, curve, kappa, (1.0, 1.0)) for curve in (one, two)]
    assert covariance**2 <= itself[0] * itself[1] * (1 + 1e-6) + 1e-15


fold_values = st.lists(st.floats(0, 1), min_size=2, max_size=30).filter(
    lambda values: max(values) - min(values) > 1e-6
)


@given(fold_values, st.floats(0.5, 0.99), st.floats(-3, 3), st.floats(0.1, 10))
def test_fold_interval_moves_and_stretches_with_the_values(values, level, shift, stretch):
    low, high = cv_interval(values, level=level)
    moved = cv_interval(shift + stretch * np.array(values), level=level)
    assert moved.low == pytest.approx(shift + stretch * low, abs=1e-9)
    assert moved.high == pytest.approx(shift + stretch * high, abs=1e-9)


@given(fold_values, st.floats(0.5, 0.99), st.randoms(use_true_random=False))
def test_fold_interval_ignores_the_order_and_the_correction_widens_it(values, level, random):
    plain, corrected = cv_interval(values, level=level), cv_interval(values, corrected=True)
    shuffled = random.sample(values, len(values))
    assert tuple(cv_interval(shuffled, level=level)) == pytest.approx(tuple(plain), abs=1e-12)
    assert plain.mean == pytest.approx(np.mean(values), abs=1e-15)
    assert plain.mean in plain
    uncorrected = cv_interval(values)
    assert corrected.low < uncorrected.low < uncorrected.high < corrected.high
