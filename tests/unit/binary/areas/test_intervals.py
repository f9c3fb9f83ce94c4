"""Intervals of one area: the specification's values, and never a point at the edges."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import rocwise as rw
from oracles.spec_samples import SAMPLES, tally_of
from rocwise.inference.effective_sizes import sized_area
from rocwise.inference.intervals import logit_interval, newcombe_limits, wald_interval


@pytest.mark.parametrize(
    ("sample", "method", "level", "low", "high"),
    [
        ("A", "delong", 0.95, 0.6856826959, 1.0),
        ("C", "delong", 0.95, 0.4811486808, 0.9355179858),
        ("A", "logit", 0.95, 0.3484419409, 0.9955997565),
        ("C", "logit", 0.95, 0.4471118613, 0.879420436),
        ("C", "logit", 0.90, 0.4911128746, 0.8593810458),
    ],
)
def test_values_of_the_specification(sample, method, level, low, high):
    interval = rw.auc(tally_of(SAMPLES[sample]), method=method, level=level).interval
    assert interval.low == pytest.approx(low, abs=1e-9)
    assert interval.high == pytest.approx(high, abs=1e-9)
    assert interval.level == level
    assert interval.method == {"delong": "DeLong", "logit": "logit DeLong"}[method]


def test_wald_and_logit_by_hand():
    z = norm.ppf(0.975)
    wald = wald_interval(0.8, 0.05, 0.95, "x", (0.0, 1.0))
    assert tuple(wald) == pytest.approx((0.8 - z * 0.05, 0.8 + z * 0.05), abs=1e-12)
    logit = logit_interval(0.8, 0.05, 0.95)
    for limit, side in zip(logit, (-1, 1), strict=True):
        assert math.log(limit / (1 - limit)) == pytest.approx(
            math.log(4) + side * z * 0.05 / 0.16, abs=1e-10
        )


EDGES = {
    "perfect": ([0, 0, 0, 1, 1], [1, 2, 3, 4, 5], 1.0),
    "worst": ([1, 1, 1, 0, 0], [1, 2, 3, 4, 5], 0.0),
    "constant": ([0, 0, 0, 1, 1], [1, 1, 1, 1, 1], 0.5),
    "one positive": ([0, 0, 0, 1], [1, 2, 4, 3], 2 / 3),
    "one negative": ([0, 1, 1, 1], [3, 1, 4, 5], 2 / 3),
    "one positive, best": ([0, 0, 0, 1], [1, 2, 3, 4], 1.0),
    "one of each": ([0, 1], [0, 1], 1.0),
    "one of each, tied": ([0, 1], [1, 1], 0.5),
    "one positive, worst": ([1, 0, 0, 0], [1, 2, 3, 4], 0.0),
}


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@pytest.mark.parametrize("method", ["delong", "logit"])
@pytest.mark.parametrize("weights", [None, 1.0, 136.12223351649533])
@pytest.mark.parametrize(("y", "s", "area"), EDGES.values(), ids=EDGES)
def test_at_the_edges_the_interval_is_valid_and_named(y, s, area, weights, method):
    sample_weight = None if weights is None else [weights] * len(y)
    answer = rw.auc(y, s, method=method, sample_weight=sample_weight)
    assert answer.value == pytest.approx(area, abs=1e-15)
    assert answer.value in answer.interval
    assert 0.0 <= answer.interval.low < answer.interval.high <= 1.0
    assert answer.interval.high - answer.interval.low > 0.2  # so few cases say little
    assert answer.interval.method not in ("", "DeLong", "logit DeLong")
    assert answer.interval.method in repr(answer)


def test_more_cases_narrow_the_interval_of_a_perfect_curve():
    widths = []
    for n in (2, 10, 100, 1000):
        interval = rw.auc([0] * n + [1] * n, range(2 * n)).interval
        widths.append(interval.high - interval.low)
    assert sorted(widths, reverse=True) == widths
    assert widths[-1] < 0.01


@pytest.mark.parametrize("A", [0.0, 0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (3, 20), (50, 50)])
def test_newcombes_limits_solve_his_equation(A, n_pos, n_neg):
    z = norm.ppf(0.975)
    average = (n_pos + n_neg) / 2 - 1

    def variance(T):
        spread = 1 + average * (1 - T) / (2 - T) + average * T / (1 + T)
        return T * (1 - T) * spread / (n_pos * n_neg)

    low, high = newcombe_limits(A, n_pos, n_neg, 0.95)
    for limit in (low, high):
        if 0 < limit < 1:
            assert (A - limit) ** 2 == pytest.approx(z * z * variance(limit), rel=1e-6)
    assert low <= A <= high
    mirrored = newcombe_limits(1 - A, n_pos, n_neg, 0.95)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_the_delong_interval_covers():
    rng = np.random.default_rng(11)
    y = np.repeat([0, 1], [60, 60])
    true_area = norm.cdf(1 / math.sqrt(2))
    hits = sum(true_area in rw.auc(y, rng.normal(size=120) + y).interval for _ in range(1000))
    # 95 % nominal; a binomial count of 1,000 is known to about 7 either way
    assert 920 <= hits <= 975


@pytest.mark.parametrize("method", ["hanley-mcneil", "jackknife", "exact-bootstrap", "unbiased"])
def test_wald_intervals_of_other_variances(method):
    tally = tally_of(SAMPLES["C"])
    answer = rw.auc(tally, method=method)
    error = math.sqrt(rw.auc_variance(tally, method=method))
    assert answer.standard_error == pytest.approx(error, rel=1e-12)
    reach = norm.ppf(0.975) * error
    assert tuple(answer.interval) == pytest.approx(
        (answer.value - reach, min(1.0, answer.value + reach)), abs=1e-12
    )
    with pytest.raises(rw.InputError, match=f"method='{method}' is defined for the whole area"):
        rw.auc(tally, method=method, max_fpr=0.2)
    with pytest.raises(rw.InputError, match=f"weights are not supported by method='{method}'"):
        rw.auc([0, 1, 0, 1], [1, 2, 3, 4], sample_weight=[1, 2, 3, 4], method=method)


def sample(n_pos, n_neg, shift, seed=0):
    y = np.repeat([1, 0], [n_pos, n_neg])
    return y, np.random.default_rng(seed).normal(size=len(y)) + shift * y


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "shift", "expected"),
    [
        (100, 400, 1.0, "DeLong"),
        (100, 400, 3.0, "effective-size Wilson"),  # AUC about 0.98
        (12, 400, 1.0, "effective-size Wilson"),
        (1, 50, 1.0, "Hoeffding bound"),
    ],
)
def test_the_default_is_delong_where_ten_cases_are_on_the_wrong_side(n_pos, n_neg, shift, expected):
    y, s = sample(n_pos, n_neg, shift)
    assert rw.auc(y, s).interval.method == expected
    wrong = min(n_pos, n_neg) * (1 - rw.auc(y, s).value)
    assert (wrong >= 10) == (expected == "DeLong")
    if expected == "DeLong":
        assert rw.auc(y, s).interval == rw.auc(y, s, method="delong").interval


def test_wilson_by_the_parts_of_delongs_variance():
    y, s = sample(6, 15, 1.2)
    H = (s[y == 1][:, None] > s[y == 0]).astype(float)
    parts = [(H.mean(1).var(ddof=1) / 6, 6), (H.mean(0).var(ddof=1) / 15, 15)]
    area = sized_area(H.mean(), parts[0][0] + parts[1][0], parts, 6)
    interval = rw.auc(y, s, method="wilson").interval
    assert tuple(interval) == pytest.approx(area.limits(0.025), abs=1e-12)


@pytest.mark.filterwarnings("ignore::rocwise.errors.DirectionWarning")
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(2, 12), st.booleans())
def test_wilson_is_mirrored_by_negation_and_blind_to_units(seed, n_pos, n_neg, ties):
    y, s = sample(n_pos, n_neg, 1.0, seed)
    s = np.round(s) if ties else s
    low, high = rw.auc(y, s, method="wilson").interval
    assert 0.0 <= low < high <= 1.0
    assert rw.auc(y, s).value in rw.auc(y, s).interval
    turned = rw.auc(y, -s, method="wilson").interval
    assert tuple(turned) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    weighted = rw.auc(y, s, sample_weight=np.full(len(y), 7.25), method="wilson").interval
    assert tuple(weighted) == pytest.approx((low, high), abs=1e-9)
    alone = rw.auc(y, s, groups=np.arange(len(y)), method="wilson").interval
    assert tuple(alone) == pytest.approx((low, high), abs=1e-9)


def test_wilson_of_a_part_is_of_its_share():
    y, s = sample(30, 60, 1.5)
    part = rw.auc(y, s, max_fpr=0.2)
    assert part.interval.method == "effective-size Wilson"
    assert 0.0 <= part.interval.low < part.value < part.interval.high <= 0.2
    whole = rw.auc(y, s, fpr_range=(0, 1), method="wilson").interval
    assert tuple(whole) == pytest.approx(tuple(rw.auc(y, s, method="wilson").interval), abs=1e-12)
