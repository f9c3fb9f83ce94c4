"""Calibration: curves, slope and intercept, proper scores."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import t
from sklearn import metrics
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

import rocwise as rw
from rocwise.binary.calibration import _well_conditioned, isotonic_at
from rocwise.inference import proportion_interval

RNG = np.random.default_rng(4)
TRUE = RNG.beta(1, 2, 600)
Y = (RNG.random(600) < TRUE).astype(int)
P = 1 / (1 + np.exp(-(1.5 * np.log(TRUE / (1 - TRUE)) + 0.3)))
rows = st.lists(st.tuples(st.booleans(), st.integers(0, 20)), min_size=3, max_size=50).filter(
    lambda found: 0 < sum(y for y, _ in found) < len(found)
)


def columns(found):
    return np.array([y for y, _ in found], int), np.array([s for _, s in found]) / 20


@given(rows)
def test_parts_of_the_brier_score(found):
    y, p = columns(found)
    result = rw.calibration(y, p)
    assert result.brier == pytest.approx(metrics.brier_score_loss(y, p), abs=1e-12)
    total = result.miscalibration - result.discrimination + result.uncertainty
    assert result.brier == pytest.approx(total, abs=1e-12)
    assert min(result.miscalibration, result.discrimination, result.uncertainty) >= 0
    fit = IsotonicRegression().fit_transform(p, y)
    best = metrics.brier_score_loss(y, fit)
    assert result.brier - result.miscalibration == pytest.approx(best, abs=1e-9)
    expected = metrics.log_loss(y, np.clip(p, 1e-300, 1 - 1e-16), labels=[0, 1])
    wrong = np.any((p == 0) & (y == 1)) or np.any((p == 1) & (y == 0))
    assert result.log_loss == (math.inf if wrong else pytest.approx(expected, abs=1e-9))


def test_every_case_called_certain_counts_for_the_log_loss():
    """1 - s is 1 of several s that differ."""
    y, s = [1, 0, 1, 0, 1, 0], [0, 1e-20, 0.3, 0.4, 0.5, 0.6]
    assert rw.calibration(y, s, direction="lower").log_loss == math.inf
    assert rw.calibration([1, 1, 1, 0, 1, 0], s, direction="lower").log_loss < 1


@given(rows, st.sampled_from(["quantile", "uniform", "isotonic", "loess"]))
def test_every_case_is_counted_once_and_limits_contain_the_proportion(found, strategy):
    y, p = columns(found)
    result = rw.calibration(y, p, bins=4, strategy=strategy, n_resamples=5, rng=1)
    assert result.count.sum() == len(y)
    assert (result.low <= result.observed + 1e-12).all()
    assert (result.observed <= result.high + 1e-12).all()
    assert result.low.min() >= 0
    assert result.high.max() <= 1
    if strategy != "loess":
        assert result.count @ result.observed == pytest.approx(y.sum())
        assert result.count @ result.predicted == pytest.approx(p.sum())
    if strategy == "isotonic":
        assert (np.diff(result.observed) > 0).all()


def test_uniform_bins_are_those_of_scikit_learn():
    observed, predicted = calibration_curve(Y, P, n_bins=8, strategy="uniform")
    result = rw.calibration(Y, P, bins=8, strategy="uniform")
    assert result.predicted == pytest.approx(predicted)
    assert result.observed == pytest.approx(observed)
    first = proportion_interval(round(result.observed[0] * result.count[0]), int(result.count[0]))
    assert (result.low[0], result.high[0]) == pytest.approx(tuple(first))
    gaps = result.count @ np.abs(result.observed - result.predicted) / 600
    assert result.ece == pytest.approx(gaps)


def test_quantile_bins_have_equal_sizes_and_never_part_ties():
    assert rw.calibration(Y, P, bins=6).count.tolist() == [100] * 6
    tied = rw.calibration(Y, np.where(P < 0.5, 0.2, P), bins=10)
    assert tied.count[0] == (P < 0.5).sum()


def test_the_isotonic_blocks_are_those_of_scikit_learn():
    result = rw.calibration(Y, P, strategy="isotonic", n_resamples=5, rng=1)
    fit = IsotonicRegression().fit_transform(P, Y)
    assert result.observed == pytest.approx(np.unique(np.round(fit, 12)))
    tally = rw.tally(Y, P)
    everywhere = isotonic_at(np.arange(len(tally)), tally.pos, tally.neg)
    assert everywhere == pytest.approx(fit[np.argsort(-P)])


def test_slope_and_intercept_are_maximum_likelihood():
    result = rw.calibration(Y, P)
    x = np.log(P / (1 - P))[:, None]
    model = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(x, Y)
    assert result.slope == pytest.approx(model.coef_[0, 0], rel=1e-5)
    assert result.intercept == pytest.approx(model.intercept_[0], rel=1e-5, abs=1e-5)
    fitted = model.predict_proba(x)[:, 1]
    design = np.column_stack([np.ones(600), x])
    covariance = np.linalg.inv(design.T @ (design * (fitted * (1 - fitted))[:, None]))
    width = np.ptp(tuple(result.slope_interval))
    assert width == pytest.approx(2 * 1.959964 * math.sqrt(covariance[1, 1]), rel=1e-4)
    # at slope 1 the mean of the shifted probabilities is the proportion of positives
    shifted = 1 / (1 + np.exp(-(x[:, 0] + result.in_the_large)))
    assert shifted.mean() == pytest.approx(Y.mean(), rel=1e-9)


def test_a_recalibrated_model_is_calibrated():
    result = rw.calibration(Y, P)
    better = 1 / (1 + np.exp(-(result.intercept + result.slope * np.log(P / (1 - P)))))
    again = rw.calibration(Y, better)
    assert again.slope == pytest.approx(1, abs=1e-6)
    assert again.intercept == pytest.approx(0, abs=1e-6)
    assert again.brier < result.brier


def test_no_slope_where_there_is_none():
    assert rw.calibration([0, 1, 0, 1], [0.0, 0.4, 0.6, 1.0]).slope is None
    separated = rw.calibration([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9])
    assert separated.slope is None
    scores = [0.000235638104382823, 0.03150345522560199, 0.03509312735948212, 0.3384126251471351]
    assert rw.calibration([0, 1, 1, 1], scores).slope is None  # steps go on when chances round to 1
    assert "no slope" in repr(separated)
    constant = rw.calibration([0, 1, 0, 1], [0.5] * 4)
    assert constant.slope is None
    assert constant.ece == 0


def test_local_regression_of_a_straight_truth_is_straight():
    p = np.linspace(0.05, 0.95, 4000)
    y = (RNG.random(4000) < p).astype(int)
    result = rw.calibration(y, p, strategy="loess")
    assert np.abs(result.observed - result.predicted).max() < 0.05
    inside = (result.low <= result.predicted) & (result.predicted <= result.high)
    assert inside.mean() > 0.8
    width = (result.high - result.low).mean()
    assert 0.01 < width < 0.1


def test_errors():
    with pytest.raises(rw.InputError, match="needs scores from 0 to 1"):
        rw.calibration([0, 1, 0], [0.1, 1.2, 0.3])
    with pytest.raises(rw.InputError, match="`bins` must be an integer"):
        rw.calibration(Y, P, bins=0)
    with pytest.raises(rw.InputError, match="`strategy` must be one of"):
        rw.calibration(Y, P, strategy="spline")


@pytest.mark.parametrize("strategy", ["quantile", "uniform", "isotonic", "loess"])
def test_weight_two_is_the_row_twice_and_scale_changes_nothing(strategy):
    rng = np.random.default_rng(5)
    p = rng.beta(2, 3, 80).round(2)
    y = (rng.random(80) < p).astype(int)
    weights = 1.0 + (np.arange(80) % 3 == 0)
    twice = np.repeat(np.arange(80), weights.astype(int))
    options = {"strategy": strategy, "bins": 4, "n_resamples": 30, "rng": 1}
    found = rw.calibration(y, p, sample_weight=weights, **options)
    copied = rw.calibration(y[twice], p[twice], **options)
    for name in ("predicted", "observed", "slope", "intercept", "ece", "brier", "log_loss"):
        np.testing.assert_allclose(getattr(found, name), getattr(copied, name), rtol=1e-8)
    scaled = rw.calibration(y, p, sample_weight=10 * weights, **options)
    np.testing.assert_allclose(scaled.low, found.low)
    assert tuple(scaled.slope_interval) == pytest.approx(tuple(found.slope_interval))
    assert (found.low <= found.observed).all()


def clustered_sample(rng, n_clusters, size=40):
    """Labels, probabilities and clusters; the clusters differ in their risk."""
    groups = np.repeat(np.arange(n_clusters), size)
    x = (rng.normal(size=n_clusters)[groups] + rng.normal(size=len(groups))) / np.sqrt(2)
    risk = expit(x + 0.5 * rng.normal(size=n_clusters)[groups])
    return (rng.random(len(groups)) < risk).astype(int), expit(x), groups


@pytest.mark.parametrize("weighted", [False, True])
def test_intervals_with_clusters_are_those_of_the_jackknife(weighted):
    rng = np.random.default_rng(2)
    y, p, groups = clustered_sample(rng, 6)
    weights = rng.choice([0.5, 1.0, 3.0], len(y)) if weighted else None
    found = rw.calibration(y, p, groups=groups, sample_weight=weights, n_resamples=5, rng=1)
    w, x = np.ones(len(y)) if weights is None else weights, logit(p)
    for free, at in ((2, (found.intercept, found.slope)), (1, (found.in_the_large, 1.0))):
        design, risk = np.stack([np.ones(len(y)), x], axis=1)[:, :free], expit(at[0] + at[1] * x)
        moved = []
        for one in range(6):
            rest = design[groups != one]
            information = (rest.T * (w * risk * (1 - risk))[groups != one]) @ rest
            # the score of all rows is 0: what the rest has, the cluster lacks
            score = rest.T @ (w * (y - risk))[groups != one]
            moved.append(np.linalg.solve(information, score))
        errors = np.sqrt(5 / 6 * np.sum((moved - np.mean(moved, axis=0)) ** 2, axis=0))
        ours = (
            (found.intercept_interval, found.slope_interval)
            if free == 2
            else (found.in_the_large_interval,)
        )
        for interval, value, error in zip(ours, at, errors, strict=False):
            reach = t(5).ppf(0.975) * error
            assert tuple(interval) == pytest.approx((value - reach, value + reach), rel=1e-7)
    words = " with their weights" if weighted else ""
    assert found.slope_interval.method == f"jackknife of clusters{words}, t distribution"


def test_equal_weights_are_clusters_of_one_row():
    weighted = rw.calibration(Y, P, sample_weight=np.full(600, 2.0), n_resamples=5, rng=1)
    single = rw.calibration(Y, P, groups=np.arange(600), n_resamples=5, rng=1)
    assert tuple(weighted.slope_interval) == pytest.approx(tuple(single.slope_interval))
    by_likelihood = rw.calibration(Y, P).slope_interval
    assert tuple(single.slope_interval) == pytest.approx(tuple(by_likelihood), abs=0.05)


def test_coverage_with_five_clusters():
    rng, covered = np.random.default_rng(6), np.zeros(2)
    for _ in range(200):  # 0.951 is the slope in the population, to two standard errors of 0.002
        y, p, groups = clustered_sample(rng, 5)
        found = rw.calibration(y, p, groups=groups, bins=1, n_resamples=2, rng=1)
        covered += 0.951 in found.slope_interval, 0.0 in found.in_the_large_interval
    assert (covered / 200 > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 200)).all()


def test_too_few_clusters():
    with pytest.raises(rw.InputError, match="`groups` has one cluster"):
        rw.calibration(Y, P, groups=np.zeros(600))
    with pytest.raises(rw.InputError, match="without one of the clusters all scores are equal"):
        rw.calibration([0, 1, 0, 1], [0.2, 0.2, 0.6, 0.6], groups=[0, 0, 1, 1], rng=1)


def test_one_score_or_scores_of_0_have_proportions_but_no_slope():
    for scores in (np.full(600, 0.3), np.where(P < 0.1, 0.0, P)):
        found = rw.calibration(Y, scores, sample_weight=1 + P, n_resamples=45, rng=5)
        assert found.slope is None is found.slope_interval
        assert (found.low < found.observed).all()


@pytest.mark.parametrize("unit", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_the_unit_does_not_decide_whether_there_is_a_fit(unit):
    rng = np.random.default_rng(3)
    for scale in 10.0 ** np.arange(-9, 1):
        rows = np.stack([np.ones(5), 1 + scale * rng.normal(size=5)])
        information = rows @ rows.T / 10
        expected = np.linalg.cond(information) <= 1e14
        assert _well_conditioned(unit * information) == expected
